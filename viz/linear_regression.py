"""Pictures of linear regression: gradient descent and the closed form."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy import ndarray

from algorithms.features import PolynomialFeatures
from algorithms.gradient_descent import GradientDescentStep
from algorithms.linear_regression import ProjectionStep
from algorithms.squared_loss import SquaredLoss
from viz import curves, plane
from viz.regression_lines import (
    BEST,
    FAINT,
    NOWHERE,
    Views,
    arrow,
    fit_line,
    most_points,
    parameters,
    spread,
    sticks,
    text,
    within,
)
from viz.theme import PALETTE

_TRAIL = 100  # places along the path over the bowl
_LEVELS = 11  # contours of the bowl
_PALE = "rgba(213, 94, 0, 0.16)"


class Scene(NamedTuple):
    """What the views of gradient descent draw from.

    units : the map from the data to the numbers that the steps are about, both columns.
    """

    X: ndarray
    labels: ndarray
    units: PolynomialFeatures
    steps: Sequence[GradientDescentStep]
    loss: SquaredLoss


def descent_views(scene: Scene, bounds: plane.Bounds, names: tuple[str, str]) -> Views:
    """Give the views of gradient descent."""
    window = bowl_window(scene.loss, scene.steps)
    return {
        "The line, and the best one (dashed)": partial(
            descent_picture, scene, bounds=bounds, names=names
        ),
        "The bowl: f over slope and intercept, and the way down": partial(bowl, scene, window),
        "How far f is above its minimum f*": partial(heights, scene.steps),
    }


def fit_views(
    X: ndarray,
    labels: ndarray,
    steps: Sequence[ProjectionStep],
    bounds: plane.Bounds,
    names: tuple[str, str],
) -> Views:
    """Give the views of the closed form."""
    return {
        "The line and the squares of its residuals": partial(
            fit_picture, X, labels, steps, bounds=bounds, names=names
        ),
        "The projection, with true angles and lengths": partial(projection, steps),
        "Residuals against x: first the level goes, then the tilt": partial(
            residuals, X, steps, bounds
        ),
    }


def descent_picture(
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


def bowl(scene: Scene, window: plane.Bounds, now: int) -> dict:
    """Draw the loss over slope and intercept, as exact contours, and the path down to now.

    A cross marks the minimum. Every contour has half the height above it of the next one out.
    """
    steps, loss = scene.steps, scene.loss
    left, right, bottom, top = window
    corners = [(w, b) for w in (left, right) for b in (bottom, top)]
    height = 4 * max(loss.excess(np.array(corner)) for corner in corners)
    at = np.unique(np.linspace(0, now, min(now + 1, _TRAIL)).round().astype(int))
    path = within(np.array([parameters(steps[i]) for i in at]), window)
    traces = [
        plane.line(
            loss.contour(height / 2**k),
            fill="toself",
            fillcolor="rgba(0, 114, 178, 0.07)",
            line={"width": 1, "color": "rgba(0, 114, 178, 0.6)"},
        )
        for k in range(_LEVELS)
    ]
    best = {"symbol": "x-thin", "size": 12, "line": {"width": 3, "color": PALETTE[0]}}
    here = path[-1]
    traces += [
        plane.line(loss.minimum[None], mode="markers", marker=best),
        plane.line(path, mode="lines+markers", line={"width": 2}, marker={"size": 4}),
        curves.marked(float(here[0]), float(here[1])),
    ]
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


def fit_picture(
    X: ndarray,
    labels: ndarray,
    steps: Sequence[ProjectionStep],
    now: int,
    *,
    bounds: plane.Bounds,
    names: tuple[str, str] = ("x", "y"),
) -> dict:
    """Draw the line so far, the squares of the residuals, and the mean of the points, a cross."""
    line = parameters(steps[now])
    shown = X[spread(X, most_points(steps, 12))]
    cross = {"symbol": "x-thin", "size": 16, "line": {"width": 3}}
    center = X.mean(axis=0)[None] if now > 0 else NOWHERE
    traces = [
        _squares(shown, line, bounds),
        sticks(shown, line, bounds),
        plane.points(X, labels),
        fit_line(parameters(steps[max(now - 1, 0)]), bounds, line={"width": 2, "color": FAINT}),
        fit_line(line, bounds, line={"width": 3}),
        plane.line(center, mode="markers", marker=cross),
    ]
    return plane.figure(traces, bounds, names)


def projection(steps: Sequence[ProjectionStep], now: int) -> dict:
    """Draw the right triangle of this step, with its lengths: what it splits the residual into.

    The picture is exact but for its size: it is the plane, in the space with an axis for every
    point, of the residual before and the direction the step projects it on.
    """
    step = steps[max(now, 1)]
    size = step.before or 1.0
    corner, tip = np.array([step.part, 0.0]) / size, np.array([step.part, step.residual]) / size
    whole, part, rest = ("y", "ȳ", "y − ȳ") if now < 2 else ("y − ȳ", "ŷ − ȳ", "y − ŷ")
    space = "multiples of (1, …, 1)" if now < 2 else "multiples of x − x̄"
    done, mark = now > 0, 0.06 * np.array([[-1.0, 0], [-1, 1], [0, 1]])
    angle = corner + mark if done and step.part > 0 and step.residual > 0 else NOWHERE
    shown = 0.0 if done else np.nan  # before the first projection there is only y
    traces = [
        plane.line(np.array([[-0.3, 0], [1.2, 0]]), line={"width": 6, "color": "#9AA3AD"}),
        plane.line(angle, line={"width": 1.5}),
        arrow(np.zeros(2), tip, None),
        arrow(np.zeros(2), corner + shown, PALETTE[0]),
        arrow(corner, tip + shown, PALETTE[1]),
        text(tip / 2, f"‖{whole}‖ = {step.before:.4g} ", "top left", None),
        text(corner / 2 + [shown, -0.04], f"‖{part}‖ = {step.part:.4g}", "bottom center",
              PALETTE[0]),
        text((corner + tip) / 2 + shown, f" ‖{rest}‖ = {step.residual:.4g}", "middle right",
              PALETTE[1]),
        text(np.array([1.2, 0.0]), f" {space}", "middle right", FAINT),
    ]  # fmt: skip
    hidden = {"visible": False, "showgrid": False}
    layout = curves.panel_layout(
        xaxis={"range": [-0.6, 1.9], **hidden},
        yaxis={"range": [-0.2, max(float(tip[1]) + 0.06, 0.4)], "scaleanchor": "x", **hidden},
    )
    layout["margin"] = {"l": 8, "r": 8, "t": 6, "b": 6}
    return {"data": traces, "layout": layout}


def residuals(X: ndarray, steps: Sequence[ProjectionStep], bounds: plane.Bounds, now: int) -> dict:
    """Draw the residuals against x, and their level and tilt: both go, one in each step."""
    shown = X[spread(X, most_points(steps, 2))]
    line, best = parameters(steps[now]), parameters(steps[-1])
    left = shown[:, 1] - (line[0] * shown[:, 0] + line[1])
    every = [shown[:, 1] - (w * shown[:, 0] + b) for w, b in map(parameters, steps)]
    most = 1.1 * float(np.abs(every).max()) or 1.0
    trend = (best[0] - line[0], best[1] - line[1]) if now else (0.0, float(X[:, 1].mean()))
    ends = np.array(bounds[:2])
    traces = [
        plane.line(np.stack([ends, [0.0, 0.0]], axis=1), line={"width": 1, "color": FAINT}),
        plane.line(
            np.stack([ends, trend[0] * ends + trend[1]], axis=1),
            line={"width": 3, "color": PALETTE[0]},
        ),
        plane.line(
            np.stack([shown[:, 0], left], axis=1),
            mode="markers",
            marker={"size": 6, "color": PALETTE[1]},
        ),
    ]
    layout = curves.panel_layout(
        xaxis={"range": list(bounds[:2]), "nticks": 8},
        yaxis={"range": [-most, most], "title": {"text": "residual"}, "nticks": 6},
    )
    return {"data": traces, "layout": layout}


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


def _squares(X: ndarray, line: tuple[float, float], bounds: plane.Bounds) -> dict:
    """Draw the square of every residual, beside it on the side away from the line."""
    left, right, bottom, top = bounds
    x, y = X.T
    fit = line[0] * x + line[1]
    side = np.abs(y - fit) * (right - left) / (top - bottom)
    near = np.where((y - fit) * line[0] > 0, x - side, x)
    low, high = np.minimum(y, fit), np.maximum(y, fit)
    gap = np.full_like(x, np.nan)
    # All of them the same way round, or overlaps would be holes.
    across = np.stack([near, near + side, near + side, near, near, gap], axis=1)
    up = np.stack([low, low, high, high, low, gap], axis=1)
    path = np.stack([across.ravel(), up.ravel()], axis=1)
    return plane.line(
        path, fill="toself", fillcolor=_PALE, line={"width": 0.5, "color": PALETTE[1]}
    )
