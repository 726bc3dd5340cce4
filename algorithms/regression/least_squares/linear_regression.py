"""Linear regression by least squares in closed form, as a projection, one column at a time.

Model: y = w.x + b. With θ = (w, b), a_i = (x_i, 1) and A the matrix of rows a_i, the objective is

    f(θ) = 1/n sum_i (y_i - θ.a_i)²  =  ‖y - A θ‖² / n

f is least where the residual y - A θ is orthogonal to every column of A, A^T (y - A θ) = 0:

    θ = (A^T A)^-1 A^T y              one feature: w = S_xy / S_xx,  b = mean y - w mean x

with S_xx = sum_i (x_i - mean x)² and S_xy = sum_i (x_i - mean x) (y_i - mean y). A θ is the
projection of y on the space that the columns span. The steps project on the column of ones (the
fit is the mean of y), then on one feature more at a time. The new part of the fit and the residual
that is left are orthogonal, so by Pythagoras

    ‖residual before‖² = ‖new part‖² + ‖residual after‖²

    R² = 1 - ‖y - A θ‖² / ‖y - mean y‖²      (1: perfect; 0: no better than the mean)

Where columns depend on each other A^T A is singular; the fit is the same for all solutions then.

Cost: O(n d²) a step.

Source: CS337 (003:150-230), CS725 19.2 (000:2978, figure 29).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.regression.least_squares.linear_model import LinearModel
from algorithms.regression.least_squares.squared_loss import solve


@dataclass(frozen=True, eq=False)
class ProjectionStep(LinearModel):
    """The fit with the column of ones and the first features, up to `column`.

    `column` is -2 at the start (the fit is 0), -1 for the column of ones, then 0, 1, ... for the
    features. `before`, `part` and `residual` are the lengths of the residual before, of what this
    column adds to the fit, and of the residual after; `loss` is f, and `products` is A^T residual.

    Events: "mean"; "nothing new" (the column is a sum of those before); "solved" at the end.
    """

    column: int
    before: float
    part: float
    residual: float
    r_squared: float
    loss: float
    products: Float[ndarray, " p"]
    event: Literal["mean", "nothing new", "solved"] | None = None


class Moments(NamedTuple):
    """The numbers that the closed form for one feature is made of."""

    mean_x: float
    mean_y: float
    s_xx: float
    s_xy: float


def linear_regression(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"]
) -> Iterator[ProjectionStep]:
    """Project y on the column of ones, then on one feature more in each step.

    The last step is the least squares solution. Raises ValueError, at the call, unless X is finite
    and y holds n finite numbers.
    """
    X = validate.points(X)
    y = validate.targets(y, len(X))
    return _project(X, y)


def moments(x: Float[ndarray, " n"], y: Float[ndarray, " n"]) -> Moments:
    """Return the means, S_xx and S_xy of one feature and the target."""
    dx, dy = x - x.mean(), y - y.mean()
    return Moments(float(x.mean()), float(y.mean()), float(dx @ dx), float(dx @ dy))


def _project(X: Float[ndarray, "n d"], y: Float[ndarray, " n"]) -> Iterator[ProjectionStep]:
    n, d = X.shape
    total = float(np.linalg.norm(y - y.mean()))
    fit, before, rank = np.zeros(n), float(np.linalg.norm(y)), 0
    for column in range(-2, d):
        weights, intercept, now = np.zeros(d), 0.0, 0
        if column >= 0:
            weights[: column + 1], intercept, now = solve(X[:, : column + 1], y)
        elif column == -1:
            intercept = float(y.mean())
        after = X @ weights + intercept
        left = y - after
        residual = float(np.linalg.norm(left))
        event = "mean" if column == -1 else "nothing new" if column >= 0 and now == rank else None
        yield ProjectionStep(
            weights=weights,
            intercept=intercept,
            column=column,
            before=before,
            part=float(np.linalg.norm(after - fit)),
            residual=residual,
            r_squared=1 - (residual / total) ** 2 if total > 0 else float(residual == 0),
            loss=residual**2 / n,
            products=np.append(left @ X, left.sum()),
            event="solved" if column == d - 1 and event is None else event,
        )
        fit, before, rank = after, residual, now
