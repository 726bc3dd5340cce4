"""Gradient boosting on two features: the sum of the trees is a surface over the plane."""

import numpy as np
from numpy import ndarray

from algorithms.ensembles.tree_on_many_features import Shape
from algorithms.ensembles.tree_on_one_feature import StepFunction
from viz.core import curves, naming, panels, plane
from viz.core.scene import Bounds, Figure, Plane, Run, View
from viz.core.surface import bands
from viz.core.theme import PALETTE, color, symbol
from viz.core.words import number, place
from viz.ensembles.gradient_boosting.rounds import Rounds

_CELLS = 150  # along each axis
_ABOVE, _BELOW = 3, 4  # groups whose symbols have their tip up and down
_SMALLEST, _LARGEST = 0.5, 2.8  # diameters of points
_STRONG = 185  # of 255: the opacity of the largest F, so that levels differ in light and dark
_NUMBERED = 8  # leaves: more of them have no numbers
_TIPS = ((_ABOVE, "residual > 0"), (_BELOW, "residual < 0"))
_KEY = "larger point: larger residual; hole: held out"
_SIGNS = {
    "points": "tip up: above the sum before this round; tip down: below",
    "size": "area of a point: the size of its residual",
}


class TwoFeatures(Rounds):
    """The rounds, where both x and y are features and another column is predicted."""

    def __init__(
        self, run: Run, data: Plane, loss: str, held: ndarray, query: ndarray, target: str
    ) -> None:
        """Prepare to read the surface at the point `query`; other arguments as for `Rounds`.

        target : the name of the predicted column.
        """
        self.target = target
        self.picked = f"picked point {place(query)}"
        start = run.steps[0]
        targets = start.residuals[~held] + start.total(query[None])[0]
        self.levels = float(targets.min()), float(targets.max())  # of the training points
        low, high = (number(level) for level in self.levels)
        self.blue = f"deeper: larger F, {low} to {high}"
        super().__init__(run, data, loss, held, query[None], data.X)

    def drawn(self) -> str:
        """Write the meaning of the colour, the points and the lines."""
        low, high = map(number, self.levels)
        return (
            f"The deeper the blue, the larger is the sum F so far, from {low} to {high}. A point "
            "with its tip up was above the sum before this round, one with its tip down below it. "
            "The area of a point is the size of its residual. The dashed lines are the cuts of "
            "this round's tree; its leaves have the same numbers in both pictures. "
        )

    def views(self) -> list[View]:
        """Return the surface, the residuals, and the errors."""
        return [
            View(f"The sum of the trees: {self.target}", self.picture),
            View("Residuals, leaf by leaf, and this round's tree", self.leaf_by_leaf),
            View("Errors by round", self.errors, ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the sum as a surface, the cuts of this round's tree, and residuals as points."""
        box, step = self.data.bounds, self.steps[now]
        x, y, _ = plane.grid(box, _CELLS)
        shape = step.tree.trees[0].shape
        parts = step.tree.parts()
        low, high = np.maximum(parts.low, box[::2]), np.minimum(parts.high, box[1::2])
        # The numbers of two thin leaves side by side would cover each other in their middles.
        share = np.where(np.arange(len(low)) % 2, 0.6, 0.4)[:, None]
        traces = [
            bands(x, y, step.total.surface(x, y), self.levels, strong=_STRONG)[0]
            | {"name": "sum F of the trees so far: the deeper, the larger"},
            plane.line(
                _cuts(shape, box),
                line={"width": 2.5, "dash": "dash"},
                name="cut of this round's tree",
            ),
            _numbers(low + share * (high - low), len(shape.leaves)),
            *self._key(),
            naming.in_corner(_KEY, box),
        ]
        points = self._by_residual(now)
        figure = plane.figure(traces, box, self.data.names, points=points, signs=_SIGNS)
        return curves.with_legend(figure, x=0, xanchor="left")

    def _key(self) -> list[dict]:
        """Write above the picture what tips and colours mean."""
        looks = [
            *(({"symbol": symbol(group), "color": color(group)}, name) for group, name in _TIPS),
            ({"symbol": "square", "color": PALETTE[0]}, self.blue),
        ]
        return [
            plane.line(
                plane.GAP, mode="markers", marker={"size": 11} | look, name=name, showlegend=True
            )
            for look, name in looks
        ]

    def leaf_by_leaf(self, now: int) -> Figure:
        """Draw the residuals and the tree leaf by leaf, all leaves equally wide.

        Within a leaf, the points are in the order of x.
        """
        tree, rows = self.steps[now].tree, self.shown
        parts, X = tree.parts(), self.data.X[rows]
        leaves = len(parts.values)
        place = np.empty(len(rows))
        for i, members in enumerate(parts.holding(X)):
            (inside,) = np.nonzero(members)
            order = np.arange(1, len(inside) + 1) / (len(inside) + 1)
            place[inside[X[inside, 0].argsort()]] = (i + order) / leaves
        flat = StepFunction(np.arange(1, leaves) / leaves, parts.values)
        title = {"text": "leaf", "standoff": 4}
        across = {"title": title, "range": [0, 1], "showticklabels": False, "showgrid": False}
        panel = self.beside_tree(now, place, flat, across)
        middles = (np.arange(leaves) + 0.5) / leaves
        at_top = np.column_stack([middles, np.full(leaves, panel.y["range"][1])])
        panel.traces.append(_numbers(at_top, leaves) | {"textposition": "bottom center"})
        return curves.with_legend(panels.alone(panel))

    def _by_residual(self, now: int) -> dict:
        """Return the points: the tip's direction shows the residual's sign, the area its size."""
        r = self.steps[now].residuals
        least, most = self.farthest
        size = _LARGEST * np.sqrt(np.abs(r) / (max(most, -least) or 1.0))
        return plane.points(
            self.data.X,
            np.where(r >= 0, _ABOVE, _BELOW),
            size=size.clip(_SMALLEST, _LARGEST),
            held=self.held,
        )


def _cuts(shape: Shape, box: Bounds) -> ndarray:
    """Return the cuts as (m, 2) lines across the regions that they split."""
    low, high = shape.boxes()
    low, high = np.maximum(low, box[::2]), np.minimum(high, box[1::2])
    lines = []
    for node, feature in enumerate(shape.feature):
        if feature < 0:
            continue
        ends = np.array([low[node], high[node]])
        ends[:, feature] = shape.threshold[node]
        lines.append(ends)
    return plane.joined(lines)


def _numbers(places: ndarray, leaves: int) -> dict:
    """Number the leaves, unless there are too many of them."""
    shown = leaves <= _NUMBERED
    return plane.line(
        places[: leaves * shown],
        mode="text",
        text=[f"<b>{i + 1}</b>" for i in range(leaves * shown)],
        textfont={"size": 20, "shadow": "auto"},
    )
