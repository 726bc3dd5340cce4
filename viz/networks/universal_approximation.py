"""Pictures for universal approximation: a truth, and a network that comes near it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.data.truths import Truth
from algorithms.networks.sigmoid_bumps import BumpStep
from algorithms.networks.sigmoid_sum import SigmoidSum
from algorithms.networks.trained_sigmoids import TrainedStep
from viz.core import curves, panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, PALETTE

NUMBERS = (1, 2, 3, 5, 8, 12, 20, 30, 45, 60)
"""Of bumps, for the curve of the errors."""

_SUM, _PART, _TRUTH = PALETTE[0], PALETTE[1], PALETTE[2]
_FILL = "rgba(213, 94, 0, 0.22)"
_PLACES, _COARSE = 300, 50  # along a curve, and along one of many
_LEAST = 1e-6  # of the largest error: smaller ones are below the axis


@dataclass(frozen=True, eq=False)
class Approximation:
    """A truth and what is shown beside it.

    data : the points on the board; none where the truth is a formula. query : a picked x.
    """

    truth: Truth
    data: Plane
    query: float

    @cached_property
    def x(self) -> ndarray:
        """The places where curves are drawn."""
        left, right = self.data.bounds[:2]
        return np.linspace(left, right, _PLACES)

    @cached_property
    def inside(self) -> ndarray:
        """The places on the truth's stretch."""
        return np.linspace(self.truth.low, self.truth.high, _PLACES)

    @cached_property
    def truth_at(self) -> float:
        """What the truth is at the picked x."""
        return float(self.truth(np.array([self.query]))[0])

    def at(self, model: SigmoidSum) -> float:
        """Give what a network says at the picked x."""
        return float(model.predict(np.array([[self.query]]))[0])

    @cached_property
    def known(self) -> dict:
        """Draw the truth."""
        path = np.stack([self.inside, self.truth(self.inside)], axis=1)
        look = {"width": 5, "color": _TRUTH}
        return plane.line(path, line=look, opacity=0.7, name="truth", showlegend=True)

    def network(self, model: SigmoidSum) -> dict:
        """Draw what a network says, over the whole picture."""
        path = np.stack([self.x, model.predict(self.x[:, None])], axis=1)
        look = {"width": 3, "color": _SUM}
        curve = plane.line(path, line=look, name="network N", showlegend=True)
        return plane.found(plane.CURVE, curve)

    def reading(self, model: SigmoidSum) -> dict:
        """Draw how N is read off at the picked x."""
        path = np.array([[self.query, self.data.bounds[2]], [self.query, self.at(model)]])
        look = {"width": 2, "dash": "dot", "color": GREY}
        marker = {"size": [0, 10], "color": _SUM, "opacity": 1}
        return plane.line(path, mode="lines+markers", line=look, marker=marker)

    def figure(self, traces: list[dict]) -> Figure:
        """Put the traces over the points, with a legend."""
        points = (
            plane.points(self.data.X, np.full(len(self.data.X), 2)) if len(self.data.X) else None
        )
        figure = plane.figure(traces, self.data.bounds, self.data.names, points=points)
        figure["layout"]["margin"] = {**figure["layout"]["margin"], "t": 38}
        return curves.with_legend(figure, x=0, xanchor="left")


def bumps_picture(shown: Approximation, steps: Sequence[BumpStep], now: int) -> Figure:
    """Draw the sum so far over the truth, the newest bump filled."""
    step = steps[now]
    rise, fall = newest(step, shown.x)
    path = np.stack([shown.x, rise + fall], axis=1)
    filled = plane.line(
        path, line={"width": 1.5, "color": _PART}, fill="tozeroy", fillcolor=_FILL,
        name="newest bump", showlegend=True,
    )  # fmt: skip
    return shown.figure([filled, shown.known, shown.network(step), shown.reading(step)])


def newest(step: SigmoidSum, x: ndarray) -> tuple[ndarray, ndarray]:
    """Give what the two newest units add to N at every x; nothing as long as there are none."""
    if len(step.heights) == 0:
        return np.zeros(len(x)), np.zeros(len(x))
    rise, fall = (step.units(x) * step.heights)[:, -2:].T
    return rise, fall


