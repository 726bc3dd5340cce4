"""Isomap: neighbours' edges, the ways along them, and the map that keeps the ways."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator
from scipy.spatial.distance import cdist

from algorithms.reduction.unrolling.isomap import IsomapStep
from algorithms.reduction.unrolling.short_cuts import Yardstick
from viz.core import curves, plane
from viz.core.question import Option, Question, question
from viz.core.scene import Bounds, Figure, Run, View
from viz.core.show import Show
from viz.core.theme import NOW, PALETTE
from viz.core.words import counted, decimal, number
from viz.reduction.multidimensional_scaling import marks
from viz.reduction.multidimensional_scaling.marks import Given

_FAR = 1e-9  # of a way: longer ones are not the shortest yet
_SMALL = 0.6  # diameter of a point on the map, as a part of the usual one
_ROOM = 0.08  # of the map, around it
_FLAT = 0.45  # of its width: the map is at least this high
_FAINT = 0.25  # opacity of points that are not reached
_PARTS = (0.1, 0.3, 0.5, 0.7, 0.9)  # of the points, to choose from
_CLEAR = 0.04  # of the points: a share this near to the middle of two answers is not asked about
_WELL, _ROUGHLY = 0.99, 0.9  # least r² of a map that keeps the ways, and roughly keeps them
_SIGNS = {
    "points": "point, in the colour of its class",
    "strength": "faint: not used, or the picked point has no way to this point yet",
    "edges": "edge between neighbours",
}


class Isomap(Show[IsomapStep]):
    """Edges, then ways of at most 2, 4, 8, ... edges, then one axis after the other."""

    def __init__(
        self, run: Run, things: Given, measure: Yardstick, counts: ndarray, query: ndarray, k: int
    ) -> None:
        """Find the short-cuts and the picked point.

        counts : of short-cuts with 1, 2, ... neighbours. query : the point nearest to it is the
        picked one. k : neighbours of every point.
        """
        super().__init__(run, things.data)
        self.things, self.measure, self.counts, self.k = things, measure, counts, k
        self.X = self.data.X[things.rows]
        self.point = int(cdist(query[None], self.X)[0].argmin())
        self.graph, self.ways = self.steps[0].ways, self.steps[-1].geodesics
        self.pairs = self.steps[0].edges
        length = self.graph[tuple(self.pairs.T)]
        cut = measure.short_cuts(things.distances)[tuple(self.pairs.T)]
        factor = measure.ways[tuple(self.pairs.T)] / np.maximum(length, 1e-300)
        order = np.argsort(-factor[cut], kind="stable")
        self.short_cuts = self.pairs[cut][order]
        self.box = _wide([measure.flat, self._places(len(self.steps) - 1)])
        self.note = (
            "Colours only show which points belong together: Isomap does not use them. A short-cut "
            "joins points that are more than three longest edges apart along the graph with "
            f"{counted(measure.neighbors, 'neighbour')}, the fewest that hold it in one piece. "
            f"{marks.NOTE}{_thinned(len(self.X), len(self.data.X))}"
        )

    def views(self) -> list[View]:
        """Return the graph, the map, what the maps keep, and the short-cuts for every k."""
        kept = "Distances along the sheet that a map keeps, r²"
        cuts = "Short-cuts in the graph against the neighbours k"
        return [
            View("Points, edges and the longest way so far", self.picture),
            View(
                "The map: that of PCA until Isomap has its own", self.map, height=1.4, board=False
            ),
            View(kept, self.kept, ahead=True, board=False),
            View(cuts, self.by_neighbors, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw points, edges and short-cuts, and the way to the farthest point that is reached."""
        data, X = self.data, self.X
        way = self._way(now)
        cuts = plane.joined([X[pair] for pair in self.short_cuts])
        traces = [
            plane.line(
                X[way], line={"width": 4},
                name="longest way from the picked point so far",
            ),
            plane.line(cuts, line={"width": 4, "color": NOW}, name="short-cut"),
            plane.rings(X[[self.point]], name="picked point"),
        ]  # fmt: skip
        strength = np.full(len(data.X), _FAINT)
        strength[self.things.rows] = np.where(self._reached(now), 1.0, _FAINT)
        points = plane.points(data.X, data.labels, strength=strength)
        a, b = self.pairs.T
        edges = plane.edges(X[a], X[b], width=1)
        return plane.figure(
            traces, data.bounds, data.names, points=points, edges=edges, signs=_SIGNS
        )

    def map(self, now: int) -> Figure:
        """Draw the map, or that of PCA while there is no axis."""
        Z = self._places(now)
        figure = marks.the_map(self.things, Z, self.box)
        ring = plane.rings(Z[[self.point]], name="picked point")
        points = plane.points(Z, self.things.groups, size=np.full(len(Z), _SMALL))
        return figure | {"data": [*figure["data"], ring], "points": points}

    def kept(self, now: int) -> Figure:
        """Draw r² for the axes so far, for MDS and for PCA."""
        axes = self.steps[now].axes
        own = f"Isomap, {_axes(axes)}" if axes else "Isomap, no axis yet"
        names = [own, "MDS, 2 axes", "PCA, 2 axes"]
        values = [self._kept(now), self.measure.mds, self.measure.pca]
        bars = {
            "type": "bar", "x": names, "y": values,
            "marker": {"color": [PALETTE[0], PALETTE[1], PALETTE[1]]},
            "text": [decimal(value) for value in values], "textposition": "outside",
            "cliponaxis": False, "hoverinfo": "skip",
        }  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"type": "category"}, yaxis={"range": [0, 1.15], "title": {"text": "r²"}}
        )
        return {"data": [bars], "layout": layout}

    def by_neighbors(self, now: int) -> Figure:
        """Draw the number of short-cuts for every number of neighbours; k is marked."""
        ks = list(range(1, len(self.counts) + 1))
        top = 1.08 * max(float(self.counts[1:].max(initial=0)), 5.0)
        traces = [curves.against("short-cuts", ks[1:], self.counts[1:].tolist())]
        at = self.k - 1
        traces.append(curves.marked(self.k, float(self.counts[at])))
        layout = curves.panel_layout(
            xaxis={"range": [1.5, max(ks[-1], 2) + 0.5], "title": {"text": "neighbours k"}},
            yaxis={"range": [-0.05 * top, top], "nticks": 5, "title": {"text": "short-cuts"}},
        )
        layout["margin"] = {**layout["margin"], "b": 40}
        return {"data": traces, "layout": layout}

    def caption(self, now: int) -> str:
        """Write what the step adds, the rule with its numbers, and the picked point."""
        step = self.steps[now]
        said = {"graph": self._graph, "ways": self._ways, "map": self._map}[step.phase](now)
        return f"{said}\n{self._picked(now)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask what share of the points the picked point reaches next, or what the map keeps."""
        after = self.steps[now + 1]
        n = len(self.X)
        if after.phase == "ways":
            share, count = self._reached(now + 1).mean(), int(self._reached(now + 1).sum())
            text = (
                f"To which share of the points will the picked point have its shortest way in the "
                f"next round, with ways of at most {2 ** (now + 1)} edges?"
            )
            return _nearest(text, float(share), f"It has {count} of {n}.")
        if after.axes != 1:
            return None
        value = self._kept(now + 1)
        text = "Isomap adds its first axis. Which r² will distances on the map have with the ways?"
        reason = f"r² = {decimal(value)}; the map of PCA has {decimal(self.measure.pca)}."
        return _nearest(text, value, reason)

    def _places(self, now: int) -> ndarray:
        """Return two columns of the map; before the first axis those of PCA."""
        step = self.steps[now]
        if step.axes == 0:
            return self.measure.flat
        Z = step.embedding
        return Z[:, :2] if Z.shape[1] > 1 else np.column_stack([Z, np.zeros(len(Z))])

    def _kept(self, now: int) -> float:
        """Return r² of the axes so far; 0 before the first."""
        step = self.steps[now]
        return self.measure.kept(step.embedding[:, : step.axes]) if step.axes else 0.0

    def _reached(self, now: int) -> ndarray:
        """Return to which points the picked point has its shortest way."""
        here = self.steps[now].ways[self.point]
        return here <= (1 + _FAR) * self.ways[self.point]

    def _farthest(self, now: int) -> int:
        """Return the farthest point to which the picked point has its shortest way."""
        return int(np.where(self._reached(now), self.ways[self.point], -1).argmax())

    def _way(self, now: int) -> list[int]:
        """Return the points along the way to the farthest point that is reached."""
        at, way = self._farthest(now), [self._farthest(now)]
        left = self.ways[self.point].copy()
        while at != self.point:
            left[at] = np.inf  # also where points are on one spot, no point is visited twice
            at = int((left + self.graph[at]).argmin())
            way.append(at)
        return way[::-1]

    def _graph(self, now: int) -> str:
        """Write how the points are joined, and which edge is the worst short-cut."""
        step = self.steps[now]
        said = f"Start: an edge joins every point to its {counted(self.k, 'nearest point')}."
        if bridges := len(step.bridges):
            said = (
                f"Start: with {counted(self.k, 'neighbour')} the graph is in pieces, which are "
                f"joined by {counted(bridges, 'further edge')}."
            )
        rule = f"g = ‖x − x′‖ along an edge, of {len(self.pairs)}, otherwise ∞."
        return f"{said}\n{rule} {self._worst()}"

    def _ways(self, now: int) -> str:
        """Write how many points are reached, and one sum of two ways."""
        before, step, p = self.steps[now - 1], self.steps[now], self.point
        reached, n = int(self._reached(now).sum()), len(self.X)
        q = self._farthest(now)
        m = int((before.ways[p] + before.ways[:, q]).argmin())
        a, b = float(before.geodesics[p, m]), float(before.geodesics[m, q])
        return (
            f"Two ways are joined to one: with at most {2**now} edges the picked point has its "
            f"shortest way to {reached} of {n} points.\n"
            f"g ← min (g + g): to {self.things.name(q)} through {self.things.name(m)}, "
            f"{number(a)} + {number(b)} = {number(float(step.geodesics[p, q]))}."
        )

    def _map(self, now: int) -> str:
        """Write how well the map keeps the ways, beside PCA and MDS."""
        step, measure, value = self.steps[now], self.measure, self._kept(now)
        said = f"Axis {step.axes} is added: {_verdict(value)}."
        if value < _ROUGHLY and (cuts := len(self.short_cuts)):
            said = (
                f"Axis {step.axes} is added. The map is torn: {counted(cuts, 'short-cut')} made "
                "ways too short."
            )
        return (
            f"{said}\nz = v √λ from the ways g. Distances on the map and along the sheet: "
            f"r² = {decimal(value)}; MDS {decimal(measure.mds)}, "
            f"PCA {decimal(measure.pca)}. {self._worst()}"
        )

    def _worst(self) -> str:
        """Name the worst short-cut."""
        if not len(self.short_cuts):
            return "No edge is a short-cut."
        i, j = self.short_cuts[0].tolist()
        return (
            f"{counted(len(self.short_cuts), 'short-cut')}; the worst joins "
            f"{self.things.pair(i, j)}, {number(float(self.things.distances[i, j]))} apart through "
            f"the air and {number(float(self.measure.ways[i, j]))} along the sheet."
        )

    def _picked(self, now: int) -> str:
        """Write how far the farthest point is that the picked point reaches."""
        q = self._farthest(now)
        air, way = float(self.things.distances[self.point, q]), float(self.ways[self.point, q])
        return (
            f"Picked: {self.things.name(self.point)}. It reaches {self.things.name(q)}, "
            f"{number(way)} along the edges and {number(air)} through the air."
        )


