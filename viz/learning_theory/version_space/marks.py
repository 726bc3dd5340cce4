"""What the modes draw: boxes as lines, samples inside or outside the truth, words beside lines."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from viz.core import naming, plane
from viz.core.scene import Bounds, Figure
from viz.core.theme import PALETTE

SQUARE: Bounds = (-3.0, 3.0, -3.0, 3.0)
POSITIVE, NEGATIVE = PALETTE[:2]

_CIRCLE, _SQUARE = 0, 1  # Plotly's symbols
_RIM = 0.3  # around the square, so that no sample is cut at its edge


def outline(box: ndarray) -> ndarray:
    """Return the closed border of a box; sides beyond the picture are at its edge."""
    low, high = np.array(SQUARE).reshape(2, 2).T
    (left, right), (bottom, top) = np.clip(box, low[:, None], high[:, None])
    corners = [[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]]
    return np.array(corners)


def outlines(boxes: Sequence[ndarray], **style: object) -> dict:
    """Draw the borders of boxes as one trace."""
    return plane.line(plane.joined([outline(box) for box in boxes]), **style)


def samples(X: ndarray, positive: ndarray, size: int = 11) -> list[dict]:
    """Draw positives as circles and negatives as squares."""
    kinds = (
        (positive, _CIRCLE, POSITIVE, "positive sample"),
        (~positive, _SQUARE, NEGATIVE, "negative sample"),
    )
    return [
        plane.line(
            X[rows] if rows.any() else plane.GAP,
            mode="markers", marker={"symbol": symbol, "size": size, "color": color}, name=name,
        )
        for rows, symbol, color, name in kinds
    ]  # fmt: skip


def word(text: str, place: ndarray, side: str, **font: object) -> dict:
    """Write a word beside a (1, 2) place, such as the corner of a box or the end of a line."""
    return naming.words(place, text, side, **{"size": 15, "weight": 700} | font)


def picture(traces: list[dict]) -> Figure:
    """Put traces on the square and a little around it."""
    left, right, bottom, top = SQUARE
    figure = plane.figure(traces, (left - _RIM, right + _RIM, bottom - _RIM, top + _RIM))
    for name in ("xaxis", "yaxis"):
        figure["layout"][name] |= {"dtick": 2}  # none at the corner
    return figure
