"""DBSCAN for every eps at once: what becomes of the clusters while eps grows.

The core distance c_i of point i is the distance to the `min_samples`-th point of its ball, where i
itself is the first: from this eps on, i is a core point. Two core points are in each other's balls
from their mutual reachability on,

    r_ij = max(c_i, c_j, || x_i - x_j ||) .

So the core points' clusters at eps are what the edges with r <= eps connect. The shortest tree that
connects all points, with r for the length of an edge, is enough to know them: they are a cut at
height eps through single linkage by r. Point j is no longer noise from the eps on at which the
first core point has it in its ball,

    reach_j = min over i of max(c_i, || x_i - x_j ||) .

Hence, for every eps, without running DBSCAN,

    core points   the number of c_i <= eps
    clusters      the number of core points - the number of edges of the tree with r <= eps
    noise         the number of reach_j > eps

A border point in the balls of several clusters belongs to the nearest core point here.

The clusters keep their numbers while eps grows: when two merge, the one with the densest point
(the least core distance) keeps its number, and the longer a cluster lives the lower its number.

Cost: O(n^2 (d + log n)), once for all eps. Memory: O(n).

Source: Ester, Kriegel, Sander and Xu 1996 (the curve of core distances); Campello, Moulavi and
Sander 2013 (mutual reachability).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist

from algorithms.clustering.dbscan.dbscan import NOISE
from algorithms.core import validate
from algorithms.core.record import Record

BLOCK = 262_144  # distances that are looked through at once
LONG_LIVED = 8  # clusters whose merges are worth stopping at

Event = Literal["first cluster", "clusters merge", "no noise left"]


def dbscan_by_eps(
    X: Float[ndarray, "n d"], *, eps: Float[ndarray, " e"], min_samples: int
) -> Iterator["EpsStep"]:
    """Find the clusters at each of the radii `eps`, which ascend: a step per radius.

    Raises ValueError, at the call, unless X is finite, min_samples >= 1 and eps positive and
    ascending.
    """
    levels = density_levels(X, min_samples)
    radii = [validate.number("eps", float(value), positive=True) for value in eps]
    if not radii or (np.diff(radii) <= 0).any():
        raise ValueError(f"eps must be ascending numbers, at least one, got {len(radii)}")
    return _steps(levels, radii)


def _steps(levels: "DensityLevels", radii: list[float]) -> Iterator["EpsStep"]:
    before = None
    for eps in radii:
        before = EpsStep(levels, eps, _event(levels, eps, before))
        yield before


def _event(levels: "DensityLevels", eps: float, before: "EpsStep | None") -> Event | None:
    """Return what has happened since the radius before."""
    past = -1.0 if before is None else before.eps
    if past < levels.core_distances.min() <= eps:
        return "first cluster"
    if past < levels.reach.max() <= eps:
        return "no noise left"
    return "clusters merge" if (levels.merged(past, eps) < LONG_LIVED).any() else None


@dataclass(frozen=True, eq=False)
class DensityLevels(Record):
    """The eps at which everything begins; infinite with fewer than min_samples points.

    core_distances : (n,) from here on a point is a core point. reach : (n,) from here on it is not
    noise. edges : (n - 1, 2) of the shortest tree. heights : (n - 1,) their r, ascending. died :
    (n,) here the cluster whose densest point it is becomes part of another. rank : (n,) the number
    of that cluster.
    """

    X: Float[ndarray, "n d"]
    min_samples: int
    core_distances: Float[ndarray, " n"]
    reach: Float[ndarray, " n"]
    edges: Int[ndarray, "m 2"]
    heights: Float[ndarray, " m"]
    died: Float[ndarray, " n"]
    rank: Int[ndarray, " n"]

    def cores(self, eps: float) -> int:
        """Return the number of core points at eps."""
        return int(np.count_nonzero(self.core_distances <= eps))

    def clusters(self, eps: float) -> int:
        """Return the number of clusters at eps."""
        return self.cores(eps) - int(np.count_nonzero(self.heights <= eps))

    def noise(self, eps: float) -> int:
        """Return the number of noise points at eps."""
        return int(np.count_nonzero(self.reach > eps))

    def merged(self, past: float, eps: float) -> Int[ndarray, " c"]:
        """Return the numbers of the clusters of `past` that are parts of others at eps."""
        there = self.core_distances <= past
        return self.rank[there & (self.died > past) & (self.died <= eps)]

    def labels(self, eps: float) -> Int[ndarray, " n"]:
        """Return the number of every point's cluster at eps, -1 for noise."""
        n = len(self.X)
        near = self.edges[self.heights <= eps].T
        graph = coo_array((np.ones(near.shape[1]), (near[0], near[1])), shape=(n, n))
        parts = connected_components(graph, directed=False)[1]
        names = np.full(n, n)
        core = self.core_distances <= eps
        np.minimum.at(names, parts[core], self.rank[core])  # of its densest point
        labels = np.where(core, names[parts], NOISE)
        border = ~core & (self.reach <= eps)
        if border.any():
            nearest = KDTree(self.X[core]).query(self.X[border])[1]
            labels[border] = labels[core][nearest]
        return labels


