"""Cross-validation: folds take turns at being held out, and deals differ."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.evaluation.rotating_folds import RotatingFoldsStep, spread
from viz.core import panels, plane
from viz.core.found import Regions
from viz.core.naming import in_corner, named_at_ends
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls, which_point
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import counted, listed, number

_CELLS = 70  # along each axis
_SIGNS = {
    "wrong": "thick outline: wrong",
    "strength": "faint: a training point",
}
_FEW = 4  # errors that a caption writes out
_TRAINING = 0.3  # opacity of the points of the other folds
_BAND = "rgba(122,127,135,0.22)"


class Folds(Show[RotatingFoldsStep]):
    """One fold after the other, deal after deal."""

    opens = 17

    def __init__(self, run: Run, data: Plane, name: str, stratified: bool) -> None:
        """Write the note, and measure the axes. name : the classifier's name."""
        super().__init__(run, data)
        self.note = _note(name, self.steps[-1], stratified)
        self.k = max(step.fold for step in self.steps) + 1
        self.most = 1.12 * max(100 * max(step.error for step in self.steps), 1.0)

    def views(self) -> list[View]:
        """Return the picture, the errors of the folds, and the estimates."""
        return [
            View("One fold is held out; the others made the border", self.picture),
            View("Errors of this deal's folds: mean ± s", self.fold_errors),
            View("Estimates, deal by deal: mean ± s", self.estimates),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the model of the other folds, and ring the points it has not seen."""
        data, step = self.data, self.steps[now]
        x, y, cells = plane.grid(data.bounds, _CELLS)
        winner = self.found(now).classes
        sides = np.where(winner == step.classes[:, None, None], 1.0, -1.0)
        scores = np.ascontiguousarray(step.model.scores(cells).T).reshape(-1, _CELLS, _CELLS)
        # A model that knows fewer classes has fewer scores.
        border = scores if len(scores) == len(step.classes) else sides
        traces = [
            plane.regions(winner, None, data.bounds),
            plane.borders(
                x, y, border, line={"width": 2.5}, name="border of the model of the other folds"
            ),
            in_corner("faint: training", data.bounds, "bottom right"),
        ]
        points = plane.points(
            data.X, data.labels, step.wrong, held=step.held_out,
            strength=np.where(step.held_out, 1.0, _TRAINING),
        )  # fmt: skip
        return plane.figure(traces, data.bounds, data.names, points=points, signs=_SIGNS)

    def fold_errors(self, now: int) -> Figure:
        """Draw a bar for every fold of this deal so far, their mean and standard deviation."""
        step, k, top = self.steps[now], self.k, self.most
        numbers, ends = plane.packed(np.arange(1, k + 1)), [0.5, k + 0.5]
        heights, here = np.zeros(k), np.zeros(k)
        heights[: step.fold + 1] = 100 * step.errors
        here[step.fold] = heights[step.fold]
        mean, around = 100 * step.mean, 100 * step.spread
        low, high = max(mean - around, 0.0), min(mean + around, 1.05 * top)
        band = {"fill": "tonexty", "fillcolor": _BAND}
        traces = [
            _bars(numbers, heights - here, {"color": GREY}),
            _bars(numbers, here, {}),  # in ink: the fold of this step
            panels.curve(ends, [low, low], line={"width": 1}),
            panels.curve(ends, [high, high], line={"width": 1}, **band),
            panels.curve(ends, [mean, mean], line={"width": 2.5}),
        ]
        across = panels.axis("fold", 1, k) | {"range": ends} | ({"dtick": 1} if k <= 10 else {})
        panel = panels.alone(panels.Panel(traces, across, panels.axis("% wrong", 0, top)))
        return named_at_ends(panel, ends[1], {"mean": mean}, margin=58)

    def estimates(self, now: int) -> Figure:
        """Draw the mean error of every finished deal, and the mean and spread of these means."""
        final = 100 * self.steps[-1].estimates
        count, done = len(final), len(self.steps[now].estimates)
        low, high = float(final.min()), float(final.max())
        deals, ends = np.arange(1.0, count + 1), [0.5, count + 0.5]
        found = np.where(np.arange(count) < done, final, np.nan)
        mean = float(final[:done].mean()) if done else low
        around = 100 * spread(self.steps[now].estimates)
        thin = {"line": {"width": 1}, "visible": done > 1}
        traces = [
            panels.curve(ends, [mean - around] * 2, **thin),
            panels.curve(ends, [mean + around] * 2, fill="tonexty", fillcolor=_BAND, **thin),
            panels.curve(ends, [mean] * 2, line={"width": 2}, visible=done > 0),
            panels.curve(
                plane.packed(deals), plane.packed(found), mode="markers", marker={"size": 8},
                hoverinfo="all", hovertemplate="deal %{x}: %{y:.3g} %<extra></extra>",
            ),
        ]  # fmt: skip
        room = max(high - low, 0.05 * high, 0.5)
        across = panels.axis("deal", 1, count) | {"range": ends}
        across |= {"dtick": 1} if count <= 10 else {}
        up = panels.axis("mean, % wrong", max(low - room / 2, 0.0), high + room / 2)
        panel = panels.alone(panels.Panel(traces, across, up))
        return named_at_ends(panel, ends[1], {"mean": mean} if done else {}, margin=58)

    def caption(self, now: int) -> str:
        """Write the fold's error, the mean so far, and how the deals differ."""
        step, last = self.steps[now], self.steps[-1]
        held, wrong = int(step.held_out.sum()), int(step.wrong.sum())
        deals = last.deal + 1
        which = f"Deal {step.deal + 1} of {deals}, fold" if deals > 1 else "Fold"
        ending = "; now every point has been judged once" if step.event else ""
        said = (
            f"{which} {step.fold + 1} of {last.fold + 1}: {wrong or 'none'} of "
            f"{counted(held, 'held-out point')} wrong, {_percent(step.error)}{ending}."
        )
        done = step.estimates
        lines = [said, f"{_rule(step)} {self._shares(step)}"]
        if len(done) > 1:
            estimates = (
                f"The estimates of {len(done)} deals go from {_percent(float(done.min()))} to "
                f"{_percent(float(done.max()))}: mean {_percent(float(done.mean()))}, "
                f"s = {_percentage_points(spread(done))}."
            )
            lines.insert(0 if step is last else len(lines), estimates)
        return "\n".join(lines)

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which point the next model gets wrong, or whether the mean error rises."""
        before, after = self.steps[now], self.steps[now + 1]
        same = after.deal == before.deal
        if same and rng.random() < 0.4 and (found := _ask_mean(before, after)):
            return found
        return _ask_wrong(rng, self.data, after)

    def found(self, now: int) -> Regions:
        """Return the class that the model of the other folds predicts in every cell."""
        cells = plane.grid(self.data.bounds, _CELLS)[2]
        return Regions(self.steps[now].predict(cells).reshape(_CELLS, _CELLS))

    def _shares(self, step: RotatingFoldsStep) -> str:
        """Write how many points of each class are in the fold."""
        data = self.data
        in_fold = data.labels[step.held_out]
        parts = [f"{int((in_fold == k).sum())} of class {data.classes[k]}" for k in step.classes]
        return f"In the fold: {listed(parts)}."


def _bars(numbers: dict, heights: ndarray, marker: dict) -> dict:
    return {
        "type": "bar",
        "x": numbers,
        "y": plane.packed(heights),
        "offset": -0.4,
        "width": 0.8,
        "marker": marker,
        "showlegend": False,
        "hovertemplate": "fold %{x}: %{y:.3g} %<extra></extra>",
    }


def _rule(step: RotatingFoldsStep) -> str:
    """Write the mean and the standard deviation of the folds' errors with their numbers."""
    m = len(step.errors)
    if m == 1:
        return f"With one fold, the mean is its error, {_percent(step.mean)}; its spread needs two."
    shown = [number(100 * error) for error in step.errors]
    summed = " + ".join(shown) if m <= _FEW else f"{shown[0]} + … + {shown[-1]}"
    return (
        f"On average, the {m} folds so far have ({summed})/{m} = {_percent(step.mean)} wrong, with "
        f"a standard deviation s = {_percentage_points(step.spread)}."
    )


def _percent(share: float) -> str:
    return f"{number(100 * share)} %"


def _percentage_points(share: float) -> str:
    points = number(100 * share)
    return f"{points} percentage point{'s' * (points != '1')}"


def _note(name: str, last: RotatingFoldsStep, stratified: bool) -> str:
    """Write how the points are dealt, and why the standard deviation is only a rough guide."""
    k, n = last.fold + 1, len(last.held_out)
    how = "class by class, so that every fold has its share of each" if stratified else "at random"
    dealt = (
        "Every point is a fold of its own, so there is only one deal."
        if k == n
        else f"The {n} points are dealt into {k} folds {how}."
    )
    return (
        f"{dealt} For every fold, {name} is fitted again to the other folds, which are "
        "standardised by their own means and standard deviations. Each model learned from points "
        "that others are judged on, so the spread of the folds shows only roughly how sure their "
        "mean is."
    )


def _ask_wrong(rng: Generator, data: Plane, after: RotatingFoldsStep) -> Question | None:
    """Ask which point of the next fold the model of the other folds gets wrong."""

    def reason(i: int) -> str:
        said, is_ = (data.classes[k] for k in (after.predict(data.X[[i]])[0], data.labels[i]))
        return f"The model of the other folds predicts “{said}”; the point is of class “{is_}”."

    right = after.held_out & ~after.wrong
    text = "These points are held out next. Which one does the model of the others get wrong?"
    return which_point(rng, data, text, after.wrong, right, reason)


def _ask_mean(before: RotatingFoldsStep, after: RotatingFoldsStep) -> Question | None:
    """Ask what the next fold does to the mean error of this deal."""
    reason = (
        f"This fold's error is {number(100 * after.error)} %: the mean goes from "
        f"{number(100 * before.mean)} to {number(100 * after.mean)} %."
    )
    text = f"Fold {after.fold + 1} comes next. What does the mean error of this deal do?"
    return rises_or_falls(text, before.mean, after.mean, reason)
