"""Pictures for hierarchical clustering: points, dendrogram, distances and heights.

What was merged at the step shown is drawn in ink everywhere: the clusters A, on the left, and B.
Clusters have the colours of their numbers, which they keep until they are merged into a larger
one; points on their own are grey.
"""

from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from algorithms.clustering.hierarchical.dendrogram import Dendrogram
from algorithms.clustering.hierarchical.hierarchical_step import HierarchicalStep
from viz.core import curves, panels, plane
from viz.core.scene import Figure, Plane
from viz.core.theme import GREY, NOW, PALETTE, color, rgb, symbol

MOST_BRIDGES = 1_000  # points that are joined by lines; among more they would hide the points
MOST_MARKED = 50  # points of A, and of B, that are marked where there are no lines
MOST_MERGES = 199  # drawn in the dendrogram, from the last one down
MOST_CELLS = 120  # rows of the matrix of distances
MOST_PAIRS = 6  # points of either cluster between which average linkage's distances are drawn
LAST_HEIGHTS = 30  # merges whose heights are compared

_LOOKS = len(PALETTE) ** 2  # pairs of colour and symbol; then they come again
_FILLS = [*map(color, range(_LOOKS)), GREY]
_SYMBOLS = [*map(symbol, range(_LOOKS)), 0]
_LETTERS = ["<b>A</b>\u2002", "\u2002<b>B</b>"]  # with room for the mark of the point beside it
_BESIDE = ["middle left", "middle right"]
_BOLD = {"size": 17, "shadow": "auto"}


def picture(data: Plane, step: HierarchicalStep) -> Figure:
    """Draw the points in their clusters' colours, A and B, and what their distance is.

    Lines join what has been merged, at every merge the nearest points of the two clusters; those
    within A and within B are thick.
    """
    labels = step.labels
    alone = np.bincount(labels)[labels] == 1
    look = np.where(alone, _LOOKS, labels % _LOOKS)
    points = plane.points(data.X, look, size=np.where(alone, 0.8, 1.0))
    letters = np.full((2, 2), np.nan)
    if step.parts:
        A, B = step.parts
        letters = data.X[[A[data.X[A, 0].argmin()], B[data.X[B, 0].argmax()]]]
    measured = {"mode": "lines", "line": {"width": 1}, "opacity": 0.5}
    if step.dendrogram.linkage != "average":
        measured = {"mode": "lines+markers", "line": {"width": 4}, "marker": {"size": 8}}
    traces = [
        plane.line(_measured(step), **measured),
        plane.line(letters, mode="text", text=_LETTERS, textposition=_BESIDE, textfont=_BOLD),
    ]
    drawn = {
        "points": points | {"fills": _FILLS, "symbols": _SYMBOLS},
        "marks": _marks(data, step),
        "edges": _bridges(step),
    }
    return plane.figure(traces, data.bounds, data.names, **drawn)


def _marks(data: Plane, step: HierarchicalStep) -> dict:
    """Put a ring around A if it is one point, and a square around B.

    Where no lines show what they are, also around few points.
    """
    many = len(data.X) > MOST_BRIDGES
    mark = np.zeros(len(data.X))
    for kind, part in enumerate(step.parts or (), 1):
        if len(part) <= (MOST_MARKED if many else 1):
            mark[part] = kind
    return plane.marks(mark, [100, 100, 101], [0, 9, 8] if many else [0, 16, 15], 1.75)


def _measured(step: HierarchicalStep) -> ndarray:
    """Give the lines whose length, or mean length, the height comes from."""
    points = step.dendrogram.points
    if step.parts is None or step.means is None:
        return plane.GAP
    if step.link:
        return points[list(step.link)]
    if step.dendrogram.linkage == "ward":
        return step.means
    A, B = (points[_some(part)] for part in step.parts)
    return plane.joined([np.stack([a, b]) for a in A for b in B])


def _some(members: ndarray) -> ndarray:
    """Choose points of a cluster, evenly in the order of the leaves, if it has many."""
    m = len(members)
    return members[np.linspace(0, m - 1, min(m, MOST_PAIRS)).round().astype(int)]


