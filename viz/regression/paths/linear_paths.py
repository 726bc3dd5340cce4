"""Pictures for ridge and lasso: the paths of the weights, the errors and the prior."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy import ndarray

from algorithms.regression.paths.cross_validation import CrossValidation
from algorithms.regression.paths.penalty_account import PathAccount
from algorithms.regression.paths.penalty_curve import PenaltyCurve
from algorithms.regression.paths.regressors import Regressors
from algorithms.regression.paths.weight_prior import relative_density
from viz.core import panels, plane, theme
from viz.core.panels import Panel
from viz.core.scene import Figure
from viz.core.theme import PALETTE
from viz.regression.paths.fit import TRAINING, VALIDATION
from viz.regression.paths.line_names import names_at_ends

FOLDS = PALETTE[2]  # the colour of the errors in cross-validation
_RIBBON = "rgba(0,158,115,0.22)"
_NAMES = 0.16  # of the axis of the penalty, for the names of the lines
_REACH = 3.0  # weights are drawn up to so many times those of the best penalty


@dataclass(frozen=True, eq=False)
class Path:
    """What the views of a ridge or lasso path are drawn from; `folds` judge the same penalties."""

    steps: Sequence[Any]
    account: PathAccount
    made: Regressors
    folds: CrossValidation

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

    def nearest(self, now: int) -> int:
        """Give the number of the penalty on the curve that is nearest to a step's."""
        return int(np.abs(np.log(self.curve.penalties / self.place(now))).argmin())

    @property
    def judged(self) -> bool:
        """Whether there were points enough for cross-validation."""
        return len(self.folds.errors) > 0

    @cached_property
    def ribbon(self) -> ndarray:
        """The root of the mean error in cross-validation, and of it ± one standard error."""
        if not self.judged:
            return np.full((3, len(self.curve.penalties)), np.nan)
        mean, standard_error = self.folds.mean, self.folds.standard_error
        both = [mean, mean - standard_error, mean + standard_error]
        return np.sqrt(np.maximum(both, 0.0))


def paths(path: Path, now: int) -> Figure:
    """Draw every weight against the penalty, large to small, each named at its end."""
    return panels.alone(against_penalty(path, now))


def against_penalty(path: Path, now: int) -> Panel:
    """Draw every weight against the penalty."""
    here, x = path.place(now), _penalty_axis(path.curve)
    (high, low), end = x["range"], float(path.curve.penalties[-1])
    begin = end * 10 ** (-0.02 * (high - low))
    names = path.made.names
    return Panel(
        [
            *_lines(path, path.penalties, now),
            panels.upright(here, *path.limits),
            _dots(here, path.steps[now].weights),
            *names_at_ends(names, path.curve.weights[-1], path.limits, (end, begin)),
        ],
        x,
        {"title": {"text": "weight", "standoff": 2}, "range": list(path.limits), "nticks": 5},
    )


def norm_and_prior(path: Path, now: int) -> Figure:
    """Draw every weight against the norm of them all, and the prior density beside it."""
    curve, order, weights = path.curve, path.account.order, path.steps[now].weights
    size = float(np.linalg.norm(weights, order))
    left = Panel(
        [
            *_lines(path, path.norms, now),
            panels.upright(size, *path.limits),
            _dots(size, weights),
        ],
        panels.axis("‖w‖₁" if order == 1 else "‖w‖₂", 0.0, _reach(curve.norms, path.limits)),
        {"title": {"text": "weight", "standoff": 2}, "range": list(path.limits), "nticks": 5},
    )
    return panels.side_by_side(left, prior(path, now), room=0.04)


def errors_alone(path: Path, now: int) -> Figure:
    """Draw the errors against the penalty, with a key above."""
    panel = errors(path, now)
    panel.annotations = [_key(path)]
    figure = panels.alone(panel)
    figure["layout"]["margin"] = {**figure["layout"]["margin"], "t": 24}
    return figure


