"""What all modes of unrolling draw: the map, the distances it keeps, and the picked point."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.reduction.unrolling.bend import bend
from algorithms.reduction.unrolling.short_cuts import FACTOR, Yardstick
from viz.core import curves, naming, plane
from viz.core.graph import without_axes
from viz.core.question import Option, Question, question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Bounds, Figure, View
from viz.core.show import Show
from viz.core.theme import GREY, NOW
from viz.core.words import counted, decimal, number, percent
from viz.reduction.multidimensional_scaling import marks
from viz.reduction.multidimensional_scaling.marks import Given

FAINT = 0.25  # opacity of points that are not used or not reached
_WELL, _ROUGHLY = 0.99, 0.9  # least r² of a map that keeps the ways, and roughly keeps them
_BENT = 0.8  # least share of an axis that a parabola explains: the axis is only bent
SMALL = 0.75  # diameter of a point with edges, as a part of the usual one
_ON_MAP = 0.85  # the same of a point on the map
_ROOM = 0.04, 0.14  # of the map's width and height, around it: words are above and below it
_FOOT = 0.06  # the same below a map without a bar of its length
_FLAT = 0.42  # of its width: the map is at least this high
_PARTS = (0.1, 0.3, 0.5, 0.7, 0.9)  # of the points, to choose from
_CLEAR = 0.04  # of the points: a share this near to the middle of two answers is not asked about
_ALIKE = 0.0005  # of r²: the maps of PCA and of MDS keep as much
_LITTLE = 0.005  # of r², that a second axis may add
_CUT, _MANY_CUTS = 4.0, 12  # pixels of a short-cut; among more of them, of half the width
_SAVED = 0.15  # of an edge's length: an edge that replaces a longer way is named
_DIGITS = 9  # of a place on an axis
_OFF = 0.035  # of the picture: from a point, a line or a way to its words
_POINT_LOW, _POINT_HIGH = (0.012, 0.06), (0.012, 0.025)  # of a low and a high map: half a point
_KEY = 0.4, 0.08  # of the picture: room for what the colours are for
_CORNERS = ("top left", "top right", "bottom left", "bottom right")
_RING = 0.04  # of a map: half the ring
# Sides of the points at both ends: words begin, or end, below them where they can.
_LEFT_END = ("bottom right", "bottom left", "top right", "top left", "middle right", "middle left")
_RIGHT_END = ("bottom left", "bottom right", "top left", "top right", "middle left", "middle right")
_WAYS = {"bottom": (0, -1), "top": (0, 1), "middle right": (1, 0), "middle left": (-1, 0)}
RISES = 0.02  # least change of r² that is asked about, as a share


COLOURS = "Classes only give the colours."


class MapStep(Protocol):
    """A step with a map of so many axes; 0 while the map is not begun."""

    @property
    def embedding(self) -> ndarray:
        """Return the map, (n, axes)."""
        ...

    @property
    def axes(self) -> int:
        """Return how many axes have been added."""
        ...


S = TypeVar("S", bound=MapStep)


class Mapped(Show[S]):
    """A mode whose last steps add the axes of a map; it opens on the first of them."""

    equal = True
    names_classes = False

    maps: "Maps"

    def map(self, now: int) -> Figure:
        """Draw the map with its r², or that of PCA while there is no axis."""
        kept = decimal(self.maps.kept(*self.axes(now)))
        return self.maps.draw(*self.axes(now), said=f"r² = {kept}")

    def kept(self, now: int) -> Figure:
        """Draw r² for the axes so far, for MDS and for PCA."""
        return self.maps.bars(*self.axes(now))

    def axes(self, now: int) -> tuple[ndarray, int]:
        """Return the map, and how many axes it has."""
        return self.steps[now].embedding, self.steps[now].axes


class Maps:
    """The maps of a mode, step by step, beside those of PCA and MDS.

    X : the points that are used. point : the picked one of them.
    """

    def __init__(
        self,
        name: str,
        things: Given,
        measure: Yardstick,
        query: ndarray,
        Z: ndarray,
        *,
        lengths: bool = True,
        until: str = "the first axis is found",
        unrolls: bool = False,
    ) -> None:
        """Find the picked point, and the box of all maps.

        name : a short one of the method. query : the point nearest to it is the picked one. Z : the
        map with all axes. lengths : whether distances on the map have the unit of the points;
        otherwise the map is drawn as large as that of PCA. until : when the map of PCA ends.
        unrolls : whether the map begins as that of PCA.
        """
        assert things.data is not None
        self.name, self.things, self.measure, self.lengths = name, things, measure, lengths
        self.until, self.unrolls = until, unrolls
        self.X = things.data.X[things.rows]
        self.point = int(cdist(query[None], self.X)[0].argmin())
        self.ends = [int(Z[:, 0].argmin()), int(Z[:, 0].argmax())]
        size = float(np.ptp(Z, axis=0).max())
        self.scale = 1.0 if lengths else float(np.ptp(measure.flat, axis=0).max()) / (size or 1.0)
        self.alike = abs(measure.mds - measure.pca) < _ALIKE
        foot = _ROOM[1] if lengths else _FOOT
        self.box = wide([measure.flat, self.places(Z, Z.shape[1])], foot)

    def view(self, draw: Callable[[int], Figure]) -> View:
        """Return the view of the map: wide and low, with room for a panel below."""
        return View("The flat map", draw, height=1.4, board=False)

    def kept_view(self, draw: Callable[[int], Figure]) -> View:
        """Return the view of what the maps keep."""
        title = "Distances along the curve that a map keeps, r²"
        return View(title, draw, height=0.9, ahead=True, board=False)

    def draw(self, Z: ndarray, axes: int, *, named: bool = True, said: str = "") -> Figure:
        """Draw the map with its axes so far, or that of PCA while there is none.

        named : the points at both ends of the first axis have their names. said : about the map.
        """
        places = self.places(Z, axes)
        figure = marks.the_map(self.things, places, self.box)
        ring = plane.rings(places[[self.point]], name="on the map: the picked point")
        said = said if axes else f"PCA, until {self.until}"
        points = self.points(places)
        if not self.lengths:
            figure["layout"] = without_axes(self.box, alike=True)
        return figure | {
            "data": [*figure["data"], ring, *self._words(places, said, named and axes > 0)],
            "points": points,
            "signs": {"points": "on the map: the same points, in the same colours"},
        }

    def points(self, places: ndarray, strength: ndarray | None = None) -> dict:
        """Return the points of a map, in the colours that they have on the board."""
        size = np.full(len(places), _ON_MAP)
        return plane.points(places, self.things.groups, size=size, strength=strength)

    def _words(self, places: ndarray, said: str, named: bool) -> list[dict]:
        """Write about the map in a corner, and name the points at both ends of the first axis."""
        names = [naming.Name(said, [naming.corner(self.box, at) for at in _CORNERS], {})]
        for i, sides in zip(self.ends, (_LEFT_END, _RIGHT_END), strict=True):
            tried = [(places[i] + off(self.box) * _way(side), side) for side in sides]
            names.append(naming.Name(self.things.name(i) * named, tried, {"shadow": "auto"}))
        return naming.clear_names(names, self.box, self.taken(places))

    def taken(self, places: ndarray) -> ndarray:
        """Return places all over the points of a map, and around the picked one."""
        left, right, bottom, top = self.box
        size = np.array([right - left, top - bottom])
        around = np.array([[0, 0], [-1, -1], [-1, 1], [1, -1], [1, 1]])
        point = np.array(_POINT_LOW if self.lengths else _POINT_HIGH)
        dots = (places[:, None] + around * point * size).reshape(-1, 2)
        return np.concatenate([dots, places[self.point] + around * _RING * size])

    def kept(self, Z: ndarray, axes: int) -> float:
        """Return r² of the axes so far; 0 before the first."""
        return self.measure.kept(Z[:, :axes]) if axes else 0.0

    def bars(self, Z: ndarray, axes: int) -> Figure:
        """Draw r² for the axes so far, for MDS and for PCA."""
        own, begun = f"{self.name}, {_axes(axes)}", axes > 0 or self.unrolls
        if not axes:
            own = f"{self.name}: {'begins as PCA' if self.unrolls else 'no map yet'}"
        value = self.measure.pca if self.unrolls and not axes else self.kept(Z, axes)
        names, values = [own], [value]
        if self.alike:
            names, values = [*names, "PCA and MDS, 2 axes"], [*values, self.measure.pca]
        else:
            names = [*names, "MDS, 2 axes", "PCA, 2 axes"]
            values = [*values, self.measure.mds, self.measure.pca]
        told = [decimal(value) for value in values]
        bars = {
            "type": "bar", "x": names, "y": values,
            "marker": {"color": GREY},
            "text": told if begun else ["", *told[1:]], "textposition": "outside",
            "cliponaxis": False, "hoverinfo": "skip",
        }  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"type": "category"},
            yaxis={"range": [0, 1.4], "tickvals": [0, 0.5, 1], "title": {"text": "r²"}},
        )
        return {"data": [bars], "layout": layout}

    def short_cuts(self, pairs: ndarray) -> ndarray:
        """Return those of the (m, 2) pairs of points that are short-cuts, the worst first."""
        places = tuple(pairs.T)
        length = self.things.distances[places]
        factor = self.measure.ways[places] / np.maximum(length, 1e-300)
        cut = self.measure.short_cuts(self.things.distances)[places]
        return pairs[cut][np.argsort(-factor[cut], kind="stable")]

    def crossing(self, short_cuts: ndarray) -> dict:
        """Draw short-cuts, thinner if there are many."""
        lines = plane.joined([self.X[pair] for pair in short_cuts])
        width = _CUT if len(short_cuts) <= _MANY_CUTS else _CUT / 2
        return plane.line(lines, line={"width": width, "color": NOW}, name="short-cut")

    def worst(self, short_cuts: ndarray, pairs: ndarray | None = None) -> str:
        """Name the worst short-cut; if there is none, the one of the pairs that saves most."""
        if not len(short_cuts):
            return f"No edge is a short-cut{'' if pairs is None else self._saves_most(pairs)}."
        i, j = short_cuts[0].tolist()
        return (
            f"{counted(len(short_cuts), 'short-cut')} (orange); the worst joins "
            f"{self.things.pair(i, j)}, {number(float(self.things.distances[i, j]))} apart through "
            f"the air and {number(float(self.measure.ways[i, j]))} along the curve."
        )

    def _saves_most(self, pairs: ndarray) -> str:
        """Write which edge saves most of the way along the curve, if one saves much."""
        air, way = (each[tuple(pairs.T)] for each in (self.things.distances, self.measure.ways))
        most = int((way - air).argmax())
        if not (1 + _SAVED) * air[most] < way[most] <= FACTOR * air[most]:
            return ""
        return (
            f" (more than {number(FACTOR)} times as far along the curve): the one that saves most "
            f"is {number(float(air[most]))} long, and {number(float(way[most]))} along the curve"
        )

    @property
    def about_short_cuts(self) -> str:
        """Return what a short-cut is."""
        return (
            "A short-cut is an edge across a gap: along the curve, its ends are more than three "
            "times as far apart as the edge is long. (This way must also be three times as long as "
            "the longest edge along the curve.)"
        )

    def verdict(self, Z: ndarray, axes: int, pulling: str = "") -> str:
        """Write how well the map keeps the ways, and which edges pull it together."""
        kept = self.kept(Z, axes)
        said = f"{_verdict(kept)}."
        if kept < _ROUGHLY and pulling:
            said += f" It is pulled together by {pulling}."
        return said

    def axis_verdict(self, Z: ndarray, axes: int, cuts: int = 0) -> str:
        """Write which axis is added, and how well the map keeps the ways."""
        kept = self.kept(Z, axes)
        if axes == 2 and abs(kept - self.kept(Z, 1)) < _LITTLE:
            change = number(abs(kept - self.kept(Z, 1)), 1)
            return f"Axis 2 changes next to nothing (r² by {change}): {_verdict(kept)}."
        pulling = counted(cuts, "short-cut") if cuts else ""
        return f"Axis {axes} is added: {self.verdict(Z, axes, pulling)}"

    def bent(self, Z: ndarray, axes: int) -> str:
        """Write how far the second axis is only the first one, bent, if it is."""
        share = bend(Z[:, :axes]) if axes == 2 else 0.0
        if share < _BENT:
            return ""
        return (
            f" Axis 2 is axis 1 again, bent: a parabola of axis 1 explains {percent(share)} of it."
        )

    def result(self, Z: ndarray, axes: int) -> str:
        """Write r² beside those of MDS and PCA."""
        others = f"PCA and MDS, which keep straight distances, have {decimal(self.measure.pca)}"
        if not self.alike:
            others = (
                f"MDS, which keeps straight distances, has {decimal(self.measure.mds)}, and PCA "
                f"{decimal(self.measure.pca)}"
            )
        return (
            f"Of the distances along the curve the map keeps r² = {decimal(self.kept(Z, axes))}; "
            f"{others}."
        )

    def ask(self, Z: ndarray, axes: int) -> Question | None:
        """Ask which r² the map has with its first axis, or how the second one changes r²."""
        value = self.kept(Z, axes)
        reason = f"r² = {decimal(value)}; the map of PCA has {decimal(self.measure.pca)}."
        if axes == 1:
            text = (
                "The map gets its first axis. Which r² will distances on it have with those along "
                "the curve?"
            )
            return nearest(text, value, reason)
        text = f"The map gets axis {axes}. Does r² rise or fall?"
        return rises_or_falls(text, self.kept(Z, axes - 1), value, reason, least=RISES)

    def places(self, Z: ndarray, axes: int) -> ndarray:
        """Return two columns of the map; before the first axis those of PCA."""
        if axes == 0:
            return self.measure.flat
        Z = self.scale * Z
        return Z[:, :2] if Z.shape[1] > 1 else np.column_stack([Z, np.zeros(len(Z))])


def to_scale(figure: Figure, box: Bounds) -> Figure:
    """Draw a picture of the board as a square, if its box is one: both axes have the same unit."""
    left, right, bottom, top = box
    if np.isclose(right - left, top - bottom):
        figure["layout"]["xaxis"] |= {"constrain": "domain"}
        figure["layout"]["yaxis"] |= {"scaleanchor": "x", "constrain": "domain"}
    return figure


def same_colours(box: Bounds, X: ndarray) -> dict:
    """Write what the colours are for, in the corner of the board with the fewest points."""
    at = naming.free_corner(box, X, *_KEY)
    return naming.in_corner("colours: as on the map", box, at)


def strength(things: Given, shown: ndarray) -> ndarray:
    """Return the opacities of the board's points; those not shown or not used are faint."""
    assert things.data is not None
    found = np.full(len(things.data.X), FAINT)
    found[things.rows] = np.where(shown, 1.0, FAINT)
    return found


