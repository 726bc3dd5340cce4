"""A step of hierarchical clustering: a number of merges of a dendrogram that all steps share."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.clustering.hierarchical_clustering.dendrogram import Dendrogram
from algorithms.core.groups import group_sums
from algorithms.core.record import Record

Linkage = Literal["single", "complete", "average", "ward"]
Event = Literal["largest gap", "a single point joins", "one of the last merges", "one cluster"]


@dataclass(frozen=True, eq=False, slots=True)
class HierarchicalStep(Record):
    """The clusters after `merges` merges; step 0 is before the first, every point on its own.

    All steps of a run share the `dendrogram`, the whole tree, in which a step looks up what it
    knows. Clusters are named as in SciPy: i < n is point i, n + t what merge t made.

    Events: "largest gap" (no other merge is followed by one that is as much higher; see
    gap_by_chance.py for what this says); of the last eight merges "a single point joins" (an
    outlier, or the end of a chain) and "one of the last merges"; at the end "one cluster".
    """

    dendrogram: Dendrogram
    merges: int
    event: Event | None = None

    def __post_init__(self) -> None:
        """Copy nothing: there may be thousands of steps, and what they share is a record."""

    @property
    def clusters(self) -> int:
        """Return the number of clusters."""
        return len(self.dendrogram.points) - self.merges

    @property
    def merged(self) -> Int[ndarray, " 2"] | None:
        """Return the names of the two clusters that were merged last, None at step 0."""
        return self.dendrogram.merged[self.merges - 1] if self.merges else None

    @property
    def height(self) -> float:
        """Return the distance of the two merged clusters, 0 at step 0."""
        return float(self.dendrogram.heights[self.merges - 1]) if self.merges else 0.0

    @property
    def next_height(self) -> float | None:
        """Return the distance of the two nearest clusters, None if there is only one."""
        return float(self.dendrogram.heights[self.merges]) if self.clusters > 1 else None

    @property
    def labels(self) -> Int[ndarray, " n"]:
        """Return the number of every point's cluster, from 0.

        A union has the number of its larger part; all other clusters keep theirs.
        """
        return self.dendrogram.labels(self.merges)

    @property
    def parts(self) -> tuple[Int[ndarray, " a"], Int[ndarray, " b"]] | None:
        """Return the points of the two clusters, A and B, that were merged last; None at step 0.

        A is the one whose mean has the smaller first coordinate.
        """
        if not self.merges:
            return None
        a, b = self.dendrogram.parts(self.merges - 1)
        return self.dendrogram.members(a), self.dendrogram.members(b)

    @property
    def means(self) -> Float[ndarray, "2 d"] | None:
        """Return the means of A and B, None at step 0."""
        parts = self.parts
        return parts and np.stack([self.dendrogram.points[part].mean(axis=0) for part in parts])

    @property
    def link(self) -> tuple[int, int] | None:
        """Return the two points, of A and of B, whose distance is the height.

        None with average linkage and Ward, where no pair of points decides, and at step 0.
        """
        return self.dendrogram.link(self.merges - 1) if self.merges else None

    @property
    def inertia(self) -> float:
        """Return the sum of the squared distances of the points to the means of their clusters."""
        points, labels = self.dendrogram.points, self.labels
        sizes = np.bincount(labels)[:, None]
        means = group_sums(points, labels, len(sizes)) / sizes
        return float(np.square(points - means[labels]).sum())

    @property
    def linkage_matrix(self) -> Float[ndarray, "m 4"]:
        """Return a row for every merge of the run, as in SciPy: two names, height, size."""
        return self.dendrogram.linkage_matrix

    def cut(self, k: int) -> Int[ndarray, " n"]:
        """Return for every point the number of its cluster when the whole tree is cut into `k`.

        Raises ValueError unless 1 <= k <= n.
        """
        return self.dendrogram.cut(k)
