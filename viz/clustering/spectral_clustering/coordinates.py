"""Spectral clustering: the graph, the numbers that its edges smooth, and k-means on them."""

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
    left,
    rows,
)
from viz.core import plane
from viz.core.found import Groups
from viz.core.naming import free_corner, in_corner
from viz.core.question import Question
from viz.core.question_kinds import which_point
from viz.core.scene import Figure, Layer, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import NOW
from viz.core.words import counted, listed, number, numbered

_LINKED = 4  # edges of a point that are drawn, to its nearest points; fewer among many points
_EDGES = 1600  # drawn at most, about
_THICK = 3.0  # pixels of an edge of weight 1
_SMALLEST, _LARGEST = 0.35, 1.25  # diameters of the points, as factors of the usual one
_LITTLE = 0.1  # of an eigenvector: with less, it has faded
_KEY = 0.6, 0.06  # of the picture: what the colours are, in words
_ROW = 4  # coordinates that are written out
_HALF = "here an edge to the picked point would weigh one half"
_LAYERS = [Layer("where an edge weighs one half", (_HALF,))]
_SIGNS = {
    "points": "point, in the colour of its cluster, or of the sign of its second number",
    "size": "size of a point at the start: its degree",
    "edges": "edge to a nearest point, as wide as it weighs; weaker edges are hidden",
}


