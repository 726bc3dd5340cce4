"""What every picture of the data plane is made of: axes, regions, boundaries, points, centres."""

from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape
from io import BytesIO

import contourpy
import numpy as np
from numpy import ndarray
from PIL import Image

from viz.theme import PALETTE, RGB

Bounds = tuple[float, float, float, float]  # left, right, bottom, top

_SHADES = 8  # steps of confidence in a region's fill
_FAINT, _STRONG = 20, 130  # opacity of 255 of an undecided and of a certain region


def bounds(X: ndarray) -> Bounds:
    """Give the stretch of the plane to show: all points with a margin, a square where it can be.

    Features on very different scales get an axis each; otherwise distances are drawn true.
    """
    if len(X) == 0:
        return (-3.0, 3.0, -3.0, 3.0)
    low, high = X.min(axis=0), X.max(axis=0)
    middle, span = (low + high) / 2, np.maximum(high - low, 1e-9 * (1 + np.abs(high)))
    if span.max() < 6 * span.min() or span.min() < 1e-6 * span.max():
        span[:] = span.max()
    span = np.where(span < 1e-6, 2.0, span)  # one point, or all of them on one spot
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
    size = np.abs(values[np.isfinite(values)])
    most = float(size.max(initial=0.0))
    return 1e-30 < most < 1e30 and most <= 100 * (most - float(size.min()))


@lru_cache(maxsize=32)
def grid(box: Bounds, size: int = 100) -> tuple[ndarray, ndarray, ndarray]:
    """Give the cell centres along x and along y, and all (size * size, 2) of them, row by row."""
    left, right, bottom, top = box
    cells = (np.arange(size) + 0.5) / size
    x, y = left + (right - left) * cells, bottom + (top - bottom) * cells
    found = x, y, np.column_stack([np.tile(x, size), np.repeat(y, size)])
    for array in found:
        array.flags.writeable = False  # every frame is given the same ones
    return found


@lru_cache(maxsize=8)
def on_grid(features: Callable[[ndarray], ndarray], box: Bounds, size: int = 100) -> ndarray:
    """Give the features of all cells, as every frame of a run needs them."""
    found = features(grid(box, size)[2])
    found.flags.writeable = False
    return found


def contours(x: ndarray, y: ndarray, values: ndarray) -> contourpy.ContourGenerator:
    """Prepare to find the lines on which (len(y), len(x)) values are at a level.

    `contourpy.contour_generator` makes the same, but spends most of the time looking for gaps.
    """
    across, up = np.broadcast_arrays(x, y[:, None])
    return contourpy.SerialContourGenerator(
        across, up, values, None,  # type: ignore
        corner_mask=True, quad_as_tri=False, z_interp=contourpy.ZInterp.Linear,
        line_type=contourpy.LineType.Separate, fill_type=contourpy.FillType.OuterCode,
    )  # fmt: skip


