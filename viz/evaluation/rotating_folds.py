"""Pictures and words for cross-validation: folds take turns, and deals differ."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray

from algorithms.evaluation.rotating_folds import RotatingFoldsStep, spread
from viz.core import panels, plane
from viz.core.scene import Figure, Plane, Run, Scene, View
from viz.core.theme import GREY, NOW
from viz.core.words import counted, listed, number
from viz.evaluation import rotating_folds_questions

_CELLS = 70  # along each axis
_FEW = 4  # errors that a caption writes out


def rotating(run: Run, data: Plane, name: str, stratified: bool) -> Scene:
    """Show one fold after the other; name : of the classifier."""
    steps: Sequence[RotatingFoldsStep] = run.steps
    views = [
        View("This fold is held out (rings); the border is of the others", picture(data, steps)),
        View("Errors of this deal’s folds, their mean ± spread", fold_errors(steps)),
        View("Estimates, deal after deal", estimates(steps)),
    ]
    return Scene(
        views,
        lambda now: caption(data, steps, now),
        note(name, steps, stratified),
        ask=rotating_folds_questions.ask(data, steps),
    )


def picture(data: Plane, steps: Sequence[RotatingFoldsStep]) -> Callable[[int], Figure]:
    """Draw what the model of the other folds says, and ring the points that it has not seen."""
    x, y, cells = plane.grid(data.bounds, _CELLS)

    def at(now: int) -> Figure:
        step = steps[now]
        winner = step.predict(cells).reshape(_CELLS, _CELLS)
        sides = np.where(winner == step.classes[:, None, None], 1.0, -1.0)
        scores = np.ascontiguousarray(step.model.scores(cells).T).reshape(-1, _CELLS, _CELLS)
        # Of a model that knows fewer classes there are fewer scores.
        border = scores if len(scores) == len(step.classes) else sides
        traces = [
            plane.regions(winner, None, data.bounds),
            plane.borders(x, y, border, line={"width": 2.5}),
        ]
        strength = np.where(step.held_out, 1.0, 0.45)
        points = plane.points(data.X, data.labels, step.wrong, strength=strength)
        rings = plane.marks(step.held_out.astype(int), (100, 100), (0, 15), 1.5)
        return plane.figure(traces, data.bounds, data.names, points=points, marks=rings)

    return at


def fold_errors(steps: Sequence[RotatingFoldsStep]) -> Callable[[int], Figure]:
    """Draw a bar for every fold of this deal so far, their mean, and the spread about it."""
    k = max(step.fold for step in steps) + 1
    numbers = plane.packed(np.arange(1, k + 1))
    top = max(100 * max(step.error for step in steps), 1.0)
    ends = [0.5, k + 0.5]

    def at(now: int) -> Figure:
        step = steps[now]
        heights, here = np.zeros(k), np.zeros(k)
        heights[: step.fold + 1] = 100 * step.errors
        here[step.fold] = heights[step.fold]
        mean, around = 100 * step.mean, 100 * step.spread
        low, high = max(mean - around, 0.0), min(mean + around, 1.05 * top)
        traces = [
            _bars(numbers, heights - here, GREY),
            _bars(numbers, here, NOW),
            panels.curve(ends, [low, low], line={"width": 1}),
            panels.curve(
                ends, [high, high], line={"width": 1},
                fill="tonexty", fillcolor="rgba(122,127,135,0.22)",
            ),
            panels.curve(ends, [mean, mean], line={"width": 2.5}),
        ]  # fmt: skip
        across = panels.axis("fold", 1, k) | {"range": ends} | ({"dtick": 1} if k <= 10 else {})
        return panels.alone(panels.Panel(traces, across, panels.axis("% wrong", 0, top)))

    return at


def _bars(numbers: dict, heights: ndarray, hue: str) -> dict:
    return {
        "type": "bar",
        "x": numbers,
        "y": plane.packed(heights),
        "offset": -0.4,
        "width": 0.8,
        "marker": {"color": hue},
        "showlegend": False,
        "hovertemplate": "fold %{x}: %{y:.3g} %<extra></extra>",
    }


def estimates(steps: Sequence[RotatingFoldsStep]) -> Callable[[int], Figure]:
    """Draw the mean error of every deal that is finished, with their own mean and spread."""
    final = 100 * steps[-1].estimates
    count = len(final)
    low, high = float(final.min()), float(final.max())
    deals, ends = np.arange(1.0, count + 1), [0.5, count + 0.5]

    def at(now: int) -> Figure:
        done = len(steps[now].estimates)
        found = np.where(np.arange(count) < done, final, np.nan)
        mean = float(final[:done].mean()) if done else low
        around = 100 * spread(steps[now].estimates)
        traces = [
            panels.curve(ends, [mean - around] * 2, line={"width": 1}, visible=done > 1),
            panels.curve(
                ends, [mean + around] * 2, line={"width": 1}, visible=done > 1,
                fill="tonexty", fillcolor="rgba(122,127,135,0.22)",
            ),
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
        return panels.alone(panels.Panel(traces, across, up))

    return at


def caption(data: Plane, steps: Sequence[RotatingFoldsStep], now: int) -> str:
    """Say how the fold went, put its error into the mean, and say how the deals differ."""
    step, last = steps[now], steps[-1]
    held, wrong = int(step.held_out.sum()), int(step.wrong.sum())
    k, deals = last.fold + 1, last.deal + 1
    lines = [
        f"{f'Deal {step.deal + 1} of {deals}, fold' if deals > 1 else 'Fold'} {step.fold + 1} of "
        f"{k}: {wrong or 'none'} of {counted(held, 'held-out point')} wrong, "
        f"{_percent(step.error)}.",
        _rule(step),
        _shares(data, step),
    ]
    if step.event:
        lines[0] = f"{lines[0][:-1]}; now every point was judged once."
    done = step.estimates
    if len(done) > 1:
        lines.append(
            f"{len(done)} deals say {_percent(float(done.mean()))} on average, from "
            f"{_percent(float(done.min()))} to {_percent(float(done.max()))}, with a standard "
            f"deviation of {_percent(spread(done))}."
        )
    return "\n".join(lines)


def _rule(step: RotatingFoldsStep) -> str:
    """Put the errors of the folds into their mean and spread."""
    m = len(step.errors)
    if m == 1:
        return f"The mean of one fold is its error, {_percent(step.mean)}; it has no spread yet."
    shown = [number(100 * error) for error in step.errors]
    summed = " + ".join(shown) if m <= _FEW else f"{shown[0]} + … + {shown[-1]}"
    return (
        f"Mean of {m} folds = ({summed})/{m} = {_percent(step.mean)}; their standard deviation "
        f"σ = {_percent(step.spread)}."
    )


def _shares(data: Plane, step: RotatingFoldsStep) -> str:
    """Count the classes in the fold."""
    in_fold = data.labels[step.held_out]
    parts = [f"{int((in_fold == k).sum())} of class {data.classes[k]}" for k in step.classes]
    return f"In the fold: {listed(parts)}."


def _percent(share: float) -> str:
    return f"{number(100 * share)} %"


def note(name: str, steps: Sequence[RotatingFoldsStep], stratified: bool) -> str:
    """Say how the points are dealt, and what the spread is not."""
    k, n = steps[-1].fold + 1, len(steps[0].held_out)
    how = "class by class, so that every fold has its share of each" if stratified else "at random"
    dealt = (
        "Every point is a fold of its own, so that there is only one deal."
        if k == n
        else f"The {n} points are dealt into {k} folds {how}."
    )
    return (
        f"{dealt} {name} is fitted anew to the other folds every time, which are standardised by "
        "their own means and spreads. A ring: held out, in this fold. A thick outline: wrong. Each "
        "model learned from points that others are judged on, so the spread of the folds tells "
        "only roughly how sure their mean is."
    )
