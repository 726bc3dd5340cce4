"""The path of the weights in panels: against the penalty, and against their norm; the prior."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy import ndarray

from algorithms.regression.linear_paths.cross_validation import CrossValidation
from algorithms.regression.linear_paths.path_summary import path_summary
from algorithms.regression.linear_paths.penalty_curve import PenaltyCurve
from algorithms.regression.linear_paths.prepared_table import PreparedTable
from algorithms.regression.linear_paths.weight_prior import prior_width, relative_density
from viz.core import panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure, View
from viz.core.words import rounded
from viz.regression.linear_paths.error_curves import ErrorCurves
from viz.regression.linear_paths.line_names import line_colors, line_dashes, names_at_ends

_REACH = 3.0  # weights are drawn up to this many times those of the best penalty


class PathPanels:
    """The panels that all modes of a ridge or lasso path share; `folds` judge its penalties."""

    def __init__(self, steps: Sequence[Any], made: PreparedTable, folds: CrossValidation) -> None:
        """Measure the path."""
        self.steps, self.made = steps, made
        self.summary = path_summary(steps, made)
        self.curve: PenaltyCurve = self.summary.curve
        self.errors = ErrorCurves(steps, self.summary, folds)

    def views(self) -> list[View]:
        """Return the weights against the penalty, the errors, those of folds, and the norm."""
        kind = "Laplace" if self.summary.order == 1 else "Gaussian"
        norm = f"The weights against their norm; {kind} prior"
        errors = self.errors
        folds = View(errors.folds_title(), errors.folds_figure, ahead="to a question")
        return [
            View("The weights against the penalty", self.paths, height=1.6, ahead="to a question"),
            View(errors.title(), errors.figure, ahead="to a question"),
            *([folds] if errors.judged else []),
            View(norm, self.norm_and_prior, ahead="to a question"),
        ]

    @cached_property
    def limits(self) -> tuple[float, float]:
        """Return the weights to show: all, unless those without a penalty are far larger."""
        curve = self.curve
        best = len(curve.penalties) - 1 if curve.best is None else curve.best
        reach = _REACH * float(np.abs(curve.weights[best]).max())
        low, high = float(curve.weights.min()), float(curve.weights.max())
        if reach > 0:
            low, high = max(low, -reach), min(high, reach)
        room = 0.08 * (high - low) or 1.0
        return low - room, high + room

    @cached_property
    def colors(self) -> list[str]:
        """Return the colours of the weights that come farthest from 0, and grey for the others."""
        return line_colors(np.abs(self.curve.weights).max(axis=0), self.made.columns)

    @cached_property
    def dashes(self) -> list[str]:
        """Return the dash patterns of the weights' lines."""
        return line_dashes(self.colors)

    @cached_property
    def columns(self) -> list[dict]:
        """Return every weight along the curve."""
        return [plane.packed(column) for column in self.curve.weights.T]

    @cached_property
    def penalties(self) -> dict:
        """Return the penalties along the curve."""
        return plane.packed(self.curve.penalties)

    @cached_property
    def to_least_squares(self) -> dict:
        """Return what joins the weights at the smallest penalty drawn to those of λ = 0."""
        return self.errors.to_none(self.curve.weights[-1], self.steps[-1].weights)

    @cached_property
    def norms(self) -> dict:
        """Return the sizes of the weights along the curve."""
        return plane.packed(self.curve.norms)

    def paths(self, now: int) -> Figure:
        """Draw every weight against the penalty, large to small, each named at its end."""
        return panels.alone(self.against_penalty(now))

    def against_penalty(self, now: int) -> Panel:
        """Draw every weight against the penalty."""
        here, x, end = self.errors.place(now), self.errors.axis, self.errors.end
        high, low = x["range"]
        begin = end * 10 ** (-0.02 * (high - low))
        names = self.made.names
        return Panel(
            [
                *self._lines(self.penalties, now),
                self.to_least_squares,
                panels.upright(here, *self.limits),
                self._dots(here, self.steps[now].weights),
                *names_at_ends(
                    names, self.steps[-1].weights, self.limits, (end, begin), self.colors
                ),
            ],
            x,
            {"title": {"text": "weight", "standoff": 2}, "range": list(self.limits), "nticks": 5},
        )

    def norm_and_prior(self, now: int) -> Figure:
        """Draw every weight against the norm of them all, and the prior density beside it."""
        curve, order, weights = self.curve, self.summary.order, self.steps[now].weights
        size = float(np.linalg.norm(weights, order))
        left = Panel(
            [
                *self._lines(self.norms, now),
                panels.upright(size, *self.limits),
                self._dots(size, weights),
            ],
            panels.axis("‖w‖₁" if order == 1 else "‖w‖₂", 0.0, _reach(curve.norms, self.limits)),
            {"title": {"text": "weight", "standoff": 2}, "range": list(self.limits), "nticks": 5},
        )
        return panels.side_by_side(left, self.prior(now), room=0.04)

    def prior(self, now: int) -> Panel:
        """Draw the prior density that the penalty stands for, and the weights on it."""
        step, summary = self.steps[now], self.summary
        most = max(-self.limits[0], self.limits[1])
        w = np.linspace(-most, most, 121)

        def density(weights: ndarray) -> dict:
            found = relative_density(weights, step.penalty, summary.variance, order=summary.order)
            return plane.packed(found)

        traces = [
            panels.curve(
                plane.packed(w), density(w), fill="tozeroy", line={"width": 2},
                fillcolor="rgba(122,127,135,0.25)",
            ),
            panels.curve(
                plane.packed(step.weights), density(step.weights), mode="markers",
                marker={"size": 9, "color": self.colors, "line": {"width": 1}},
            ),
        ]  # fmt: skip
        x = panels.axis("weight", -most, most, nticks=4, tickangle=0)
        y = {"range": [0, 1.3], "showticklabels": False}
        told = {"text": self._prior_width(step.penalty), "x": 0.5, "y": 1, "yanchor": "top"}
        return Panel(traces, x, y, [told | {"showarrow": False}])

    def _prior_width(self, penalty: float) -> str:
        """Write how wide the prior is that a penalty stands for."""
        if penalty == 0:
            return "flat: no penalty"
        width = prior_width(penalty, self.summary.variance, order=self.summary.order)
        if self.summary.order == 1:
            return f"scale σ²/λ = {rounded(width)}"
        return f"variance σ²/λ = {rounded(width**2)}"

    def _lines(self, x: dict, now: int) -> list[dict]:
        """Draw a line for every weight; that of the variable that enters or leaves is thick."""
        named = getattr(self.steps[now], "variable", -1)
        looks = zip(self.columns, self.colors, self.dashes, strict=True)
        return [
            panels.curve(
                x, column, line={"width": 5 if j == named else 2, "color": color, "dash": dash}
            )
            for j, (column, color, dash) in enumerate(looks)
        ]

    def _dots(self, x: float, weights: ndarray) -> dict:
        marker = {"size": 7, "color": self.colors, "line": {"width": 1}}
        places = plane.packed(np.full(len(weights), x))
        return panels.curve(places, plane.packed(weights), mode="markers", marker=marker)


def _reach(norms: ndarray, limits: tuple[float, float]) -> float:
    """Return the end of the axis of the norm: about where the weights leave the plot."""
    most = float(norms.max())
    return min(most, 4 * max(-limits[0], limits[1])) if len(norms) > 1 else most
