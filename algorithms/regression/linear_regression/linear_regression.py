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

Where columns depend on each other, A^T A is singular, and all solutions give the same fit.

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
from algorithms.core.scaling import by_largest
from algorithms.regression.linear_model import LinearModel


def linear_regression(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"]
) -> Iterator["ProjectionStep"]:
    """Project y on the column of ones, then on one feature more in each step.

    The last step is the least squares solution. Raises ValueError, at the call, unless X is finite
    and y holds n finite numbers.
    """
    X = validate.points(X)
    return _project(X, validate.targets(y, len(X)))


def _project(X: Float[ndarray, "n d"], y: Float[ndarray, " n"]) -> Iterator["ProjectionStep"]:
    step = _start(X, y)
    yield step
    for _ in range(X.shape[1] + 1):
        step = advance(X, y, step)
        yield step


def advance(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"], step: "ProjectionStep"
) -> "ProjectionStep":
    """Return the step that follows: y projected on the columns so far and one more."""
    (n, d), column = X.shape, step.column + 1
    weights, intercept, rank = np.zeros(d), float(y.mean()), 0
    if column >= 0:
        weights[: column + 1], intercept, rank = solve(X[:, : column + 1], y)
    fit = X @ weights + intercept
    residuals = y - fit
    residual, total = float(np.linalg.norm(residuals)), float(np.linalg.norm(y - y.mean()))
    event = "mean" if column == -1 else "nothing new" if rank == step.rank else None
    return ProjectionStep(
        weights=weights,
        intercept=intercept,
        column=column,
        before=step.residual,
        part=float(np.linalg.norm(fit - step.predict(X))),
        residual=residual,
        r_squared=_r_squared(residual, total),
        loss=residual**2 / n,
        products=np.append(residuals @ X, residuals.sum()),
        rank=rank,
        event="solved" if column == d - 1 and event is None else event,
    )


def solve(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"], *, dependent: float | None = None
) -> tuple[Float[ndarray, " d"], float, int]:
    """θ = (A^T A)^-1 A^T y. Return the weights, the intercept, and how many features count.

    Where features depend on each other there are many solutions, and the rank is below d. Then the
    weights are the shortest ones, for features scaled to a largest deviation of 1. dependent : the
    share of the largest singular value below which one counts as 0; by default that of rounding.
    """
    # Nothing about least squares depends on units and origin, but floating point does.
    offsets, scaling = by_largest(X)
    mean = y.mean()
    weights, _, rank, _ = np.linalg.lstsq(
        offsets, y - mean, dependent
    )  # A^T A w = A^T y, without squaring A
    return *scaling.linear_back(weights, mean), int(rank)


class Moments(NamedTuple):
    """The numbers that the closed form for one feature is made of: w = S_xy / S_xx."""

    mean_x: float
    mean_y: float
    s_xx: float
    s_xy: float


def moments(x: Float[ndarray, " n"], y: Float[ndarray, " n"]) -> Moments:
    """Return the means, S_xx and S_xy of one feature and the target."""
    dx, dy = x - x.mean(), y - y.mean()
    return Moments(float(x.mean()), float(y.mean()), float(dx @ dx), float(dx @ dy))


@dataclass(frozen=True, eq=False)
class ProjectionStep(LinearModel):
    """The fit with the column of ones and the first features, up to `column`.

    `column` is -2 at the start (the fit is 0), -1 for the column of ones, then 0, 1, ... for the
    features. `before`, `part` and `residual` are the lengths of the residual before, of what this
    column adds to the fit, and of the residual after; `loss` is f, `products` is A^T residual, and
    `rank` is the number of features that are not sums of others.

    Events: "mean"; "nothing new" (the column is a sum of those before); "solved" at the end.
    """

    column: int
    before: float
    part: float
    residual: float
    r_squared: float
    loss: float
    products: Float[ndarray, " p"]
    rank: int
    event: Literal["mean", "nothing new", "solved"] | None = None


def _start(X: Float[ndarray, "n d"], y: Float[ndarray, " n"]) -> ProjectionStep:
    """Return the fit 0, whose residual is y itself."""
    n, d = X.shape
    residual, total = float(np.linalg.norm(y)), float(np.linalg.norm(y - y.mean()))
    return ProjectionStep(
        weights=np.zeros(d),
        intercept=0.0,
        column=-2,
        before=residual,
        part=0.0,
        residual=residual,
        r_squared=_r_squared(residual, total),
        loss=residual**2 / n,
        products=np.append(y @ X, y.sum()),
        rank=0,
    )


def _r_squared(residual: float, total: float) -> float:
    return 1 - (residual / total) ** 2 if total > 0 else float(residual == 0)
