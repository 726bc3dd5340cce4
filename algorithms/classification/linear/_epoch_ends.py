"""How the end of an epoch can end a run of the perceptron or the delta rule."""

from array import array
from typing import Literal

import numpy as np

from algorithms.classification.linear._perceptron_task import Task, Weights

BACK = 1e-7  # of the largest move: nearer to weights seen before, they are the same
EXACT = 1e-9  # residuals so small are none

Ending = Literal["converged", "cycle", "stopped at max_epochs"]


class EpochEnds:
    """The weights at the start and at the end of every epoch so far."""

    def __init__(self, task: Task) -> None:
        self._task, self._mistakes, self._largest = task, 0, 0.0
        self._thetas = array("d", (*task.weights, task.bias))

    def moved(self, amount: float) -> None:
        """Keep how far the weights move in this epoch: `amount` times a sample."""
        self._largest = max(self._largest, abs(amount))

    def judge(self, epoch: int, mistakes: int, w: Weights, b: float) -> tuple[Ending | None, int]:
        """Name what ends the run with this epoch, if anything does, and the period of a cycle.

        mistakes : of all epochs so far.
        """
        period = self._period(w, b)
        clean, self._mistakes = mistakes == self._mistakes, mistakes
        self._thetas.extend((*w, b))
        self._largest = 0.0
        if self._task.delta and (period == 1 or self._exact(w, b)):
            return "converged", 0
        if not self._task.delta and clean:
            return "converged", 0
        if not self._task.delta and period:
            return "cycle", period
        return ("stopped at max_epochs" if epoch == self._task.max_epochs else None), 0

    def _exact(self, w: Weights, b: float) -> bool:
        """Whether the output at every sample is its y."""
        residuals = self._task.all_signs - (self._task.X @ np.array(w) + b)
        return bool(np.abs(residuals).max() <= EXACT)

    def _period(self, w: Weights, b: float) -> int:
        """Return how many epochs ago the weights were the same, 0 if they never were.

        In shuffled order they may well be, and it means nothing.
        """
        if not self._task.cyclic:
            return 0
        near = BACK * self._largest * np.append(self._task.sizes, 1.0)
        # What ends the delta rule is to be back after a single epoch.
        thetas = self._thetas[-len(near) :] if self._task.delta else self._thetas
        before = np.array(thetas).reshape(-1, len(near))
        same = np.flatnonzero((np.abs(before - (*w, b)) <= near).all(axis=1))
        return len(before) - int(same[-1]) if len(same) else 0
