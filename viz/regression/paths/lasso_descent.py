"""Pictures for coordinate descent: the soft threshold, the way over the contours, the visits."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from algorithms.regression.paths.lasso_descent import LassoStep, soft_threshold
from algorithms.regression.paths.penalty_account import DescentAccount
from viz.core import curves, panels, plane
from viz.core.panels import Panel

_VISITS, _PLACES = 300, 6000  # drawn at most: visits along the run, and places of all curves
_FIRST, _LATER = 80, 60  # places of the way over the contours: all at first, then some
_BANDS = 14  # of the objective


@dataclass(frozen=True)
class Course:
    """What the curves of a whole run are drawn from, collected once for all frames.

    At visits `at` the weights and how far f is above its last value; `most` is the largest |rho|.
    """

    at: ndarray
    weights: ndarray
    above: ndarray
    most: float
    last: int


def course(steps: Sequence[LassoStep]) -> Course:
    """Collect what the curves are drawn from, at no more than 300 visits."""
    last, most = len(steps) - 1, min(_VISITS, _PLACES // len(steps[0].weights))
    at = np.unique(np.linspace(0, last, min(last + 1, most)).round().astype(int))
    weights = np.array([steps[i].weights for i in at])
    above = np.array([steps[i].objective - steps[-1].objective for i in at])
    return Course(at, weights, above, max(abs(step.correlation) for step in steps), last)


def threshold_and_objective(run: Course, steps: Sequence[LassoStep], now: int) -> dict:
    """Draw the soft threshold with this visit's numbers, and the objective at every visit."""
    left, right = _threshold(run, steps[now]), _objective(run, steps, now)
    return panels.side_by_side(left, right, room=0.15)


def contours_and_threshold(
    account: DescentAccount,
    names: tuple[str, ...],
    run: Course,
    steps: Sequence[LassoStep],
    now: int,
) -> dict:
    """Draw the way over the objective of two weights, one coordinate at a time."""
    left = _contours(account, names, steps, now)
    return panels.side_by_side(left, _threshold(run, steps[now]), split=0.52, room=0.13)


def visits(
    names: tuple[str, ...], exact: ndarray, run: Course, steps: Sequence[LassoStep], now: int
) -> dict:
    """Draw every weight at every visit, on its way to the exact solution (short lines, dotted)."""
    both = np.vstack([run.weights, exact])
    low, high = float(both.min()), float(both.max())
    room = 0.08 * (high - low) or 1.0
    low, high = low - room, high + room
    x, visited = plane.packed(run.at), steps[now].variable
    lines = [
        panels.curve(x, plane.packed(column), line=panels.stroke(j, 5 if j == visited else 2))
        for j, column in enumerate(run.weights.T)
    ]
    ends = [
        panels.curve(
            [0.9 * run.last, run.last], [value, value], line={**panels.stroke(j), "dash": "dot"}
        )
        for j, value in enumerate(exact.tolist())
    ]
    panel = Panel(
        [*lines, *ends, panels.upright(now, low, high)],
        panels.axis("visit", 0, max(run.last, 1)),
        {"title": {"text": "weight", "standoff": 2}, "range": [low, high], "nticks": 5},
        panels.names_beside(names, exact, low, high),
    )
    return panels.alone(panel)


def _threshold(run: Course, step: LassoStep) -> Panel:
    """Draw S(rho, penalty) against rho: 0 within the penalty, and nearer to 0 by it beyond."""
    penalty = step.penalty
    most = 1.1 * max(penalty, run.most) or 1.0
    z = np.array([-most, -penalty, penalty, most])
    here = step.correlation
    there = float(soft_threshold(np.array([here]), penalty)[0])
    color = panels.color(max(step.variable, 0))
    traces = [
        panels.curve(
            [-most, most], [-most, most], line={"width": 1, "dash": "dot", "color": panels.INK}
        ),
        plane.line(np.column_stack([z, soft_threshold(z, penalty)]), line={"width": 3}),
        panels.curve([here, here], [here, there], line={"width": 3, "color": color, "dash": "dot"}),
        panels.curve([here], [there], mode="markers", marker={"size": 12, "color": color}),
    ]
    return Panel(
        traces,
        panels.axis("ρ of the coordinate", -most, most, nticks=4),
        panels.axis("S(ρ, λ)", -most, most),
    )


def _objective(run: Course, steps: Sequence[LassoStep], now: int) -> Panel:
    """Draw by how much f is above its value at the end, on a log scale."""
    least = 1e-10 * (float(run.above.max()) or 1.0)  # below is rounding
    above = np.maximum(run.above, least)
    low, high = np.log10(above.min()), np.log10(above.max())
    here = max(steps[now].objective - steps[-1].objective, least)
    traces = [
        panels.curve(plane.packed(run.at), plane.packed(above), line={"width": 2}),
        curves.marked(now, here),
    ]
    room = 0.06 * (high - low) or 0.5
    y = {
        "title": {"text": "f − f at the end", "standoff": 2},
        "type": "log",
        "range": [float(low - room), float(high + room)],
        "nticks": 4,
        "exponentformat": "power",
    }
    return Panel(traces, panels.axis("visit", 0, max(run.last, 1)), y)


def _contours(
    account: DescentAccount, names: tuple[str, ...], steps: Sequence[LassoStep], now: int
) -> Panel:
    """Draw the objective over two weights in bands, and the way so far."""
    surface, first, second = account.surface, account.first, account.second
    height = np.sqrt(surface - surface.min())
    band = (height / (float(height.max()) or 1.0) * _BANDS).clip(0, _BANDS - 1).astype(np.uint8)
    half = ((first[1] - first[0]) / 2, (second[1] - second[0]) / 2)
    box = (first[0] - half[0], first[-1] + half[0], second[0] - half[1], second[-1] + half[1])
    blue = np.tile(np.array([[0, 114, 178]], np.uint8), (_BANDS, 1))
    opacity = np.linspace(10, 190, _BANDS).astype(np.uint8)
    later = np.linspace(_FIRST, now, _LATER).astype(int) if now > _FIRST else []
    path = np.array([steps[i].weights for i in [*range(min(now + 1, _FIRST)), *later]])
    here = steps[now].weights
    traces = [
        plane.image(band, blue, opacity, box),
        plane.line(path, mode="lines+markers", line={"width": 2}, marker={"size": 4}),
        curves.marked(float(here[0]), float(here[1])),
    ]
    x, y = (
        {"title": {"text": f"weight of {panels.label(name)}", "standoff": 3}, "nticks": 5}
        | {"range": [float(low), float(high)]}
        for name, low, high in zip(names, box[::2], box[1::2], strict=True)
    )
    return Panel(traces, x, {**y, "scaleanchor": False})
