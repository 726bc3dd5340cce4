"""Words in a picture, beside the marks and lines that they name."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy import ndarray

from viz.core import panels, plane
from viz.core.scene import Bounds, Figure

_INSET = 0.015  # of the picture, from its edges to words in a corner
_LETTER, _HIGH, _OFF = 0.016, 0.045, 0.008  # of it: a letter, a word, from a place to its word
_ALONG = 200  # places along a line that words keep clear of
_INSIDE = 20  # along each side of words, of the places that later words keep clear of
_LINE, _FOOT = 0.14, 0.06  # of an axis: from name to name at the ends of curves, below the last


def words(at: ndarray, text: str, side: str, **font) -> dict:
    """Write a few words beside a place, to name a mark. side : Plotly's, such as "top left"."""
    look = {"shadow": "auto"} | font
    return plane.line(at.reshape(1, 2), mode="text", text=[text], textposition=side, textfont=look)


def in_corner(text: str, box: Bounds, name: str = "bottom left", **font) -> dict:
    """Write what marks are into a corner of the picture, such as "top right"."""
    place, side = corner(box, name)
    return words(place, text, side, **font)


def free_corner(
    box: Bounds,
    taken: ndarray,
    wide: float,
    high: float,
    *,
    ends: Sequence[str] = ("bottom", "top"),
) -> str:
    """Return the name of the corner of the picture in which words cover least.

    taken : (m, 2) places that should be seen. wide, high : of the words, as shares of the picture.
    ends : of the picture, among whose corners one is chosen.
    """
    left, right, bottom, top = box
    across, up = ((taken - [left, bottom]) / [right - left, top - bottom]).T
    sides = {"left": across < wide, "right": across > 1 - wide}
    near = {"bottom": up < high, "top": up > 1 - high}
    covered = {
        f"{end} {side}": int((there & here).sum())
        for end, there in near.items()
        if end in ends
        for side, here in sides.items()
    }
    return min(covered, key=covered.__getitem__)


def corner(box: Bounds, name: str) -> tuple[ndarray, str]:
    """Return the place of words in a corner of the picture, and their side of it."""
    left, right, bottom, top = box
    up, across = name.split()
    inwards = _INSET * np.array([right - left, top - bottom])
    x = left + inwards[0] if across == "left" else right - inwards[0]
    y = bottom + inwards[1] if up == "bottom" else top - inwards[1]
    side = f"{'top' if up == 'bottom' else 'bottom'} {'right' if across == 'left' else 'left'}"
    return np.array([x, y]), side


class Name(NamedTuple):
    """Words, and the places where they may stand: each with the side, such as "top left".

    beside : (m, 2) further places that this name alone keeps clear of.
    """

    text: str
    where: Sequence[tuple[ndarray, str]]
    font: Mapping[str, object]
    beside: ndarray = np.empty((0, 2))


def clear_names(names: Sequence[Name], box: Bounds, taken: ndarray) -> list[dict]:
    """Write each name where it is inside the picture and covers least, and clear of those before.

    Of equally good places the first is taken.

    taken : (m, 2) places that should be seen: points, and lines as places `along` them.
    """
    left, right, bottom, top = box
    low, size = np.array([left, bottom]), np.array([right - left, top - bottom])
    taken, written = (taken - low) / size, []
    for text, where, font, beside in names:
        if not (text and len(where)):
            written.append(words(plane.GAP, text, "top left", **font))
            continue
        rooms = [_room(text, (place - low) / size, side) for place, side in where]
        beyond = [max(0.0, -start.min(), end.max() - 1) for start, end in rooms]
        seen = np.concatenate([taken, (beside - low) / size])
        covered = [((seen > a) & (seen < b)).all(axis=1).sum() for a, b in rooms]
        best = int(np.lexsort((covered, beyond))[0])
        place, side = where[best]
        written.append(words(place, text, side, **font))
        across, up = np.meshgrid(*np.linspace(*rooms[best], _INSIDE).T)
        taken = np.concatenate([taken, np.column_stack([across.ravel(), up.ravel()])])
    return written


def along(path: ndarray) -> ndarray:
    """Return many places along a line of (m, 2) places."""
    path = path[np.isfinite(path[:, 0])]
    if not len(path):
        return path
    at = np.linspace(0, len(path) - 1, _ALONG)
    return np.column_stack([np.interp(at, np.arange(len(path)), axis) for axis in path.T])


def _room(text: str, place: ndarray, side: str) -> tuple[ndarray, ndarray]:
    """Return the lower left and the upper right corner of words, in shares of the picture."""
    up, across = side.split()
    way = np.array(
        [{"left": -1, "center": 0, "right": 1}[across], {"bottom": -1, "middle": 0, "top": 1}[up]]
    )
    reach = np.array([_LETTER * (len(text) + 1), _HIGH])
    middle = place + way * (reach / 2 + _OFF)
    return middle - reach / 2, middle + reach / 2


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
