"""From least squares to the absolute loss, which is robust to outliers in y."""

import numpy as np
from numpy.random import Generator

from algorithms.regression.linear_regression.absolute_loss import SOFT, AbsoluteLossStep
from viz.core import curves, plane
from viz.core.found import Curve
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import PALETTE
from viz.core.words import counted, number, rounded
from viz.regression.linear_regression import marks
from viz.regression.linear_regression.marks import four, parameters

_DOTS = 400  # pulls drawn at most
_EXACT = {"width": 2.5, "dash": "dot", "color": PALETTE[3]}
_ROUNDING = 1e-9  # of the range of y: a residual that is less is 0
_TOLD = 0.005  # of a slope: a smaller change is not asked for


class Outliers(Show[AbsoluteLossStep]):
    """The line, fit by fit, and how hard each point pulls at it."""

    unit = "fit"
    opens = 1

    def __init__(self, run: Run, data: Plane, query: float, unused: int) -> None:
        """Find the largest residual. query : the x at which the line is read off.

        unused : columns of the table that are not on the plane.
        """
        super().__init__(run, data)
        self.query = query
        self.largest = max(float(np.abs(step.residuals).max()) for step in self.steps)
        self.note = marks.columns_note(data, unused)

    def views(self) -> list[View]:
        """Return the line, the pulls, and both losses."""
        losses = {
            "mean |r|": [step.absolute for step in self.steps],
            "mean r²": [step.squared for step in self.steps],
        }
        return [
            View("From least squares to the absolute loss", self.picture),
            View("How hard each point pulls at the line", self.pulls),
            View("Both losses at every step", curves.timeline(losses), ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the line now with its residuals, the lines of both losses, and the reading."""
        bounds = self.data.bounds
        squares, exact = parameters(self.steps[0]), parameters(self.steps[-1])
        here = parameters(self.steps[now])
        traces = [
            marks.sticks(self.data.X, here, bounds),
            marks.fit_line(squares, bounds, line=marks.BEST, **marks.keyed("least squares")),
            marks.fit_line(here, bounds, line={"width": 3}, **marks.keyed("this fit")),
            marks.fit_line(exact, bounds, line=_EXACT, **marks.keyed("least absolute loss")),
            marks.reading(self.query, here, bounds),
            plane.rings(
                self.data.X[[self._farthest(now)]]
                if self.steps[now].phase != "exact"
                else plane.GAP,
                name="farthest from the line before",
            ),
        ]
        points = plane.points(self.data.X, marks.one_kind(self.data))
        return marks.with_key(plane.figure(traces, bounds, self.data.names, points=points))

    def _farthest(self, now: int) -> int:
        """Return the point that is farthest from the line before, at the start from the line."""
        return int(np.abs(self.steps[max(now - 1, 0)].residuals).argmax())

    def pulls(self, now: int) -> Figure:
        """Draw the pull of each point over its residual, for 400 points at most.

        Dashed: a pull in proportion, as in least squares. Dotted: the same pull for all points on
        one side, as in the absolute loss.
        """
        step = self.steps[now]
        every = marks.spread(step.residuals, _DOTS)
        wide = 1.1 * self.largest or 1.0
        share = wide / (float(np.abs(self.steps[0].residuals).max()) or wide)
        sign = np.array([[-wide, -1], [0, -1], [0, 1], [wide, 1]])
        dots = np.stack([step.residuals[every], step.forces[every]], axis=1)
        traces = [
            plane.line(np.array([[-wide, -share], [wide, share]]), line=marks.BEST),
            plane.line(sign, line=_EXACT),
            plane.line(dots, mode="markers", marker={"size": 7, "color": PALETTE[1]}),
        ]
        layout = curves.panel_layout(
            xaxis={"range": [-wide, wide], "title": {"text": "residual r", "standoff": 2}},
            yaxis={"range": [-1.25, 1.25], "title": {"text": "pull"}, "nticks": 5},
        )
        return {"data": traces, "layout": layout}

    def caption(self, now: int) -> str:
        """Write what the fit did, and how much the farthest point counted in it."""
        if now == 0:
            said = self._start()
        else:
            said = self._exact() if self.steps[now].phase == "exact" else self._reweighted(now)
        return (
            f"{said}\n{marks.read_off(self.query, parameters(self.steps[now]), self.data.bounds)}"
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which way the line turns, and what that does to the squared error."""
        before, after = self.steps[now], self.steps[now + 1]
        means = f"mean |r| from {number(before.absolute, 4)} to {number(after.absolute, 4)}."
        text = "The next line has a smaller mean |r|. What does"
        if rng.random() < 0.5:
            old, new = before.squared, after.squared
            reason = f"Mean r² goes from {number(old, 4)} to {number(new, 4)}, {means}"
            return rises_or_falls(f"{text} the mean of r² do?", old, new, reason)
        old, new = (float(step.weights[0]) for step in (before, after))
        reason = f"It goes from {number(old)} to {number(new)}, and {means}"
        return rises_or_falls(f"{text} its slope do?", old, new, reason, least=_TOLD)

    def found(self, now: int) -> Curve:
        """Return the line."""
        return marks.found(parameters(self.steps[now]), self.data.bounds)

    def _start(self) -> str:
        step = self.steps[0]
        size = np.abs(step.residuals)
        far, total = int(size.argmax()), float((size * size).sum()) or 1.0
        return (
            f"Start: least squares, with a mean |r| of {rounded(step.absolute)}.\n"
            "Every point pulls in proportion to its residual r: the ringed point "
            f"{far + 1}, with r = {four(step.residuals[far])}, has "
            f"{100 * size[far] ** 2 / total:.3g} % of the sum of r², but "
            f"{100 * size[far] / (size.sum() or 1.0):.3g} % of that of |r|."
        )

    def _exact(self) -> str:
        step, first = self.steps[-1], self.steps[0]
        clear = _ROUNDING * np.ptp(self.data.X[:, 1])  # a point on the line may pull with force 1
        above = int((step.residuals > clear).sum())
        below = int((step.residuals < -clear).sum())
        return (
            f"Exact, by linear programming: no line has a smaller mean |r| than "
            f"{rounded(step.absolute)}; least squares has {rounded(first.absolute)}.\n"
            f"{counted(above, 'point')} above the line: each pulls up with force 1, at any "
            f"distance; {below} below: each pulls down with force 1. Those on the line balance "
            "them."
        )

    def _reweighted(self, now: int) -> str:
        step, before = self.steps[now], self.steps[now - 1]
        size = np.abs(before.residuals)
        far, soft = int(size.argmax()), SOFT * self.steps[0].absolute
        middle = max(float(np.median(size)), soft)
        return (
            f"Fit {now}: far points count less, and the mean |r| goes from "
            f"{rounded(before.absolute)} to {rounded(step.absolute)}.\n"
            "Each point now weighs 1 over its distance to the line before: the ringed point 1 / "
            f"{number(size[far])} = {number(1 / size[far])}, a middle one 1 / {number(middle)} = "
            f"{number(1 / middle)}."
        )
