"""Clusters that are each other's nearest merge in one round: O(n^2) in place of O(n^3).

The twin of `merge_nearest`, for complete and average linkage and Ward. Every cluster knows its
nearest one. That stays the nearest until one of the two is merged, since no union is nearer to a
third cluster than its parts were. So only clusters that were merged, or whose nearest was, look
again.
"""

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.hierarchical_clustering._distances import (
    MOST,
    Distances,
    FromMeans,
    FromPoints,
    Matrix,
    Update,
)
from algorithms.clustering.hierarchical_clustering._merges import Merges, coinciding, joined


def merges_in_rounds(points: Float[ndarray, "n d"], linkage: str, update: Update) -> Merges:
    """Merge clusters that are each other's nearest until there is one; return the merges.

    update : d(A ∪ B, C) for d(A, C) and d(B, C), or with Ward mean(A ∪ B) for the two means.
    """
    clusters = _Clusters(points, linkage, update)
    while clusters.count > 1:
        a, b = clusters.mutually_nearest()
        clusters.merge(a, b)
    return clusters.merges


class _Clusters:
    """The clusters that are left, in slots; a merged one takes the slot of its first part."""

    def __init__(self, points: Float[ndarray, "n d"], linkage: str, update: Update) -> None:
        """Start with the points; those that coincide are already merged."""
        places = coinciding(points)
        self.count = len(places.points)
        self._found = [places.merges]
        self._next = len(points) + len(places.merges.heights)  # the name of the next cluster
        self._names, self._sizes = places.names, places.sizes
        self._heights = np.zeros(self.count)
        self._used = np.ones(self.count, bool)
        self._distances = _distances(places.points, places.sizes.astype(float), linkage, update)
        self._nearest, self._apart = self._distances.nearest(np.arange(self.count))

    def mutually_nearest(self) -> tuple[Int[ndarray, " p"], Int[ndarray, " p"]]:
        """Return the slots of all pairs that are each other's nearest, at least one."""
        nearest = self._nearest
        slots = np.arange(len(nearest))
        (a,) = ((nearest.take(nearest) == slots) & (slots < nearest)).nonzero()
        if len(a) == 0:  # ties can form a cycle, but the two nearest of all are always right
            i = self._apart.argmin()
            a = np.minimum(i, nearest[i])[None]
            nearest[a] = np.maximum(i, nearest[i])
        return a, nearest.take(a)

    def merge(self, a: Int[ndarray, " p"], b: Int[ndarray, " p"]) -> None:
        """Merge the pairs, and search again for clusters that have lost their nearest one."""
        self._record(a, b)
        self.count -= len(a)
        if self.count == 1:
            return
        self._distances.merge(a, b)
        touched = np.zeros(len(self._used), bool)
        touched[a] = touched[b] = True
        lost = touched | touched[self._nearest]
        self._used[b] = lost[b] = False
        self._apart[b], self._nearest[b] = np.inf, b
        packed = self._distances.packed(self._used)
        if packed is not self._distances:
            self._distances = packed
            lost = self._pack(lost)
        (again,) = lost.nonzero()
        self._nearest[again], self._apart[again] = packed.nearest(again)

    @property
    def merges(self) -> Merges:
        """Return all merges so far, as they were found."""
        return joined(self._found)

    def _record(self, a: Int[ndarray, " p"], b: Int[ndarray, " p"]) -> None:
        """Keep the merges, and set the names, sizes and heights of what they make."""
        heights = np.maximum(self._heights[a], self._heights[b])
        np.maximum(heights, self._apart[a], out=heights)  # lower by rounding only, if at all
        sizes = self._sizes[a] + self._sizes[b]
        self._found.append(Merges(self._names[a], self._names[b], heights, sizes))
        self._names[a] = np.arange(self._next, self._next + len(a))
        self._next += len(a)
        self._heights[a], self._sizes[a] = heights, sizes

    def _pack(self, lost: Bool[ndarray, " m"]) -> Bool[ndarray, " k"]:
        """Close the gaps that empty slots leave, also in `lost`, which is returned."""
        (kept,) = self._used.nonzero()
        self._nearest = (self._used.cumsum() - 1).take(self._nearest.take(kept))
        self._apart, self._heights = self._apart.take(kept), self._heights.take(kept)
        self._names, self._sizes = self._names.take(kept), self._sizes.take(kept)
        self._used = self._used.take(kept)
        return lost.take(kept)


def _distances(
    places: Float[ndarray, "p d"], sizes: Float[ndarray, " p"], linkage: str, update: Update
) -> Distances:
    if linkage == "ward":
        return FromMeans(places, sizes, update)
    if len(places) <= MOST:
        return Matrix(cdist(places, places), sizes, update)
    each = np.arange(len(places))
    return FromPoints(places, sizes, each, update, farthest=linkage == "complete")
