"""The most probable picture, exactly: dynamic programming row by row.

Of the rows below, the rows above see only the last row between them. So for each of the 2^w ways to
colour that row, only the best picture above it has to be kept, with its energy C. Cells are added
one by one, and a cell takes the place of the one above it in the row that is kept:

    C(..., x_i, ...) <- min over x_above of C(..., x_above, ...) - beta x_above x_i
                        - h y_i x_i - beta x_left x_i                       `sums`, `with_row`

The smallest C after the last row is the lowest energy of all 2^(w h) pictures. Going back through
the choices of x_above gives the picture. With more than one best picture, it is one of them.

Sums in place of minima, from both sides, give the probability that a cell is black:

    F_r(s) = -T ln of the sum over the pictures of rows 0 to r that end in the row s of exp(-E / T)
    B_r(s) = the same of rows r to the last one, which begin with s
    p(row r is s) is proportional to exp(-(F_r(s) + B_r(s) - E_r(s)) / T)   `exact_shares`

E_r is the energy within row r, which F and B both have. F is computed as C is, with
-T ln (exp(-a / T) + exp(-b / T)) where C takes the smaller one of a and b; B is F upside down.

Cost: O(w 2^w) per row of w cells, so it is for narrow pictures.

Source: 20APC3316, undirected graphs and the sum-product algorithm; Viterbi 1967.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from scipy.special import softmax

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record, frozen
from algorithms.core.work import spend
from algorithms.graphs.markov_random_field.picture import Field, field_of

WIDEST = 16
SPINS = np.array([-1.0, 1.0])
ALIKE = np.outer(SPINS, SPINS)


def most_probable_picture(
    image: Any, *, coupling: float, data_weight: float = 1.0
) -> Iterator["RowStep"]:
    """Find the picture with the lowest energy, a row a step, from the top.

    Raises ValueError, at the call, unless the picture is of -1 and 1, at most 16 cells wide, and
    the weights are from 0.
    """
    field = narrow(field_of(image, coupling, data_weight))
    y = field.observed
    first = RowStep(np.zeros_like(y), 0.0, np.zeros(2 ** y.shape[1]))
    return iterate(first, partial(advance, field), most=len(y), stopped=None)


def narrow(field: Field) -> Field:
    """Return the field. Raises ValueError if its picture is too wide."""
    if (w := field.observed.shape[1]) > WIDEST:
        raise ValueError(f"image must have at most {WIDEST} columns, got {w}")
    return field


def advance(field: Field, step: "RowStep") -> "RowStep":
    """Add a row, and find the best picture of all rows so far."""
    costs, chosen = with_row(field, step.rows, step.costs)
    choices = (*step.choices, frozen(chosen))
    x = best_picture(choices, int(costs.argmin()), len(field.observed))
    event = "finished" if len(choices) == len(x) else None
    return RowStep(x, float(costs.min()), costs, choices, event)


def with_row(
    field: Field, row: int, costs: Float[ndarray, " states"]
) -> tuple[Float[ndarray, " states"], Bool[ndarray, "w states"]]:
    """Return C with one more row, and for every cell which x_above was better: True for black."""
    w = field.observed.shape[1]
    chosen = np.empty((w, len(costs)), bool)
    for column in range(w):
        both = sums(field, row, column, costs)
        chosen[column] = both.argmin(axis=0)
        costs = both.min(axis=0)
    return costs, chosen


def sums(
    field: Field, row: int, column: int, costs: Float[ndarray, " states"]
) -> Float[ndarray, "2 states"]:
    """Return C(..., x_above, ...) - beta x_above x_i - h y_i x_i - beta x_left x_i.

    The first axis is x_above. A state is the kept row as a number in binary, 1 for black.
    """
    w, y = field.observed.shape[1], int(field.observed[row, column])
    C = np.moveaxis(costs.reshape((2,) * w), column, 0)  # axis 0: the cell above
    rest = (1,) * (w - 1)
    above = field.coupling * (ALIKE if row else 0 * ALIKE)
    added = (above + field.data_weight * y * SPINS).reshape(2, 2, *rest)
    both = np.moveaxis(C[:, None] - added, 1, column + 1)
    if column:
        left = [1] * (w + 1)
        left[column : column + 2] = 2, 2
        both = both - field.coupling * ALIKE.reshape(left)
    return both.reshape(2, -1)


def best_picture(
    choices: tuple[Bool[ndarray, "w states"], ...], state: int, rows: int
) -> Int[ndarray, "h w"]:
    """Return the best picture whose last row is `state`, by the choices; 0 in further rows."""
    w = len(choices[0])
    x = np.zeros((rows, w), int)
    for row in reversed(range(len(choices))):
        for column in reversed(range(w)):
            place = 1 << (w - 1 - column)
            x[row, column] = 1 if state & place else -1
            above = choices[row][column, state]
            state = state | place if above else state & ~place
    return x


def exact_shares(
    image: Any, *, coupling: float, data_weight: float = 1.0, temperature: float = 1.0
) -> Float[ndarray, "h w"]:
    """Return p(x_i = 1 | y) for every cell of a picture of -1 and 1.

    Raises ValueError unless the picture is of -1 and 1, at most 16 cells wide, the weights are from
    0, and the temperature is above 0.
    """
    field = narrow(field_of(image, coupling, data_weight))
    T = validate.number("temperature", temperature, positive=True)
    y, w = field.observed, field.observed.shape[1]
    F = from_above(field, T)
    B = from_above(replace(field, observed=y[::-1]), T)[::-1]
    within = [from_above(replace(field, observed=row[None]), T)[0] for row in y]
    states = softmax(-(F + B - np.array(within)) / T, axis=1)
    black = np.arange(2**w)[:, None] >> np.arange(w)[::-1] & 1
    return states @ black


def from_above(field: Field, T: float) -> Float[ndarray, "h states"]:
    """Return F_r(s) for all rows r, up to a number that is the same for all s."""
    h, w = field.observed.shape
    F, found = np.zeros(2**w), []
    for row in range(h):
        spend(10.0 * w * 2**w)
        for column in range(w):
            F = -T * np.logaddexp.reduce(-sums(field, row, column, F) / T, axis=0)
        found.append(F)
    return np.array(found)


@dataclass(frozen=True, eq=False)
class RowStep(Record):
    """The best picture of the rows so far, and what it is found by.

    image : with 0 in further rows. costs : C, for each way to colour the last row. choices : for
    every row and cell, the better x_above.
    """

    is_model = False

    image: Int[ndarray, "h w"]
    energy: float
    costs: Float[ndarray, " states"]
    choices: tuple[Bool[ndarray, "w states"], ...] = ()
    event: Literal["finished"] | None = None

    @property
    def rows(self) -> int:
        """Return the number of rows so far."""
        return len(self.choices)

    def certain(self) -> dict[str, Any]:
        """Return the energy; several pictures may have it."""
        return {"energy": self.energy}
