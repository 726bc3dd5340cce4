"""What the modes draw: boxes as lines, samples inside or outside the truth, words beside lines."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from viz.core import curves, naming, plane
from viz.core.scene import Bounds, Figure
from viz.core.theme import PALETTE

SQUARE: Bounds = (-3.0, 3.0, -3.0, 3.0)
POSITIVE, NEGATIVE = PALETTE[:2]

_CIRCLE, _SQUARE = 0, 1  # Plotly's symbols
_CLOSED = 5  # places of a box's border, the first one twice
_CLEAR = 0.15  # from a border to its name
_PIXEL = 0.016  # of a picture of the usual size
HANDLE = 24  # pixels, across
CLEAR_OF_HANDLE = 0.22  # from the middle of one to its name
PICTURE: Bounds = (-3.3, 3.3, -3.3, 3.3)  # more than the square, so that no sample is cut


def outline(box: ndarray) -> ndarray:
    """Return the closed border of a box; sides beyond the picture are at its edge."""
    low, high = np.array(SQUARE).reshape(2, 2).T
    (left, right), (bottom, top) = np.clip(box, low[:, None], high[:, None])
    corners = [[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]]
    return np.array(corners)


def beside(outline: ndarray, off: float) -> ndarray:
    """Return the border of a box moved outwards on all sides, or inwards if `off` is below 0."""
    return outline + off * np.sign(outline - (outline.min(axis=0) + outline.max(axis=0)) / 2)


def beside_others(outline: ndarray, off: float, others: Sequence[ndarray]) -> ndarray:
    """Return the border of a box with those sides moved that share a line with another border."""
    outwards = np.sign(outline - (outline.min(axis=0) + outline.max(axis=0)) / 2)
    sides = np.array([each for o in others for each in (o.min(axis=0), o.max(axis=0))])
    shared = np.isclose(outline[:, None], sides.reshape(-1, 2)).any(axis=1)
    return outline + off * outwards * shared


def outlines(boxes: Sequence[ndarray], **style: object) -> dict:
    """Draw the borders of boxes as one trace."""
    return plane.line(plane.joined([outline(box) for box in boxes]), **style)


def samples(X: ndarray, positive: ndarray, size: int = 11) -> list[dict]:
    """Draw positives as circles and negatives as squares."""
    kinds = (
        (positive, _CIRCLE, POSITIVE, "positive"),
        (~positive, _SQUARE, NEGATIVE, "negative"),
    )
    return [
        plane.line(
            X[rows] if rows.any() else plane.GAP,
            mode="markers", marker={"symbol": symbol, "size": size, "color": color}, name=name,
            showlegend=True,
        )
        for rows, symbol, color, name in kinds
    ]  # fmt: skip


def word(text: str, place: ndarray, side: str, **font: object) -> dict:
    """Write a word beside a (1, 2) place, such as the corner of a box or the end of a line."""
    return naming.words(place, text, side, **{"size": 15, "weight": 700} | font)


def corner_name(text: str, lines: Sequence[ndarray], size: int = 11, **font: object) -> naming.Name:
    """Return words clear of a border: inside it, beside its sides, or outside of its corners.

    size : of the samples on the border, in pixels.
    """
    off = _CLEAR + _PIXEL * (size - 11) / 2
    corners = np.concatenate([*lines, np.empty((0, 2))])
    outward = np.where(corners < corners.mean(axis=0), -1, 1) if len(corners) else corners
    where = []
    for onwards in (True, False):  # away from the border, or along it
        for corner, (across, up) in zip(corners, outward, strict=True):
            right = (across > 0) == onwards
            place = corner + off * np.array([across if onwards else 0, up])
            where.append((place, f"{'top' if up > 0 else 'bottom'} {'right' if right else 'left'}"))
    if len(lines) == 1 and len(corners) == _CLOSED and (corners[0] == corners[-1]).all():
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
        beside = []
        for way, axis, side in (
            (-1, 0, "middle left"), (1, 0, "middle right"),
            (1, 1, "top center"), (-1, 1, "bottom center"),
        ):  # fmt: skip
            place = middle.copy()
            place[axis] += way * (np.ptp(corners[:, axis]) / 2 + off)
            beside.append((place, side))
        inside = []  # first of all, because no negative sample is in the box
        for corner, (across, up) in zip(corners[-2::-1], outward[-2::-1], strict=True):
            side = f"{'bottom' if up > 0 else 'top'} {'left' if across > 0 else 'right'}"
            inside.append((corner - off * np.array([across, up]), side))
        where = inside + beside + where
    return naming.Name(text, where, {"size": 15, "weight": 700} | font)


def extents(X: ndarray, size: float) -> ndarray:
    """Return the middle and the four corners of every sign. size : of a sign, in pixels."""
    steps = _PIXEL * size / 2 * np.array([[0, 0], [-1, -1], [-1, 1], [1, -1], [1, 1]])
    return (X[:, None] + steps).reshape(-1, 2)


def picture(traces: list[dict], *, legend: bool = False, cells: int = 0) -> Figure:
    """Put traces on the square and a little around it.

    legend : which samples are positive. cells : along an axis, on whose edges thin lines are.
    """
    figure = plane.figure(traces, PICTURE)
    left, right, *_ = SQUARE
    for name in ("xaxis", "yaxis"):
        figure["layout"][name] |= {"dtick": 2}  # none at the corner
        if cells:
            figure["layout"][name]["minor"] = {"dtick": (right - left) / cells, "showgrid": True}
    return curves.with_legend(figure) if legend else figure
