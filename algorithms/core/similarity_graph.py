"""The graph of points with heavier edges between nearer ones, and eigenvectors of its Laplacian.

    w_ij = exp(-gamma || x_i - x_j ||^2)    w_ii = 0    d_i = sum_j w_ij
    L = I - D^(-1/2) W D^(-1/2),   L u_j = lambda_j u_j,   lambda_1 <= lambda_2 <= ...

More than 1,000 points are too many for that: then 1,000 of them, evenly chosen in their order, make
the graph, and every other point x gets

    u_j(x) = sum_i w(x, x_i) u_ji / sqrt(d(x) d_i) / (1 - lambda_j)       (Nystroem)

Cost: O(n^2 d) for the graph, O(n^3) for the eigenvectors.

Source: von Luxburg 2007.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.linalg import eigh

from algorithms.core.kernels import rbf
from algorithms.core.record import Record
from algorithms.core.signs import signed
from algorithms.core.work import spend

MOST = 1_000  # points of the graph
EIGENVALUES = 12  # at least, to see the gap after the first k
NOTHING = 1e-9  # an eigenvalue up to this counts as 0
KNOWN = 1e-9  # gap times length: from here on rounding errors do not turn a row
AT_ONCE = 500  # further points whose weights are in memory


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
    def largest_factor(self) -> int:
        """Return the number of eigenvalues before the largest factor from one to the next.

        Those that count as 0 have no factor; it is 0 if fewer than two are left.
        """
        above = self.eigenvalues[self.eigenvalues > NOTHING]
        if len(above) < 2:
            return 0
        return self.pieces + int((above[1:] / above[:-1]).argmax()) + 1

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


def similarity_graph(X: Float[ndarray, "n d"], k: int, gamma: float) -> SimilarityGraph:
    """Return the graph of the points, and the first eigenvectors of its normalised Laplacian."""
    return decomposed(X, k, gamma)[0]


def decomposed(
    X: Float[ndarray, "n d"], k: int, gamma: float
) -> tuple[SimilarityGraph, Float[ndarray, " m"], Float[ndarray, "m m"]]:
    """Return the graph of the points, and all eigenvalues and eigenvectors of its Laplacian."""
    n = len(X)
    learned = np.linspace(0, n - 1, min(n, MOST)).round().astype(int)
    W = rbf(gamma)(X[learned], X[learned])
    np.fill_diagonal(W, 0.0)
    degrees, m = W.sum(axis=1), len(learned)
    most = min(m, max(k + 1, EIGENVALUES))
    eigenvalues, vectors = eigh(laplacian(W, degrees))
    eigenvalues = eigenvalues.clip(0, 2)  # as all of them are, but for rounding
    vectors = signed(vectors)
    first, coordinates = eigenvalues[:most], vectors[:, :most]
    if m < n:
        coordinates = extended(X, learned, gamma, degrees, (first, coordinates))
    graph = SimilarityGraph(gamma, learned, W, degrees, first, coordinates)
    return graph, eigenvalues, vectors


def laplacian(W: Float[ndarray, "m m"], degrees: Float[ndarray, " m"]) -> Float[ndarray, "m m"]:
    """L <- I - D^(-1/2) W D^(-1/2). The row of a point without any weight is 0."""
    inverse = _inverse_root(degrees)
    return np.diag((degrees > 0).astype(float)) - inverse[:, None] * W * inverse


def _inverse_root(degrees: Float[ndarray, " m"]) -> Float[ndarray, " m"]:
    """Return 1 / sqrt d, and 0 for a degree of 0."""
    root = np.sqrt(degrees)
    return np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)


def extended(
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