@dataclass(frozen=True, eq=False, slots=True)
class EpsStep(Record):
    """The clusters at the radius `eps`; all steps share `levels`, in which they are looked up.

    Events: "first cluster" (there are core points for the first time), "clusters merge" (one of the
    eight clusters that live longest becomes part of another), "no noise left".
    """

    levels: DensityLevels
    eps: float
    event: Event | None = None

    def __post_init__(self) -> None:
        """Copy nothing: what the steps share is a record."""

    @property
    def labels(self) -> Int[ndarray, " n"]:
        """Return the number of every point's cluster, -1 for noise; it stays while eps grows."""
        return self.levels.labels(self.eps)

    @property
    def core(self) -> Bool[ndarray, " n"]:
        """Return which points are core points."""
        return self.levels.core_distances <= self.eps

    @property
    def clusters(self) -> int:
        """Return the number of clusters."""
        return self.levels.clusters(self.eps)

    @property
    def noise(self) -> int:
        """Return the number of points that are noise."""
        return self.levels.noise(self.eps)


def density_levels(X: Float[ndarray, "n d"], min_samples: int) -> DensityLevels:
    """Return the eps from which on each point is a core point, and not noise, and clusters merge.

    Raises ValueError unless X is finite and min_samples >= 1.
    """
    X = validate.points(X)
    min_samples = validate.integer("min_samples", min_samples, 1)
    core = core_distances(X, min_samples)
    edges, heights, reach = _shortest_tree(X, core)
    died, rank = _lives(core, edges, heights)
    return DensityLevels(X, min_samples, core, reach, edges, heights, died, rank)


def core_distances(X: Float[ndarray, "n d"], min_samples: int) -> Float[ndarray, " n"]:
    """c_i <- the distance to the `min_samples`-th nearest point, where i itself is the first."""
    n = len(X)
    if min_samples > n:
        return np.full(n, np.inf)
    rows = max(1, BLOCK // n)
    blocks = (cdist(X[i : i + rows], X) for i in range(0, n, rows))
    nearest = (np.partition(block, min_samples - 1) for block in blocks)
    # Copies, because a column of a block would keep the whole block.
    return np.concatenate([each[:, min_samples - 1].copy() for each in nearest])


def _shortest_tree(
    X: Float[ndarray, "n d"], core: Float[ndarray, " n"]
) -> tuple[Int[ndarray, "m 2"], Float[ndarray, " m"], Float[ndarray, " n"]]:
    """Return the edges of the shortest tree by r_ij, their heights, and reach (Prim 1957)."""
    n = len(X)
    edges, heights = np.empty((n, 2), int), np.empty(n)
    apart, nearest = np.full(n, np.inf), np.zeros(n, int)
    outside, reach = np.ones(n, bool), core.copy()
    i = 0
    for m in range(n):
        outside[i] = False
        edges[m], heights[m] = (nearest[i], i), apart[i]
        from_core = np.maximum(cdist(X[i : i + 1], X)[0], core[i])
        np.minimum(reach, from_core, out=reach)
        reachable = np.maximum(from_core, core)  # r_ij
        closer = outside & (reachable < apart)
        apart[closer], nearest[closer] = reachable[closer], i
        left = np.flatnonzero(outside)
        i = left[apart[left].argmin()] if len(left) else i
    order = heights[1:].argsort(kind="stable")  # the first point has no edge
    return edges[1:][order], heights[1:][order], reach


def _lives(
    core: Float[ndarray, " n"], edges: Int[ndarray, "m 2"], heights: Float[ndarray, " m"]
) -> tuple[Float[ndarray, " n"], Int[ndarray, " n"]]:
    """Return when each point's cluster becomes part of a denser one, and its number."""
    n = len(core)
    age = core.argsort(kind="stable").argsort()  # 0 is the densest
    densest, died = np.arange(n), np.full(n, np.inf)

    def densest_of(i: int) -> int:
        while densest[i] != i:
            densest[i] = densest[densest[i]]
            i = int(densest[i])
        return i

    for (i, j), height in zip(edges.tolist(), heights.tolist(), strict=True):
        older, younger = sorted((densest_of(i), densest_of(j)), key=age.__getitem__)
        densest[younger], died[younger] = older, height
    life = np.where(np.isinf(died), np.inf, died - np.where(np.isinf(core), 0.0, core))
    return died, np.lexsort((age, -life)).argsort()
