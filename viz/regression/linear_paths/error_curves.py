"""The errors against the penalty: training, held out and in cross-validation."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy import ndarray

from algorithms.regression.linear_paths.cross_validation import CrossValidation
from algorithms.regression.linear_paths.path_summary import PathSummary
from algorithms.regression.linear_paths.penalty_curve import PenaltyCurve
from viz.core import panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure
from viz.core.theme import GREY
from viz.core.words import rounded

_RIBBON = "rgba(122,127,135,0.22)"
_NAMES = 0.16  # of the axis of the penalty, for the names of the lines
_GAP = 0.14  # of the height of the errors, from name to name
_FIRST = 7  # the first seventh of the penalties does not set the axis
_TO_NONE = 0.13  # of the axis, from the smallest penalty above 0 to the tick of λ = 0


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
        return axis | {"range": [high, low - _NAMES * (high - low)]}

    def nearest(self, now: int) -> int:
        """Return the index of the penalty on the curve that is nearest to a step's."""
        return int(np.abs(np.log(self.curve.penalties / self.place(now))).argmin())

    def figure(self, now: int) -> Figure:
        """Draw the errors against the penalty, with words at the lines' ends and at the marks."""
        panel = self.panel(now)
        low, high = panel.y["range"]
        panel.traces += [self._names(low, high), *self._words(low, high)]
        figure = panels.alone(panel)
        figure["layout"]["margin"] = {**figure["layout"]["margin"], "r": 34}
        return figure

    def panel(self, now: int) -> Panel:
        """Draw the errors against the penalty: training, held out and in cross-validation.

        A star marks the least held-out error; a ring and a diamond the least mean error of the
        folds, and the largest penalty within one standard error of it. The ribbon is ± one standard
        error.
        """
        curve, folds, measured = self.curve, self.folds, self.summary.measured
        x, here = plane.packed(curve.penalties), self.place(now)
        low, high = self._heights()
        best, none = curve.best, np.full(len(curve.penalties), np.nan)
        held, held_here = (none, none) if best is None else (curve.validation, measured.validation)
        middle, below, above = self.ribbon
        around = np.concatenate([above, below[::-1]])
        along = np.concatenate([curve.penalties, curve.penalties[::-1]])
        in_folds = middle[self.nearest(now)] if self.steps[now].penalty > 0 else np.nan
        shown = np.array([measured.training[now], held_here[now], in_folds])
        last = np.array([measured.training[-1], held_here[-1]])
        picked = [folds.best, folds.simplest] if self.judged else []
        traces = [
            panels.curve(plane.packed(along), plane.packed(around), fill="toself",
                         fillcolor=_RIBBON, line={"width": 0}),
            panels.curve(x, plane.packed(middle),
                         line={"width": 3, "dash": "dashdot", "color": GREY}),
            panels.curve(x, plane.packed(curve.training), line={"width": 3}),
            panels.curve(x, plane.packed(held), line={"width": 3, "dash": "dash"}),
            _marks(curve.penalties, held, [] if best is None else [best],
                   {"size": 14, "symbol": "star"}),
            _marks(curve.penalties, middle, picked,
                   {"size": 13, "symbol": ["circle-open", "diamond-open"][: len(picked)],
                    "color": GREY, "line": {"width": 3}}),
            self.to_none(np.array([curve.training[-1], held[-1]]), last),
            panels.upright(here, low - (high - low), high + (high - low)),
            panels.curve(plane.packed(np.full(3, here)), plane.packed(shown), mode="markers",
                         marker={"size": 9, "symbol": ["circle", "square-open", "circle-open"],
                                 "line": {"width": 2}}),
        ]  # fmt: skip
        return Panel(traces, self.axis, panels.axis("RMS error", low, high))

    def title(self) -> str:
        """Name the errors."""
        several = self.curve.best is not None or self.judged
        return "The errors against the penalty" if several else "Training error"

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

    def _heights(self) -> tuple[float, float]:
        """Return the range of errors to show, up to three times the largest training error.

        The first penalties, where almost no feature is used, may be above it.
        """
        curve = self.curve
        shown = [curve.training, *self.ribbon] + [curve.validation] * (curve.best is not None)
        later = np.array(shown)[:, len(curve.penalties) // _FIRST :]
        low, high = float(np.nanmin(shown)), float(np.nanmax(later))
        return low, min(high, 3 * float(curve.training.max()) or high)

    def _names(self, low: float, high: float) -> dict:
        """Name the lines where they end. low, high : the range of the plot."""
        lines = [("training", self.curve.training)]
        if self.curve.best is not None:
            lines.append(("held out", self.curve.validation))
        if self.judged:
            lines.append((f"{len(self.folds.errors)} folds", self.ribbon[0]))
        names, values = zip(*lines, strict=True)
        ends = np.array([line[-1] for line in values]).clip(low, high)
        room = 0.05 * (high - low)
        heights = panels.spread_out(ends, _GAP * (high - low), low + room, high - room)
        return plane.line(
            np.column_stack([np.full(len(ends), self.end), heights]), mode="text",
            text=[f"\u00a0\u00a0{name}" for name in names], textposition="middle right",
            cliponaxis=False,
        )  # fmt: skip

    def _words(self, low: float, high: float) -> list[dict]:
        """Say what the marks are, in words above them that a thin line joins to their mark."""
        curve, folds, marks = self.curve, self.folds, []
        if curve.best is not None:
            marks.append(("least held out", curve.best, curve.validation))
        if self.judged:
            middle = self.ribbon[0]
            marks.append(("least in folds", folds.best, middle))
            marks.append(("simplest within 1 SE", folds.simplest, middle))
        marks = sorted(marks, key=lambda mark: mark[1])
        places = np.array([[curve.penalties[i], values[i]] for _, i, values in marks])
        if not marks:
            places = plane.GAP
        heights = high - (high - low) * np.array([0.08, 0.25, 0.42])[: len(places)]
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


def _marks(x: ndarray, y: ndarray, chosen: list[int], marker: dict) -> dict:
    """Mark some places of a curve."""
    shown = [(float(x[i]), float(y[i])) for i in chosen if np.isfinite(y[i])]
    return panels.curve(
        [place[0] for place in shown], [place[1] for place in shown], mode="markers", marker=marker
    )
