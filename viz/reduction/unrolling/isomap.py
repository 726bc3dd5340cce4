"""Isomap: neighbours' edges, the ways along them, and the map that unrolls to keep the ways."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import isqrt

import numpy as np
from numpy import ndarray
from numpy.random import Generator
from scipy.linalg import orthogonal_procrustes

from algorithms.reduction.unrolling.isomap import IsomapStep
from algorithms.reduction.unrolling.short_cuts import Yardstick
from viz.core import curves, naming, plane
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Bounds, Figure, Run, View
from viz.core.show import AT_THE_END
from viz.core.theme import GREY
from viz.core.words import counted, decimal, number, percent
from viz.reduction.multidimensional_scaling.marks import NOTE, Given
from viz.reduction.unrolling import marks

_THIN, _WIDE = 0.75, 4.5  # pixels, of an edge, and of one on the way
_ON_MAP = 9.0  # the same on the map, where the points are denser
_MANY = 500  # edges: with more of them, each is thinner
_LONGER = 1.5  # times as long as the straight line: a way beside which the line is drawn
_BESIDE = {
    f"{side} {end}": (0, way)
    for end in ("center", "left", "right")
    for side, way in (("bottom", -1), ("top", 1))
}
_AROUND = {
    "bottom center": (0, -1),
    "top center": (0, 1),
    "middle right": (1, 0),
    "middle left": (-1, 0),
}
_FURTHER = (1, 2, 3, 4)  # times this far from a line, where there is no room beside it
_AROUND_PICKED = np.mgrid[-2:3, -2:3].reshape(2, -1).T  # the ring and its word are there
_PRESSED = 0.05  # of the spread: a map that leaves out less is not called pressed flat
_HALO = {"shadow": "auto"}
_DASHED = {"width": 2, "dash": "dash", "color": GREY}
_DOTTED = {"width": 2.5, "dash": "dot"}
_FAR = 1e-9  # of a way: longer ones are not the shortest yet
_SIGNS = {
    "points": "point, in the colour of its class",
    "strength": "faint: not used, or the picked point has no way to this point yet",
    "edges": "edge between neighbours; wide: on the longest way from the picked point so far",
}
_ON_THE_MAP = {
    "edges": "on the map: the wide way",
    "strength": "on the map, faint: no way to this point yet",
}


class Isomap(marks.Mapped[IsomapStep]):
    """Edges, then ways of at most 2, 4, 8, ... edges, then the map unrolls."""

    def __init__(
        self, run: Run, things: Given, measure: Yardstick, counts: ndarray, query: ndarray, k: int
    ) -> None:
        """Find the short-cuts and the picked point.

        counts : of short-cuts with 1, 2, ... neighbours. query : the point nearest to it is the
        picked one. k : neighbours of every point.
        """
        super().__init__(run, things.data)
        self.things, self.measure, self.counts, self.k = things, measure, counts, k
        stages = [step.embedding for step in self.steps if step.axes]
        first, *self.unrolling = turned([measure.flat, *stages])
        end = self.steps[-1].embedding
        self.maps = marks.Maps(
            "Isomap",
            things,
            replace(measure, flat=first),
            query,
            end,
            until="all ways are known",
            unrolls=True,
        )
        self.maps.box = marks.wide([first, *self.unrolling])
        self.X, self.point = self.maps.X, self.maps.point
        self.graph, self.ways = self.steps[0].ways, self.steps[-1].geodesics
        self.pairs = self.steps[0].edges
        self.short_cuts = self.maps.short_cuts(self.pairs)
        self.joins = self.steps[0].bridges
        self.thin = _THIN * min(1.0, _MANY / max(len(self.pairs), 1))
        self.longest = [self._way(now) for now in range(len(self.steps))]
        self.most = max(len(way) for way in self.longest)
        self.note = f"{marks.COLOURS} {self.maps.about_short_cuts} {NOTE}{marks.thinned(things)}"
        self.key = marks.same_colours(self.data.bounds, self.data.X)
        self.opens = AT_THE_END  # here the map is unrolled

    def views(self) -> list[View]:
        """Return the graph, the map, what the maps keep, and the short-cuts for every k."""
        cuts = "Short-cuts in the graph against the neighbours k"
        return [
            View("Points, edges and the longest way found (wide)", self.picture),
            self.maps.view(self.map),
            self.maps.kept_view(self.kept),
            View(cuts, self.by_neighbors, height=1.3, board=False),
        ]

    def axes(self, now: int) -> tuple[ndarray, int]:
        """Return the map, turned to fit those before and after it, and its number of axes."""
        step = self.steps[now]
        return self.unrolling[max(step.stage - 1, 0)], step.axes

    def map(self, now: int) -> Figure:
        """Draw the map with the longest way, and the straight line to its end with its length."""
        share = self.steps[now].pressed
        said = f"pressed flat: a third axis would hold {percent(share, 2)} of the spread"
        figure = self.maps.draw(*self.axes(now), named=False, said=said * (share > _PRESSED))
        Z = self.maps.places(*self.axes(now))
        ends = self._ends(now, Z)
        line = _from_the_middle(ends)
        length = number(float(np.linalg.norm(ends[1] - ends[0])))
        long = f"{length} on the map" * bool(len(line) and self.steps[now].axes)
        where = [*_beside(line, _BESIDE, self.maps.box, _FURTHER)]
        where.append(naming.corner(self.maps.box, "bottom left"))
        name = naming.Name(long, where, _HALO, line)
        lines = [
            plane.line(ends, line=_DASHED, name="on the map: straight to the end of the wide way"),
            *naming.clear_names([name], self.maps.box, self.maps.taken(Z)),
        ]
        known = np.where(self._reached(now), 1.0, marks.FAINT)
        own = {
            "points": self.maps.points(Z, strength=known),
            "edges": self._way_on_map(now, Z),
            "signs": figure["signs"] | _ON_THE_MAP,
        }
        return figure | own | {"data": [*figure["data"], *lines]}

    def _way_on_map(self, now: int, places: ndarray) -> dict:
        """Draw the edges on the longest way; those that a longer way will have are points."""
        way = self.longest[now]
        path = places[way + [way[-1]] * (self.most - len(way))]
        return plane.edges(path[:-1], path[1:], width=np.full(self.most - 1, _ON_MAP))

    def picture(self, now: int) -> Figure:
        """Draw points, edges and short-cuts, and the way to the farthest point that is reached."""
        data, X = self.data, self.X
        way = self.longest[now]
        on_way = {frozenset(pair) for pair in pairwise(way)}
        joins = {frozenset(pair) for pair in self.joins.tolist()}
        width = np.array(
            [
                _WIDE if frozenset(p) in on_way else 0.0 if frozenset(p) in joins else self.thin
                for p in self.pairs.tolist()
            ]
        )
        traces = [
            self.maps.crossing(self.short_cuts),
            plane.line(
                plane.joined([X[pair] for pair in self.joins]), line=_DOTTED,
                name="joins two pieces: the shortest edge between them",
            ),
            *self._lengths(now, X[way]),
            plane.rings(self._meeting(now), name="where two known ways meet in one"),
            self.key,
        ]  # fmt: skip
        strength = marks.strength(self.things, self._reached(now))
        size = np.full(len(data.X), marks.SMALL)
        points = plane.points(data.X, data.labels, size=size, strength=strength)
        a, b = self.pairs.T
        edges = plane.edges(X[a], X[b], width=width)
        figure = plane.figure(
            traces, data.bounds, data.names, points=points, edges=edges, signs=_SIGNS
        )
        return marks.to_scale(figure, data.bounds)

    def _ends(self, now: int, places: ndarray) -> ndarray:
        """Return both ends of the longest way, if it is far longer than the straight line."""
        q = self._farthest(now)
        air, way = self._both(q)
        return places[[self.point, q]] if way > _LONGER * air else np.full((2, 2), np.nan)

    def _lengths(self, now: int, path: ndarray) -> list[dict]:
        """Draw the straight line beside the longest way; both have their lengths beside them."""
        air, way = self._both(self._farthest(now))
        ends, box = self._ends(now, self.X), self.data.bounds
        line = _from_the_middle(ends)
        beside_way = _beside(path, _AROUND, box) if len(line) else []
        meeting = _beside(self._meeting(now), _AROUND, box)
        names = [
            naming.Name(
                f"{number(air)} through the air", _beside(line, _BESIDE, box, _FURTHER), _HALO, line
            ),
            naming.Name(f"{number(way)} along the edges", beside_way, _HALO, line),
            naming.Name("two ways meet", meeting, _HALO, line),
        ]
        around = self.X[self.point] + _AROUND_PICKED * marks.off(box)
        taken = np.concatenate([self.X, naming.along(path), around])
        return [
            plane.line(ends, line=_DASHED, name="straight, through the air"),
            *naming.clear_names(names, box, taken),
        ]

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
            return marks.nearest(text, float(share), f"It has {count} of {n}.")
        text = (
            "The distances on the map grow by another tenth towards those along the edges. "
            "Does r², with those along the curve, rise or fall?"
        )
        old = self.maps.kept(*self.axes(now)) if self.steps[now].axes else self.measure.pca
        new = self.maps.kept(*self.axes(now + 1))
        reason = f"It goes from {decimal(old)} to {decimal(new)}."
        return rises_or_falls(text, old, new, reason, least=marks.RISES)

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
        rule = f"There are {len(self.pairs)} edges, as long as their points are apart."
        if len(step.bridges):
            said, rule = self._pieces(len(step.bridges))
        return f"{said}\n{rule} {self.maps.worst(self.short_cuts, self.pairs)}"

    def _pieces(self, bridges: int) -> tuple[str, str]:
        """Write in how many pieces the graph is, and how they are joined."""
        pieces = (1 + isqrt(1 + 8 * bridges)) // 2  # an edge joins every two of them
        said = f"Start: with {counted(self.k, 'neighbour')} the graph is in {pieces} pieces."
        a, b = self.joins.T
        longest = number(float(self.things.distances[a, b].max()))
        pairs = f"{pieces} · {pieces - 1} / 2 = {bridges} edges, the longest {longest} long"
        if bridges == 1:
            pairs = f"one edge, {longest} long"
        return said, (
            f"The shortest edge between every two pieces is added (dotted): {pairs}. "
            f"Then there are {len(self.pairs)} edges."
        )

    def _pulling(self) -> str:
        """Write which edges pull the map together: short-cuts, and long edges between pieces."""
        cuts = {frozenset(pair) for pair in self.short_cuts.tolist()}
        far = {
            frozenset((i, j))
            for i, j in self.joins.tolist()
            if self.things.distances[i, j] > self.measure.longest
        }
        if not far:
            return counted(len(cuts), "short-cut") if cuts else ""
        said = f"{counted(len(far), 'long edge')} between pieces"
        if both := len(far & cuts):
            said += f", {both} of them {'a short-cut' if both == 1 else 'short-cuts'}"
        if others := len(cuts - far):
            said += f", and {counted(others, 'other short-cut')}"
        return said

    def _ways(self, now: int) -> str:
        """Write how many points are reached, and one sum of two ways."""
        before, step, p = self.steps[now - 1], self.steps[now], self.point
        reached, n = int(self._reached(now).sum()), len(self.X)
        q, m = self._farthest(now), self._middle(now)
        a, b = float(before.geodesics[p, m]), float(before.geodesics[m, q])
        return (
            f"Two known ways that meet make a longer one: with up to {2**now} edges, the shortest "
            f"way to {reached} of {n} points is known.\nThe wide way is made of two that meet at "
            f"{self.things.name(m)}: {number(a)} + {number(b)} ≈ "
            f"{number(float(step.geodesics[p, q]))}."
        )

    def _middle(self, now: int) -> int:
        """Return the point at which two ways of the step before meet in the longest one."""
        before = self.steps[now - 1].ways
        return int((before[self.point] + before[:, self._farthest(now)]).argmin())

    def _meeting(self, now: int) -> ndarray:
        """Return the place of this point while ways grow."""
        return self.X[[self._middle(now)]] if self.steps[now].phase == "ways" else plane.GAP

    def _map(self, now: int) -> str:
        """Write how far the distances have grown, by the longest way, and how well it is kept."""
        Z, axes = self.axes(now)
        result, s = self.maps.result(Z, axes), self.steps[now].share
        if s == 1:
            found = self.maps.verdict(Z, axes, self._pulling())
            return f"In the end {found}\n{result} {self.maps.worst(self.short_cuts, self.pairs)}"
        air, way = self._both(self._farthest(now))
        grown = (1 - s) * air + s * way
        return (
            f"The map unrolls: {percent(s)} of the way from distances through the air to those "
            f"along the edges.\nThe farthest point should be {number(1 - s)} · {number(air)} + "
            f"{number(s)} · {number(way)} = {number(grown)} away. {result}"
        )

    def _both(self, q: int) -> tuple[float, float]:
        """Return how far a point is from the picked one, through the air and along the edges."""
        return float(self.things.distances[self.point, q]), float(self.ways[self.point, q])

    def _picked(self, now: int) -> str:
        """Write how far the farthest point is that the picked point reaches."""
        q = self._farthest(now)
        air, way = self._both(q)
        return (
            f"Picked: {self.things.name(self.point)}. It reaches {self.things.name(q)}, "
            f"{number(way)} along the edges and {number(air)} through the air."
        )


def _beside(
    places: ndarray,
    sides: Mapping[str, tuple[int, int]],
    box: Bounds,
    further: Sequence[int] = (1,),
) -> list[tuple[ndarray, str]]:
    """Return where words may be: off each of (m, 2) places, on each of the sides, nearest first."""
    there = places[np.isfinite(places[:, 0])]
    return [
        (place + times * marks.off(box) * to, side)
        for times in further
        for side, to in sides.items()
        for place in there
    ]


def _from_the_middle(ends: ndarray) -> ndarray:
    """Return many places along a straight line, those in the middle first."""
    line = naming.along(ends)
    return line[np.argsort(np.abs(np.arange(len(line)) - len(line) / 2), kind="stable")]


def turned(maps: Sequence[ndarray]) -> list[ndarray]:
    """Return centred maps, each turned or mirrored to fit the next one; the last one stays."""
    found = [maps[-1]]
    for Z in maps[-2::-1]:
        found.append(Z @ orthogonal_procrustes(Z, found[-1])[0])
    return found[::-1]
