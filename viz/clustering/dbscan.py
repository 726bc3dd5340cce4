"""Pictures for DBSCAN: the walk of the ball, the clusters at a radius, and the curves over eps.

Clusters have colours and symbols; noise is a grey cross, a point not visited yet a grey dot. Core
points are large, all others small.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from algorithms.clustering.dbscan import NOISE, DBSCANStep
from algorithms.clustering.dbscan_by_eps import DensityLevels, EpsStep
from viz.core import curves, panels, plane
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, NOW, PALETTE, color, symbol
from viz.core.words import number

MOST_LINKED = 1_000  # points that are joined by lines and ringed; among more these hide the points
MOST_DRAWN = 400  # points of the curve of distances

_LOOKS = len(PALETTE) ** 2  # pairs of colour and symbol; then they come again
NOISE_LOOK, _UNSEEN = _LOOKS, _LOOKS + 1
_FILLS = [*map(color, range(_LOOKS)), GREY, GREY]
_SYMBOLS = [*map(symbol, range(_LOOKS)), 4, 0]
_LARGE, _SMALL, _CROSS = 1.15, 0.7, 0.9
_THIN, _THICK = 1.25, 3.5
_TURN = np.linspace(0, 2 * np.pi, 73)
_CIRCLE = np.column_stack([np.cos(_TURN), np.sin(_TURN)])


def walk_picture(data: Plane, step: DBSCANStep) -> Figure:
    """Draw the ball of the point that is visited, and what has been found so far.

    A line goes from the point in whose ball a point was found, thick to those found now. Rings are
    around the points in the queue.
    """
    walk, n = step.walk, len(data.X)
    look = np.where(step.visited, NOISE_LOOK, _UNSEEN)
    drawn = {"points": clustered(data.X, step.labels, look, step.core)}
    if n <= MOST_LINKED:
        now, finder = walk.taken == step.visit, np.maximum(walk.finder, 0)
        width = np.where(now, _THICK, _THIN) * (walk.taken <= step.visit)
        drawn["edges"] = plane.edges(data.X[finder], data.X, width=width)
        drawn["marks"] = plane.marks(step.waiting, [100, 100], [0, 14], 1.5)
    center = data.X[step.point]
    ring = {"size": 8, "color": NOW}
    traces = [
        _ball(center, walk.eps),
        plane.line(center[None], mode="markers", marker=ring),
    ]
    return plane.figure(traces, data.bounds, data.names, **drawn)


def radius_picture(data: Plane, steps: Sequence[EpsStep], now: int) -> Figure:
    """Draw the clusters at a radius, and the links that hold them together, the new ones thick.

    The circle shows the radius, around the densest point.
    """
    step, levels = steps[now], steps[now].levels
    past = steps[now - 1].eps if now else step.eps
    drawn = {"points": clustered(data.X, step.labels, np.full(len(data.X), NOISE_LOOK), step.core)}
    if len(data.X) <= MOST_LINKED:
        width = np.where(levels.heights > past, _THICK, _THIN) * (levels.heights <= step.eps)
        start, end = levels.edges.T
        drawn["edges"] = plane.edges(data.X[start], data.X[end], width=width)
    densest = data.X[levels.core_distances.argmin()]
    return plane.figure([_ball(densest, step.eps)], data.bounds, data.names, **drawn)


def clustered(X: ndarray, labels: ndarray, without: ndarray, core: ndarray) -> dict:
    """Draw points in their clusters' looks; `without` are the looks of those in no cluster."""
    look = np.where(labels == NOISE, without, labels % _LOOKS)
    size = np.where(core, _LARGE, np.where(look == NOISE_LOOK, _CROSS, _SMALL))
    points = plane.points(X, look, size=size)
    return points | {"fills": _FILLS, "symbols": _SYMBOLS}


def _ball(center: ndarray, eps: float) -> dict:
    return plane.line(center + eps * _CIRCLE, line={"width": 2, "color": NOW})


