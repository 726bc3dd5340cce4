"""The arguments of a run of a perceptron or the delta rule, checked; the samples as plain floats.

For the few numbers of a sample NumPy would take longer than Python does.
"""

from collections.abc import Sequence
from operator import mul

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.record import frozen

LOST = 1e6  # times the scores at the start: the delta rule has diverged
EXACT = 1e-9  # residuals so small are none

Weights = tuple[float, ...]


class Samples:
    """The samples x, in what order they are visited, and how often."""

    def __init__(
        self, X: Float[ndarray, "n d"], rng: Generator, max_epochs: int, order: str
    ) -> None:
        self.X, self.rng = validate.points(X), rng
        self.max_epochs = validate.integer("max_epochs", max_epochs, 1)
        self.cyclic = validate.choice("order", order, ("shuffled", "cyclic")) == "cyclic"
        self.sizes = np.abs(self.X).max(axis=0)

    def order(self) -> list[int]:
        """Return the samples in the order of the next epoch."""
        n = len(self.X)
        return list(range(n)) if self.cyclic else self.rng.permutation(n).tolist()


class Task(Samples):
    """The samples (x, y), in `rows` and `signs`, the weights at the start, and how to learn."""

    def __init__(
        self,
        X: Float[ndarray, "n d"],
        y: Int[ndarray, " n"],
        rng: Generator,
        learning_rate: float,
        max_epochs: int,
        order: str,
        init: str,
        *,
        delta: bool,
    ) -> None:
        super().__init__(X, rng, max_epochs, order)
        classes, self.all_signs = validate.two_labels(y, len(self.X))
        self.classes, self.second = frozen(classes), self.all_signs > 0
        self.rows: list[list[float]] = self.X.tolist()
        self.signs: list[float] = self.all_signs.tolist()
        self.delta = delta
        self.rate = validate.number("learning_rate", learning_rate, positive=True)
        self.bias = float(validate.choice("init", init, ("zeros", "ones")) == "ones")
        self.weights: Weights = (self.bias,) * self.X.shape[1]
        self.reach = self.sizes.tolist()
        self.most = LOST * (1 + self.bias * (1 + sum(self.reach)))

    def move(self, X: Float[ndarray, "n d"]) -> None:
        """Have the samples elsewhere from here on."""
        self.X, self.rows, self.sizes = X, X.tolist(), np.abs(X).max(axis=0)

    def lost(self, w: Weights, b: float) -> bool:
        """Whether scores may exceed all bounds, which the delta rule's can."""
        return self.delta and not sum(map(mul, map(abs, w), self.reach)) + abs(b) <= self.most

    def errors(self, w: Weights, b: float) -> int:
        """Count the points on the wrong side: w.x > -b and w.x + b > 0 are the same, exactly."""
        return int(np.count_nonzero((self.X @ np.array(w) > -b) != self.second))

    def exact(self, weights: Sequence[float]) -> bool:
        """Whether the output at every sample is its y. weights : with the bias as the last one."""
        *w, b = weights
        residuals = self.all_signs - (self.X @ np.array(w) + b)
        return bool(np.abs(residuals).max() <= EXACT)
