"""Locally linear embedding: a map on which every point is the same mixture of its neighbours.

A small part of a bent sheet is almost flat. So a point is almost a weighted mean of its k nearest
points j, and the weights say where it is among them, however the part is turned in space:

    1. the neighbours  the k nearest points of every point                  `nearest`
    2. the weights     w_i minimises || x_i - sum_j w_ij x_j ||^2 with sum_j w_ij = 1, so
                       (C + r I) w_i ~ 1,  C_jl = (x_j - x_i) . (x_l - x_i)   `weights_of`
    3. the map         minimises sum_i || z_i - sum_j w_ij z_j ||^2, one axis a step:
                       M v = lambda v,  M = (I - W)^T (I - W)                 `flattest`

With more neighbours than columns, C has no inverse, and many weights would do. r = reg trace C
makes them unique. Without r the points themselves would be a map without any error, bent as they
are. The axes are the eigenvectors with the smallest eigenvalues, all of length 1. The constant
vector has the eigenvalue 0 and puts all points on one spot, so it is left out.

If no neighbour joins one piece of the data to another, each piece could be on a spot of its own
without any error: an axis does that instead of showing a sheet.

Cost: O(n^2 d) for the neighbours, O(n k^2 (k + d)) for the weights, O(n^3) an axis.

Source: Roweis and Saul 2000. 20APC3316 (002:1989) has Isomap, which keeps all ways instead.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.linalg import eigh
from scipy.spatial.distance import cdist

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.core.signs import signed
from algorithms.core.work import spend
from algorithms.reduction.unrolling.isomap import joined_by, nearest, pieces

Event = Literal["in pieces", "finished"]


def locally_linear_embedding(
    X: Float[ndarray, "n d"], *, n_neighbors: int, n_components: int = 2, reg: float = 1e-3
) -> Iterator["LocallyLinearStep"]:
    """Find the neighbours, then the weights that rebuild every point, then add the axes.

    Raises ValueError, at the call, unless 1 <= n_neighbors < n, 1 <= n_components < n and reg > 0.
    """
    X = validate.points(X)
    n = len(X)
    k = validate.integer("n_neighbors", n_neighbors, 1, n - 1, high_name="n - 1")
    c = validate.integer("n_components", n_components, 1, n - 1, high_name="n - 1")
    reg = validate.number("reg", reg, positive=True)
    spend(10.0 * n * k**3)
    neighbors = nearest(cdist(X, X), k)
    parts = int(pieces(joined_by(neighbors)).max()) + 1
    event = "in pieces" if parts > 1 else None
    first = LocallyLinearStep(
        "neighbors", neighbors, parts, np.zeros((n, n)), 0, np.zeros(c), np.zeros((n, c)), event
    )
    return iterate(first, partial(advance, X, reg), most=1 + c, stopped=None)


def advance(X: Float[ndarray, "n d"], reg: float, step: "LocallyLinearStep") -> "LocallyLinearStep":
    """Find the weights of all points; once they are there, add the next axis."""
    n, c = step.embedding.shape
    if step.phase == "neighbors":
        W = np.zeros((n, n))
        for i, near in enumerate(step.neighbors):
            W[i, near] = weights_of(X[near] - X[i], reg)
        return replace(step, phase="weights", weights=W, event=None)
    spend(10.0 * n**3)
    axes = step.axes + 1
    errors, Z = np.zeros(c), np.zeros((n, c))
    errors[:axes], Z[:, :axes] = flattest(step.weights, axes)
    event: Event | None = "finished" if axes == c else None
    return replace(step, phase="map", axes=axes, errors=errors, embedding=Z, event=event)


def weights_of(E: Float[ndarray, "k d"], reg: float) -> Float[ndarray, " k"]:
    """C = E E^T, (C + reg trace(C) I) w ~ 1, sum w = 1, for edges E from a point to its neighbours.

    Equal edges to all neighbours, as from a point on their spot, give equal weights.
    """
    E = E / (np.abs(E).max() or 1.0)  # the weights do not depend on the unit
    C = E @ E.T
    w = np.linalg.solve(C + reg * (np.trace(C) or 1.0) * np.eye(len(E)), np.ones(len(E)))
    return w / w.sum()


def flattest(
    W: Float[ndarray, "n n"], c: int
) -> tuple[Float[ndarray, " c"], Float[ndarray, "n c"]]:
    """M v = lambda v for the c smallest eigenvalues, without that of the constant vector.

    The constant vector gets an eigenvalue above all others.
    """
    R = np.eye(len(W)) - W
    M = R.T @ R
    highest = 2 * np.abs(M).sum(axis=1).max()  # above the largest eigenvalue
    errors, V = eigh(M + highest / len(M), subset_by_index=(0, c - 1))
    return errors.clip(0), signed(V)


@dataclass(frozen=True, eq=False)
class LocallyLinearStep(Record):
    """The weights, 0 before they are found, and the map with its first `axes` axes.

    `pieces` is the number of pieces of the graph that joins neighbours. `errors` has, for every
    axis, the sum of (z_i - sum_j w_ij z_j)^2, which is its eigenvalue.
    """

    is_model = False

    phase: Literal["neighbors", "weights", "map"]
    neighbors: Int[ndarray, "n k"]
    pieces: int
    weights: Float[ndarray, "n n"]
    axes: int
    errors: Float[ndarray, " c"]
    embedding: Float[ndarray, "n c"]
    event: Event | None = None

    def certain(self) -> dict[str, Any]:
        """Return the neighbours and the weights, which do not depend on rounding errors."""
        return {"phase": self.phase, "neighbors": self.neighbors, "weights": self.weights}
