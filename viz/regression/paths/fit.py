"""The picture of a linear model: the points, those held out, and the fit of a step."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy import ndarray

from algorithms.regression.paths.regressors import Regressors
from viz.core import plane
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, PALETTE

TRAINING, VALIDATION = PALETTE[0], PALETTE[1]
_FITTED = 150  # fitted values shown at most


@dataclass(frozen=True, eq=False)
class Fit:
    """What the picture is drawn from; every step is a model of the features `made` of the data."""

    data: Plane
    made: Regressors
    steps: Sequence[Any]

    @cached_property
    def points(self) -> dict:
        """The points: circles for training, squares held out."""
        return plane.points(self.data.X, self.made.held_out)

    @cached_property
    def last(self) -> dict:
        """The fit of the last step."""
        return self.line(-1, width=2, dash="dot", color=GREY)

    @cached_property
    def judged(self) -> ndarray:
        """The points whose fitted values are shown: none where the fit is a curve."""
        n = 0 if self.made.curve else len(self.made.X)
        return np.linspace(0, n - 1, min(n, _FITTED)).round().astype(int)

    def line(self, step: int, **style: Any) -> dict:
        """Draw what a step predicts along the x axis."""
        predicted = self.steps[step].predict(self.made.line)
        return plane.line(np.column_stack([self.made.line_x, predicted]), line=style)


def picture(fit: Fit, now: int) -> Figure:
    """Draw the points, training and held out, the fit of this step and the last one's, dotted.

    With several columns the line holds all others at their means, and small dots are the values
    fitted to the points (to 150 of them at most).
    """
    predicted = fit.steps[now].predict(fit.made.X[fit.judged])
    fitted = np.column_stack([fit.data.X[fit.judged, 0], predicted])
    traces = [
        fit.last,
        plane.found(plane.CURVE, fit.line(now, width=4)),
        plane.line(fitted, mode="markers", marker={"size": 5}),
    ]
    figure = plane.figure(traces, fit.data.bounds, fit.data.names, points=fit.points)
    figure["layout"]["annotations"] = [_key(fit.made)]
    figure["layout"]["margin"] = {**figure["layout"]["margin"], "t": 24}
    return figure


def _key(made: Regressors) -> dict:
    """Say above the picture what its marks are."""
    signs = [f'<span style="color:{TRAINING}">●</span> training']
    if made.held_out.any():
        signs.append(f'<span style="color:{VALIDATION}">■</span> held out')
    signs += ["━ fit"] if made.curve else ["• fitted", "━ at means"]
    text = " &nbsp;".join([*signs, "┄ at the end"])
    place = {"x": 0, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "left"}
    return {**place, "yanchor": "bottom", "showarrow": False, "text": text, "font": {"size": 13}}
