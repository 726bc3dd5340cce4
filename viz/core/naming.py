"""Words in a picture, beside the marks and lines that they name."""

import numpy as np
from numpy import ndarray

from viz.core import panels, plane
from viz.core.scene import Bounds, Figure

_LINE, _FOOT = 0.14, 0.06  # of an axis: from name to name at the ends of curves, below the last


def words(at: ndarray, text: str, side: str, **font) -> dict:
    """Write a few words beside a place, to name a mark. side : Plotly's, such as "top left"."""
    look = {"shadow": "auto"} | font
    return plane.line(at.reshape(1, 2), mode="text", text=[text], textposition=side, textfont=look)


def word_at_end(border: dict, box: Bounds, word: str, *, low: bool = False, **style) -> dict:
    """Write a word beside an end of a `straight_border`, inside the picture.

    The end is the right one of a flat line, and the upper one of a steep line; low : the other.
    """
    ends = np.column_stack([plane.unpacked(border[axis]) for axis in "xy"]).astype(float)
    ends = ends[np.isfinite(ends[:, 0])]
    where, place = "top left", plane.GAP
    if len(ends):
        size = np.array([box[1] - box[0], box[3] - box[2]])
        across, up = (ends[-1] - ends[0]) / size
        flat, rising = abs(across) >= abs(up), across * up > 0
        along = ends[:, 0 if flat else 1]
        end = ends[along.argmin() if low else along.argmax()]
        middle = (ends[0] + ends[-1]) / 2
        far, room = 0.04, box[3] - 0.07 * size[1]  # a word above the line needs room for itself
        if end[1] > room and end[1] > middle[1]:
            far = max(far, float((end[1] - room) / (end[1] - middle[1])))
        place = (end + far * (middle - end))[None]
        where = ("top left" if flat else "bottom right") if rising else "bottom left"
        if low:
            where = ("bottom right" if flat else "top left") if rising else "top right"
    font = {"size": 15, "shadow": "auto"} | style.pop("textfont", {})
    return plane.line(place, mode="text", text=[word], textposition=where, textfont=font, **style)


def named_at_ends(
    figure: Figure, last: float, ends: dict[str, float], *, margin: int, gap: float = _LINE
) -> Figure:
    """Return a panel whose curves have their names at their right ends, one below the other.

    last : where the curves end. ends : each curve's name and height there. margin : the room for
    the names on the right, in pixels. gap : from name to name, as a share of the axis.
    """
    axis = figure["layout"]["yaxis"]
    low, high = axis["range"]
    log = axis.get("type") == "log"
    values = np.array(list(ends.values()))
    values = np.log10(values.clip(10.0**low)) if log else values
    heights = panels.spread_out(values, gap * (high - low), low + _FOOT * (high - low), high)
    heights = 10.0**heights if log else heights
    names = {
        "type": "scatter",
        "mode": "text",
        "x": [last] * len(ends),
        "y": heights.tolist(),
        "text": [f"\u2002{name}" for name in ends],  # clear of a ring at the end
        "textposition": "middle right",
        "textfont": {"size": 14, "shadow": "auto"},
        "cliponaxis": False,
        "hoverinfo": "skip",
        "showlegend": False,
    }
    layout = figure["layout"]
    room = {"margin": layout["margin"] | {"r": margin}, "showlegend": False}
    return {**figure, "data": [*figure["data"], names], "layout": layout | room}
