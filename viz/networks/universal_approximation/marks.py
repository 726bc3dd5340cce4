"""What both modes draw and write: a truth, and a network that approximates it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.data.truths import Truth
from algorithms.networks.universal_approximation.sigmoid_sum import SigmoidSum
from viz.core import curves, panels, plane
from viz.core.found import Curve
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, PALETTE, SYMBOLS
from viz.core.words import number

NUMBERS = (1, 2, 3, 5, 8, 12, 20, 30, 45, 60)
"""The numbers of bumps for the curve of the misses."""

SUM, PART, TRUTH = PALETTE[0], PALETTE[1], PALETTE[2]
_PLACES = 300  # along a curve
_MISS = "rgba(122, 127, 135, 0.35)"
_NOTHING = 1e-6  # of the highest bump: less of N is written as 0
LEAST = 1e-6  # of the largest error: smaller ones are below the axis


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
        """Return the places where curves are drawn."""
        left, right = self.data.bounds[:2]
        return np.linspace(left, right, _PLACES)

    @cached_property
    def inside(self) -> ndarray:
        """Return the places where the truth is known."""
        return np.linspace(self.truth.low, self.truth.high, _PLACES)

    @cached_property
    def truth_at(self) -> float:
        """Return the height of the truth at the picked x."""
        return float(self.truth(np.array([self.query]))[0])

    def at(self, model: SigmoidSum) -> float:
        """Return N at the picked x."""
        return float(model.predict(np.array([[self.query]]))[0])

    @cached_property
    def known(self) -> list[dict]:
        """Draw the truth, and its sign in the legend."""
        path = np.stack([self.inside, self.truth(self.inside)], axis=1)
        look = {"line": {"width": 5, "color": TRUTH}, "opacity": 0.7}
        sign = {"mode": "lines"}
        if len(self.data.X):
            sign = {"mode": "lines+markers", "marker": {"symbol": SYMBOLS[2], "size": 10}}
        return [
            plane.line(path, name="truth f", **look),
            plane.line(plane.GAP, name="truth f", showlegend=True, **look, **sign),
        ]

    def curve(self, model: SigmoidSum) -> Curve:
        """Return N over the whole picture."""
        return Curve(np.stack([self.x, model.predict(self.x[:, None])], axis=1))

    def network(self, model: SigmoidSum) -> dict:
        """Draw N over the whole picture."""
        look = {"width": 3, "color": SUM}
        return plane.line(self.curve(model).path, line=look, name="network N", showlegend=True)

    def missed(self, model: SigmoidSum) -> dict:
        """Fill what is between N and the truth."""
        x = self.inside
        there = np.column_stack([x, model.predict(x[:, None])])
        back = np.column_stack([x, self.truth(x)])[::-1]
        return plane.line(
            np.concatenate([there, back]), mode="none", fill="toself", fillcolor=_MISS,
            name="miss", showlegend=True,
        )  # fmt: skip

    def reading(self, model: SigmoidSum) -> dict:
        """Draw N at the picked x: dotted up from the bottom, with a dot on the curve."""
        path = np.array([[self.query, self.data.bounds[2]], [self.query, self.at(model)]])
        look = {"width": 2, "dash": "dot", "color": GREY}
        marker = {"size": [0, 10], "color": SUM, "opacity": 1}
        return plane.line(
            path, mode="lines+markers", line=look, marker=marker, name="N at the picked x"
        )

    def figure(self, traces: list[dict]) -> Figure:
        """Put the traces over the points, with a legend."""
        points = (
            plane.points(self.data.X, np.full(len(self.data.X), 2)) if len(self.data.X) else None
        )
        figure = plane.figure(traces, self.data.bounds, self.data.names, points=points)
        figure["layout"]["margin"] = {**figure["layout"]["margin"], "t": 38}
        return curves.with_legend(figure, x=0, xanchor="left")

    def over(self, model: SigmoidSum, *below: dict) -> Figure:
        """Draw N over the truth, what it misses, and its value at the picked x.

        below : traces under these.
        """
        over = [self.missed(model), *self.known, self.network(model), self.reading(model)]
        return self.figure([*below, *over])

    @property
    def across(self) -> dict:
        """Return the axis of x of a linked view."""
        ends = self.data.bounds[:2]
        return panels.axis(panels.label(self.data.names[0]), *ends) | {"range": [*ends]}

    def read(self, model: SigmoidSum) -> str:
        """Write N at the picked x, beside the truth where there is one."""
        x = self.query
        least = _NOTHING * float(np.abs(model.heights).max(initial=0.0))  # rounding errors
        at = self.at(model) if abs(self.at(model)) > least else 0.0
        text = f"Picked x = {number(x)}: the network N is at {number(at)}"
        if not self.truth.low <= x <= self.truth.high:
            return f"{text}; f ends at {number(min(max(x, self.truth.low), self.truth.high))}."
        return f"{text}, the truth f at {number(self.truth_at)}."
