"""Shared parts of k-means' modes: the centres and the regions in which each is nearest."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy import ndarray

from algorithms.clustering.k_means.k_means import KMeansStep
from algorithms.clustering.k_means.many_starts import StartStep
from viz.core import naming, plane
from viz.core.scene import Bounds, Figure, Plane

_BESIDE = 0.015  # of the picture: from the start of a way to its name
_TRAIL = 8  # places at most along a centre's trail
_SIGNS = {"points": "point, in the colour of its cluster"}
_BORDER = "border: two centres are equally near"
_OLD = "points: colours before the move"
_WAY = "way of a centre so far"
_CORNERS = ["bottom left", "bottom right", "top left", "top right"]


def clusters(
    data: Plane,
    model: KMeansStep | StartStep,
    points: dict,
    ring: dict,
    trail: ndarray,
    key: str = "",
    start: ndarray | None = None,
) -> Figure:
    """Draw the centres of a model and their regions; `ring` and `trail` may be empty.

    key : what colours mean, in the corner with the fewest points. start : a place that is named.
    """
    x, y, cells = plane.grid(data.bounds, 160)
    owner = model.predict(cells).reshape(len(y), len(x))
    dotted = {"width": 3, "dash": "dot"}
    corners = [naming.corner(data.bounds, name) for name in _CORNERS]
    traces = [
        plane.regions(owner, None, data.bounds, signs=False) | {"name": "nearest centre"},
        borders(model.centers, data.bounds),
        ring,
        plane.line(trail, line=dotted, mode="lines+markers", marker={"size": 6}, name=_WAY),
        plane.centers(model.centers),
        *naming.clear_names(
            [naming.Name(key, corners, {}), _start_name(start, data.bounds)], data.bounds, data.X
        ),
    ]
    return plane.figure(traces, data.bounds, data.names, points=points, signs=_SIGNS)


def _start_name(start: ndarray | None, box: Bounds) -> naming.Name:
    """Return "start" beside a place, or no name without one."""
    if start is None:
        return naming.Name("", [], {})
    off = _BESIDE * np.array([box[1] - box[0], box[3] - box[2]])
    sides = {"middle right": (1, 0), "middle left": (-1, 0), "top center": (0, 1)}
    sides["bottom center"] = (0, -1)
    spots = [(start + off * way, side) for side, way in sides.items()]
    return naming.Name("start", spots, {})


def borders(centers: ndarray, box: Bounds) -> dict:
    """Draw the lines on which two centres are equally near, and no other one is nearer."""
    pairs = combinations(range(len(centers)), 2)
    path = plane.joined([_between(centers, i, j, box) for i, j in pairs])
    return plane.line(path, line={"width": 1.5}, name=_BORDER)


def _between(centers: ndarray, i: int, j: int, box: Bounds) -> ndarray:
    """Return the ends of the line on which centres i and j are the nearest; NaN without one."""
    a, b = centers[[i, j]]
    middle, along = (a + b) / 2, np.array([a[1] - b[1], b[0] - a[0]])
    others = np.delete(centers, [i, j], axis=0)
    # A place p on it is in the box and no nearer to another centre c: 2 (c - a)·p <= c·c - a·a.
    normals = np.concatenate([2 * (others - a), np.eye(2), -np.eye(2)])
    limits = np.concatenate([np.square(others).sum(axis=1) - a @ a, box[1::2], -np.array(box[::2])])
    slopes, room = normals @ along, limits - normals @ middle
    ends = room / np.where(slopes == 0, np.nan, slopes)
    first, last = ends[slopes < 0].max(initial=-np.inf), ends[slopes > 0].min(initial=np.inf)
    if not first < last < np.inf or (room[slopes == 0] < 0).any():
        return np.full((2, 2), np.nan)
    return middle + np.array([[first], [last]]) * along


def half_step(data: Plane, steps: Sequence[KMeansStep], now: int) -> Figure:
    """Draw a half-step: regions, points, and the centres with their trails.

    Points that changed their cluster in this half-step have a ring.
    """
    ring = plane.rings(data.X[changed(steps, now)], name="point that has changed its cluster")
    step = steps[now]
    points = plane.points(data.X, step.labels)
    old = step.phase == "move" and (step.predict(data.X) != step.labels).any()
    trails, start = _trails(steps, now), _farthest_start(steps, now)
    return clusters(data, step, points, ring, trails, _OLD * bool(old), start)


def changed(steps: Sequence[KMeansStep], now: int) -> ndarray:
    """Return which of the (n,) points have another label than one step before."""
    return steps[now].labels != steps[max(now - 1, 0)].labels


def shifts(steps: Sequence[KMeansStep], now: int) -> ndarray:
    """Return how far every centre has moved since the step before. (k,)."""
    return np.linalg.norm(steps[now].centers - steps[max(now - 1, 0)].centers, axis=1)


def _farthest_start(steps: Sequence[KMeansStep], now: int) -> ndarray | None:
    """Return where the centre that goes farthest in the run began, once it has moved."""
    first, here, last = (steps[i].centers for i in (0, now, -1))
    farthest = int(np.linalg.norm(last - first, axis=1).argmax())
    return first[farthest] if (here[farthest] != first[farthest]).any() else None


def _trails(steps: Sequence[KMeansStep], now: int) -> ndarray:
    """Return the path of every centre at a few places, with a gap after each."""
    moved = np.array([i for i in range(1, now + 1) if shifts(steps, i).any()], int)
    kept = moved[np.linspace(0, len(moved) - 1, min(len(moved), _TRAIL - 1)).round().astype(int)]
    trail = np.stack([steps[i].centers for i in (0, *kept.tolist())])  # (places, k, 2)
    return plane.joined(list(trail.swapaxes(0, 1)))