def pair(shown: Approximation, steps: Sequence[BumpStep], now: int) -> Figure:
    """Draw the two sigmoids of the newest bump, and their sum."""
    x = shown.x
    rise, fall = newest(steps[now], x)
    most = float(np.abs(steps[-1].heights).max()) or 1.0
    series = [
        ("first", rise, {"width": 2, "color": _SUM}),
        ("second", fall, {"width": 2, "dash": "dash", "color": _SUM}),
        ("their sum", rise + fall, {"width": 3, "color": _PART}),
    ]
    traces = [
        panels.curve(plane.packed(x), plane.packed(y), name=name, line=look, showlegend=True)
        for name, y, look in series
    ]
    across = panels.axis(panels.label(shown.data.names[0]), x[0], x[-1]) | {"range": [x[0], x[-1]]}
    panel = Panel(traces, across, panels.axis("v σ(w x + b)", -most, most))
    return curves.with_legend(panels.alone(panel))


def by_number(found: ndarray, last: BumpStep) -> Callable[[int], Figure]:
    """Draw the errors of whole sums against the number of bumps, with a ring at that of the run."""
    floor = _LEAST * float(found.max()) or 1e-12
    series = [("root mean square", found[:, 0], "solid"), ("largest", found[:, 1], "dash")]
    traces = [
        curves.against(
            name, NUMBERS, values.clip(floor), setting="bumps", line={"width": 2.5, "dash": dash}
        )
        for name, values, dash in series
    ]
    traces += [
        curves.marked(last.bumps, max(value, floor), showlegend=False) for value in last.miss[:2]
    ]
    low, high = (float(np.log10(value)) for value in (max(found.min(), floor), found.max() or 1.0))
    ticks = [1, 2, 5, 10, 20, 60]
    across = panels.axis("bumps", 0, float(np.log10(NUMBERS[-1])), type="log", tickvals=ticks)
    up = panels.axis("miss", low, high, **curves.powers(low - 0.5, high + 0.5))
    if high - low < 1:
        up |= {"range": [low - 0.5, high + 0.5]}
    figure = curves.with_legend(panels.alone(Panel(traces, across, up)))
    return lambda _: figure


def trained_picture(shown: Approximation, steps: Sequence[TrainedStep], now: int) -> Figure:
    """Draw what the network says over the truth."""
    step = steps[now]
    return shown.figure([shown.known, shown.network(step), shown.reading(step)])


def hidden(shown: Approximation, steps: Sequence[TrainedStep], now: int) -> Figure:
    """Draw what every hidden unit adds to N."""
    x = np.linspace(shown.x[0], shown.x[-1], _COARSE)
    step = steps[now]
    parts = step.units(x) * step.heights
    ends = steps[-1].units(x) * steps[-1].heights
    most = float(np.abs(ends).max()) or 1.0
    lines = plane.joined([np.stack([x, part], axis=1) for part in parts.T])
    traces = [plane.line(lines, line={"width": 1.2, "color": _PART})]
    across = panels.axis(panels.label(shown.data.names[0]), x[0], x[-1]) | {"range": [x[0], x[-1]]}
    return panels.alone(Panel(traces, across, panels.axis("v σ(w u + b)", -most, most)))


def errors(steps: Sequence[TrainedStep]) -> Callable[[int], Figure]:
    """Draw the root mean square against the epochs, and that of the bumps as a dotted line."""
    found = np.array([step.miss.rms for step in steps])
    goal, last = steps[0].bumps_miss.rms, len(steps) - 1
    floor = _LEAST * float(max(found.max(), goal)) or 1e-12
    found, goal = found.clip(floor), max(goal, floor)
    lines = [
        panels.curve(
            plane.packed(np.arange(last + 1)), plane.packed(found), name="trained",
            line={"width": 2.5}, showlegend=True, hoverinfo="all",
            hovertemplate="epoch %{x}: %{y:.3g}<extra></extra>",
        ),
        panels.curve(
            [0, last], [goal, goal], name="bumps by hand",
            line={"width": 2, "dash": "dot", "color": _PART}, showlegend=True,
        ),
    ]  # fmt: skip
    low, high = (float(np.log10(v)) for v in (min(found.min(), goal), max(found.max(), goal)))
    up = panels.axis("miss", low, high, **curves.powers(low - 0.5, high + 0.5))

    def at(now: int) -> Figure:
        mark = curves.marked(now, float(found[now]), showlegend=False)
        panel = Panel([*lines, mark], panels.axis("epoch", 0, last), up)
        return curves.with_legend(panels.alone(panel))

    return at
