"""Three sources of distances between clusters: all pairs of points, a matrix, or the means.

Clusters stand in slots, in the order of their first points. A cluster's distance to itself, and to
a slot that has become empty, is infinite.

Complete and average linkage need a matrix of m x m distances between m clusters. With many clusters
that is much memory (200 MB for 5,000), but the number of clusters falls quickly: on scattered
points by a third in every round. So the first rounds compute distances from the points themselves,
a block of rows at a time, until 2,000 clusters are left or a round merges few.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.core.work import spend

MOST = 2_000  # clusters in a matrix (32 MB), if it can be helped
BLOCK = 131_072  # distances that are looked through at once: so many stay in the cache
PACKED = 0.6  # share of the slots in use from which on a matrix is not worth copying
FEW = 0.1  # share of the clusters: if a round merges fewer, more rounds will not help much

Update = Callable[[ndarray, ndarray, ndarray, ndarray], ndarray]


class Distances(ABC):
    """Distances between the clusters in `slots` slots."""

    slots: int

    @abstractmethod
    def rows(self, chosen: Int[ndarray, " r"]) -> Float[ndarray, "r m"]:
        """Return the distances (or what grows with them) from the chosen slots to all slots."""

    @abstractmethod
    def merge(self, a: Int[ndarray, " p"], b: Int[ndarray, " p"]) -> None:
        """Unite the clusters of every pair of slots in the first of the two."""

    @abstractmethod
    def packed(self, used: Bool[ndarray, " m"]) -> "Distances":
        """Return the distances without the empty slots, or `self` if that is not worth it."""

    def nearest(
        self, chosen: Int[ndarray, " r"]
    ) -> tuple[Int[ndarray, " r"], Float[ndarray, " r"]]:
        """Return the slot nearest to each of the chosen ones, and how far it is."""
        step = max(1, BLOCK // self.slots)
        found = [self._nearest(chosen[i : i + step]) for i in range(0, len(chosen), step)]
        where, far = map(np.concatenate, zip(*found, strict=True))
        return where, self.height(far)

    def height(self, far: Float[ndarray, " r"]) -> Float[ndarray, " r"]:
        """Return the distances for what stands in the rows."""
        return far

    def _nearest(
        self, chosen: Int[ndarray, " r"]
    ) -> tuple[Int[ndarray, " r"], Float[ndarray, " r"]]:
        spend()
        rows = self.rows(chosen)
        where = rows.argmin(axis=1)
        return where, rows[np.arange(len(rows)), where]


class FromMeans(Distances):
    """Ward's distances, by means and sizes. Rows hold what a merge adds to the inertia, d^2 / 2."""

    def __init__(
        self, means: Float[ndarray, "m d"], sizes: Float[ndarray, " m"], update: Update
    ) -> None:
        """Take over the arrays: they change with every merge."""
        self.slots, self._means, self._sizes, self._update = len(means), means, sizes, update

    def rows(self, chosen: Int[ndarray, " r"]) -> Float[ndarray, "r m"]:
        """Return |A| |B| / (|A| + |B|) times the squared distance of the means."""
        rows = cdist(self._means.take(chosen, axis=0), self._means, "sqeuclidean")
        one_by_size = 1 / self._sizes
        rows /= np.add.outer(one_by_size.take(chosen), one_by_size)
        rows[np.arange(len(chosen)), chosen] = np.inf
        return rows

    def height(self, far: Float[ndarray, " r"]) -> Float[ndarray, " r"]:
        """Return d for d^2 / 2."""
        return np.sqrt(2 * far)

    def merge(self, a: Int[ndarray, " p"], b: Int[ndarray, " p"]) -> None:
        """Move the mean."""
        means, sizes = self._means, self._sizes
        means[a] = self._update(means[a], means[b], sizes[a, None], sizes[b, None])
        sizes[a] += sizes[b]

    def packed(self, used: Bool[ndarray, " m"]) -> "FromMeans":
        """Return the means without those of empty slots."""
        (kept,) = used.nonzero()
        return FromMeans(self._means.take(kept, axis=0), self._sizes.take(kept), self._update)


