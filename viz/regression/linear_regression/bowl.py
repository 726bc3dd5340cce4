"""The squared error over slope and intercept: a bowl in contours, and the way down into it."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.regression.linear_regression.gradient_descent import GradientDescentStep
from algorithms.regression.linear_regression.squared_loss import SquaredLoss
from viz.core import curves, graph, plane
from viz.core.scene import Bounds, Figure
from viz.core.theme import PALETTE
from viz.core.words import number
from viz.regression.linear_regression.marks import parameters, within

TRAIL = 100  # places along the path at most
_LEVELS = 11  # contours
_LOW, _UP = 2, 50  # times the height of the start: shown of a way down, and of a way up the walls
_SHAPE = 1.35  # of the view, its width by its height
_OUT = {"size": 15, "color": PALETTE[1], "shadow": "auto"}


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
            "scaleanchor": "x" if _at_one_scale(wide, high) else False,
        },
    )
    return {"data": traces, "layout": layout}


def way_down(ground: Figure, path: ndarray, now: int, outside: dict) -> Figure:
    """Draw the path down to now into the bowl. path : the (steps, 2) parameters of all steps.

    Of a path of more than 100 places it shows 100, evenly chosen. outside : see there.
    """
    at = np.unique(np.linspace(0, now, min(now + 1, TRAIL)).round().astype(int))
    here, (*contours, best) = path[now], ground["data"]
    traces = [
        plane.line(path[at], mode="lines+markers", line={"width": 2}, marker={"size": 4}),
        best,  # on the path, or a run that jumps to and fro would hide it
        outside,
        curves.marked(float(here[0]), float(here[1])),
    ]
    return ground | {"data": contours + traces}


def _at_one_scale(wide: float, high: float) -> bool:
    return bool(wide < 8 * high and high < 4 * wide)


def outside(here: ndarray, window: Bounds) -> dict:
    """Write at the rim of the window, with an arrow, where a place outside it is."""
    left, right, bottom, top = window
    w, b = here.tolist()
    wide, high = right - left, top - bottom
    slope, intercept = f"w = {number(w)}", f"b = {number(b)}"
    rims = (  # how far beyond, as a share of the window; the words, their place, and side of it
        ((left - w) / wide, f"← {slope}", (0.02, 0.06), "middle right"),
        ((w - right) / wide, f"{slope} →", (0.98, 0.06), "middle left"),
        ((bottom - b) / high, f"↓ {intercept}", (0.5, 0.06), "middle center"),
        ((b - top) / high, f"↑ {intercept}", (0.5, 0.94), "middle center"),
    )
    beyond, text, (across, up), side = max(rims)
    place = np.array([[left + across * wide, bottom + up * high]])
    if beyond <= 0:
        place, text = plane.GAP, ""
    return graph.texts(place, [text], textposition=side, textfont=_OUT)


def path_over(steps: Sequence[GradientDescentStep], window: Bounds) -> ndarray:
    """Return the (steps, 2) parameters of all steps, those far outside the window at its rim."""
    return within(np.array([parameters(step) for step in steps]), window)


def window(loss: SquaredLoss, steps: Sequence[GradientDescentStep]) -> Bounds:
    """Choose the part of the bowl to show: the minimum, and the low part of the path.

    Of a run that ends higher than it starts it is the way up the walls, at least one step of it.
    """
    start = max(steps[0].excess, 1e-9 * (1 + steps[0].loss))
    climbs = steps[-1].event == "diverged" or steps[-1].excess > _LOW * start
    height = start * (_UP if climbs else _LOW)
    low = [parameters(step) for step in steps if step.excess <= height]
    low += [parameters(step) for step in steps[1:2] if climbs]
    path = np.array([loss.minimum, *low, parameters(steps[0])])
    least, most = path.min(axis=0), path.max(axis=0)
    # At least a part of the width that the bowl has along each axis at the height of the start.
    across = np.sqrt(np.maximum(loss.axes**2 @ loss.curvatures, 1e-200))
    width = np.sqrt(2 * (steps[0].excess or loss.floor or 1.0)) / across
    half = np.maximum(0.65 * (most - least), 0.2 * width)
    if climbs and _at_one_scale(*half):
        # The whole view, so that its rim is where the words about a step outside are.
        half = np.maximum(half, half[::-1] * [_SHAPE, 1 / _SHAPE])
    (left, bottom), (right, top) = (least + most) / 2 - half, (least + most) / 2 + half
    return float(left), float(right), float(bottom), float(top)
