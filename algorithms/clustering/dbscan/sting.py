"""STING: clusters of dense cells, found from coarse to fine in a pyramid of cells.

The box of the points is cut into 4 equal cells, each of these into 4, and so on, down to level L
with 4^L cells. A cell knows how many points it has. At level L the points are counted; above, a
cell adds its four parts:

    n(cell) = sum of n(part) over its 4 parts                                        `pyramid`

After that no point is needed. A cell of level L is dense if n >= m. From the top down, each cell
that has points and whose larger cell is relevant is looked at:

    relevant:  n >= m                    a part of it may be dense: exact            `least`
    or:        n >= m 4^(L - l)          it is dense on average: may miss a part

and only the parts of relevant cells are looked at. In the end dense cells that touch, by a side or
by a corner, belong to the same cluster; points in other cells are noise.

Cost: O(n) for the counts of level L, and O(4^L) for the rest, however many points there are.

Wang, Yang and Muntz keep mean, spread, least, largest and the kind of distribution of every cell,
too, for other queries, and judge a cell's density by a confidence interval. CS725 (000:2484) goes
from the leaves upwards instead; the same counts are used there.

Source: CS725 13.7 (000:2474); Wang, Yang and Muntz 1997.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.clustering.dbscan.dbscan import NOISE
from algorithms.core import validate
from algorithms.core.record import Record

RULES = ("may hold a dense cell", "dense on average")
MOST_LEVELS = 8

Event = Literal["level complete", "new cluster", "finished"]


def sting(
    X: Float[ndarray, "n 2"], *, levels: int, min_samples: int, rule: str = RULES[0]
) -> Iterator["StingStep"]:
    """Look at the cells from coarse to fine, then join the dense ones; a step is one cell.

    levels : L, of halving both sides. min_samples : m, the points of a dense cell of level L. rule
    : which cells are relevant, "may hold a dense cell" or "dense on average".

    Raises ValueError, at the call, unless there are two columns, 1 <= levels <= 8, min_samples is
    at least 1, and everything is finite.
    """
    X = validate.points(X)
    if X.shape[1] != 2:
        raise ValueError(f"X must have two columns, got {X.shape[1]}")
    levels = validate.integer("levels", levels, 1, MOST_LEVELS)
    min_samples = validate.integer("min_samples", min_samples, 1)
    validate.choice("rule", rule, RULES)
    return _steps(survey(X, levels, min_samples, rule))


def survey(X: Float[ndarray, "n 2"], L: int, m: int, rule: str) -> "Survey":
    """Go down the pyramid, then join the dense cells."""
    low, span = X.min(axis=0), X.max(axis=0) - X.min(axis=0)
    span = np.where(span > 0, span, max(span.max(), np.abs(X).max(), 1.0))
    inside = np.minimum((X - low) / span * 2**L, 2**L - 1).astype(int)  # column, row
    counts = pyramid(inside, L)
    looked, relevant = [], []
    waiting = deque([(0, 0, 0)])
    while waiting:
        level, row, column = cell = waiting.popleft()
        n = int(counts[level][row, column])
        looked.append((*cell, n))
        relevant.append(n >= least(level, L, m, rule))
        if relevant[-1] and level < L:
            parts = [(level + 1, 2 * row + i, 2 * column + j) for i in (0, 1) for j in (0, 1)]
            waiting.extend(part for part in parts if counts[level + 1][part[1], part[2]])
    cells, kept = np.array(looked), np.array(relevant)
    dense = cells[kept & (cells[:, 0] == L), 1:3]
    joined, clusters = join(dense)
    owner = np.full((2**L, 2**L), NOISE)
    owner[tuple(dense[joined].T)] = clusters
    labels = owner[inside[:, 1], inside[:, 0]]
    return Survey(low, span, L, m, rule, inside, cells, kept, dense[joined], clusters, labels)


def pyramid(inside: Int[ndarray, "n 2"], L: int) -> list[Int[ndarray, "rows columns"]]:
    """n(cell) = sum of n(part) over its 4 parts. Return the counts of all levels, 0 first."""
    size = 2**L
    counts = [np.bincount(inside[:, 1] * size + inside[:, 0], minlength=size**2)]
    counts[0] = counts[0].reshape(size, size)
    while len(counts) <= L:
        parts = counts[0]
        counts.insert(0, parts.reshape(len(parts) // 2, 2, -1, 2).sum(axis=(1, 3)))
    return counts


def least(level: int, L: int, m: int, rule: str) -> int:
    """Return the points that a relevant cell of a level has at least: m, or m 4^(L - l)."""
    return m if rule == RULES[0] else m * 4 ** (L - level)


def join(
    dense: Int[ndarray, "c 2"],
) -> tuple[Int[ndarray, " c"], Int[ndarray, " c"]]:
    """Go from dense cell to touching dense cell. Return their order, and the cluster of each."""
    place = {cell: i for i, cell in enumerate(map(tuple, dense.tolist()))}
    order, clusters = [], []
    left, cluster = dict(place), -1
    while left:
        cluster += 1
        queue = deque([next(iter(left))])
        del left[queue[0]]
        while queue:
            row, column = queue.popleft()
            order.append(place[row, column])
            clusters.append(cluster)
            for near in [(row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]:
                if near in left:
                    del left[near]
                    queue.append(near)
    return np.array(order, int), np.array(clusters, int)


@dataclass(frozen=True, eq=False)
class Survey(Record):
    """Everything that a run found out.

    low, span : the box of the points. inside : (n, 2) column and row of each point's cell of level
    `levels`. cells : (c, 4) level, row, column and points of each cell, as they were looked at;
    relevant : (c,). dense : (s, 2) row and column of the dense cells, as they were joined;
    clusters : (s,) of each. labels : (n,) the cluster of every point, -1 for noise.
    """

    low: Float[ndarray, " 2"]
    span: Float[ndarray, " 2"]
    levels: int
    min_samples: int
    rule: str
    inside: Int[ndarray, "n 2"]
    cells: Int[ndarray, "c 4"]
    relevant: Bool[ndarray, " c"]
    dense: Int[ndarray, "s 2"]
    clusters: Int[ndarray, " s"]
    labels: Int[ndarray, " n"]


@dataclass(frozen=True, eq=False, slots=True)
class StingStep(Record):
    """What is known after a cell was looked at, or a dense cell was joined; counted from 0.

    All steps of a run share the `survey`. Events: "level complete", "new cluster", "finished".
    """

    survey: Survey
    now: int
    event: Event | None = None

    def __post_init__(self) -> None:
        """Copy nothing: what the steps share is a record."""

    @property
    def looked(self) -> int:
        """Return how many cells have been looked at."""
        return min(self.now + 1, len(self.survey.cells))

    @property
    def joined(self) -> int:
        """Return how many dense cells have a cluster."""
        return max(self.now + 1 - len(self.survey.cells), 0)

    @property
    def cell(self) -> tuple[int, int, int]:
        """Return level, row and column of the cell of this step."""
        if not self.joined:
            level, row, column, _ = self.survey.cells[self.now].tolist()
            return level, row, column
        row, column = self.survey.dense[self.joined - 1].tolist()
        return self.survey.levels, row, column

    @property
    def labels(self) -> Int[ndarray, " n"]:
        """Return the cluster of every point, -1 where there is none (yet)."""
        owner = np.full((2**self.survey.levels,) * 2, NOISE)
        owner[tuple(self.survey.dense[: self.joined].T)] = self.survey.clusters[: self.joined]
        return owner[self.survey.inside[:, 1], self.survey.inside[:, 0]]


def _steps(every: Survey) -> Iterator[StingStep]:
    looked, total = len(every.cells), len(every.cells) + len(every.dense)
    level = every.cells[:, 0]
    ends = {*np.flatnonzero(np.diff(level)).tolist(), looked - 1}
    begins = {looked + i for i in np.flatnonzero(np.diff(every.clusters, prepend=-1)).tolist()}
    for now in range(total):
        event: Event | None = "level complete" if now in ends else None
        event = "new cluster" if now in begins else event
        yield StingStep(every, now, "finished" if now == total - 1 else event)
