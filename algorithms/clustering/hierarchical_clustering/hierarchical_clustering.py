"""Agglomerative clustering: single, complete and average linkage, and Ward's method.

Every point begins as a cluster of its own. Then, n - 1 times, the two nearest clusters A and B
become one, A ∪ B, at the height d(A, B). What "nearest" means is the choice of the linkage:

    single     d(A, B) = the least     || a - b ||    of all a in A, b in B
    complete   d(A, B) = the largest   || a - b ||
    average    d(A, B) = the mean      || a - b ||
    ward       d(A, B) = sqrt(2 |A| |B| / (|A| + |B|))  || mean(A) - mean(B) ||

With Ward, d^2 / 2 is what the merge adds to the inertia, the objective of k-means.

Update rule (Lance and Williams 1967): the distance of A ∪ B to any other cluster C follows from the
distances of A and B to C, so the points are not needed again.

    single     d(A ∪ B, C) <- min(d(A, C), d(B, C))
    complete   d(A ∪ B, C) <- max(d(A, C), d(B, C))
    average    d(A ∪ B, C) <- (|A| d(A, C) + |B| d(B, C)) / (|A| + |B|)
    ward       mean(A ∪ B) <- (|A| mean(A) + |B| mean(B)) / (|A| + |B|)

`merge_nearest` is this rule, word for word, and takes O(n^3). What runs is a tuned twin that finds
the same merges in O(n^2), with the same `union`. If A and B are each other's nearest, A ∪ B is no
nearer to C than the nearer of A and B was, with all four linkages. So the heights never fall, and
two clusters that are each other's nearest will be merged, whatever is merged before. The twin
merges all such pairs in one round (_rounds.py), and puts the merges in the order of their heights
at the end (Bruynooghe 1977). For single linkage, the shortest tree that connects all points knows
every merge (_spanning_tree.py).

If distances tie, the order of the points decides which of the nearest pairs is merged: the first
ones come first, so the same points always give the same tree. Points that coincide are merged
before all others. The unit of the data plays no part.

Cost of the twin: O(n^2) on scattered points, in 15 to 35 rounds for 100 to 5,000 of them, and
O(n^3) on points made to be the worst. Memory: O(n) for single linkage and Ward. Complete and
average linkage hold the matrix of distances between clusters, but only once 2,000 of them are left
(32 MB), unless the first rounds merge few. All steps share one record of the tree, of O(n) numbers.

Source: CS725 13.6 (000:2450), which stops at a threshold on "the distance between two clusters":
on that of the two nearest. Ward 1963; Gower and Ross 1969 (single linkage is a spanning tree);
Murtagh 1983 (nearest neighbours of each other).
"""

from collections.abc import Iterator
from functools import partial

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.hierarchical_clustering._merges import Merges
from algorithms.clustering.hierarchical_clustering._rounds import merges_in_rounds
from algorithms.clustering.hierarchical_clustering._spanning_tree import merges_along_spanning_tree
from algorithms.clustering.hierarchical_clustering.dendrogram import (
    LINKAGES,
    Dendrogram,
    dendrogram,
)
from algorithms.clustering.hierarchical_clustering.hierarchical_step import (
    Event,
    HierarchicalStep,
    Linkage,
)
from algorithms.core import validate

Size = ndarray | float  # of a cluster, or of several

LAST = 8  # merges at the end that are worth stopping at


def hierarchical_clustering(
    X: Float[ndarray, "n d"], *, linkage: Linkage = "ward"
) -> Iterator[HierarchicalStep]:
    """Merge the two nearest clusters until there is one: a step at the start, then one per merge.

    Heights are in the unit of X. Raises ValueError, at the call, unless X is finite and `linkage`
    is one of "single", "complete", "average" and "ward".
    """
    X = validate.points(X)
    return _steps(X, validate.choice("linkage", linkage, LINKAGES))


def merge_nearest(points: Float[ndarray, "n d"], linkage: str) -> Merges:
    """Merge the two nearest clusters, n - 1 times, and return the merges: the rule as it stands."""
    names, sizes, means = np.arange(len(points)), np.ones(len(points)), points.copy()
    D = cdist(points, points)
    found = []
    while len(D) > 1:
        A, B = nearest_two(D)
        a, b = sizes[A], sizes[B]
        found.append((names[A], names[B], D[A, B], a + b))
        if linkage == "ward":
            mean = union(linkage, means[A], means[B], a, b)
            row = ward(mean, means, a + b, sizes)
        else:
            mean, row = means[A], union(linkage, D[A], D[B], a, b)
        D[A] = D[:, A] = row
        means[A], sizes[A], names[A] = mean, a + b, len(points) + len(found) - 1
        D = np.delete(np.delete(D, B, axis=0), B, axis=1)
        means, sizes, names = (np.delete(each, B, axis=0) for each in (means, sizes, names))
    first, second, heights, counts = np.reshape(found, (-1, 4)).T
    return Merges(first.astype(int), second.astype(int), heights, counts.astype(int))


def nearest_two(D: Float[ndarray, "m m"]) -> tuple[int, int]:
    """Return the places of the two clusters with the least d(A, B), the first ones in a tie."""
    A, B = np.triu_indices(len(D), 1)
    least = D[A, B].argmin()
    return int(A[least]), int(B[least])


def union(linkage: str, of_a: ndarray, of_b: ndarray, a: Size, b: Size) -> ndarray:
    """Return d(A ∪ B, C) for d(A, C) and d(B, C), or, with Ward, mean(A ∪ B) for the two means.

    a, b : the sizes |A| and |B|.
    """
    if linkage == "single":
        return np.minimum(of_a, of_b)
    if linkage == "complete":
        return np.maximum(of_a, of_b)
    mean = a / (a + b) * of_a
    mean += b / (a + b) * of_b  # in place: a third array of this size takes much longer
    return mean


def ward(
    mean: Float[ndarray, " d"], means: Float[ndarray, "m d"], a: Size, sizes: ndarray
) -> Float[ndarray, " m"]:
    """Return sqrt(2 |A| |C| / (|A| + |C|)) || mean(A) - mean(C) || for every cluster C."""
    return np.sqrt(2 * a * sizes / (a + sizes)) * np.linalg.norm(mean - means, axis=1)


def _steps(X: Float[ndarray, "n d"], linkage: str) -> Iterator[HierarchicalStep]:
    points, exponent = _in_own_unit(X)
    if linkage == "single":
        merges = merges_along_spanning_tree(points)
    else:
        merges = merges_in_rounds(points, linkage, partial(union, linkage))
    merges = merges._replace(heights=np.ldexp(merges.heights, exponent))
    tree = dendrogram(X, linkage, merges)
    events = _events(tree)
    for t in range(len(X)):
        yield HierarchicalStep(tree, t, events.get(t))


def _events(tree: Dendrogram) -> dict[int, Event]:
    """Return the events, by the number of merges."""
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
    """Return the points at a size of about 1, and the power of 2 that their unit is of X's.

    A column far from 0 is moved to its first point. Neither changes a digit of the differences;
    squares stay within the range of numbers, and means stay accurate.
    """
    least, most = np.abs(X).min(axis=0), np.abs(X).max(axis=0)
    one_sign = (X > 0).all(axis=0) | (X < 0).all(axis=0)
    points = X - np.where(one_sign & (most <= 2 * least), X[0], 0.0)
    exponent = int(np.frexp(np.abs(points).max())[1])
    return np.ldexp(points, -exponent), exponent
