"""What every picture of the data plane is made of: axes, regions, boundaries, points, centres."""

from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape

import contourpy
import numpy as np
from numpy import ndarray

from viz.core.png import png
from viz.core.polyline import simplified
from viz.core.scene import Bounds, Figure, Plane
from viz.core.theme import RGB, color, figure_on

GAP = np.full((1, 2), np.nan)  # between two lines that are drawn as one trace
SIZES = 32  # parts of the usual diameter in which sizes are sent

_SHADES = 8  # steps of confidence in a region's fill
_FAINT, _STRONG = 20, 110  # opacity of 255 of an undecided and of a certain region
_FILLS = np.repeat(np.array(RGB, np.uint8), _SHADES, axis=0)
_OPACITY = np.tile(np.linspace(_FAINT, _STRONG, _SHADES).astype(np.uint8), len(RGB))


def bounds(X: ndarray, *, alike: bool = True) -> Bounds:
    """Give the stretch of the plane to show: all points with a margin, a square where it can be.

    Features on very different scales get an axis each; otherwise distances are drawn true.
    alike : the two are measured in one unit; of unlike ones "very different" is twice as long.
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


def packed(values: ndarray) -> dict:
    """Give an array as Plotly's typed array: half the bytes of a list, and nothing to validate."""
    code = {"f": "f8", "i": "i4", "u": "u1"}[values.dtype.kind]
    if code == "f8" and _single_is_enough(values):
        code = "f4"
    return {"dtype": code, "bdata": b64encode(values.astype(code).tobytes()).decode()}


def _single_is_enough(values: ndarray) -> bool:
    """Whether rounding to single precision moves nothing by more than 1e-5 of the whole."""
    size = np.abs(values)  # a gap, NaN, has none
    most = float(np.fmax.reduce(size, axis=None, initial=0.0))
    return 1e-30 < most < 1e30 and most <= 100 * (most - float(np.fmin.reduce(size, axis=None)))


@lru_cache(maxsize=32)
def grid(box: Bounds, size: int = 100) -> tuple[ndarray, ndarray, ndarray]:
    """Give the cell centres along x and along y, and all (size * size, 2) of them, row by row."""
    left, right, bottom, top = box
    middles = (np.arange(size) + 0.5) / size
    x, y = left + (right - left) * middles, bottom + (top - bottom) * middles
    cells = np.column_stack([np.tile(x, size), np.repeat(y, size)])
    return _shared(x), _shared(y), _shared(cells)


@lru_cache(maxsize=8)
def on_grid(features: Callable[[ndarray], ndarray], box: Bounds, size: int = 100) -> ndarray:
    """Give the features of all cells, as every frame of a run needs them."""
    return _shared(features(grid(box, size)[2]))


@lru_cache(maxsize=8)
def on_corners(features: Callable[[ndarray], ndarray], box: Bounds) -> ndarray:
    """Give the features of the four corners, which are enough to know a linear score."""
    left, right, bottom, top = box
    corners = [[left, bottom], [right, bottom], [left, top], [right, top]]
    return _shared(features(np.array(corners)))


def _shared(array: ndarray) -> ndarray:
    array.flags.writeable = False  # every frame is given the same one
    return array


def contours(x: ndarray, y: ndarray, values: ndarray) -> contourpy.ContourGenerator:
    """Prepare to find the lines on which (len(y), len(x)) values of cells are at a level.

    The lines go on from the middles of the outer cells to their edges.
    """
    return _generator(_outwards(x), _outwards(y), _outwards(_outwards(values).T).T)


def _outwards(values: ndarray) -> ndarray:
    """Continue half a cell beyond the first and the last row."""
    first, last = 1.5 * values[:1] - 0.5 * values[1:2], 1.5 * values[-1:] - 0.5 * values[-2:-1]
    return np.concatenate([first, values, last])


def _generator(x: ndarray, y: ndarray, values: ndarray) -> contourpy.ContourGenerator:
    """Do as `contourpy.contour_generator`, which spends most of the time looking for gaps."""
    across, up = np.broadcast_arrays(x, y[:, None])
    return contourpy.SerialContourGenerator(
        across, up, values, None,  # type: ignore
        corner_mask=True, quad_as_tri=False, z_interp=contourpy.ZInterp.Linear,
        line_type=contourpy.LineType.Separate, fill_type=contourpy.FillType.OuterCode,
    )  # fmt: skip


def regions(winner: ndarray, confidence: ndarray | None, box: Bounds) -> dict:
    """Fill the plane with each cell's class.

    winner : (size, size) class indices, of any number of classes; row 0 is at the bottom.
    confidence : (size, size) from 0 (undecided) to 1 (certain), or None for an even fill.
    """
    shade = _SHADES // 2
    if confidence is not None:
        shade = np.rint(confidence * (_SHADES - 1)).clip(0, _SHADES - 1)
    cells = (winner % len(RGB) * _SHADES + shade).astype(np.uint8)
    return image(cells, _FILLS, _OPACITY, box)


def certainty(share: ndarray, classes: int) -> ndarray:
    """Give how certain a prediction is: 0 where the winner's share is that of chance, 1 for all."""
    return (share - 1 / classes) / (1 - 1 / classes)


def image(cells: ndarray, colors: ndarray, opacity: ndarray, box: Bounds) -> dict:
    """Give an image trace: (rows, columns) indices into (m, 3) colours and (m,) opacities."""
    left, right, bottom, top = box
    dx, dy = (right - left) / cells.shape[1], (top - bottom) / cells.shape[0]
    return {
        "type": "image",
        "source": "data:image/png;base64," + b64encode(png(cells, colors, opacity)).decode(),
        "x0": left + dx / 2,
        "dx": dx,
        "y0": bottom + dy / 2,
        "dy": dy,
        "zsmooth": "fast",
        "hoverinfo": "skip",
    }


