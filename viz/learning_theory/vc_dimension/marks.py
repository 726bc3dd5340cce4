"""What several modes draw: labelled points, the wall of all labellings, the growth curve."""

from collections.abc import Sequence
from math import ceil, log2

import numpy as np
from numpy import ndarray

from algorithms.learning_theory.vc_dimension.hypotheses import part_with
from algorithms.learning_theory.vc_dimension.shattering import sauer_bound, vc_dimension
from viz.core import curves, naming, plane
from viz.core.graph import outlines, without_axes
from viz.core.scene import ANSWER, Bounds, Figure
from viz.core.theme import GREY, PALETTE
from viz.core.words import numbered

BOX: Bounds = (-2.0, 2.0, -2.0, 2.0)
POSITIVE, NEGATIVE = PALETTE[:2]
FILL = "rgba(0, 114, 178, 0.18)"
LEAST_SHOWN = 6  # points up to which the numbers of labellings are drawn at least
BELOW_THE_BOUND = (
    "The bound holds for every class of this VC dimension. Half-planes stay below it: they realise "
    "at most n² − n + 2 labellings, 14 of 4 points and 22 of 5."
)

_CIRCLE, _SQUARE, _CROSS = 0, 1, 134  # Plotly's symbols
_SIDE = 0.92  # of a tile: one from the next is 1 away
_TILE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * _SIDE / 2  # around (0, 0)
_INSIDE = 0.34  # how far points are from the middle of a tile at most
_MARGINS = {"l": 8, "r": 8, "t": 8, "b": 44}  # around a frame, in pixels
_SEEN = 0.3  # half of the side of a box around a point that is large enough to be seen
_PALE = 0.35  # opacity of the points of a labelling that is not tried yet
_LINE = 0.36  # of a tile: from one line of words to the next
_BAR = 0.4  # of the way from one number of points to the next
_SIGNS = {True: "+", False: "−"}


def signs(y: ndarray) -> str:
    """Write a labelling: + − + +."""
    return " ".join(_SIGNS[bool(each)] for each in y)


def name(i: int, sign: bool) -> str:
    """Write a point and its label: x₁ +."""
    return f"{numbered('x', i)} {_SIGNS[sign]}"


def framed(traces: list[dict], frame: Bounds) -> Figure:
    """Put traces in a frame, which cuts them off, with room below for what the stage writes."""
    edge = {"type": "rect", "xref": "x domain", "yref": "y domain", "x0": 0, "x1": 1}
    edge |= {"y0": 0, "y1": 1, "line": {"width": 1, "color": GREY}}
    layout = without_axes(frame, alike=True, room=_MARGINS)
    for name in ("xaxis", "yaxis"):
        layout[name] |= {"constrain": "domain"}
    return {"data": traces, "layout": layout | {"shapes": [edge]}}


def labelled(X: ndarray, y: ndarray, size: int = 40, *, named: bool = True) -> list[dict]:
    """Draw positives as circles and negatives as squares, each with its number and its sign.

    A point whose label changes stays where it is.
    named : whether number and sign are written above the point.
    """
    traces = []
    for sign, color, symbol in ((True, POSITIVE, _CIRCLE), (False, NEGATIVE, _SQUARE)):
        rows = np.flatnonzero(y.astype(bool) == sign)
        texts = [name(i, sign) if named else "" for i in rows.tolist()]
        ids = [*map(str, rows.tolist())]
        marker = {"symbol": symbol, "size": size, "color": color}
        traces.append(
            plane.line(
                X[rows] if len(rows) else plane.GAP,
                mode="markers+text", text=texts, marker=marker, ids=ids,
                textposition="top center",
                textfont={"size": 16, "weight": 700, "shadow": "auto"}, cliponaxis=False,
                name=f"point labelled {_SIGNS[sign]}",
            )
        )  # fmt: skip
    return traces


def tile(X: ndarray) -> tuple[ndarray, float]:
    """Return the middle of a tile, in the units of the points, and the length of its sides."""
    low, high = X.min(axis=0), X.max(axis=0)
    spread = float((high - low).max()) or 1.0
    return (low + high) / 2, _SIDE * spread / (2 * _INSIDE)


def within_tile(outline: ndarray, X: ndarray) -> ndarray:
    """Return the part of a convex region that is inside a tile, by the corners of its border."""
    middle, side = tile(X)
    for w in np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]):
        outline = part_with(outline, w, side / 2 - float(w @ middle))
    return outline


def around_point(x: ndarray, others: ndarray) -> tuple[ndarray, ndarray]:
    """Return two opposite corners of a box around a point, large enough to be seen.

    It holds none of the others.
    """
    room = np.abs(others - x).max(axis=1).min(initial=2 * _SEEN) / 2
    half = min(_SEEN, float(room))
    return x - half, x + half