def _bridges(step: HierarchicalStep) -> dict | None:
    tree, n = step.dendrogram, len(step.dendrogram.points)
    if n > MOST_BRIDGES:
        return None
    start, end = tree.points[tree.bridges.T]
    now = np.arange(n - 1) < step.merges
    inside = np.zeros(n, bool)
    for part in step.parts or ():
        inside[part] = True
    width = np.where(inside[tree.bridges[:, 0]], 3.0, 1.25) * now
    if step.merges:
        width[step.merges - 1] = 1.25  # between A and B
    return plane.edges(start, end, width=width)


@dataclass(frozen=True, eq=False)
class Drawing:
    """What is drawn of a dendrogram, from left to right: brackets, one for every merge.

    Of many merges only the last are drawn; the clusters of those before are bundles, triangles as
    wide as their points. shapes : (s, 5, 2), bundles first; the fifth place is a gap. done : (s,)
    after how many merges each is there. leaf : (s,) a point below it. cuts : (steps,) the height of
    the cut, half-way between two merges.
    """

    shapes: ndarray
    bundles: int
    done: ndarray
    leaf: ndarray
    cuts: ndarray
    top: float


def drawing(tree: Dendrogram) -> Drawing:
    """Find the place of everything in the dendrogram."""
    n, (order, starts, _) = len(tree.points), tree.layout
    before = max(0, len(tree.merged) - MOST_MERGES)
    heights = np.concatenate([np.zeros(n), tree.heights])
    x = starts + (tree.sizes - 1) / 2
    clusters = tree.alive(before)
    bundles = clusters[tree.sizes[clusters] > 1]
    shapes = []
    for c in bundles.tolist():
        left, right = starts[c] - 0.3, starts[c] + tree.sizes[c] - 0.7
        shapes.append([[left, 0], [x[c], heights[c]], [right, 0], [left, 0]])
    brackets = np.arange(n + before, 2 * n - 1)
    for c in brackets.tolist():
        a, b = tree.parts(c - n)
        x[c] = (x[a] + x[b]) / 2
        high = heights[c]
        shapes.append([[x[a], heights[a]], [x[a], high], [x[b], high], [x[b], heights[b]]])
    drawn = np.concatenate([bundles, brackets])
    top = float(heights[-1]) or 1.0
    between = np.concatenate([[0.0], tree.heights]) + np.append(tree.heights, 1.12 * top)
    places = np.full((len(drawn), 5, 2), np.nan)
    places[:, :4] = np.reshape(shapes, (-1, 4, 2))
    leaf = order[starts[drawn]]
    return Drawing(places, len(bundles), drawn - n + 1, leaf, between / 2, top)


def dendrogram(drawn: Drawing, step: HierarchicalStep) -> Figure:
    """Draw the tree of all merges; below the cut, which stands where the step is, in colour."""
    n = len(step.labels)
    group = step.labels[drawn.leaf] % len(PALETTE)
    below = drawn.done <= step.merges
    newest = (drawn.done == step.merges) & (np.arange(len(drawn.done)) >= drawn.bundles)
    cut = float(drawn.cuts[step.merges])
    traces = [
        plane.line(_path(drawn.shapes), line={"width": 1.25, "color": GREY}),
        *(
            plane.line(_path(drawn.shapes[below & (group == c)]), line={"width": 2.5, "color": hue})
            for c, hue in enumerate(PALETTE)
        ),
        plane.line(_path(drawn.shapes[newest]), line={"width": 4}),
        panels.curve([-n, 2 * n], [cut, cut], line={"width": 2, "color": NOW, "dash": "dash"}),
    ]
    note = {"x": 0, "xref": "paper", "xanchor": "left", "xshift": 4, "y": cut, "yanchor": "bottom"}
    note |= {
        "text": how_many(step.clusters),
        "showarrow": False,
        "font": {"shadow": "auto"},
    }
    layout = curves.panel_layout(
        xaxis={"range": [-1 - 0.02 * n, 1.02 * n], "showticklabels": False, "showgrid": False},
        yaxis={"range": [0, 1.16 * drawn.top], "title": {"text": "height"}, "nticks": 5},
        annotations=[note],
    )
    return {"data": traces, "layout": layout}


