"""What the pictures of linear regression share: lines, residuals, arrows and words on a picture."""

import numpy as np
from numpy import ndarray

from algorithms.regression.least_squares.linear_model import LinearModel
from viz.core import plane
from viz.core.scene import Bounds
from viz.core.theme import PALETTE

RESIDUALS = 200  # drawn at most: a frame stays small, and the eye cannot tell more apart
BEST = {"width": 2, "dash": "dash", "color": PALETTE[0]}
_RESIDUAL = {"width": 1.5, "color": PALETTE[1]}


def parameters(step: LinearModel) -> tuple[float, float]:
    """Give slope and intercept."""
    return float(step.weights[0]), step.intercept


def spread(x: ndarray, most: int) -> ndarray:
    """Choose points, if there are too many: evenly by their place along x."""
    if len(x) <= most:
        return np.arange(len(x))
    return x.argsort(kind="stable")[np.linspace(0, len(x) - 1, most).round().astype(int)]


def fit_line(fit: tuple[float, float], bounds: Bounds, **style) -> dict:
    """Draw the part of a line that can be seen, even of one that is nearly upright."""
    left, right, bottom, top = bounds
    ends = np.array([left, right])
    heights = fit[0] * ends + fit[1]
    seen = np.clip(heights, 2 * bottom - top, 2 * top - bottom)
    if heights[0] != heights[1]:
        share = (seen - heights[0]) / (heights[1] - heights[0])
        ends = left + share.clip(0, 1) * (right - left)
    return plane.line(np.stack([ends, seen], axis=1), **style)


def sticks(X: ndarray, line: tuple[float, float], bounds: Bounds) -> dict:
    """Draw the residuals as lines from the points to the line."""
    fit = within(np.stack([X[:, 0], line[0] * X[:, 0] + line[1]], axis=1), bounds)
    gaps = np.full_like(X, np.nan)
    return plane.line(np.stack([X, fit, gaps], axis=1).reshape(-1, 2), line=_RESIDUAL, opacity=0.6)


def within(path: ndarray, box: Bounds) -> ndarray:
    """Keep coordinates of places far outside the picture in the range that can be drawn."""
    low, high = np.array(box[::2]), np.array(box[1::2])
    far = 50 * (high - low)
    return np.clip(path, low - far, high + far)


def arrow(start: ndarray, end: ndarray, color: str | None) -> dict:
    """Draw an arrow, in ink without a colour; nothing where the end is NaN."""
    style = {} if color is None else {"color": color}
    return plane.line(
        np.stack([start, end]),
        mode="lines+markers",
        line={"width": 3, **style},
        marker={
            "symbol": "arrow" if np.abs(end - start).max() > 0.01 else "circle",
            "size": [0, 13],
            "angleref": "previous",
            "opacity": 1,
            "line": {"width": 0},
            **style,
        },
        cliponaxis=False,
    )


def text(place: ndarray, words: str, position: str, color: str | None) -> dict:
    """Write words at a place."""
    return plane.line(
        place[None],
        mode="text",
        text=[words],
        textposition=position,
        textfont={"size": 14} | ({} if color is None else {"color": color}),
        cliponaxis=False,
    )