class Coordinates(Show[SpectralStep]):
    """The graph, then numbers that become its eigenvectors, then k-means on them."""

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
        self.ends = self.graph.learned[np.column_stack([a, b])]
        ball = data.X[self.point] + self.graph.half_weight * CIRCLE
        self.ball = plane.line(ball, line={"width": 2, "color": NOW}, name=_HALF)
        end = next(step for step in self.steps if step.phase == "eigenvectors")
        self.turned = bool(np.mean((end.numbers < 0) == self.steps[-1].labels) < 0.5)
        settled = (self._signs(step) == self._signs(end) for step in self.steps)
        self.opens = next(t for t, same in enumerate(settled) if same.all())
        self.corner = free_corner(data.bounds, data.X, *_KEY)
        self.note = self._note()

    def views(self) -> list[View]:
        """Return the graph, the map, what is left of the eigenvectors, and the eigenvalues."""
        first, second = (axis + 1 for axis in axes(self.k))
        return [
            View("Points and their graph", self.picture, layers=_LAYERS),
            View(
                f"The map: every point at its numbers {first} and {second}",
                self.rows,
                height=1.7,
                board=False,
            ),
            View("The smallest eigenvalues λ", eigenvalues(self.steps[0]), 0.9),
            View("What the rounds leave of each eigenvector", left(self.steps), 0.85, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw points and edges: colours show signs or clusters, sizes at the start degrees."""
        step = self.steps[now]
        group, size = self._look(step)
        data, points = self.data, plane.points(self.data.X, group, size=size)
        key = in_corner(self._key(step), data.bounds, self.corner)
        return plane.figure(
            [self.ball, key],
            data.bounds,
            data.names,
            points=points,
            edges=self.edges,
            signs=_SIGNS,
        )

    def rows(self, now: int) -> Figure:
        """Draw the points in the coordinates that their numbers are."""
        step = self.steps[now]
        group = self._look(step)[0]
        return rows(step, group, self.point, self._group_names(step))

    def caption(self, now: int) -> str:
        """Write what the step found, the rule with its numbers, and the picked point."""
        step = self.steps[now]
        if step.phase == "graph":
            said = self._graph(step)
        elif step.phase == "smoothing":
            said = self._smoothing(step)
        elif step.phase == "eigenvectors":
            said = self._eigenvectors(step)
        else:
            said = self._k_means(now)
        return f"{said}\n{self._picked(step)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for a point that changes its colour, and later for one that changes its cluster."""
        before, after = self.steps[now], self.steps[now + 1]
        if after.phase == "smoothing" and self.k > 1:
            return self._turning(before, after, rng)
        if before.phase != "k-means":
            return None
        changed = before.labels != after.labels

        def reason(i: int) -> str:
            cluster = int(after.labels[i]) + 1
            return f"On the map it is nearer to the centre of cluster {cluster} now."

        text = "Which point changes its cluster?"
        return which_point(rng, self.data, text, changed, ~changed, reason)

    def found(self, now: int) -> Groups:
        """Return the clusters; before k-means, the points by the sign of their second number."""
        return Groups(self._look(self.steps[now])[0])

    def _look(self, step: SpectralStep) -> tuple[ndarray, ndarray]:
        """Return the groups and sizes of the points: sign or cluster, and at the start degree."""
        n = len(step.labels)
        if step.phase == "k-means":
            return step.labels, np.ones(n)
        if step.phase == "graph":
            degrees = np.full(n, step.graph.degrees.mean())
            degrees[step.graph.learned] = step.graph.degrees
            return self._signs(step), _sizes(degrees)
        return self._signs(step), np.ones(n)

    def _key(self, step: SpectralStep) -> str:
        """Write what the colours are: clusters, or signs before k-means."""
        if step.phase == "k-means":
            return "colours: clusters"
        if self.k == 1:
            return ""
        return "colours: sign of number 2" + ", not clusters yet" * (self.k > 2)

    def _group_names(self, step: SpectralStep) -> dict[int, str]:
        """Return the sizes of two groups by sign, and the names and sizes of few clusters."""
        sizes = np.bincount(self._look(step)[0], minlength=2).tolist()
        if step.phase != "k-means":
            if self.k != 2 or not all(sizes):
                return {}
            return {j: counted(size, "point") for j, size in enumerate(sizes)}
        if not 1 < self.k <= MOST_NAMED:
            return {}
        return {j: f"cluster {j + 1}: {sizes[j]}" for j in range(len(sizes))}

    def _signs(self, step: SpectralStep) -> ndarray:
        """Return 0 and 1 by the sign, in the colours that most points keep in k-means."""
        return (step.numbers < 0).astype(int) ^ self.turned

    def _turning(
        self, before: SpectralStep, after: SpectralStep, rng: Generator
    ) -> Question | None:
        """Ask which point changes its colour."""
        changed = self._signs(before) != self._signs(after)

        def reason(i: int) -> str:
            old, new = (number(float(step.numbers[i]), 2) for step in (before, after))
            return f"Its second number goes from {old} to {new}, as its neighbours have it."

        text = "Which point changes its colour in the next rounds of averaging?"
        return which_point(rng, self.data, text, changed, ~changed, reason)

    def _graph(self, step: SpectralStep) -> str:
        """Write how many pieces the graph is in, the rule of the weights, and the degrees."""
        graph = step.graph
        pieces = str(graph.pieces)
        if graph.pieces == len(graph.eigenvalues) < len(graph.learned):
            pieces = f"at least {pieces}"
        first = (
            "Near points are tied by heavy edges. Every point begins with "
            f"{counted(self.k, 'random number')}."
        )
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
            f"{first}\nAn edge weighs w = exp(−γ ‖x − x′‖²) with γ = {number(graph.gamma)}, "
            f"which is ½ at a distance of {number(graph.half_weight)}. Degrees Σ w, the sizes of "
            f"the points, from {number(low)} to {number(high)}."
        )

    def _smoothing(self, step: SpectralStep) -> str:
        """Write how far the colours and eigenvectors are sorted out, and the rule of a round."""
        t, k, left = step.t or 0, self.k, step.left
        count = int(np.sum(left > _LITTLE))
        rounds = "After 1 round" if t == 1 else f"After {t:,} rounds"
        colors = self._signs(step)[self.ends]
        mixed, drawn = int(np.sum(colors[:, 0] != colors[:, 1])), len(colors)
        if count == k:
            said = f"{rounds} of averaging, tied points have met on the map."
        elif mixed:
            joins = "join" if mixed != 1 else "joins"
            said = (
                f"{rounds} of averaging, {mixed:,} of the {drawn:,} edges drawn still {joins} two "
                f"colours{' (the signs of number 2)' * (k > 2)}."
            )
        else:
            said = (
                f"{rounds} of averaging, no edge drawn joins two colours: tied points are on the "
                "same side of the map."
            )
        shares = [f"{number(float(left[j]))} of {numbered('u', j)}" for j in range(len(left))]
        many = f"; those after {numbered('u', len(left) - 1)} fade first"
        if count < len(left):
            many = (
                f"; more than a tenth is left of {counted(count, 'eigenvector')}"
                f"{', as many as clusters' * (count == k)}"
            )
        elif len(left) == len(self.graph.learned):
            many = ""
        return (
            f"{said}\nA round gives every point half of its own numbers and half of "
            "its neighbours' mean. Of the graph's eigenvectors u₁, u₂, …, the share (1 − λ/2)ᵗ is "
            f"left: {listed(shares[k - 1 : k + 1])}{many}. The map scales and turns the numbers: "
            "otherwise they would all become alike."
        )

    def _eigenvectors(self, step: SpectralStep) -> str:
        """Write what the numbers have become, and how far apart the eigenvalues are."""
        k, found = self.k, self.graph.eigenvalues
        said = f"In the end the numbers are those of {counted(k, 'eigenvector')}"
        colors = self._signs(step)[self.ends]
        tied = k == 1 or (colors[:, 0] == colors[:, 1]).all()
        said += ": points that are tied are together." if tied else "."
        if self.graph.widest_gap == k:
            return f"{said}\n{self._gap()}"
        values = [f"{numbered('λ', j)} = {_small(float(found[j]))}" for j in range(len(found))]
        following = f", and the next is {values[k]}" if k < len(found) else ""
        return (
            f"{said}\nA round leaves the share 1 − λ/2 of an eigenvector, most of it where λ is "
            f"small: here {values[k - 1]}{following}."
        )

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
        if self.graph.largest_factor == self.k:
            times = number(float(found[self.k] / found[self.k - 1]))
            return (
                f"{numbered('λ', self.k)} = {_small(float(found[self.k]))} is {times} times "
                f"{numbered('λ', self.k - 1)} = {_small(float(found[self.k - 1]))}. No other λ "
                f"above 0 grows by a larger factor: this suggests {counted(self.k, 'cluster')}. "
                f"{self._difference()}"
            )
        said = f"{where}, not after k = {self.k}, so it does not show k{why}."
        best = self.graph.largest_factor
        if not 0 < best < len(found):
            return said
        times = number(float(found[best] / found[best - 1]))
        return (
            f"{said} The largest factor from one λ above 0 to the next, {times}, is after {best}."
        )

    def _difference(self) -> str:
        """Write where the widest gap is, and that it is no large factor."""
        at, found = self.graph.widest_gap, self.graph.eigenvalues
        said = f"As a difference, the gap after {at} is the widest among {len(found)}, but "
        if at <= self.graph.pieces:
            return f"{said}it begins at 0 and has no factor."
        return f"{said}there λ grows only by the factor {number(float(found[at] / found[at - 1]))}."

    def _k_means(self, now: int) -> str:
        """Write what a half-step of k-means did, the inertia, and the sizes of the clusters."""
        step = self.steps[now]
        sizes = np.bincount(step.labels, minlength=self.k)
        inertia = _small(step.half_step.inertia if step.half_step else 0.0)
        of_sizes = listed([str(size) for size in sizes])
        ended = step.event is not None
        found = f" Found: clusters of {of_sizes} points." if ended else ""
        rule = f"On the map, the squared distances of the points to their × add up to {inertia}."
        if not ended:
            rule += f" Clusters of {of_sizes} points."
        elif self.graph.widest_gap not in (0, self.k):
            rule = self._gap()
        return f"k-means on the map{self._half_step(now)}{found}\n{rule}"

    def _half_step(self, now: int) -> str:
        half, before = self.steps[now].half_step, self.steps[now - 1].half_step
        assert half
        if before is None:
            return f", start: every point joins the nearest of {counted(self.k, 'centre')} ×."
        if half.phase == "move":
            return ", move: every centre × goes to the mean of its points."
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
        if len(here) and step.phase == "graph":
            heaviest = float(graph.weights[here[0]].max())
            degree = number(float(graph.degrees[here[0]]))
            said.append(
                f"its edges weigh {degree} together (its degree), the heaviest {number(heaviest)}"
            )
        if step.phase != "graph":
            what = "numbers, scaled to length 1," if step.t else "new coordinates"
            row = ", ".join(number(value, 2) for value in step.embedding[point, :_ROW])
            said.insert(0, f"its {what} are ({row}{', …' * (self.k > _ROW)})")
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
            "At the start, a point is as large as its degree. Until k-means, its colour is the "
            "sign of its second number. The rounds would make all numbers alike, so they "
            "are scaled and turned before they are drawn.",
            "Eigenvalues up to 10⁻⁹ may be rounding errors and count as 0. × are the centres of "
            "k-means: of 10 runs from k-means++, the one with the lowest inertia is shown.",
        ]
        if m < n:
            said.append(
                f"The graph has {m:,} of the {n:,} points, evenly chosen; the others get their "
                "rows from their edges to these."
            )
        return " ".join(said)


def _sizes(values: ndarray) -> ndarray:
    return _SMALLEST + (_LARGEST - _SMALLEST) * values / (values.max() or 1.0)


def _small(value: float) -> str:
    return number(value) if value > NOTHING else "0"