def _verdict(kept: float) -> str:
    """Write how well a map keeps the ways, from its r²."""
    if kept >= _WELL:
        return "the map keeps the ways along the sheet"
    if kept >= _ROUGHLY:
        return "the map keeps the ways along the sheet roughly"
    return "the map does not keep the ways along the sheet"


def _wide(maps: Sequence[ndarray]) -> Bounds:
    """Return the box that holds all of the maps; those of a line are wide and low."""
    low = np.min([Z.min(axis=0) for Z in maps], axis=0)
    high = np.max([Z.max(axis=0) for Z in maps], axis=0)
    half = (0.5 + _ROOM) * (high - low)
    half = np.maximum(half, _FLAT * (float(half.max()) or 1.0))
    (left, bottom), (right, top) = (low + high) / 2 - half, (low + high) / 2 + half
    return (float(left), float(right), float(bottom), float(top))


def _thinned(used: int, n: int) -> str:
    """Say so if not all points are used."""
    return f" {used:,} of the {n:,} points are used; the others are faint." if used < n else ""


def _axes(count: int) -> str:
    return f"{count} {'axis' if count == 1 else 'axes'}"


def _nearest(text: str, share: float, reason: str) -> Question | None:
    """Ask which of five shares is nearest, unless two are nearly as near."""
    gaps: Sequence[float] = [abs(share - part) for part in _PARTS]
    first, second = np.argsort(gaps, kind="stable")[:2].tolist()
    if gaps[second] - gaps[first] < _CLEAR:
        return None
    ways = [Option(f"about {part:g}") for part in _PARTS]
    others = [way for i, way in enumerate(ways) if abs(i - first) in (1, 2)]
    return question(text, ways[first], others, reason)
