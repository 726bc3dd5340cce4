"""k-modes: k-means for a table of categories.

A mean of "fur" and "scales" does not exist. So distances count the columns that differ, and the
centre of a cluster has in every column the commonest value, the mode:

    d(x, m) = number of columns l with x_l != m_l                             `matching`

Objective, over the modes m_1..m_k and the cluster c_i of every row:

    J(m, c) = sum_i d(x_i, m_(c_i))

Update rule: lower J over one argument while the other is held, alternately,

    assign:  c_i  <- the j with the smallest d(x_i, m_j)                      (the first in a tie)
    move:    m_jl <- the commonest value of column l in the rows with c_i = j

until no row changes its cluster. In a tie a mode keeps its value if that is one of the commonest,
and takes the first of them if not; without rows it stays. So a move that does not lower J changes
nothing, and the run ends: J cannot fall for ever.

Cost of one assign and one move: O(n k d).

Source: CS725 13.4 (000:2388), which writes the mode as an arg max over the values; Huang 1998.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

MAX_ITER = 100

Event = Literal["empty cluster", "converged", "stopped at max_iter"]


def k_modes(
    table: Int[ndarray, "n d"],
    k: int,
    *,
    rng: Generator,
    init: Int[ndarray, "k d"] | None = None,
    max_iter: int = MAX_ITER,
) -> Iterator["KModesStep"]:
    """Alternate `assign` and `move` until no row changes its cluster.

    table : categories as whole numbers from 0. init : the first modes; by default k rows that are
    drawn. The first step assigns the rows to them.

    Raises ValueError, at the call, unless 1 <= k <= n and all categories are whole numbers from 0.
    """
    table = _categories("table", table)
    n, d = table.shape
    k = validate.integer("k", k, 1, n, high_name="n")
    max_iter = validate.integer("max_iter", max_iter, 1)
    modes = table[rng.choice(n, size=k, replace=False)] if init is None else init
    modes = _categories("init", modes)
    if modes.shape != (k, d):
        raise ValueError(f"init must have shape (k, d) = ({k}, {d}), got shape {modes.shape}")
    first = KModesStep("assign", modes, *assign(table, modes))
    return iterate(first, partial(advance, table), most=2 * max_iter)


def advance(table: Int[ndarray, "n d"], step: "KModesStep") -> "KModesStep":
    """Return the half-step that follows `step`."""
    if step.phase == "assign":
        modes = move(table, step.labels, step.modes)
        cost = int((table != modes[step.labels]).sum())
        return KModesStep("move", modes, step.labels, cost)
    labels, cost = assign(table, step.modes)
    return KModesStep("assign", step.modes, labels, cost, _event(step, labels))


def matching(table: Int[ndarray, "n d"], modes: Int[ndarray, "k d"]) -> Int[ndarray, "n k"]:
    """d(x, m) = number of columns l with x_l != m_l. Return it for every row and mode."""
    return (table[:, None] != modes).sum(axis=2)


def assign(
    table: Int[ndarray, "n d"], modes: Int[ndarray, "k d"]
) -> tuple[Int[ndarray, " n"], int]:
    """c_i <- the j with the smallest d(x_i, m_j). Return the clusters and J."""
    distances = matching(table, modes)
    return distances.argmin(axis=1), int(distances.min(axis=1).sum())


def move(
    table: Int[ndarray, "n d"], labels: Int[ndarray, " n"], modes: Int[ndarray, "k d"]
) -> Int[ndarray, "k d"]:
    """m_jl <- the commonest value of column l in the rows with c_i = j. Return the modes."""
    moved = modes.copy()
    for j, column in np.ndindex(modes.shape):
        count = counts(table, labels, j, column)
        old = modes[j, column]
        kept = old < len(count) and count[old] == count.max()
        moved[j, column] = old if kept or not count.any() else count.argmax()
    return moved


def counts(
    table: Int[ndarray, "n d"], labels: Int[ndarray, " n"], j: int, column: int
) -> Int[ndarray, " v"]:
    """Return how many rows of cluster j have each value of a column."""
    return np.bincount(table[labels == j, column], minlength=int(table[:, column].max()) + 1)


@dataclass(frozen=True, eq=False)
class KModesStep(Record):
    """One half-step; also a model, since `predict` works at every step. `cost` is J."""

    phase: Literal["assign", "move"]
    modes: Int[ndarray, "k d"]
    labels: Int[ndarray, " n"]
    cost: int
    event: Event | None = None

    def predict(self, table: Int[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the index of the nearest mode of every row of `table`."""
        return assign(table, self.modes)[0]


def _event(before: KModesStep, labels: Int[ndarray, " n"]) -> Event | None:
    if (labels == before.labels).all():
        return "converged"
    sizes = [np.bincount(each, minlength=len(before.modes)) for each in (before.labels, labels)]
    return "empty cluster" if ((sizes[0] > 0) & (sizes[1] == 0)).any() else None


def _categories(name: str, values: ndarray) -> Int[ndarray, "n d"]:
    """Check that a table holds categories."""
    values = np.asarray(values)
    if values.ndim != 2 or 0 in values.shape or values.dtype.kind not in "iu" or values.min() < 0:
        raise ValueError(
            f"{name} must have whole numbers from 0 in rows and columns, got {values.dtype} of "
            f"shape {values.shape}"
        )
    return values.astype(int)
