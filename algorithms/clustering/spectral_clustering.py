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
    2. smoothing        every point begins with k random numbers; in a  `smoothed`
                        round, it keeps half of them and takes half of
                        its neighbours' mean
    3. new coordinates  point i gets (u_1i, ..., u_ki) / its length     `rows`
    4. k-means          on these rows, the best of 10 runs              `best_run`

The smoothing shows where the eigenvectors come from. With V = D^(1/2) times the numbers, a round is

    V <- (I - L/2) V,   after t rounds   V = sum_j (1 - lambda_j / 2)^t u_j (u_j.V_0)

so eigenvectors with large eigenvalues fade first. The k columns of V are then brought to right
angles at length 1, and turned so that they are as near as possible to u_1, ..., u_k. The rounds
double until what is left of u_(k+1) is a hundredth of what is left of u_k. Steps 3 and 4 use the
eigenvectors themselves.

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
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.k_means.k_means import KMeansStep, k_means
from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.core.similarity_graph import KNOWN, SimilarityGraph, decomposed, extended

ROUNDING = 1e-12  # a row of eigenvectors up to this length is 0
SIGNLESS = 1e-9  # of the largest entry of an eigenvector: entries up to this are 0
TIED = 1e-9  # of n: runs of k-means whose inertia differs by less found the same
RUNS = 10  # of k-means
FADED = 1e-2  # of what is left of u_k: so little of u_(k+1) is left after the last round
LEFT = 1e-12  # of u_k, at least: with less, rounding errors would replace it
DOUBLINGS = 14  # of the number of rounds, at most

Event = Literal["more pieces than clusters", "all coordinates", "converged", "stopped at max_iter"]


def spectral_clustering(
    X: Float[ndarray, "n d"], k: int, *, gamma: float, rng: Generator
) -> Iterator["SpectralStep"]:
    """Build the graph, smooth random numbers along it, then run k-means on its eigenvectors.

    A step for the graph, one for 1, 2, 4, ... rounds of smoothing, one for the eigenvectors, and
    one for every half-step of k-means. `rng` draws the numbers and the starts of k-means. `gamma`
    is in the unit of X, to the power -2.

    Raises ValueError, at the call, unless 1 <= k <= n, gamma > 0 and everything is finite.
    """
    X = validate.points(X)
    k = validate.integer("k", k, 1, len(X), high_name="n")
    gamma = validate.number("gamma", gamma, positive=True)
    return _spectral(X, k, gamma, rng)


def _spectral(
    X: Float[ndarray, "n d"], k: int, gamma: float, rng: Generator
) -> Iterator["SpectralStep"]:
    graph, eigenvalues, U = decomposed(X, k, gamma)
    none = np.zeros(len(X), int)
    V = rng.spawn(1)[0].normal(size=(len(U), k))
    event: Event | None = "more pieces than clusters" if graph.pieces > k else None
    for t in rounds(eigenvalues, k):
        numbers = smoothed(V, t, eigenvalues, U)
        if len(U) < len(X):  # the other points take the mean of those in the graph
            numbers = extended(X, graph.learned, gamma, graph.degrees, (np.zeros(k), numbers))
        phase = "smoothing" if t else "graph"
        yield SpectralStep(phase, graph, rows(numbers), none, t, event=event)
        event = None
    embedding = rows(graph.coordinates[:, :k])
    yield SpectralStep("eigenvectors", graph, embedding, none, event="all coordinates")
    for half in best_run(embedding, k, rng):
        ended = half.event if half.event in ("converged", "stopped at max_iter") else None
        yield SpectralStep("k-means", graph, embedding, half.labels, None, half, ended)


@dataclass(frozen=True, eq=False)
class SpectralStep(Record):
    """What is known after `t` rounds of smoothing, in the end, or after a half-step of k-means.

    `embedding` has the points' numbers, as rows of length 1: those after `t` rounds, and in the end
    (`t` is None) the entries of the first k eigenvectors. All labels are 0 until k-means begins;
    `half_step` is the step of k-means.
    """

    phase: Literal["graph", "smoothing", "eigenvectors", "k-means"]
    graph: SimilarityGraph
    embedding: Float[ndarray, "n k"]
    labels: Int[ndarray, " n"]
    t: int | None = None
    half_step: KMeansStep | None = None
    event: Event | None = None

    @property
    def eigenvalues(self) -> Float[ndarray, " r"]:
        """Return the smallest eigenvalues of the Laplacian, ascending: the first k, and more."""
        return self.graph.eigenvalues

    @property
    def numbers(self) -> Float[ndarray, " n"]:
        """Return the second number of every point, or the only one; if only rounding, it is 0."""
        second = self.embedding[:, min(1, self.embedding.shape[1] - 1)]
        return np.where(np.abs(second) > SIGNLESS * np.abs(second).max(), second, 0.0)

    @property
    def left(self) -> Float[ndarray, " r"]:
        """Return what is left of every eigenvector: (1 - lambda_j / 2)^t, in the end 1 or 0."""
        if self.t is None:
            return (np.arange(len(self.eigenvalues)) < self.embedding.shape[1]).astype(float)
        return (1 - self.eigenvalues / 2) ** self.t

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


def rounds(eigenvalues: Float[ndarray, " m"], k: int) -> list[int]:
    """Return 0, 1, 2, 4, ... until only the first k eigenvectors are left."""
    slow = np.log1p(-eigenvalues[: k + 1].clip(0, 1.99) / 2)  # of what is left, per round
    fades = slow[-1] - slow[k - 1] if k < len(eigenvalues) else -1.0
    enough = np.log(FADED) / min(fades, -(2.0**-DOUBLINGS))
    most = np.log(LEFT) / min(slow[k - 1], -(2.0**-DOUBLINGS))
    doublings = int(np.ceil(np.log2(max(min(enough, most), 1.0))).clip(0, DOUBLINGS))
    return [0, *(2**i for i in range(doublings + 1))]


def smoothed(
    V: Float[ndarray, "m k"], t: int, eigenvalues: Float[ndarray, " m"], U: Float[ndarray, "m m"]
) -> Float[ndarray, "m k"]:
    """V <- (I - L/2)^t V, with columns at right angles, turned to the first k eigenvectors."""
    Q = np.linalg.qr((1 - eigenvalues / 2)[:, None] ** t * (U.T @ V))[0]
    A, _, B = np.linalg.svd(Q[: Q.shape[1]])
    return U @ (Q @ (A @ B).T)


def rows(V: Float[ndarray, "n k"]) -> Float[ndarray, "n k"]:
    """Return the rows at length 1; those that are only rounding become 0."""
    found = V.copy()
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
