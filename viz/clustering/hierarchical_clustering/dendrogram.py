"""The dendrogram of hierarchical clustering as it is drawn, with the cut that is dragged."""

import numpy as np
from numpy import ndarray

from algorithms.clustering.hierarchical_clustering.dendrogram import Dendrogram
from algorithms.clustering.hierarchical_clustering.hierarchical_step import HierarchicalStep
from viz.core import curves, panels, plane
from viz.core.graph import strokes
from viz.core.scene import Figure
from viz.core.theme import GREY, PALETTE
from viz.core.told import told
from viz.core.words import counted

MOST_MERGES = 199  # drawn in the dendrogram, from the last one down
_ROOF = 1.2  # times the height of the tree: above the last cut is its name
_BESIDE = -0.09  # of the leaves: where the bar of the largest gap is; its name is before them
_TICK = 0.012  # of the leaves, to either side: the ends of this bar
MOST_COLORED = 8  # clusters; of more, only the newest has a colour


def colored(step: HierarchicalStep) -> ndarray:
    """Return which of the (n,) points have the colour of their cluster; no single point has."""
    labels = step.labels
    if step.clusters > MOST_COLORED and step.parts:
        return labels == labels[step.parts[0][0]]
    return np.bincount(labels)[labels] > 1


class Drawing:
    """A dendrogram from left to right: brackets, one for every merge.

    Of many merges only the last are drawn. The clusters before them are bundles, triangles as wide
    as their points. shapes : (s, 4, 2), bundles first. done : (s,) the number of merges after which
    each is there. leaf : (s,) a point below it. cuts : (steps,) the
    height of the cut, half-way between two merges.
    """

    def __init__(self, tree: Dendrogram) -> None:
        """Find the place of everything."""
        n, (order, starts, _) = len(tree.points), tree.layout
        before = max(0, len(tree.merged) - MOST_MERGES)
        heights = np.concatenate([np.zeros(n), tree.heights])
        clusters = tree.alive(before)
        bundles = clusters[tree.sizes[clusters] > 1]
        brackets = np.arange(n + before, 2 * n - 1)
        drawn = np.concatenate([bundles, brackets])
        self.shapes = np.reshape(_shapes(tree, heights, bundles, brackets), (-1, 4, 2))
        self.bundles, self.done, self.leaf = len(bundles), drawn - n + 1, order[starts[drawn]]
        self.top = float(heights[-1]) or 1.0
        below, above = np.append(0.0, tree.heights), np.append(tree.heights, 1.08 * self.top)
        self.cuts = (below + above) / 2
        self.told = _told(tree, before)
        self.gap = tree.heights[[]]  # the heights between which the largest gap is
        if tree.largest_gap:
            self.gap = tree.heights[[tree.largest_gap - 1, tree.largest_gap]]

    def figure(self, step: HierarchicalStep) -> Figure:
        """Draw the tree of all merges, in the points' colours or in ink below the cut.

        The cut goes with the steps.
        """
        n, cut = len(step.labels), float(self.cuts[step.merges])
        group = np.where(colored(step), step.labels % len(PALETTE), -1)[self.leaf]
        below = self.done <= step.merges
        newest = (self.done == step.merges) & (np.arange(len(self.done)) >= self.bundles)
        tops = self.shapes[newest][:, 1:3].mean(axis=1) if newest.any() else np.full((1, 2), np.nan)
        traces = [
            strokes(self.shapes, line={"width": 1.25, "color": GREY}),
            *(
                strokes(self.shapes[below & (group == c)], line={"width": 1.75, "color": hue})
                for c, hue in enumerate(PALETTE)
            ),
            strokes(self.shapes[below & (group < 0)], line={"width": 1.75}),
            strokes(self.shapes[newest], line={"width": 4}),
            panels.curve([-n, 2 * n], [cut, cut], line={"width": 2, "dash": "dash"}),
            panels.curve(
                plane.packed(tops[:, 0]),
                plane.packed(tops[:, 1]),
                mode="markers",
                marker=curves.DOT,
                cliponaxis=False,
            ),
        ]
        note = {
            **{"text": f"the cut: {counted(step.clusters, 'cluster')}", "showarrow": False},
            **{"x": 0, "xref": "paper", "xanchor": "left", "xshift": 4},
            **{"y": 1, "yref": "paper", "yanchor": "top", "font": {"shadow": "auto"}},
        }
        layout = curves.panel_layout(
            xaxis={
                "range": [-1 - (0.1 if len(self.gap) else 0.02) * n, 1.12 * n],
                "showticklabels": False,
                "showgrid": False,
            },
            yaxis={"range": [0, _ROOF * self.top], "title": {"text": "height"}, "nticks": 5},
            annotations=[note, *self._gap_name(n)],
            shapes=self._gap_bar(n),
        )
        return {"data": traces, "layout": layout} | self.told

    def _gap_name(self, n: int) -> list[dict]:
        """Write the name of the largest gap downwards from its top, clear of a cut through it."""
        look = {"text": "largest gap", "textangle": -90, "showarrow": False}
        look |= {"x": _BESIDE * n, "xanchor": "left", "yanchor": "top"}
        return [look | {"y": high, "font": {"shadow": "auto"}} for high in self.gap[1:].tolist()]

    def _gap_bar(self, n: int) -> list[dict]:
        """Draw a bar, with ticks at its ends, between the two heights of the largest gap."""
        x, off = _BESIDE * n, _TICK * n
        look = {"type": "line", "line": {"width": 2, "color": GREY}}
        bars = []
        for low, high in self.gap.reshape(-1, 2).tolist():
            bars.append(look | {"x0": x, "x1": x, "y0": low, "y1": high})
            bars += [look | {"x0": x - off, "x1": x + off, "y0": y, "y1": y} for y in (low, high)]
        return bars


def _told(tree: Dendrogram, before: int) -> dict:
    """Return the drawn merges for the table: what is merged, at what height, how many points."""
    n = len(tree.points)
    names = [f"point {c + 1}" if c < n else f"merge {c - n + 1}" for c in range(2 * n - 1)]
    rows = [
        f"{t + 1}: {names[a]} and {names[b]}"
        for t, (a, b) in enumerate(tree.merged.tolist())
        if t >= before
    ]
    heights, sizes = tree.heights[before:], tree.sizes[n + before :]
    return told("Merges, the lowest first", "merge", rows, {"height": heights, "points": sizes})


def _shapes(
    tree: Dendrogram, heights: ndarray, bundles: ndarray, brackets: ndarray
) -> list[list[list[float]]]:
    """Return the four corners of every triangle and of every bracket."""
    n, starts = len(tree.points), tree.layout.starts
    x = starts + (tree.sizes - 1) / 2
    shapes = []
    for c in bundles.tolist():
        left, right = starts[c] - 0.3, starts[c] + tree.sizes[c] - 0.7
        shapes.append([[left, 0], [x[c], heights[c]], [right, 0], [left, 0]])
    for c in brackets.tolist():
        a, b = tree.parts(c - n)
        x[c] = (x[a] + x[b]) / 2
        high = heights[c]
        shapes.append([[x[a], heights[a]], [x[a], high], [x[b], high], [x[b], heights[b]]])
    return shapes
