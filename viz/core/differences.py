"""The differences between the results of two runs: marked in both pictures, and in numbers."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import ndarray

from algorithms.core.agreement import angle, disagree, gap
from viz.core import plane
from viz.core.found import Axis, Curve, Found, Groups, Inside, Regions
from viz.core.hatching import hatched
from viz.core.scene import Plane
from viz.core.theme import GREY, NOW, rgb
from viz.core.words import number

Mark = tuple[list[dict], str]  # traces for both pictures, and a sentence about them

_BETWEEN = f"rgba{(*rgb(GREY), 0.35)}"
_EDGE = {"width": 1.5, "dash": "dash", "color": GREY}
_MOST_PLACES = 120  # along a curve: every frame holds them
_JUST = 1e-6  # of a curve's width: the width of a jump
_NONE = 1e-3  # of the picture's height: curves that are nearer to each other look like one
_BAR = {"symbol": "line-ew", "size": 14, "opacity": 1, "line": {"width": 3, "color": NOW}}


def differences(left: Found | None, right: Found | None, data: Plane) -> Mark | None:
    """Mark and describe where two results differ; None if they are of different kinds."""
    if left is None or type(left) is not type(right):
        return None
    return _WAYS[type(left)](left, right, data)


def _by_regions(left: Regions, right: Regions, data: Plane) -> Mark:
    """Hatch the places where different classes are predicted."""
    size = max(len(left.classes), len(right.classes))
    part = _enlarged(left.classes, size) != _enlarged(right.classes, size)
    share = number(100 * float(part.mean()))
    words = (
        f"Hatched: here they predict different classes, on {share} % of the picture."
        if part.any()
        else "They predict the same class everywhere."
    )
    return [hatched(part, data.bounds) | {"name": "the two predict different classes"}], words


def _by_groups(left: Groups, right: Groups, data: Plane) -> Mark:
    """Ring the points that are grouped differently, after pairing the groups of both runs."""
    part = disagree(left.labels, right.labels)
    return _ringed(part, data, "that they group differently", "They put the same points together.")


def _by_sides(left: Inside, right: Inside, data: Plane) -> Mark:
    """Ring the points that are inside one region and outside the other."""
    part = left.inside != right.inside
    return _ringed(
        part, data, "that only one of them has outside", "They have the same points outside."
    )


def _ringed(part: ndarray, data: Plane, which: str, none: str) -> Mark:
    """Ring some points. which : a clause that describes them. none : the text if there are none."""
    words = f"Ringed: the {part.sum()} of {len(part)} points {which}." if part.any() else none
    return [plane.rings(data.X[part], name=f"a point {which}")], words


def _by_curves(left: Curve, right: Curve, data: Plane) -> Mark:
    """Fill the area between two curves, with a bar where they are farthest apart."""
    apart = gap(_path(left), _path(right))
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


def _by_axes(left: Axis, right: Axis, data: Plane) -> Mark:
    """Fill the angle between two axes, and measure it as the picture shows it."""
    if left.ends is None or right.ends is None:
        return [_between(plane.GAP)], "One of them has no axis yet."
    center = left.ends.mean(axis=0)
    west, east, bottom, top = data.bounds
    first, second = ((ends[1] - ends[0]) / 2 for ends in (left.ends, right.ends))
    seen = [half / [east - west, top - bottom] for half in (first, second)]
    degrees = angle(*seen)
    if np.isnan(degrees):
        return [_between(plane.GAP)], "One of the axes is seen as a point: there is no angle."
    second = second if seen[0] @ seen[1] >= 0 else -second
    tie = np.array([-first, first, second, -second, -first])
    words = f"Grey: between the two axes, {degrees:.1f}° apart as they are drawn."
    return [_between(center + tie)], words


_WAYS: dict[type, Callable[[Any, Any, Plane], Mark]] = {
    Regions: _by_regions,
    Groups: _by_groups,
    Inside: _by_sides,
    Curve: _by_curves,
    Axis: _by_axes,
}


def _between(path: ndarray) -> dict:
    return plane.line(path, fill="toself", fillcolor=_BETWEEN, line=_EDGE, name="between the two")


def _bar(path: ndarray) -> dict:
    line = {"width": 3, "color": NOW}
    return plane.line(
        path, mode="lines+markers", line=line, marker=_BAR, cliponaxis=False, name="largest gap"
    )


def _path(curve: Curve) -> ndarray:
    """Return the curve as places joined by straight lines."""
    path = curve.path
    if not curve.steps:
        return path
    ends = path[1:] * [1, 0] + path[:-1] * [0, 1]  # a step goes on until just before the next
    ends[:, 0] -= _JUST * (path[-1, 0] - path[0, 0])
    return np.concatenate([np.stack([path[:-1], ends], axis=1).reshape(-1, 2), path[-1:]])


def _enlarged(grid: ndarray, size: int) -> ndarray:
    """Return a square grid with `size` rows, each of them the nearest row of `grid`."""
    rows = np.arange(size) * len(grid) // size
    return grid[rows][:, rows]
