"""Spectral clustering: points that many strong edges tie together, found by eigenvectors.

The points are the nodes of a graph. The edge between two of them is the heavier the nearer they
are, and a point's degree is the weight of all its edges:

    w_ij = exp(-gamma || x_i - x_j ||^2)    w_ii = 0          d_i = sum_j w_ij

The normalised Laplacian of the graph is L = I - D^(-1/2) W D^(-1/2). For any vector v

    v.Lv = sum_(i<j) w_ij (v_i / sqrt d_i - v_j / sqrt d_j)^2

so the eigenvectors with the smallest eigenvalues,  L u_j = lambda_j u_j,  change little along heavy
edges. There is an eigenvalue 0 for every piece of the graph that no edge joins to the others. Every
w_ij is above 0, so strictly there is one piece; an eigenvalue up to 1e-9 counts as 0.

    1. the graph        W, D and L, in core/similarity_graph.py         `similarity_graph`
    2. new coordinates  point i gets (u_1i, ..., u_ki) / its length     `rows`
    3. k-means          on these rows, the best of 10 runs              `best_run`

Cost: O(n^2 d) for the graph, O(n^3) for the eigenvectors. More than 1,000 points are too many for
that: see similarity_graph.py for the others, which get their rows from the eigenvectors of 1,000.

A point so far from all others that its weights are 0 in floating point is a piece of its own.
(scikit-learn divides by sqrt d_i, where here the rows are brought to length 1.)

Source: CIS787 (004:496), which names it only; Ng, Jordan and Weiss 2001; von Luxburg 2007.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.k_means.k_means import KMeansStep, k_means
from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.core.similarity_graph import KNOWN, SimilarityGraph, similarity_graph

ROUNDING = 1e-12  # a row of eigenvectors up to this length is 0
SIGNLESS = 1e-9  # of the largest entry of an eigenvector: entries up to this are 0
TIED = 1e-9  # of n: runs of k-means whose inertia differs by less found the same
RUNS = 10  # of k-means

Event = Literal["more pieces than clusters", "all coordinates", "converged", "stopped at max_iter"]


def spectral_clustering(
    X: Float[ndarray, "n d"], k: int, *, gamma: float, rng: Generator
) -> Iterator["SpectralStep"]:
    """Build the graph, find one eigenvector after the other, then run k-means on their rows.

    A step for the graph, k for the eigenvectors, and one for every half-step of k-means; `rng`
    draws its starts. `gamma` is in the unit of X, to the power -2.

    Raises ValueError, at the call, unless 1 <= k <= n, gamma > 0 and everything is finite.
    """
    X = validate.points(X)
    k = validate.integer("k", k, 1, len(X), high_name="n")
    gamma = validate.number("gamma", gamma, positive=True)
    return _spectral(X, k, gamma, rng)


def _spectral(
    X: Float[ndarray, "n d"], k: int, gamma: float, rng: Generator
) -> Iterator["SpectralStep"]:
    graph = similarity_graph(X, k, gamma)
    start = np.zeros(len(X), int)
    event: Event | None = "more pieces than clusters" if graph.pieces > k else None
    yield SpectralStep("graph", graph, rows(graph, k, 0), start, event=event)
    for j in range(1, k + 1):
        event = "all coordinates" if j == k else None
        yield SpectralStep("eigenvector", graph, rows(graph, k, j), start, j=j, event=event)
    embedding = rows(graph, k, k)
    for half in best_run(embedding, k, rng):
        ended = half.event if half.event in ("converged", "stopped at max_iter") else None
        yield SpectralStep("k-means", graph, embedding, half.labels, k, half, ended)


@dataclass(frozen=True, eq=False)
class SpectralStep(Record):
    """What is known after the graph, after `j` eigenvectors, or after a half-step of k-means.

    `embedding` has the rows of the first `j` eigenvectors at length 1, and 0 in further columns.
    All labels are 0 until k-means begins; `half_step` is the step of k-means.
    """

    phase: Literal["graph", "eigenvector", "k-means"]
    graph: SimilarityGraph
    embedding: Float[ndarray, "n k"]
    labels: Int[ndarray, " n"]
    j: int = 0
    half_step: KMeansStep | None = None
    event: Event | None = None

    @property
    def eigenvalues(self) -> Float[ndarray, " r"]:
        """Return the smallest eigenvalues of the Laplacian, ascending: the first k, and more."""
        return self.graph.eigenvalues

    @property
    def entries(self) -> Float[ndarray, " n"]:
        """Return the entries of eigenvector `j`; entries that are only rounding are 0."""
        entries = self.graph.coordinates[:, self.j - 1]
        return np.where(np.abs(entries) > SIGNLESS * np.abs(entries).max(), entries, 0.0)

    def spread(self, group: Bool[ndarray, " n"]) -> float:
        """Return how far some points are from their mean at most, in the new coordinates."""
        rows = self.embedding[group]
        return float(np.linalg.norm(rows - rows.mean(axis=0), axis=1).max())

    @property
    def grouping(self) -> Int[ndarray, " n"]:
        """Return the labels, numbered by the first point of each cluster."""
        _, first, codes = np.unique(self.labels, return_index=True, return_inverse=True)
        return first.argsort().argsort()[codes]

    @property
    def determined(self) -> bool:
        """Return whether the gap after the first k eigenvalues is wide enough to fix all rows.

        If it is not, rounding errors mix eigenvectors among the first k with others.
        """
        k = self.embedding.shape[1]
        gap = float(np.diff(self.eigenvalues)[k - 1]) if k < len(self.eigenvalues) else 1.0
        length = np.sqrt(np.square(self.graph.coordinates[:, :k]).sum(axis=1))
        return gap * float(length[length > ROUNDING].min(initial=1.0)) > KNOWN

    def renumbered(self, order: Int[ndarray, " k"]) -> "SpectralStep":
        """Return the same step, with cluster `order[j]` of k-means as number j."""
        if self.half_step is None:
            return self
        half = self.half_step.renumbered(order)
        return replace(self, labels=half.labels, half_step=half)

    def certain(self) -> dict[str, Any]:
        """Return the eigenvalues, and the clusters without their numbers where determined.

        Eigenvectors of equal eigenvalues turn into each other by rounding errors alone.
        """
        found: dict[str, Any] = {"phase": self.phase, "eigenvalues": self.eigenvalues}
        return found | ({"grouping": self.grouping} if self.determined else {})


def rows(graph: SimilarityGraph, k: int, j: int) -> Float[ndarray, "n k"]:
    """Return the rows of the first j eigenvectors at length 1, with zeros up to k columns."""
    found = np.zeros((len(graph.coordinates), k))
    found[:, :j] = graph.coordinates[:, :j]
    length = np.sqrt(np.square(found).sum(axis=1, keepdims=True))
    found[length[:, 0] <= ROUNDING] = 0.0
    return np.divide(found, length, out=found, where=length > ROUNDING)


def best_run(embedding: Float[ndarray, "n k"], k: int, rng: Generator) -> list[KMeansStep]:
    """Return the half-steps of the run of k-means with the lowest inertia, in a tie the first.

    Runs that end in the same place differ in their steps. Rounding must not choose among them.
    """
    runs = [list(k_means(embedding, k, rng=rng)) for _ in range(RUNS)]
    least = min(run[-1].inertia for run in runs)
    return next(run for run in runs if run[-1].inertia <= least + TIED * len(embedding))