@dataclass(frozen=True, eq=False)
class Curves:
    """What is drawn of the levels over a range of radii, the same at every step.

    order : (n,) the points from the densest on; rank : (n,) their places in it. distances : a trace
    of their core distances. radii : (e,) ascending; clusters, noise : (e,) how many there are then.
    """

    levels: DensityLevels
    rank: ndarray
    distances: dict
    radii: ndarray
    clusters: ndarray
    noise: ndarray


def curves_over(levels: DensityLevels, radii: ndarray) -> Curves:
    """Prepare the curves that stand beside the picture."""
    n, order = len(levels.X), levels.core_distances.argsort(kind="stable")
    shown = np.linspace(0, n - 1, min(n, MOST_DRAWN)).round().astype(int)
    path = np.column_stack([shown + 1.0, levels.core_distances[order[shown]]])
    path = path[np.isfinite(path[:, 1])]
    return Curves(
        levels,
        order.argsort(),
        plane.line(path if len(path) else plane.GAP, line={"width": 2}),
        radii,
        np.array([levels.clusters(eps) for eps in radii]),
        np.array([levels.noise(eps) for eps in radii]),
    )


def distances(drawn: Curves, eps: float, point: int | None = None) -> Figure:
    """Draw the sorted core distances, with eps as a line; what is below it is a core point.

    point : the one that is ringed; at the upper edge if its distance is beyond it.
    """
    levels, top = drawn.levels, 1.05 * float(drawn.radii[-1])
    n = len(levels.X)
    at = plane.GAP
    if point is not None:
        at = np.array([[drawn.rank[point] + 1.0, min(levels.core_distances[point], top)]])
    ring = curves.marked(0, 0)["marker"]
    traces = [
        drawn.distances,
        panels.curve([-n, 3 * n], [eps, eps], line={"width": 2, "color": NOW, "dash": "dash"}),
        plane.line(at, mode="markers", marker=ring, cliponaxis=False),
    ]
    note = {"x": 0, "xref": "paper", "xanchor": "left", "xshift": 4, "y": eps, "yanchor": "bottom"}
    cores = levels.cores(eps)
    note |= {
        "text": f"ε = {number(eps)}: {cores} core point{'s' * (cores != 1)}",
        "showarrow": False,
        "font": {"shadow": "auto"},
    }
    panel = panels.Panel(
        traces,
        x=panels.axis("points, the densest first", 1, n),
        y={"title": {"text": "distance", "standoff": 4}, "range": [0, top], "nticks": 6},
        annotations=[note | {"yref": "y"}],
    )
    return panels.alone(panel)


def against_eps(drawn: Curves, eps: float) -> Figure:
    """Draw the number of clusters and of noise points against eps; mark what they are now."""
    counts = (drawn.clusters, drawn.noise)
    now = (drawn.levels.clusters(eps), drawn.levels.noise(eps))
    traces, most = [], [1.12 * max(1, int(count.max())) for count in counts]
    for axis, count, value in zip(("y", "y2"), counts, now, strict=True):
        line = {"width": 2, "shape": "hv"}
        x, y = plane.packed(drawn.radii), plane.packed(count)
        traces += [panels.curve(x, y, line=line, yaxis=axis)]
        traces += [curves.marked(eps, value, yaxis=axis, showlegend=False)]
    layout = curves.panel_layout(
        xaxis={"range": [0, 1.02 * float(drawn.radii[-1])], "anchor": "y2", "nticks": 8},
        yaxis={
            "title": {"text": "clusters"},
            "domain": [0.54, 1],
            "range": [0, most[0]],
            "nticks": 5,
        },
        yaxis2={
            "title": {"text": "noise"},
            "domain": [0, 0.46],
            "range": [0, most[1]],
            "nticks": 5,
        },
        shapes=[curves.dotted(eps)],
    )
    return {"data": traces, "layout": layout}
