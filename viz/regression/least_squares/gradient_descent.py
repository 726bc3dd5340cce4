"""Pictures of gradient descent on the squared loss of a line."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy import ndarray

from algorithms.core.features import PolynomialFeatures
from algorithms.regression.least_squares.gradient_descent import GradientDescentStep
from algorithms.regression.least_squares.squared_loss import SquaredLoss
from viz.core import curves, plane
from viz.core.theme import PALETTE
from viz.regression.least_squares.regression_lines import (
    BEST,
    FAINT,
    NOWHERE,
    Views,
    fit_line,
    most_points,
    parameters,
    spread,
    sticks,
    within,
)

_TRAIL = 100  # places along the path over the bowl
_LEVELS = 11  # contours of the bowl


class Scene(NamedTuple):
    """What the views of gradient descent draw from.

    units : the map from the data to the numbers that the steps are about, both columns.
    """

    X: ndarray
    labels: ndarray
    units: PolynomialFeatures
    steps: Sequence[GradientDescentStep]
    loss: SquaredLoss


def views(scene: Scene, bounds: plane.Bounds, names: tuple[str, str]) -> Views:
    """Give the views of gradient descent."""
    window = bowl_window(scene.loss, scene.steps)
    path = within(np.array([parameters(step) for step in scene.steps]), window)
    return {
        "The line, and the best one (dashed)": partial(picture, scene, bounds=bounds, names=names),
        "The bowl: f over slope and intercept, and the way down": partial(
            way_down, bowl(scene.loss, window), path
        ),
        "How far f is above its minimum f*": partial(heights, scene.steps),
    }


def picture(
    scene: Scene, now: int, *, bounds: plane.Bounds, names: tuple[str, str] = ("x", "y")
) -> dict:
    """Draw the line, paler the one before, dashed the best one, and residuals.

    With all points in a step the residuals are those of the line; with a mini-batch they are those
    it was moved by, of the line before, and their points have a ring.
    """
    X, labels, units, steps, loss = scene
    step, before = steps[now], steps[max(now - 1, 0)]
    slope, level = in_data(units, *parameters(step))
    batch = step.batch
    if len(batch):
        shown, line = X[batch[: most_points(steps, 3)]], in_data(units, *parameters(before))
    else:
        shown, line = X[spread(X, most_points(steps, 3))], (slope, level)
    traces = [
        sticks(shown, line, bounds),
        plane.points(X, labels),
        fit_line(in_data(units, *loss.minimum), bounds, line=BEST),
        fit_line(in_data(units, *parameters(before)), bounds, line={"width": 2, "color": FAINT}),
        fit_line((slope, level), bounds, line={"width": 3}),
        plane.rings(X[batch] if 0 < len(batch) <= 64 else NOWHERE),
    ]
    return plane.figure(traces, bounds, names)


def bowl(loss: SquaredLoss, window: plane.Bounds) -> dict:
    """Draw the loss over slope and intercept, as exact contours, and a cross at the minimum.

    Every contour has half the height above it of the next one out.
    """
    left, right, bottom, top = window
    corners = [(w, b) for w in (left, right) for b in (bottom, top)]
    height = 4 * max(loss.excess(np.array(corner)) for corner in corners)
    contours = [loss.contour(height / 2**k) for k in range(_LEVELS)]
    # Plotly's time goes with the number of traces: every third contour is filled.
    traces = [
        plane.line(path, fill="toself", fillcolor="rgba(0, 114, 178, 0.18)", line={"width": 0})
        for path in contours[::3]
    ]
    lines = np.concatenate([part for path in contours for part in (path, NOWHERE)])
    traces.append(plane.line(lines, line={"width": 1, "color": "rgba(0, 114, 178, 0.6)"}))
    best = {"symbol": "x-thin", "size": 12, "line": {"width": 3, "color": PALETTE[0]}}
    traces.append(plane.line(loss.minimum[None], mode="markers", marker=best))
    wide, high = right - left, top - bottom
    layout = curves.panel_layout(
        xaxis={"title": {"text": "slope w", "standoff": 2}, "range": [left, right], "nticks": 8},
        # At one scale, so that the steps of the plain rule are at right angles to the contours.
        yaxis={
            "title": {"text": "intercept b"},
            "range": [bottom, top],
            "nticks": 6,
            "scaleanchor": "x" if wide < 8 * high and high < 4 * wide else False,
        },
    )
    layout["margin"] = {**layout["margin"], "b": 40}
    return {"data": traces, "layout": layout}


def way_down(bowl: dict, path: ndarray, now: int) -> dict:
    """Draw the path down to now into the `bowl`. path : the (steps, 2) parameters of all steps."""
    at = np.unique(np.linspace(0, now, min(now + 1, _TRAIL)).round().astype(int))
    here = path[now]
    traces = [
        plane.line(path[at], mode="lines+markers", line={"width": 2}, marker={"size": 4}),
        curves.marked(float(here[0]), float(here[1])),
    ]
    return bowl | {"data": bowl["data"] + traces}


def bowl_window(loss: SquaredLoss, steps: Sequence[GradientDescentStep]) -> plane.Bounds:
    """Choose the stretch of the bowl to show: the minimum, and the path as long as it is low."""
    height = max(2 * steps[0].excess, 1e-9 * (1 + steps[0].loss))
    low = [parameters(step) for step in steps if step.excess <= height]
    path = np.array([loss.minimum, *low, parameters(steps[0])])
    least, most = path.min(axis=0), path.max(axis=0)
    # At least a part of the width that the bowl has along each axis at the height of the start.
    across = np.sqrt(np.maximum(loss.axes**2 @ loss.curvatures, 1e-200))
    width = np.sqrt(2 * (steps[0].excess or loss.floor or 1.0)) / across
    half = np.maximum(0.65 * (most - least), 0.2 * width)
    (left, bottom), (right, top) = (least + most) / 2 - half, (least + most) / 2 + half
    return float(left), float(right), float(bottom), float(top)


def heights(steps: Sequence[GradientDescentStep], now: int) -> dict:
    """Draw how far the loss is above the minimum, at every step."""
    return curves.history({"f − f*": [step.excess for step in steps]}, now, log=["f − f*"])


def like_the_presets(X: ndarray) -> bool:
    """Whether the points lie within about ±10, as presets do: then w, b and good rates are near 1.

    Of data like that the bowl is worth seeing as it is; other data are standardised unless asked.
    """
    return len(X) < 2 or bool(np.abs(X).max() < 10 and np.ptp(X, axis=0).min() > 0.5)


def falling(bounds: plane.Bounds) -> ndarray:
    """Give two places on a falling line, to be dragged elsewhere."""
    left, right, bottom, top = bounds
    low, high = np.array([left, bottom]), np.array([right, top])
    return low + (high - low) * [[0.1, 0.6], [0.9, 0.4]]


def in_data(units: PolynomialFeatures, w: float, b: float) -> tuple[float, float]:
    """Give the slope and the intercept in the units of the data."""
    (cx, cy), (sx, sy) = units.center + units.mean * units.spread, units.spread * units.scale
    slope = w * sy / sx
    return float(slope), float(cy + sy * b - slope * cx)
