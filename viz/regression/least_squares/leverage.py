"""Pictures of leverage: one point is pulled up and down, and the line follows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.regression.least_squares.leverage import LeverageStep
from viz.core import curves, plane
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, PALETTE
from viz.regression.least_squares.regression_lines import (
    BEST,
    fit_line,
    parameters,
    spread,
)

_SMALL, _LARGE = 0.5, 2.5  # of the usual diameter of a point
_DOTS = 400  # leverages drawn at most


@dataclass(frozen=True, eq=False)
class Pulled:
    """What the views of leverage are drawn from. point : the number of the one that is pulled."""

    data: Plane
    steps: Sequence[LeverageStep]
    point: int

    @property
    def x(self) -> float:
        """Where the point is along x."""
        return float(self.data.X[self.point, 0])

    @property
    def leverage(self) -> float:
        """The leverage h of the point."""
        return float(self.steps[0].leverages[self.point])

    @cached_property
    def places(self) -> ndarray:
        """(steps, 1, 2): where the point is taken hold of."""
        heights = [step.height for step in self.steps]
        return np.column_stack([np.full(len(heights), self.x), heights])[:, None]

    @cached_property
    def before(self) -> LeverageStep:
        """The line when the point is where it was."""
        return next(step for step in self.steps if step.event)

    @cached_property
    def points(self) -> dict:
        """The data points, their areas in proportion to their leverages."""
        h = self.steps[0].leverages
        size = np.sqrt(h / h.mean()).clip(_SMALL, _LARGE)
        return plane.points(self.data.X, self.data.labels, size=size)

    def fitted(self, step: LeverageStep) -> float:
        """Say what a line predicts at the point's x."""
        w, b = parameters(step)
        return w * self.x + b


def picture(pulled: Pulled, now: int) -> Figure:
    """Draw the line, dashed the one before the pull, and how far the point and the line went."""
    step, before, bounds = pulled.steps[now], pulled.before, pulled.data.bounds
    went = np.array([[pulled.x, before.height], [pulled.x, step.height]])
    followed = np.array([[pulled.x, pulled.fitted(before)], [pulled.x, pulled.fitted(step)]])
    traces = [
        plane.line(went, line={"width": 2, "dash": "dot", "color": GREY}),
        fit_line(parameters(before), bounds, line=BEST),
        plane.found(plane.CURVE, fit_line(parameters(step), bounds, line={"width": 3})),
        plane.line(followed, line={"width": 6, "color": PALETTE[1]}),
    ]
    return plane.figure(traces, bounds, pulled.data.names, points=pulled.points)


def against_x(pulled: Pulled, now: int) -> Figure:
    """Draw the leverages against x, on a parabola about the mean; no step changes them."""
    x, h = pulled.data.X[:, 0], pulled.steps[now].leverages
    shown = spread(x, _DOTS)
    left, right = pulled.data.bounds[:2]
    average = np.array([[left, h.mean()], [right, h.mean()]])
    traces = [
        plane.line(average, line={"width": 2, "dash": "dash", "color": GREY}),
        plane.line(
            np.stack([x[shown], h[shown]], axis=1),
            mode="markers",
            marker={"size": 6, "color": PALETTE[0]},
        ),
        curves.marked(pulled.x, pulled.leverage),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [left, right], "nticks": 8},
        yaxis={"range": [0, 1.15 * float(h.max())], "title": {"text": "leverage h"}, "nticks": 5},
    )
    return {"data": traces, "layout": layout}


def following(pulled: Pulled, now: int) -> Figure:
    """Draw the line's height at the point against the point's own; dotted: if it followed all."""
    heights = pulled.places[:, 0, 1]
    fits = np.array([pulled.fitted(step) for step in pulled.steps])
    low, high = pulled.data.bounds[2:]
    all_the_way = np.array([[low, low], [high, high]])
    traces = [
        plane.line(all_the_way, line={"width": 2, "dash": "dot", "color": GREY}),
        plane.line(np.stack([heights, fits], axis=1), line={"width": 3, "color": PALETTE[1]}),
        curves.marked(float(heights[now]), float(fits[now])),
    ]
    titles = {"text": "height of the point", "standoff": 2}, {"text": "fit there"}
    layout = curves.panel_layout(
        xaxis={"range": [low, high], "title": titles[0], "nticks": 7},
        yaxis={"range": [low, high], "title": titles[1], "nticks": 5},
    )
    layout["margin"] = {**layout["margin"], "b": 40}
    return {"data": traces, "layout": layout}
