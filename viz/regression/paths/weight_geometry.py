"""The picture of two weights: error ellipses, the ball of the norm, and where they touch."""

import numpy as np
from numpy import ndarray

from viz.core import panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure
from viz.core.theme import GREY, NOW, PALETTE, RGB
from viz.regression.paths import linear_paths
from viz.regression.paths.linear_paths import Path

_BANDS = 32
_POINTS = 150  # on the fitted plane at most
_SIZE = 40  # cells along a side of it


def geometry(path: Path, now: int) -> Panel:
    """Draw the ball of all weights that are as small, and the ellipse that touches it."""
    account, w = path.account, path.steps[now].weights
    x, y, ends = _window(account.measured.weights)
    traces = [
        plane.line(plane.joined(list(account.fixed)), line={"width": 1, "color": GREY}),
        plane.line(
            _ball(float(np.linalg.norm(w, account.order)), account.order),
            fill="toself",
            fillcolor="rgba(0,114,178,0.18)",
            line={"width": 2, "color": PALETTE[0]},
        ),
        plane.line(account.touching[now], line={"width": 2, "color": NOW}),
        plane.line(account.measured.weights, line={"width": 2, "dash": "dot"}),
        plane.line(ends, mode="markers", marker={"size": 9, "symbol": "x"}),
        plane.line(w[None], mode="markers", marker={"size": 12, "color": NOW}),
    ]
    return Panel(traces, *_axes(path.made.names, x, y))


def geometry_and_prior(path: Path, now: int) -> Figure:
    """Draw the geometry of the two weights, and the prior beside it."""
    left, right = geometry(path, now), linear_paths.prior(path, now)
    return panels.side_by_side(left, right, split=0.56, room=0.04)


def path_and_plane(path: Path, now: int) -> Figure:
    """Draw the two weights against the penalty, and the fitted plane over the two features.

    The features of one column lie on a curve: beside the path are then the errors.
    """
    left = linear_paths.against_penalty(path, now)
    right = linear_paths.errors(path, now) if path.made.curve else fitted_plane(path, now)
    return panels.side_by_side(left, right, split=0.46, room=0.13)


def fitted_plane(path: Path, now: int) -> Panel:
    """Draw the fitted plane as shades over the two features, with the training points.

    Shades, the lines between them and the points' colours are on one scale, that of the target.
    """
    X, y = path.made.training
    box = plane.bounds(np.array([X.min(axis=0), X.max(axis=0)]))
    low, high = float(y.min()), float(y.max())
    _, _, cells = plane.grid(box, _SIZE)
    fitted = path.steps[now].predict(cells).reshape(_SIZE, _SIZE)
    band = ((fitted - low) / (high - low or 1.0) * _BANDS).clip(0, _BANDS - 1).astype(np.uint8)
    shade = np.linspace(0, 1, _BANDS)[:, None]
    colors = (shade * RGB[1] + (1 - shade) * RGB[0]).astype(np.uint8)
    opacity = (40 + 150 * np.abs(2 * shade[:, 0] - 1)).astype(np.uint8)
    some = np.linspace(0, len(X) - 1, min(len(X), _POINTS)).round().astype(int)
    scale = [[0, PALETTE[0]], [0.5, "#dddddd"], [1, PALETTE[1]]]
    traces = [
        plane.image(band, colors, opacity, box),
        plane.line(
            X[some],
            mode="markers",
            marker={
                "size": 6, "color": plane.packed(y[some]), "cmin": low, "cmax": high,
                "colorscale": scale, "line": {"width": 1, "color": "#333333"},
            },
        ),
    ]  # fmt: skip
    sides = [
        {"title": {"text": panels.label(name), "standoff": 4}, "range": list(ends), "nticks": 4}
        for name, ends in zip(path.made.names, (box[:2], box[2:]), strict=True)
    ]
    return Panel(traces, sides[0], {**sides[1], "scaleanchor": False})


def _ball(radius: float, order: int) -> ndarray:
    """Give the outline of all w with a norm of at most `radius`."""
    turn = np.linspace(0, 2 * np.pi, 73 if order == 2 else 5)
    return radius * np.column_stack([np.cos(turn), np.sin(turn)])


def _window(path: ndarray) -> tuple[list[float], list[float], ndarray]:
    """Give the stretch of weights to show, and the two ends: 0 and least squares."""
    ends = np.array([[0.0, 0.0], path[-1]])
    shown = np.vstack([path, ends])
    low, high = shown.min(axis=0), shown.max(axis=0)
    room = 0.3 * (float((high - low).max()) or 1.0)
    x, y = ([float(a - room), float(b + room)] for a, b in zip(low, high, strict=True))
    return x, y, ends


def _axes(names: tuple[str, ...], x: list[float], y: list[float]) -> tuple[dict, dict]:
    """Give axes with one scale for both weights, so that a circle is round."""
    first, second = (f"weight of {panels.label(name)}" for name in names)
    return (
        {"title": {"text": first, "standoff": 4}, "range": x, "nticks": 5, "zeroline": True},
        {
            "title": {"text": second, "standoff": 2}, "range": y, "nticks": 5, "zeroline": True,
            "scaleanchor": "x",
        },
    )  # fmt: skip