def thinned(things: Given) -> str:
    """Write how many points are used, if not all are."""
    assert things.data is not None
    used, n = len(things.distances), len(things.data.X)
    return f" {used:,} of the {n:,} points are used; the others are faint." if used < n else ""


def coordinate(z: float) -> str:
    """Write a place on an axis of length about 1; rounding errors are 0."""
    return decimal(round(float(z), _DIGITS))


def nearest(text: str, share: float, reason: str) -> Question | None:
    """Ask which of five shares is nearest, unless two are nearly as near."""
    gaps: Sequence[float] = [abs(share - part) for part in _PARTS]
    first, second = np.argsort(gaps, kind="stable")[:2].tolist()
    if gaps[second] - gaps[first] < _CLEAR:
        return None
    ways = [Option(f"about {part:g}") for part in _PARTS]
    others = [way for i, way in enumerate(ways) if abs(i - first) in (1, 2)]
    return question(text, ways[first], others, reason)


def _verdict(kept: float) -> str:
    """Write how well a map keeps the ways, from its r²."""
    if kept >= _WELL:
        return "the map keeps the distances along the curve"
    if kept >= _ROUGHLY:
        return "the map keeps the distances along the curve roughly"
    return "the map does not keep the distances along the curve"


def off(box: Bounds) -> ndarray:
    """Return how far words are from what they name, across and up."""
    left, right, bottom, top = box
    return _OFF * np.array([right - left, top - bottom])


def _way(side: str) -> ndarray:
    """Return the way from a point to words on a side of it."""
    return np.array(next(way for name, way in _WAYS.items() if side.startswith(name)))


def wide(maps: Sequence[ndarray], foot: float = _ROOM[1]) -> Bounds:
    """Return the box that holds all of the maps; those of a line are wide and low.

    foot : the room below them, as a part of their height.
    """
    low = np.min([Z.min(axis=0) for Z in maps], axis=0)
    high = np.max([Z.max(axis=0) for Z in maps], axis=0)
    half = (0.5 + np.array(_ROOM)) * (high - low)
    half = np.maximum(half, _FLAT * (float(half.max()) or 1.0))
    (left, bottom), (right, top) = (low + high) / 2 - half, (low + high) / 2 + half
    bottom += (_ROOM[1] - foot) * (high - low)[1]
    return (float(left), float(right), float(bottom), float(top))


def _axes(count: int) -> str:
    return f"{count} {'axis' if count == 1 else 'axes'}"
