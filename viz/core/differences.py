"""Where the pictures of two runs differ: marked in both, and said in numbers.

What a run finds is read from its picture. A trace that says what it is, see `plane.found`, is
compared with another one that says the same; else the pictures are compared by the classes that
fill the plane, or by the groups of the points. What differs in kind is not compared.
"""

from base64 import b64decode
from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray

from algorithms.core.agreement import angle, disagree, gap
from viz.core import plane
from viz.core.hatching import hatched
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, NOW, rgb
from viz.core.words import number

Mark = tuple[list[dict], str]  # traces for either picture, and what to say of them
Way = Callable[[Sequence[Figure], Plane], Mark]

_BETWEEN = f"rgba{(*rgb(GREY), 0.35)}"
_EDGE = {"width": 1.5, "dash": "dash", "color": GREY}
_MOST_PLACES = 120  # along a curve: every frame holds them
_JUST = 1e-6  # of a curve's stretch
_NONE = 1e-3  # of the picture's height: curves that are nearer to each other look like one
_BAR = {"symbol": "line-ew", "size": 14, "opacity": 1, "line": {"width": 3, "color": NOW}}


def way_to_compare(first: Sequence[Figure], data: Plane, gives: str) -> Way | None:
    """Choose how two runs are compared, from their first pictures; None if they cannot be.

    gives : what labs of their kind find for every point, see Section.
    """
    kind, *other = {_kind(figure) for figure in first}
    if other:
        return None
    if kind is not None:
        return _WAYS[kind]
    if gives == "classes" and all(_filled(figure) is not None for figure in first):
        return by_regions
    if gives == "groups" and all(_grouped(figure, data) is not None for figure in first):
        return by_groups
    return None


def by_regions(figures: Sequence[Figure], data: Plane) -> Mark:
    """Hatch where the pictures fill the plane with different classes."""
    grids = [grid for figure in figures if (grid := _filled(figure)) is not None]
    size = max(len(grid) for grid in grids)
    left, right = (_enlarged(grid, size) for grid in grids)
    part = left != right
    share = number(100 * float(part.mean()))
    words = (
        f"Hatched: where they predict different classes, {share} % of the picture."
        if part.any()
        else "They predict the same everywhere."
    )
    return [hatched(part, data.bounds)], words


def by_groups(figures: Sequence[Figure], data: Plane) -> Mark:
    """Ring the points that are grouped differently, once the groups' numbers are paired up."""
    left, right = (_grouped(figure, data) for figure in figures)
    assert left is not None and right is not None
    part = disagree(left, right)
    words = (
        f"Ringed: the {part.sum()} of {len(part)} points that they group differently."
        if part.any()
        else "They put the same points together."
    )
    return [plane.rings(data.X[part])], words


def by_sides(figures: Sequence[Figure], data: Plane) -> Mark:
    """Ring the points that are inside of one region and outside of the other."""
    left, right = (_grouped(figure, data) for figure in figures)
    assert left is not None and right is not None
    part = left != right
    words = (
        f"Ringed: the {part.sum()} of {len(part)} points that only one of them has outside."
        if part.any()
        else "They have the same points outside."
    )
    return [plane.rings(data.X[part])], words


def by_curves(figures: Sequence[Figure], data: Plane) -> Mark:
    """Fill what lies between two curves, with a bar where they are farthest apart."""
    apart = gap(*(_path(figure, plane.CURVE) for figure in figures))
    bottom, top = data.bounds[2:]
    if apart.most <= _NONE * (top - bottom):
        words = f"Their curves are nowhere farther apart than {number(apart.most)}."
        return [_between(plane.GAP), _bar(plane.GAP)], words
    some = np.unique(np.linspace(0, len(apart.x) - 1, _MOST_PLACES).round().astype(int))
    there, back = (np.stack([apart.x, heights], axis=1) for heights in (apart.first, apart.second))
    outline = np.concatenate([there[some], back[some][::-1], there[some][:1]])
    words = (
        f"Grey: between the two curves, {number(apart.mean)} on average and {number(apart.most)} "
        f"at most, at {data.names[0]} = {number(apart.x[apart.widest])} (bar)."
    )
    return [_between(outline), _bar(np.stack([there, back])[:, apart.widest])], words


def by_axes(figures: Sequence[Figure], data: Plane) -> Mark:
    """Fill what lies between two axes, and measure the angle as the picture shows it."""
    ends = [_path(figure, plane.AXIS)[:2] for figure in figures]
    if min(map(len, ends)) < 2:
        return [_between(plane.GAP)], "One of them has no axis yet."
    center = ends[0].mean(axis=0)
    left, right, bottom, top = data.bounds
    first, second = ((end[1] - end[0]) / 2 for end in ends)
    seen = [half / [right - left, top - bottom] for half in (first, second)]
    degrees = angle(*seen)
    if np.isnan(degrees):
        return [_between(plane.GAP)], "One of the axes is seen as a point: there is no angle."
    second = second if seen[0] @ seen[1] >= 0 else -second
    tie = np.array([-first, first, second, -second, -first])
    words = f"Grey: between the two axes, {degrees:.1f}° apart as they are drawn."
    return [_between(center + tie)], words


_WAYS: dict[str, Way] = {plane.CURVE: by_curves, plane.AXIS: by_axes, plane.REGION: by_sides}


def _between(path: ndarray) -> dict:
    return plane.line(path, fill="toself", fillcolor=_BETWEEN, line=_EDGE)


def _bar(path: ndarray) -> dict:
    line = {"width": 3, "color": NOW}
    return plane.line(path, mode="lines+markers", line=line, marker=_BAR, cliponaxis=False)


def _kind(figure: Figure) -> str | None:
    return next((trace["meta"] for trace in figure["data"] if "meta" in trace), None)


def _path(figure: Figure, what: str) -> ndarray:
    """Give the places of the trace that shows what the run finds, joined by straight lines."""
    trace = next(trace for trace in figure["data"] if trace.get("meta") == what)
    y = _unpacked(trace["y"])
    x = _unpacked(trace["x"]) if "x" in trace else trace["x0"] + trace["dx"] * np.arange(len(y))
    path = np.stack([x, y], axis=1).astype(float)
    if trace["line"].get("shape") != "hv":
        return path
    ends = path[1:] * [1, 0] + path[:-1] * [0, 1]  # a step goes on until just before the next
    ends[:, 0] -= _JUST * (path[-1, 0] - path[0, 0])
    return np.concatenate([np.stack([path[:-1], ends], axis=1).reshape(-1, 2), path[-1:]])


def _enlarged(grid: ndarray, size: int) -> ndarray:
    """Give a square grid of so many rows, each of the nearest one of the grid's."""
    rows = np.arange(size) * len(grid) // size
    return grid[rows][:, rows]


def _filled(figure: Figure) -> ndarray | None:
    """Find the classes that a picture fills the plane with."""
    grids = (plane.classes_shown(trace) for trace in figure["data"])
    return next((grid for grid in grids if grid is not None), None)


def _grouped(figure: Figure, data: Plane) -> ndarray | None:
    """Find the group that each of the data's points is drawn in."""
    if (points := figure.get("points")) is None:
        return None
    group = _unpacked(points["group"]).astype(int)
    if len(group) != len(data.X):
        return None
    return np.array(points["symbols"])[group] if "symbols" in points else group


def _unpacked(packed: dict) -> ndarray:
    return np.frombuffer(b64decode(packed["bdata"]), packed["dtype"])
