"""Coordinate descent: the soft threshold, the way over the contours, and every visit."""

from functools import cached_property

import numpy as np
from numpy.random import Generator

from algorithms.regression.linear_paths.lasso_descent import LassoStep, soft_threshold
from algorithms.regression.linear_paths.path_summary import descent_summary
from algorithms.regression.linear_paths.prepared_table import FeatureChoice, PreparedTable
from viz.core import curves, panels, plane, surface
from viz.core.found import Curve
from viz.core.panels import Panel
from viz.core.question import Question
from viz.core.scene import Bounds, Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import rounded
from viz.regression.linear_paths import questions
from viz.regression.linear_paths.fit import Fit, four
from viz.regression.linear_paths.line_names import line_colors, names_at_ends

_VISITS, _PLACES = 300, 3000  # drawn at most: visits along the run, and places of all curves
_BESIDE = 1.04  # times the last visit: where names begin
_NAMED = 1.22  # of the visits: how far their axis goes on, for the names of the lines
_FIRST, _LATER = 80, 60  # places of the way over the contours: all at first, then some


class Descent(Show[LassoStep]):
    """Visits of all weights one by one; with two weights, on the contours of the objective."""

    def __init__(
        self,
        run: Run,
        data: Plane,
        made: PreparedTable,
        choice: FeatureChoice,
        level: float,
        *,
        two: bool = False,
    ) -> None:
        """Find the exact solution. choice : how the features were `made`.

        level : the penalty, as a share of the one that keeps all weights at 0. two : there are two
        weights, and the way over the contours is shown.
        """
        super().__init__(run, data)
        self.two = two
        self.fit, self.names, self.level = Fit(data, made, self.steps), made.names, level
        self.summary = descent_summary(self.steps, made)
        self.last = len(self.steps) - 1
        most = min(_VISITS, _PLACES // len(self.names))
        even = np.linspace(0, self.last, min(self.last + 1, most))
        self.at = np.unique(even.round().astype(int))  # the visits that the curves show
        self.weights = np.array([self.steps[i].weights for i in self.at])
        self.above = np.array([self._height(i) for i in self.at])
        self.colors = line_colors(np.abs(self.summary.exact), made.columns)
        self.most = max(abs(step.correlation) for step in self.steps)
        self.note = self.fit.note(choice)

    def views(self) -> list[View]:
        """Return the fit, the soft threshold, and the visits."""
        second = View("The soft threshold; f above its last value", self.threshold_and_objective)
        if self.two:
            title = "The way over f, one weight at a time; the soft threshold"
            second = View(title, self.contours_and_threshold)
        title = "The weights at every visit; dotted: the exact solution"
        return [self.fit.view, second, View(title, self.visits, ahead=True)]

    def threshold_and_objective(self, now: int) -> Figure:
        """Draw the soft threshold with this visit's numbers, and the objective at every visit."""
        return panels.side_by_side(self._threshold(now), self._objective(now), room=0.15)

    def contours_and_threshold(self, now: int) -> Figure:
        """Draw the way over the objective of two weights, one coordinate at a time."""
        left, right = self._contours(now), self._threshold(now)
        return panels.side_by_side(left, right, split=0.52, room=0.13)

    def visits(self, now: int) -> Figure:
        """Draw every weight at every visit, on its way to the exact solution (dotted)."""
        exact, end = self.summary.exact, self.last
        both = np.vstack([self.weights, exact])
        low, high = float(both.min()), float(both.max())
        room = 0.08 * (high - low) or 1.0
        low, high = low - room, high + room
        moved = self.steps[now].variable
        lines = [
            panels.curve(
                plane.packed(self.at),
                column,
                line={"width": 5 if j == moved else 2, "color": self.colors[j]},
            )
            for j, column in enumerate([plane.packed(column) for column in self.weights.T])
        ]
        ends = [
            panels.curve(
                [0.9 * end, end],
                [value, value],
                line={"width": 2, "color": self.colors[j], "dash": "dot"},
            )
            for j, value in enumerate(exact.tolist())
        ]
        zero = int((exact == 0).sum())
        written = [(*each,) for each in zip(self.names, exact, self.colors, strict=True) if each[1]]
        written += [(f"{zero} at 0", 0.0, GREY)] * (zero > 0)  # one name for all of these
        names, heights, colors = (list(each) for each in zip(*written, strict=True))
        named = names_at_ends(
            tuple(names), np.array(heights), (low, high), (end, _BESIDE * max(end, 1)), colors
        )
        panel = Panel(
            [*lines, *ends, panels.upright(now, low, high), *named],
            panels.axis("visit", 0, max(end, 1)) | {"range": [-0.05 * end, _NAMED * max(end, 1)]},
            {"title": {"text": "weight", "standoff": 2}, "range": [low, high], "nticks": 5},
        )
        return panels.alone(panel)

    def caption(self, now: int) -> str:
        """Write the visit's numbers in the soft threshold."""
        return self._start() if now == 0 else self._visit(now)

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask what the soft threshold does with the weight that is visited next."""
        return questions.visit(self.names, self.steps[now + 1])

    def found(self, now: int) -> Curve:
        """Return the fit."""
        return self.fit.found(now)

    def _start(self) -> str:
        step = self.steps[0]
        first = f"All weights start at 0, where f = {rounded(step.objective)}."
        held = (
            f"λ = {four(step.penalty)} is {self.level:g} times the λ that keeps all weights at 0."
        )
        if step.event:
            return f"{first} No feature varies: converged.\nThe best prediction is the mean. {held}"
        return (
            f"{first}\n{held} f = {four(step.objective, digits=5)}. Next, one weight at a time: "
            "w ← S(ρ, λ) / ‖x‖², the others held."
        )

    def _visit(self, now: int) -> str:
        step, penalty = self.steps[now], four(self.steps[now].penalty)
        name, w = f"“{self.names[step.variable]}”", float(step.weights[step.variable])
        moves = f"goes from {rounded(step.before)} to {rounded(w)}"
        if w == step.before == 0:
            moves = "stays at 0"
        f = rounded(step.objective)
        falls = f"f falls by {rounded(step.fall)} to {f}" if step.fall > 0 else f"f stays {f}"
        first = f"Sweep {step.sweep}: the weight of {name} {moves}; {falls}.{_event(step)}"
        rho, curvature = four(step.correlation), four(step.curvature)
        f = four(step.objective, digits=5)
        if w == 0:
            rule = f"ρ = x·r + ‖x‖² w = {rho}, nearer to 0 than λ = {penalty}: w ← 0"
            return f"{first}\n{rule}; f = {f}."
        sign = "−" if step.correlation > 0 else "+"
        nearer = f"({rho} {sign} {penalty}) / {curvature}"
        return f"{first}\nρ = x·r + ‖x‖² w = {rho}: w ← {nearer} = {four(w)}; f = {f}."

    def _threshold(self, now: int) -> Panel:
        """Draw S(ρ, λ) against ρ: 0 where |ρ| is at most λ, elsewhere nearer to 0 by λ."""
        step, penalty = self.steps[now], self.steps[now].penalty
        most = 1.1 * max(penalty, self.most) or 1.0
        z = np.array([-most, -penalty, penalty, most])
        here = step.correlation
        there = float(soft_threshold(np.array([here]), penalty)[0])
        color = self.colors[max(step.variable, 0)]
        traces = [
            panels.curve(
                [-most, most], [-most, most], line={"width": 1, "dash": "dot", "color": GREY}
            ),
            plane.line(np.column_stack([z, soft_threshold(z, penalty)]), line={"width": 3}),
            panels.curve(
                [here, here], [here, there], line={"width": 3, "color": color, "dash": "dot"}
            ),
            panels.curve([here], [there], mode="markers", marker={"size": 12, "color": color}),
        ]
        return Panel(
            traces,
            panels.axis("ρ of the coordinate", -most, most, nticks=4),
            panels.axis("S(ρ, λ)", -most, most),
        )

    def _objective(self, now: int) -> Panel:
        """Draw how far f is above its last value, on a log scale."""
        least = 1e-10 * (float(self.above.max()) or 1.0)  # below is rounding
        above = np.maximum(self.above, least)
        low, high = np.log10(above.min()), np.log10(above.max())
        traces = [
            panels.curve(plane.packed(self.at), plane.packed(above), line={"width": 2}),
            curves.marked(now, max(self._height(now), least)),
        ]
        room = 0.06 * (high - low) or 0.5
        y = {
            "title": {"text": "f − f at the end", "standoff": 2},
            "range": [float(low - room), float(high + room)],
            **curves.powers(low - room, high + room),
        }
        return Panel(traces, panels.axis("visit", 0, max(self.last, 1)), y)

    def _contours(self, now: int) -> Panel:
        """Draw the objective over two weights in bands, and the way so far."""
        bands, box = self._ground
        later = np.linspace(_FIRST, now, _LATER).astype(int) if now > _FIRST else []
        path = np.array([self.steps[i].weights for i in [*range(min(now + 1, _FIRST)), *later]])
        here = self.steps[now].weights
        traces = [
            bands,
            plane.line(path, mode="lines+markers", line={"width": 2}, marker={"size": 4}),
            curves.marked(float(here[0]), float(here[1])),
        ]
        x, y = (
            {"title": {"text": f"weight of {panels.label(name)}", "standoff": 3}, "nticks": 5}
            | {"range": [float(low), float(high)]}
            for name, low, high in zip(self.names, box[::2], box[1::2], strict=True)
        )
        return Panel(traces, x, {**y, "scaleanchor": False})

    def _height(self, now: int) -> float:
        """Return how far f is above its last value."""
        return self.steps[now].objective - self.steps[-1].objective

    @cached_property
    def _ground(self) -> tuple[dict, Bounds]:
        """Return the objective over two weights in bands, and the range of weights it covers."""
        height = np.sqrt(self.summary.surface - self.summary.surface.min())
        return surface.bands(self.summary.first, self.summary.second, height)


def _event(step: LassoStep) -> str:
    """Write the event of a visit."""
    return {
        "variable enters": " It enters.",
        "variable leaves": " It leaves.",
        "converged": " Converged: no coordinate can lower f.",
        "stopped at max_iter": " Stopped: the sweeps allowed are used up before it converged.",
    }.get(step.event or "", "")
