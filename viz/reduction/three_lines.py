"""Pictures for three lines through one cloud: two regressions and the principal axis."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray

from algorithms.reduction.three_lines import LineEvent, LineStep
from viz.core import curves, plane
from viz.core.scene import Figure
from viz.core.theme import GREY, PALETTE
from viz.core.turning import across_the_picture, angle_axis
from viz.reduction.pca import Columns, shown_rows

SIDES: dict[str, LineEvent] = {
    "up": "least up",
    "across": "least across",
    "sideways": "least sideways",
}
NAMES = {"up": "y on x", "across": "principal axis", "sideways": "x on y"}
_COLORS = dict(zip(SIDES, PALETTE, strict=False))
_DASHES = {"up": "dash", "across": "dashdot", "sideways": "dot"}
_TOP = 1.3  # of the total variance: larger mean squares leave the plot


def best(steps: Sequence[LineStep], side: str) -> LineStep:
    """Find the line whose distances to one side are least."""
    return next(step for step in steps if step.event == SIDES[side])


def picture(columns: Columns, steps: Sequence[LineStep], side: str, now: int) -> Figure:
    """Draw the line, the three lines, and the distances of the points from the line to one side."""
    step, data = steps[now], columns.plane
    X = columns.table[shown_rows(len(columns.table))]
    traces = [_sticks(X, step, side, data.bounds)]
    for kind in SIDES:
        ends = _through(best(steps, kind), data.bounds)
        stroke = {"width": 2, "dash": _DASHES[kind], "color": _COLORS[kind]}
        traces.append(plane.line(ends, line=stroke, name=NAMES[kind], showlegend=True))
    traces += [
        plane.found(plane.AXIS, plane.line(_through(step, data.bounds), line={"width": 3})),
        plane.line(step.mean[None], mode="markers", marker={"size": 15, "symbol": 4}),
    ]
    points = plane.points(columns.table, data.labels)
    figure = plane.figure(traces, data.bounds, data.names, points=points)
    return curves.with_legend(figure, x=0, xanchor="left")


def errors(steps: Sequence[LineStep]) -> Callable[[int], Figure]:
    """Draw the three mean squares against the angle, a star where each is least."""
    angle = np.array([step.angle for step in steps])
    top = _TOP * steps[0].total
    series = {kind: np.array([getattr(step, kind) for step in steps]) for kind in SIDES}
    lines, stars = [], []
    for kind, values in series.items():
        look = {"width": 3, "dash": _DASHES[kind], "color": _COLORS[kind]}
        drawn = np.where(values < 3 * top, values, np.nan)  # beyond the plot there is no line
        places = np.column_stack([angle, drawn])
        lines.append(plane.line(places, name=kind, showlegend=True, line=look))
        least = steps.index(best(steps, kind))
        star = {"size": 13, "symbol": "star", "color": _COLORS[kind]}
        stars.append(plane.line(places[[least]], mode="markers", marker=star))
    layout = curves.panel_layout(
        xaxis=angle_axis(),
        yaxis={"range": [0, top], "nticks": 5, "title": {"text": "mean square"}},
    )

    def at(now: int) -> Figure:
        seen = [min(float(values[now]), 3 * top) for values in series.values()]
        marks = [curves.marked(float(angle[now]), y, showlegend=False, cliponaxis=True)
                 for y in seen]  # fmt: skip
        return curves.with_legend({"data": [*lines, *stars, *marks], "layout": layout})

    return at


def _through(step: LineStep, box: tuple[float, float, float, float]) -> ndarray:
    """Give the two ends of a line, where it leaves the picture."""
    half = across_the_picture((step.components * step.scale), box)[0]
    return np.array([step.mean - half, step.mean + half])


def _sticks(X: ndarray, step: LineStep, side: str, box: tuple) -> dict:
    """Draw the way from every point to the line, in one direction, as far as the picture goes."""
    if side == "across":
        feet = step.reconstruct(X)
    else:
        offsets, slope = X - step.mean, step.slope
        feet = X.copy()
        with np.errstate(divide="ignore", invalid="ignore"):
            if side == "up":
                feet[:, 1] = step.mean[1] + slope * offsets[:, 0]
            else:
                feet[:, 0] = step.mean[0] + offsets[:, 1] / slope
    low, high = np.array(box[::2]), np.array(box[1::2])
    feet = np.clip(np.nan_to_num(feet, nan=0.0), low - 2 * (high - low), high + 2 * (high - low))
    path = np.stack([X, feet, np.full_like(X, np.nan)], axis=1).reshape(-1, 2)
    return plane.line(path, line={"width": 1.5, "color": GREY})
