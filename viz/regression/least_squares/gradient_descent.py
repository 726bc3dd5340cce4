"""Pictures of gradient descent on the squared loss of a line."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.core.features import PolynomialFeatures
from algorithms.regression.least_squares.gradient_descent import GradientDescentStep
from algorithms.regression.least_squares.squared_loss import SquaredLoss
from viz.core import curves, plane, what_if
from viz.core.scene import Bounds, Figure, Plane
from viz.core.theme import GREY, PALETTE
from viz.core.what_if import FAINT, LOOK
from viz.regression.least_squares.regression_lines import (
    BEST,
    RESIDUALS,
    SQUARES,
    fit_line,
    parameters,
    reading,
    spread,
    squares,
    sticks,
    within,
)

_TRAIL = 100  # places along the path over the bowl
_LEVELS = 11  # contours of the bowl
_RINGED = 64  # points of a batch at most


@dataclass(frozen=True, eq=False)
class Descent:
    """What the views of gradient descent draw from.

    query : the x at which the line is read off. units : the map from the data to the numbers that
    the steps are about, both columns.
    """

    data: Plane
    query: float
    units: PolynomialFeatures
    steps: Sequence[GradientDescentStep]
    loss: SquaredLoss

    @cached_property
    def points(self) -> dict:
        """The data points, the same at every step."""
        return plane.points(self.data.X, self.data.labels)

    @cached_property
    def best(self) -> dict:
        """The line of least error."""
        return fit_line(in_data(self.units, *self.loss.minimum), self.data.bounds, line=BEST)

    def line(self, now: int) -> tuple[float, float]:
        """Give slope and intercept after so many updates, in the units of the data."""
        return in_data(self.units, *parameters(self.steps[now]))


def picture(descent: Descent, now: int) -> Figure:
    """Draw the line, paler the one before, dashed the best one, residuals, and what is read off.

    With all points in a step the residuals are those of the line; with a mini-batch they are those
    it was moved by, of the line before, and their points have a ring. They are of 200 points at
    most, their squares of 12.
    """
    X, bounds, batch = descent.data.X, descent.data.bounds, descent.steps[now].batch
    line, before = descent.line(now), descent.line(max(now - 1, 0))
    some = len(batch) > 0
    seen = X[batch] if some else X
    judged = before if some else line
    traces = [
        squares(seen[spread(seen[:, 0], SQUARES)], judged, bounds),
        sticks(seen[spread(seen[:, 0], RESIDUALS)], judged, bounds),
        descent.best,
        fit_line(before, bounds, line={"width": 2, "color": GREY}),
        plane.found(plane.CURVE, fit_line(line, bounds, line={"width": 3})),
        plane.rings(X[batch] if 0 < len(batch) <= _RINGED else plane.GAP),
        reading(descent.query, line, bounds),
    ]
    return plane.figure(traces, bounds, descent.data.names, points=descent.points)


def ghost(descent: Descent, path: ndarray, since: int, now: int) -> tuple[list[dict], ...]:
    """Draw the line at a step, and the way over the bowl from before another one to the end."""
    line = fit_line(descent.line(now), descent.data.bounds, line=LOOK)
    at = np.unique(np.linspace(since - 1, len(path) - 1, _TRAIL).round().astype(int))
    above = [step.excess for step in descent.steps]
    return [line | {"opacity": FAINT}], [what_if.path(path[at])], [what_if.curve(above, since)]


def bowl(loss: SquaredLoss, window: Bounds) -> Figure:
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
    layout["margin"] = {**layout["margin"], "b": 40}
    return {"data": traces, "layout": layout}


def way_down(bowl: Figure, path: ndarray, now: int) -> Figure:
    """Draw the path down to now into the `bowl`. path : the (steps, 2) parameters of all steps.

    Of a path of more than 100 places it shows 100, evenly chosen.
    """
    at = np.unique(np.linspace(0, now, min(now + 1, _TRAIL)).round().astype(int))
    here = path[now]
    traces = [
        plane.line(path[at], mode="lines+markers", line={"width": 2}, marker={"size": 4}),
        curves.marked(float(here[0]), float(here[1])),
    ]
    return bowl | {"data": bowl["data"] + traces}


def path_over(descent: Descent, window: Bounds) -> ndarray:
    """Give the (steps, 2) parameters of all steps, those far outside the window at its rim."""
    return within(np.array([parameters(step) for step in descent.steps]), window)


def bowl_window(loss: SquaredLoss, steps: Sequence[GradientDescentStep]) -> Bounds:
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


def in_data(units: PolynomialFeatures, w: float, b: float) -> tuple[float, float]:
    """Give the slope and the intercept in the units of the data."""
    (cx, cy), (sx, sy) = units.center + units.mean * units.spread, units.spread * units.scale
    slope = w * sy / sx
    return float(slope), float(cy + sy * b - slope * cx)
