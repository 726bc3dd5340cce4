"""The arguments of a run of the perceptron or the delta rule, checked; the samples as plain floats.

For the few numbers of a sample NumPy would take longer than Python does.
"""

from operator import mul

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.record import frozen

LOST = 1e6  # times the scores at the start: the delta rule has diverged

Weights = tuple[float, ...]


class Task:
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
        self.X = validate.points(X)
        classes, codes = validate.labels(y, len(self.X))
        if len(classes) > 2:
            raise ValueError(
                f"y must name exactly two classes for a perceptron, got {len(classes)}: "
                "erase or relabel the points of the others"
            )
        self.classes = frozen(classes)
        self.second, self.all_signs = codes == 1, np.where(codes == 1, 1.0, -1.0)
        self.rows, self.signs = self.X.tolist(), self.all_signs.tolist()
        self.rng, self.delta = rng, delta
        self.rate = validate.number("learning_rate", learning_rate, positive=True)
        self.max_epochs = validate.integer("max_epochs", max_epochs, 1)
        self.cyclic = validate.choice("order", order, ("shuffled", "cyclic")) == "cyclic"
        self.bias = float(validate.choice("init", init, ("zeros", "ones")) == "ones")
        self.weights: Weights = (self.bias,) * self.X.shape[1]
        self.sizes = np.abs(self.X).max(axis=0)
        self.reach = self.sizes.tolist()
        self.most = LOST * (1 + self.bias * (1 + sum(self.reach)))

    def order(self) -> list[int]:
        """Return the samples in the order of the next epoch."""
        n = len(self.rows)
        return list(range(n)) if self.cyclic else self.rng.permutation(n).tolist()

    def lost(self, w: Weights, b: float) -> bool:
        """Whether scores may exceed all bounds, which the delta rule's can."""
        return self.delta and not sum(map(mul, map(abs, w), self.reach)) + abs(b) <= self.most

    def errors(self, w: Weights, b: float) -> int:
        """Count the points on the wrong side: w.x > -b and w.x + b > 0 are the same, exactly."""
        return int(np.count_nonzero((self.X @ np.array(w) > -b) != self.second))
