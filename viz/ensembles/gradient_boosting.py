"""Pictures for gradient boosting: the sum of the trees, what it leaves over, and its errors."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from algorithms.ensembles.gradient_boosting import GradientBoostingStep
from algorithms.ensembles.step_tree import StepFunction
from viz.core import curves, panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, PALETTE

_MOST = 400  # parts of a step function that are drawn
_JUMP = 1e-4  # of the picture's width, or of the narrowest part
_SHOWN = 400  # residuals
_FEW = 12  # rounds, whose places along a curve are marked
_UNLEARNED = 0.6, 0.45  # diameter and opacity of the points held out


@dataclass(frozen=True, eq=False)
class Boosted:
    """A run, and the points it is about.

    features : (n, 1) or (n, 2), of the points of `data`. loss : "squared", "absolute" or "Huber".
    held : (n,) which points are held out. at : where the sum is read off, (1,) an x or (1, 2) a
    point; `picked` is how that place is called.
    """

    data: Plane
    features: ndarray
    steps: Sequence[GradientBoostingStep]
    loss: str
    held: ndarray
    at: ndarray
    picked: str

    @cached_property
    def read(self) -> ndarray:
        """The sum after every round at the place where it is read off."""
        added = [step.learning_rate * self.says(now) for now, step in enumerate(self.steps)]
        return float(self.steps[0].total(self.at)[0]) + np.cumsum(added)

    def says(self, now: int) -> float:
        """Give what the round's tree says at the place where the sum is read off."""
        return float(self.steps[now].tree(self.at)[0])

    @property
    def measure(self) -> str:
        """What the errors are."""
        return "mean squared error" if self.loss == "squared" else "mean absolute error"

    @property
    def middle(self) -> str:
        """What F is before the first round."""
        return "mean" if self.loss == "squared" else "median"

    @cached_property
    def training(self) -> ndarray:
        """The training error after every round."""
        return np.array([step.training_error for step in self.steps])

    @cached_property
    def held_out(self) -> ndarray | None:
        """The held-out error after every round, if any point is held out."""
        if not self.held.any():
            return None
        return np.array([step.held_out_error for step in self.steps], float)

    @cached_property
    def best(self) -> int | None:
        """The first round with the lowest held-out error."""
        return None if self.held_out is None else int(self.held_out.argmin())

    @cached_property
    def shown(self) -> ndarray:
        """The training points whose residuals are drawn: not more than there is room for."""
        found = np.flatnonzero(~self.held)
        return found[np.linspace(0, len(found) - 1, min(len(found), _SHOWN)).round().astype(int)]

    @cached_property
    def levels(self) -> tuple[float, float]:
        """The lowest and the highest of the training points' targets."""
        targets = self.steps[0].residuals[~self.held] + self.read[0]
        return float(targets.min()), float(targets.max())

    @cached_property
    def farthest(self) -> tuple[float, float]:
        """The lowest and the highest residual of the run, and 0."""
        every = np.array([step.residuals[self.shown] for step in self.steps])
        return min(float(every.min()), 0.0), max(float(every.max()), 0.0)


def picture(shown: Boosted, now: int) -> Figure:
    """Draw the points, the sum of the trees, and dashed the sum before this round."""
    data, ends, x = shown.data, shown.data.bounds[:2], float(shown.at[0])
    before, total = (shown.steps[step].total for step in (max(now - 1, 0), now))
    traces = [
        steps(before, *ends, width=2, dash="dash", color=GREY),
        plane.found(plane.CURVE, steps(total, *ends, width=3)),
        plane.line(
            np.array([[x, data.bounds[2]], [x, shown.read[now]]]),
            mode="lines+markers",
            line={"width": 2, "dash": "dot", "color": PALETTE[2]},
            marker={"size": [0, 11], "color": PALETTE[2], "opacity": 1},
        ),
    ]
    size, strength = np.where(shown.held[:, None], _UNLEARNED, (1.0, 1.0)).T
    points = plane.points(data.X, data.labels, size=size, strength=strength)
    return plane.figure(traces, data.bounds, data.names, points=points)


