"""The moves of a run of SMO, kept once for all its steps.

A step differs from the one before by one move of two duals, or of all free ones at once, so a run
is a list of moves and a step a place in it: who moved, where to, and seven numbers of a pair. The
duals of all points are copied now and then (`start`); those of a step are the copy before it with
the moves since, and so are its outputs, f - b:

    beta <- beta_start, then alpha_i y_i of every move since
    f - b = (f - b)_start + sum over the points moved since of (change of beta_i) k(x_i, .)

What was worked out is remembered for the steps looked at last, not for all.
"""

from array import array
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.svm.kernel_machine import Problem
from algorithms.core.record import frozen

APART = 64  # moves from copy to copy; more where there are so many points
REMEMBERED = 100  # steps: a few more than are drawn at a time

MoveEvent = Literal["a point reaches C", "a support vector drops out", "all free duals at once"]


class Move(NamedTuple):
    """A step along (+1, -1) in (beta_i, beta_j): `wanted` is best, `taken` stays in the box."""

    before: tuple[float, float]  # alpha_i, alpha_j
    after: tuple[float, float]
    slope: float  # g_i - g_j
    curvature: float  # K_ii + K_jj - 2 K_ij: 0 for duplicates, negative if K is indefinite
    wanted: float  # slope / curvature, or as good as infinite where D does not bend down
    taken: float
    gain: float  # by how much the dual objective rises


class Together(NamedTuple):
    """A move of all free duals: in beta_i = alpha_i y_i, whose, from where and where to.

    `bounded` of them reached a bound; `gain` is by how much the dual objective rises.
    """

    members: Int[ndarray, " f"]
    before: Float[ndarray, " f"]
    after: Float[ndarray, " f"]
    bounded: int
    gain: float


class Moves:
    """The moves so far. Steps only look at those before them, so that they never change."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._signs: list[float] = problem.signs.tolist()
        self._apart = max(APART, len(problem.points) // 16)
        # Who moved and where to (alpha_i y_i), one move after the other, and where each one ends.
        self._moved, self._values, self._ends = array("l"), array("d"), array("l", [0])
        self._numbers = array("d")
        self._together: dict[int, Together] = {}
        self._starts: list[tuple[ndarray, ndarray]] = []
        self._latest: dict[tuple[str, int], ndarray] = {}
        self._none_at_C = True

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Moves):
            return NotImplemented
        return self._moved == other._moved and self._values == other._values

    __hash__ = None  # type: ignore[assignment]

    @property
    def copy_due(self) -> bool:
        """Whether the duals are to be copied before the next move."""
        return len(self) == len(self._starts) * self._apart

    def copy(self, beta: Float[ndarray, " n"], errors: Float[ndarray, " n"]) -> None:
        """Keep alpha_i y_i, and y_i - (f - b) as errors, as they are after the moves so far."""
        self._starts.append((frozen(beta), frozen(self._problem.signs - errors)))

    def append(self, i: int, j: int, move: Move) -> MoveEvent | None:
        """Add a move of the duals i and j; name what it did that is worth stopping at."""
        (old_i, old_j), (new_i, new_j) = move.before, move.after
        self._keep((i, j), (self._signs[i] * new_i, self._signs[j] * new_j))
        self._numbers.extend((old_i, old_j, new_i, new_j, *move[2:]))
        if self._none_at_C and self._problem.C in move.after:
            self._none_at_C = False
            return "a point reaches C"
        return "a support vector drops out" if new_i == 0 < old_i or new_j == 0 < old_j else None

    def append_all(self, together: Together) -> MoveEvent | None:
        """Add a move of all free duals; name the first one."""
        self._keep(together.members.tolist(), together.after.tolist())
        self._numbers.extend([0.0] * 9)  # so that those of a pair are found by its step
        self._together[len(self)] = together
        return "all free duals at once" if len(self._together) == 1 else None

    def _keep(self, members: Sequence[int], beta: Sequence[float]) -> None:
        self._moved.extend(members)
        self._values.extend(beta)
        self._ends.append(len(self._moved))

    def pair(self, index: int) -> tuple[int, int] | None:
        """Return which two duals the move to step `index` moved; None if none or all free ones."""
        if not index or index in self._together:
            return None
        first = self._ends[index - 1]
        return self._moved[first], self._moved[first + 1]

    def move(self, index: int) -> Move | None:
        """Return the move of a pair that led to step `index`, if it was one."""
        if not index or index in self._together:
            return None
        a, b, c, d, *rest = self._numbers[9 * index - 9 : 9 * index]
        return Move((a, b), (c, d), *rest)

    def together(self, index: int) -> Together | None:
        """Return the move of all free duals that led to step `index`, if it was one."""
        return self._together.get(index)

    @property
    def largest_dual(self) -> float:
        """The largest dual that any move made; 0 if there are none."""
        return float(np.abs(np.array(self._values)).max(initial=0.0))

    def coefficients(self, index: int) -> Float[ndarray, " n"]:
        """Return alpha_i y_i for every point after so many moves."""
        return self._remembered(self._coefficients, index)

    def scores(self, index: int) -> Float[ndarray, " n"]:
        """Return f - b of the points themselves after so many moves."""
        return self._remembered(self._scores, index)

    def _coefficients(self, index: int) -> Float[ndarray, " n"]:
        copied = index // self._apart
        since = self._apart * copied
        beta = self._starts[copied][0].copy()
        first, end = self._ends[since], self._ends[index]
        beta[list(self._moved[first:end])] = self._values[first:end]  # of many the last one stays
        return frozen(beta)

    def _scores(self, index: int) -> Float[ndarray, " n"]:
        start, scores = self._starts[index // self._apart]
        change = self.coefficients(index) - start
        moved = np.flatnonzero(change)
        rows = self._problem.kernel(self._problem.points[moved], self._problem.points)
        return frozen(scores + change[moved] @ rows)

    def _remembered(self, compute: Callable[[int], ndarray], index: int) -> ndarray:
        key = compute.__name__, index
        values = self._latest.get(key)
        if values is None:
            values = compute(index)
            for oldest in list(self._latest)[: 1 - 2 * REMEMBERED]:
                self._latest.pop(oldest, None)
            self._latest[key] = values
        return values
