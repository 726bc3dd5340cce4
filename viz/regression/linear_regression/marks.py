"""Shared parts of the modes of linear regression: lines, residuals, arrows, and equations."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy import ndarray

from algorithms.regression.linear_model import LinearModel
from viz.core import curves, plane
from viz.core.drawing import Drawing
from viz.core.found import Curve
from viz.core.scene import Bounds, Figure, Plane
from viz.core.theme import PALETTE
from viz.core.words import added, enclosed, number

Line = tuple[float, float]  # slope and intercept

RESIDUALS = 200  # drawn at most: a frame stays small, and the eye cannot distinguish more
SQUARES = 40  # drawn at most: more of them hide each other
BEST = {"width": 2, "dash": "dash", "color": PALETTE[0]}
_PALE = "rgba(213, 94, 0, 0.16)"
_RESIDUAL = {"width": 1.5, "color": PALETTE[1]}

four = partial(number, digits=4)
enclosed_four = partial(enclosed, digits=4)


def parameters(step: LinearModel) -> Line:
    """Return slope and intercept."""
    return float(step.weights[0]), step.intercept


def one_kind(data: Plane) -> ndarray:
    """Return the group 0 for every point: a regression has no classes."""
    return np.zeros_like(data.labels)


def spread(x: ndarray, most: int) -> ndarray:
    """Return the indices of the points to draw: if there are too many, evenly chosen along x."""
    if len(x) <= most:
        return np.arange(len(x))
    return x.argsort(kind="stable")[np.linspace(0, len(x) - 1, most).round().astype(int)]


def visible(fit: Line, bounds: Bounds) -> ndarray:
    """Return the ends of the part of a line that can be seen, even if it is nearly upright."""
    left, right, bottom, top = bounds
    ends = np.array([left, right])
    heights = fit[0] * ends + fit[1]
    seen = np.clip(heights, 2 * bottom - top, 2 * top - bottom)
    if heights[0] != heights[1]:
        share = (seen - heights[0]) / (heights[1] - heights[0])
        ends = left + share.clip(0, 1) * (right - left)
    return np.stack([ends, seen], axis=1)


def fit_line(fit: Line, bounds: Bounds, **style) -> dict:
    """Draw the part of a line that can be seen."""
    return plane.line(visible(fit, bounds), **style)


def keyed(name: str) -> dict:
    """Return the attributes that name a trace in the row above the picture."""
    return {"name": name, "showlegend": True}


def with_key(figure: Figure) -> Figure:
    """Return a picture with a row above it that names the lines.

    There is as much room at its sides as above and below, so that squares look square.
    """
    figure["layout"]["margin"] = {"l": 50, "r": 32, "t": 38, "b": 44}
    return curves.with_legend(figure, x=0, xanchor="left")


def line_by_hand(data: Plane, best: Line, cost: Callable[[ndarray], float]) -> Drawing:
    """Return the line as a class draws it, beginning level in the middle of the picture."""
    left, right, bottom, top = data.bounds
    corner, size = np.array([left, bottom]), np.array([right - left, top - bottom])
    return Drawing(
        task="Draw the line with the least mean squared error.",
        shape="line",
        names=("Left handle", "Right handle"),
        start=corner + size * [[0.2, 0.5], [0.8, 0.5]],
        measure="mean squared error",
        cost=cost,
        best=visible(best, data.bounds),
    )


def found(fit: Line, bounds: Bounds) -> Curve:
    """Return the visible part of a line, for Compare."""
    return Curve(visible(fit, bounds))


def sticks(X: ndarray, fit: Line, bounds: Bounds) -> dict:
    """Draw the residuals as lines from the points to the line, for 200 points at most."""
    X = X[spread(X[:, 0], RESIDUALS)]
    on_line = within(np.stack([X[:, 0], fit[0] * X[:, 0] + fit[1]], axis=1), bounds)
    gaps = np.full_like(X, np.nan)
    path = np.stack([X, on_line, gaps], axis=1).reshape(-1, 2)
    return plane.line(path, line=_RESIDUAL, opacity=0.25, name="residual")


def squares(X: ndarray, fit: Line, bounds: Bounds) -> dict:
    """Draw the square of every residual, or of SQUARES points, the same for every fit."""
    left, right, bottom, top = bounds
    x, y = X[spread(X[:, 0], SQUARES)].T
    heights = fit[0] * x + fit[1]
    side = np.abs(y - heights) * (right - left) / (top - bottom)
    near = np.where((y - heights) * fit[0] > 0, x - side, x)
    low, high = np.minimum(y, heights), np.maximum(y, heights)
    gap = np.full_like(x, np.nan)
    # All of them the same way round, or overlaps would be holes.
    across = np.stack([near, near + side, near + side, near, near, gap], axis=1)
    up = np.stack([low, low, high, high, low, gap], axis=1)
    path = np.stack([across.ravel(), up.ravel()], axis=1)
    return plane.line(
        path,
        fill="toself",
        fillcolor=_PALE,
        line={"width": 0.5, "color": PALETTE[1]},
        **keyed("residual²" if len(X) <= SQUARES else f"residual², {SQUARES} of {len(X)}"),
    )


def reading(x: float, fit: Line, bounds: Bounds) -> dict:
    """Draw where the line is at the ring's x: dotted up from the bottom, with a dot on the line."""
    on_line = within(np.array([[x, fit[0] * x + fit[1]]]), bounds)[0]
    return plane.line(
        np.array([[x, bounds[2]], on_line]),
        mode="lines+markers",
        line={"width": 2, "dash": "dot", "color": PALETTE[2]},
        marker={"size": [0, 11], "color": PALETTE[2], "opacity": 1},
        name="prediction at the picked x",
    )


