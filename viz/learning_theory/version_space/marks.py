"""What the modes draw: boxes as lines, samples inside or outside the truth, words beside lines."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.learning_theory.version_space.candidate_elimination import holds
from viz.core import naming, plane
from viz.core.box_borders import box_borders
from viz.core.scene import Bounds, Figure
from viz.core.theme import PALETTE

SQUARE: Bounds = (-3.0, 3.0, -3.0, 3.0)
WHOLE: Bounds = (-4.0, 4.0, -4.0, 4.0)  # beyond the picture
POSITIVE, NEGATIVE = PALETTE[:2]

_CIRCLE, _SQUARE = 0, 1  # Plotly's symbols
_RIM = 0.3  # around the square, so that no sample is cut at its edge
_LETTER, _UP = 0.11, 0.15  # widths of a letter, and from a corner up to the middle of its words
_CLEAR = 0.04  # from a line to words beside it


def outline(box: ndarray) -> ndarray:
    """Return the closed border of a box; sides beyond the picture are at its edge."""
    low, high = np.array(SQUARE).reshape(2, 2).T
    (left, right), (bottom, top) = np.clip(box, low[:, None], high[:, None])
    corners = [[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]]
    return np.array(corners)


def outlines(boxes: Sequence[ndarray], **style: object) -> dict:
    """Draw the borders of boxes as one trace."""
    return plane.line(plane.joined([outline(box) for box in boxes]), **style)


def edge_of_all(boxes: Sequence[ndarray]) -> list[ndarray]:
    """Return the border of everything that some box holds, in straight pieces."""
    shown = np.array([outline(box)[[0, 2]].T for box in boxes]).reshape(-1, 2, 2)
    cuts = [
        (axis, float(side)) for box in shown for axis, sides in enumerate(box) for side in sides
    ]
    ends, *_ = box_borders(lambda X: np.any([holds(box, X) for box in shown], axis=0), cuts, WHOLE)
    return list(ends)


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


def words_at_corner(text: str, lines: Sequence[ndarray], X: ndarray, **font: object) -> dict:
    """Write words above or below the corner of a border at which they are farthest from samples."""
    place, side, _ = free_corner(text, lines, X)
    return word(text, place, side, **font)


def free_corner(text: str, lines: Sequence[ndarray], X: ndarray) -> tuple[ndarray, str, ndarray]:
    """Return where words at a corner are farthest from places X, their side, and their letters."""
    if not len(lines):
        return plane.GAP, "top right", np.empty((0, 2))
    corners = np.concatenate(lines)
    outward = np.where(corners < corners.mean(axis=0), -1, 1)
    ways = np.concatenate([outward, outward * [-1, 1]])  # or along the border
    letters = np.column_stack([_LETTER * np.arange(len(text) + 1), np.full(len(text) + 1, _UP)])
    places = np.tile(corners, (2, 1))[:, None] + ways[:, None] * letters
    near = np.linalg.norm(places[:, :, None] - X, axis=3).min(axis=(1, 2), initial=SQUARE[1])
    fits = (np.abs(places) <= SQUARE[1] + _RIM).all(axis=(1, 2))
    best = int(np.where(fits, near, -near).argmax())
    across, up = ways[best] > 0
    side = f"{'top' if up else 'bottom'} {'right' if across else 'left'}"
    return corners[best % len(corners)] + [0, _CLEAR * ways[best, 1]], side, places[best]


def picture(traces: list[dict]) -> Figure:
    """Put traces on the square and a little around it."""
    left, right, bottom, top = SQUARE
    figure = plane.figure(traces, (left - _RIM, right + _RIM, bottom - _RIM, top + _RIM))
    for name in ("xaxis", "yaxis"):
        figure["layout"][name] |= {"dtick": 2}  # none at the corner
    return figure
