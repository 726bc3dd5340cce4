"""Gradient boosting on one feature: the sum of the trees is a curve over x."""

import numpy as np
from numpy import ndarray

from viz.core import curves, naming, panels, plane
from viz.core.found import Curve
from viz.core.scene import Figure, Plane, Run, View
from viz.core.theme import GREY, PALETTE, rgb
from viz.core.words import number
from viz.ensembles.gradient_boosting.rounds import Rounds
from viz.ensembles.gradient_boosting.step_curve import corners, step_curve

_ADDED = f"rgba{(*rgb(PALETTE[1]), 0.8)}"  # as the tree beside it, and over the grey area
_SINCE = f"rgba{(*rgb(GREY), 0.4)}"
_TRAINING = {"size": 9, "color": PALETTE[0]}
_HELD_OUT = {"symbol": "circle-open", "size": 8, "line": {"width": 3}, "color": PALETTE[0]}
_RESIDUAL = {"symbol": "line-ns-open", "size": 16, "line": {"width": 1.5}}
_SIGNS = {"edges": "residual before this round: what its tree is fitted to"}


class OneFeature(Rounds):
    """The rounds, where x is the feature and y is predicted."""

    def __init__(self, run: Run, data: Plane, loss: str, held: ndarray, query: float) -> None:
        """Read the curve off at x = `query`; the other arguments are those of `Rounds`."""
        self.picked = f"picked x = {number(query)}"
        super().__init__(run, data, loss, held, np.array([query]), data.X[:, :1])

    def drawn(self) -> str:
        """Write the meaning of the lines."""
        return (
            "The thick line is the sum F so far, the dashed line the sum before this round, and "
            "the orange area between them is what the round added. The grey area is what all "
            "rounds have added since the held-out error was lowest. The residuals y − F are shown "
            "as they were before this round, with the round's tree. "
        )

    def views(self) -> list[View]:
        """Return the curve, the residuals, and the errors."""
        return [
            View("The sum of the trees", self.picture),
            View("Residuals before this round, and its tree", self.residuals, height=1.4),
            View("Errors by round", self.errors, ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the points, the sum before this round with its residuals, and the sum now."""
        data, ends, x = self.data, self.data.bounds[:2], float(self.at[0])
        before, total = (self.steps[step].total for step in (max(now - 1, 0), now))
        filled, said = self._since_best(now)
        traces = [
            filled,
            step_curve(
                before,
                *ends,
                width=1.5,
                dash="dash",
                color=GREY,
                name="F before",
            ),
            step_curve(
                total,
                *ends,
                width=3,
                name="F, sum of the trees; orange: added now",
                fill="tonexty",
                fillcolor=_ADDED,
            ),
            plane.line(
                np.array([[x, data.bounds[2]], [x, self.read[now]]]),
                mode="lines+markers",
                line={"width": 1, "dash": "dot", "color": GREY},
                marker={"size": [0, 11], "color": GREY, "opacity": 1},
                name="F at the picked x",
            ),
            said,
            *self._key(now),
        ]
        x, y = data.X[self.shown].T
        on_curve = np.column_stack([x, before(x)])
        residuals = plane.edges(np.column_stack([x, y]), on_curve, width=1.0)
        points = plane.points(data.X, data.labels, held=self.held)
        figure = plane.figure(
            traces, data.bounds, data.names, points=points, edges=residuals, signs=_SIGNS
        )
        return curves.with_legend(figure, x=0, xanchor="left", traceorder="normal")

    def _since_best(self, now: int) -> list[dict]:
        """Fill what the rounds have added since the one with the lowest held-out error so far."""
        ends, best = self.data.bounds[:2], self._best_so_far(now)
        best = now if best == now - 1 else best  # the orange area is the same, then
        here, lowest = (corners(self.steps[i].total, *ends) for i in (now, best))
        filled = plane.line(
            np.concatenate([here, lowest[::-1]]), fill="toself", fillcolor=_SINCE,
            line={"width": 0}, name="added since the lowest held-out error so far",
        )  # fmt: skip
        said = f"grey: added since round {best}" if best < now else ""
        return [filled, naming.in_corner(said, self.data.bounds)]

    def _key(self, now: int) -> list[dict]:
        """Write above the picture what points, lines and colours mean."""
        added = {"symbol": "square", "size": 13, "color": _ADDED}
        entries = [
            ("training", {"marker": _TRAINING}, True),
            ("held out", {"marker": _HELD_OUT}, bool(self.held.any())),
            ("residual", {"marker": _RESIDUAL}, True),
            ("F so far", {"mode": "lines", "line": {"width": 3}}, True),
            ("added now", {"marker": added}, now > 0),
        ]
        return [
            plane.line(plane.GAP, name=name, showlegend=shown, **{"mode": "markers"} | look)
            for name, look, shown in entries
        ]

    def residuals(self, now: int) -> Figure:
        """Draw the residuals before this round, and this round's tree."""
        left, right = self.data.bounds[:2]
        across = panels.axis(panels.label(self.data.names[0]), left, right)
        across |= {"range": [left, right]}
        x, tree = self.data.X[self.shown, 0], self.steps[now].tree
        return curves.with_legend(panels.alone(self.beside_tree(now, x, tree, across)))

    def found(self, now: int) -> Curve:
        """Return the sum of the trees."""
        return Curve(corners(self.steps[now].total, *self.data.bounds[:2]))
