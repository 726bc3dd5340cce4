"""Points that stand elsewhere from a step of a run on: what it would make of other data.

A run has a state (centres, weights, ...) after every step. With (at, rows, places) the steps before
`at` are those of the points as they are; from `at` on, the run goes on from the state it has with
the points of these rows at these places. Cost: O(n d), once.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate

PointsMoved = tuple[int, Int[ndarray, " m"], Float[ndarray, "m _"]]


def moved_points(
    X: Float[ndarray, "n d"], points_moved: PointsMoved, *, step: int | None = None
) -> tuple[int, Float[ndarray, "n d"]]:
    """Return the step, and the points as they are from there on.

    Raises ValueError unless it is 1 or more, and `step` if something else is done by hand in that
    one, the rows are different ones of `X`, and there is a finite place for each.
    """
    at, rows, places = points_moved
    at = validate.integer("points_moved[0]", at, 1)
    if step not in (None, at):
        raise ValueError(f"points_moved[0] must be the step of moved, {step}, got {at}")
    places = validate.points(places, name="points_moved[2]")
    rows = validate.integers(rows, len(places))
    n, d = X.shape
    if rows.min() < 0 or rows.max() >= n or len(np.unique(rows)) < len(rows):
        raise ValueError(f"points_moved[1] must be different rows from 0 to {n - 1}, got {rows}")
    if places.shape[1] != d:
        raise ValueError(f"points_moved[2] must have d={d} columns, got {places.shape[1]}")
    X = X.copy()
    X[rows] = places
    return at, X


def mapped(
    points_moved: PointsMoved,
    X: Float[ndarray, "n d"],
    features: Callable[[Float[ndarray, "m d"]], Float[ndarray, "m p"]],
) -> PointsMoved:
    """Return the same with the features of the places. Raises what `moved_points` raises."""
    at, there = moved_points(X, points_moved)
    rows = points_moved[1]
    return at, rows, features(there[rows])
