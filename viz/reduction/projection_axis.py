"""Pictures for an axis turned by hand."""

from collections.abc import Callable, Sequence

import numpy as np

from algorithms.reduction.projection_axis import AxisStep
from viz.core import curves, plane
from viz.core.scene import Figure, Plane
from viz.core.turning import angle_axis
from viz.reduction.pca import shown_rows, small_points

_GOLDEN = 0.618


def turning(steps: Sequence[AxisStep]) -> Callable[[int], Figure]:
    """Draw variance, error and their sum against the angle; a step given is marked."""
    angle = np.array([step.angle for step in steps])
    variance = np.array([step.variances[0] for step in steps])
    error = np.array([step.error for step in steps])
    top = 1.12 * steps[0].total
    lines = [
        plane.line(np.column_stack([angle, values]), name=name, showlegend=True, line=stroke)
        for name, values, stroke in (
            ("variance", variance, {"width": 3}),
            ("error", error, {"width": 2, "dash": "dash"}),
            ("sum", variance + error, {"width": 2, "dash": "dot"}),
        )
    ]
    layout = curves.panel_layout(
        xaxis=angle_axis(),
        yaxis={"range": [-0.04 * top, top], "nticks": 5, "title": {"text": "variance"}},
    )

    def at(now: int) -> Figure:
        marks = [
            curves.marked(float(angle[now]), float(values[now]), showlegend=False)
            for values in (variance, error)
        ]
        return curves.with_legend({"data": [*lines, *marks], "layout": layout})

    return at


def seen_along(data: Plane, steps: Sequence[AxisStep], now: int) -> Figure:
    """Draw the scores z on the axis, a row for every class, and their standard deviation."""
    step = steps[now]
    rows = shown_rows(len(data.X))
    z = step.transform(data.X[rows])[:, 0]
    group = data.labels[rows]
    classes, row = np.unique(group, return_inverse=True)
    spread = (np.arange(len(rows)) * _GOLDEN) % 1 - 0.5
    deviation = float(np.sqrt(step.variances[0]))
    reach = 1.05 * float(np.hypot(*((data.X - step.mean) / step.scale).T).max())
    bar = plane.line(
        np.array([[-deviation, -0.8], [deviation, -0.8]]),
        mode="lines+markers",
        line={"width": 4},
        marker={"symbol": 142, "size": 14, "line": {"width": 3}},
    )
    layout = curves.panel_layout(
        xaxis={"range": [-reach, reach], "nticks": 9},
        yaxis={"range": [-1.3, len(classes) - 0.4], "showticklabels": False, "showgrid": False},
    )
    points = small_points(np.column_stack([z, row + 0.6 * spread]), group)
    return {"data": [bar], "layout": layout, "points": points}
