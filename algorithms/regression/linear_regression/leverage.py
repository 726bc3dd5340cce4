"""Leverage: how far a point pulls the least squares line towards itself.

Model: y = w.x + b. With A the matrix of rows (x_i, 1), the fitted values are a projection of y:

    fit = H y,   H = A (A^T A)^-1 A^T            leverage  h_i = H_ii,  sum_i h_i = rank of A

for one feature, with S_xx = sum_i (x_i - mean x)²,

    h_i = 1/n + (x_i - mean x)² / S_xx

Raise y_i alone by δ, and the line follows the point by the share h_i of the way:

    fit_i <- fit_i + h_i δ       w <- w + δ (x_i - mean x) / S_xx       mean fit <- mean fit + δ / n

The leverage depends on x only, not on y: it grows with the distance from the mean of x.

Cost: O(n d²) once, and O(d) for every height.

Source: CS337 (003:150-230) for the projection; Hoaglin and Welsch 1978 for the leverage.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import frozen
from algorithms.core.scaling import by_largest
from algorithms.regression.linear_model import LinearModel
from algorithms.regression.linear_regression.linear_regression import solve

HEIGHTS = 41  # of a point that is pulled
ENDS = {"left": 0.0, "middle": 0.5, "right": 1.0}


def pull_point(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"], point: int, heights: Float[ndarray, " m"]
) -> Iterator["LeverageStep"]:
    """Move the point of index `point` to each of the heights, and to its own, from low to high.

    Raises ValueError, at the call, unless X is finite, y holds n finite numbers, all heights are
    finite and 0 <= point < n.
    """
    X = validate.points(X)
    y = validate.targets(y, len(X))
    point = validate.integer("point", point, 0, len(X) - 1)
    validate.within(heights, name="heights")
    return _pull(X, y, point, np.unique([*heights, y[point]]))


def pull_end(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"], end: str, *, low: float, high: float
) -> Iterator["LeverageStep"]:
    """Move the point at an `end` of x, "left", "middle" or "right", from `low` to `high`.

    Raises ValueError, at the call, unless all is finite and the end is one of the three.
    """
    point = point_at(validate.points(X)[:, 0], end)
    return pull_point(X, y, point, np.linspace(low, high, HEIGHTS))


def point_at(x: Float[ndarray, " n"], end: str) -> int:
    """Return the index of the point at the "left" or the "right" end of x, or in the "middle"."""
    place = validate.choice("end", end, tuple(ENDS))
    return int(x.argsort(kind="stable")[round(ENDS[place] * (len(x) - 1))])


def _pull(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"], point: int, heights: Float[ndarray, " m"]
) -> Iterator["LeverageStep"]:
    weights, intercept, _ = solve(X, y)
    only = np.zeros(len(y))
    only[point] = 1.0
    slope, level, _ = solve(X, only)  # what a lift by 1 adds: the fit is linear in y
    h = frozen(leverages(X))
    for height in heights.tolist():
        lifted = height - float(y[point])
        yield LeverageStep(
            weights=weights + lifted * slope,
            intercept=intercept + lifted * level,
            height=height,
            lifted=lifted,
            leverages=h,
            event="where it was" if lifted == 0 else None,
        )


def leverages(X: Float[ndarray, "n d"]) -> Float[ndarray, " n"]:
    """Return h_i of every row of `X`, for a model with an intercept."""
    offsets, _ = by_largest(X)
    U, s, _ = np.linalg.svd(offsets, full_matrices=False)
    U = U[:, s > 1e-12 * s.max(initial=0)]
    return 1 / len(X) + (U * U).sum(axis=1)  # H = 1/n + U U^T, of offsets from the mean


@dataclass(frozen=True, eq=False)
class LeverageStep(LinearModel):
    """The least squares line with one point moved to `height`, by `lifted` from where it was.

    `leverages` holds h_i of every point; they are the same at every step.

    Event: "where it was" (lifted is 0).
    """

    height: float
    lifted: float
    leverages: Float[ndarray, " n"]
    event: Literal["where it was"] | None = None