def borders(x: ndarray, y: ndarray, scores: ndarray, **style) -> dict:
    """Draw where the class with the highest of (classes, len(y), len(x)) scores changes."""
    # Small against the picture, whose axes may have very different scales.
    scale = np.array([x[-1] - x[0], y[-1] - y[0]])
    lines: list[ndarray] = []
    for k in range(len(scores) if len(scores) > 2 else 1):
        rival = scores[1] if len(scores) == 2 else np.delete(scores, k, axis=0).max(axis=0)
        found = contours(x, y, scores[k] - rival).lines(0.0)
        lines += [np.asarray(piece) / scale for piece in found]
    return line(scale * simplified(joined(lines), 0.001), **style)


def straight_border(scores: ndarray, box: Bounds, **style) -> dict:
    """Draw where a linear score is 0. scores : of the four corners, as `on_corners` orders them."""
    x, y = np.array(box[:2]), np.array(box[2:])
    found = _generator(x, y, scores.reshape(2, 2)).lines(0.0)
    return line(joined(found), **style)  # type: ignore


def level_lines(
    contours: contourpy.ContourGenerator, box: Bounds, *values: float, **stroke
) -> dict:
    """Draw where a surface has one of the values: few points, joined by a smooth curve."""
    scale = np.array([box[1] - box[0], box[3] - box[2]])
    path = joined([np.asarray(piece) for value in values for piece in contours.lines(value)])
    return line(scale * simplified(path / scale, 0.005), line={"shape": "spline", **stroke})


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
) -> dict:
    """Give the data points: colour and symbol tell the group, a thick outline a misclassified one.

    size : (n,) diameters, 1 for the usual one. strength : (n,) opacities from 0 to 1.

    The stage draws them itself, so that they can be painted; see "points" of `figure`.
    """
    drawn = {"x": packed(X[:, 0]), "y": packed(X[:, 1]), "group": packed(_bytes(group))}
    drawn["wrong"] = packed(_bytes(np.zeros(len(X)) if wrong is None else wrong))
    if size is not None:
        drawn["size"] = packed(_bytes(np.rint(SIZES * np.asarray(size)).clip(0, 255)))
    if strength is not None:
        drawn["strength"] = packed(_bytes(np.rint(255 * np.asarray(strength)).clip(0, 255)))
    return drawn


def _bytes(values: ndarray) -> ndarray:
    """Keep whole numbers in a byte each where they fit."""
    return values.astype(np.uint8 if values.max(initial=0) < 256 else np.int64)


def rings(X: ndarray, **marker) -> dict:
    """Put a ring around (m, 2) places; in ink, so that it does not depend on colour."""
    ring = {"symbol": 100, "size": 17, "line": {"width": 2}}
    return line(X, mode="markers", marker=ring | marker)


def marks(kind: ndarray, symbols: Sequence[int], sizes: Sequence[int], width: float) -> dict:
    """Outline some of the figure's points, in ink, to tell of what is not a matter of colour.

    kind : a place in `symbols` and `sizes` for every point. symbols : Plotly's numbers 100 (ring),
    101 (square), 128 and 130 (these with a cross) or 134 (a cross). sizes : in pixels, 0 for no
    mark. width : of the line. The stage draws them, too; see "marks" of `figure`.
    """
    return {
        "kind": packed(kind.astype(np.uint8)),
        "symbols": list(symbols),
        "sizes": list(sizes),
        "width": width,
    }


def edges(start: ndarray, end: ndarray, *, width: ndarray | float = 2, arrow: bool = False) -> dict:
    """Give straight connections from (m, 2) places to (m, 2) places, in ink, below the points.

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
        "mode": "markers+text",
        "x": positions[:, 0].tolist(),
        "y": positions[:, 1].tolist(),
        "text": [str(j + 1) for j in shown],
        "textfont": {
            "color": [figure_on(color(int(j))) for j in shown],
            "size": 13,
            "weight": 700,
        },
        "marker": {
            "size": 24,
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
) -> Figure:
    """Put traces on axes that belong to the data, the same at every step.

    points, marks, edges : from the functions of these names; the stage draws them between the
    filled regions and the lines. Like the traces, a view has them at every step or at none.
    """
    left, right, bottom, top = box
    own = {"points": points, "marks": marks, "edges": edges}
    return {name: value for name, value in own.items() if value is not None} | {
        "data": list(traces),
        "layout": {
            "xaxis": {"range": [left, right], "title": {"text": escape(names[0], quote=False)}},
            # An image would tie the axes to each other; `bounds` decides about their scales.
            "yaxis": {
                "range": [bottom, top],
                "title": {"text": escape(names[1], quote=False)},
                "scaleanchor": False,
            },
            "margin": {"l": 50, "r": 6, "t": 6, "b": 40},
            "dragmode": False,
            "hovermode": False,
            "showlegend": False,
        },
    }


def data_only(data: Plane) -> Figure:
    """Draw the points alone: what is left to show when there is nothing to run."""
    return figure([], data.bounds, data.names, points=points(data.X, data.labels))


def nothing() -> Figure:
    """Draw an empty picture: there is no run to show, and no board."""
    hidden = {"visible": False}
    return {"data": [line(GAP)], "layout": {"xaxis": hidden, "yaxis": hidden}}
