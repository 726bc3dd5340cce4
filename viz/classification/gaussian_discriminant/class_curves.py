"""Points, class curves over the features, and numbers of parameters."""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
from numpy import ndarray

from viz.core import curves, panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, color, dash, symbol


def class_curves(x: ndarray, heights: ndarray, labels: ndarray, data: Plane) -> list[dict]:
    """Draw a smooth curve for each class. heights : (len(x), classes)."""
    return [
        plane.line(np.column_stack([x, height]), **look(int(label), data, shape="spline"))
        for height, label in zip(heights.T, labels, strict=True)
    ]


def look(label: int, data: Plane, **stroke: str) -> dict:
    """Return the name and the line of a class's curve."""
    line = {"width": 2.5, "color": color(label), "dash": dash(label), **stroke}
    return {"name": escape(data.classes[label], quote=False), "showlegend": True, "line": line}


def picked(x: float, heights: ndarray, labels: ndarray, top: float, low: float = 0.0) -> list[dict]:
    """Mark the picked point on the curve of every class, at x, and draw a line there.

    heights : (classes,) of the curves; there may be none. top, low : the ends of the line.
    """
    order = np.argsort(heights, kind="stable")  # the highest mark covers the others
    shown, heights = labels[: len(heights)][order].tolist(), heights[order]
    marks = {
        "type": "scatter",
        "mode": "markers",
        "x": [x] * len(heights),
        "y": heights.tolist(),
        "marker": {
            "size": 11,
            "symbol": [symbol(label) for label in shown],
            "color": [color(label) for label in shown],
            "line": {"width": 2, "color": "#ffffff"},
        },
        "cliponaxis": False,
        "hoverinfo": "skip",
        "showlegend": False,
    }
    upright = np.array([[x, low], [x, top]])
    return [plane.line(upright, line={"width": 1.5, "dash": "dot", "color": GREY}), marks]


def above_axis(top: float) -> dict:
    """Return the range of heights from 0 to the top, with room below 0 for marks at 0."""
    top = top or 1.0  # all may be 0: units so large
    return {"range": [-0.07 * top, top]}


def over_features(
    first: list[dict], second: list[dict], data: Plane, tops: tuple[float, float]
) -> Figure:
    """Draw curves over the first and over the second feature side by side.

    tops : the highest value of each at any step.
    """
    second = [trace | {"showlegend": False} for trace in second]  # named once
    plots = [
        Panel(
            traces,
            {
                "range": list(data.bounds[2 * feature : 2 * feature + 2]),
                "title": {"text": escape(data.names[feature], quote=False), "standoff": 2},
                "nticks": 6,
            },
            above_axis(1.08 * top) | {"nticks": 4},
        )
        for feature, (traces, top) in enumerate(zip((first, second), tops, strict=True))
    ]
    return curves.with_legend(panels.side_by_side(*plots, split=0.46, room=0.08))


def growth(
    counts: Mapping[str, Sequence[int]], *, chosen: str, here: int, log: bool = False
) -> Figure:
    """Draw numbers of parameters against the number of features 1, 2, ...; mark `here` of them."""
    traces = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": name,
            "x": list(range(1, len(values) + 1)),
            "y": values,
            "line": {"width": 4 if name == chosen else 2, "dash": dash(place)},
            "hovertemplate": f"d = %{{x}}: {name} %{{y}}<extra></extra>",
        }
        for place, (name, values) in enumerate(counts.items())
    ]
    traces.append(curves.marked(here, counts[chosen][here - 1], showlegend=False))
    most = len(counts[chosen])
    top = max(max(values) for values in counts.values())
    scale = {"range": [0, 1.05 * top], "nticks": 5}
    if log:
        digits = len(str(top))
        ticks = [10**power for power in range(0, digits, max(1, digits // 4))]
        scale = {"type": "log", "tickvals": ticks}
    layout = curves.panel_layout(
        xaxis={"range": [0.5, most + 0.5], "title": {"text": "features d", "standoff": 2}},
        yaxis={"title": {"text": "numbers"}} | scale,
    )
    return curves.with_legend({"data": traces, "layout": layout})
