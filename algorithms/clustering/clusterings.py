"""All ways to cluster, on the same points, compared with classes that no method sees.

Those that are told how many clusters there are get the same k; DBSCAN gets a radius instead, and
spectral clustering a width of its graph besides. With every division comes the adjusted Rand index
against the classes: see adjusted_rand.py. Noise counts as one more cluster.

The clusters are numbered after the classes, so that as many points as possible have the number of
their class: see core/agreement.py. A method that refuses the data is left out, and its reason kept.

Cost: the sum of theirs.

Source: CS725 13.3 to 13.7 (000:2330), CIS787 (004:489), the methods side by side.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.adjusted_rand import PairCounts, pair_counts
from algorithms.clustering.dbscan import NOISE, dbscan
from algorithms.clustering.hierarchical.hierarchical_clustering import hierarchical_clustering
from algorithms.clustering.k_medoids import affordable_swaps, k_medoids
from algorithms.clustering.mixtures.gaussian_mixture import gaussian_mixture
from algorithms.clustering.restarts import lowest_inertia
from algorithms.clustering.spectral_clustering import spectral_clustering
from algorithms.core import validate
from algorithms.core.agreement import renumbered, renumbering
from algorithms.core.record import Record, last

BEST = "nearest to the classes so far"


@dataclass(frozen=True)
class Settings:
    """What the methods are told: k, DBSCAN's `eps` and `min_samples`, the `gamma` of the graph."""

    k: int
    eps: float
    min_samples: int
    gamma: float


@dataclass(frozen=True)
class Method:
    """A way to cluster: what looks for the labels, the lab that shows it, what it looks for."""

    name: str
    find: Callable[[ndarray, Settings, Generator], ndarray]
    lab: str
    seeks: str


def _k_means(X: ndarray, told: Settings, rng: Generator) -> ndarray:
    return lowest_inertia(X, told.k, rng=rng, restarts=10)[1]


def _k_medoids(X: ndarray, told: Settings, rng: Generator) -> ndarray:
    return last(k_medoids(X, told.k, rng=rng, max_iter=affordable_swaps(len(X)))).labels


def _mixture(X: ndarray, told: Settings, rng: Generator) -> ndarray:
    return last(gaussian_mixture(X, told.k, rng=rng)).predict(X)


def _single(X: ndarray, told: Settings, rng: Generator) -> ndarray:
    return last(hierarchical_clustering(X, linkage="single")).cut(told.k)


def _complete(X: ndarray, told: Settings, rng: Generator) -> ndarray:
    return last(hierarchical_clustering(X, linkage="complete")).cut(told.k)


def _average(X: ndarray, told: Settings, rng: Generator) -> ndarray:
    return last(hierarchical_clustering(X, linkage="average")).cut(told.k)


def _ward(X: ndarray, told: Settings, rng: Generator) -> ndarray:
    return last(hierarchical_clustering(X, linkage="ward")).cut(told.k)


def _spectral(X: ndarray, told: Settings, rng: Generator) -> ndarray:
    return last(spectral_clustering(X, told.k, gamma=told.gamma, rng=rng)).labels


def _dbscan(X: ndarray, told: Settings, rng: Generator) -> ndarray:
    return last(dbscan(X, eps=told.eps, min_samples=told.min_samples)).labels


METHODS = (
    Method("k-means", _k_means, "k_means", "points near one centre, the mean of them"),
    Method("k-medoids", _k_medoids, "k_medoids", "points near one of them"),
    Method("EM, Gaussians", _mixture, "gaussian_mixture", "ellipses, crowded in the middle"),
    Method("Ward", _ward, "hierarchical_clustering", "merges that raise the inertia least"),
    Method(
        "complete",
        _complete,
        "hierarchical_clustering",
        "clusters in which no two points are far apart",
    ),
    Method(
        "average",
        _average,
        "hierarchical_clustering",
        "merges of clusters whose points are near to each other on average",
    ),
    Method("single", _single, "hierarchical_clustering", "chains of near neighbours"),
    Method(
        "spectral",
        _spectral,
        "spectral_clustering",
        "parts of a graph with heavy edges inside and few between",
    ),
    Method("DBSCAN", _dbscan, "dbscan", "crowded places, whatever their shape"),
)


@dataclass(frozen=True, eq=False)
class ClusteringStep(Record):
    """What one method finds. `counts` has the pairs of points: first the classes', then its own.

    `labels` are numbered after the classes; -1 is noise. `left_out` are the methods that refused
    the data, each with its reason. Event: "nearest to the classes so far", from the second on, if
    there is more than one class.
    """

    method: Method
    labels: Int[ndarray, " n"]
    counts: PairCounts
    left_out: tuple[tuple[str, str], ...] = ()
    event: str | None = None

    @property
    def clusters(self) -> int:
        """How many clusters there are, without noise."""
        return len(np.unique(self.labels[self.labels != NOISE]))

    @property
    def noise(self) -> int:
        """How many points are in no cluster."""
        return int(np.count_nonzero(self.labels == NOISE))


def clusterings(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    k: int,
    *,
    eps: float,
    min_samples: int,
    gamma: float,
    rng: Generator,
) -> Iterator[ClusteringStep]:
    """Cluster the points by every method in turn: a step each.

    Raises ValueError, at the call, unless 1 <= k <= n, `y` holds n whole numbers, eps and gamma
    are positive and min_samples is at least 1.
    """
    X = validate.points(X)
    y = validate.integers(y, len(X))
    told = Settings(
        validate.integer("k", k, 1, len(X), high_name="n"),
        validate.number("eps", eps, positive=True),
        validate.integer("min_samples", min_samples, 1),
        validate.number("gamma", gamma, positive=True),
    )
    return _clusterings(X, y, told, rng)


def _clusterings(
    X: Float[ndarray, "n d"], y: Int[ndarray, " n"], told: Settings, rng: Generator
) -> Iterator[ClusteringStep]:
    found: list[tuple[Method, ndarray]] = []
    left_out: list[tuple[str, str]] = []
    for method in METHODS:
        try:
            found.append((method, method.find(X, told, rng)))
        except ValueError as error:
            left_out.append((method.name, str(error)))
    best, comparable = -math.inf, len(np.unique(y)) > 1
    for i, (method, labels) in enumerate(found):
        counts = pair_counts(y, labels)
        better = comparable and i > 0 and counts.adjusted_rand_index > best
        event = BEST if better else None
        best = max(best, counts.adjusted_rand_index)
        named = renumbered(labels, renumbering(y, labels))
        yield ClusteringStep(method, named, counts, tuple(left_out), event)
