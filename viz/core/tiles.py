"""Small multiples: a wall of small pictures of the plane, all of them in one image.

Two labs show many methods on the same points in this way: all classifiers, all clusterings.
"""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from viz.core import curves, plane
from viz.core.scene import Bounds, Figure

COLUMNS = 5  # of a wall beside the picture
CELLS = 100  # dots of a tile, both ways

_FEW = 300  # points: if there are more, each is smaller on a tile
_ROUND = 0.52  # of a point's width: dots farther from its middle are left out; of two, none is
_ROOM = 1.08  # times the points' own room
_LEAST = 0.1  # of the plane
_LEFT, _ACROSS = 6, 112  # dots to the left of a tile, and from one tile to the next
_LEVEL = 8  # of the compression: each step of a wall sends its own image
_ABOVE, _DOWN = 4, 164  # dots above a tile, and from one tile to the next, words included


def sheet(
    tiles: Sequence[ndarray], clear: int, columns: int = COLUMNS, down: int = _DOWN
) -> ndarray:
    """Put (CELLS, CELLS) tiles of colour numbers side by side, in rows, with `clear` between.

    down : dots from one tile to the next below it. In few rows more keep the tiles from being tall.
    """
    rows = -(-len(tiles) // columns)
    dots = np.full((rows * down, columns * _ACROSS), clear, np.uint8)
    for i, tile in enumerate(tiles):
        bottom = (rows - i // columns) * down - _ABOVE - CELLS
        left = _LEFT + i % columns * _ACROSS
        dots[bottom : bottom + CELLS, left : left + CELLS] = tile
    return dots


def dotted(X: ndarray, look: ndarray, box: Bounds, clear: int, wide: int | None = None) -> ndarray:
    """Return a tile with only the points on it. look : their colour numbers.

    Four dots by four have no corners, so that points look round. wide : dots across a point; if not
    given, fewer if there are many points.
    """
    left, right, bottom, top = box
    share = (X - [left, bottom]) / [right - left, top - bottom]
    wide = wide or width(len(share))
    column, row = np.floor(CELLS * share).astype(int).T - wide // 2
    tile = np.full((CELLS, CELLS), clear, np.uint8)
    middle = (wide - 1) / 2
    up, across = np.nonzero(np.hypot(*np.indices((wide, wide)) - middle) < _ROUND * wide)
    rows, columns = row[:, None] + up, column[:, None] + across
    inside = ((rows >= 0) & (rows < CELLS) & (columns >= 0) & (columns < CELLS)).ravel()
    group = np.repeat(look, len(up))
    tile[rows.ravel()[inside], columns.ravel()[inside]] = group[inside]
    return tile


def width(count: int) -> int:
    """Return the dots across a point, of `count` points."""
    return 4 if count <= _FEW else 2


def close(X: ndarray, box: Bounds, stretch: float = 1.0) -> Bounds:
    """Return the part of a box that the points fill, with the box's proportions.

    stretch : the narrower side of the points may be drawn larger by up to this factor.
    """
    low, high = X.min(axis=0), X.max(axis=0)
    size = np.array([box[1] - box[0], box[3] - box[2]])
    share = (high - low) / size
    half = _ROOM / 2 * np.maximum(share, max(share.max(), _LEAST) / stretch) * size
    left, bottom = (low + high) / 2 - half
    right, top = (low + high) / 2 + half
    return left, right, bottom, top


def image(
    dots: ndarray, colors: ndarray, opacity: ndarray, down: int = _DOWN, every: int = 1
) -> dict:
    """Draw a sheet of indices into (m, 3) colours and (m,) opacities of 255.

    every : how many dots are drawn as one, for a background that must not be a large file.
    """
    rows, columns = dots.shape[0] // down, dots.shape[1] // _ACROSS
    dots = dots[::every, ::every]
    return plane.image(dots, colors, opacity, (0.0, float(columns), -float(rows), 0.0), _LEVEL)


def wall(
    image: dict,
    words: Sequence[str],
    now: int,
    steps: int,
    picked: ndarray | None = None,
    columns: int = COLUMNS,
    down: int = _DOWN,
) -> Figure:
    """Draw all tiles, the first `steps` numbered, with words below each; a frame is around `now`.

    picked : a place as shares of the tile from its lower left, with a cross hair on every numbered
    tile that holds it.
    """
    m = len(words)
    column, row = np.arange(m) % columns, np.arange(m) // columns
    left, top = column + _LEFT / _ACROSS, -row - _ABOVE / down
    right, foot = left + CELLS / _ACROSS, top - CELLS / down
    frame = [(left, top), (right, top), (right, foot), (left, foot), (left, top)]
    here = np.array([(x[now], y[now]) for x, y in frame])
    traces = [
        image,
        _text((left + right) / 2, foot - 0.035, words, "bottom center"),
        _text(
            left[:steps] + 0.02,  # clear of the frame
            top[:steps] - 0.01,
            [str(i + 1) for i in range(steps)],
            "bottom right",
        ),
    ]
    if picked is not None:
        inside = 1.0 if ((picked >= 0) & (picked <= 1)).all() else np.nan
        rings = inside * np.column_stack(
            [left + picked[0] * (right - left), foot + picked[1] * (top - foot)]
        )
        rings[steps:] = np.nan
        cross = {"symbol": 127, "size": 11, "line": {"width": 1.5}}
        traces.append(plane.line(rings, mode="markers", marker=cross, name="the picked place"))
    framed = {"line": {"width": 3}, "name": "frame: the method shown"}
    traces.append(plane.line(here, **framed, cliponaxis=False))
    hidden = {"visible": False, "fixedrange": True}
    layout = curves.panel_layout(
        xaxis={"range": [0, columns], **hidden},
        yaxis={"range": [m // -columns, 0], "scaleanchor": False, **hidden},
    )
    layout["margin"] = {"l": 8, "r": 8, "t": 2, "b": 2}
    return {"data": traces, "layout": layout}


def _text(x: ndarray, y: ndarray, words: Sequence[str], where: str) -> dict:
    style = {"textposition": where, "cliponaxis": False, "textfont": {"shadow": "auto"}}
    return plane.line(np.column_stack([x, y]), mode="text", text=list(words), **style)


def left_out(methods: Sequence[tuple[str, str]]) -> list[str]:
    """Write which methods refused the data, each with its reason."""
    return [f"{name} is left out: {reason}." for name, reason in methods]
