"""k-medoids clustering by PAM, "partitioning around medoids": centres that are points.

Objective (the cost), over k of the points, the medoids m_1..m_k:

    cost(m) = sum_i min_j d(x_i, x_(m_j))        d: any distance

Update rule:

    BUILD   k times: make the point with which the cost is lowest one more medoid
    SWAP    of all k (n - k) swaps of a medoid with another point, take the one with which the cost
            is lowest, as long as this lowers the cost

A swap lowers the cost and there are finitely many choices of k points, so the run ends, in a choice
that no single swap improves. It need not be the best of all: finding that one is NP-hard.

Every point belongs to the medoid that is nearest by d. Distances between points are all that is
needed, so any d will do. With plain distances a far point counts less than with squared ones, and a
medoid cannot leave the points as a mean does.

Cost of a step: n^2 distances and O(n^2 k) for all swaps together. Memory: O(k n) a step, what every
option would have cost.

What runs is `costs_of_swapping` in _medoid_costs.py, which gives the same costs as `swapping` below
in fewer operations. Many points: clara.py, clarans.py.

Source: CS725 13.4 (000:2380), which counts k (n - 1) swaps a step, those of a medoid with another
medoid among them; Kaufman and Rousseeuw 1987.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.k_medoids._medoid_costs import (
    METRICS,
    Metric,
    costs_of_adding,
    costs_of_swapping,
    distances,
    nearest_of,
)
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

MAX_ITER = 100
MOST_LOOKS = 200_000_000  # at pairs of points, in all swaps of a run that is to take a few seconds
ROUNDING = 1e-11  # of the cost: a smaller fall may be an error of the sums

Event = Literal["built", "converged", "stopped at max_iter"]


def k_medoids(
    X: Float[ndarray, "n d"],
    k: int,
    *,
    rng: Generator,
    init: Any = None,
    metric: str = "euclidean",
    max_iter: int = MAX_ITER,
) -> Iterator["KMedoidsStep"]:
    """Choose k medoids and swap them while that lowers the cost: a step per choice and per swap.

    `init` is None (BUILD, which draws nothing), "random" (k different points, drawn by `rng`) or
    the indices of k different points. `metric` is "euclidean", "manhattan" or "squared euclidean".
    The last step looks at all swaps and takes none.

    Raises ValueError, at the call, unless 1 <= k <= n, everything is finite and `init` is one of
    these.
    """
    X = validate.points(X)
    k = validate.integer("k", k, 1, len(X), high_name="n")
    validate.choice("metric", metric, METRICS)
    max_iter = validate.integer("max_iter", max_iter, 1)
    start: Any = first_medoids(init, len(X), k, rng)
    follow = partial(advance, X, k)
    if start is not None:
        return iterate(_state(X, start, metric, "start"), follow, most=max_iter)
    nothing = _state(X, np.empty(0, int), metric, "build")
    return iterate(follow(nothing), follow, most=k - 1 + max_iter)


def advance(X: Float[ndarray, "n d"], k: int, step: "KMedoidsStep") -> "KMedoidsStep":
    """Return the choice that follows `step`: one more medoid, or a swap."""
    medoids = step.medoids
    if (j := len(medoids)) < k:  # BUILD
        costs = costs_of_adding(X, step.distances, step.metric)
        free = costs[0].copy()
        free[medoids] = np.inf
        c = int(free.argmin())
        after = _state(X, np.append(medoids, c), step.metric, "build", costs)
        return replace(after, taken=c, place=j, event="built" if j == k - 1 else None)
    costs = costs_of_swapping(X, distances(X[medoids], X, step.metric), step.metric)  # SWAP
    j, c = (int(i) for i in np.unravel_index(costs.argmin(), costs.shape))
    if costs[j, c] >= (1 - ROUNDING) * step.cost:
        after = _state(X, medoids, step.metric, "swap", costs)
        return replace(after, event="converged")
    swapped = np.where(np.arange(k) == j, c, medoids)
    after = _state(X, swapped, step.metric, "swap", costs)
    return replace(after, taken=c, place=j, gone=int(medoids[j]))


def swapping(D: Float[ndarray, "n n"], medoids: Int[ndarray, " k"]) -> Float[ndarray, "k n"]:
    """Return what the cost would be with point c in the place of medoid j, for all j and c.

    It is sum_i min( D_ci, the distance of point i to its nearest medoid other than j ).
    """
    others = [D[np.delete(medoids, j)].min(axis=0, initial=np.inf) for j in range(len(medoids))]
    return np.array([np.minimum(D, nearest).sum(axis=1) for nearest in others])


@dataclass(frozen=True, eq=False)
class KMedoidsStep(Record):
    """One choice of PAM; also a model, since `predict` works at every step.

    The point `taken` became the medoid at `place` in the list, in the place of the point `gone`.
    They are -1 where there is none, as at the last step, which takes no swap. `costs` are those
    that the step chose from: while building a row, with each point as one more medoid; then a row
    for every medoid, with each point in its place. `distances` are those of the points to their
    medoids.
    """

    phase: Literal["build", "start", "swap"]
    medoids: Int[ndarray, " k"]
    places: Float[ndarray, "k d"]
    labels: Int[ndarray, " n"]
    distances: Float[ndarray, " n"]
    costs: Float[ndarray, "options n"]
    metric: Metric
    taken: int = -1
    place: int = -1
    gone: int = -1
    event: Event | None = None

    @property
    def cost(self) -> float:
        """Return the sum of all points' distances to their medoids."""
        return float(self.distances.sum())

    @property
    def before(self) -> Int[ndarray, " k"]:
        """Return the medoids before the step's swap, if it made one."""
        return np.where(np.arange(len(self.medoids)) == self.place, self.gone, self.medoids)

    @property
    def candidates(self) -> Int[ndarray, " k"]:
        """Return the point that is best in the place of every medoid, at a swap."""
        costs = self.costs.copy()
        costs[:, self.before] = np.inf
        return costs.argmin(axis=1)

    @property
    def best_swaps(self) -> Float[ndarray, " k"]:
        """Return the lowest cost of a swap of every medoid, of those that the step chose from."""
        return np.take_along_axis(self.costs, self.candidates[:, None], axis=1)[:, 0]

    def renumbered(self, order: Int[ndarray, " k"]) -> "KMedoidsStep":
        """Return the same step of a swap or start, with medoid `order[j]` as number j."""
        number = np.argsort(order)
        return replace(
            self, medoids=self.medoids[order], places=self.places[order],
            labels=number[self.labels], costs=self.costs[order] if len(self.costs) else self.costs,
            place=int(number[self.place]) if self.place >= 0 else -1,
        )  # fmt: skip

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the index of the nearest medoid of every row of `X`."""
        return nearest_of(distances(self.places, X, self.metric))[0]


def _state(
    X: Float[ndarray, "n d"],
    medoids: Int[ndarray, " k"],
    metric: Any,
    phase: Literal["build", "start", "swap"],
    costs: Float[ndarray, "options n"] | None = None,
) -> KMedoidsStep:
    """Return the step with these medoids; without any, every point is infinitely far."""
    labels, nearest = np.zeros(len(X), int), np.full(len(X), np.inf)
    if len(medoids):
        labels, nearest = nearest_of(distances(X[medoids], X, metric))
    costs = np.empty((0, len(X))) if costs is None else costs
    return KMedoidsStep(phase, medoids, X[medoids], labels, nearest, costs, metric)


def first_medoids(init: Any, n: int, k: int, rng: Generator) -> Int[ndarray, " k"] | None:
    """Return the medoids that `init` stands for, None for BUILD; raise ValueError for others."""
    if init is None:
        return None
    if isinstance(init, str):
        validate.choice("init", init, ("random",))
        return rng.choice(n, size=k, replace=False)
    given = np.asarray(init)
    whole = given.shape == (k,) and given.dtype.kind in "iu"
    if not whole or len(np.unique(given)) < k or given.min() < 0 or given.max() >= n:
        raise ValueError(f"init must name k={k} different points by their indices, 0 to {n - 1}")
    return given.astype(int)


def affordable_swaps(n: int) -> int:
    """Return the largest number of swaps of n points that takes no more than a few seconds."""
    return min(MAX_ITER, max(1, MOST_LOOKS // max(n, 1) ** 2))
