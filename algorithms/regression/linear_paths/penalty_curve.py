"""What a penalty does: the error on the training and on the held-out points, and the size of w.

    RMS = sqrt(mean of (y_i - w.x_i - b)^2)                   over either set of points
    ||w||_1 = sum |w_j| for the lasso,  ||w||_2 = sqrt(sum w_j^2) for ridge

The training error falls with the penalty. The held-out error is least somewhere in between, and
that penalty is the one to take.

Source: CS725 19.3, figures 30 and 31 (000:3116-3142).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core.record import Record
from algorithms.regression.linear_paths.lasso_path import LassoPathStep, weights_at

PLACES = 3000  # of all curves together

Points = tuple[Float[ndarray, "_ d"], Float[ndarray, " _"]]  # the two sets differ in size


@dataclass(frozen=True, eq=False)
class PenaltyCurve(Record):
    """A solution for every one of `penalties`, large to small: its size and its two errors.

    `validation` is empty where no points are held out.
    """

    penalties: Float[ndarray, " m"]
    weights: Float[ndarray, "m d"]
    norms: Float[ndarray, " m"]
    training: Float[ndarray, " m"]
    validation: Float[ndarray, " v"]

    @property
    def best(self) -> int | None:
        """Return the index of the penalty with the least held-out error; the larger in a tie."""
        return int(self.validation.argmin()) if len(self.validation) else None


def penalty_curve(
    penalties: Float[ndarray, " m"],
    weights: Float[ndarray, "m d"],
    training: Points,
    validation: Points,
    *,
    order: int,
) -> PenaltyCurve:
    """Measure given solutions, each with its best intercept on the training points.

    order : 1 or 2, which norm of the weights.
    """
    X, y = training
    intercepts = y.mean() - weights @ X.mean(axis=0)
    errors = [
        np.sqrt(np.square(target - (weights @ points.T + intercepts[:, None])).mean(axis=1))
        if len(target)
        else np.empty(0)
        for points, target in (training, validation)
    ]
    norms = np.linalg.norm(weights, order, axis=1)
    return PenaltyCurve(penalties, weights, norms, *errors)


def curve_of(
    steps: Sequence[Any], training: Points, validation: Points, *, order: int
) -> PenaltyCurve:
    """Measure the steps of a run."""
    penalties = np.array([step.penalty for step in steps])
    weights = np.array([step.weights for step in steps])
    return penalty_curve(penalties, weights, training, validation, order=order)


def lasso_curve(
    path: Sequence[LassoPathStep], training: Points, validation: Points, *, count: int = 120
) -> PenaltyCurve:
    """Measure a lasso path at the penalties of `lasso_penalties`."""
    penalties = lasso_penalties(path, count)
    weights = weights_at(path, penalties)
    return penalty_curve(penalties, weights, training, validation, order=1)


def lasso_penalties(path: Sequence[LassoPathStep], count: int = 120) -> Float[ndarray, " m"]:
    """Return `count` penalties, large to small, evenly spaced on a log scale, and the knots.

    They end at half of the smallest knot above 0, but span at least two and at most six powers of
    ten. Some are left out if all curves together would have more than 3000 places.
    """
    knots = np.array([step.penalty for step in path if step.event])
    top = float(knots[0]) or 1.0
    least = float(knots[knots > 0].min(initial=top))
    floor = min(max(least / 2, 1e-6 * top), 1e-2 * top)
    penalties = np.append(np.geomspace(top, floor, count), knots[knots > floor])
    penalties = np.unique(penalties)[::-1]
    most = PLACES // len(path[0].weights)
    if len(penalties) > most:
        penalties = penalties[np.linspace(0, len(penalties) - 1, most).round().astype(int)]
    return penalties
