"""Spectral clustering: the graph, the points in the coordinates of its eigenvectors, k-means."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator
from scipy.spatial.distance import cdist

from algorithms.clustering.spectral_clustering import SpectralStep
from algorithms.core.similarity_graph import NOTHING
from viz.clustering.spectral_clustering.linked_views import (
    CIRCLE,
    MOST_NAMED,
    axes,
    eigenvalues,
    rows,
)
from viz.core import plane
from viz.core.found import Groups
from viz.core.question import Option, Question, question
from viz.core.question_kinds import which_point
from viz.core.scene import Figure, Layer, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import NOW
from viz.core.words import counted, listed, number, numbered

_LINKED = 4  # edges of a point that are drawn, to its nearest points; fewer among many points
_EDGES = 1600  # drawn at most, about
_THICK = 3.0  # pixels of an edge of weight 1
_SMALLEST, _LARGEST = 0.35, 1.25  # diameters of the points, as factors of the usual one
_COLOURS = "Blue", "Orange"  # of the first two groups
_ROW = 4  # coordinates that are written out
_HALF = "here an edge to the picked point would weigh one half"
_LAYERS = [Layer("where an edge weighs one half", (_HALF,))]
_SIGNS = {
    "points": "point, in the colour of its cluster, or of its entry’s sign",
    "size": "size of a point at the start: its degree",
    "edges": "edge to a nearest point, as wide as it weighs; weaker edges are hidden",
}


class Coordinates(Show[SpectralStep]):
    """The graph, then one eigenvector after the other, then k-means on their rows."""

    opens = 2

    def __init__(self, run: Run, data: Plane, query: ndarray) -> None:
        """Prepare the edges. query : a place; the point nearest to it is the picked one."""
        super().__init__(run, data)
        self.graph, self.k = self.steps[0].graph, self.steps[0].embedding.shape[1]
        self.point = int(cdist(query[None], data.X)[0].argmin())
        learned = data.X[self.graph.learned]
        self.links = max(1, min(_LINKED, _EDGES // len(learned)))
        a, b = self.graph.heaviest_edges(self.links).T
        width = _THICK * self.graph.weights[a, b]
        self.edges = plane.edges(learned[a], learned[b], width=width)
        ball = data.X[self.point] + self.graph.half_weight * CIRCLE
        self.ball = plane.line(ball, line={"width": 2, "color": NOW}, name=_HALF)
        self.note = self._note()

    def views(self) -> list[View]:
        """Return the graph, the rows of the eigenvectors, and the eigenvalues."""
        first, second = (numbered("u", axis) for axis in axes(self.k))
        return [
            View("Points and their graph", self.picture, layers=_LAYERS),
            View(
                f"New coordinates, scaled to length 1: {first} and {second}",
                self.rows,
                board=False,
            ),
            View("The smallest eigenvalues λ", eigenvalues(self.steps)),
        ]

    def picture(self, now: int) -> Figure:
        """Draw points and edges: sizes show degrees, then colours signs or clusters."""
        step = self.steps[now]
        group, size = self._look(step)
        data, points = self.data, plane.points(self.data.X, group, size=size)
        return plane.figure(
            [self.ball],
            data.bounds,
            data.names,
            points=points,
            edges=self.edges,
            signs=_SIGNS,
        )

    def rows(self, now: int) -> Figure:
        """Draw the points in the coordinates of the eigenvectors."""
        step = self.steps[now]
        group = self._look(step)[0]
        return rows(step, group, self.point, self._group_names(step))

    def caption(self, now: int) -> str:
        """Write what the step found, the rule with its numbers, and the picked point."""
        step = self.steps[now]
        if step.phase == "graph":
            said = self._graph(step)
        elif step.phase == "eigenvector":
            said = self._eigenvector(step)
        else:
            said = self._k_means(now)
        return f"{said}\n{self._picked(step)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the next eigenvalue, and later for a point that changes its cluster."""
        before, after = self.steps[now], self.steps[now + 1]
        if after.phase == "eigenvector":
            return _eigenvalue(after)
        if before.phase != "k-means":
            return None
        changed = before.labels != after.labels

        def reason(i: int) -> str:
            cluster = int(after.labels[i]) + 1
            return f"Its row of the eigenvectors is nearer to the centre of cluster {cluster} now."

        text = "Which point changes its cluster?"
        return which_point(rng, self.data, text, changed, ~changed, reason)

    def found(self, now: int) -> Groups:
        """Return the clusters; before k-means, the points by the sign of an entry."""
        return Groups(self._look(self.steps[now])[0])

    def _look(self, step: SpectralStep) -> tuple[ndarray, ndarray]:
        """Return the groups and sizes of the points: degree, sign of the entry, or cluster."""
        n = len(step.labels)
        if step.phase == "k-means":
            return step.labels, np.ones(n)
        if step.phase == "graph":
            degrees = np.full(n, step.graph.degrees.mean())
            degrees[step.graph.learned] = step.graph.degrees
            return step.labels, _sizes(degrees)
        return self._signs(step.entries), np.ones(n)

    def _group_names(self, step: SpectralStep) -> dict[int, str]:
        """Return the names of the groups: signs of an entry, or clusters if they are few."""
        if step.phase == "eigenvector" and step.j > 1:  # before, all rows are in one place
            entries = step.entries
            group, u = self._signs(entries), numbered("u", step.j - 1)
            above, sign = entries >= 0, "≥" if (entries == 0).any() else ">"
            names = ((above, f"{u} {sign} 0"), (~above, f"{u} < 0"))
            return {
                int(group[side][0]): f"{name}: {counted(int(side.sum()), 'point')}"
                for side, name in names
                if 0 < side.mean() < 1
            }
        few = step.phase == "k-means" and 1 < self.k <= MOST_NAMED
        return {j: f"cluster {j + 1}" for j in range(self.k * few)}

    def _signs(self, entries: ndarray) -> ndarray:
        """Return 0 and 1 by the sign, in the colours that most points keep in k-means."""
        negative, clusters = (entries < 0).astype(int), self.steps[-1].labels
        kept, turned = ((side == clusters).sum() for side in (negative, 1 - negative))
        return negative if kept >= turned else 1 - negative

    def _graph(self, step: SpectralStep) -> str:
        """Write how many pieces the graph is in, the rule of the weights, and the degrees."""
        graph = step.graph
        pieces = str(graph.pieces)
        if graph.pieces == len(graph.eigenvalues) < len(graph.learned):
            pieces = f"at least {pieces}"
        first = "An edge joins every two points; the nearer they are, the heavier it is."
        if graph.pieces > 1:
            few = f"for the computer there are {pieces} pieces."
            first = f"Edges between far points weigh almost nothing: {few}"
        if graph.pieces > self.k:
            first = (
                f"For the computer the graph is in {pieces} pieces, more than the "
                f"{counted(self.k, 'cluster')} wanted: σ is too small for these data."
            )
        low, high = float(graph.degrees.min()), float(graph.degrees.max())
        return (
            f"{first}\nw = exp(−γ ‖x − x′‖²) with γ = {number(graph.gamma)}, which is ½ at a "
            f"distance of {number(graph.half_weight)}. Degrees Σ w, the sizes of "
            f"the points, from {number(low)} to {number(high)}."
        )

    def _eigenvector(self, step: SpectralStep) -> str:
        """Write the eigenvalue, the signs of the entries, and after the last one the gap."""
        entries, j = step.entries, step.j
        value = f"{numbered('λ', j - 1)} = {_small(float(step.eigenvalues[j - 1]))}"
        positive, negative = int(np.sum(entries > 0)), int(np.sum(entries < 0))
        signs = f"{positive} of its entries are positive, {negative} negative"
        if nothing := len(entries) - positive - negative:
            signs += f", {nothing} zero"
        if positive == len(entries):
            signs = "all its entries have one sign"
        parts = " parts the points" if positive and negative else ""
        of = f"Eigenvector {j} of {self.k}{parts}"
        signed = ""
        rule = (
            "Near points get nearly equal entries; the entries of a point, scaled to length 1, are "
            "its new coordinates."
        )
        if positive and negative:
            turned = int(self._signs(entries)[entries > 0][0])
            above, below = _COLOURS[turned], _COLOURS[1 - turned].lower()
            signed = f"{above} entries are positive, {below} negative. "
            far = [number(step.spread(side)) for side in (entries > 0, entries < 0)]
            rule = (
                f"In the new coordinates, {above.lower()} points are within {far[0]} of their "
                f"middle, {below} ones within {far[1]}."
            )
        if step.event and self.graph.widest_gap == self.k:
            rule = self._gap()
        return f"{of}: {signs}.\nIts eigenvalue is {value}. {signed}{rule}"

    def _gap(self) -> str:
        """Write after which eigenvalue the widest gap is, and what this says about k."""
        at, found = self.graph.widest_gap, self.graph.eigenvalues
        if at == 0:
            return "There is no further eigenvalue."
        low, high = (_small(float(value)) for value in found[at - 1 : at + 1])
        where = f"The widest gap among {len(found)} is after {at}, from {low} to {high}"
        if at == self.k:
            return f"{where}: it suggests {counted(at, 'cluster')}, as many as k."
        why = ": long clusters can have many small λ" if at > self.k else ""
        return f"{where}, not after k = {self.k}, so it does not show k{why}."

    def _k_means(self, now: int) -> str:
        """Write what a half-step of k-means did, the inertia, and the sizes of the clusters."""
        step = self.steps[now]
        sizes = np.bincount(step.labels, minlength=self.k)
        inertia = _small(step.half_step.inertia if step.half_step else 0.0)
        of_sizes = listed([str(size) for size in sizes])
        ended = step.event is not None
        found = f" Found: clusters of {of_sizes} points." if ended else ""
        rule = f"The squared distances of the rows to their × add up to {inertia}."
        if not ended:
            rule += f" Clusters of {of_sizes} points."
        elif self.graph.widest_gap not in (0, self.k):
            rule = self._gap()
        return f"k-means on the rows{self._half_step(now)}{found}\n{rule}"

    def _half_step(self, now: int) -> str:
        half, before = self.steps[now].half_step, self.steps[now - 1].half_step
        assert half
        if before is None:
            return f", start: every point joins the nearest of {counted(self.k, 'centre')} ×."
        if half.phase == "move":
            return ", move: every centre × goes to the mean of its rows."
        if half.event == "converged":
            return ", assign: no point changes its cluster: converged."
        ended = " Stopped: no more iterations are allowed." if half.event else ""
        changed = np.count_nonzero(half.labels != before.labels)
        change = "point changes its" if changed == 1 else "points change their"
        return f", assign: {changed} {change} cluster.{ended}"

    def _picked(self, step: SpectralStep) -> str:
        """Write what is known about the picked point."""
        graph, point, said = self.graph, self.point, []
        here = np.flatnonzero(graph.learned == point)
        if len(here):
            heaviest = float(graph.weights[here[0]].max())
            degree = number(float(graph.degrees[here[0]]))
            said.append(
                f"its edges weigh {degree} together (its degree), the heaviest {number(heaviest)}"
            )
        if step.j:
            row = ", ".join(number(value, 2) for value in step.embedding[point, :_ROW])
            said.insert(0, f"its new coordinates are ({row}{', …' * (self.k > _ROW)})")
        if step.phase == "k-means":
            said.insert(0, f"it is in cluster {step.labels[point] + 1}")
        return f"Picked point: {'; '.join(said) or 'it gets its row from the others'}."

    def _note(self) -> str:
        """Write what is drawn."""
        n, m = len(self.data.X), len(self.graph.learned)
        said = [
            f"Drawn are the edges of every point to its {counted(self.links, 'nearest one')}, as "
            "wide as they weigh; weaker edges join all others. The circle, a layer, is where an "
            "edge to the picked point weighs one half.",
            "At the start, a point is as large as its degree. Then its colour is the sign of its "
            "entry.",
            "Eigenvalues up to 10⁻⁹ count as 0. × are the centres of k-means: of 10 runs from "
            "k-means++, the one with the lowest inertia is shown.",
        ]
        if m < n:
            said.append(
                f"The graph has {m:,} of the {n:,} points, evenly chosen; the others get their "
                "rows from their edges to these."
            )
        return " ".join(said)


def _eigenvalue(after: SpectralStep) -> Question | None:
    """Ask whether the next eigenvalue is 0, as it is once for every piece of the graph."""
    value = float(after.eigenvalues[after.j - 1])
    if NOTHING / 100 < value < NOTHING * 100:
        return None  # it depends on what counts as 0
    ways = [Option("0: another piece of the graph"), Option("more than 0: no piece is left")]
    right, wrong = ways if value <= NOTHING else ways[::-1]
    size = "as good as 0" if value <= NOTHING else number(value)
    reason = f"It is {size}: the graph has {counted(after.graph.pieces, 'piece')}."
    return question(f"How large is eigenvalue {after.j}?", right, [wrong], reason)


def _sizes(values: ndarray) -> ndarray:
    return _SMALLEST + (_LARGEST - _SMALLEST) * values / (values.max() or 1.0)


def _small(value: float) -> str:
    return number(value) if value > NOTHING else "0"
