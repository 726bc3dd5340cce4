"""What the views of a whole run need besides its steps: errors, prior, ellipses, exact solution."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core.record import Record
from algorithms.regression.linear_paths.centred import centred
from algorithms.regression.linear_paths.lasso_descent import LassoStep
from algorithms.regression.linear_paths.lasso_path import LassoPathStep, lasso_path, weights_at
from algorithms.regression.linear_paths.penalty_curve import PenaltyCurve, curve_of, lasso_curve
from algorithms.regression.linear_paths.prepared_table import PreparedTable
from algorithms.regression.linear_paths.ridge_path import RidgeStep
from algorithms.regression.linear_paths.weight_prior import error_ellipses, noise_variance

LEVELS = (0.25, 0.5, 0.75, 1.0)  # of the way from the least-squares weights to 0
SIZE = 48  # cells of the objective along an axis


@dataclass(frozen=True, eq=False)
class PathSummary(Record):
    """A ridge or lasso path: its norm's `order` (2 or 1), and its errors at every step.

    `curve` has the errors at more penalties, for drawing, since the lasso has few knots. `variance`
    is that of the noise, for the prior. For two weights `fixed` holds ellipses of equal error at
    four levels, and `touching` one through the weights of every step; otherwise both are empty.
    """

    order: int
    measured: PenaltyCurve
    curve: PenaltyCurve
    variance: float
    fixed: Float[ndarray, "l t 2"]
    touching: Float[ndarray, "s t 2"]


@dataclass(frozen=True, eq=False)
class DescentSummary(Record):
    """A run of coordinate descent: the `exact` solution, and for two weights the objective.

    `surface` holds f over the values `first` and `second` of the two weights; all three are empty
    for more.
    """

    exact: Float[ndarray, " d"]
    first: Float[ndarray, " p"]
    second: Float[ndarray, " q"]
    surface: Float[ndarray, "q p"]


def path_summary(
    steps: Sequence[RidgeStep] | Sequence[LassoPathStep], data: PreparedTable
) -> PathSummary:
    """Measure a run of `ridge_path` or `lasso_path`."""
    sets = data.training, data.validation
    ridge = isinstance(steps[0], RidgeStep)
    measured = curve_of(steps, *sets, order=2 if ridge else 1)
    fixed = touching = np.empty((0, 0, 2))
    if len(data.names) == 2:
        through = np.outer(1 - np.array(LEVELS), measured.weights[-1])
        fixed = error_ellipses(*data.training, through)
        touching = error_ellipses(*data.training, measured.weights)
    return PathSummary(
        order=2 if ridge else 1,
        measured=measured,
        curve=measured if ridge else lasso_curve(steps, *sets),  # type: ignore
        variance=noise_variance(*data.training),
        fixed=fixed,
        touching=touching,
    )


def cancelling(
    X: Float[ndarray, "n d"], weights: Float[ndarray, " d"]
) -> tuple[int, int, float] | None:
    """Return which two terms w_j x_j cancel most, and the correlation of the two columns.

    None if there are no two that cancel at all.
    """
    terms = (X - X.mean(axis=0)) * weights
    products = np.triu(terms.T @ terms, 1)
    i, j = divmod(int(products.argmin()), len(weights))
    if products[i, j] >= 0:
        return None
    lengths = float(np.linalg.norm(terms[:, i]) * np.linalg.norm(terms[:, j]))
    return i, j, float(products[i, j] / lengths * np.sign(weights[i] * weights[j]))


def descent_summary(steps: Sequence[LassoStep], data: PreparedTable) -> DescentSummary:
    """Return the exact solution of a run of `lasso`, and f around the path of two weights."""
    X, y = data.training
    penalty = steps[0].penalty
    exact = weights_at(list(lasso_path(X, y)), np.array([penalty]))[0]
    if len(data.names) != 2:
        none = np.empty(0)
        return DescentSummary(exact, none, none, np.empty((0, 0)))
    path = np.array([*(step.weights for step in steps), exact])
    low, high = path.min(axis=0), path.max(axis=0)
    half = 0.65 * (float((high - low).max()) or 1.0)
    first, second = (np.linspace(m - half, m + half, SIZE) for m in (low + high) / 2)
    return DescentSummary(exact, first, second, lasso_objective(X, y, penalty, first, second))


def lasso_objective(
    X: Float[ndarray, "n 2"],
    y: Float[ndarray, " n"],
    penalty: float,
    first: Float[ndarray, " p"],
    second: Float[ndarray, " q"],
) -> Float[ndarray, "q p"]:
    """Return f for all pairs of two weights, each with the best b."""
    data = centred(X, y)
    u, v = first[None], second[:, None]
    (a, h), (_, c) = data.X.T @ data.X
    p, q = data.X.T @ data.y
    squares = a * u * u + 2 * h * u * v + c * v * v - 2 * (p * u + q * v) + data.y @ data.y
    return squares / 2 + penalty * (np.abs(u) + np.abs(v))
