"""The distances between the points, and the heights of the last merges."""

import numpy as np
from numpy import ndarray

from algorithms.clustering.hierarchical_clustering.dendrogram import Dendrogram
from algorithms.clustering.hierarchical_clustering.gap_by_chance import LAST_HEIGHTS, GapByChance
from algorithms.clustering.hierarchical_clustering.hierarchical_step import HierarchicalStep
from viz.core import curves, naming, panels, plane
from viz.core.graph import without_axes
from viz.core.scene import Figure
from viz.core.theme import GREY, rgb

_CHANCE = "random points"
MOST_CELLS = 120  # rows of the matrix of distances


class DistancesAndHeights:
    """The matrix of distances in the order of the leaves, and the curve of heights."""

    def __init__(self, tree: Dendrogram, chance: GapByChance) -> None:
        """Draw the distances between all points, in the order of the leaves: near is strong."""
        n = len(tree.points)
        _, distances = tree.distances(MOST_CELLS)
        strength = 255 - np.rint(255 * distances / (distances.max() or 1.0))
        grey = np.tile(np.array(rgb(GREY), np.uint8), (256, 1))
        box = (-0.5, n - 0.5, -0.5, n - 0.5)
        self.image = plane.image(
            strength.astype(np.uint8), grey, np.arange(256, dtype=np.uint8), box
        )
        self.tree, self.chance = tree, chance

    def distances(self, step: HierarchicalStep) -> Figure:
        """Frame the clusters and, thicker, the distances between A and B; mark the link."""
        tree, starts = self.tree, self.tree.layout.starts
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
            self.image,
            plane.line(plane.joined(frames), line={"width": 1.25}),
            plane.line(block, line={"width": 3}),
            plane.line(link, mode="markers", marker={"size": 11}, cliponaxis=False),
        ]
        layout = without_axes((-0.5, n - 0.5, -0.5, n - 0.5), alike=True)
        return {"data": traces, "layout": layout}

    def heights(self, step: HierarchicalStep) -> Figure:
        """Draw the last heights against the number of clusters left, and heights by chance.

        A dotted line is at the largest gap.
        """
        tree = self.tree
        heights = tree.heights[-LAST_HEIGHTS:]
        left = np.arange(len(heights), 0, -1.0)
        top = 1.08 * (tree.heights[-1:].sum() or 1.0)
        gap = len(tree.points) - tree.largest_gap if tree.largest_gap else np.nan
        shown = step.merges > 0 and step.clusters <= len(heights)
        now = np.array([[step.clusters, step.height]] if shown else plane.GAP)
        curve = {"mode": "lines+markers", "line": {"width": 2}, "marker": {"size": 5}}
        curve |= {"hoverinfo": "all", "hovertemplate": "%{x} left: height %{y:.4g}<extra></extra>"}
        upright = {"width": 2, "color": GREY, "dash": "dot"}
        chance = np.column_stack([left[-len(self.chance.heights) :], self.chance.heights])
        chance[:, 1] *= tree.heights[-1:].sum()
        traces = [
            plane.line(np.array([[gap, 0], [gap, top]]), line=upright),
            plane.line(chance if len(chance) else plane.GAP, line={"width": 2, "color": GREY}),
            plane.line(np.column_stack([left, heights]), **curve),
            plane.line(now, mode="markers", marker=curves.DOT, cliponaxis=False),
            naming.words(_beside(chance), _CHANCE, "top left", color=GREY),
        ]
        most = max(len(heights), 2)
        x = {"title": {"text": "clusters left", "standoff": 4}, "range": [1.04 * most + 0.3, 0.4]}
        y = {"title": {"text": "height", "standoff": 4}, "range": [0, top], "nticks": 5}
        every = 10 if most > 15 else 5 if most > 6 else 1
        x["tickvals"] = sorted({1, *range(every, most + 1, every)})
        return panels.alone(panels.Panel(traces, x=x, y=y))


def _beside(curve: ndarray) -> ndarray:
    """Return the place of a curve's name: above its last third."""
    return curve[2 * len(curve) // 3] if len(curve) else plane.GAP


def _frame(start: ndarray, size: ndarray) -> ndarray:
    """Return the corners of a rectangle of cells. start, size : (2,), across and up."""
    (left, low), (right, high) = start - 0.5, start + size - 0.5
    return np.array([[left, low], [right, low], [right, high], [left, high], [left, low]])
