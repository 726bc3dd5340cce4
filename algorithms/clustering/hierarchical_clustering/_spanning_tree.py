"""Single linkage by a minimum spanning tree.

The tree of least total length that connects all points has n - 1 edges. Taken from the shortest to
the longest, each connects the two clusters that are nearest by their nearest points: the merges of
single linkage (Gower and Ross 1969).

Prim's algorithm grows the tree from the first point, always by the point that is nearest to it. The
clusters of single linkage are runs of points in the order in which these come: what comes between
two points of a cluster has been nearer to the tree than the way out of the cluster is long. So the
edges need not be known, only how far each point was from the tree when it came. Cutting the order
at the largest of these gaps gives the last two clusters, and so on.

Cost: O(n^2 d) time, O(n) memory. For few points all distances are computed at once, since calling
NumPy costs more than they do.

Source: Prim 1957, Gower and Ross 1969.
"""

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.hierarchical_clustering._merges import Merges

FEW = 1_000  # points: up to so many the matrix of distances is small (8 MB)


def merges_along_spanning_tree(points: Float[ndarray, "n d"]) -> Merges:
    """Return the merges of single linkage; equal ones are in the order in which Prim finds them."""
    order, gaps = _prim(points)
    n = len(points)
    # Clusters are runs of places in the order: where one starts and ends is noted at its two ends.
    start, end = list(range(n)), list(range(n))
    name = order.tolist()  # of the cluster that starts here
    first, second, sizes = [], [], []
    by_length = gaps.argsort(kind="stable")
    for made, gap in enumerate(by_length.tolist(), n):
        left, middle, right = start[gap], gap + 1, end[gap + 1]
        first.append(name[left])
        second.append(name[middle])
        sizes.append(right - left + 1)
        name[left], end[left], start[right] = made, right, left
    return Merges(
        np.array(first, int), np.array(second, int), gaps[by_length], np.array(sizes, int)
    )


def _prim(points: Float[ndarray, "n d"]) -> tuple[Int[ndarray, " n"], Float[ndarray, " m"]]:
    """Return the points as they join the tree, and how far from it all but the first were."""
    n = len(points)
    rows = list(cdist(points, points)) if n <= FEW else None
    to_tree = np.full(n, np.inf)
    outside = np.zeros(n)  # infinite once in the tree
    candidates = np.empty(n)
    order, gaps, newest = [0], [], 0
    for _ in range(n - 1):
        row = rows[newest] if rows else cdist(points[newest : newest + 1], points)[0]
        outside[newest] = np.inf
        np.minimum(to_tree, row, out=to_tree)
        np.add(to_tree, outside, out=candidates)
        newest = int(candidates.argmin())
        order.append(newest)
        gaps.append(to_tree.item(newest))
    return np.array(order), np.array(gaps)
