"""Pictures for ridge and lasso: the paths of the weights, the errors and the prior."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy import ndarray

from algorithms.regression.paths.penalty_account import PathAccount
from algorithms.regression.paths.penalty_curve import PenaltyCurve
from algorithms.regression.paths.regressors import Regressors
from algorithms.regression.paths.weight_prior import relative_density
from viz.core import curves, panels, plane, theme
from viz.core.panels import Panel
from viz.core.scene import Figure
from viz.regression.paths.fit import TRAINING, VALIDATION

_REACH = 3.0  # weights are drawn up to so many times those of the best penalty


@dataclass(frozen=True, eq=False)
class Path:
    """What the views of a ridge or lasso path are drawn from."""

    steps: Sequence[Any]
    account: PathAccount
    made: Regressors

    @property
    def curve(self) -> PenaltyCurve:
        """The weights and the errors against the penalty."""
        return self.account.curve

    @cached_property
    def limits(self) -> tuple[float, float]:
        """The weights to show: all, unless those without a penalty dwarf the useful ones."""
        curve = self.curve
        best = len(curve.penalties) - 1 if curve.best is None else curve.best
        reach = _REACH * float(np.abs(curve.weights[best]).max())
        low, high = float(curve.weights.min()), float(curve.weights.max())
        if reach > 0:
            low, high = max(low, -reach), min(high, reach)
        room = 0.08 * (high - low) or 1.0
        return low - room, high + room

    @cached_property
    def columns(self) -> list[dict]:
        """Every weight along the curve."""
        return [plane.packed(column) for column in self.curve.weights.T]

    @cached_property
    def penalties(self) -> dict:
        """The penalties along the curve."""
        return plane.packed(self.curve.penalties)

    @cached_property
    def norms(self) -> dict:
        """The sizes of the weights along the curve."""
        return plane.packed(self.curve.norms)

    def place(self, now: int) -> float:
        """Say where a step is on the axis of the penalty: 0 is drawn at its end."""
        return max(self.steps[now].penalty, float(self.curve.penalties[-1]))


def paths(path: Path, now: int) -> Figure:
    """Draw every weight against the penalty, large to small, and against the norm."""
    curve, order, weights = path.curve, path.account.order, path.steps[now].weights
    size = float(np.linalg.norm(weights, order))
    most = _reach(curve.norms, path.limits)
    ends = curve.weights[np.flatnonzero(curve.norms <= most)[-1]]
    right = Panel(
        [
            *_lines(path, path.norms, now),
            panels.upright(size, *path.limits),
            _dots(size, weights),
        ],
        panels.axis("‖w‖₁" if order == 1 else "‖w‖₂", 0.0, most),
        {"range": list(path.limits), "showticklabels": False},
        panels.names_beside(path.made.names, ends, *path.limits),
    )
    return panels.side_by_side(against_penalty(path, now), right, room=0.03)


def against_penalty(path: Path, now: int) -> Panel:
    """Draw every weight against the penalty."""
    here = path.place(now)
    return Panel(
        [
            *_lines(path, path.penalties, now),
            panels.upright(here, *path.limits),
            _dots(here, path.steps[now].weights),
        ],
        _penalty_axis(path.curve),
        {"title": {"text": "weight", "standoff": 2}, "range": list(path.limits), "nticks": 5},
    )


def errors(path: Path, now: int) -> Panel:
    """Draw both errors against the penalty, and a star where the held-out one is least."""
    curve, here, x = path.curve, path.place(now), path.penalties
    both = np.concatenate([curve.training, curve.validation])
    low, high = float(both.min()), float(both.max())
    if len(curve.validation) and high > 3 * curve.training.max():
        high = 3 * float(curve.training.max())  # what overfitting costs beyond that is off the plot
    at = int(np.abs(np.log(curve.penalties / here)).argmin())
    best = curve.best
    held = curve.validation if best is not None else np.full(len(curve.penalties), np.nan)
    traces = [
        panels.curve(x, plane.packed(curve.training), line={"width": 3, "color": TRAINING}),
        panels.curve(x, plane.packed(held), line={"width": 3, "color": VALIDATION, "dash": "dash"}),
        {
            **curves.marked(0, 0),
            "x": [] if best is None else [float(curve.penalties[best])],
            "y": [] if best is None else [float(held[best])],
            "marker": {"size": 14, "symbol": "star", "color": VALIDATION},
        },
        panels.upright(here, low - (high - low), high + (high - low)),
        panels.curve(
            [here] * 2,
            [float(curve.training[at]), None if best is None else float(held[at])],
            mode="markers",
            marker={"size": 9, "color": [TRAINING, VALIDATION], "symbol": ["circle", "square"]},
        ),
    ]
    return Panel(traces, _penalty_axis(curve), panels.axis("RMS error", low, high))


def prior(path: Path, now: int) -> Panel:
    """Draw the prior density that the penalty stands for, and the weights on it."""
    step, account = path.steps[now], path.account
    most = max(-path.limits[0], path.limits[1])
    w = np.linspace(-most, most, 121)

    def density(weights: ndarray) -> dict:
        found = relative_density(weights, step.penalty, account.variance, order=account.order)
        return plane.packed(found)

    colors = [theme.color(j) for j in range(len(step.weights))]
    traces = [
        panels.curve(
            plane.packed(w), density(w), fill="tozeroy", line={"width": 2},
            fillcolor="rgba(122,127,135,0.25)",
        ),
        panels.curve(
            plane.packed(step.weights), density(step.weights), mode="markers",
            marker={"size": 9, "color": colors, "line": {"width": 1}},
        ),
    ]  # fmt: skip
    y = {"range": [0, 1.08], "showticklabels": False}
    return Panel(traces, panels.axis("weight", -most, most), y)


def errors_and_prior(path: Path, now: int) -> Figure:
    """Draw the errors against the penalty, and the prior beside them."""
    return panels.side_by_side(errors(path, now), prior(path, now), split=0.52, room=0.06)


def _reach(norms: ndarray, limits: tuple[float, float]) -> float:
    """End the axis of the norm where the weights leave the plot, as far as one can tell."""
    most = float(norms.max())
    return min(most, 4 * max(-limits[0], limits[1])) if len(norms) > 1 else most


def _penalty_axis(curve: PenaltyCurve) -> dict:
    top, bottom = float(curve.penalties[0]), float(curve.penalties[-1])
    return panels.falling_log_axis("penalty λ, falling", top, bottom)


def _lines(path: Path, x: dict, now: int) -> list[dict]:
    """Draw a line for every weight; that of the variable that enters or leaves is thick."""
    named = getattr(path.steps[now], "variable", -1)
    return [
        panels.curve(x, column, line=panels.stroke(j, 5 if j == named else 2))
        for j, column in enumerate(path.columns)
    ]


def _dots(x: float, weights: ndarray) -> dict:
    colors = [theme.color(j) for j in range(len(weights))]
    marker = {"size": 7, "color": colors, "line": {"width": 1}}
    places = plane.packed(np.full(len(weights), x))
    return panels.curve(places, plane.packed(weights), mode="markers", marker=marker)
