"""One visit to a sample: the shared part of the steps of perceptron and delta rule."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.linear.perceptron.samples import Weights
from algorithms.core.record import Record
from algorithms.core.scores import highest


@dataclass(frozen=True, eq=False, slots=True)
class Visit(Record):
    """One visit to a sample; also a model, since `predict` works at every step.

    `visit` counts the visits so far: the first step is the start, visit 0, epoch 0, index -1.
    `weights` and `bias` are those after the visit, which added `amount` times (x, 1) to them.
    `score` is o = w.x + b before the visit, and `mistake` says whether that was wrong; `mistakes`
    counts them so far. `predict` uses `model_weights` and `model_bias`.
    """

    final_events: ClassVar = (*Record.final_events, "cycle")

    classes: Int[ndarray, " 2"]
    visit: int
    epoch: int
    index: int
    score: float
    mistake: bool
    mistakes: int
    amount: float
    w: Weights
    bias: float
    model_w: Weights
    model_bias: float

    def __post_init__(self) -> None:
        """Copy nothing: there may be many thousands of steps, and few arrays."""

    @property
    def weights(self) -> Float[ndarray, " d"]:
        """Return the weights after the visit."""
        return np.array(self.w)

    @property
    def model_weights(self) -> Float[ndarray, " d"]:
        """Return the weights that predict."""
        return np.array(self.model_w)

    def decision_function(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return w.x + b of the model, positive for the second class."""
        return X @ self.model_weights + self.model_bias

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class of every row of `X`, the first class on the line itself."""
        return highest(self.decision_function(X), self.classes)

    def errors(self, X: Float[ndarray, "m d"], y: Int[ndarray, " m"]) -> int:
        """Count the points that `predict` gets wrong."""
        return int(np.count_nonzero(self.predict(X) != y))

    def margins(self, X: Float[ndarray, "m d"], y: Int[ndarray, " m"]) -> Float[ndarray, " m"]:
        """Return y (w.x + b) at `weights` and `bias`, negative for a point on the wrong side."""
        return self._signs(y) * (X @ self.weights + self.bias)

    def perceptron_loss(self, X: Float[ndarray, "m d"], y: Int[ndarray, " m"]) -> float:
        """Return the perceptron's E at `weights` and `bias`."""
        return float(np.mean(np.maximum(0.0, -self.margins(X, y))))

    def squared_error(self, X: Float[ndarray, "m d"], y: Int[ndarray, " m"]) -> float:
        """Return the delta rule's E at `weights` and `bias`."""
        return float(np.mean((self._signs(y) - X @ self.weights - self.bias) ** 2) / 2)

    def _signs(self, y: Int[ndarray, " m"]) -> Float[ndarray, " m"]:
        return np.where(y == self.classes[1], 1.0, -1.0)
