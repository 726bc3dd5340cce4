"""What the pictures of linear regression share: lines, residuals, arrows and words on a picture."""

import numpy as np
from numpy import ndarray

from algorithms.regression.least_squares.linear_model import LinearModel
from viz.core import plane
from viz.core.scene import Bounds
from viz.core.theme import PALETTE

RESIDUALS = 200  # drawn at most: a frame stays small, and the eye cannot tell more apart
SQUARES = 12  # drawn at most: more of them hide each other
BEST = {"width": 2, "dash": "dash", "color": PALETTE[0]}
_PALE = "rgba(213, 94, 0, 0.16)"
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


def squares(X: ndarray, line: tuple[float, float], bounds: Bounds) -> dict:
    """Draw the square of every residual, beside it on the side away from the line."""
    left, right, bottom, top = bounds
    x, y = X.T
    fit = line[0] * x + line[1]
    side = np.abs(y - fit) * (right - left) / (top - bottom)
    near = np.where((y - fit) * line[0] > 0, x - side, x)
    low, high = np.minimum(y, fit), np.maximum(y, fit)
    gap = np.full_like(x, np.nan)
    # All of them the same way round, or overlaps would be holes.
    across = np.stack([near, near + side, near + side, near, near, gap], axis=1)
    up = np.stack([low, low, high, high, low, gap], axis=1)
    path = np.stack([across.ravel(), up.ravel()], axis=1)
    return plane.line(
        path, fill="toself", fillcolor=_PALE, line={"width": 0.5, "color": PALETTE[1]}
    )


def reading(x: float, line: tuple[float, float], bounds: Bounds) -> dict:
    """Draw where the line is at the ring's x: dotted up from the bottom, with a dot on the line."""
    on_line = within(np.array([[x, line[0] * x + line[1]]]), bounds)[0]
    return plane.line(
        np.array([[x, bounds[2]], on_line]),
        mode="lines+markers",
        line={"width": 2, "dash": "dot", "color": PALETTE[2]},
        marker={"size": [0, 11], "color": PALETTE[2], "opacity": 1},
    )


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