def regions(winner: ndarray, confidence: ndarray | None, box: Bounds) -> dict:
    """Fill the plane with each cell's class.

    winner : (size, size) class indices; row 0 is at the bottom.
    confidence : (size, size) from 0 (undecided) to 1 (certain), or None for an even fill.
    """
    if confidence is None:
        shade = np.full(winner.shape, _SHADES // 2)
    else:
        shade = np.rint(confidence * (_SHADES - 1)).clip(0, _SHADES - 1)
    cells = (winner * _SHADES + shade).astype(np.uint8)
    colors = np.repeat(np.array(RGB, np.uint8), _SHADES, axis=0)
    opacity = np.tile(np.linspace(_FAINT, _STRONG, _SHADES).astype(np.uint8), len(RGB))
    return image(cells, colors, opacity, box)


def image(cells: ndarray, colors: ndarray, opacity: ndarray, box: Bounds) -> dict:
    """Give an image trace: (rows, columns) indices into (m, 3) colours and (m,) opacities."""
    picture = Image.fromarray(cells, mode="P")
    picture.putpalette(colors.tobytes())
    file = BytesIO()
    picture.save(file, "PNG", transparency=opacity.tobytes())
    left, right, bottom, top = box
    dx, dy = (right - left) / cells.shape[1], (top - bottom) / cells.shape[0]
    return {
        "type": "image",
        "source": "data:image/png;base64," + b64encode(file.getvalue()).decode(),
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
        rival = np.maximum.reduce([score for j, score in enumerate(scores) if j != k])
        found = contours(x, y, scores[k] - rival).lines(0.0)
        lines += [scale * _simplified(np.asarray(piece) / scale, 0.001) for piece in found]
    return line(_joined(lines), **style)


def _simplified(path: ndarray, tolerance: float) -> ndarray:
    """Leave out points of an (m, 2) line that are no farther than the tolerance from the rest.

    Source: Ramer 1972, Douglas and Peucker 1973.
    """
    keep = np.zeros(len(path), bool)
    keep[[0, -1]] = True
    spans = [(0, len(path) - 1)]
    while spans:
        first, last = spans.pop()
        between = path[first + 1 : last] - path[first]
        if len(between) == 0:
            continue
        along = path[last] - path[first]
        length = along @ along  # 0 for a closed line
        share = (between @ along / length).clip(0, 1) if length > 0 else np.zeros(len(between))
        far = np.hypot(*(between - share[:, None] * along).T)
        if far.max() > tolerance:
            middle = first + 1 + int(far.argmax())
            keep[middle] = True
            spans += [(first, middle), (middle, last)]
    return path[keep]


def _joined(lines: Sequence[ndarray]) -> ndarray:
    gap = np.full((1, 2), np.nan)
    return np.concatenate([part for piece in lines for part in (piece, gap)] or [gap])


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


def points(X: ndarray, group: ndarray, wrong: ndarray | None = None) -> dict:
    """Draw the data: the colour tells the group, a thick outline that it is misclassified.

    The stage finds this trace by its `meta` and draws it itself, so that points can be painted; it
    gives each group its symbol as well.
    """
    group = group.astype(np.uint8)
    outline = np.zeros(len(X), np.uint8) if wrong is None else wrong.astype(np.uint8)
    steps = np.repeat(np.arange(len(PALETTE) + 1) / len(PALETTE), 2)[1:-1]
    return {
        "type": "scatter",
        "mode": "markers",
        "meta": "points",
        "x": packed(X[:, 0]),
        "y": packed(X[:, 1]),
        "marker": {
            "size": 9,
            "color": packed(group),
            "cmin": -0.5,
            "cmax": len(PALETTE) - 0.5,
            "colorscale": list(zip(steps.tolist(), np.repeat(PALETTE, 2).tolist(), strict=True)),
            "line": {"width": packed(2 * outline)},
        },
        "hoverinfo": "skip",
        "showlegend": False,
    }


def rings(X: ndarray, **marker) -> dict:
    """Put a ring around (m, 2) places; in ink, so that it does not depend on colour."""
    ring = {"symbol": 100, "size": 17, "line": {"width": 2}}
    return line(X, mode="markers", marker=ring | marker)


def centers(positions: ndarray) -> dict:
    """Draw numbered centres, each in the colour of its group."""
    shown = np.arange(len(positions))
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": positions[:, 0].tolist(),
        "y": positions[:, 1].tolist(),
        "text": [str(j + 1) for j in shown],
        "textfont": {"color": "#ffffff", "size": 13, "weight": 700},
        "marker": {
            "size": 24,
            "color": [PALETTE[j] for j in shown],
            "line": {"width": 3, "color": "#ffffff"},
        },
        "hoverinfo": "skip",
        "showlegend": False,
    }


def figure(traces: Sequence[dict], box: Bounds, names: tuple[str, str] = ("x", "y")) -> dict:
    """Put traces on axes that belong to the data, the same at every step."""
    left, right, bottom, top = box
    return {
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


def data_only(X: ndarray, group: ndarray, box: Bounds, names: tuple[str, str]) -> dict:
    """Draw the points alone: what is left to show when there is nothing to run."""
    return figure([points(X, group)], box, names)
