"""Stepwise selection: columns are added or removed one by one, judged by cross-validation.

E(F) is the mean squared error of least squares on the columns F, where every row is predicted from
the other folds:

    E(F) = mean_i (y_i - yhat_i(F))^2

    forward     F = {};  j = argmin_j E(F + j);  F <- F + j  while E(F + j) < E(F)
    backward    F = all; j = argmin_j E(F - j);  F <- F - j  while E(F - j) < E(F)

Both climb hills: they stop where no single move helps, which need not be the best of all 2^d sets.

Cost: d fits per fold and move, O(d^2) fits in all instead of 2^d.

Source: 20APC3316, subset selection (forward and backward search); CS725 23.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.core.splits import deal

Columns = tuple[int, ...]  # indices in increasing order
Direction = Literal["forward", "backward"]
Event = Literal["no move helps"]


@dataclass(frozen=True, eq=False)
class SelectionStep(Record):
    """The columns that are selected, and the moves that were tried to get there.

    error : E of them. before : the columns before the move. moved : the column that was added or
    removed, None at the start and where no move helps. movable : the columns that could be moved.
    tried : E after moving each of them.

    Event: "no move helps", at the end.
    """

    is_model = False
    final_events = ("no move helps",)

    selected: Columns
    error: float
    before: Columns
    movable: Columns
    tried: Float[ndarray, " p"]
    moved: int | None = None
    event: Event | None = None


def stepwise_selection(
    X: Float[ndarray, "n d"],
    y: Float[ndarray, " n"],
    *,
    direction: Direction = "forward",
    folds: int = 5,
    rng: Generator,
) -> Iterator[SelectionStep]:
    """Choose columns of X to predict y; rng deals the folds, at most one for each row.

    Raises ValueError, at the call, unless X is (n, d) with n >= 2, y holds n numbers, folds is at
    least 2 and the direction is one of the two.
    """
    X = validate.points(X)
    y = validate.targets(y, len(X))
    if len(X) < 2:
        raise ValueError("X must have at least 2 points, got 1")
    validate.choice("direction", direction, ("forward", "backward"))
    d = X.shape[1]
    fold = dealt(len(X), folds, rng)
    start = () if direction == "forward" else tuple(range(d))
    error = cross_validated_error(X, y, fold, start)
    first = SelectionStep(start, error, start, (), np.empty(0))
    return iterate(first, partial(advance, X, y, fold, direction), most=d + 1, stopped=None)


def advance(
    X: Float[ndarray, "n d"],
    y: Float[ndarray, " n"],
    fold: Int[ndarray, " n"],
    direction: Direction,
    step: SelectionStep,
) -> SelectionStep:
    """Make the best move, if it lowers the error."""
    F = step.selected
    movable = tuple(j for j in range(X.shape[1]) if (j in F) == (direction == "backward"))
    tried = np.array([cross_validated_error(X, y, fold, flipped(F, j)) for j in movable])
    if not (tried < step.error).any():
        return SelectionStep(F, step.error, F, movable, tried, event="no move helps")
    best = int(tried.argmin())
    j = movable[best]
    return SelectionStep(flipped(F, j), float(tried[best]), F, movable, tried, j)


def flipped(F: Columns, j: int) -> Columns:
    """Return the columns with j added, or removed if it was among them."""
    return tuple(sorted({*F} ^ {j}))


def cross_validated_error(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"], fold: Int[ndarray, " n"], F: Columns
) -> float:
    """Return E(F): least squares with an intercept, learned without the fold of each row."""
    missed = np.empty(len(y))
    for out in (fold == f for f in np.unique(fold)):
        rest, A = ~out, X[:, list(F)]
        mean, level = A[rest].mean(axis=0), y[rest].mean()
        weights = np.linalg.lstsq(A[rest] - mean, y[rest] - level, rcond=None)[0]
        missed[out] = y[out] - (A[out] - mean) @ weights - level
    return float(np.mean(missed**2))


def every_error(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"], *, folds: int, rng: Generator
) -> dict[Columns, float]:
    """Return E of all 2^d sets of columns, by brute force."""
    fold, d = dealt(len(X), folds, rng), X.shape[1]
    return {
        F: cross_validated_error(X, y, fold, F)
        for k in range(d + 1)
        for F in combinations(range(d), k)
    }


def dealt(n: int, folds: int, rng: Generator) -> Int[ndarray, " n"]:
    """Return a random fold for every row; a row never shares its fold if there are few."""
    folds = min(validate.integer("folds", folds, 2), n)
    return deal(np.zeros(n, int), folds, False, rng)
