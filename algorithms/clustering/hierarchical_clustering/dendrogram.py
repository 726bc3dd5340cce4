"""The whole tree of a clustering: which clusters were merged, at what height, from which points.

Clusters are named as in SciPy: i < n is point i, n + t is what merge t = 0, 1, ... made, and the
last one, 2n - 2, has all points. Cutting the tree after t merges leaves n - t clusters.

The k clusters of a cut have the numbers 0 to k - 1. The cluster of all points is 0. Where the tree
parts, from the top down, the larger part keeps the number and the other one gets the next. So a
union of two clusters has the number of the larger one, and all the others keep theirs.

In the order of the leaves, the points of every cluster are side by side, so that the branches of
the drawn tree do not cross. The part whose mean has the smaller first coordinate is on the left, as
it is on the plane.

Cost: O(n) for the labels after any number of merges, and once for order and numbers.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.hierarchical_clustering._merges import Merges
from algorithms.core import validate
from algorithms.core.record import Record, frozen

LINKAGES = ("single", "complete", "average", "ward")
BLOCK = 131_072  # distances held at once
ROUNDING = 1e-12  # of the last height: heights that differ by less count as equal


class Layout(NamedTuple):
    """The points from left to right, where in this order clusters begin, and their numbers."""

    order: Int[ndarray, " n"]
    starts: Int[ndarray, " c"]
    numbers: Int[ndarray, " c"]


@dataclass(frozen=True, eq=False)
class Dendrogram(Record):
    """All merges of a run, from the lowest up; `sizes` counts the points of every cluster."""

    points: Float[ndarray, "n d"]
    linkage: str
    merged: Int[ndarray, "m 2"]
    heights: Float[ndarray, " m"]
    sizes: Int[ndarray, " c"]

    @cached_property
    def linkage_matrix(self) -> Float[ndarray, "m 4"]:
        """Return SciPy's linkage matrix: for each merge two names, the height, and the size."""
        n = len(self.points)
        return frozen(np.column_stack([self.merged, self.heights, self.sizes[n:]]))

    @cached_property
    def parents(self) -> Int[ndarray, " c"]:
        """Return the name of the cluster that each one is merged into; 2n - 1 for the last one."""
        n = len(self.points)
        parents = np.full(2 * n - 1, 2 * n - 1)
        parents[self.merged.T] = np.arange(n, 2 * n - 1)
        return frozen(parents)

    @cached_property
    def layout(self) -> Layout:
        """Return the order of the leaves, and the numbers of all clusters."""
        n = len(self.points)
        pairs, sizes = self.merged.tolist(), self.sizes.tolist()
        sums = self.points[:, 0].tolist()
        for a, b in pairs:
            sums.append(sums[a] + sums[b])
        starts, numbers = [0] * len(sizes), [0] * len(sizes)
        for made in range(2 * n - 2, n - 1, -1):
            a, b = pairs[made - n]
            large, small = (a, b) if sizes[a] >= sizes[b] else (b, a)
            numbers[large], numbers[small] = numbers[made], 2 * n - 1 - made
            left, right = (a, b) if sums[a] * sizes[b] <= sums[b] * sizes[a] else (b, a)
            starts[left], starts[right] = starts[made], starts[made] + sizes[left]
        order = np.empty(n, int)
        order[starts[:n]] = np.arange(n)
        return Layout(frozen(order), frozen(starts), frozen(numbers))

    @cached_property
    def largest_gap(self) -> int | None:
        """Return the number of merges, at least one, after which the heights rise by most.

        None with fewer than two merges, or if they all are at the same height.
        """
        gaps = np.diff(self.heights)
        if len(gaps) == 0 or gaps.max() <= ROUNDING * self.heights[-1]:
            return None
        return int(gaps.argmax()) + 1

    @property
    def gap(self) -> float:
        """Return the largest gap as a share of the last height, 0 if there is none."""
        at = self.largest_gap
        return float((self.heights[at] - self.heights[at - 1]) / self.heights[-1]) if at else 0.0

    @cached_property
    def bridges(self) -> Int[ndarray, "m 2"]:
        """Return the nearest two points, one of each part, of every merge: a tree of all points.

        With single linkage it is the shortest such tree. Cost: O(n^2 d).
        """
        found = [self._extreme_pair(merge, 1.0) for merge in range(len(self.merged))]
        return frozen(np.array(found, int).reshape(-1, 2))

    def alive(self, merges: int) -> Int[ndarray, " k"]:
        """Return the names of the clusters after some merges, in the order of their numbers."""
        made = len(self.points) + merges
        names = np.flatnonzero(self.parents[:made] >= made)
        return names[self.layout.numbers[names].argsort()]

    def labels(self, merges: int) -> Int[ndarray, " n"]:
        """Return for every point the number of its cluster after that many merges."""
        order, starts, numbers = self.layout
        names = self.alive(merges)
        names = names[starts[names].argsort()]
        labels = np.empty(len(self.points), int)
        labels[order] = np.repeat(numbers[names], self.sizes[names])
        return labels

    def cut(self, k: int) -> Int[ndarray, " n"]:
        """Return for every point the number of its cluster if there are `k`.

        Raises ValueError unless 1 <= k <= n.
        """
        n = len(self.points)
        return self.labels(n - validate.integer("k", k, 1, n, high_name="n"))

    def members(self, cluster: int) -> Int[ndarray, " s"]:
        """Return the points of a cluster, from left to right in the order of the leaves."""
        order, starts, _ = self.layout
        return order[starts[cluster] : starts[cluster] + self.sizes[cluster]]

    def parts(self, merge: int) -> tuple[int, int]:
        """Return the names of the two clusters that were merged, the left one first."""
        a, b = self.merged[merge].tolist()
        return (a, b) if self.layout.starts[a] < self.layout.starts[b] else (b, a)

    def link(self, merge: int) -> tuple[int, int] | None:
        """Return the points, one of each part, whose distance is the height of the merge.

        They are the nearest two for single linkage and the farthest two for complete linkage.
        Return None for the others. Cost: O(|A| |B| d).
        """
        if self.linkage not in ("single", "complete"):
            return None
        return self._extreme_pair(merge, 1.0 if self.linkage == "single" else -1.0)

    def apart(self, a: int, b: int) -> float:
        """Return how far apart two clusters are, by the definition. Cost: O(|A| |B| d)."""
        A, B = (self.points[self.members(name)] for name in (a, b))
        if self.linkage == "ward":
            means = A.mean(axis=0) - B.mean(axis=0)
            return float(np.sqrt(2 * len(A) * len(B) / (len(A) + len(B)) * (means @ means)))
        far = cdist(A, B)
        return float({"single": np.min, "complete": np.max, "average": np.mean}[self.linkage](far))

    def distances(self, most: int) -> tuple[Int[ndarray, " m"], Float[ndarray, "m m"]]:
        """Return the distances between points in the order of the leaves, and their places in it.

        Of more than `most` points that many stand for all, evenly spaced in the order.
        """
        n = len(self.points)
        chosen = np.linspace(0, n - 1, min(n, most)).round().astype(int)
        shown = self.points[self.layout.order[chosen]]
        return chosen, cdist(shown, shown)

    def _extreme_pair(self, merge: int, sign: float) -> tuple[int, int]:
        """Return the nearest points of the two parts, the left one first; sign -1: the farthest."""
        a, b = map(self.members, self.parts(merge))
        best, found = np.inf, (0, 0)
        step = max(1, BLOCK // len(b))
        for i in range(0, len(a), step):
            far = sign * cdist(self.points[a[i : i + step]], self.points[b])
            row, column = divmod(int(far.argmin()), len(b))
            if far[row, column] < best:
                best, found = far[row, column], (int(a[i + row]), int(b[column]))
        return found


def dendrogram(points: Float[ndarray, "n d"], linkage: str, merges: Merges) -> Dendrogram:
    """Return the tree of merges that may have been found in another order than by height."""
    first, second, heights, sizes = merges.by_height()
    sizes = np.concatenate([np.ones(len(points), int), sizes])
    return Dendrogram(points, linkage, np.stack([first, second], axis=1), heights, sizes)
