"""The picture of a linear model: the points, those held out, and the fit of a step."""

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from algorithms.regression.linear_paths.prepared_table import FeatureChoice, PreparedTable
from viz.core import plane
from viz.core.found import Curve
from viz.core.scene import Figure, Plane, View
from viz.core.theme import GREY
from viz.core.words import counted, number

_HELD, _LEARNED = 1.3, 0.7  # diameters of points
_SIGNS = {"size": "large, with a hole: held out"}
_FITTED = 150  # fitted values shown at most

four = partial(number, digits=4)


class Fit:
    """What all modes show of a step: a model of the features `made` of the data."""

    def __init__(self, data: Plane, made: PreparedTable, steps: Sequence[Any]) -> None:
        """Prepare the points."""
        self.data, self.made, self.steps = data, made, steps
        self.points = self._points(data.X)
        n = 0 if made.curve else len(made.X)  # a curve needs no fitted values beside it
        self.judged = np.linspace(0, n - 1, min(n, _FITTED)).round().astype(int)

    @property
    def view(self) -> View:
        """Return the view of the picture."""
        shown = "The fitted values, and the line at the means"
        if self.made.curve:
            shown = "The fitted curve"
        return View(f"{shown} (dotted: at the end)", self.picture)

    def picture(self, now: int) -> Figure:
        """Draw the points, training and held out, the fit of this step and the last one's, dotted.

        With several columns the line holds all others at their means, and small dots are the values
        fitted to the points (to 150 of them at most).
        """
        predicted = self.steps[now].predict(self.made.X[self.judged])
        fitted = np.column_stack([self.data.X[self.judged, 0], predicted])
        traces = [
            self._last,
            plane.line(self.found(now).path, line={"width": 4}, name=self.what),
            plane.line(fitted, mode="markers", marker={"size": 5}, name="fitted value of a point"),
        ]
        data = self.data
        return plane.figure(traces, data.bounds, data.names, points=self.points, signs=_SIGNS)

    def found(self, now: int) -> Curve:
        """Return what a step predicts along the x axis."""
        predicted = self.steps[now].predict(self.made.line)
        return Curve(np.column_stack([self.made.line_x, predicted]))

    def predicted(self, now: int) -> Figure:
        """Draw what a step predicts for every point against its target; on the line both agree."""
        predicted, (low, high) = self.steps[now].predict(self.made.X), self.data.bounds[2:]
        ends = np.array([[low, low], [high, high]])
        agree = plane.line(ends, line={"width": 2, "color": GREY}, name="prediction = target")
        X = np.column_stack([predicted, self.made.y])
        points, box = self._points(X), (low, high, low, high)
        target = self.data.names[1]
        names = (f"predicted {target}", target)
        return plane.figure([agree], box, names, points=points, signs=_SIGNS)

    def _points(self, X: np.ndarray) -> dict:
        """Return points; those held out are larger, so that their hole is seen in the dark, too."""
        held = self.made.held_out
        size = np.where(held, _HELD, _LEARNED)
        return plane.points(X, np.zeros(len(X)), size=size, held=held)

    def note(self, choice: FeatureChoice, *, lined: bool = True) -> str:
        """Write what was done to the data before the algorithm saw them.

        lined : of a table, the picture has the line at the means.
        """
        made, column = self.made, self.data.names[0]
        held = int(made.held_out.sum())
        split = f"{len(made.y) - held} points are for training, {held} held out."
        features, line = f"Features: {', '.join(made.names)}", ""
        if choice.basis:
            features = f"Features of {column}: {_functions(choice.basis, len(made.names))}"
        elif lined:
            line = " The line in the picture holds all other features at their means."
        scaled = "as they are, so the penalty depends on their units"
        if choice.standardize:
            scaled = (
                "each moved to mean 0 and scaled to standard deviation 1 on the training points"
            )
        return f"{split} {features}, {scaled}.{line}"

    @property
    def what(self) -> str:
        """What the line of a step is."""
        return "fitted curve" if self.made.curve else "fit, all other features at their means"

    @cached_property
    def _last(self) -> dict:
        dotted = {"width": 2, "dash": "dot", "color": GREY}
        return plane.line(self.found(-1).path, line=dotted, name="the same at the end of the run")


def _functions(basis: str, count: int) -> str:
    """Write which functions of a column its features are."""
    if basis == "polynomial":
        return counted(count, "power")
    if basis == "Fourier":
        waves = "1 cosine" if count == 1 else f"{count} cosines and sines, the slowest"
        return f"{waves} with the width of the data as its period"
    where = "in the middle of" if count == 1 else "evenly over"
    wide = "as wide as they are apart" if count > 2 else "half as wide as these reach"
    return f"{counted(count, 'Gaussian bump')}, {where} the training points, {wide}"
