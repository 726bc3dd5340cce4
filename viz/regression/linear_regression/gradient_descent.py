"""Gradient descent: the line, the bowl of its squared error, and each update in numbers."""

from dataclasses import replace

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.features import PolynomialFeatures
from algorithms.core.optimizers import Plain, Rule
from algorithms.core.pipeline import plane_units
from algorithms.regression.linear_regression.descent_on_plane import line_through
from algorithms.regression.linear_regression.gradient_descent import GradientDescentStep
from algorithms.regression.linear_regression.squared_loss import squared_loss
from viz.core import curves, plane, what_if
from viz.core.drawing import Drawing
from viz.core.found import Curve
from viz.core.optimizers import Update, applied, vector
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import added, number, rounded
from viz.regression.linear_regression import bowl, marks, rates
from viz.regression.linear_regression.marks import equation, equation_of, four

_RINGED = 64  # points of a batch at most
_NAMED = 4  # points of a batch at most
_TINY = 5e-4  # of the error: a smaller change is not read off
_SEEN = 0.01  # of a weight: a smaller change is not asked for


class Descent(Show[GradientDescentStep]):
    """The way down the bowl, update by update."""

    opens = 2

    def __init__(
        self, run: Run, data: Plane, query: float, rule: Rule, standardize: bool, unused: int
    ) -> None:
        """Prepare the bowl and the way over it.

        query : the x at which the line is read off. rule : with its first learning rate; the steps
        know theirs. unused : columns of the table that are not on the plane.
        """
        super().__init__(run, data)
        self.query, self.rule = query, rule
        self.units = plane_units(data.before, standardize=standardize)
        x, y = self.units(data.X).T
        self.loss = squared_loss(x[:, None], y)
        self.window = bowl.window(self.loss, self.steps)
        self.ground = bowl.ground(self.loss, self.window)
        self.path = bowl.path_over(self.steps, self.window)
        self.above = [step.excess for step in self.steps]
        self.jumps = any(step.fall < 0 for step in self.steps)
        self.points = plane.points(data.X, marks.one_kind(data))
        best = in_data(self.units, *self.loss.minimum)
        self.best = marks.fit_line(best, data.bounds, line=marks.BEST, **marks.keyed("best line"))
        self.note = (
            f"{marks.columns_note(data, unused)} Dashed: the best line; grey: the line before."
            f"{marks.squares_note(data)}{units_note(self.units, data.names)}"
        )

    def views(self) -> list[View]:
        """Return the line, the bowl, and the height above its minimum."""
        above = {"f − f*": self.above}
        return [
            View("The line, and the best one (dashed)", self.picture),
            View("The bowl f(w, b), and the way down", self.way_down, 1.6),
            View(
                "Mean squared error f above its minimum f*",
                curves.timeline(above, log=list(above)),
                ahead="by step",
            ),
        ]

    def line(self, now: int) -> marks.Line:
        """Return slope and intercept of a step, in the units of the data."""
        return in_data(self.units, *marks.parameters(self.steps[now]))

    def picture(self, now: int) -> Figure:
        """Draw the line, fainter the one before, dashed the best one, and the residuals.

        With all points in a step the residuals are those of the line; with a mini-batch they are
        those that moved it, from the line before, and their points have a ring.
        """
        X, bounds, batch = self.data.X, self.data.bounds, self.steps[now].batch
        line, before = self.line(now), self.line(max(now - 1, 0))
        seen, judged = (X[batch], before) if len(batch) else (X, line)
        traces = [
            marks.squares(seen, judged, bounds),
            marks.sticks(seen, judged, bounds),
            marks.fit_line(
                before, bounds, line={"width": 2, "color": GREY}, **marks.keyed("line before")
            ),
            marks.fit_line(line, bounds, line={"width": 3}, **marks.keyed("line now")),
            self.best,  # still seen when the line has reached it
            plane.rings(
                X[batch] if 0 < len(batch) <= _RINGED else plane.GAP,
                name="point of this mini-batch",
            ),
            marks.reading(self.query, line, bounds),
        ]
        figure = plane.figure(traces, bounds, self.data.names, points=self.points)
        return marks.with_key(figure)

    def way_down(self, now: int) -> Figure:
        """Draw the way down the bowl, and an arrow if the step is outside the window."""
        here = np.array(marks.parameters(self.steps[now]))
        return bowl.way_down(self.ground, self.path, now, bowl.outside(here, self.window))

    def caption(self, now: int) -> str:
        """Write what the update did, the rule with its numbers, and what the line predicts."""
        rule = self._rule(now)
        said = self._start(rule) if now == 0 else self._happened(now, rule)
        before = self.steps[max(now - 1, 0)].learning_rate
        if rule.learning_rate != before:
            said = f"From here on η = {four(rule.learning_rate)} instead of {four(before)}. {said}"
        return f"{said}\n{marks.read_off(self.query, self.line(now), self.data.bounds)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the slope and the height of the line, and for the error where it may rise."""
        before, after = self.steps[now], self.steps[now + 1]
        if not after.change.any():
            return None  # the update is not made
        if self.jumps and rng.random() < 0.3:
            reason = f"It goes from {number(before.loss, 4)} to {number(after.loss, 4)}."
            text = "What does the mean squared error of all points do?"
            return rises_or_falls(text, before.loss, after.loss, reason)
        which = int(rng.integers(2))
        old, new = (marks.parameters(step)[which] for step in (before, after))
        gradient = number(float(after.gradient[which]))
        reason = f"The gradient is {gradient} there: it goes from {number(old)} to {number(new)}."
        text = f"What does the {('slope w', 'intercept b')[which]} do?"
        return rises_or_falls(text, old, new, reason, least=_SEEN)

    def found(self, now: int) -> Curve:
        """Return the line."""
        return marks.found(self.line(now), self.data.bounds)

    def ghost(self, since: int, now: int) -> tuple[list[dict], ...]:
        """Return the line, and the way over the bowl and the height above its minimum."""
        line = marks.fit_line(self.line(now), self.data.bounds, line=what_if.LOOK)
        at = np.linspace(since - 1, len(self.path) - 1, bowl.TRAIL).round().astype(int)
        way = what_if.path(self.path[np.unique(at)])
        return [line | {"opacity": what_if.FAINT}], [way], [what_if.curve(self.above, since)]

    def to_draw(self) -> Drawing:
        """Return the line as a class draws it, judged by f in the units of the run."""

        def cost(places: ndarray) -> float:
            return self.loss.floor + self.loss.excess(line_through(self.units(places)))

        return marks.line_by_hand(self.data, in_data(self.units, *self.loss.minimum), cost)

    def _rule(self, now: int) -> Rule:
        return replace(self.rule, learning_rate=self.steps[now].learning_rate)

    def _start(self, rule: Rule) -> str:
        step = self.steps[0]
        ending = " It is there already: converged." if step.event else ""
        batch = len(self.steps[1].batch) if len(self.steps) > 1 else 0
        return (
            f"Start: {equation(step)}, mean squared error f = {rounded(step.loss)}; the best line "
            f"has f* = {rounded(self.loss.floor)}.{ending}\n"
            f"The best line is {equation_of(*self.loss.minimum)}. "
            f"{rates.prospect(self.loss, rule, batch)}"
        )

    def _happened(self, now: int, rule: Rule) -> str:
        step = self.steps[now]
        if not step.change.any() and step.event == "diverged":
            why = rates.why(step, self.loss, rule)
            return f"Diverged: the next update would leave the range of numbers.\n{why}"
        change = f"{'falls' if step.fall >= 0 else 'rises'} to"
        where, above = f"Step {now}", f"; the least is {rounded(self.loss.floor)}"
        if max(abs(step.fall), step.excess) < _TINY * step.loss:
            change, above = "stays at", ", practically the least"
        if len(step.batch):
            where, above = f"Step {now}, epoch {step.epoch}, from {_points(step.batch)}", ""
        if step.event == "diverged":
            above = ""
        diverged = step.event == "diverged"
        why = f"Diverged: {rates.why(step, self.loss, rule)} " if diverged else ""
        return (
            f"{where}: the mean squared error {change} {rounded(step.loss)}{above}."
            f"{rates.state(self.steps, now, self.loss, rule)}\n{why}{self._update(now, rule)}"
        )

    def _update(self, now: int, rule: Rule) -> str:
        """Write the update with its numbers; plain descent's in words."""
        step, before = self.steps[now], self.steps[now - 1]
        if isinstance(rule, Plain):
            (w, b), (new_w, new_b) = marks.parameters(before), marks.parameters(step)
            return (
                f"{number(rule.learning_rate)} (the rate η) times the gradient "
                f"{vector(step.gradient, 4)} is taken off: slope w from {four(w)} to "
                f"{four(new_w)}, intercept b from {four(b)} to {four(new_b)}."
            )
        kept = before.velocity, step.velocity, step.squares
        said = applied(
            rule, "(w, b)", Update(step.index, before.theta, step.theta, step.gradient, *kept)
        )
        return f"{said}."


def in_data(units: PolynomialFeatures, w: float, b: float) -> marks.Line:
    """Return the slope and the intercept in the units of the data."""
    (cx, cy), (sx, sy) = units.center + units.mean * units.spread, units.spread * units.scale
    slope = w * sy / sx
    return float(slope), float(cy + sy * b - slope * cx)


def units_note(units: PolynomialFeatures, names: tuple[str, str]) -> str:
    """Write on which scale w, b, f and the learning rate are."""
    if (units.spread == 1).all() and (units.scale == 1).all():
        return ""
    x, y = (
        f"({name} {added(-center, 4)}) / {four(spread)}"
        for name, center, spread in zip(names, units.center, units.spread, strict=True)
    )
    return f" For the descent both are standardised: x = {x}, y = {y}; so w, b and f are of these."


def _points(rows: ndarray) -> str:
    if len(rows) == 1:
        return f"point {rows[0] + 1}, ringed"
    if len(rows) <= _NAMED:
        return f"points {', '.join(str(i + 1) for i in rows)}, ringed"
    return f"{len(rows)} points{', ringed' * (len(rows) <= _RINGED)}"
