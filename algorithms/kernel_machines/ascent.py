"""The state of a run of sequential minimal optimisation, and its steps.

The rule that moves a pair is in the file of each machine. These rules work on:

    beta       the duals
    g          g_i = c_i - sum_j K_ij beta_j, for all points
    up, down   the slopes of D (task.py); -inf where beta cannot rise, +inf where it cannot fall

With few points, a pass over them costs less than calling NumPy. So the slopes are updated in place,
and only two duals get new limits after a pair has moved. A run that goes on from an older step
computes them again from that step.
"""

from array import array
from typing import Any, TypeVar

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core.work import spend
from algorithms.kernel_machines.kernel_rows import KernelRows
from algorithms.kernel_machines.moves import FreeMove, Move, Moves
from algorithms.kernel_machines.pair_step import PairStep
from algorithms.kernel_machines.task import Task

CALLS = 1e5  # operations that take as long as the calls of NumPy in a move
ROUNDING = 1e-15  # of what a sum is made of

S = TypeVar("S", bound=PairStep)


class Ascent:
    """The duals of a run and the slopes of D, after the moves so far."""

    def __init__(self, task: Task, start: Float[ndarray, " n"], *, pairs: int | None) -> None:
        """Start the run. pairs : moves before all free duals move at once; None for never."""
        self.task, self.K = task, KernelRows(task.kernel, task.points)
        self.low, self.high = task.low.tolist(), task.high.tolist()
        self._pairs = np.inf if pairs is None or not task.kernel.definite else pairs
        g = task.linear - self.K.sums(start)
        self._stand(Moves(task, start, g), start, g)

    def _stand(self, moves: Moves, beta: Float[ndarray, " n"], g: Float[ndarray, " n"]) -> None:
        task = self.task
        self._latest: PairStep | None = None
        self.moves, self.beta, self.g = moves, array("d", beta), g.copy()
        self.up, self.down = slopes(task, beta, g)
        self._set_free_due()

    def _set_free_due(self) -> None:
        last = self.moves.last_free
        self.free_due = last[0] + max(1, last[1] // 2) if last else self._pairs

    def first(self, kind: type[S]) -> S:
        """Return the start of the run as a step."""
        beta, task = np.array(self.beta), self.task
        sizes = float(np.abs(beta).sum())
        objective = float(beta @ (task.linear + self.g)) / 2 - task.epsilon * sizes
        return self._step(kind, 0, objective, None)

    def go_to(self, step: PairStep) -> None:
        """Go to the state of `step`; this does nothing if it is the latest step."""
        spend(CALLS + 20.0 * len(self.beta))
        if step is not self._latest:
            g = self.task.linear - step.moves.sums(step.index)
            self._stand(step.moves.until(step.index), step.coefficients, g)

    def lower(self, change: Float[ndarray, " n"]) -> None:
        """Lower the slopes of all points by `change`."""
        np.subtract(self.g, change, out=self.g)
        np.subtract(self.up, change, out=self.up)
        np.subtract(self.down, change, out=self.down)

    def set(self, i: int, beta: float) -> None:
        """Set a dual, and note whether it can rise or fall now."""
        g, epsilon = self.g.item(i), self.task.epsilon
        self.beta[i] = beta
        up = g + epsilon if beta < 0 else g - epsilon
        down = g - epsilon if beta > 0 else g + epsilon
        self.up[i] = up if beta < self.high[i] else -np.inf
        self.down[i] = down if beta > self.low[i] else np.inf

    def record(self, move: Move) -> list[float]:
        """Add a move to the list of moves; return the new values of the duals that it moved."""
        after = self.moves.append(move, self.beta, self.g)
        if isinstance(move, FreeMove):
            self._set_free_due()
        return after

    def step(self, before: S, move: Move, event: str | None) -> S:
        """Return the step after `move`. event : the event of a step that does not end the run."""
        objective = before.dual_objective + move.gain
        return self._step(type(before), before.index + 1, objective, event, move)

    def _step(
        self, kind: type[S], index: int, objective: float, event: Any, move: Move | None = None
    ) -> S:
        ends = extremes(self.task, self.up, self.down)
        violation = max(top - bottom for top, bottom in ends)
        if violation <= self.task.tol:
            event = "converged"
        elif isinstance(move, FreeMove) and violation <= self._rounding:
            event = "rounding"
        bias = sum(top + bottom for top, bottom in ends) / (2 * len(ends))
        step = kind(self.task, self.moves, index, violation, bias, objective, event)
        self._latest = step
        return step

    @property
    def _rounding(self) -> float:
        """Return an estimate of the rounding errors in the slopes."""
        return ROUNDING * float(np.abs(self.beta).sum()) * self.K.largest


def slopes(
    task: Task, beta: Float[ndarray, " n"], g: Float[ndarray, " n"]
) -> tuple[Float[ndarray, " n"], Float[ndarray, " n"]]:
    """Return the slopes up and down, -inf and +inf where a dual cannot move that way."""
    up = np.where(beta < 0, g + task.epsilon, g - task.epsilon)
    down = np.where(beta > 0, g - task.epsilon, g + task.epsilon)
    up[beta >= task.high], down[beta <= task.low] = -np.inf, np.inf
    return up, down


def extremes(
    task: Task, up: Float[ndarray, " n"], down: Float[ndarray, " n"]
) -> list[tuple[float, float]]:
    """Return the largest slope up and the smallest slope down of every group."""
    ends = []
    for group in task.groups:
        rises, falls = up[group], down[group]
        top, bottom = rises.item(rises.argmax()), falls.item(falls.argmin())
        if top == -np.inf:  # all duals are at their upper bounds: nothing can move
            top = bottom
        elif bottom == np.inf:  # all are at their lower bounds
            bottom = top
        ends.append((top, bottom))
    return ends


def last_argmin(values: Float[ndarray, " n"]) -> int:
    """Return the index of the smallest value; in a tie the last one, as in libsvm.

    With an indefinite kernel, the end of a run depends on its path, so ties have to be decided in
    the same way to reach the same end.
    """
    return len(values) - 1 - int(values[::-1].argmin())


def last_argmax(values: Float[ndarray, " n"]) -> int:
    """Return the index of the largest value; in a tie the last one, as in libsvm."""
    return len(values) - 1 - int(values[::-1].argmax())
