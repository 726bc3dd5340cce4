"""k-means clustering by Lloyd's algorithm.

Objective (the inertia), over the centres mu_1..mu_k and the label l_i of every point:

    J(mu, l) = sum_i || x_i - mu_(l_i) ||^2

Update rule: lower J over one argument while the other is held, alternately,

    assign:  l_i  <- the j with the smallest || x_i - mu_j ||^2       (the first one in a tie)
    move:    mu_j <- the mean of the points with l_i = j              (without points it stays)

until no label changes. Neither half-step can raise J and there are finitely many labellings, so
the run ends, in a local minimum that depends on where the centres start. Minimising J itself is
NP-hard.

Cost of one assign and one move: O(n k d).

scikit-learn moves the centre of an empty cluster to a far away point; here it stays, and the event
says so. First centres: _seeding.py (k-means++). Many runs at once: many_starts.py.

Source: CS725 13.2-13.3 (000:2303), CS337 (003:1660), Lloyd 1982.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.spatial.distance import cdist

from algorithms.clustering.k_means._half_steps import least
from algorithms.clustering.k_means._seeding import plus_plus
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

MAX_ITER = 100

Event = Literal["empty cluster", "converged", "stopped at max_iter", "moved by hand"]


def k_means(
    X: Float[ndarray, "n d"],
    k: int,
    *,
    rng: Generator,
    init: str | Float[ndarray, "k d"] = "k-means++",
    max_iter: int = MAX_ITER,
) -> Iterator["KMeansStep"]:
    """Alternate `assign` and `move` until no label changes.

    The first step assigns the points to the initial centres; then come at most `max_iter` pairs of
    a move and an assign, so the last step always is an assign, and its labels are what its
    `predict` says. `init` is "k-means++", "random" (k different points) or the (k, d) centres.

    Raises ValueError, at the call, unless 1 <= k <= n and everything is finite.
    """
    X = validate.points(X)
    k = validate.integer("k", k, 1, len(X), high_name="n")
    max_iter = validate.integer("max_iter", max_iter, 1)
    centers = _initial_centers(X, k, init, rng)
    first = KMeansStep("assign", centers, *assign(X, centers))
    if not first.sizes.all():
        first = replace(first, event="empty cluster")
    return iterate(first, partial(advance, X), most=2 * max_iter)


def advance(X: Float[ndarray, "n d"], step: "KMeansStep") -> "KMeansStep":
    """Return the half-step that follows `step`."""
    if step.phase == "assign":
        centers = move(X, step.labels, step.centers)
        return KMeansStep("move", centers, step.labels, inertia(X, centers, step.labels))
    labels, J = assign(X, step.centers)
    return KMeansStep("assign", step.centers, labels, J, _event(step, labels))


def assign(
    X: Float[ndarray, "n d"], centers: Float[ndarray, "k d"]
) -> tuple[Int[ndarray, " n"], float]:
    """l_i <- the j with the smallest || x_i - mu_j ||^2. Return the labels and J."""
    labels, squares = least(cdist(centers, X, "sqeuclidean"))
    return labels, float(squares.sum())


def move(
    X: Float[ndarray, "n d"], labels: Int[ndarray, " n"], centers: Float[ndarray, "k d"]
) -> Float[ndarray, "k d"]:
    """mu_j <- the mean of the points with l_i = j. Return the new centres."""
    mine = labels == np.arange(len(centers))[:, None]  # (k, n)
    sizes = np.maximum(mine.sum(axis=1, keepdims=True), 1)
    # As the old centre plus the mean offset from it: accurate far from the origin.
    return centers + mine @ (X - centers[labels]) / sizes


def inertia(
    X: Float[ndarray, "n d"], centers: Float[ndarray, "k d"], labels: Int[ndarray, " n"]
) -> float:
    """Return J = sum_i || x_i - mu_(l_i) ||^2."""
    return float(np.square(X - centers[labels]).sum())


def by_hand(
    X: Float[ndarray, "n d"], centers: Float[ndarray, "k d"], step: "KMeansStep"
) -> "KMeansStep":
    """Return what follows `step` when the centres are put at other places: an assign.

    Raises ValueError unless there are k finite places.
    """
    centers = _placed("centers", centers, *step.centers.shape)
    return KMeansStep("assign", centers, *assign(X, centers), event="moved by hand")


@dataclass(frozen=True, eq=False)
class KMeansStep(Record):
    """One half-step of Lloyd's algorithm; also a model, since `predict` works at every step.

    `labels` has the cluster of every point, `inertia` is J of these centres and labels.
    """

    phase: Literal["assign", "move"]
    centers: Float[ndarray, "k d"]
    labels: Int[ndarray, " n"]
    inertia: float
    event: Event | None = None

    @property
    def sizes(self) -> Int[ndarray, " k"]:
        """Return the number of points in every cluster."""
        return np.bincount(self.labels, minlength=len(self.centers))

    def renumbered(self, order: Int[ndarray, " k"]) -> "KMeansStep":
        """Return the same step, with cluster `order[j]` as number j."""
        return replace(self, centers=self.centers[order], labels=np.argsort(order)[self.labels])

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the index of the nearest centre of every row of `X`."""
        return assign(X, self.centers)[0]


def _event(before: KMeansStep, labels: Int[ndarray, " n"]) -> Event | None:
    if (labels == before.labels).all():
        return "converged"
    emptied = (before.sizes > 0) & (np.bincount(labels, minlength=len(before.centers)) == 0)
    return "empty cluster" if emptied.any() else None


def _initial_centers(
    X: Float[ndarray, "n d"], k: int, init: str | ndarray, rng: Generator
) -> Float[ndarray, "k d"]:
    if not isinstance(init, str):
        return _placed("init", init, k, X.shape[1])
    if validate.choice("init", init, ("k-means++", "random")) == "random":
        return rng.choice(X, size=k, replace=False)
    return plus_plus(X, k, rng)[0]


def _placed(name: str, places: ndarray, k: int, d: int) -> Float[ndarray, "k d"]:
    """Check that these can be the k centres."""
    centers = validate.points(places, name=name)
    if centers.shape != (k, d):
        raise ValueError(f"{name} must have shape (k, d) = ({k}, {d}), got shape {centers.shape}")
    return centers
