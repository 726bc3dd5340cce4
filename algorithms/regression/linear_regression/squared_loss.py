"""The mean squared error of a linear model, as a function of its parameters: a quadratic bowl.

With θ = (w, b), a_i = (x_i, 1), A the matrix of rows a_i and n points:

    f(θ)  = 1/n sum_i (y_i - θ.a_i)²  =  f* + (θ - θ*)^T H (θ - θ*) / 2
    ∇f(θ) = -2/n A^T (y - A θ)                          H = 2/n A^T A

θ* is the least squares solution and f* = f(θ*). The eigenvalues of H are the curvatures of the
bowl; where one is 0 (a feature that is constant, or a sum of others) it is a valley with a level
floor. The places where f = f* + e are an ellipse about θ* with the half axes √(2 e / curvature)
along the eigenvectors.

Cost: O(n d) for a loss or a gradient, O(B d) for that of B points.

Source: CS337 (003:165, 003:400), CS725 19.2 (000:2978).
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.features import with_ones
from algorithms.core.record import Record
from algorithms.regression.linear_regression.linear_regression import solve

ROUNDING = 1e-14  # of the terms of a sum


@dataclass(frozen=True, eq=False)
class SquaredLoss(Record):
    """The bowl: its lowest point `minimum`, the loss `floor` there, its curvatures and axes.

    `curvatures` rise; `axes` has the direction of each in a column. The last parameter is b.
    """

    A: Float[ndarray, "n p"]
    y: Float[ndarray, " n"]
    minimum: Float[ndarray, " p"]
    floor: float
    curvatures: Float[ndarray, " p"]
    axes: Float[ndarray, "p p"]

    def excess(self, theta: Float[ndarray, " p"]) -> float:
        """Return f(θ) - f*, in a form that keeps its digits near the minimum."""
        distance = self.A @ (theta - self.minimum)
        return float(distance @ distance / len(distance))

    def contour(self, excess: float, points: int = 73) -> Float[ndarray, "m 2"]:
        """Return the ellipse of the (w, b) whose loss is `excess` above the floor, for one feature.

        In a level direction the contour has no end; there the ellipse is very long instead.
        """
        turn = np.linspace(0, 2 * np.pi, points)
        least = 1e-12 * self.curvatures[-1]
        half = np.sqrt(2 * excess / np.maximum(self.curvatures, least))
        return self.minimum + (half[:, None] * [np.cos(turn), np.sin(turn)]).T @ self.axes.T


def squared_loss(X: Float[ndarray, "n d"], y: Float[ndarray, " n"]) -> SquaredLoss:
    """Return the mean squared error on these points. Raises ValueError unless all is finite."""
    X = validate.points(X)
    y = validate.targets(y, len(X))
    weights, intercept, _ = solve(X, y)
    A = with_ones(X)
    residuals = y - X @ weights - intercept
    curvatures, axes = np.linalg.eigh(2 / len(A) * (A.T @ A))
    return SquaredLoss(
        A=A,
        y=y,
        minimum=np.append(weights, intercept),
        floor=float(residuals @ residuals / len(y)),
        curvatures=np.maximum(curvatures, 0.0),
        axes=axes,
    )


def gradient(
    A: Float[ndarray, "b p"], y: Float[ndarray, " b"], theta: Float[ndarray, " p"]
) -> Float[ndarray, " p"]:
    """Return -2/B A^T (y - A θ), over the B rows of `A`.

    A sum that is nothing but rounding error, like that of b for standardised data, is set to 0.
    AdaGrad, RMSProp and Adam would divide it by its own size and take a large step.
    """
    residuals = y - A @ theta
    sums = residuals @ A
    sums[np.abs(sums) <= ROUNDING * (np.abs(residuals) @ np.abs(A))] = 0.0
    return -2 / len(A) * sums
