"""Spectral clustering: points that many strong edges tie together, found by eigenvectors.

The points are the nodes of a graph. The edge between two of them is the heavier the nearer they
are, and a point's degree is the weight of all its edges:

    w_ij = exp(-gamma || x_i - x_j ||^2)    w_ii = 0          d_i = sum_j w_ij

The normalised Laplacian of the graph is L = I - D^(-1/2) W D^(-1/2). For any vector v

    v.Lv = sum_(i<j) w_ij (v_i / sqrt d_i - v_j / sqrt d_j)^2

so the eigenvectors with the smallest eigenvalues,  L u_j = lambda_j u_j,  change little along heavy
edges. There is an eigenvalue 0 for every piece of the graph that no edge joins to the others. Every
w_ij is above 0, so strictly there is one piece; an eigenvalue up to 1e-9 counts as 0.

    1. the graph        W and D                                         `similarity_graph`
    2. new coordinates  point i gets (u_1i, ..., u_ki) / its length     `rows`
    3. k-means          on these rows, the best of 10 runs              `best_run`

Cost: O(n^2 d) for the graph, O(n^3) for the eigenvectors. More than 1,000 points are too many for
that: then 1,000 of them, evenly chosen in their order, make the graph, and every other point x gets

    u_j(x) = sum_i w(x, x_i) u_ji / sqrt(d(x) d_i) / (1 - lambda_j)       (Nystroem)

A point so far from all others that its weights are 0 in floating point is a piece of its own.
(scikit-learn divides by sqrt d_i, where here the rows are brought to length 1.)

Source: CIS787 (004:496), which names it only; Ng, Jordan and Weiss 2001; von Luxburg 2007.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.linalg import eigh

from algorithms.clustering.k_means.k_means import KMeansStep, k_means
from algorithms.core import validate
from algorithms.core.kernels import rbf
from algorithms.core.record import Record
from algorithms.core.signs import signed
from algorithms.core.work import spend

MOST = 1_000  # points of the graph
EIGENVALUES = 12  # at least, to see the gap after the first k
NOTHING = 1e-9  # an eigenvalue up to this counts as 0
ROUNDING = 1e-12  # a row of eigenvectors up to this length is 0
SIGNLESS = 1e-9  # of the largest entry of an eigenvector: entries up to this are 0
TIED = 1e-9  # of n: runs of k-means whose inertia differs by less found the same
KNOWN = 1e-9  # gap times length: from here on rounding errors do not turn a row
AT_ONCE = 500  # further points whose weights are in memory
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
class SimilarityGraph(Record):
    """The graph of the points `learned` and its first eigenvectors; all steps share it.

    `coordinates` has the eigenvectors as columns, for all n points.
    """

    gamma: float
    learned: Int[ndarray, " m"]
    weights: Float[ndarray, "m m"]
    degrees: Float[ndarray, " m"]
    eigenvalues: Float[ndarray, " r"]
    coordinates: Float[ndarray, "n r"]

    @property
    def pieces(self) -> int:
        """Return the number of eigenvalues found that count as 0."""
        return int(np.count_nonzero(self.eigenvalues <= NOTHING))

    @property
    def widest_gap(self) -> int:
        """Return the number of eigenvalues before the widest gap; 0 if there is only one."""
        return int(np.diff(self.eigenvalues).argmax()) + 1 if len(self.eigenvalues) > 1 else 0

    @property
    def half_weight(self) -> float:
        """Return the distance at which an edge weighs one half."""
        return float(np.sqrt(np.log(2) / self.gamma))

    def heaviest_edges(self, links: int) -> Int[ndarray, "e 2"]:
        """Return the pairs of places in `learned` that some point has among its heaviest edges."""
        m = len(self.weights)
        apart = np.where(np.eye(m, dtype=bool), np.inf, -self.weights)
        ends = apart.argsort(axis=1, kind="stable")[:, : min(links, m - 1)]
        pairs = np.column_stack([np.repeat(np.arange(m), ends.shape[1]), ends.ravel()])
        return np.unique(np.sort(pairs, axis=1), axis=0)


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

    def certain(self) -> dict[str, Any]:
        """Return the eigenvalues, and the clusters without their numbers where determined.

        Eigenvectors of equal eigenvalues turn into each other by rounding errors alone.
        """
        found: dict[str, Any] = {"phase": self.phase, "eigenvalues": self.eigenvalues}
        return found | ({"grouping": self.grouping} if self.determined else {})


def similarity_graph(X: Float[ndarray, "n d"], k: int, gamma: float) -> SimilarityGraph:
    """Return the graph of the points, and the eigenvectors of its normalised Laplacian."""
    n = len(X)
    learned = np.linspace(0, n - 1, min(n, MOST)).round().astype(int)
    W = rbf(gamma)(X[learned], X[learned])
    np.fill_diagonal(W, 0.0)
    degrees, m = W.sum(axis=1), len(learned)
    most = min(m, max(k + 1, EIGENVALUES))
    eigenvalues, vectors = eigh(laplacian(W, degrees), subset_by_index=(0, most - 1))
    eigenvalues = eigenvalues.clip(0, 2)  # as all of them are, but for rounding
    coordinates = vectors = signed(vectors)
    if m < n:
        coordinates = _extended(X, learned, gamma, degrees, (eigenvalues, vectors))
    return SimilarityGraph(gamma, learned, W, degrees, eigenvalues, coordinates)


def laplacian(W: Float[ndarray, "m m"], degrees: Float[ndarray, " m"]) -> Float[ndarray, "m m"]:
    """L <- I - D^(-1/2) W D^(-1/2). The row of a point without any weight is 0."""
    inverse = _inverse_root(degrees)
    return np.diag((degrees > 0).astype(float)) - inverse[:, None] * W * inverse


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


def _inverse_root(degrees: Float[ndarray, " m"]) -> Float[ndarray, " m"]:
    """Return 1 / sqrt d, and 0 for a degree of 0."""
    root = np.sqrt(degrees)
    return np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)


def _extended(
    X: Float[ndarray, "n d"],
    learned: Int[ndarray, " m"],
    gamma: float,
    degrees: Float[ndarray, " m"],
    eigen: tuple[Float[ndarray, " r"], Float[ndarray, "m r"]],
) -> Float[ndarray, "n r"]:
    """Return the eigenvectors for all points, from those of the points `learned` (Nystroem).

    eigen : eigenvalues and eigenvectors of the graph.
    """
    (eigenvalues, vectors), inverse = eigen, _inverse_root(degrees)
    coordinates = np.empty((len(X), len(eigenvalues)))
    coordinates[learned] = vectors
    others = np.setdiff1d(np.arange(len(X)), learned)
    for first in range(0, len(others), AT_ONCE):
        block = others[first : first + AT_ONCE]
        spend(20.0 * len(block) * len(learned))
        weights = rbf(gamma)(X[block], X[learned])
        weights *= _inverse_root(weights.sum(axis=1))[:, None] * inverse
        coordinates[block] = weights @ vectors / np.maximum(1 - eigenvalues, NOTHING)
    return coordinates
