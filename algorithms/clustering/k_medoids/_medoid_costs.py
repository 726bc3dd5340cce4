"""The arithmetic of medoids: what all candidates would cost, computed together.

With D_ci the distance of candidate c to point i, and of every point i the distance d1_i to its
nearest medoid and d2_i to its second nearest,

    c as one more medoid:      sum_i min(D_ci, d1_i)
    c in place of medoid j:    the same + sum_(i of j) [ min(D_ci, d2_i) - min(D_ci, d1_i) ]

The first sum is the same for every j. So all k (n - k) swaps take one product of matrices, and two
minima over n^2 numbers in place of k. Distances are held in blocks of rows.

Source: Schubert and Rousseeuw 2019 (FastPAM1).
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.spatial.distance import cdist

Metric = Literal["euclidean", "manhattan", "squared euclidean"]
METRICS: tuple[Metric, ...] = ("euclidean", "manhattan", "squared euclidean")

BLOCK = 65_536  # distances held at once

SCIPY: dict[Metric, Literal["euclidean", "cityblock", "sqeuclidean"]] = {
    "euclidean": "euclidean",
    "manhattan": "cityblock",
    "squared euclidean": "sqeuclidean",
}


def distances(
    A: Float[ndarray, "m d"], B: Float[ndarray, "n d"], metric: Metric
) -> Float[ndarray, "m n"]:
    """Return the distance of every row of `A` to every row of `B`."""
    return cdist(A, B, SCIPY[metric])


def costs_of_adding(
    X: Float[ndarray, "n d"], nearest: Float[ndarray, " n"], metric: Metric
) -> Float[ndarray, "1 n"]:
    """Return what the cost would be with each point as one more medoid.

    nearest : every point's distance to its nearest medoid so far, infinite if there is none.
    """
    sums = [np.minimum(D, nearest).sum(axis=1) for D in _blocks(X, metric)]
    return np.concatenate(sums)[None]


def costs_of_swapping(
    X: Float[ndarray, "n d"], to_medoids: Float[ndarray, "k n"], metric: Metric
) -> Float[ndarray, "k n"]:
    """Return what the cost would be with each point in the place of each medoid.

    to_medoids : every point's distances to the medoids.
    """
    k, n = to_medoids.shape
    own = to_medoids.argmin(axis=0)
    members = (own[:, None] == np.arange(k)).astype(float)
    first, second = to_medoids.min(axis=0), np.full(n, np.inf)
    if k > 1:
        second = np.partition(to_medoids, 1, axis=0)[1]
    sums = []
    for D in _blocks(X, metric):
        kept = np.minimum(D, first)
        without = np.minimum(D, second) - kept
        sums.append(kept.sum(axis=1)[:, None] + without @ members)
    return np.ascontiguousarray(np.concatenate(sums).T)


def nearest_of(
    to_medoids: Float[ndarray, "k n"],
) -> tuple[Int[ndarray, " n"], Float[ndarray, " n"]]:
    """Return every point's nearest medoid, the first one in a tie, and its distance."""
    return to_medoids.argmin(axis=0), to_medoids.min(axis=0)


def _blocks(X: Float[ndarray, "n d"], metric: Metric) -> Iterator[Float[ndarray, "_ n"]]:
    """Yield the distances between all points, some rows at a time."""
    rows = max(1, BLOCK // len(X))
    for start in range(0, len(X), rows):
        yield distances(X[start : start + rows], X, metric)
