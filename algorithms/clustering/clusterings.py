"""All ways to cluster, on the same points, compared with classes that no method sees.

The methods that need the number of clusters get the same k. DBSCAN gets a radius instead, and
spectral clustering also the width of its graph. Every division comes with the adjusted Rand index
against the classes (adjusted_rand.py). Noise counts as one more cluster.

The clusters are numbered after the classes, so that as many points as possible have the number of
their class (core/agreement.py). A method that refuses the data is left out, and its reason is kept.

Cost: the sum of the costs of all methods.

Source: CS725 13.3 to 13.7 (000:2330), CIS787 (004:489), the methods side by side.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.adjusted_rand import PairCounts, pair_counts
from algorithms.clustering.dbscan.dbscan import NOISE, dbscan
from algorithms.clustering.gaussian_mixture.gaussian_mixture import gaussian_mixture
from algorithms.clustering.hierarchical_clustering.hierarchical_clustering import (
    hierarchical_clustering,
)
from algorithms.clustering.k_means.many_starts import lowest_inertia
from algorithms.clustering.k_medoids.k_medoids import affordable_swaps, k_medoids
from algorithms.clustering.spectral_clustering import spectral_clustering
from algorithms.core import validate
from algorithms.core.agreement import renumbered, renumbering
from algorithms.core.record import Record, last

BEST = "nearest to the classes so far"


@dataclass(frozen=True)
class Settings:
    """What the methods need: k, DBSCAN's `eps` and `min_samples`, the `gamma` of the graph."""

    k: int
    eps: float
    min_samples: int
    gamma: float


@dataclass(frozen=True)
class Method:
    """A way to cluster: the function that finds the labels, its lab, and its idea in words."""

    name: str
    find: Callable[[ndarray, Settings, Generator], ndarray]
    lab: str
    seeks: str


def _k_means(X: ndarray, how: Settings, rng: Generator) -> ndarray:
    return lowest_inertia(X, how.k, rng=rng, restarts=10)[1]


def _k_medoids(X: ndarray, how: Settings, rng: Generator) -> ndarray:
    return last(k_medoids(X, how.k, rng=rng, max_iter=affordable_swaps(len(X)))).labels


def _mixture(X: ndarray, how: Settings, rng: Generator) -> ndarray:
    return last(gaussian_mixture(X, how.k, rng=rng)).predict(X)


def _linked(linkage: Any, X: ndarray, how: Settings, rng: Generator) -> ndarray:
    return last(hierarchical_clustering(X, linkage=linkage)).cut(how.k)


def _spectral(X: ndarray, how: Settings, rng: Generator) -> ndarray:
    return last(spectral_clustering(X, how.k, gamma=how.gamma, rng=rng)).labels


def _dbscan(X: ndarray, how: Settings, rng: Generator) -> ndarray:
    return last(dbscan(X, eps=how.eps, min_samples=how.min_samples)).labels


TREE, CHAINS = "hierarchical_clustering", "chains of near neighbours"
FAR, NEAR = "clusters without two points far apart", "clusters whose points are near on average"
METHODS = (
    Method("k-means", _k_means, "k_means", "points near one centre, their mean"),
    Method("k-medoids", _k_medoids, "k_medoids", "points near one centre, which is one of them"),
    Method("EM, Gaussians", _mixture, "gaussian_mixture", "ellipses, dense in the middle"),
    Method("Ward", partial(_linked, "ward"), TREE, "merges that raise the inertia least"),
    Method("complete", partial(_linked, "complete"), TREE, FAR),
    Method("average", partial(_linked, "average"), TREE, NEAR),
    Method("single", partial(_linked, "single"), TREE, CHAINS),
    Method("spectral", _spectral, "spectral_clustering", "parts of a graph with few edges between"),
    Method("DBSCAN", _dbscan, "dbscan", "dense places, whatever their shape"),
)


@dataclass(frozen=True, eq=False)
class ClusteringStep(Record):
    """What one method finds. `counts` counts pairs of points: the classes first.

    `labels` are numbered after the classes; -1 is noise. `left_out` has the methods that refused
    the data, each with its reason. Event: "nearest to the classes so far", from the second method
    on, if there is more than one class.
    """

    method: Method
    labels: Int[ndarray, " n"]
    counts: PairCounts
    left_out: tuple[tuple[str, str], ...] = ()
    event: str | None = None

    @property
    def clusters(self) -> int:
        """Return the number of clusters, without noise."""
        return len(np.unique(self.labels[self.labels != NOISE]))

    @property
    def noise(self) -> int:
        """Return the number of points in no cluster."""
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
    how = Settings(
        validate.integer("k", k, 1, len(X), high_name="n"),
        validate.number("eps", eps, positive=True),
        validate.integer("min_samples", min_samples, 1),
        validate.number("gamma", gamma, positive=True),
    )
    return _clusterings(X, y, how, rng)


def _clusterings(
    X: Float[ndarray, "n d"], y: Int[ndarray, " n"], how: Settings, rng: Generator
) -> Iterator[ClusteringStep]:
    found: list[tuple[Method, ndarray]] = []
    left_out: list[tuple[str, str]] = []
    for method in METHODS:
        try:
            found.append((method, method.find(X, how, rng)))
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