def within(path: ndarray, box: Bounds) -> ndarray:
    """Return the path with places far outside the picture moved into the range it can draw."""
    low, high = np.array(box[::2]), np.array(box[1::2])
    far = 50 * (high - low)
    return np.clip(path, low - far, high + far)


def text(place: ndarray, words: str, position: str, color: str | None) -> dict:
    """Draw words at a place."""
    return plane.line(
        place[None],
        mode="text",
        text=[words],
        textposition=position,
        textfont={"size": 14} | ({} if color is None else {"color": color}),
        cliponaxis=False,
    )


def equation(step: LinearModel) -> str:
    """Write y = w x + b with a step's numbers."""
    return equation_of(*parameters(step))


def equation_of(w: float, b: float) -> str:
    """Write y = w x + b, without a b that is rounding."""
    b = b if abs(b) > 1e-12 * abs(w) else 0.0
    return f"y = {four(w)} x {added(b, 4)}"


def read_off(x: float, fit: Line, bounds: Bounds) -> str:
    """Write what a line predicts at the picked x, and whether that is outside the picture."""
    w, b = fit
    product, y = f"{four(w)} · {enclosed(x)} {added(b, 4)}", w * x + b
    outside = ", below the picture" if y < bounds[2] else ", above the picture"
    seen = bounds[2] <= y <= bounds[3]
    return f"Picked x = {number(x)}: the line says {product} = {four(y)}{'' if seen else outside}."


def columns_note(data: Plane, unused: int) -> str:
    """Write which column is predicted from which. unused : how many more the table has."""
    rest = f" The other {unused} columns are not used." if unused > 1 else ""
    if unused == 1:
        rest = " The other column is not used."
    return f"{data.names[1]} is predicted from {data.names[0]}.{rest}"


def squares_note(data: Plane) -> str:
    """Write for which points the squares are drawn."""
    if len(data.X) <= SQUARES:
        return " The square of every residual is drawn."
    return f" Squares: {SQUARES} points, evenly along x; more squares would hide each other."
