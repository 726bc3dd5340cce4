"""Small plots of a linked view, one alone or two side by side: their axes, lines and labels."""

from dataclasses import dataclass, field
from html import escape

import numpy as np
from numpy import ndarray
from scipy.optimize import isotonic_regression

from viz.core import curves
from viz.core.theme import PALETTE, color


@dataclass
class Panel:
    """One plot: its traces, axes and annotations, without the names of the axes."""

    traces: list[dict]
    x: dict
    y: dict
    annotations: list[dict] = field(default_factory=list)


def side_by_side(left: Panel, right: Panel, *, split: float = 0.5, room: float = 0.11) -> dict:
    """Put two plots side by side: the left ends at `split`, the right begins `room` later."""
    traces = [*left.traces, *(trace | {"xaxis": "x2", "yaxis": "y2"} for trace in right.traces)]
    layout = curves.panel_layout(
        xaxis={**left.x, "domain": [0, split]},
        yaxis=left.y,
        xaxis2={**right.x, "domain": [split + room, 1], "anchor": "y2"},
        yaxis2={**right.y, "anchor": "x2"},
        annotations=[
            *({"xref": "x domain", "yref": "y domain"} | note for note in left.annotations),
            *({"xref": "x2 domain", "yref": "y2 domain"} | note for note in right.annotations),
        ],
    )
    return _with_room({"data": traces, "layout": layout})


def alone(panel: Panel) -> dict:
    """Let one plot fill the view."""
    notes = [{"xref": "x domain", "yref": "y domain"} | note for note in panel.annotations]
    layout = curves.panel_layout(xaxis=panel.x, yaxis=panel.y, annotations=notes)
    return _with_room({"data": panel.traces, "layout": layout})


def _with_room(figure: dict) -> dict:
    """Leave room for the title of the axis below."""
    figure["layout"]["margin"] = {"l": 58, "r": 14, "t": 8, "b": 44}
    return figure


def axis(title: str, low: float, high: float, **how: object) -> dict:
    """Return an axis from `low` to `high`, with a margin of a twentieth at both ends."""
    room = 0.05 * (high - low) or 0.1 * abs(high) or 1.0
    return {
        "title": {"text": title, "standoff": 4},
        "range": [low - room, high + room],
        "nticks": 5,
        **how,
    }


def falling_log_axis(title: str, top: float, bottom: float) -> dict:
    """Return a logarithmic axis from large to small."""
    low, high = np.log10(bottom), np.log10(top)
    room = 0.04 * (high - low)
    return {
        "title": {"text": title, "standoff": 4},
        "range": [float(high + room), float(low - room)],
        **curves.powers(low, high),
    }


def curve(x: dict | list, y: dict | list, **style: object) -> dict:
    """Draw a line through x and y, packed or in lists."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "hoverinfo": "skip",
        "showlegend": False,
        **style,
    }


def upright(x: float, low: float, high: float) -> dict:
    """Draw an upright line at the shown step."""
    return curve([x, x], [low, high], line={"width": 2, "dash": "dot"})


def stroke(j: int, width: float = 2) -> dict:
    """Return the line style of variable j; after the eighth, the colours repeat, dashed."""
    return {"width": width, "color": color(j), "dash": ("solid", "dash")[j // len(PALETTE) % 2]}


def spread_out(values: ndarray, gap: float, low: float, high: float) -> ndarray:
    """Move values as little as possible, so that they are `gap` apart and between low and high.

    Labels at these values then do not overlap. The order stays.
    """
    order = np.argsort(values, kind="stable")
    count = len(values)
    gap = min(gap, (high - low) / max(count - 1, 1))
    steps = gap * np.arange(count)
    moved = np.empty(count)
    nearest = isotonic_regression(values[order] - steps).x
    moved[order] = np.clip(nearest, low, high - gap * (count - 1)) + steps
    return moved


def label(name: str, most: int = 9) -> str:
    """Return a column's name for a plot, escaped and at most `most` letters long."""
    return escape(name if len(name) <= most else name[: most - 1] + "…", quote=False)