def errors(path: Path, now: int) -> Panel:
    """Draw the errors against the penalty: training, held out and in cross-validation.

    A star marks the least held-out error; a ring and a diamond the least mean error of the folds,
    and the largest penalty within one standard error of it. The ribbon is ± one standard error.
    """
    curve, folds, here, x = path.curve, path.folds, path.place(now), path.penalties
    low, high = _heights(path)
    at, best = path.nearest(now), curve.best
    none = np.full(len(curve.penalties), np.nan)
    held = none if best is None else curve.validation
    middle, below, above = path.ribbon
    around = np.concatenate([above, below[::-1]])
    along = np.concatenate([curve.penalties, curve.penalties[::-1]])
    picked = [folds.best, folds.simplest] if path.judged else []
    traces = [
        panels.curve(plane.packed(along), plane.packed(around), fill="toself",
                     fillcolor=_RIBBON, line={"width": 0}),
        panels.curve(x, plane.packed(middle), line={"width": 3, "color": FOLDS, "dash": "dashdot"}),
        panels.curve(x, plane.packed(curve.training), line={"width": 3, "color": TRAINING}),
        panels.curve(x, plane.packed(held), line={"width": 3, "color": VALIDATION, "dash": "dash"}),
        _marks(curve.penalties, held, [] if best is None else [best],
               {"size": 14, "symbol": "star", "color": VALIDATION}),
        _marks(curve.penalties, middle, picked,
               {"size": 13, "symbol": ["circle-open", "diamond-open"][: len(picked)],
                "color": FOLDS, "line": {"width": 3}}),
        panels.upright(here, low - (high - low), high + (high - low)),
        _marks(np.full(3, here), np.array([curve.training[at], held[at], middle[at]]), [0, 1, 2],
               {"size": 9, "color": [TRAINING, VALIDATION, FOLDS],
                "symbol": ["circle", "square", "diamond"]}),
    ]  # fmt: skip
    return Panel(traces, _penalty_axis(curve), panels.axis("RMS error", low, high))


def _heights(path: Path) -> tuple[float, float]:
    """Give the errors to show; what overfitting costs beyond three times the most is off it."""
    curve = path.curve
    shown = np.concatenate([curve.training, curve.validation, path.ribbon.ravel()])
    low, high = float(np.nanmin(shown)), float(np.nanmax(shown))
    return low, min(high, 3 * float(curve.training.max()) or high)


def _marks(x: ndarray, y: ndarray, chosen: list[int], marker: dict) -> dict:
    """Mark some places of a curve."""
    shown = [(float(x[i]), float(y[i])) for i in chosen if np.isfinite(y[i])]
    return panels.curve(
        [place[0] for place in shown], [place[1] for place in shown], mode="markers", marker=marker
    )


def _key(path: Path) -> dict:
    """Say above the errors what their lines and marks are."""
    signs = [(TRAINING, "━ training")]
    if path.curve.best is not None:
        signs.append((VALIDATION, "╌ held out ★"))
    if path.judged:
        signs.append((FOLDS, f"▬ {len(path.folds.errors)} folds ± SE ○ ◇"))
    text = " &nbsp;".join(f'<span style="color:{color}">{words}</span>' for color, words in signs)
    place = {"x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom"}
    return {**place, "showarrow": False, "text": text, "font": {"size": 13}}


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
    return Panel(traces, panels.axis("weight", -most, most, nticks=4, tickangle=0), y)


def _reach(norms: ndarray, limits: tuple[float, float]) -> float:
    """End the axis of the norm where the weights leave the plot, as far as one can tell."""
    most = float(norms.max())
    return min(most, 4 * max(-limits[0], limits[1])) if len(norms) > 1 else most


def _penalty_axis(curve: PenaltyCurve) -> dict:
    """Give the axis of the penalty, with room for names at its end; all plots have the same one."""
    top, bottom = float(curve.penalties[0]), float(curve.penalties[-1])
    axis = panels.falling_log_axis("penalty λ, falling", top, bottom)
    high, low = axis["range"]
    return axis | {"range": [high, low - _NAMES * (high - low)]}


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
