"""Pictures for an axis turned by hand."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy import ndarray

from algorithms.reduction.projection_axis import AxisStep
from viz.core import curves, plane
from viz.reduction.pca import LEGEND, looks, picture, shown_rows

_REACH = 0.9  # of the way from the mean to the edge: where the handles are
_GOLDEN = 0.618


def views(X: ndarray, group: ndarray, steps: Sequence[AxisStep], place: dict) -> dict:
    """Give all views. place : bounds and names of the plane."""
    return {
        "Turn the axis by its handles": partial(picture, X, group, (0, 1), steps, **place),
        "Variance along the axis, error across it": partial(turning, steps),
        "The scores z, class by class (bar: ± standard deviation)": partial(
            seen_along, X, group, steps
        ),
    }


def handles(steps: Sequence[AxisStep], box: plane.Bounds) -> ndarray:
    """Give (steps, 2, 2): where the ends of the axis are taken hold of, inside the picture."""
    left, right, bottom, top = box
    center = steps[0].mean
    room = np.minimum(center - [left, bottom], [right, top] - center)
    room = _REACH * np.maximum(room, 0.05 * np.array([right - left, top - bottom]))
    directions = np.array([step.components[0] * step.scale for step in steps])
    share = directions / room
    half = directions / np.hypot(*share.T)[:, None]  # on the ellipse that fits
    return np.stack([center + half, center - half], axis=1)


def turning(steps: Sequence[AxisStep], now: int) -> dict:
    """Draw variance, error and their sum against the angle."""
    angle = np.array([step.angle for step in steps])
    variance = np.array([step.variances[0] for step in steps])
    error = np.array([step.error for step in steps])
    top = 1.12 * steps[0].total

    def against_angle(name: str, values: ndarray, **stroke: object) -> dict:
        path = np.column_stack([angle, values])
        return plane.line(path, line=stroke) | {"name": name, "showlegend": True}

    traces = [
        against_angle("variance", variance, width=3),
        against_angle("error", error, width=2, dash="dash"),
        against_angle("sum", variance + error, width=2, dash="dot"),
        *(
            curves.marked(float(angle[now]), float(values[now]), showlegend=False)
            for values in (variance, error)
        ),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-4, 184], "tickvals": list(range(0, 181, 30))}
        | {"ticktext": [f"{angle}°" for angle in range(0, 181, 30)]},
        yaxis={"range": [-0.04 * top, top], "nticks": 5, "title": {"text": "variance"}},
    )
    layout |= {"showlegend": True, "legend": LEGEND}
    layout["margin"] = {**layout["margin"], "t": 26}
    return {"data": traces, "layout": layout}


def seen_along(X: ndarray, group: ndarray, steps: Sequence[AxisStep], now: int) -> dict:
    """Draw the scores z on the axis, a row for every class, and their standard deviation."""
    step = steps[now]
    rows = shown_rows(len(X), steps)
    z = step.transform(X[rows])[:, 0]
    classes, line = np.unique(group[rows], return_inverse=True)
    spread = (np.arange(len(rows)) * _GOLDEN) % 1 - 0.5
    deviation = float(np.sqrt(step.variances[0]))
    reach = 1.05 * float(np.hypot(*((X - step.mean) / step.scale).T).max())
    bar = [-deviation, deviation]
    traces = [
        plane.line(np.zeros((0, 2)), mode="markers")
        | {
            "x": plane.packed(z),
            "y": plane.packed(line + 0.6 * spread),
            "marker": looks(group[rows]),
        },
        plane.line(np.zeros((0, 2)), mode="lines+markers")
        | {"x": bar, "y": [-0.8, -0.8], "line": {"width": 4}}
        | {"marker": {"symbol": 142, "size": 14, "line": {"width": 3}}},
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-reach, reach], "nticks": 9},
        yaxis={"range": [-1.3, len(classes) - 0.4], "showticklabels": False, "showgrid": False},
    )
    return {"data": traces, "layout": layout}
