"""Merges as they were found and by their heights, and the merges of points that coincide."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray


class Merges(NamedTuple):
    """Merge t makes cluster n + t of the clusters `first` and `second`; cluster i < n is point i.

    No merge is lower than those that made its two parts, and it stands after them.
    """

    first: Int[ndarray, " m"]
    second: Int[ndarray, " m"]
    heights: Float[ndarray, " m"]
    sizes: Int[ndarray, " m"]

    def by_height(self) -> "Merges":
        """Return all n - 1 merges of a run from the lowest up, equal ones in the order found."""
        order = self.heights.argsort(kind="stable")
        n = len(order) + 1
        names = np.arange(2 * n - 1)
        names[n + order] = np.arange(n, 2 * n - 1)
        pairs = names[np.stack([self.first[order], self.second[order]])]
        pairs.sort(axis=0)  # the lower name comes first, as with SciPy
        return Merges(pairs[0], pairs[1], self.heights[order], self.sizes[order])


def joined(parts: list[Merges]) -> Merges:
    """Return the merges of all parts, one part after the other."""
    return Merges(*map(np.concatenate, zip(*parts, strict=True)))


class Places(NamedTuple):
    """The places where there are points, in the order of the first point of each.

    `names` are the clusters of the points that share a place, which the `merges` have made.
    """

    points: Float[ndarray, "p d"]
    names: Int[ndarray, " p"]
    sizes: Int[ndarray, " p"]
    merges: Merges


def coinciding(points: Float[ndarray, "n d"]) -> Places:
    """Merge the points that share a place, one after the other."""
    n = len(points)
    order = np.lexsort(points.T)  # a stable sort: at every place the first point comes first
    ordered = points[order]
    again = np.zeros(n, bool)  # at the place of the one before
    again[1:] = (ordered[1:] == ordered[:-1]).all(axis=1)
    if not again.any():
        none = np.zeros(0, int)
        return Places(points, np.arange(n), np.ones(n, int), Merges(none, none, np.zeros(0), none))
    starts = np.flatnonzero(~again)
    sizes = np.diff(starts, append=n)
    grown = np.where(again, n + again.cumsum() - 1, order)  # the cluster up to each, at its place
    later = np.flatnonzero(again)
    so_far = later - np.repeat(starts, sizes)[later] + 1
    merges = Merges(grown[later - 1], order[later], np.zeros(len(later)), so_far)
    first = order[starts].argsort()
    starts, sizes = starts[first], sizes[first]
    return Places(points[order[starts]], grown[starts + sizes - 1], sizes, merges)
