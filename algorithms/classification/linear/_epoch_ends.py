"""How the end of an epoch can end a run of a perceptron or the delta rule."""

from array import array
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from algorithms.classification.linear._perceptron_task import Samples

BACK = 1e-7  # of the largest move: nearer to weights seen before, they are the same
SINGLE = 20  # mistakes that are worth stopping at one by one; after them the ends of epochs are

Ending = Literal["converged", "cycle", "stopped at max_epochs"]
Event = Literal["mistake", "end of epoch", "diverged", "skipped", "forced"] | Ending
ENDINGS = ("converged", "cycle", "diverged", "stopped at max_epochs")


class EpochEnds:
    """The weights at the start and at the end of every epoch so far, each with its bias.

    exact : what tells the delta rule that every output is as it should be; None for a perceptron.
    """

    def __init__(
        self,
        samples: Samples,
        weights: Sequence[float],
        exact: Callable[[Sequence[float]], bool] | None = None,
    ) -> None:
        self._samples, self._exact = samples, exact
        self._mistakes, self._largest = 0, 0.0
        self._thetas = array("d", weights)

    def moved(self, amount: float) -> None:
        """Keep how far the weights move in this epoch: `amount` times a sample."""
        self._largest = max(self._largest, abs(amount))

    def disturb(self) -> None:
        """Take notice that this epoch is not like the others: something was done by hand."""
        self._mistakes = -1  # not clean
        self._thetas = array("d")  # what was before does not come again

    def judge(
        self, epoch: int, mistakes: int, weights: Sequence[float]
    ) -> tuple[Literal["end of epoch"] | Ending, int]:
        """Name what this epoch ends with, and the period of a cycle.

        mistakes : of all epochs so far.
        """
        period = self._period(weights)
        clean, self._mistakes = mistakes == self._mistakes, mistakes
        self._thetas.extend(weights)
        self._largest = 0.0
        if self._exact:
            if period == 1 or self._exact(weights):
                return "converged", 0
        elif clean:
            return "converged", 0
        elif period:
            return "cycle", period
        return ("stopped at max_epochs" if epoch == self._samples.max_epochs else "end of epoch"), 0

    def _period(self, weights: Sequence[float]) -> int:
        """Return how many epochs ago the weights were the same, 0 if they never were.

        In shuffled order they may well be, and it means nothing.
        """
        if not self._samples.cyclic:
            return 0
        sizes = np.append(self._samples.sizes, 1.0)
        near = BACK * self._largest * np.tile(sizes, len(weights) // len(sizes))
        # What ends the delta rule is to be back after a single epoch.
        thetas = self._thetas[-len(near) :] if self._exact else self._thetas
        before = np.array(thetas).reshape(-1, len(near))
        same = np.flatnonzero((np.abs(before - weights) <= near).all(axis=1))
        return len(before) - int(same[-1]) if len(same) else 0
