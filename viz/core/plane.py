"""The parts of every picture of the data plane: axes, regions, borders, points, centres."""

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from html import escape
from itertools import combinations

import contourpy
import numpy as np
from numpy import ndarray

from viz.core import region_signs
from viz.core.png import png
from viz.core.polyline import simplified
from viz.core.scene import Bounds, Figure, Plane
from viz.core.theme import RGB, color, figure_on, symbol

GAP = np.full((1, 2), np.nan)  # between two lines that are drawn as one trace
DIAMETER = 9  # pixels, of a point of the usual size (stage/layer.js)
SIZES = 32  # parts of the usual diameter in which sizes are sent
SHADES = 16  # steps of confidence in a region's fill: hardly an edge is seen between two

_RIM = 0.028  # of the picture: radius of the ring around the picked point
_EVEN = 9  # the step of an even fill
_FAINT, _STRONG = 20, 110  # opacity of 255 of an undecided and of a certain region
_FILLS = np.repeat(np.array(RGB, np.uint8), SHADES, axis=0)
_CLASSES = np.repeat(np.arange(len(RGB)), SHADES).tolist()  # of each fill: predicted.js reads them
# In greys, too, regions side by side differ: some groups' colours are laid on more thickly.
_THICK = np.array([1.2, 0.65, 1.05, 0.5, 0.9, 0.6, 1.2, 0.85])
_OPACITY = np.outer(_THICK, np.linspace(_FAINT, _STRONG, SHADES)).astype(np.uint8).ravel()
# Plotly's open symbols are 100 higher. A sign is fainter than a ring, which means something else.
_REGION_FONT = {"size": 14, "shadow": "auto"}
_LONGEST = 18  # letters of a class's name in its region
_SIGN, _OPEN = {"size": 19, "opacity": 0.6, "line": {"width": 1.75}}, 100
_BORDER = {"name": "border: the predicted class changes here"}


def bounds(X: ndarray, *, alike: bool = True) -> Bounds:
    """Return the part of the plane to show: all points with a margin, as a square if possible.

    Features on very different scales get an axis each; otherwise distances are drawn true to scale.
    alike : both features have the same unit, and may differ by up to a factor 6 instead of 2.
    """
    if len(X) == 0:
        return (-3.0, 3.0, -3.0, 3.0)
    low, high = X.min(axis=0), X.max(axis=0)
    middle, span, size = (low + high) / 2, high - low, np.maximum(np.abs(low), np.abs(high))
    differ = span > np.maximum(1e-12 * size, 1e-300)  # by more than rounding
    if not differ.any():  # one point, or all of them on one spot
        span[:] = max(2.0, 1e-9 * size.max())
    elif not differ.all():
        span = np.where(differ, span, np.maximum(span.max(), 1e-9 * size))
    elif span.max() < (6 if alike else 2) * span.min():
        span[:] = span.max()
    (left, bottom), (right, top) = middle - 0.58 * span, middle + 0.58 * span
    return (float(left), float(right), float(bottom), float(top))


def with_room(data: Plane, share: float) -> Plane:
    """Return the plane with more room on every side, a share of its width and height."""
    left, right, bottom, top = data.bounds
    across, up = share * (right - left), share * (top - bottom)
    return replace(data, bounds=(left - across, right + across, bottom - up, top + up))


def from_the_rim(query: ndarray, ends: ndarray, box: Bounds) -> ndarray:
    """Return where (m, 2) ways to `ends` leave the ring around the picked point."""
    left, right, bottom, top = box
    way = ends - query
    far = np.linalg.norm(way / [right - left, top - bottom], axis=1)
    return query + way * (_RIM / np.maximum(far, _RIM))[:, None]


def packed(values: ndarray) -> dict:
    """Return an array as Plotly's typed array, with half the bytes of a list."""
    code = {"f": "f8", "i": "i4", "u": "u1"}[values.dtype.kind]
    if code == "f8" and _single_is_enough(values):
        code = "f4"
    return {"dtype": code, "bdata": b64encode(values.astype(code).tobytes()).decode()}


def _single_is_enough(values: ndarray) -> bool:
    """Return whether rounding to single precision moves nothing by more than 1e-5 of the whole."""
    size = np.abs(values)  # a gap, NaN, has none
    most = float(np.fmax.reduce(size, axis=None, initial=0.0))
    return 1e-30 < most < 1e30 and most <= 100 * (most - float(np.fmin.reduce(size, axis=None)))


