"""Weighted-vote relational neighbour: labels spread over a graph, from neighbour to neighbour.

The points are the nodes. Two of them are joined if one is among the k nearest of the other:

    w_ij = 1, or exp(-(d_ij / s)^2) with the median length s of all edges      `graph`

A few labels are known, and stay. In each round, every other point takes the weighted mean of what
its neighbours say, all at once; a neighbour without a label yet does not vote:

    p_i(c) <- sum_j w_ij p_j(c) / sum_j w_ij,   over the neighbours j that have a label   `advance`

A label is the class with the largest share. The rounds tend to the shares at which every p_i is the
mean of its neighbours; a piece of the graph in which nothing is known never gets a label.

Cost: O(n log n) for the graph, O(edges x classes) a round.

Source: CIS787 (004:426), which weighs all edges alike; Macskassy and Provost 2003; Zhu, Ghahramani
and Lafferty 2003.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from scipy.sparse import csr_array
from scipy.spatial import KDTree

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

WEIGHTS = ("alike", "nearer more")

Event = Literal["every point has a label", "converged", "stopped at max_iter"]


def relational_neighbor(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    known: Bool[ndarray, " n"],
    *,
    n_neighbors: int,
    weights: str = "alike",
    max_iter: int = 300,
    tol: float = 1e-3,
) -> Iterator["RoundStep"]:
    """Spread the labels of the known points over the graph, a round a step.

    Only the labels of `known` points are used.

    Raises ValueError, at the call, unless there are at least two classes, a known point, and
    1 <= n_neighbors < n, and everything is finite.
    """
    X = validate.points(X)
    n = len(X)
    classes, codes = validate.labels(y, n)
    k = validate.integer("n_neighbors", n_neighbors, 1, n - 1, high_name="n - 1")
    max_iter = validate.integer("max_iter", max_iter, 1)
    tol = validate.number("tol", tol)
    known = np.asarray(known, bool)
    if known.shape != (n,) or not known.any():
        raise ValueError(f"known must mark at least one of n={n} points, got {known.sum()}")
    W = matrix(*graph(X, k, weights), n)
    shares = np.eye(len(classes))[codes] * known[:, None]
    first = RoundStep(classes, shares, int(known.sum()))
    return iterate(first, partial(advance, W, known, tol), most=max_iter)


def graph(
    X: Float[ndarray, "n d"], k: int, weights: str
) -> tuple[Int[ndarray, "e 2"], Float[ndarray, " e"]]:
    """Return the edges, the smaller index first, and their weights."""
    validate.choice("weights", weights, WEIGHTS)
    near = np.asarray(KDTree(X).query(X, k + 1)[1])
    others = near != np.arange(len(X))[:, None]  # copies of a point may hide it among its nearest
    others &= others.cumsum(axis=1) <= k
    starts, places = np.nonzero(others)
    edges = np.unique(np.sort(np.column_stack([starts, near[starts, places]]), axis=1), axis=0)
    length = np.sqrt(np.square(X[edges[:, 0]] - X[edges[:, 1]]).sum(axis=1))
    s = float(np.median(length))
    return edges, np.exp(-((length / s) ** 2)) if weights != "alike" and s else np.ones(len(edges))


def matrix(edges: Int[ndarray, "e 2"], w: Float[ndarray, " e"], n: int) -> csr_array:
    """Return w_ij as a symmetric matrix with few entries."""
    i, j = np.concatenate([edges, edges[:, ::-1]]).T
    return csr_array((np.concatenate([w, w]), (i, j)), shape=(n, n))


def advance(W: csr_array, known: Bool[ndarray, " n"], tol: float, step: "RoundStep") -> "RoundStep":
    """p_i(c) <- sum_j w_ij p_j(c) / sum_j w_ij, over neighbours with a label."""
    votes = np.asarray(W @ step.shares)
    total = votes.sum(axis=1, keepdims=True)
    mean = np.divide(votes, total, out=np.zeros_like(votes), where=total > 0)
    shares = np.where(known[:, None], step.shares, mean)
    change = float(np.abs(shares - step.shares).max())
    reached = shares.max(axis=1) > 0
    event: Event | None = "converged" if change <= tol else None
    if event is None and reached.all() and not step.reached.all():
        event = "every point has a label"
    gained = int(np.count_nonzero(reached & ~step.reached))
    return RoundStep(step.classes, shares, gained, change, event)


@dataclass(frozen=True, eq=False)
class RoundStep(Record):
    """The share of every class at every point; 0 for all where there is no label yet.

    gained : points that have their first label. change : the largest change of a share. Events:
    "every point has a label"; "converged", when no share has changed by more than tol.
    """

    classes: Int[ndarray, " c"]
    shares: Float[ndarray, "n c"]
    gained: int
    change: float = 1.0
    event: Event | None = None

    @property
    def reached(self) -> Bool[ndarray, " n"]:
        """Return which points have a label."""
        return self.shares.max(axis=1) > 0

    @property
    def labels(self) -> Int[ndarray, " n"]:
        """Return the class with the largest share, the first of equal ones; -1 for none yet."""
        return np.where(self.reached, self.classes[self.shares.argmax(axis=1)], -1)

    def certain(self) -> dict[str, Any]:
        """Return the shares, which rounding errors hardly change."""
        return {"shares": self.shares}
