"""Agglomerative clustering: single, complete and average linkage, and Ward's method.

Every point begins as a cluster of its own. Then, n - 1 times, the two nearest clusters A and B
become one, A ∪ B, at the height d(A, B). What "nearest" means is the choice of the linkage:

    single     d(A, B) = the least     || a - b ||    of all a in A, b in B
    complete   d(A, B) = the largest   || a - b ||
    average    d(A, B) = the mean      || a - b ||
    ward       d(A, B) = sqrt(2 |A| |B| / (|A| + |B|))  || mean(A) - mean(B) ||

With Ward d^2 / 2 is what the merge adds to the inertia, the objective of k-means.

Update rule (Lance and Williams 1967): what A ∪ B is to any other cluster C follows from what A and
B were, and the points are not needed again.

    complete   d(A ∪ B, C) = max(d(A, C), d(B, C))
    average    d(A ∪ B, C) = (|A| d(A, C) + |B| d(B, C)) / (|A| + |B|)
    ward       mean(A ∪ B) = (|A| mean(A) + |B| mean(B)) / (|A| + |B|)
    single     d(A ∪ B, C) = min(d(A, C), d(B, C)): a spanning tree knows it all (_spanning_tree.py)

If A and B are each other's nearest, A ∪ B is with none of the four nearer to C than the nearer of A
and B was. So the heights never fall; and two clusters that are each other's nearest will be merged,
whatever is merged before. The loop therefore merges all such pairs in one round, and at the end the
merges are put in the order of their heights: one merge at a time, always of the two nearest, gives
the same (Bruynooghe 1977).

Where distances tie, any of the nearest pairs may be next. Which one it is depends on the order of
the points alone, the first ones coming first, so the same points always give the same tree. Points
that coincide are merged before all others. The unit of the data plays no part.

Cost: O(n^2) on scattered points, in 15 to 35 rounds for 100 to 5,000 of them, and O(n^3) on points
made to be the worst. Memory: O(n) for single linkage and Ward. Complete and average linkage hold
the matrix of distances between clusters, but only from the round on that leaves 2,000 of them
(32 MB), unless the first rounds merge few. All steps share one record of the tree, of O(n) numbers.

Source: CS725 13.6 (000:2450), which stops at a threshold on "the distance between two clusters":
on that of the two nearest. Ward 1963; Gower and Ross 1969 (single linkage is a spanning tree);
Murtagh 1983 (nearest neighbours of each other).
"""

from collections.abc import Iterator

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.clustering.hierarchical._clusters import Clusters
from algorithms.clustering.hierarchical._merges import Merges
from algorithms.clustering.hierarchical._spanning_tree import merges_along_spanning_tree
from algorithms.clustering.hierarchical.dendrogram import LINKAGES, Dendrogram, dendrogram
from algorithms.clustering.hierarchical.hierarchical_step import Event, HierarchicalStep, Linkage
from algorithms.core import validate

LAST = 8  # merges at the end that are worth stopping at


def hierarchical_clustering(
    X: Float[ndarray, "n d"], *, linkage: Linkage = "ward"
) -> Iterator[HierarchicalStep]:
    """Merge the two nearest clusters until there is one: a step at the start, then one per merge.

    Heights are in the unit of X. Raises ValueError, at the call, unless X is finite and `linkage`
    one of "single", "complete", "average" and "ward".
    """
    X = validate.points(X)
    return _steps(X, validate.choice("linkage", linkage, LINKAGES))


def _agglomerate(points: Float[ndarray, "n d"], linkage: str) -> Merges:
    """Merge clusters that are each other's nearest until there is one."""
    clusters = Clusters(points, linkage, update=larger if linkage == "complete" else weighted_mean)
    while clusters.count > 1:
        a, b = clusters.mutually_nearest()
        clusters.merge(a, b)
    return clusters.merges


def larger(
    of_a: ndarray, of_b: ndarray, size_a: ndarray | float, size_b: ndarray | float
) -> ndarray:
    """Return d(A ∪ B, C) of complete linkage for d(A, C) and d(B, C)."""
    return np.maximum(of_a, of_b)


def weighted_mean(
    of_a: ndarray, of_b: ndarray, size_a: ndarray | float, size_b: ndarray | float
) -> ndarray:
    """Return d(A ∪ B, C) of average linkage for d(A, C) and d(B, C), or Ward's mean(A ∪ B)."""
    size = size_a + size_b
    mean = size_a / size * of_a
    mean += size_b / size * of_b  # in place: with a third array of this size it takes much longer
    return mean


def _steps(X: Float[ndarray, "n d"], linkage: str) -> Iterator[HierarchicalStep]:
    points, exponent = _in_own_unit(X)
    if linkage == "single":
        merges = merges_along_spanning_tree(points)
    else:
        merges = _agglomerate(points, linkage)
    merges = merges._replace(heights=np.ldexp(merges.heights, exponent))
    tree = dendrogram(X, linkage, merges)
    events = _events(tree)
    for t in range(len(X)):
        yield HierarchicalStep(tree, t, events.get(t))


def _events(tree: Dendrogram) -> dict[int, Event]:
    """Return what is worth stopping at, by the number of merges."""
    n = len(tree.points)
    events: dict[int, Event] = {}
    for t in range(max(1, n - LAST), n):
        alone = tree.sizes[tree.merged[t - 1]].min() == 1
        events[t] = "a single point joins" if alone else "one of the last merges"
    if tree.largest_gap:
        events[tree.largest_gap] = "largest gap"
    events[n - 1] = "one cluster"
    return events


def _in_own_unit(X: Float[ndarray, "n d"]) -> tuple[Float[ndarray, "n d"], int]:
    """Return the points as about 1 in size, and the power of 2 that this is in the unit of X.

    Neither that nor moving a column that is far from 0 to its first point changes any digit of the
    differences. It keeps squares within the numbers there are, and means accurate.
    """
    least, most = np.abs(X).min(axis=0), np.abs(X).max(axis=0)
    one_sign = (X > 0).all(axis=0) | (X < 0).all(axis=0)
    points = X - np.where(one_sign & (most <= 2 * least), X[0], 0.0)
    exponent = int(np.frexp(np.abs(points).max())[1])
    return np.ldexp(points, -exponent), exponent