@lru_cache(maxsize=32)
def grid(box: Bounds, size: int = 100) -> tuple[ndarray, ndarray, ndarray]:
    """Return the cell centres along x and along y, and all (size * size, 2) of them, row by row."""
    left, right, bottom, top = box
    middles = (np.arange(size) + 0.5) / size
    x, y = left + (right - left) * middles, bottom + (top - bottom) * middles
    cells = np.column_stack([np.tile(x, size), np.repeat(y, size)])
    return _shared(x), _shared(y), _shared(cells)


@lru_cache(maxsize=8)
def on_grid(features: Callable[[ndarray], ndarray], box: Bounds, size: int = 100) -> ndarray:
    """Return the features of all cells, which every frame of a run needs."""
    return _shared(features(grid(box, size)[2]))


@lru_cache(maxsize=8)
def on_corners(features: Callable[[ndarray], ndarray], box: Bounds) -> ndarray:
    """Return the features of the four corners, which determine a linear score everywhere."""
    left, right, bottom, top = box
    corners = [[left, bottom], [right, bottom], [left, top], [right, top]]
    return _shared(features(np.array(corners)))


def _shared(array: ndarray) -> ndarray:
    array.flags.writeable = False  # all frames share it
    return array


def contours(x: ndarray, y: ndarray, values: ndarray) -> contourpy.ContourGenerator:
    """Return a generator of the lines on which (len(y), len(x)) values of cells are at a level.

    The lines continue from the middles of the outer cells to their edges.
    """
    return _generator(_outwards(x), _outwards(y), _outwards(_outwards(values).T).T)


def _outwards(values: ndarray) -> ndarray:
    """Return values continued by half a cell beyond the first and the last row."""
    first, last = 1.5 * values[:1] - 0.5 * values[1:2], 1.5 * values[-1:] - 0.5 * values[-2:-1]
    return np.concatenate([first, values, last])


def _generator(x: ndarray, y: ndarray, values: ndarray) -> contourpy.ContourGenerator:
    """Return `contourpy.contour_generator(...)`, without its slow search for gaps."""
    across, up = np.broadcast_arrays(x, y[:, None])
    return contourpy.SerialContourGenerator(
        across, up, values, None,  # type: ignore
        corner_mask=True, quad_as_tri=False, z_interp=contourpy.ZInterp.Linear,
        line_type=contourpy.LineType.Separate, fill_type=contourpy.FillType.OuterCode,
    )  # fmt: skip


def regions(
    winner: ndarray, confidence: ndarray | None, box: Bounds, *, signs: bool = True
) -> dict:
    """Fill the plane with each cell's class.

    winner : (size, size) class indices, of any number of classes; row 0 is at the bottom.
    confidence : (size, size) from 0 (undecided) to 1 (certain), or None for an even fill. signs :
    whether `figure` puts the symbols of the classes into their regions.
    """
    shade = _EVEN
    if confidence is not None:
        shade = np.rint(confidence * (SHADES - 1)).clip(0, SHADES - 1)
    cells = (winner % len(RGB) * SHADES + shade).astype(np.uint8)
    fainter = ", fainter where it is less certain" if confidence is not None else ""
    known = _CLASSES if winner.max(initial=0) < len(RGB) else []  # beyond, colours repeat
    filled = image(cells, _FILLS, _OPACITY, box)
    filled |= {"name": f"predicted class{fainter}", "meta": known}
    return signed(filled, winner, box) if signs else filled


def signed(image: dict, classes: ndarray, box: Bounds) -> dict:
    """Let `figure` put the signs of the classes into the regions of an image.

    classes : (rows, columns) of the cells, row 0 at the bottom; below 0 for none.
    """
    return image | {"regions": (classes, box)}


def certainty(share: ndarray, classes: int) -> ndarray:
    """Return how certain a prediction is: 0 if the winner's share is that of chance, 1 if all."""
    return (share - 1 / classes) / (1 - 1 / classes)


