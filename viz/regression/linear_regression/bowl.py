"""The squared error over slope and intercept: a bowl in contours, and the way down into it."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.regression.linear_regression.gradient_descent import GradientDescentStep
from algorithms.regression.linear_regression.squared_loss import SquaredLoss
from viz.core import curves, plane
from viz.core.scene import Bounds, Figure
from viz.core.theme import PALETTE
from viz.regression.linear_regression.marks import parameters, within

TRAIL = 100  # places along the path at most
_LEVELS = 11  # contours


def ground(loss: SquaredLoss, window: Bounds) -> Figure:
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
    thin = {"width": 1, "color": "rgba(0, 114, 178, 0.6)"}
    traces.append(plane.line(plane.joined(contours), line=thin))
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
    return {"data": traces, "layout": layout}


def way_down(ground: Figure, path: ndarray, now: int) -> Figure:
    """Draw the path down to now into the bowl. path : the (steps, 2) parameters of all steps.

    Of a path of more than 100 places it shows 100, evenly chosen.
    """
    at = np.unique(np.linspace(0, now, min(now + 1, TRAIL)).round().astype(int))
    here = path[now]
    traces = [
        plane.line(path[at], mode="lines+markers", line={"width": 2}, marker={"size": 4}),
        curves.marked(float(here[0]), float(here[1])),
    ]
    return ground | {"data": ground["data"] + traces}


def path_over(steps: Sequence[GradientDescentStep], window: Bounds) -> ndarray:
    """Return the (steps, 2) parameters of all steps, those far outside the window at its rim."""
    return within(np.array([parameters(step) for step in steps]), window)


def window(loss: SquaredLoss, steps: Sequence[GradientDescentStep]) -> Bounds:
    """Choose the part of the bowl to show: the minimum, and the low part of the path."""
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
