"""The best of several k-means runs, which take their half-steps side by side.

The runs are those of `k_means` from k-means++ starts, to the last bit, but nobody sees their steps,
so none is made, and every NumPy call serves all of them.
"""

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.spatial.distance import cdist

from algorithms.clustering._half_steps import least, means
from algorithms.clustering.k_means import MAX_ITER
from algorithms.clustering.seeding import plus_plus


def lowest_inertia(
    X: Float[ndarray, "n d"], k: int, *, rng: Generator, restarts: int
) -> tuple[Float[ndarray, "k d"], Int[ndarray, " n"], float]:
    """Return centres, labels and inertia at the end of the best of `restarts` k-means runs."""
    centers = plus_plus(X, k, rng, restarts)
    labels, inertia = _assign(X, centers)
    going = np.arange(restarts)  # the runs that have not converged
    for _ in range(MAX_ITER):
        centers[going] = means(X, labels[going], centers[going])
        now, inertia[going] = _assign(X, centers[going])
        changed = (now != labels[going]).any(axis=1)
        labels[going] = now
        going = going[changed]
        if len(going) == 0:
            break
    best = int(inertia.argmin())
    return centers[best], labels[best], float(inertia[best])


def _assign(
    X: Float[ndarray, "n d"], centers: Float[ndarray, "r k d"]
) -> tuple[Int[ndarray, "r n"], Float[ndarray, " r"]]:
    runs, k, d = centers.shape
    distances = cdist(centers.reshape(-1, d), X, "sqeuclidean").reshape(runs, k, len(X))
    labels, closest = least(distances)
    return labels, closest.sum(axis=1)
