"""The regions and the leave-one-out errors, one k after the other."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.neighbors.leave_one_out import LeaveOneOutStep
from viz.classification.neighbors import marks
from viz.core import curves, plane
from viz.core.found import Regions
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import ANSWER, Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import counted, listed, number

_CELLS = 90  # of the regions: there are some for every k
_HIGH = 0.4  # of the axis: below a curve that is higher, there is room for two lines
_RUNS = 5  # stretches of equally good k that are listed at most


class LeaveOneOut(Show[LeaveOneOutStep]):
    """The points that are wrong when they are left out, for every k."""

    unit = "k ="
    counts_from = 1

    def __init__(self, run: Run, data: Plane, query: ndarray) -> None:
        """Count the wrong points and the ties. query : the picked point."""
        super().__init__(run, data)
        self.query = query
        units = marks.units(self.steps[0].model, data)
        self.note = f"A thick outline marks a point that is wrong when it is left out. {units}"
        self.opens = min(range(len(self.steps)), key=lambda now: self.steps[now].errors)
        self.ks = [step.k for step in self.steps]
        self.left_out = [step.errors for step in self.steps]
        self.training = [step.training_wrong for step in self.steps]
        self.tied = [step.tied for step in self.steps]
        ends = [0.4, self.ks[-1] + 0.6]
        self.axis = {"title": {"text": "k", "standoff": 2}, "range": ends, "nticks": 8}

    def views(self) -> list[View]:
        """Return the picture, the errors, and the ties if there are any."""
        views = [
            View("Regions for this k; outlined: wrong", self.picture),
            View("Points wrong, against k", self.errors, ahead="by step"),
        ]
        if any(self.tied):
            views.append(View("Tied votes, against k; dotted: this k", self.ties, ahead=True))
        return views

    def picture(self, now: int) -> Figure:
        """Draw the regions of the model of all points, and the points wrong when left out."""
        data, step = self.data, self.steps[now]
        points = plane.points(data.X, data.labels, step.wrong)
        drawn = marks.vote_regions, marks.border
        traces = [draw(step.model, data.bounds, _CELLS) for draw in drawn]
        signs = {"wrong": "wrong when it is left out"}
        return plane.figure(traces, data.bounds, data.names, points=points, signs=signs)

    def errors(self, now: int) -> Figure:
        """Draw the number of wrong points against k: left out, and voting on themselves."""
        ks, left_out, training = self.ks, self.left_out, self.training
        best, (first, last) = self._fewest(), self._stretch()
        top = 1.08 * max(*left_out, *training, 1)
        named = f"{first}" if first == last else f"{first} to {last}"
        below = "<br>" if min(left_out) > _HIGH * top else ""  # clear of the training error
        names = [f"{below}best, k = {named}" if k == first else "" for k in best]
        dashed = {"line": {"dash": "dash", "color": GREY}, "marker": {"symbol": 1, "size": 4}}
        traces = [
            curves.against("left out", ks, left_out, marker={"size": 5}),
            curves.against("training", ks, training, **dashed),
            curves.marked(ks[now], left_out[now], showlegend=False),
            curves.marked(
                0, 0, showlegend=False, meta=ANSWER,
                marker={"size": 10, "symbol": 102, "line": {"width": 2}},
            )
            | {
                "x": best, "y": [min(left_out)] * len(best),
                "mode": "markers+text", "text": names, "cliponaxis": False,
                "textposition": "bottom right", "textfont": {"size": 15, "shadow": "auto"},
            },
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={
                "title": {"text": "k", "standoff": 2},
                "range": [0.4, ks[-1] + 0.6],
                "nticks": 8,
            },
            yaxis={"title": {"text": "points wrong"}, "range": [-0.03 * top, top], "nticks": 5},
        )
        return curves.with_legend({"data": traces, "layout": layout})

    def _fewest(self) -> list[int]:
        """Return every k with the fewest points wrong."""
        return [k for k, wrong in zip(self.ks, self.left_out, strict=True)
                if wrong == min(self.left_out)]  # fmt: skip

    def _stretches(self) -> list[tuple[int, int]]:
        """Return the first and the last k of every stretch with the fewest points wrong."""
        best = self._fewest()
        first = [k for k in best if k - 1 not in best]
        return list(zip(first, [k for k in best if k + 1 not in best], strict=True))

    def _stretch(self) -> tuple[int, int]:
        """Return the longest of the stretches; in a tie, the first one."""
        return max(self._stretches(), key=lambda ends: ends[1] - ends[0])

    def answer(self, now: int) -> str:
        """Write which k are the best, if several are."""
        best, (first, last) = self._fewest(), self._stretch()
        if len(best) == 1:
            return ""
        runs = [f"{a}" if a == b else f"{a} to {b}" for a, b in self._stretches()]
        if len(runs) > _RUNS:
            runs = [*runs[:_RUNS], "more"]
        fewest, verb = min(self.left_out), "is" if min(self.left_out) == 1 else "are"
        said = (
            f"At k = {listed(runs)}, {counted(fewest, 'point')} {verb} wrong, the fewest of all k."
        )
        if last - first > 1:
            said += (
                f" Prefer k = {(first + last) // 2}, the middle of the longest stretch: with one "
                "neighbour more or fewer, no more points are wrong."
            )
        return said

    def ties(self, now: int) -> Figure:
        """Draw against k how many points have a tied vote when they are left out."""
        ks, tied = self.ks, self.tied
        strength = [1.0 if i == now else 0.45 for i in range(len(ks))]
        bars = {
            "type": "bar",
            "x": ks,
            "y": tied,
            "marker": {"opacity": strength},
            "hovertemplate": "k = %{x}: %{y} tied<extra></extra>",
        }
        layout = curves.panel_layout(
            xaxis={
                "title": {"text": "k", "standoff": 2},
                "range": [0.4, ks[-1] + 0.6],
                "nticks": 8,
            },
            yaxis={"title": {"text": "ties"}, "range": [0, 1.1 * max(*tied, 1)], "nticks": 4},
            shapes=[curves.dotted(ks[now])],
        )
        return {"data": [bars], "layout": layout}

    def caption(self, now: int) -> str:
        """Write how many points are wrong with this k, and how its ties are broken."""
        step, n = self.steps[now], len(self.data.X)
        best = int(np.argmin(self.left_out[: now + 1]))
        against = "; the fewest so far" if now else ""
        if best != now:
            against = f"; the fewest so far are {self.left_out[best]}, at k = {self.ks[best]}"
        shares = _share(step.errors, n), _share(step.training_wrong, n)
        return (
            f"k = {step.k}: {step.errors} of {n} points are wrong when each is left out"
            f"{against}.\nLeave-one-out error {shares[0]}; training error (points vote on "
            f"themselves) {shares[1]}. {_ties(step)}\n{self._picked(step)}"
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the next k does better."""
        before, after = self.steps[now], self.steps[now + 1]
        reason = (
            f"Left out, {counted(after.errors, 'point')} {'gets' if after.errors == 1 else 'get'} "
            f"the wrong class with k = {after.k}, and {before.errors} with k = {before.k}."
        )
        text = f"k goes from {before.k} to {after.k}. What does the number of wrong points do?"
        return rises_or_falls(text, before.errors, after.errors, reason)

    def found(self, now: int) -> Regions:
        """Return the winner of the vote in every cell."""
        return marks.found(self.steps[now].model, self.data.bounds, _CELLS)

    def _picked(self, step: LeaveOneOutStep) -> str:
        classes, votes = self.data.classes, step.model.votes(self.query[None])[0]
        name = classes[step.classes[votes.argmax()]]
        parts = [
            f"{number(float(count))} for class {classes[j]}"
            for j, count in zip(step.classes, votes, strict=True)
            if count > 0
        ]
        what = "votes" if step.model.weights == "equal" else "weights"
        tie = ", which is listed first" if np.sum(votes == votes.max()) > 1 else ""
        return f"Picked point: the {what} are {listed(parts)}, so it is class {name}{tie}."


def _share(wrong: int, n: int) -> str:
    return f"{wrong}/{n} = {number(100 * wrong / n)} %"


def _ties(step: LeaveOneOutStep) -> str:
    if step.tied == 0:
        return "No vote is tied."
    votes = "1 vote is" if step.tied == 1 else f"{step.tied} votes are"
    return f"{votes} tied: the class listed first wins."
