"""The errors against the penalty: training, held out and in cross-validation."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy import ndarray

from algorithms.regression.linear_paths.cross_validation import CrossValidation
from algorithms.regression.linear_paths.path_summary import PathSummary
from algorithms.regression.linear_paths.penalty_curve import PenaltyCurve
from viz.core import curves, panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure
from viz.core.theme import GREY
from viz.core.words import rounded

_RIBBON = "rgba(122,127,135,0.22)"
NAMES = 0.16  # of the axis of the penalty, for the names of the lines
_GAP = 0.14  # of the height of the errors, from name to name
_STAR = {"size": 22, "symbol": "star", "color": GREY}  # seen behind the dot of the shown step
_LEAST = "least held-out error"
_AIR = 4 * "\u00a0"  # from the mark at the end of a line to its name
_TO_NONE = 0.13  # of the axis, from the smallest penalty above 0 to the tick of λ = 0

Mark = tuple[str, int, ndarray]
"""A word, the index of a penalty, and the errors at all penalties."""


class ErrorCurves:
    """The errors of a path; `folds` judge the same penalties."""

    def __init__(self, steps: Sequence[Any], summary: PathSummary, folds: CrossValidation) -> None:
        """Keep what is measured."""
        self.steps, self.summary, self.folds = steps, summary, folds
        self.curve: PenaltyCurve = summary.curve
        self.judged = len(folds.errors) > 0  # there were points enough for cross-validation

    @cached_property
    def ribbon(self) -> ndarray:
        """Return the root of the mean error in cross-validation, and of it ± one standard error."""
        if not self.judged:
            return np.full((3, len(self.curve.penalties)), np.nan)
        mean, standard_error = self.folds.mean, self.folds.standard_error
        both = [mean, mean - standard_error, mean + standard_error]
        return np.sqrt(np.maximum(both, 0.0))

    @cached_property
    def end(self) -> float:
        """Return where the last step is on the axis of the penalty.

        A logarithmic axis has no 0: λ = 0 is a little beyond the smallest penalty that is drawn.
        """
        top, bottom = float(self.curve.penalties[0]), float(self.curve.penalties[-1])
        return bottom * (bottom / top) ** _TO_NONE if self.steps[-1].penalty == 0 else bottom

    def place(self, now: int) -> float:
        """Return where a step is on the axis of the penalty."""
        penalty = self.steps[now].penalty
        return max(penalty, float(self.curve.penalties[-1])) if penalty > 0 else self.end

    def to_none(self, before: ndarray, after: ndarray) -> dict:
        """Join values at the smallest penalty drawn to those of λ = 0."""
        bottom = float(self.curve.penalties[-1])
        pairs = zip(before, after, strict=True) if self.end < bottom else ()
        joins = [np.array([[bottom, a], [self.end, b]]) for a, b in pairs]
        dotted = {"width": 2, "dash": "dot", "color": GREY}
        return plane.line(plane.joined(joins), line=dotted, name="on to λ = 0, not to scale")

    @cached_property
    def axis(self) -> dict:
        """Return the axis of the penalty, the same in all plots, with room for names at its end."""
        top, bottom = float(self.curve.penalties[0]), float(self.curve.penalties[-1])
        axis = panels.falling_log_axis("penalty λ, falling", top, bottom)
        if self.end < bottom:
            axis["tickvals"], axis["ticktext"] = (
                [*axis["tickvals"], self.end],
                [*axis["ticktext"], "0"],
            )
        high, low = axis["range"][0], float(np.log10(self.end))
        return axis | {"range": [high, low - NAMES * (high - low)]}

    def nearest(self, now: int) -> int:
        """Return the index of the penalty on the curve that is nearest to a step's."""
        return int(np.abs(np.log(self.curve.penalties / self.place(now))).argmin())

    def figure(self, now: int) -> Figure:
        """Draw the training and the held-out error against the penalty.

        A star marks the least held-out error.
        """
        return _alone(self.panel(now))

    def folds_figure(self, now: int) -> Figure:
        """Draw the mean error of the folds against the penalty, ± one standard error.

        A ring marks the least mean, and a diamond the largest penalty within one standard error.
        """
        return _alone(self.folds_panel(now))

    def panel(self, now: int) -> Panel:
        """Draw the training and the held-out error, with their names and the star."""
        curve, measured, here = self.curve, self.summary.measured, self.place(now)
        lines = {"training": curve.training}
        shown, last = [measured.training[now]], [measured.training[-1]]
        if curve.best is not None:
            lines["held out"] = curve.validation
            shown.append(measured.validation[now])
            last.append(measured.validation[-1])
        y = self._axis(list(lines.values()))
        looks = zip(lines.items(), ("solid", "dash"), strict=False)
        star = [] if curve.best is None else [(_LEAST, curve.best, curve.validation)]
        traces = [
            *(self._line(values, name, dash=dash) for (name, values), dash in looks),
            _marks(curve.penalties, star, _STAR, _LEAST),
            self.to_none(np.array([values[-1] for values in lines.values()]), np.array(last)),
            _upright(here, y),
            *(
                curves.marked(here, float(error), marker=dot, showlegend=False)
                for error, dot in zip(shown, (curves.DOT, curves.HOLLOW), strict=False)
            ),
            self._names(lines, y),
            *self._words(star, y),
        ]
        return Panel(traces, self.axis, y)

    def folds_panel(self, now: int) -> Panel:
        """Draw the mean error of the folds and its ribbon, with the two penalties they choose."""
        curve, folds, here = self.curve, self.folds, self.place(now)
        middle, below, above = self.ribbon
        around = np.concatenate([above, below[::-1]])
        along = np.concatenate([curve.penalties, curve.penalties[::-1]])
        y = self._axis([below, above])
        chosen = [
            ("least in folds", folds.best, middle),
            ("simplest within 1 SE", folds.simplest, middle),
        ]
        shown = float(middle[self.nearest(now)]) if self.steps[now].penalty > 0 else None
        rings = {"size": 13, "symbol": ["circle-open", "diamond-open"], "line": {"width": 3}}
        traces = [
            panels.curve(plane.packed(along), plane.packed(around), fill="toself",
                         fillcolor=_RIBBON, line={"width": 0}, name="± one standard error"),
            self._line(middle, f"mean of {len(folds.errors)} folds", dash="dash"),
            _marks(curve.penalties, chosen, rings, "what the folds choose"),
            _upright(here, y),
            curves.marked(here, 0.0, marker=curves.HOLLOW, showlegend=False) | {"y": [shown]},
            *self._words(chosen, y),
        ]  # fmt: skip
        return Panel(traces, self.axis, y)

    def _line(self, values: ndarray, name: str, *, dash: str) -> dict:
        """Draw errors against the penalty."""
        x, look = plane.packed(self.curve.penalties), {"width": 3, "dash": dash}
        return panels.curve(x, plane.packed(values), line=look, name=name)

    def title(self) -> str:
        """Name the errors."""
        held = "The errors" if self.curve.best is not None else "Training error"
        return f"{held} against the penalty"

    def folds_title(self) -> str:
        """Name the errors of the folds."""
        return f"The error in {len(self.folds.errors)} folds against the penalty"

    def note(self) -> str:
        """Write how cross-validation was done."""
        if not self.judged:
            return " There are too few training points for cross-validation."
        return (
            f" Cross-validation deals the training points into {len(self.folds.errors)} folds. For "
            "each fold, features and weights are computed again from the other folds, with λ in "
            "proportion to their number of points."
        )

    def line(self, now: int) -> str:
        """Return the errors at a step."""
        measured = self.summary.measured
        found = f"RMS error: {rounded(measured.training[now])} in training"
        if len(measured.validation):
            found += f", {rounded(measured.validation[now])} on held-out points"
        if self.judged and self.steps[now].penalty > 0:
            here = rounded(float(self.ribbon[0][self.nearest(now)]))
            found += f", {here} in {len(self.folds.errors)} folds"
        return f"{found}."

    def _axis(self, shown: Sequence[ndarray]) -> dict:
        """Return the axis of some errors, up to three times the largest training error."""
        low, high = float(np.nanmin(shown)), float(np.nanmax(shown))
        most = 3 * float(self.curve.training.max()) or high
        return panels.axis("RMS error", low, min(high, most))

    def _names(self, lines: Mapping[str, ndarray], y: dict) -> dict:
        """Name the lines where they end. y : the axis of the errors."""
        low, high = y["range"]
        ends = np.array([values[-1] for values in lines.values()]).clip(low, high)
        room = 0.05 * (high - low)
        heights = panels.spread_out(ends, _GAP * (high - low), low + room, high - room)
        return plane.line(
            np.column_stack([np.full(len(ends), self.end), heights]), mode="text",
            text=[f"{_AIR}{name}" for name in lines], textposition="middle right",
            cliponaxis=False,
        )  # fmt: skip

    def _words(self, marks: Sequence[Mark], y: dict) -> list[dict]:
        """Say what the marks are, in words above them that a thin line joins to their mark."""
        curve, (low, high) = self.curve, y["range"]
        marks = sorted(marks, key=lambda mark: mark[1])
        places = np.array([[curve.penalties[i], values[i]] for _, i, values in marks])
        if not marks:
            places = plane.GAP
        heights = high - (high - low) * np.array([0.08, 0.25])[: len(places)]
        above = np.column_stack([places[:, 0], heights])
        far = [i > len(curve.penalties) / 2 for _, i, _ in marks]
        return [
            plane.line(
                plane.joined([np.stack(pair) for pair in zip(places, above, strict=True)]),
                line={"width": 1, "color": GREY},
            ),
            plane.line(
                above, mode="text", text=[f"\u00a0{word}\u00a0" for word, *_ in marks] or [""],
                textposition=["middle left" if right else "middle right" for right in far],
                textfont={"shadow": "auto"},
            ),
        ]  # fmt: skip


def _alone(panel: Panel) -> Figure:
    """Return the panel as a view, with room for the names at the right."""
    figure = panels.alone(panel)
    figure["layout"]["margin"] = {**figure["layout"]["margin"], "r": 34}
    return figure


def _upright(x: float, y: dict) -> dict:
    """Draw a line at a penalty from below the plot to above it."""
    low, high = y["range"]
    return panels.upright(x, low - (high - low), high + (high - low))


def _marks(x: ndarray, chosen: Sequence[Mark], marker: dict, name: str) -> dict:
    """Mark some places of curves."""
    shown = [(float(x[i]), float(y[i])) for _, i, y in chosen if np.isfinite(y[i])]
    return panels.curve(
        [place[0] for place in shown], [place[1] for place in shown],
        mode="markers", marker=marker, name=name,
    )  # fmt: skip
