"""Spectral clustering: points that many strong edges tie together, found by eigenvectors.

The points are the nodes of a graph. The edge between two of them is the heavier the nearer they
are, and a point's degree is the weight of all its edges:

    w_ij = exp(-gamma || x_i - x_j ||^2)    w_ii = 0          d_i = sum_j w_ij

The normalised Laplacian of the graph is L = I - D^(-1/2) W D^(-1/2). For any vector v

    v.Lv = sum_(i<j) w_ij (v_i / sqrt d_i - v_j / sqrt d_j)^2

so the eigenvectors with the smallest eigenvalues,  L u_j = lambda_j u_j,  change little along heavy
edges. There is an eigenvalue 0 for every piece of the graph that no edge joins to the others.

    1. the graph        W and D
    2. new coordinates  point i gets (u_1i, ..., u_ki), divided by its length
    3. k-means          on these rows, the best of 10 runs

Cost: O(n^2 d) for the graph, O(n^3) for the eigenvectors. More than 1,000 points are too many for
that: then 1,000 of them, evenly chosen in their order, make the graph, and every other point x gets

    u_j(x) = sum_i w(x, x_i) u_ji / sqrt(d(x) d_i) / (1 - lambda_j)       (Nystroem)

A point without any weight, so far is it from all others, is a piece of its own. (scikit-learn
divides by sqrt d_i, where here the rows are brought to length 1.)

Source: CIS787 (004:496), which names it only; Ng, Jordan and Weiss 2001; von Luxburg 2007.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.linalg import eigh

from algorithms.clustering.k_means import KMeansStep, k_means
from algorithms.core import validate
from algorithms.core.kernels import rbf
from algorithms.core.record import Record

MOST = 1_000  # points of the graph
EIGENVALUES = 12  # found at least, to see the gap after the first k
NOTHING = 1e-9  # an eigenvalue up to this is 0
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
    yield SpectralStep("graph", graph, _rows(graph, k, 0), start, event=event)
    for j in range(1, k + 1):
        event = "all coordinates" if j == k else None
        yield SpectralStep("eigenvector", graph, _rows(graph, k, j), start, j=j, event=event)
    embedding = _rows(graph, k, k)
    for half in best_run(embedding, k, rng):
        ended = half.event if half.event in ("converged", "stopped at max_iter") else None
        yield SpectralStep("k-means", graph, embedding, half.labels, k, half, ended)


@dataclass(frozen=True, eq=False)
class SimilarityGraph(Record):
    """The graph of the points `learned` and its first eigenvectors; all steps share it.

    `coordinates` are the eigenvectors as columns, for all n points.
    """

    gamma: float
    learned: Int[ndarray, " m"]
    weights: Float[ndarray, "m m"]
    degrees: Float[ndarray, " m"]
    eigenvalues: Float[ndarray, " r"]
    coordinates: Float[ndarray, "n r"]

    @property
    def pieces(self) -> int:
        """How many of the eigenvalues that were found are 0."""
        return int(np.count_nonzero(self.eigenvalues <= NOTHING))

    @property
    def widest_gap(self) -> int:
        """After how many eigenvalues the next one is the farthest away; 0 if there is only one."""
        return int(np.diff(self.eigenvalues).argmax()) + 1 if len(self.eigenvalues) > 1 else 0


@dataclass(frozen=True, eq=False)
class SpectralStep(Record):
    """What is known after the graph, after `j` eigenvectors, or after a half-step of k-means.

    `embedding` has the rows of the first `j` eigenvectors, brought to length 1, and 0 in further
    columns. All labels are 0 until k-means begins; `half_step` is its own step.
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
        """The smallest eigenvalues of the Laplacian, ascending: the first k and some more."""
        return self.graph.eigenvalues


def similarity_graph(X: Float[ndarray, "n d"], k: int, gamma: float) -> SimilarityGraph:
    """Return the graph of the points, and the eigenvectors of its normalised Laplacian."""
    n = len(X)
    learned = np.linspace(0, n - 1, min(n, MOST)).round().astype(int)
    weights = rbf(gamma)(X[learned], X[learned])
    np.fill_diagonal(weights, 0.0)
    degrees, m = weights.sum(axis=1), len(learned)
    inverse = _inverse_root(degrees)
    laplacian = np.diag((degrees > 0).astype(float)) - inverse[:, None] * weights * inverse
    most = min(m, max(k + 1, EIGENVALUES))
    eigenvalues, vectors = eigh(laplacian, subset_by_index=(0, most - 1))
    eigenvalues = eigenvalues.clip(0, 2)  # as all of them are, but for rounding
    heaviest = np.abs(vectors).argmax(axis=0)
    vectors *= np.sign(vectors[heaviest, np.arange(most)])
    coordinates = vectors if m == n else _extended(X, learned, gamma, inverse, eigenvalues, vectors)
    return SimilarityGraph(gamma, learned, weights, degrees, eigenvalues, coordinates)


def best_run(embedding: Float[ndarray, "n k"], k: int, rng: Generator) -> list[KMeansStep]:
    """Return the half-steps of the run of k-means with the lowest inertia."""
    runs = [list(k_means(embedding, k, rng=rng)) for _ in range(RUNS)]
    return min(runs, key=lambda run: run[-1].inertia)


def _inverse_root(degrees: Float[ndarray, " m"]) -> Float[ndarray, " m"]:
    """Return 1 / sqrt d, and 0 for a degree of 0."""
    root = np.sqrt(degrees)
    return np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)


def _extended(
    X: Float[ndarray, "n d"],
    learned: Int[ndarray, " m"],
    gamma: float,
    inverse: Float[ndarray, " m"],
    eigenvalues: Float[ndarray, " r"],
    vectors: Float[ndarray, "m r"],
) -> Float[ndarray, "n r"]:
    """Return the eigenvectors for all points, from those that were learned from (Nystroem)."""
    coordinates = np.empty((len(X), len(eigenvalues)))
    coordinates[learned] = vectors
    others = np.setdiff1d(np.arange(len(X)), learned)
    weights = rbf(gamma)(X[others], X[learned])
    similar = _inverse_root(weights.sum(axis=1))[:, None] * weights * inverse
    coordinates[others] = similar @ vectors / np.maximum(1 - eigenvalues, NOTHING)
    return coordinates


def _rows(graph: SimilarityGraph, k: int, j: int) -> Float[ndarray, "n k"]:
    """Return the rows of the first j eigenvectors at length 1, with zeros up to k columns."""
    rows = np.zeros((len(graph.coordinates), k))
    rows[:, :j] = graph.coordinates[:, :j]
    length = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    return np.divide(rows, length, out=rows, where=length > 0)
