"""Pictures of the least-squares line by formula: one projection after the other."""

from collections.abc import Sequence

import numpy as np

from algorithms.regression.least_squares.linear_regression import ProjectionStep
from viz.core import curves, plane
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, PALETTE
from viz.core.words import number
from viz.regression.least_squares.regression_lines import (
    RESIDUALS,
    SQUARES,
    arrow,
    fit_line,
    parameters,
    reading,
    spread,
    squares,
    sticks,
    text,
)

_DOTS = 800  # residuals drawn as dots at most
_BASE = "#9AA3AD"  # the line that is projected on


def picture(data: Plane, query: float, steps: Sequence[ProjectionStep], now: int) -> Figure:
    """Draw the line so far, the residuals, the mean of the points, a cross, and what is read off.

    The residuals are of 200 points at most, their squares of 12.
    """
    line, before = parameters(steps[now]), parameters(steps[max(now - 1, 0)])
    x = data.X[:, 0]
    cross = {"symbol": "x-thin", "size": 16, "line": {"width": 3}}
    center = data.X.mean(axis=0)[None] if now > 0 else plane.GAP
    traces = [
        squares(data.X[spread(x, SQUARES)], line, data.bounds),
        sticks(data.X[spread(x, RESIDUALS)], line, data.bounds),
        fit_line(before, data.bounds, line={"width": 2, "color": GREY}),
        plane.found(plane.CURVE, fit_line(line, data.bounds, line={"width": 3})),
        plane.line(center, mode="markers", marker=cross),
        reading(query, line, data.bounds),
    ]
    points = plane.points(data.X, data.labels)
    return plane.figure(traces, data.bounds, data.names, points=points)


def projection(steps: Sequence[ProjectionStep], now: int) -> Figure:
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
    angle = corner + mark if done and step.part > 0 and step.residual > 0 else plane.GAP
    shown = 0.0 if done else np.nan  # before the first projection there is only y
    traces = [
        plane.line(np.array([[-0.3, 0], [1.2, 0]]), line={"width": 6, "color": _BASE}),
        plane.line(angle, line={"width": 1.5}),
        arrow(np.zeros(2), tip, None),
        arrow(np.zeros(2), corner + shown, PALETTE[0]),
        arrow(corner, tip + shown, PALETTE[1]),
        text(tip / 2, f"‖{whole}‖ = {number(step.before, 4)} ", "top left", None),
        text(corner / 2 + [shown, -0.04], f"‖{part}‖ = {number(step.part, 4)}", "bottom center",
              PALETTE[0]),
        text((corner + tip) / 2 + shown, f" ‖{rest}‖ = {number(step.residual, 4)}", "middle right",
              PALETTE[1]),
        text(np.array([1.2, 0.0]), f" {space}", "middle right", GREY),
    ]  # fmt: skip
    hidden = {"visible": False, "showgrid": False}
    layout = curves.panel_layout(
        xaxis={"range": [-0.5, 2.4], **hidden},
        yaxis={"range": [-0.2, max(float(tip[1]) + 0.06, 0.4)], "scaleanchor": "x", **hidden},
    )
    layout["margin"] = {"l": 8, "r": 8, "t": 6, "b": 6}
    return {"data": traces, "layout": layout}


def residuals(data: Plane, steps: Sequence[ProjectionStep], now: int) -> Figure:
    """Draw the residuals against x, and their level and tilt: both go, one in each step."""
    shown = data.X[spread(data.X[:, 0], _DOTS)]
    line, best = parameters(steps[now]), parameters(steps[-1])
    left = shown[:, 1] - (line[0] * shown[:, 0] + line[1])
    every = [shown[:, 1] - (w * shown[:, 0] + b) for w, b in map(parameters, steps)]
    most = 1.1 * float(np.abs(every).max()) or 1.0
    trend = (best[0] - line[0], best[1] - line[1]) if now else (0.0, float(data.X[:, 1].mean()))
    ends = np.array(data.bounds[:2])
    traces = [
        plane.line(np.stack([ends, [0.0, 0.0]], axis=1), line={"width": 1, "color": GREY}),
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
        xaxis={"range": list(data.bounds[:2]), "nticks": 8},
        yaxis={"range": [-most, most], "title": {"text": "residual"}, "nticks": 6},
    )
    return {"data": traces, "layout": layout}
