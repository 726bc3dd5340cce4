"""Lines on a picture: gradient descent in standard units, and one point pulled up and down.

The points of a plane have x to predict from and y to predict. For gradient descent from a line
drawn by hand both are in standard units,

    u = (x - mean x) / standard deviation of x        v = (y - mean y) / standard deviation of y

the bowl of the squared error is round, so that one learning rate suits any data; what is learned
is v = w u + b. A line through two places of the plane is a line through the two in these units.

Source: CS337 (003:358-460).
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.features import polynomial_features
from algorithms.core.moved_points import PointsMoved, mapped
from algorithms.regression.least_squares.gradient_descent import (
    GradientDescentStep,
    gradient_descent,
)
from algorithms.regression.least_squares.leverage import LeverageStep, pull_point
from algorithms.regression.least_squares.optimizers import Rule

HEIGHTS = 41  # of a point that is pulled
ENDS = {"left": 0.0, "middle": 0.5, "right": 1.0}


def descend_on_plane(
    plane: Float[ndarray, "n 2"],
    rule: Rule,
    *,
    rng: Generator,
    standardize: bool = True,
    places: Float[ndarray, "2 2"] | None = None,
    points_moved: PointsMoved | None = None,
    **how: Any,
) -> Iterator[GradientDescentStep]:
    """Run `gradient_descent` on the two columns of `plane`, in standard units if wanted.

    It starts at the line through two `places` of the plane, or at w = b = 0 without them.
    `points_moved` (moved_points.py) has places of the plane, too; the units stay as they were. The
    rest of the parameters, `how`, are those of `gradient_descent`.

    Raises ValueError, at the call, unless the plane and the places are finite and the places not
    above each other; and what `gradient_descent` raises.
    """
    units = polynomial_features(plane, 1, standardize=standardize)
    x, y = units(plane).T
    start = None if places is None else line_through(units(places))
    if points_moved is not None:
        how["points_moved"] = mapped(points_moved, plane, units)
    return gradient_descent(x[:, None], y, rule, rng=rng, start=start, **how)


def pull_on_plane(
    plane: Float[ndarray, "n 2"], end: str, *, low: float, high: float
) -> Iterator[LeverageStep]:
    """Pull the point at an `end` of x, "left", "middle" or "right", from `low` to `high`.

    Raises ValueError, at the call, unless the plane is finite and the end is one of the three.
    """
    point = point_at(plane, end)
    return pull_point(plane[:, :1], plane[:, 1], point, np.linspace(low, high, HEIGHTS))


def point_at(plane: Float[ndarray, "n 2"], end: str) -> int:
    """Return the number of the point at the "left" or the "right" end of x, or in the "middle"."""
    place = validate.choice("end", end, tuple(ENDS))
    order = validate.points(plane, name="plane")[:, 0].argsort(kind="stable")
    return int(order[round(ENDS[place] * (len(order) - 1))])


def line_through(places: Float[ndarray, "2 2"]) -> Float[ndarray, " 2"]:
    """Return (w, b) of the line through two places. Raises ValueError if it would be upright."""
    (x1, y1), (x2, y2) = validate.points(places, name="places").tolist()
    if x1 == x2:
        raise ValueError(
            "The two places are exactly above each other: no line y = w x + b goes through both."
        )
    w = (y2 - y1) / (x2 - x1)
    return np.array([w, y1 - w * x1])


def near_one(plane: Float[ndarray, "n 2"]) -> bool:
    """Whether the points lie within about ±10: then w, b and good learning rates are near 1.

    Of such data, as most presets have it, the bowl is worth seeing as it is; others are better
    standardised.
    """
    return len(plane) < 2 or bool(np.abs(plane).max() < 10 and np.ptp(plane, axis=0).min() > 0.5)