def image(cells: ndarray, colors: ndarray, opacity: ndarray, box: Bounds, level: int = 6) -> dict:
    """Return an image trace: (rows, columns) indices into (m, 3) colours and (m,) opacities.

    level : of the compression, see `png`.
    """
    left, right, bottom, top = box
    dx, dy = (right - left) / cells.shape[1], (top - bottom) / cells.shape[0]
    used = int(cells.max(initial=0)) + 1  # the palette is a large part of so small a file
    file = png(cells, colors[:used], opacity[:used], level)
    return {
        "type": "image",
        "source": "data:image/png;base64," + b64encode(file).decode(),
        "x0": left + dx / 2,
        "dx": dx,
        "y0": bottom + dy / 2,
        "dy": dy,
        "zsmooth": "fast",
        "hoverinfo": "skip",
    }


def borders(x: ndarray, y: ndarray, scores: ndarray, *, tolerance: float = 0.001, **style) -> dict:
    """Draw the borders where the class with the highest score changes. scores : (classes, y, x).

    Each border is drawn once, and borders of three classes end where they meet. tolerance : how far
    a line may be from the border, in shares of the picture.
    """
    # The tolerance is relative to the picture, whose axes may have very different scales.
    scale = np.array([x[-1] - x[0], y[-1] - y[0]])
    # The difference of two infinite scores is no number.
    scores = np.maximum(scores, -1e300)
    lines: list[ndarray] = []
    for pair in combinations(np.unique(scores.argmax(axis=0)).tolist(), 2):
        first, second = pair
        # In a tie, the first class wins.
        found = contours(x, y, scores[second] - scores[first]).lines(0.0)
        pieces = [np.asarray(piece) for piece in found]
        if len(scores) > 2:
            pieces = [part for piece in pieces for part in _winning(piece, x, y, scores, pair)]
        lines += [piece / scale for piece in pieces]
    return line(scale * simplified(joined(lines), tolerance), **_BORDER | style)


def _winning(
    piece: ndarray, x: ndarray, y: ndarray, scores: ndarray, pair: tuple[int, int]
) -> list[ndarray]:
    """Return the pieces of a line on which no other class has a higher score than the pair."""
    here = _between(x, y, scores, piece)
    lead = here[list(pair)].min(axis=0) - np.delete(here, pair, axis=0).max(axis=0)
    won = lead >= 0
    turns = np.flatnonzero(won[1:] != won[:-1])
    share = (lead[turns] / (lead[turns] - lead[turns + 1]))[:, None]
    ends = piece[turns] + share * (piece[turns + 1] - piece[turns])
    pieces = np.split(np.insert(piece, turns + 1, ends, axis=0), turns + 1 + np.arange(len(turns)))
    parts = []
    for k, part in enumerate(pieces):
        if won[0] == (k % 2 == 0):
            parts.append(np.concatenate([part, ends[k : k + 1]]))
    return [part for part in parts if len(part) > 1]


def _between(x: ndarray, y: ndarray, scores: ndarray, places: ndarray) -> ndarray:
    """Return the scores at (m, 2) places between the cells' middles. scores : (classes, y, x)."""
    column, across = _share(x, places[:, 0])
    row, up = _share(y, places[:, 1])
    below, above = (
        scores[:, side, column] * (1 - across) + scores[:, side, column + 1] * across
        for side in (row, row + 1)
    )
    return below * (1 - up) + above * up


def _share(middles: ndarray, at: ndarray) -> tuple[ndarray, ndarray]:
    """Return the last middle before each number, and which share of the way to the next it is."""
    before = (np.searchsorted(middles, at) - 1).clip(0, len(middles) - 2)
    return before, (at - middles[before]) / (middles[before + 1] - middles[before])


def stairs(winner: ndarray, classes: ndarray, box: Bounds, **style) -> dict:
    """Draw the borders between cells of different classes, in steps along the cells' edges.

    winner : (rows, columns) the class of every cell, one of `classes`; row 0 is at the bottom.
    """
    left, right, bottom, top = box
    rows, columns = winner.shape
    sides = np.array([np.where(winner == k, 1.0, -1.0) for k in classes])
    both = sides.repeat(2, axis=1).repeat(2, axis=2)  # at both edges of every cell
    return borders(_edges(left, right, columns), _edges(bottom, top, rows), both, **style)


def _edges(low: float, high: float, cells: int) -> ndarray:
    """Return both edges of every cell along an axis, moved into it by a ten-thousandth."""
    edges = np.linspace(low, high, cells + 1)
    inside = 1e-4 * (high - low) / cells
    return np.column_stack([edges[:-1] + inside, edges[1:] - inside]).ravel()


