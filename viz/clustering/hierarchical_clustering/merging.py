"""Hierarchical clustering, merge by merge, with the dendrogram.

What was merged at the step shown is drawn in ink everywhere: the clusters A, on the left, and B.
Clusters have the colours of their numbers, which they keep until they are merged into a larger
one. Points on their own are grey; of many clusters, all but the newest are.
"""

import numpy as np
from numpy import ndarray
from numpy.random import Generator
from scipy.spatial import KDTree

from algorithms.clustering.hierarchical_clustering.gap_by_chance import GapByChance
from algorithms.clustering.hierarchical_clustering.hierarchical_step import HierarchicalStep
from viz.clustering.hierarchical_clustering import questions
from viz.clustering.hierarchical_clustering.dendrogram import (
    MOST_COLORED,
    MOST_MERGES,
    Drawing,
    colored,
)
from viz.clustering.hierarchical_clustering.distances_and_heights import (
    MOST_CELLS,
    DistancesAndHeights,
)
from viz.core import naming, plane
from viz.core.found import Groups
from viz.core.question import Question
from viz.core.scene import Figure, Plane, Run, Track, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE, color, symbol
from viz.core.words import counted, decimal, rounded, vector

MOST_BRIDGES = 1_000  # points that are joined by lines; more lines would hide the points
MOST_MARKED = 50  # points of A, and of B, that are marked where there are no lines
MOST_PAIRS = 4  # points of either cluster between which average linkage's distances are drawn

_PALE = 0.35  # opacity of average linkage's distances
_HANDLE = 1.06  # of the dendrogram's width, where the handle of the cut is: beside the leaves
_LEFT = 5  # clusters with which the lab opens if no gap is the largest
_LOOKS = len(PALETTE) ** 2  # pairs of colour and symbol; then they come again
_FILLS = [*map(color, range(_LOOKS)), GREY]
_SYMBOLS = [*map(symbol, range(_LOOKS)), 0]
_SIZES, _STRENGTHS = (1.25, 0.75), (1.0, 0.5)  # of the points of A and of B
_NEAR, _RING = 0.035, 44  # a share of the picture: so near are A and B ringed; pixels of the ring
_OFF, _OFF_RING = 0.045, 0.08  # shares of the picture: from a point, or a ring, to its letter
_CLEAR = 0.05  # the same around a letter, where no point should be
_KEY = np.array([0.35, 0.13])  # the same: the corner in which the key is written
_AROUND = np.pi * np.array([8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 0]) / 8  # left first
_BOLD = {"size": 17, "shadow": "auto"}
_SIGNS = {
    "points": "point, in the colour of its cluster; grey: a cluster of its own",
    "size": "large: in A; small: in B",
    "strength": "pale: in B",
    "marks": ["", "A", "B"],
}
_EDGES = {
    "single": "merged before, at the nearest points of the two; thick: within A and within B",
    "others": "from a point to the mean of its cluster; thick: within A and within B",
}
_MEASURED = {
    "single": "thickest: from A to B, the nearest points",
    "complete": "thickest: from A to B, the farthest points",
    "average": "grey: distances from A to B",
    "ward": "thickest: from the mean of A to that of B",
}


