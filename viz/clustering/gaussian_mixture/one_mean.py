"""EM in one parameter: the log-likelihood is a curve, and the bound touches it."""

import numpy as np
from numpy.random import Generator

from algorithms.clustering.gaussian_mixture.one_mean import OneMeanStep
from viz.clustering.gaussian_mixture.lower_bound import bound_view
from viz.core import curves, naming, plane, soft_groups
from viz.core.found import Groups
from viz.core.question import Option, Place, Question, apart, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import number, rounded

_BOUND, _GAP = PALETTE[0], PALETTE[4]
_PLACES = 161  # along the curve; the bound is a parabola
_SEEN = 0.02  # of the picture's width: places farther apart can be distinguished
_BELOW = 0.03  # of the picture's height: from the middle of a badge to words below it
_OPENED = 1e-3  # of the log-likelihood: a smaller gap is none


class OneMean(Show[OneMeanStep]):
    """How EM climbs the curve of one parameter."""

    opens = 1

    def __init__(self, run: Run, data: Plane, width: float) -> None:
        """Prepare the curve. width : sigma as a share of the data's spread."""
        super().__init__(run, data)
        self.note = (
            f"Two round components of equal weight; σ = {width:g} × the spread of the data = "
            f"{number(self.steps[0].sigma)} (circles at 1 and 2 σ). Only m, the first coordinate "
            "of mean 1, is estimated. Drag 1 to begin elsewhere, 2 to hold the other component "
            "elsewhere."
        )
        left, right, bottom, top = data.bounds
        self.below = self.steps[0].means - [0, _BELOW * (top - bottom)]
        self.at = np.linspace(left, right, _PLACES)
        values = self.steps[0].log_likelihood_at(data.X, self.at)
        low, high = float(values.min()), float(values.max())
        self.lowest = low - 3 * (high - low)  # what is below is far below the picture
        # Only as deep as the steps need: they start no lower than half-way up, and gaps are seen.
        start = self.steps[0].log_likelihood
        low = max(low, min(2 * start - high, float(np.median(values))))
        room = 0.06 * (high - low) or 1.0
        path = np.column_stack([self.at, values])
        self.highest = float(self.at[values.argmax()]), high
        self.curve = plane.line(path, name="log-likelihood", showlegend=True)
        self.curve |= {"line": {"width": 2.5}}
        layout = curves.panel_layout(
            xaxis={"range": [left, right], "nticks": 6, "title": {"text": "m", "standoff": 2}},
            yaxis={"range": [low - room, high + 2 * room], "nticks": 5},
        )
        self.still = curves.with_legend({"data": [], "layout": layout})
        self.still["layout"]["margin"]["b"] = 44

    def views(self) -> list[View]:
        """Return the picture, the curve with the bound, and both at every half-step."""
        return [
            View("Mean 1 slides along the line, everything else is held", self.picture),
            View("Log-likelihood over m, and its bound below", self.touching),
            bound_view(self.steps),
        ]

    def picture(self, now: int) -> Figure:
        """Draw both components, and the line that the first mean slides along."""
        step = self.steps[now]
        left, right, *_ = self.data.bounds
        height = step.means[0, 1]
        spread = np.stack([step.sigma**2 * np.eye(2)] * 2)
        dotted = {"width": 2, "dash": "dot", "color": GREY}
        traces = [
            plane.line(
                np.array([[left, height], [right, height]]),
                line=dotted,
                name="line on which mean 1 moves",
            ),
            *soft_groups.ellipses(step.means, spread),
            soft_groups.centers(step.means, self.data.bounds),
            naming.words(self.below[0], "start", "bottom center"),
            naming.words(self.below[1], "held", "bottom center"),
        ]
        points = soft_groups.points(self.data.X, step.responsibilities)
        return plane.figure(
            traces, self.data.bounds, self.data.names, points=points, signs=soft_groups.SIGNS
        )

    def touching(self, now: int) -> Figure:
        """Draw the log-likelihood over m, this step's bound, and the gap at its value of m."""
        step, X = self.steps[now], self.data.X
        m, best = float(step.means[0, 0]), step.maximum(X)
        bound = step.bound_at(X, self.at)
        bound[bound < self.lowest] = np.nan
        summit = np.array([[best, step.bound_at(X, np.array([best]))[0]]])
        gap = np.array([[m, step.lower_bound], [m, step.log_likelihood]])
        apart = step.phase == "maximization"  # after an expectation the bound touches the curve
        told = f"gap {number(max(step.gap, 0.0))}\u2003" if apart else ""
        dashed = {"width": 2.5, "color": _BOUND, "dash": "dash"}
        diamond = {"size": 11, "symbol": 5, "color": _BOUND}
        path = np.column_stack([self.at, bound])
        traces = [
            self.curve,
            plane.line(path, name="bound", showlegend=True, line=dashed),
            plane.line(gap, name="gap", showlegend=True, line={"width": 6, "color": _GAP}),
            plane.line(summit, mode="markers", marker=diamond),
            curves.marked(m, step.log_likelihood, showlegend=False),
            naming.words(gap[1], told, "top left"),
        ]
        return self.still | {"data": traces}

    def caption(self, now: int) -> str:
        """Write what the half-step did to the bound or to m, and the rule with its numbers."""
        step, X = self.steps[now], self.data.X
        m = number(step.means[0, 0], 4)
        size, best = float(step.responsibilities[:, 0].sum()), step.maximum(X)
        if step.phase == "maximization":
            before = self.steps[now - 1]
            rise = number(max(step.log_likelihood - before.log_likelihood, 0.0))
            return (
                f"Maximization: m goes to the summit of the bound; the log-likelihood rises by "
                f"{rise} to {rounded(step.log_likelihood)}.\n"
                "m is now the mean of the first coordinates, weighted with the shares: "
                f"{number(size * best, 4)} / {number(size, 4)} = {m}. The bound is now "
                f"{number(max(step.gap, 0.0))} below the curve."
            )
        summit = f"The summit of the bound is at m = {number(best, 4)}: the next step goes there."
        if step.event == "converged":
            summit = "The summit of the bound is the place where it touches the curve."
        if now == 0:
            return (
                f"Start: mean 1 is at m = {rounded(step.means[0, 0])}, and the bound touches the "
                f"log-likelihood, {rounded(step.log_likelihood)}.\n{summit}"
            )
        stopped = step.event == "stopped at max_iter"
        end = " Stopped: no more iterations are allowed." * stopped
        there = f"the bound touches the curve again, at m = {rounded(step.means[0, 0])}."
        said = f"Expectation: recompute the shares; {there}{end}"
        if step.event == "converged":
            said = f"Converged on a summit of the curve: {there}"
        return f"{said}\n{summit}"

    def answer(self, now: int) -> str:
        """Write at the end of the run whether the curve is higher elsewhere."""
        at, high = self.highest
        step = self.steps[now]
        if step.event != "converged" or high - step.log_likelihood <= _OPENED * abs(high):
            return ""
        return (
            f"The curve is higher near m = {rounded(at)}: from this start, EM does not get there."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask where the mean goes, and what an expectation does to both curves."""
        if self.steps[now + 1].phase == "maximization":
            return self._goes(now)
        return _closes(self.steps[now], self.steps[now + 1])

    def found(self, now: int) -> Groups:
        """Return the main component of every point."""
        return Groups(self.steps[now].responsibilities.argmax(axis=1))

    def _goes(self, now: int) -> Question | None:
        """Ask where the mean goes: wrong answers are the means of its own points, and of all."""
        before, after = self.steps[now], self.steps[now + 1]
        x, q = self.data.X[:, 0], before.responsibilities[:, 0]
        old, new = before.means[0, 0], after.means[0, 0]
        own = x[before.responsibilities.argmax(axis=1) == 0]
        goals = [new, old, *([own.mean()] if len(own) else []), x.mean(), new + (new - old)]
        places: list[Place] = [(0, float(goal), float(before.means[0, 1])) for goal in goals]
        seen = _SEEN * (self.data.bounds[1] - self.data.bounds[0])
        if abs(new - old) < seen:
            return None
        options = [Option(f"m = {number(places[i][1])}", places[i]) for i in apart(places, seen)]
        reason = (
            "It goes to the summit of the bound, the mean of the points weighted by their shares: "
            f"Σ q x / Σ q = {number(float(q @ x))} / {number(float(q.sum()))} = "
            f"{number(float(new))}."
        )
        return question("Maximization: where does mean 1 go?", options[0], options[1:], reason)


def _closes(before: OneMeanStep, after: OneMeanStep) -> Question | None:
    """Ask which of the two curves an expectation moves."""
    if before.gap <= _OPENED * abs(before.log_likelihood):
        return None
    ways = [
        Option("The bound rises to the log-likelihood"),
        Option("The log-likelihood falls to the bound"),
        Option("Both rise by the same amount"),
    ]
    ends = [number(value, 5) for value in (before.lower_bound, after.lower_bound)]
    reason = (
        f"m stays, and so does the log-likelihood, {number(after.log_likelihood, 5)}; the bound "
        f"goes from {ends[0]} to {ends[1]} with the new shares."
    )
    text = "Expectation: what do the bound and the log-likelihood at m do?"
    return question(text, ways[0], ways[1:], reason)
