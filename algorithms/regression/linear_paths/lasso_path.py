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

Rule for ties: if several events are due at the same penalty, that of the lowest column comes first,
and the others follow at t = 0 if they are still due (Murty's least-index rule, which ends). A
column that is a combination of the active ones (to 1e-8 of its length), such as a duplicate, stays
out with weight 0: its |c_j| cannot pass the penalty. So the weights of every knot are a minimum,
and the active columns are independent. Where columns depend on each other, it is one minimum of
many.

On every piece w and c are computed again, as w = base - penalty delta and c = rest + penalty gamma,
from a QR factorisation of X_A (_lasso_piece.py), so that errors do not add up; a test compares them
with the rule above. Near-collinear columns do no harm up to a condition of X_A of about 1e6. Beyond
that, a knot at which a variable leaves can miss KKT by far.

Cost of a knot: O(|A|^2 d) for |A| active variables, after O(n d^2) once. Usually there are about
min(n, d) knots, but unlucky data can have exponentially many, so their number is limited.

Source: CS337 (003:328), CIS787 (004:486), both without the factor 1/2, which doubles the penalty;
Osborne, Presnell and Turlach 2000; Efron et al. 2004 (LARS).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.scaling import ROUNDING
from algorithms.regression.linear_model import LinearModel
from algorithms.regression.linear_paths._lasso_piece import (
    Piece,
    compressed,
    straight_piece,
    turned,
)
from algorithms.regression.linear_paths.centred import Centred, centred

SAME = 1e-12  # penalties this close, against the largest, are the same
SMALLEST = 1e-10  # below this share of the largest, knots are rounding: the path goes on to 0
SLOW = 1e-10  # a gap to the penalty that closes this slowly stays open

Event = Literal["variable enters", "variable leaves", "least squares", "stopped at max_iter"]


def lasso_path(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"], *, between: int = 0, max_iter: int = 1000
) -> Iterator["LassoPathStep"]:
    """Follow the lasso solution from the largest penalty that matters to 0, a step for every knot.

    `between` adds this number of evenly spaced steps between every two knots. A variable enters or
    leaves at most `max_iter` times.

    Raises ValueError, at the call, unless X and y are finite, between >= 0 and max_iter >= 1.
    """
    problem = _problem(centred(X, y))
    between = validate.integer("between", between, 0)
    return _knots(problem, between, validate.integer("max_iter", max_iter, 1))


def _knots(problem: "Problem", between: int, max_iter: int) -> Iterator["LassoPathStep"]:
    knot = _top(problem)
    for changes in range(1, max_iter + 1):
        after = advance(problem, knot)
        step = after.step
        for i in range(1, between + 1) if step.length > 0 else ():
            yield _between(problem, knot, step, i / (between + 1))
        if changes == max_iter and step.event != "least squares":
            step = replace(step, event="stopped at max_iter")
        yield step
        if step.event == "least squares":
            return
        knot = after


def advance(problem: "Problem", knot: "Knot") -> "Knot":
    """Return the next knot: w_A <- w_A + t delta for the smallest t at which something happens."""
    piece, barred = knot.piece, knot.barred
    while True:
        end = first_event(piece, knot.penalty, barred, problem.same)
        if ends := end.length >= knot.penalty - problem.least:
            end, after = Ending(-1, knot.penalty, 1.0, knot.penalty), piece
            break
        following = turned(problem.small, piece, end.variable, knot.penalty - end.length)
        if following is not None:
            after = following
            break
        barred = barred | (np.arange(len(barred)) == end.variable)  # a combination of the active
    penalty, event = 0.0 if ends else knot.penalty - end.length, "variable enters"
    if ends:
        event = "least squares"
    elif end.variable in piece.active:
        event, barred = "variable leaves", problem.constant
    step = _step(problem.data, piece, after, penalty, end, event)
    return Knot(step, penalty, after, barred)


def first_event(piece: Piece, penalty: float, barred: Bool[ndarray, " d"], same: float) -> "Ending":
    """Return which variable enters or leaves first, and by what t the penalty falls until then.

    t is infinite if none does. Values of t that differ by no more than `same` are a tie.
    """
    w, delta = piece.weights(penalty), piece.slope
    c, gamma, g = piece.correlations(penalty), piece.pull, piece.signs
    gaps = np.array([penalty - c, penalty + c, g * w])
    speeds = np.array([1 - gamma, 1 + gamma, -g * delta])
    due = speeds > np.array([[SLOW], [SLOW], [0.0]])
    due[:2] &= ~((g != 0) | barred)
    t = np.full(gaps.shape, np.inf)
    with np.errstate(over="ignore"):
        np.divide(gaps, speeds, out=t, where=due)
    soon = t.min(axis=0)
    j = int((soon <= soon.min() + same).argmax())  # the lowest column of those that tie
    way = int(t[:, j].argmin())
    length, gap = float(t[way, j]), max(float(gaps[way, j]), 0.0)
    return Ending(j, gap, float(speeds[way, j]), length if length > same else 0.0)


def weights_at(
    path: Sequence["LassoPathStep"], penalties: Float[ndarray, " m"]
) -> Float[ndarray, "m d"]:
    """Return the weights for any penalties: straight lines join those of the knots."""
    ends = np.array([step.penalty for step in path])[::-1]
    columns = np.array([step.weights for step in path])[::-1].T
    return np.array([np.interp(penalties, ends, column) for column in columns]).T


@dataclass(frozen=True, eq=False)
class LassoPathStep(LinearModel):
    """A knot of the path, or a place between two; also a model.

    `active` holds the indices of the variables that may differ from 0 from here on, in the order in
    which they entered. `slope` is how much w changes when the penalty falls by 1. `correlations` is
    c.

    At a knot `variable` enters or leaves (-1 elsewhere). Since the knot before, the penalty fell
    by `length` = gap / speed: the gap that closed, and how much of it closes when the penalty falls
    by 1. For a variable that enters these are penalty -+ c_j and 1 -+ gamma_j at the knot before,
    for one that leaves |w_j| and -g_j delta_j.

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


class Ending(NamedTuple):
    """How a piece ends: the penalty falls by `length` = gap / speed.

    Then `variable` enters or leaves; it is -1 where the penalty reaches 0.
    """

    variable: int
    gap: float
    speed: float
    length: float


class Knot(NamedTuple):
    """A knot: its step, and the piece that begins there. barred : columns that may not enter."""

    step: LassoPathStep
    penalty: float
    piece: Piece
    barred: Bool[ndarray, " d"]


class Problem(NamedTuple):
    """The data, and in `small` d + 1 rows with the same ||y - X w|| for every w.

    constant : columns that do not vary. same : penalties this close are the same. least : knots
    below this penalty are rounding.
    """

    data: Centred
    small: Centred
    constant: Bool[ndarray, " d"]
    same: float
    least: float


def _problem(data: Centred) -> Problem:
    small = compressed(data)
    constant: Bool[ndarray, " d"] = np.logical_not(small.X.any(axis=0))
    top = float(np.abs(small.X.T @ small.y).max())
    lengths = np.sqrt((small.X * small.X).sum(axis=0))
    # Penalties below this share of ||x_j|| ||y|| are rounding, too.
    rounding = ROUNDING * float(lengths.max() * math.sqrt(small.y @ small.y))
    return Problem(data, small, constant, SAME * top, max(SMALLEST * top, rounding))


def _top(problem: Problem) -> Knot:
    """Return the state before the first knot: no weights, and the largest penalty that matters."""
    piece = straight_piece(problem.small, (), np.zeros(len(problem.constant)))
    assert piece
    top = float(np.abs(piece.rest).max())
    none = _step(problem.data, piece, piece, top, Ending(-1, 0.0, 1.0, 0.0), None)
    return Knot(none, top, piece, problem.constant)


def _between(problem: Problem, knot: Knot, after: LassoPathStep, share: float) -> LassoPathStep:
    """Return the place at a share of the way from a knot to the one after it."""
    end = Ending(-1, after.gap, after.speed, after.length)
    at = knot.penalty - after.length * share
    return _step(problem.data, knot.piece, knot.piece, at, end, None)


def _step(
    data: Centred, before: Piece, after: Piece, penalty: float, end: Ending, event: Event | None
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
        variable=end.variable,
        length=end.length,
        gap=end.gap,
        speed=end.speed,
        event=event,
    )