def straight_border(scores: ndarray, box: Bounds, **style) -> dict:
    """Draw where a linear score is 0. scores : of the four corners, as `on_corners` orders them."""
    x, y = np.array(box[:2]), np.array(box[2:])
    found = _generator(x, y, scores.reshape(2, 2)).lines(0.0)
    return line(joined(found), **_BORDER | style)  # type: ignore


def level_lines(
    contours: contourpy.ContourGenerator, box: Bounds, *values: float, name: str = "", **stroke
) -> dict:
    """Draw where a surface has one of the values: few points, joined by a smooth curve."""
    scale = np.array([box[1] - box[0], box[3] - box[2]])
    path = joined([np.asarray(piece) for value in values for piece in contours.lines(value)])
    return line(
        scale * simplified(path / scale, 0.005), line={"shape": "spline", **stroke}, name=name
    )


def joined(lines: Sequence[ndarray]) -> ndarray:
    """Put (m, 2) lines one after the other, with a gap after each."""
    return np.concatenate([part for piece in lines for part in (piece, GAP)] or [GAP])


def line(path: ndarray, **style) -> dict:
    """Draw (m, 2) points joined up; a row of NaN is a gap. Without a colour it is ink."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": packed(path[:, 0]),
        "y": packed(path[:, 1]),
        "hoverinfo": "skip",
        "showlegend": False,
        **style,
    }


def points(
    X: ndarray,
    group: ndarray,
    wrong: ndarray | None = None,
    *,
    size: ndarray | None = None,
    strength: ndarray | None = None,
    held: ndarray | None = None,
) -> dict:
    """Return the data points: colour and symbol show the group, a thick outline a wrong class.

    size : (n,) diameters, 1 for the usual one. strength : (n,) opacities from 0 to 1. held : (n,)
    which points are held out; these have a hole in the middle, in all labs.

    The stage draws them itself, so that they can be painted on; see "points" of `figure`.
    """
    drawn = {"x": packed(X[:, 0]), "y": packed(X[:, 1]), "group": packed(_bytes(group))}
    drawn["wrong"] = packed(_bytes(np.zeros(len(X)) if wrong is None else wrong))
    if size is not None:
        drawn["size"] = packed(_bytes(np.rint(SIZES * np.asarray(size)).clip(0, 255)))
    if strength is not None:
        drawn["strength"] = packed(_bytes(np.rint(255 * np.asarray(strength)).clip(0, 255)))
    if held is not None:
        drawn["held"] = packed(_bytes(held))
    return drawn


def _bytes(values: ndarray) -> ndarray:
    """Return whole numbers as bytes if they fit."""
    return values.astype(np.uint8 if values.max(initial=0) < 256 else np.int64)


def rings(X: ndarray, *, name: str = "", **marker) -> dict:
    """Draw rings around (m, 2) places, in ink, so that they do not depend on colour.

    name : what they mean.
    """
    ring = {"symbol": 100, "size": 17, "line": {"width": 2}}
    return line(X, mode="markers", marker=ring | marker, name=name)


def marks(kind: ndarray, symbols: Sequence[int], sizes: Sequence[int], width: float) -> dict:
    """Outline some of the figure's points in ink, to show what colour does not show.

    kind : for every point, an index into `symbols` and `sizes`. symbols : Plotly's numbers 100
    (ring), 101 (square), 102 (diamond), 128 and 130 (a ring or square with a cross) or 134 (a
    cross). sizes : in pixels, 0 for no mark. width : the width of the line. The stage draws the
    marks; see "marks" of `figure`.
    """
    return {
        "kind": packed(kind.astype(np.uint8)),
        "symbols": list(symbols),
        "sizes": list(sizes),
        "width": width,
    }


def edges(start: ndarray, end: ndarray, *, width: ndarray | float = 2, arrow: bool = False) -> dict:
    """Return straight connections from (m, 2) places to (m, 2) places, in ink, below the points.

    width : of each line, in pixels. arrow : whether they have a head at their end. The stage draws
    them; see "edges" of `figure`.
    """
    widths = np.broadcast_to(np.asarray(width, float), len(start))
    places = np.concatenate([start, end], axis=1).reshape(-1, 4)
    return {"places": packed(places.ravel()), "width": packed(widths), "arrow": arrow}


def centers(positions: ndarray) -> dict:
    """Draw numbered centres, each in the colour of its group."""
    shown = np.arange(len(positions))
    return {
        "type": "scatter",
        "name": "centre of a cluster, with its number",
        "mode": "markers+text",
        "x": positions[:, 0].tolist(),
        "y": positions[:, 1].tolist(),
        "text": [str(j + 1) for j in shown],
        "textfont": {
            "color": [figure_on(color(int(j))) for j in shown],
            "weight": 700,
            "size": 17,
        },
        "marker": {
            "size": 30,
            "color": [color(int(j)) for j in shown],
            "line": {"width": 3, "color": "#ffffff"},
        },
        "hoverinfo": "skip",
        "showlegend": False,
    }


def figure(
    traces: Sequence[dict],
    box: Bounds,
    names: tuple[str, str] = ("x", "y"),
    *,
    points: dict | None = None,
    marks: dict | None = None,
    edges: dict | None = None,
    signs: Mapping[str, str | Sequence[str]] | None = None,
    classes: Sequence[str] | None = None,
    query: ndarray | None = None,
) -> Figure:
    """Put traces on axes that belong to the data, the same at every step.

    points, marks, edges : from the functions of these names; the stage draws them between the
    filled regions and the lines. Like the traces, a view has them at every step or at none.
    signs : what the stage's own marks mean, for the legend: "points", "wrong", "size", "strength",
    "edges", and "marks" with a text for every kind. A trace has its meaning as its name. classes :
    the names of the classes, to be written into regions in place of their symbols. query : (2,) the
    picked point, which they should not touch.
    """
    left, right, bottom, top = box
    traces = [*traces, *_signs(traces, points, classes, query)]
    own = {"points": points, "marks": marks, "edges": edges, "signs": signs}
    return {name: value for name, value in own.items() if value is not None} | {
        "data": [{k: v for k, v in trace.items() if k != "regions"} for trace in traces],
        "layout": {
            "xaxis": {"range": [left, right], "title": {"text": escape(names[0], quote=False)}},
            # An image would tie the axes to each other; `bounds` decides about their scales.
            "yaxis": {
                "range": [bottom, top],
                "title": {"text": escape(names[1], quote=False)},
                "scaleanchor": False,
            },
            "margin": {"l": 50, "r": 6, "t": 6, "b": 44},
            "dragmode": False,
            "hovermode": False,
            "showlegend": False,
        },
    }


def _signs(
    traces: Sequence[dict],
    points: dict | None,
    names: Sequence[str] | None,
    query: ndarray | None,
) -> list[dict]:
    """Draw the classes' symbols or names in regions that the points do not show to be theirs."""
    found = []
    X, y = GAP[:0], np.empty(0)
    if points:
        X = np.column_stack([unpacked(points[axis]) for axis in "xy"])
        y = unpacked(points["group"])
    for trace in traces:
        if "regions" in trace:
            classes, box = trace["regions"]
            where, classes = region_signs.places(classes, box, X, y, query)
            if names is None:
                marker = {"symbol": [symbol(k) + _OPEN for k in classes.tolist()], **_SIGN}
                look: dict = {"mode": "markers", "marker": marker}
            else:
                written = [_region_name(names[int(k)]) for k in classes.tolist()]
                look = {"mode": "text", "text": written, "textfont": _REGION_FONT}
            found.append(line(where, **look, name="class of the region"))
    return found


def _region_name(name: str) -> str:
    """Return what is written into a class's region: its name, or "class 1" for a mere number."""
    if name.isdigit():
        return f"class {name}"
    return escape(name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…", quote=False)


def unpacked(values: dict) -> ndarray:
    """Return the numbers that `packed` holds."""
    return np.frombuffer(b64decode(values["bdata"]), values["dtype"])


def data_only(data: Plane) -> Figure:
    """Draw the points alone, for a lab whose run failed."""
    return figure([], data.bounds, data.names, points=points(data.X, data.labels))


def nothing() -> Figure:
    """Draw an empty picture, for a lab without a board whose run failed."""
    hidden = {"visible": False}
    return {"data": [line(GAP)], "layout": {"xaxis": hidden, "yaxis": hidden}}
