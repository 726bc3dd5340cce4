"""Locally linear embedding: neighbours, the weights that rebuild each point, and the map."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.reduction.unrolling.locally_linear_embedding import LocallyLinearStep
from algorithms.reduction.unrolling.short_cuts import Yardstick
from viz.core import curves, plane
from viz.core.question import Option, Question
from viz.core.question_kinds import which_most
from viz.core.scene import Figure, Run, View
from viz.core.theme import GREY
from viz.core.words import counted, decimal, listed, number
from viz.reduction.multidimensional_scaling.marks import NOTE, Given
from viz.reduction.unrolling import marks

_THIN, _THICK = 0.5, 6.0  # pixels of an edge, and of the one with the largest weight
_WRITTEN = 4  # weights that are written out
_OPTIONS = 4  # neighbours to choose from
_SIGNS = {
    "points": "point, in the colour of its class",
    "size": "large: a neighbour of the picked point",
    "strength": "faint: not used",
    "edges": "edge to a neighbour; from the picked point, as wide as its weight is large",
}


class LocallyLinear(marks.Mapped[LocallyLinearStep]):
    """The neighbours, the weights of all points, then one axis after the other."""

    def __init__(
        self, run: Run, things: Given, measure: Yardstick, query: ndarray, table: ndarray
    ) -> None:
        """Rebuild the points.

        query : the point nearest to it is the picked one. table : the points in all columns that
        are used.
        """
        super().__init__(run, things.data)
        end = self.steps[-1]
        self.things, self.k = things, end.neighbors.shape[1]
        self.maps = marks.Maps("LLE", things, measure, query, end.embedding, lengths=False)
        self.X, self.point = self.maps.X, self.maps.point
        self.missed = np.linalg.norm(end.weights @ table - table, axis=1)
        n = len(self.X)
        self.start = np.repeat(np.arange(n), self.k)
        self.end = end.neighbors.ravel()
        pairs = np.sort(np.column_stack([self.start, self.end]), axis=1)
        self.short_cuts = self.maps.short_cuts(np.unique(pairs, axis=0))
        self.near = end.neighbors[self.point]
        self.large = np.full(len(self.data.X), marks.SMALL)
        self.large[things.rows] = np.where(np.isin(np.arange(n), self.near), 1.0, marks.SMALL)
        self.weights = end.weights[self.point, self.near]
        self.note = (
            f"{marks.COLOURS} All axes of the map have length 1, so distances on it have no unit. "
            f"{self.maps.about_short_cuts} {NOTE}{marks.thinned(things)}"
        )
        self.opens = next(t for t, step in enumerate(self.steps) if step.axes)

    def views(self) -> list[View]:
        """Return the neighbours, the map, the picked point's weights, and what the maps keep."""
        return [
            View("Points and their neighbours", self.picture),
            self.maps.view(self.map),
            View("Weights that rebuild the picked point", self.bars, board=False),
            self.maps.kept_view(self.kept),
        ]

    def picture(self, now: int) -> Figure:
        """Draw points, edges to neighbours, the picked point's weights, and where they lead."""
        data, X = self.data, self.X
        width = np.full(len(self.start), _THIN)
        found = self.steps[now].phase != "neighbors"
        shares = np.abs(self.weights) / np.abs(self.weights).max() if found else 0.5
        width[self.start == self.point] = _THIN + (_THICK - _THIN) * shares
        rebuilt = self.steps[-1].weights[[self.point]] @ X
        traces = [
            self.maps.crossing(self.short_cuts),
            marks.same_colours(data.bounds, data.X),
            plane.line(
                rebuilt if found else plane.GAP, mode="markers",
                marker={"symbol": 134, "size": 11, "line": {"width": 2}},
                name="where its weights put the picked point",
            ),
        ]  # fmt: skip
        strength = marks.strength(self.things, np.ones(len(X), bool))
        points = plane.points(data.X, data.labels, size=self.large, strength=strength)
        edges = plane.edges(X[self.start], X[self.end], width=width)
        figure = plane.figure(
            traces, data.bounds, data.names, points=points, edges=edges, signs=_SIGNS
        )
        return marks.to_scale(figure, data.bounds)

    def bars(self, now: int) -> Figure:
        """Draw the picked point's weights, the nearest neighbour first; 0 before they are found."""
        found = self.steps[now].phase != "neighbors"
        values = self.weights if found else np.zeros(self.k)
        low, high = min(float(self.weights.min()), 0.0), max(float(self.weights.max()), 0.0)
        room = 0.15 * (high - low)
        bars = {
            "type": "bar", "x": [self.things.name(j).split()[-1] for j in self.near],
            "y": values.tolist(), "marker": {"color": GREY},
            "hovertemplate": "point %{x}: weight %{y:.3f}<extra></extra>",
        }  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"type": "category", "title": {"text": "neighbour, the nearest first"}},
            yaxis={"range": [low - room, high + room], "title": {"text": "w"}, "nticks": 5},
        )
        return {"data": [bars], "layout": layout}

    def caption(self, now: int) -> str:
        """Write what the step adds, the rule with its numbers, and the picked point."""
        step = self.steps[now]
        said = {"neighbors": self._neighbors, "weights": self._weights, "map": self._map}
        return said[step.phase](now)

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which neighbour has the largest weight, or what the map keeps."""
        if self.steps[now + 1].phase == "map":
            return self.maps.ask(*self.axes(now + 1))
        others = rng.permutation(self.k)[:_OPTIONS].tolist()
        options = [Option(self._away(j), (0, *self.X[self.near[j]].tolist())) for j in others]
        values = [float(self.weights[j]) for j in others]

        def reason(first: int, second: int) -> str:
            return (
                f"Its weight is {decimal(values[first])}; the next has {decimal(values[second])}."
            )

        text = (
            "The weights rebuild the picked point from its neighbours. "
            "Which of these neighbours has the largest weight?"
        )
        return which_most(text, options, values, reason)

    def _away(self, j: int) -> str:
        """Name a neighbour of the picked point, with its distance."""
        distance = float(self.things.distances[self.point, self.near[j]])
        return f"{self.things.name(self.near[j])}, {number(distance)} away"

    def _neighbors(self, now: int) -> str:
        """Write how many neighbours there are, in how many pieces, and those of the picked one."""
        parts = self.steps[now].pieces
        said = f"Start: the neighbours of every point are the {self.k} nearest points."
        if self.k == 1:
            said = "Start: the nearest point is the neighbour of every point."
        if parts > 1:
            said = (
                f"Start: with {counted(self.k, 'neighbour')} the points are in {parts} pieces, and "
                "no neighbour leads from one to another."
            )
        names = listed([self.things.name(j).split()[-1] for j in self.near])
        return (
            f"{said}\nFrom now on a point is compared with its neighbours alone. "
            f"{self.maps.worst(self.short_cuts)}\n"
            f"Picked: {self.things.name(self.point)}. Its neighbours, the nearest first: {names}."
        )

    def _weights(self, now: int) -> str:
        """Write how well the weights rebuild the points, and the sum for the picked one."""
        heaviest = np.argsort(-np.abs(self.weights), kind="stable")
        terms = [
            f"{decimal(float(self.weights[j]))} · {self.things.name(self.near[j])}"
            for j in heaviest[:_WRITTEN]
        ]
        sum_ = " + ".join(terms).replace("+ −", "− ")
        more = f" + {self.k - _WRITTEN} more" if self.k > _WRITTEN else ""
        return (
            "Every point is rebuilt as a weighted mean of its neighbours: on average it misses its "
            f"place by {number(float(self.missed.mean()))}.\n"
            "The weights add up to 1 and bring each point as near to its place as they can.\n"
            f"Picked: {self.things.name(self.point)} ≈ {sum_}{more}, "
            f"{number(float(self.missed[self.point]))} from its place."
        )

    def _map(self, now: int) -> str:
        """Write how well the map keeps the weights and the ways, and where the picked point is."""
        step = self.steps[now]
        Z, axes = self.axes(now)
        said = self.maps.axis_verdict(Z, axes, len(self.short_cuts)) + self.maps.bent(Z, axes)
        if axes < step.pieces:
            said = f"Axis {axes} is added. It only separates the {step.pieces} pieces."
        z = Z[self.point, axes - 1]
        rebuilt = step.weights[self.point] @ Z[:, axes - 1]
        return (
            f"{said}\n{self.maps.result(Z, axes)}\n"
            f"Picked: {self.things.name(self.point)}, at {marks.coordinate(z)} on axis {axes}; its "
            f"neighbours' weights put it at {marks.coordinate(rebuilt)}."
        )