def residuals(shown: Boosted, now: int) -> Figure:
    """Draw what the sum before this round leaves over, and this round's tree."""
    left, right = shown.data.bounds[:2]
    across = panels.axis(panels.label(shown.data.names[0]), left, right) | {"range": [left, right]}
    x, tree = shown.data.X[shown.shown, 0], shown.steps[now].tree
    return curves.with_legend(panels.alone(beside_tree(shown, now, x, tree, across)))


def beside_tree(shown: Boosted, now: int, x: ndarray, tree: StepFunction, across: dict) -> Panel:
    """Draw the residuals of the points that are shown at places x along an axis, and the tree.

    The dashed line is the part of the tree that is added, the dotted ones are where the Huber loss
    bounds residuals. A cross was not drawn for the tree.
    """
    step, rows = shown.steps[now], shown.shown
    r, drawn = step.residuals[rows], step.drawn[rows]
    symbols = np.where(drawn, 0, 4).tolist()
    added = StepFunction(tree.cuts, step.learning_rate * tree.values)
    left, right = across["range"]
    traces = [
        panels.curve([left, right], [0, 0], line={"width": 1, "color": GREY}),
        plane.line(
            np.stack([x, r], axis=1),
            mode="markers",
            marker={"size": 6, "symbol": symbols, "color": PALETTE[0]},
        ),
        steps(tree, left, right, width=2.5, color=PALETTE[1], name="tree h", showlegend=True),
        steps(
            added, left, right, width=2, dash="dash", color=PALETTE[1], name="added, η h",
            showlegend=True,
        ),
    ]  # fmt: skip
    if step.delta is not None:
        level = [step.delta, step.delta, None, -step.delta, -step.delta]
        ends = [left, right, None, left, right]
        stroke = {"width": 1.5, "dash": "dot", "color": GREY}
        traces.append(panels.curve(ends, level, name="±δ", showlegend=True, line=stroke))
    return Panel(traces, across, panels.axis("residual", *shown.farthest))


def errors(shown: Boosted, now: int) -> Figure:
    """Draw the errors against the rounds; the round with the lowest held-out error is dotted."""
    series = [("training", shown.training, "solid")]
    if shown.held_out is not None:
        series.append(("held out", shown.held_out, "dash"))
    last = len(shown.steps) - 1
    rounds = plane.packed(np.arange(last + 1))
    traces = []
    for name, values, dash in series:
        curve = panels.curve(
            rounds,
            plane.packed(values),
            mode="lines+markers" if last <= _FEW else "lines",
            marker={"size": 4},
            name=name,
            line={"width": 2.5, "dash": dash},
            showlegend=True,
            hoverinfo="all",
            hovertemplate=f"round %{{x}}: {name} %{{y:.4g}}<extra></extra>",
        )
        traces += [curve, curves.marked(now, float(values[now]), showlegend=False)]
    top = max(float(values.max()) for _, values, _ in series)
    figure = panels.alone(
        Panel(traces, panels.axis("round", 0, last), panels.axis(shown.measure, 0, top))
    )
    if shown.best is not None:
        figure["layout"]["shapes"] = [curves.dotted(shown.best, 2)]
    return curves.with_legend(figure)


def steps(
    f: StepFunction, left: float, right: float, *, width: float, dash: str = "solid", **how: object
) -> dict:
    """Draw a step function; of one with very many parts, what it is at so many places."""
    if len(f.cuts) < _MOST:
        x, y = f.cuts, f.values
    else:
        x = np.linspace(left, right, _MOST + 1)[1:-1]
        y = f(np.append(x, right))
    # A jump is a very steep line: between two corners all is straight, for whoever reads it.
    jump = _JUMP * min([right - left, *np.diff(x)])
    first, last = min([left, *x[:1]]), max([right, *(x[-1:] + jump)])
    corners = np.concatenate([[first], np.repeat(x, 2), [last]])
    corners[2:-1:2] += jump
    stroke = {"width": width, "dash": dash}
    if "color" in how:
        stroke["color"] = how.pop("color")
    return plane.line(np.stack([corners, np.repeat(y, 2)], axis=1), line=stroke, **how)
