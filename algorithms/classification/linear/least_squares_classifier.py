"""Least squares as a classifier: linear regression on indicators of the classes.

Model: a row of weights and an intercept per class, y_k(x) = w_k.x + b_k; the largest one decides.
The target t_i of a point is 1 for its class and 0 for the others (one-hot). Objective:

    f(W, b) = 1/2 sum_i ||W x_i + b - t_i||^2

Solution, with X and T centred on their means (which makes the intercepts b = mean t - W mean x):

    W^T = (X^T X)^-1 X^T T

or, if columns are collinear, the solution with the shortest rows for standardised columns. The
targets of a point sum to 1, and so do its outputs.

Two weaknesses, both because the error counts how far an output is from 0 or 1 and not on which side
of the border it is. *Outliers*: a point far out on its own side has an output far above 1, and the
border turns to bring it down. *Masking*: of three classes in a row, the middle one's indicator is
low, high, low along the row; the best line through that is level and never the largest.

Cost: O(n d^2), and O(K d) to predict.

Source: CS725 18.3 and 19.4 (000:2867, 000:3137).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.core.scaling import standard
from algorithms.core.scores import Scores, highest, one_for_two


@dataclass(frozen=True, eq=False)
class LeastSquaresClassifierStep(Record):
    """The solution, in closed form. `loss` is f."""

    classes: Int[ndarray, " k"]
    weights: Float[ndarray, "k d"]
    intercepts: Float[ndarray, " k"]
    center: Float[ndarray, " d"]
    loss: float
    event: str | None = None

    def outputs(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return y_k(x) of every class for every row of `X`; a row sums to 1."""
        level = self.intercepts + self.weights @ self.center
        return (X - self.center) @ self.weights.T + level

    def decision_function(self, X: Float[ndarray, "m d"]) -> Scores:
        """Return the outputs; for two classes (m,) their difference, positive for the second."""
        return one_for_two(self.outputs(X))

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class of the largest output for every row of `X`, the smaller in a tie."""
        return highest(self.outputs(X), self.classes)


def least_squares_classifier(
    X: Float[ndarray, "n d"], y: Int[ndarray, " n"]
) -> Iterator[LeastSquaresClassifierStep]:
    """Solve the least squares problem, in a single step.

    Raises ValueError, at the call, unless X is finite and y holds n integers of two or more
    classes.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    T = np.eye(len(classes))[codes]
    scaling, share = standard(X), T.mean(axis=0)
    offsets = scaling.transform(X)
    W = np.linalg.lstsq(offsets, T - share)[0]
    residuals = offsets @ W + share - T
    weights = W.T / scaling.spread
    return iter(
        [
            LeastSquaresClassifierStep(
                classes=classes,
                weights=weights,
                intercepts=share - weights @ scaling.center,
                center=scaling.center,
                loss=float((residuals * residuals).sum() / 2),
            )
        ]
    )
