"""Laplacian eigenmaps: the graph of spectral clustering, and its eigenvectors as a map."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.reduction.unrolling.laplacian_eigenmaps import EigenmapStep
from algorithms.reduction.unrolling.short_cuts import Yardstick
from viz.core import curves, plane
from viz.core.question import Question
from viz.core.scene import Figure, Run, View
from viz.core.theme import NOW
from viz.core.words import counted, number, percent
from viz.reduction.multidimensional_scaling.marks import NOTE, Given
from viz.reduction.unrolling import marks

_LINKED = 4  # edges of a point that are drawn
_THICK = 3.0  # pixels of an edge of weight 1
_LEAST = 0.01  # weight of a short-cut that is drawn
_LITTLE = 1e-4  # least share of the weight that is written out
_SIGNS = {
    "points": "point, in the colour of its class",
    "strength": "faint: not used",
    "edges": "one of the heaviest edges of a point, as wide as it weighs",
}


class Eigenmaps(marks.Mapped[EigenmapStep]):
    """The graph, then one axis after the other."""

    def __init__(self, run: Run, things: Given, measure: Yardstick, query: ndarray) -> None:
        """Prepare edges and short-cuts. query : the point nearest to it is the picked one."""
        super().__init__(run, things.data)
        self.things, self.measure, self.graph = things, measure, self.steps[0].graph
        end = self.steps[-1].embedding
        self.maps = marks.Maps("Eigenmaps", things, measure, query, end, lengths=False)
        self.X, self.point = self.maps.X, self.maps.point
        W = self.graph.weights
        self.crossing = measure.crossing(things.distances, W)
        cut = np.where(measure.short_cuts(things.distances), W, 0.0)
        self.heaviest = np.unravel_index(cut.argmax(), cut.shape) if cut.max() > _LEAST else None
        a, b = self.graph.heaviest_edges(_LINKED).T
        self.edges = plane.edges(self.X[a], self.X[b], width=_THICK * W[a, b])
        self.along = measure.ways[np.unravel_index(measure.ways.argmax(), W.shape)[0]]
        self.note = (
            f"{marks.COLOURS} Every point has its {_LINKED} heaviest edges drawn. Distances on the "
            f"map have no unit. {self.maps.about_short_cuts} {NOTE}{marks.thinned(things)}"
        )
        self.opens = next(t for t, step in enumerate(self.steps) if step.axes)

    def views(self) -> list[View]:
        """Return the graph, the map, what the maps keep, and the axes along the sheet."""
        return [
            View("Points and their graph", self.picture),
            self.maps.view(self.map),
            self.maps.kept_view(self.kept),
            View("Axes z against the distance from one end", self.waves, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw points, their heaviest edges, and the heaviest short-cut."""
        data, X = self.data, self.X
        cut = plane.GAP if self.heaviest is None else X[list(self.heaviest)]
        traces = [
            plane.line(cut, line={"width": 4, "color": NOW}, name="heaviest short-cut"),
            marks.same_colours(data.bounds, data.X),
        ]
        strength = marks.strength(self.things, np.ones(len(X), bool))
        size = np.full(len(data.X), marks.SMALL)
        points = plane.points(data.X, data.labels, size=size, strength=strength)
        figure = plane.figure(
            traces, data.bounds, data.names, points=points, edges=self.edges, signs=_SIGNS
        )
        return marks.to_scale(figure, data.bounds)

    def waves(self, now: int) -> Figure:
        """Draw every axis so far over the way from one end of the sheet."""
        Z, axes = self.axes(now)
        end = self.steps[-1].embedding
        order = self.along.argsort(kind="stable")
        traces = []
        for j in range(Z.shape[1]):
            z = Z[order, j] if j < axes else np.full(len(order), np.nan)
            path = np.column_stack([self.along[order], z])
            style = {"marker": {"size": 5}, "showlegend": True}
            traces.append(plane.line(path, mode="markers", name=f"axis {j + 1}", **style))
        top, far = 1.1 * float(np.abs(end).max() or 1.0), float(self.along.max()) or 1.0
        layout = curves.panel_layout(
            xaxis={
                "range": [-0.03 * far, 1.03 * far],
                "title": {"text": "distance along the curve"},
            },
            yaxis={"range": [-top, top], "nticks": 5, "title": {"text": "z"}},
        )
        return curves.with_legend({"data": traces, "layout": layout})

    def caption(self, now: int) -> str:
        """Write what the step adds, the rule with its numbers, and the picked point."""
        said = self._map(now) if self.steps[now].axes else self._graph()
        return f"{said}\n{self._picked(now)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask what the map keeps with its next axis."""
        return self.maps.ask(*self.axes(now + 1))

    def _graph(self) -> str:
        """Write the rule of the weights, and how much of them short-cuts have."""
        graph = self.graph
        said = "Start: an edge joins every two points; the nearer they are, the heavier it is."
        if graph.pieces > 1:
            said = (
                "Start: edges between far points weigh almost nothing. For the computer the graph "
                f"is in {counted(graph.pieces, 'piece')}."
            )
        return (
            f"{said}\nw = exp(−γ ‖x − x′‖²) with γ = {number(graph.gamma)}, which is ½ at a "
            f"distance of {number(graph.half_weight)}. {self._crossing()}"
        )

    def _map(self, now: int) -> str:
        """Write how well the map keeps the ways."""
        step = self.steps[now]
        Z, axes = self.axes(now)
        said = self.maps.axis_verdict(Z, axes) + self.maps.bent(Z, axes)
        if axes < step.graph.pieces:
            said = f"Axis {axes} is added. It only separates pieces of the graph."
        return f"{said}\n{self.maps.result(Z, axes)}"

    def _crossing(self) -> str:
        """Write which share of the edges' weight short-cuts have."""
        share = percent(self.crossing) if self.crossing > _LITTLE else "less than 0.01 %"
        return f"Short-cuts have {share} of the weight of all edges."

    def _picked(self, now: int) -> str:
        """Write the degree of the picked point, or its place and that of its neighbours."""
        step, graph, point = self.steps[now], self.graph, self.point
        name = self.things.name(point)
        if step.axes == 0:
            other = int(graph.weights[point].argmax())
            return (
                f"Picked: {name}, degree {number(float(graph.degrees[point]))}. Its heaviest edge "
                f"leads to {self.things.name(other)} and weighs "
                f"{number(float(graph.weights[point, other]))}."
            )
        z = step.embedding[:, step.axes - 1]
        mean = graph.weights[point] @ z / (graph.degrees[point] or 1.0)
        return (
            f"Picked: {name}, at {marks.coordinate(z[point])} on axis {step.axes}; the mean of the "
            f"others, weighted by its edges, is {marks.coordinate(mean)}."
        )