def how_many(clusters: int) -> str:
    """Count clusters."""
    return "1 cluster" if clusters == 1 else f"{clusters} clusters"


def _path(shapes: ndarray) -> ndarray:
    return shapes.reshape(-1, 2) if len(shapes) else plane.GAP


def distances_image(tree: Dendrogram) -> dict:
    """Draw the distances between all points, in the order of the leaves: the nearer the darker."""
    n = len(tree.points)
    _, distances = tree.distances(MOST_CELLS)
    strength = 255 - np.rint(255 * distances / (distances.max() or 1.0))
    grey = np.tile(np.array(rgb(GREY), np.uint8), (256, 1))
    box = (-0.5, n - 0.5, -0.5, n - 0.5)
    return plane.image(strength.astype(np.uint8), grey, np.arange(256, dtype=np.uint8), box)


def distances_and_heights(image: dict, step: HierarchicalStep) -> Figure:
    """Draw the distances between points, and beside them the heights of the last merges."""
    return panels.side_by_side(_distances(image, step), _heights(step), split=0.44, room=0.15)


def _distances(image: dict, step: HierarchicalStep) -> panels.Panel:
    """Frame the clusters, and thicker the block of distances between A and B; mark the link."""
    tree, starts = step.dendrogram, step.dendrogram.layout.starts
    n, sizes = len(tree.points), tree.sizes
    seen = [c for c in tree.alive(step.merges).tolist() if sizes[c] > max(1, n // 100)]
    frames = [_frame(starts[[c, c]], sizes[[c, c]]) for c in seen]
    block, link = plane.GAP, plane.GAP
    if step.merges:
        parts = list(tree.parts(step.merges - 1))
        block = _frame(starts[parts], sizes[parts])
    if step.link:
        link = starts[list(step.link)][None].astype(float)
    traces = [
        image,
        plane.line(plane.joined(frames), line={"width": 1.25}),
        plane.line(block, line={"width": 3}),
        plane.line(link, mode="markers", marker={"size": 11, "color": NOW}, cliponaxis=False),
    ]
    axis = {"range": [-0.5, n - 0.5], "showticklabels": False, "showgrid": False, "ticks": ""}
    return panels.Panel(traces, x=axis, y=axis | {"scaleanchor": False})


def _frame(start: ndarray, size: ndarray) -> ndarray:
    """Give the corners of a rectangle of cells, that starts and is as large as said, (2,) each."""
    (left, low), (right, high) = start - 0.5, start + size - 0.5
    return np.array([[left, low], [right, low], [right, high], [left, high], [left, low]])


def _heights(step: HierarchicalStep) -> panels.Panel:
    """Draw the heights of the last merges against the clusters they leave; mark the largest gap."""
    tree = step.dendrogram
    heights = tree.heights[-LAST_HEIGHTS:]
    left = np.arange(len(heights), 0, -1.0)
    top = 1.08 * (tree.heights[-1:].sum() or 1.0)
    gap = len(tree.points) - tree.largest_gap if tree.largest_gap else np.nan
    shown = step.merges > 0 and step.clusters <= len(heights)
    now = np.array([[step.clusters, step.height]] if shown else plane.GAP)
    ring = curves.marked(0, 0)["marker"]
    curve = {"mode": "lines+markers", "line": {"width": 2}, "marker": {"size": 5}}
    curve |= {"hoverinfo": "all", "hovertemplate": "%{x} left: height %{y:.4g}<extra></extra>"}
    upright = {"width": 2, "color": GREY, "dash": "dot"}
    traces = [
        plane.line(np.array([[gap, 0], [gap, top]]), line=upright),
        plane.line(np.column_stack([left, heights]), **curve),
        plane.line(now, mode="markers", marker=ring, cliponaxis=False),
    ]
    most = max(len(heights), 2)
    x = {"title": {"text": "clusters left", "standoff": 4}, "range": [1.04 * most + 0.3, 0.4]}
    y = {"title": {"text": "height", "standoff": 4}, "range": [0, top], "nticks": 5}
    return panels.Panel(traces, x=x | {"nticks": 6}, y=y)