class Merging(Show[HierarchicalStep]):
    """The merges; the cut through the dendrogram is a handle that moves with the steps."""

    def __init__(self, run: Run, data: Plane, chance: GapByChance) -> None:
        """Place the dendrogram. chance : the gaps that evenly drawn points have."""
        super().__init__(run, data)
        self.tree, self.chance = self.steps[0].dendrogram, chance
        self.drawing = Drawing(self.tree)
        self.compared = DistancesAndHeights(self.tree, chance)
        self.n = len(data.X)
        self.opens = self.tree.largest_gap or len(self.steps) - _LEFT
        self.few = self.n <= MOST_BRIDGES
        self.note = self._note()

    def views(self) -> list[View]:
        """Return the picture, the dendrogram with its cut, the heights, and the distances."""
        right = np.full(len(self.steps), _HANDLE * self.n)
        places = np.stack([right, self.drawing.cuts], axis=1)[:, None]
        title = "Heights of the last merges"
        if self.tree.largest_gap:
            title += f"; largest gap at {self.n - self.tree.largest_gap}"
        return [
            View("Points and their clusters", self.picture),
            View(
                "Dendrogram: drag the cut",
                lambda now: self.drawing.figure(self.steps[now]),
                2.4,  # as high as the picture on a laptop
                Track("Cut through the dendrogram", places, "y"),
                ahead="to a question",
            ),
            View(title, lambda now: self.compared.heights(self.steps[now]), ahead="to a question"),
            View(
                "Distances: near is strong; thick frame: A to B",
                lambda now: self.compared.distances(self.steps[now]),
                ahead="to a question",
                board=False,
            ),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the points in the colours of their clusters, A and B, and their distance.

        Lines join what was merged before: with single linkage the nearest points, as they were
        measured, and otherwise every point with the mean of its cluster. They are thick within A
        and within B. Between A and B is only what the linkage measures.
        """
        step, data = self.steps[now], self.data
        labels = step.labels
        alone = np.bincount(labels)[labels] == 1
        look = np.where(colored(step), labels % _LOOKS, _LOOKS)
        size, strength = np.where(alone, 0.8, 1.0), np.ones(self.n)
        for part, wide, strong in zip(step.parts or (), _SIZES, _STRENGTHS, strict=False):
            size[part], strength[part] = wide, strong
        points = plane.points(data.X, look, size=size, strength=strength)
        measured = {"mode": "lines", "line": {"width": 1, "color": GREY}, "opacity": _PALE}
        measured["name"] = "distances between A and B, whose mean is the height"
        if self.tree.linkage != "average":
            measured = {"mode": "lines+markers", "line": {"width": 5}, "marker": {"size": 8}}
            measured["name"] = "distance between A and B"
        around = self._around(step)
        letters = {"mode": "text", "text": ["<b>A</b>", "<b>B</b>"], "textfont": _BOLD}
        traces = [
            plane.line(_measured(step), **measured),
            plane.line(self._letters(step, around), **letters),
            self._key(step, around),
            plane.rings(around, size=_RING, line={"width": 4}, name="A and B, near each other"),
        ]
        drawn = {
            "points": points | {"fills": _FILLS, "symbols": _SYMBOLS},
            "marks": self._marks(step, around),
            "edges": self._bridges(step),
        }
        kind = "single" if self.tree.linkage == "single" else "others"
        signs = _SIGNS | {"edges": _EDGES[kind]}
        return plane.figure(traces, data.bounds, data.names, signs=signs, **drawn)

    def _around(self, step: HierarchicalStep) -> ndarray:
        """Return the middle of A and B if they are so small that they need a ring to be seen."""
        if step.parts is None:
            return plane.GAP
        left, right, bottom, top = self.data.bounds
        both = self.data.X[np.concatenate(step.parts)]
        middle = (both.min(axis=0) + both.max(axis=0)) / 2
        away = np.hypot(*((both - middle) / [right - left, top - bottom]).T)
        return middle[None] if away.max() <= _NEAR else plane.GAP

    def _letters(self, step: HierarchicalStep, around: ndarray) -> ndarray:
        """Return where A and B are written: beside their points, or a ring, and clear of others."""
        if step.parts is None:
            return np.full((2, 2), np.nan)
        left, right, bottom, top = self.data.bounds
        low, size = np.array([left, bottom]), np.array([right - left, top - bottom])
        X, ring = (self.data.X - low) / size, (around - low) / size
        ringed, taken, found = not np.isnan(ring).any(), X, []
        for part, turn in zip(step.parts, (1, -1), strict=True):
            outer = part[
                (turn * X[part, 0]).argsort(kind="stable")
            ]  # A on the left, B on the right
            there, off = (ring, _OFF_RING) if ringed else (X[outer], _OFF)
            ways = off * np.column_stack([turn * np.cos(_AROUND), np.sin(_AROUND)])
            places = (there[:, None] + ways).reshape(-1, 2)
            crowded = -KDTree(taken).query(places)[0].clip(max=_CLEAR)
            bad = ((places < 0.03) | (places > 0.97)).any(axis=1) | (places < _KEY).all(axis=1)
            best = places[np.lexsort((crowded, bad))[0]]
            found.append(best)
            taken = np.vstack([taken, best[None]])
        return low + np.array(found) * size

    def _key(self, step: HierarchicalStep, around: ndarray) -> dict:
        """Write what is drawn between A and B, or around both, in the lower left corner."""
        measured = _MEASURED[self.tree.linkage]
        if any(len(part) > MOST_PAIRS for part in step.parts or ()):
            measured = measured.replace("grey: distances", "grey: some distances")
        if not self.few:  # no other lines are drawn
            measured = measured.replace("thickest", "line").replace("grey", "lines")
        if not np.isnan(around).any():
            measured = "ring: A and B, near each other"
        before = self.tree.sizes[self.tree.alive(max(step.merges - 1, 0))]
        if self.few and before.max() > 2 and self.tree.linkage in ("average", "complete"):
            measured += "<br>spokes: only show the clusters"  # their means are not measured
        return naming.in_corner(measured if step.parts else "", self.data.bounds)

    def _marks(self, step: HierarchicalStep, around: ndarray) -> dict:
        """Draw a ring around A if it is one point, and a square around B.

        Not within a ring around both. Without lines, also around several points, if they are few.
        """
        many, ringed = not self.few, not np.isnan(around).any()
        mark = np.zeros(self.n)
        for kind, part in enumerate(step.parts or (), 1):
            if len(part) <= (MOST_MARKED if many else 0 if ringed else 1):
                mark[part] = kind
        return plane.marks(mark, [100, 100, 101], [0, 9, 8] if many else [0, 16, 15], 1.75)

    def _bridges(self, step: HierarchicalStep) -> dict | None:
        tree, n = self.tree, self.n
        if not self.few:
            return None
        inside = np.zeros(n, bool)
        for part in step.parts or ():
            inside[part] = True
        if tree.linkage != "single":  # the nearest points are not what is measured
            groups = [*map(tree.members, tree.alive(max(step.merges - 1, 0)).tolist())]
            means = np.empty_like(tree.points)
            joined = np.zeros(n, bool)
            for members in groups:
                means[members] = tree.points[members].mean(axis=0)
                joined[members] = len(members) > 1
            width = np.where(inside, 1.0, 0.5) * joined
            return plane.edges(tree.points, means, width=width)
        start, end = tree.points[tree.bridges.T]
        width = 2.0 * np.where(inside[tree.bridges[:, 0]], 1.0, 0.5)
        width *= np.arange(n - 1) < step.merges
        if step.merges:
            width[step.merges - 1] = 0.0  # between A and B is what is measured
        return plane.edges(start, end, width=width)

    def caption(self, now: int) -> str:
        """Write what was merged; below, how far apart it was, by the rule of the linkage."""
        step = self.steps[now]
        if step.parts is None:
            if self.n == 1:
                return "The only point is a cluster: there is nothing to merge."
            first = f"Start: each of the {self.n} points is a cluster of its own."
            return f"{first}\nThe nearest two are {_next(step)} apart: they are merged first."
        left = "all points are one cluster"
        if step.clusters > 1:
            left = f"{counted(step.clusters, 'cluster')} left"
        merged = f"{_merge(step)} at height {rounded(step.height)}; {left}"
        if step.event != "largest gap":
            return f"{merged}.\n{_rule(step)}"
        said, gap = self._gap(step)
        return f"{merged}, {said}.\n{_rule(step)}\n{gap}"

    def _gap(self, step: HierarchicalStep) -> tuple[str, str]:
        """Write what the largest gap says, and whether random points have such a gap."""
        assert step.next_height is not None  # there is a gap
        sets, as_large = len(self.chance.gaps), self.chance.as_large(self.tree.gap)
        random = "Random points have none as large."
        if as_large:
            have = "have" if as_large > 1 else "has"
            random = f"{as_large} of {sets} sets of random points {have} one as large."
        said = "a place to cut, before the largest gap"
        if as_large:
            said = "but the largest gap, which follows, may be chance"
        return said, (
            f"The next merge is only at height {rounded(step.next_height)}: the largest gap. "
            f"{random}"
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which two clusters are merged next, or whether they are points or clusters."""
        return questions.next_merge(self.tree, now, rng)

    def found(self, now: int) -> Groups:
        """Return the clusters."""
        return Groups(self.steps[now].labels)

    def _note(self) -> str:
        """Write what the marks mean, and what is not drawn where there are many points."""
        n = self.n
        said = ["A and B are the clusters that were merged at the step shown."]
        if self.few:
            to = "at its nearest points"
            if self.tree.linkage != "single":
                to = "each point with the mean of its cluster"
            said.append(f"Lines join what was merged before, {to}.")
        else:
            said.append("Their points are ringed (A) or have squares (B) if they are few.")
        if n > MOST_COLORED:
            said.append(f"Of more than {MOST_COLORED} clusters only A and B have a colour.")
        if n - 1 > MOST_MERGES:
            said.append(
                f"The dendrogram shows the last {MOST_MERGES} of {n - 1:,} merges. What was merged "
                "before is a triangle, as wide as it has points."
            )
        if n > MOST_CELLS:
            said.append(
                f"The distances are those of {MOST_CELLS} points, evenly spaced in the dendrogram."
            )
        if len(self.chance.gaps):
            said.append(
                f"Random points are {len(self.chance.gaps)} sets of {self.chance.n}, spread "
                "evenly. Their heights (grey, the median) are scaled to the same last height, and "
                "their gaps are compared as shares of it."
            )
        return " ".join(said)


def _measured(step: HierarchicalStep) -> ndarray:
    """Return the lines whose length, or mean length, gives the height."""
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
    """Return points of a cluster; if there are many, evenly chosen in the order of the leaves."""
    m = len(members)
    return members[np.linspace(0, m - 1, min(m, MOST_PAIRS)).round().astype(int)]


def _merge(step: HierarchicalStep) -> str:
    assert step.parts
    small, large = sorted(map(len, step.parts))
    if large == 1:
        return "Two points merge"
    if small == 1:
        return f"A point joins a cluster of {large}"
    return f"Clusters of {len(step.parts[0])} and {len(step.parts[1])} points merge"


def _next(step: HierarchicalStep) -> str:
    return "" if step.next_height is None else decimal(step.next_height)


def _rule(step: HierarchicalStep) -> str:
    """Write the definition of the distance with the numbers of the step."""
    rule = f"The height is {_distance(step)} = {decimal(step.height)}"
    if step.dendrogram.linkage == "ward":
        rise, inertia = decimal(step.height**2 / 2), decimal(step.inertia)
        rule += f"; the inertia rises by d² / 2 = {rise} to {inertia}"
    if step.clusters == 1 or step.event == "largest gap":
        return f"{rule}."
    return f"{rule}. No two clusters were nearer; next: {_next(step)}."


def _distance(step: HierarchicalStep) -> str:
    assert step.parts and step.means is not None
    points, (A, B) = step.dendrogram.points, step.parts
    a, b = len(A), len(B)
    linkage = step.dendrogram.linkage
    if linkage == "ward":
        return f"Ward's distance √(2 · {a} · {b} / ({a} + {b})) {_length(*step.means)}"
    if a == b == 1:
        return f"the distance {_length(points[A[0]], points[B[0]])}"
    if linkage == "average":
        count = f"{a} · {b} = {a * b:,}" if min(a, b) > 1 else f"{a * b:,}"
        return f"the mean of all {count} distances between a point of A and one of B"
    assert step.link
    i, j = step.link
    which = "least" if linkage == "single" else "largest"
    return (
        f"the {which} distance between a point of A and one of B: {_length(points[i], points[j])}"
    )


def _length(a: ndarray, b: ndarray) -> str:
    return f"‖{vector(a)} − {vector(b)}‖"