def wall(
    X: ndarray,
    labellings: ndarray,
    realized: ndarray,
    now: int,
    regions: Sequence[ndarray] = (),
    verdict: str = "",
    *,
    wide: bool = False,
) -> Figure:
    """Draw all labellings of the points as tiles, with a cross over those that are not realised.

    realized : of the labellings so far; the others are faint. now : the tile that is shown.
    regions : the border of what realises each labelling so far, inside a tile. verdict : what all
    of them show, which answers a question. wide : whether the room is much wider than high.
    """
    total = len(labellings)
    power = ceil(log2(total))
    across = 2 ** (ceil((power + 1) / 2) if wide and power > 1 else ceil(power / 2))
    rows = ceil(total / across)
    middles = np.column_stack([np.arange(total) % across, -(np.arange(total) // across)]) * 1.0
    middle, side = tile(X)
    places = middles[:, None] + (X - middle) * (_SIDE / side)
    filled = [
        at + (path - middle) * (_SIDE / side)
        for at, path in zip(middles, regions, strict=False)  # later labellings have none
    ]
    size = max(5, min(12, (72 if wide else 60) // across))
    tried_tiles = middles[: len(realized)]
    tried = np.arange(total)[:, None] < len(realized)
    strength = np.broadcast_to(np.where(tried, 1.0, _PALE), labellings.shape)
    cross = {"symbol": _CROSS, "size": 2.6 * size, "line": {"width": 2}}
    traces = [
        plane.line(plane.joined(filled), fill="toself", fillcolor=FILL, line={"width": 0}),
        outlines(_TILE, middles, line={"width": 1, "color": GREY}, opacity=0.4),
        outlines(_TILE, tried_tiles, line={"width": 1.5, "color": GREY}),
        _dots(
            places[labellings],
            {
                "symbol": _CIRCLE,
                "size": size,
                "color": POSITIVE,
                "opacity": strength[labellings].tolist(),
            },
        ),
        _dots(
            places[~labellings],
            {
                "symbol": _SQUARE,
                "size": size,
                "color": NEGATIVE,
                "opacity": strength[~labellings].tolist(),
            },
        ),
        _dots(tried_tiles[~realized], cross),
        outlines(_TILE, middles[[now]], line={"width": 4}),
    ]
    so_far = "" if len(realized) == total else " so far"
    score = f"realised{so_far}: {realized.sum()} of {len(realized)}"
    below = np.array([across / 2 - 0.5, -(rows - 0.42)])
    traces += [
        naming.words(below, score, "bottom center"),
        naming.words(below - [0, _LINE], verdict, "bottom center") | {"meta": ANSWER},
    ]
    box = (-0.6, across - 0.4, -(rows + _LINE), 0.6)
    return {"data": traces, "layout": without_axes(box, alike=True)}


def _dots(places: ndarray, marker: dict) -> dict:
    return plane.line(places if len(places) else plane.GAP, mode="markers", marker=marker)


def growth(hypotheses: str, d: int, n: int, count: int) -> Figure:
    """Draw 2^n and Sauer's bound side by side, and how many labellings of n points are realised."""
    sizes = np.arange(1, max(LEAST_SHOWN, n) + 1)
    v = vc_dimension(hypotheses, d)
    bound = np.array([sauer_bound(int(m), v) for m in sizes])
    most = "at most" if np.isinf(v) else f"at most: VC dimension {v:.0f}"
    left, right = sizes - _BAR / 2, sizes + _BAR / 2
    traces = [
        _columns("all, 2ⁿ", left, 2**sizes, {"color": GREY, "opacity": 0.5}),
        _columns(most, right, bound, {"color": FILL, "line": {"width": 2, "color": POSITIVE}}),
        _columns("so far", right[[n - 1]], np.array([count]), {"color": POSITIVE}, numbers=False),
    ]
    layout = curves.panel_layout(
        xaxis={"title": {"text": "points n", "standoff": 4}, "range": [0.5, sizes[-1] + 0.5],
               "dtick": 1},
        yaxis={"title": {"text": "labellings"}, "range": [0, 1.15 * 2 ** sizes[-1]], "nticks": 6},
    )  # fmt: skip
    return curves.with_legend({"data": traces, "layout": layout | {"barmode": "overlay"}})


def _columns(
    name: str, x: ndarray, heights: ndarray, marker: dict, *, numbers: bool = True
) -> dict:
    return {
        "type": "bar", "name": name, "x": x.tolist(), "y": heights.tolist(), "width": _BAR,
        "marker": marker, "text": [str(height) if numbers else "" for height in heights],
        "textposition": "outside", "cliponaxis": False, "showlegend": True, "hoverinfo": "skip",
    }  # fmt: skip
