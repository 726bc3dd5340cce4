"""Choosing the number of clusters: k-means for every k, judged by inertia, silhouette and MDL.

Inertia falls with k down to 0 at k = n, so it cannot choose alone; one looks for its elbow.

Silhouette of a point, with a its mean distance to the other points of its cluster and b the
smallest of its mean distances to another cluster (Rousseeuw 1987):

    s = (b - a) / max(a, b)     from -1 to 1;  0 for a point alone in its cluster

averaged over the points, high for tight clusters far apart. It is not defined for a single
cluster; 0 stands there, the value of a point that is between two clusters.

Description length (CS725 13.5): points are sent as offsets from their centre, which cost the
inertia, and every centre costs gamma. Minimise

    inertia + gamma k

Cost: `restarts` k-means runs for every k; O(s^2 d) for the distances between the s points of the
silhouette, and O(s^2 k) for every k.

Source: CS725 13.5 (000:2416), CIS787 (004:498).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.spatial.distance import cdist

from algorithms.clustering.k_means.k_means import assign
from algorithms.clustering.k_means.many_starts import lowest_inertia
from algorithms.core import validate
from algorithms.core.record import Record

SAMPLE = 1000  # points at most for the silhouette, whose cost is quadratic
BLOCK = 65_536  # distances held at once


@dataclass(frozen=True, eq=False)
class ChooseKStep(Record):
    """The best of the k-means runs with `k` clusters; also a model, since `predict` works.

    `silhouette` is the mean over all points, or over a random sample of 1,000 if there are more;
    the sample is the same for every k.
    """

    k: int
    centers: Float[ndarray, "k d"]
    labels: Int[ndarray, " n"]
    inertia: float
    silhouette: float
    event: str | None = None

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the index of the nearest centre of every row of `X`."""
        return assign(X, self.centers)[0]


def choose_k(
    X: Float[ndarray, "n d"], ks: Sequence[int], *, rng: Generator, restarts: int = 10
) -> Iterator[ChooseKStep]:
    """Run k-means from `restarts` k-means++ starts for every k, and keep the lowest inertia.

    Raises ValueError, at the call, unless every k is between 1 and n and there is one.
    """
    X = validate.points(X)
    if len(ks) == 0:
        raise ValueError("ks must name at least one number of clusters, got none")
    ks = [validate.integer("k", k, 1, len(X), high_name="n") for k in ks]
    restarts = validate.integer("restarts", restarts, 1)
    return _choose_k(X, ks, rng, restarts)


def mdl_cost(inertia: float, k: int, gamma: float) -> float:
    """Return the description length: the offsets from the centres plus `gamma` for every centre."""
    return inertia + gamma * k


def silhouette(X: Float[ndarray, "n d"], labels: Int[ndarray, " n"]) -> float:
    """Return the mean silhouette of the points, 0 if they are all in one cluster."""
    X = validate.points(X)
    rows = max(1, BLOCK // len(X))
    return _silhouette((cdist(X[i : i + rows], X) for i in range(0, len(X), rows)), labels)


def _silhouette(distances: Iterable[Float[ndarray, "_ n"]], labels: Int[ndarray, " n"]) -> float:
    """Return the mean silhouette; the distances between all points come in blocks of rows."""
    clusters, own = np.unique(labels, return_inverse=True)
    if len(clusters) == 1:
        return 0.0
    members = (own[:, None] == np.arange(len(clusters))).astype(float)
    sizes, each = members.sum(axis=0), np.arange(len(own))
    sums = np.concatenate([block @ members for block in distances])
    a = sums[each, own] / np.maximum(sizes[own] - 1, 1)
    means = sums / sizes
    means[each, own] = np.inf
    b = means.min(axis=1)
    widest = np.maximum(a, b)
    defined = (sizes[own] > 1) & (widest > 0)  # 0 for a point alone, or on all the others
    return float(np.divide(b - a, widest, out=np.zeros(len(own)), where=defined).mean())


def _choose_k(
    X: Float[ndarray, "n d"], ks: list[int], rng: Generator, restarts: int
) -> Iterator[ChooseKStep]:
    sample = np.arange(len(X))
    if len(X) > SAMPLE:
        sample = rng.choice(len(X), size=SAMPLE, replace=False)
    distances = cdist(X[sample], X[sample])
    for k in ks:
        centers, labels, inertia = lowest_inertia(X, k, rng=rng, restarts=restarts)
        yield ChooseKStep(
            k=k,
            centers=centers,
            labels=labels,
            inertia=inertia,
            silhouette=_silhouette([distances], labels[sample]),
        )
