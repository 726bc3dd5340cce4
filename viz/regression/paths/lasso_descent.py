"""Pictures for coordinate descent: the soft threshold, the way over the contours, the visits."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.regression.paths.lasso_descent import LassoStep, soft_threshold
from algorithms.regression.paths.penalty_account import DescentAccount
from viz.core import curves, panels, plane, surface, theme
from viz.core.panels import Panel
from viz.core.scene import Bounds, Figure
from viz.core.theme import GREY
from viz.regression.paths.line_names import names_at_ends

_VISITS, _PLACES = 300, 3000  # drawn at most: visits along the run, and places of all curves
_NAMED = 1.22  # of the visits: how far their axis goes on, for the names of the lines
_FIRST, _LATER = 80, 60  # places of the way over the contours: all at first, then some


@dataclass(frozen=True, eq=False)
class Sweeps:
    """What the views of coordinate descent are drawn from.

    names : of the weights. Curves of a whole run show 300 visits at most, evenly chosen.
    """

    steps: Sequence[LassoStep]
    account: DescentAccount
    names: tuple[str, ...]

    @property
    def last(self) -> int:
        """The number of the last visit."""
        return len(self.steps) - 1

    @cached_property
    def at(self) -> ndarray:
        """The visits that the curves show."""
        most = min(_VISITS, _PLACES // len(self.names))
        return np.unique(np.linspace(0, self.last, min(self.last + 1, most)).round().astype(int))

    @cached_property
    def visited(self) -> dict:
        """The numbers of these visits."""
        return plane.packed(self.at)

    @cached_property
    def weights(self) -> ndarray:
        """The weights at these visits."""
        return np.array([self.steps[i].weights for i in self.at])

    @cached_property
    def columns(self) -> list[dict]:
        """Every weight at these visits."""
        return [plane.packed(column) for column in self.weights.T]

    @cached_property
    def above(self) -> ndarray:
        """How far f is above its last value at these visits."""
        return np.array([self.height(i) for i in self.at])

    @cached_property
    def most(self) -> float:
        """The largest |rho| of all visits."""
        return max(abs(step.correlation) for step in self.steps)

    @cached_property
    def ground(self) -> tuple[dict, Bounds]:
        """The objective over two weights, in bands, and the stretch of weights that they cover."""
        height = np.sqrt(self.account.surface - self.account.surface.min())
        return surface.bands(self.account.first, self.account.second, height)

    def height(self, now: int) -> float:
        """Give how far f is above its last value."""
        return self.steps[now].objective - self.steps[-1].objective


def threshold_and_objective(sweeps: Sweeps, now: int) -> Figure:
    """Draw the soft threshold with this visit's numbers, and the objective at every visit."""
    return panels.side_by_side(_threshold(sweeps, now), _objective(sweeps, now), room=0.15)


def contours_and_threshold(sweeps: Sweeps, now: int) -> Figure:
    """Draw the way over the objective of two weights, one coordinate at a time."""
    left, right = _contours(sweeps, now), _threshold(sweeps, now)
    return panels.side_by_side(left, right, split=0.52, room=0.13)


def visits(sweeps: Sweeps, now: int) -> Figure:
    """Draw every weight at every visit, on its way to the exact solution (short lines, dotted)."""
    exact, end = sweeps.account.exact, sweeps.last
    both = np.vstack([sweeps.weights, exact])
    low, high = float(both.min()), float(both.max())
    room = 0.08 * (high - low) or 1.0
    low, high = low - room, high + room
    moved = sweeps.steps[now].variable
    lines = [
        panels.curve(sweeps.visited, column, line=panels.stroke(j, 5 if j == moved else 2))
        for j, column in enumerate(sweeps.columns)
    ]
    ends = [
        panels.curve([0.9 * end, end], [value, value], line={**panels.stroke(j), "dash": "dot"})
        for j, value in enumerate(exact.tolist())
    ]
    named = names_at_ends(sweeps.names, exact, (low, high), (end, 1.02 * max(end, 1)))
    panel = Panel(
        [*lines, *ends, panels.upright(now, low, high), *named],
        panels.axis("visit", 0, max(end, 1)) | {"range": [-0.05 * end, _NAMED * max(end, 1)]},
        {"title": {"text": "weight", "standoff": 2}, "range": [low, high], "nticks": 5},
    )
    return panels.alone(panel)


def _threshold(sweeps: Sweeps, now: int) -> Panel:
    """Draw S(rho, penalty) against rho: 0 within the penalty, and nearer to 0 by it beyond."""
    step, penalty = sweeps.steps[now], sweeps.steps[now].penalty
    most = 1.1 * max(penalty, sweeps.most) or 1.0
    z = np.array([-most, -penalty, penalty, most])
    here = step.correlation
    there = float(soft_threshold(np.array([here]), penalty)[0])
    color = theme.color(max(step.variable, 0))
    traces = [
        panels.curve([-most, most], [-most, most], line={"width": 1, "dash": "dot", "color": GREY}),
        plane.line(np.column_stack([z, soft_threshold(z, penalty)]), line={"width": 3}),
        panels.curve([here, here], [here, there], line={"width": 3, "color": color, "dash": "dot"}),
        panels.curve([here], [there], mode="markers", marker={"size": 12, "color": color}),
    ]
    return Panel(
        traces,
        panels.axis("ρ of the coordinate", -most, most, nticks=4),
        panels.axis("S(ρ, λ)", -most, most),
    )


def _objective(sweeps: Sweeps, now: int) -> Panel:
    """Draw by how much f is above its value at the end, on a log scale."""
    least = 1e-10 * (float(sweeps.above.max()) or 1.0)  # below is rounding
    above = np.maximum(sweeps.above, least)
    low, high = np.log10(above.min()), np.log10(above.max())
    traces = [
        panels.curve(sweeps.visited, plane.packed(above), line={"width": 2}),
        curves.marked(now, max(sweeps.height(now), least)),
    ]
    room = 0.06 * (high - low) or 0.5
    y = {
        "title": {"text": "f − f at the end", "standoff": 2},
        "range": [float(low - room), float(high + room)],
        **curves.powers(low - room, high + room),
    }
    return Panel(traces, panels.axis("visit", 0, max(sweeps.last, 1)), y)


def _contours(sweeps: Sweeps, now: int) -> Panel:
    """Draw the objective over two weights in bands, and the way so far."""
    bands, box = sweeps.ground
    later = np.linspace(_FIRST, now, _LATER).astype(int) if now > _FIRST else []
    path = np.array([sweeps.steps[i].weights for i in [*range(min(now + 1, _FIRST)), *later]])
    here = sweeps.steps[now].weights
    traces = [
        bands,
        plane.line(path, mode="lines+markers", line={"width": 2}, marker={"size": 4}),
        curves.marked(float(here[0]), float(here[1])),
    ]
    x, y = (
        {"title": {"text": f"weight of {panels.label(name)}", "standoff": 3}, "nticks": 5}
        | {"range": [float(low), float(high)]}
        for name, low, high in zip(sweeps.names, box[::2], box[1::2], strict=True)
    )
    return Panel(traces, x, {**y, "scaleanchor": False})
