"""Pictures of support vector regression: the tube, primal and dual, and the loss of every point."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.core.scaling import Scaling, standard
from algorithms.regression.support_vector_regression import TubeStep
from viz.core import curves, plane
from viz.core.scene import Figure, Plane
from viz.core.theme import PALETTE

IN, EDGE, OUT = 0, 1, 2
"""Where a point's dual is: at 0, between, or at C."""

_PLACES = 200  # along the curve
_SHOWN = 400  # points of the loss at most
_MOST_DRAWN = 60  # steps whose objectives are drawn; fewer of many points:
_MOST_PREDICTED = 60_000  # values of f that they take together
_TUBE = "rgba(0, 114, 178, 0.16)"
_LOSS = {"width": 2, "color": PALETTE[0]}


@dataclass(frozen=True, eq=False)
class Tube:
    """What the views are drawn from. The steps are in standard units; the picture is not."""

    data: Plane
    query: float
    steps: Sequence[TubeStep]

    @cached_property
    def units(self) -> Scaling:
        """The map to standard units, and back."""
        return standard(self.data.X)

    @cached_property
    def along(self) -> ndarray:
        """The places along x where the curve is drawn, as (m, 1) in standard units."""
        left, right = self.data.bounds[:2]
        x = np.linspace(left, right, _PLACES)
        return self.units.of(0).transform(x[:, None])

    @cached_property
    def farthest(self) -> float:
        """The largest residual at the start and at the end."""
        return max(float(np.abs(step.residuals).max()) for step in (self.steps[0], self.steps[-1]))

    def predicted(self, now: int, x: float) -> float:
        """Give f at an x, both in the units of the data."""
        v = self.steps[now].predict(self.units.of(0).transform(np.array([[x]])))
        return float(self.units.of(1).back(v[:, None])[0, 0])

    @cached_property
    def gaps(self) -> list[tuple[float, float]]:
        """Primal and dual objective at some steps, evenly chosen."""
        return [(self.steps[i].primal_objective, self.steps[i].dual_objective) for i in self.at]

    @cached_property
    def at(self) -> ndarray:
        """The steps that the objectives are drawn at."""
        last, n = len(self.steps) - 1, len(self.data.X)
        most = min(last + 1, _MOST_DRAWN, max(2, _MOST_PREDICTED // max(n, 1)))
        return np.unique(np.linspace(0, last, most).round().astype(int))


def states(step: TubeStep) -> ndarray:
    """Say where every point's dual is: IN, EDGE or OUT."""
    duals = step.duals
    return np.where(duals == 0, IN, np.where(duals >= step.C, OUT, EDGE))


def picture(tube: Tube, now: int) -> Figure:
    """Draw the curve in its tube and the points: ringed at an edge, squared at C.

    A ring and a square tell of the dual; the pair that was moved is large.
    """
    step, data, units = tube.steps[now], tube.data, tube.units
    f = step.predict(tube.along)
    x = units.of(0).back(tube.along)[:, 0]
    edge = step.task.epsilon
    middle, up, down = (units.of(1).back(v[:, None])[:, 0] for v in (f, f + edge, f - edge))
    around = np.concatenate([np.stack([x, up], 1), np.stack([x, down], 1)[::-1]])
    edges = np.concatenate([np.stack([x, up], 1), plane.GAP, np.stack([x, down], 1)])
    bottom = data.bounds[2]
    read = tube.predicted(now, tube.query)
    traces = [
        plane.line(around, fill="toself", fillcolor=_TUBE, line={"width": 0}),
        plane.line(edges, line={"width": 1.5, "dash": "dash", "color": PALETTE[0]}),
        plane.found(plane.CURVE, plane.line(np.stack([x, middle], axis=1), line={"width": 3})),
        plane.line(
            np.array([[tube.query, bottom], [tube.query, read]]),
            mode="lines+markers",
            line={"width": 2, "dash": "dot", "color": PALETTE[2]},
            marker={"size": [0, 11], "color": PALETTE[2], "opacity": 1},
        ),
    ]
    size = np.ones(len(data.X))
    size[step.log.moved(step.index)] = 1.6
    points = plane.points(data.X, data.labels, size=size)
    marks = plane.marks(states(step), (100, 100, 101), (0, 17, 15), 2.0)
    return plane.figure(traces, data.bounds, data.names, points=points, marks=marks)


def objectives(tube: Tube, now: int) -> Figure:
    """Draw how the dual rises to the primal, which it never passes."""
    primal, dual = (list(values) for values in zip(*tube.gaps, strict=True))
    step = tube.steps[now]
    dashed = {"line": {"dash": "dash", "color": PALETTE[1]}, "marker": {"symbol": 1, "size": 4}}
    traces = [
        curves.against("primal P", tube.at, primal, setting="step", marker={"size": 4}),
        curves.against("dual D", tube.at, dual, setting="step", **dashed),
        curves.marked(now, step.dual_objective, showlegend=False),
        curves.marked(now, step.primal_objective, showlegend=False),
    ]
    last = len(tube.steps) - 1 or 1
    layout = curves.panel_layout(
        xaxis={"range": [-0.04 * last, 1.04 * last], "nticks": 6},
        yaxis={"title": {"text": "objective"}, "nticks": 5, **_scale(primal, dual)},
    )
    return curves.with_legend({"data": traces, "layout": layout})


def _scale(primal: Sequence[float], dual: Sequence[float]) -> dict:
    """Show where they meet: the first steps may be far above that."""
    top = min(max(primal), 3 * primal[-1] + 1e-9)
    low = min(0.0, *dual)
    room = 0.06 * (top - low) or 1.0
    return {"range": [low - room, top + room]}


def losses(tube: Tube, now: int) -> Figure:
    """Draw what every point costs against how far it is from the curve."""
    step = tube.steps[now]
    r = step.residuals
    if len(r) > _SHOWN:
        r = r[np.linspace(0, len(r) - 1, _SHOWN).round().astype(int)]
    epsilon = step.task.epsilon
    wide = 1.1 * max(tube.farthest, 2 * epsilon) or 1.0
    r = r.clip(-wide, wide)
    shape = np.array([[-wide, wide - epsilon], [-epsilon, 0], [epsilon, 0], [wide, wide - epsilon]])
    cost = np.maximum(np.abs(r) - epsilon, 0)
    traces = [
        plane.line(shape, line=_LOSS),
        plane.line(np.stack([r, cost], 1), mode="markers", marker={"size": 7, "color": PALETTE[1]}),
    ]
    layout = curves.panel_layout(
        xaxis={"title": {"text": "residual r", "standoff": 2}, "range": [-wide, wide]},
        yaxis={"title": {"text": "loss"}, "range": [-0.06 * wide, wide], "nticks": 5},
    )
    layout["margin"] = {**layout["margin"], "b": 40}
    return {"data": traces, "layout": layout}