class FromPoints(Distances):
    """Distances of complete or average linkage as they are defined: from all pairs of points.

    The points stand cluster by cluster; `weights` says how many there are at their place.
    """

    def __init__(
        self,
        points: Float[ndarray, "p d"],
        weights: Float[ndarray, " p"],
        slot: Int[ndarray, " p"],
        update: Update,
        *,
        farthest: bool,
    ) -> None:
        """Sort the points by their `slot`; the distance is the largest one if `farthest`."""
        order = slot.argsort(kind="stable")
        self._points, self._weights, self._slot = points[order], weights[order], slot[order]
        self._counts = np.bincount(slot)
        self._farthest, self._update = farthest, update
        self.slots = len(self._counts)

    def rows(self, chosen: Int[ndarray, " r"]) -> Float[ndarray, "r m"]:
        """Return the largest, or the mean, of the distances between the points."""
        wanted = np.zeros(self.slots, bool)
        wanted[chosen] = True
        mine = wanted[self._slot]
        rows = cdist(self._points[mine], self._points)
        if self.slots < len(self._points):
            rows = self._reduced(rows, mine, chosen)
        rows[np.arange(len(chosen)), chosen] = np.inf
        return rows

    def _reduced(
        self,
        distances: Float[ndarray, "q p"],
        mine: Bool[ndarray, " p"],
        chosen: Int[ndarray, " r"],
    ) -> Float[ndarray, "r m"]:
        """Return the distances of clusters, computed from those between their points."""
        reduce = np.maximum if self._farthest else np.add
        if not self._farthest:
            distances *= self._weights[mine, None]
            distances *= self._weights
        starts, own = self._counts.cumsum() - self._counts, self._counts[chosen]
        rows = reduce.reduceat(distances, own.cumsum() - own, axis=0)
        rows = reduce.reduceat(rows, starts, axis=1)
        if not self._farthest:
            sizes = self._sizes()
            rows /= sizes[chosen, None] * sizes
        return rows

    def merge(self, a: Int[ndarray, " p"], b: Int[ndarray, " p"]) -> None:
        """Give the points of the second cluster to the first."""
        slots = np.arange(self.slots)
        slots[b] = a
        self._slot = slots[self._slot]

    def packed(self, used: Bool[ndarray, " m"]) -> Distances:
        """Return the distances for the clusters as they are now, as a matrix if they are few."""
        slot = (used.cumsum() - 1)[self._slot]
        now = FromPoints(self._points, self._weights, slot, self._update, farthest=self._farthest)
        if now.slots > MOST and now.slots < (1 - FEW) * self.slots:
            return now
        return now.matrix()

    def matrix(self) -> "Matrix":
        """Return all distances."""
        step = max(1, BLOCK // len(self._points))
        matrix = np.empty((self.slots, self.slots))
        for i in range(0, self.slots, step):
            matrix[i : i + step] = self.rows(np.arange(i, min(i + step, self.slots)))
        return Matrix(matrix, self._sizes(), self._update)

    def _sizes(self) -> Float[ndarray, " m"]:
        return np.bincount(self._slot, self._weights)


class Matrix(Distances):
    """All distances between the clusters, brought up to date by the rule of Lance and Williams."""

    def __init__(
        self, distances: Float[ndarray, "m m"], sizes: Float[ndarray, " m"], update: Update
    ) -> None:
        """Take over the arrays, which change with every merge."""
        np.fill_diagonal(distances, np.inf)
        self.slots = len(distances)
        self._distances, self._sizes, self._update = distances, sizes, update

    def rows(self, chosen: Int[ndarray, " r"]) -> Float[ndarray, "r m"]:
        """Return the distances from the chosen slots."""
        return self._distances.take(chosen, axis=0)

    def merge(self, a: Int[ndarray, " p"], b: Int[ndarray, " p"]) -> None:
        """Put d(A ∪ B, C) in the place of d(A, C), and empty the slot of B."""
        distances, sizes = self._distances, self._sizes
        size_a, size_b = sizes[a], sizes[b]
        rows = self._update(distances[a], distances[b], size_a[:, None], size_b[:, None])
        rows[:, a] = self._update(rows[:, a], rows[:, b], size_a, size_b)  # C was merged as well
        distances[a] = rows
        distances[:, a] = rows.T
        distances[:, b] = np.inf
        sizes[a] += size_b

    def packed(self, used: Bool[ndarray, " m"]) -> "Matrix":
        """Copy what is used once it is little."""
        (kept,) = used.nonzero()
        if len(kept) > PACKED * self.slots:
            return self
        return Matrix(self._distances[np.ix_(kept, kept)], self._sizes[kept], self._update)
