"""What the modes draw: boxes as lines, samples inside or outside the truth, words beside lines."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.learning_theory.version_space.candidate_elimination import holds
from viz.core import curves, naming, plane
from viz.core.box_borders import box_borders
from viz.core.scene import Bounds, Figure
from viz.core.theme import PALETTE

SQUARE: Bounds = (-3.0, 3.0, -3.0, 3.0)
WHOLE: Bounds = (-4.0, 4.0, -4.0, 4.0)  # beyond the picture
POSITIVE, NEGATIVE = PALETTE[:2]

_CIRCLE, _SQUARE = 0, 1  # Plotly's symbols
PICTURE: Bounds = (-3.3, 3.3, -3.3, 3.3)  # more than the square, so that no sample is cut


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
            showlegend=True,
        )
        for rows, symbol, color, name in kinds
    ]  # fmt: skip


def word(text: str, place: ndarray, side: str, **font: object) -> dict:
    """Write a word beside a (1, 2) place, such as the corner of a box or the end of a line."""
    return naming.words(place, text, side, **{"size": 15, "weight": 700} | font)


def corner_name(text: str, lines: Sequence[ndarray], **font: object) -> naming.Name:
    """Return words for any corner of a border, to the outside or along the border."""
    corners = np.concatenate([*lines, np.empty((0, 2))])
    outward = np.where(corners < corners.mean(axis=0), -1, 1) if len(corners) else corners
    where = [
        (corner, f"{'top' if up > 0 else 'bottom'} {'right' if across * way > 0 else 'left'}")
        for way in (1, -1)
        for corner, (across, up) in zip(corners, outward, strict=True)
    ]
    return naming.Name(text, where, {"size": 15, "weight": 700} | font)


def picture(traces: list[dict], *, legend: bool = False) -> Figure:
    """Put traces on the square and a little around it. legend : which samples are positive."""
    figure = plane.figure(traces, PICTURE)
    for name in ("xaxis", "yaxis"):
        figure["layout"][name] |= {"dtick": 2}  # none at the corner
    return curves.with_legend(figure) if legend else figure
