"""The exact path of the lasso: its weights for all penalties, found knot by knot (homotopy).

Objective, for every penalty from the one where all weights are 0 down to 0, b never penalised:

    1/2 ||y - X w - b||^2 + penalty ||w||_1

With columns and targets about their means and c_j = x_j.(y - X w), the product of column j with
the residuals, w is a minimum exactly where (KKT)

    c_j = penalty sign(w_j)  where w_j is not 0,        |c_j| <= penalty  where it is.

While the active set A of variables and their signs g stay, both move along straight lines. For a
penalty smaller by t, with delta = (X_A^T X_A)^-1 g and gamma = X^T X_A delta,

    w_A <- w_A + t delta      c <- c - t gamma

until the first of these happens, the next knot:

    variable j enters:  |c_j| reaches the penalty,   t = (penalty -+ c_j) / (1 -+ gamma_j)
    variable j leaves:  w_j reaches 0,               t = |w_j| / -(g_j delta_j)

Rule for ties: of several events at the same penalty the one of the lowest column comes first, and
the others follow at t = 0 if they still are due (Murty's least-index rule, which ends). A column
that is a combination of the active ones (to 1e-8 of its length), such as a duplicate, stays out
with weight 0: its |c_j| cannot pass the penalty. So the weights of every knot are a minimum and the
active columns independent; where columns depend on each other, it is one minimum of many.

On every piece w and c are computed anew, as w = base - penalty delta and c = rest + penalty gamma,
from a QR factorisation of X_A, so that errors do not add up. Near-collinear columns do no harm up
to a condition of X_A of about 1e6; beyond, a knot at which a variable leaves can miss KKT grossly.

Cost of a knot: O(|A|^2 d) for |A| active variables, after O(n d^2) once. There are about min(n, d)
knots as a rule, but unlucky data can have exponentially many, so their number is limited.

Source: CS337 (003:328), CIS787 (004:486), both without the factor 1/2, which doubles the penalty;
Osborne, Presnell and Turlach 2000; Efron et al. 2004 (LARS).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.scaling import ROUNDING
from algorithms.regression.least_squares.linear_model import LinearModel
from algorithms.regression.paths._lasso_piece import (
    Ending,
    Piece,
    compressed,
    straight_piece,
    turned,
)
from algorithms.regression.paths.about_means import AboutMeans, about_means

SAME = 1e-12  # penalties this close, against the largest, are the same
SMALLEST = 1e-10  # below this share of the largest, knots are rounding: the path goes on to 0

Event = Literal["variable enters", "variable leaves", "least squares", "stopped at max_iter"]


@dataclass(frozen=True, eq=False)
class LassoPathStep(LinearModel):
    """A knot of the path, or a place between two; also a model.

    `active` numbers the variables that may be other than 0 from here on, in the order in which
    they came, and `slope` says how they move: by so much w changes when the penalty falls by 1.
    `correlations` is c.

    At a knot `variable` enters or leaves (-1 elsewhere). Since the knot before, the penalty fell
    by `length` = gap / speed: what was to be closed, and by how much a penalty lower by 1 closes
    it. For a variable that enters these are penalty -+ c_j and 1 -+ gamma_j at the knot before, for
    one that leaves |w_j| and -g_j delta_j.

    Events: "variable enters", "variable leaves"; at the end "least squares" (the penalty is 0) or
    "stopped at max_iter" (instead of the last knot's own); None between the knots.
    """

    penalty: float
    active: Int[ndarray, " a"]
    correlations: Float[ndarray, " d"]
    slope: Float[ndarray, " d"]
    variable: int
    length: float
    gap: float
    speed: float
    event: Event | None = None


def lasso_path(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"], *, between: int = 0, max_iter: int = 1000
) -> Iterator[LassoPathStep]:
    """Follow the lasso solution from the largest penalty that matters to 0, a step for every knot.

    `between` adds so many evenly spaced steps to every stretch between two knots. At most
    `max_iter` times a variable enters or leaves.

    Raises ValueError, at the call, unless X and y are finite, between >= 0 and max_iter >= 1.
    """
    data = about_means(X, y)
    between = validate.integer("between", between, 0)
    return _homotopy(data, between, validate.integer("max_iter", max_iter, 1))


def weights_at(
    path: Sequence[LassoPathStep], penalties: Float[ndarray, " m"]
) -> Float[ndarray, "m d"]:
    """Return the weights for any penalties: straight lines join those of the knots."""
    ends = np.array([step.penalty for step in path])[::-1]
    columns = np.array([step.weights for step in path])[::-1].T
    return np.array([np.interp(penalties, ends, column) for column in columns]).T


def _homotopy(data: AboutMeans, between: int, max_iter: int) -> Iterator[LassoPathStep]:
    small = compressed(data)
    constant: Bool[ndarray, " d"] = np.logical_not(small.X.any(axis=0))
    barred = constant
    piece = straight_piece(small, (), np.zeros(len(constant)))
    assert piece
    top = penalty = float(np.abs(piece.rest).max())
    lengths = np.sqrt((small.X * small.X).sum(axis=0))
    # So are those below this share of ||x_j|| ||y||.
    least = max(SMALLEST * top, ROUNDING * float(lengths.max() * math.sqrt(small.y @ small.y)))
    changes = 0
    while True:
        ending = piece.next_event(penalty, barred, SAME * top)
        ends = ending.length >= penalty - least
        if ends:
            ending, after = Ending(-1, penalty, 1.0, penalty), piece
        elif (after := turned(small, piece, ending.variable, penalty - ending.length)) is None:
            barred = barred | (np.arange(len(barred)) == ending.variable)
            continue
        for i in range(1, between + 1) if ending.length > 0 else ():
            at = penalty - ending.length * i / (between + 1)
            yield _step(data, piece, piece, at, ending._replace(variable=-1), None)
        penalty = 0.0 if ends else penalty - ending.length
        changes += 1
        event: Event = "least squares" if ends else "variable enters"
        if not ends and changes == max_iter:
            event = "stopped at max_iter"
        elif ending.variable in piece.active:
            event, barred = "variable leaves", constant
        yield _step(data, piece, after, penalty, ending, event)
        if event in ("least squares", "stopped at max_iter"):
            return
        piece = after


def _step(
    data: AboutMeans,
    before: Piece,
    after: Piece,
    penalty: float,
    ending: Ending,
    event: Event | None,
) -> LassoPathStep:
    weights = before.weights(penalty)
    weights[weights * after.signs <= 0] = 0.0  # one that left, or has just entered, to rounding
    return LassoPathStep(
        penalty=penalty,
        weights=weights,
        intercept=data.intercept(weights),
        active=np.array(after.active, int),
        correlations=before.correlations(penalty),
        slope=after.slope,
        variable=ending.variable,
        length=ending.length,
        gap=ending.gap,
        speed=ending.speed,
        event=event,
    )
