"""Gradient descent of a line on the picture, from a line drawn by hand, and from a step of a run.

The points of a plane have x to predict from and y to predict. In standard units of both
(core/pipeline.py) the bowl of the squared error is round, so that one learning rate suits any data.
The model learned is v = w u + b, with u and v in these units. A line through two places of the
plane stays a line through both in these units.

Source: CS337 (003:358-460).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.iterate import resumed
from algorithms.core.optimizers import Rule
from algorithms.core.pipeline import plane_units
from algorithms.regression.linear_regression._endings import named
from algorithms.regression.linear_regression._problem import drawn_batches, problem_of
from algorithms.regression.linear_regression.gradient_descent import (
    MAX_ITER,
    TOL,
    GradientDescentStep,
    advance,
    gradient_descent,
)
from algorithms.regression.linear_regression.squared_loss import squared_loss


def descend_on_plane(
    plane: Float[ndarray, "n 2"],
    rule: Rule,
    *,
    rng: Generator,
    standardize: bool = True,
    places: Float[ndarray, "2 2"] | None = None,
    **how: Any,
) -> Iterator[GradientDescentStep]:
    """Run `gradient_descent` on the two columns of `plane`, in standard units if wanted.

    It starts at the line through two `places` of the plane, or at w = b = 0 without them. The rest
    of the parameters, `how`, are those of `gradient_descent`.

    Raises ValueError, at the call, unless the plane and the places are finite and the places not
    above each other; and what `gradient_descent` raises.
    """
    units = plane_units(plane, standardize=standardize)
    x, y = units(plane).T
    start = None if places is None else line_through(units(places))
    return gradient_descent(x[:, None], y, rule, rng=rng, start=start, **how)


def resumed_on_plane(
    steps: Sequence[GradientDescentStep],
    at: int,
    plane: Float[ndarray, "n 2"],
    moved: Float[ndarray, "n 2"],
    rule: Rule,
    *,
    rng: Generator,
    standardize: bool = True,
    batch: int | None = None,
    max_iter: int = MAX_ITER,
) -> Iterator[GradientDescentStep]:
    """Yield the steps before `at` as they were, then go on by another rule or with other points.

    `steps` are those of `descend_on_plane` on `plane`, with the same units, batches and max_iter;
    from update `at` on the points are where `moved` has them, in the same units. What counts as
    converged and as diverged stays as it was.

    Raises ValueError, at the call, unless 1 <= at <= len(steps) and everything is finite.
    """
    units = plane_units(plane, standardize=standardize)
    x, y = units(plane).T
    u, v = units(validate.points(moved, name="moved")).T
    batches = drawn_batches(len(y), batch, max_iter, rng)
    was = problem_of(squared_loss(x[:, None], y), rule, batches, steps[0].theta, TOL)
    problem = replace(was, bowl=squared_loss(u[:, None], v))

    def change(step: GradientDescentStep) -> GradientDescentStep:
        loss, excess, slope = problem.look(step.theta)  # of the points as they are from here on
        return advance(problem, replace(step, loss=loss, excess=excess, slope=slope))

    most = max(max_iter - at, 0)
    return named(resumed(steps, at, change, partial(advance, problem), most=most), max_iter)


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
    """Return whether the points are within about ±10: then w, b and good rates are near 1.

    Most presets have such data, and their bowl can be shown as it is. Other data are better
    standardised.
    """
    return len(plane) < 2 or bool(np.abs(plane).max() < 10 and np.ptp(plane, axis=0).min() > 0.5)
