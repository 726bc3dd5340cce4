"""The moves of a run, kept once for all its steps.

A step differs from the one before by the move of two duals, or of all free duals at once. So a run
is a list of moves, and a step is a place in it. The duals beta and the slopes g of all points are
copied now and then. Those of a step follow from the last copy before it and the moves since:

    beta <- beta_copy, then the values that the moves since have set
    o    <- o_copy + sum over the points moved since of (change of beta_i) k(x_i, .)

where o_i = sum_j beta_j K_ij. The steps that were looked at last are remembered, not all.
"""

from array import array
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core.record import frozen
from algorithms.kernel_machines.task import Task

APART = 64  # moves from copy to copy; more if there are many points
REMEMBERED = 100  # steps: a few more than are drawn at a time


class PairMove(NamedTuple):
    """The move of two duals: beta_i rises by `taken`, and beta_j falls by it."""

    i: int
    j: int
    slope: float  # of D along the pair
    eta: float  # K_ii + K_jj - 2 K_ij: how much the slope falls on the way
    wanted: float  # slope / eta, or as good as infinite where D does not bend down
    taken: float  # the part of it that the box allows

    @property
    def gain(self) -> float:
        """Return by how much D rises."""
        return self.taken * (self.slope - 0.5 * self.taken * self.eta)


class FreeMove(NamedTuple):
    """The move of all free duals at once: `bounded` of them reach a bound; D rises by `gain`."""

    members: Int[ndarray, " f"]
    bounded: int
    gain: float


Move = PairMove | FreeMove


class Moves:
    """The moves so far. A step looks only at those before it, so no step ever changes."""

    def __init__(self, task: Task, beta: Float[ndarray, " n"], g: Float[ndarray, " n"]) -> None:
        """Begin without moves. beta, g : duals and slopes at the start."""
        self._task = task
        self._apart = max(APART, len(beta) // 16)
        # Whose duals moved, where to, and where each move ends; then four numbers of each pair.
        self._moved, self._values, self._ends = array("l"), array("d"), array("l", [0])
        self._numbers = array("d")
        self._free: dict[int, FreeMove] = {}
        self._firsts: dict[str, int] = {}
        self._copies = [(frozen(beta), frozen(g))]
        self._latest: dict[tuple[str, int], ndarray] = {}

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Moves):
            return NotImplemented
        return self._moved == other._moved and self._values == other._values

    __hash__ = None  # type: ignore[assignment]

    def append(self, move: Move, beta: Sequence[float], g: Float[ndarray, " n"]) -> list[float]:
        """Add a move; return the new values of the duals it moved. beta, g : after the move."""
        free = isinstance(move, FreeMove)
        moved = move.members.tolist() if free else move[:2]
        after = [beta[i] for i in moved]
        self._moved.extend(moved)
        self._values.extend(after)
        self._ends.append(len(self._moved))
        index = len(self._ends) - 1
        if free:
            self._free[index] = move
        # Zeros keep the place of a move of all free duals, so that a pair's are found by its step.
        self._numbers.extend((0.0, 0.0, 0.0, 0.0) if free else move[2:])
        if index % self._apart == 0:
            self._copies.append((frozen(beta), frozen(g)))
        return after

    def first(self, what: str) -> bool:
        """Return whether `what` happens for the first time in this run, and note its step."""
        return self._firsts.setdefault(what, len(self)) == len(self)

    def until(self, index: int) -> "Moves":
        """Return the first `index` moves, for a run that goes on from there."""
        part, end = Moves(self._task, *self._copies[0]), self._ends[index]
        part._moved, part._values = self._moved[:end], self._values[:end]
        part._ends, part._numbers = self._ends[: index + 1], self._numbers[: 4 * index]
        part._free = {at: move for at, move in self._free.items() if at <= index}
        part._firsts = {what: at for what, at in self._firsts.items() if at <= index}
        part._copies = self._copies[: 1 + index // self._apart]
        return part

    def move(self, index: int) -> Move | None:
        """Return the move that led to step `index`, if one did."""
        if not index:
            return None
        if free := self._free.get(index):
            return free
        return PairMove(*self.moved(index), *self._numbers[4 * index - 4 : 4 * index])

    def moved(self, index: int) -> list[int]:
        """Return whose duals the move to step `index` changed."""
        return list(self._moved[self._ends[index - 1] : self._ends[index]]) if index else []

    @property
    def last_free(self) -> tuple[int, int] | None:
        """Return step and size of the last move of all free duals, if there was one."""
        if not self._free:
            return None
        index = next(reversed(self._free))
        return index, len(self._free[index].members)

    @property
    def largest_dual(self) -> float:
        """Return the largest |beta| that any move made; 0 if there are none."""
        return float(np.abs(np.array(self._values)).max(initial=0.0))

    def coefficients(self, index: int) -> Float[ndarray, " n"]:
        """Return beta after `index` moves."""
        return self._remembered(self._coefficients, index)

    def sums(self, index: int) -> Float[ndarray, " n"]:
        """Return o_i = sum_j beta_j K_ij for every point after `index` moves."""
        return self._remembered(self._sums, index)

    def _coefficients(self, index: int) -> Float[ndarray, " n"]:
        copied = index // self._apart
        beta = self._copies[copied][0].copy()
        first, end = self._ends[self._apart * copied], self._ends[index]
        beta[list(self._moved[first:end])] = self._values[first:end]  # the last one of many stays
        return frozen(beta)

    def _sums(self, index: int) -> Float[ndarray, " n"]:
        beta, g = self._copies[index // self._apart]
        change = self.coefficients(index) - beta
        moved = np.flatnonzero(change)
        points = self._task.points
        rows = self._task.kernel(points[moved], points)
        return frozen(self._task.linear - g + change[moved] @ rows)

    def _remembered(self, compute: Callable[[int], ndarray], index: int) -> ndarray:
        key = compute.__name__, index
        values = self._latest.get(key)
        if values is None:
            values = compute(index)
            for oldest in list(self._latest)[: 1 - 2 * REMEMBERED]:
                self._latest.pop(oldest, None)
            self._latest[key] = values
        return values
