"""Gaussian discriminant analysis: a Gaussian for each class."""

from collections.abc import Callable
from html import escape

import numpy as np

from algorithms.classification.gaussian_discriminant.gaussian_discriminant import (
    GaussianDiscriminantStep,
)
from viz.classification.gaussian_discriminant import questions
from viz.classification.gaussian_discriminant.class_curves import class_curves, picked
from viz.classification.gaussian_discriminant.gaussians import REACH, Gaussians
from viz.core import curves, plane
from viz.core.question import Question
from viz.core.scene import Figure
from viz.core.words import number

_PLACES = 61  # along a slice
_SHOWN = 1e-4  # the lowest shown, as a share of the highest
_LOWEST = 1e-6  # of the highest density there is: a slice that is lower than this is flat


class Discriminant(Gaussians[GaussianDiscriminantStep]):
    """Priors, means and covariances, then the borders; a slice of the densities beside them."""

    slider = "ridge"
    product = "prior times density"

    def densities(self) -> tuple[str, Callable[[int], Figure]]:
        """Return the slice along the dotted line."""
        return "Prior times density along the dotted line", self.slice_through

    def picture(self, now: int) -> Figure:
        """Draw the picture with the level line through the picked point, which the slice shows."""
        figure, (left, right, *_), y = super().picture(now), self.data.bounds, self.query[1]
        level = np.array([[left, y], [right, y]])
        line = plane.line(
            level, line={"width": 1.5, "dash": "dot"}, name="where the slice is taken"
        )
        return figure | {"data": [*figure["data"], line]}

    def slice_through(self, now: int) -> Figure:
        """Draw prior times density of every class along the level line through the picked point.

        Marks on the curves show what each class has at the point itself. The axis is logarithmic,
        because far out, where borders are, the densities are small.
        """
        data, step, final, (x, y) = self.data, self.steps[now], self.steps[-1], self.query
        across = np.linspace(data.bounds[0], data.bounds[1], _PLACES)
        path = np.column_stack([across, np.full(_PLACES, y)])
        first, heights, last = (s.joint(path) for s in (self.steps[0], step, final))
        peak = float(final.joint(final.means).max())
        top = 1.5 * max(float(first.max()), float(last.max()), _LOWEST * peak) or 1.0
        low = _SHOWN * top
        drawn = class_curves(across, heights, step.classes, data)
        for curve, height in zip(drawn, heights.T, strict=True):
            if height.max() < low:
                curve["name"] += " (below)"
        line, marks = picked(float(x), step.joint(self.query[None])[0], step.classes, top, low)
        traces = [*drawn, line, marks | {"cliponaxis": True}]
        ends = [float(np.log10(end)) for end in (low, top)]
        name, other = (escape(text, quote=False) for text in data.names)
        layout = curves.panel_layout(
            xaxis={
                "range": list(data.bounds[:2]),
                "nticks": 8,
                "title": {"text": f"{name}, where {other} = {number(y)}", "standoff": 2},
            },
            yaxis=curves.powers(*ends) | {"range": ends, "title": {"text": "prior · density"}},
        )
        return curves.with_legend({"data": traces, "layout": layout})

    def about(self, after: GaussianDiscriminantStep) -> Question | None:
        """Ask how the next ellipse is tilted."""
        return questions.tilt(after, self.data.classes, self.data.names)

    def estimate(self, now: int) -> str:
        """Write the means, or the covariance of a class."""
        step = self.steps[now]
        if step.phase == "means":
            return self._means_known(now)
        said = self._why_singular(now) if step.singular[step.index or 0] else self._shape(now)
        return f"{said}\n{self._rule(now)}"

    def _means_known(self, now: int) -> str:
        step = self.steps[now]
        listed = ", ".join(
            f"{name}: ({number(x)}, {number(y)})"
            for name, (x, y) in zip(self.names, step.means, strict=True)
        )
        spread = np.sqrt(np.diagonal(step.covariances[0]))
        return (
            "Each class gets its own centre. All still have the same spread, so the borders are "
            f"straight.\nMeans, sum / number of points: {listed}. Spread of all points: "
            f"{number(spread[0])} along x, {number(spread[1])} along y."
        )

    def _shape(self, now: int) -> str:
        """Write in one sentence how large the ellipse of a class is."""
        step, kind = self.steps[now], self.covariance
        k = step.index or 0
        name = self.names[k]
        if kind == "diagonal":
            across, up = np.sqrt(np.diagonal(step.covariances[k])).tolist()
            return (
                f"Class {name} gets an upright shape: its ellipse reaches {number(REACH * across)} "
                f"along x and {number(REACH * up)} along y."
            )
        large, small = step.half_axes(k)
        whose = f"Class {name} gets its own shape: its"
        if kind == "shared":
            whose = f"Class {name} is added to the shape that all classes share: the"
        return (
            f"{whose} ellipse reaches {number(REACH * large)} at its longest, "
            f"{number(REACH * small)} at its shortest."
        )

    def _rule(self, now: int) -> str:
        step, kind = self.steps[now], self.covariance
        k = step.index or 0
        (a, b), (_, c) = step.covariances[k]
        count = int(step.counts[: k + 1].sum() if kind == "shared" else step.counts[k])
        mean = f"mean of (point − μ)(point − μ)ᵀ over {count} point{'s' if count > 1 else ''}"
        if kind == "diagonal":
            mean = f"diagonal of the {mean}"
        if self.ridge:
            first, second = np.diagonal(self.steps[0].covariances[0]).tolist()
            mean += f" + {self.ridge:g}·[{number(first)} 0; 0 {number(second)}]"
        rule = f"Σ = {mean} = [{number(a)} {number(b)}; {number(b)} {number(c)}]"
        if step.singular[k]:
            return (
                f"{rule} has no inverse; the spread of all points stands in. A ridge λ > 0 repairs "
                "this."
            )
        if kind == "diagonal":
            return f"{rule}. Naive: the covariance of x and y is left out."
        large, small = (axis * axis for axis in step.half_axes(k))
        return (
            f"{rule}. The half-axes are {REACH:g} times the roots of its eigenvalues, "
            f"{number(large)} and {number(small)}."
        )

    def _why_singular(self, now: int) -> str:
        step = self.steps[now]
        k = step.index or 0
        varies = np.diagonal(step.covariances[k]).any()
        spread = "spread across a line" if varies else "spread at all"
        if self.covariance == "shared":
            yet = "" if k == len(step.classes) - 1 else " yet"
            return f"No class has a density{yet}: around the means the points have no {spread}."
        count = int(step.counts[k])
        points = "its one point has" if count == 1 else f"its {count} points have"
        return f"Class {self.names[k]} has no density: {points} no {spread}."
