"""k-medoids clustering by PAM, "partitioning around medoids": centres that are points.

Objective (the cost), over k of the points, the medoids m_1..m_k:

    cost(m) = sum_i min_j d(x_i, x_(m_j))        d: any distance

Update rule:

    BUILD   k times: make that point one more medoid with which the cost is lowest
    SWAP    of all k (n - k) swaps of a medoid with another point take the one with which the cost
            is lowest, as long as that lowers it

A swap lowers the cost and there are finitely many choices of k points, so the run ends, in a choice
that no single swap betters. It need not be the best of all: finding that is NP-hard.

Every point belongs to the medoid that is nearest by d. Distances between points are all that is
needed, so any d will do; with plain distances a far point counts less than with squared ones, and a
medoid cannot leave the points as a mean does.

Cost of a step: n^2 distances and O(n^2 k) for all swaps together: see _medoid_costs.py. Memory:
O(k n) a step, what every option would have cost.

Source: CS725 13.4 (000:2380), which counts k (n - 1) swaps a step, those of a medoid with another
one among them; Kaufman and Rousseeuw 1987.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering._medoid_costs import (
    METRICS,
    Metric,
    costs_of_adding,
    costs_of_swapping,
    distances,
    nearest_of,
)
from algorithms.core import validate
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
    return _pam(X, k, first_medoids(init, len(X), k, rng), metric, max_iter)  # type: ignore


def affordable_swaps(n: int) -> int:
    """Return how many swaps of n points take no more than a few seconds, each with n^2 looks."""
    return min(MAX_ITER, max(1, MOST_LOOKS // max(n, 1) ** 2))


def _pam(
    X: Float[ndarray, "n d"], k: int, start: ndarray | None, metric: Metric, max_iter: int
) -> Iterator["KMedoidsStep"]:
    step = None
    if start is None:
        for _ in range(k):  # BUILD
            yield (step := _built(X, step, k, metric))
    else:
        yield (step := _state(X, start, metric, "start"))
    for iteration in range(1, max_iter + 1):  # SWAP
        assert step
        costs = costs_of_swapping(X, distances(X[step.medoids], X, metric), metric)
        j, c = (int(i) for i in np.unravel_index(costs.argmin(), costs.shape))
        if costs[j, c] >= (1 - ROUNDING) * step.cost:
            yield _state(X, step.medoids, metric, "swap", step, costs=costs, event="converged")
            return
        medoids = step.medoids.copy()
        gone, medoids[j] = int(medoids[j]), c
        event = "stopped at max_iter" if iteration == max_iter else None
        taken = {"taken": c, "place": j, "gone": gone, "costs": costs, "event": event}
        yield (step := _state(X, medoids, metric, "swap", step, **taken))


def _built(
    X: Float[ndarray, "n d"], before: "KMedoidsStep | None", k: int, metric: Metric
) -> "KMedoidsStep":
    """Add the medoid with which the cost is lowest; of points that are none yet."""
    medoids = np.empty(0, int) if before is None else before.medoids
    nearest = np.full(len(X), np.inf) if before is None else before.distances
    costs = costs_of_adding(X, nearest, metric)
    free = costs[0].copy()
    free[medoids] = np.inf
    c = int(free.argmin())
    j, event = len(medoids), "built" if len(medoids) == k - 1 else None
    taken = {"taken": c, "place": j, "costs": costs, "event": event}
    return _state(X, np.append(medoids, c), metric, "build", before, **taken)


@dataclass(frozen=True, eq=False)
class KMedoidsStep(Record):
    """One choice of PAM; also a model, since `predict` works at every step.

    The point `taken` became the medoid at `place` in the list, instead of the point `gone`; -1
    where there was none, as at the last step, which takes no swap. `costs` are those that the step
    chose from: while building a row, with each point as one more medoid; then a row for every
    medoid, with each point in its place. The cost is lower by `fall` than a step before (0 at the
    first).
    """

    phase: Literal["build", "start", "swap"]
    medoids: Int[ndarray, " k"]
    places: Float[ndarray, "k d"]
    labels: Int[ndarray, " n"]
    distances: Float[ndarray, " n"]
    cost: float
    fall: float
    costs: Float[ndarray, "options n"]
    metric: Metric
    taken: int = -1
    place: int = -1
    gone: int = -1
    event: Event | None = None

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the index of the nearest medoid of every row of `X`."""
        return nearest_of(distances(self.places, X, self.metric))[0]


def _state(
    X: Float[ndarray, "n d"],
    medoids: Int[ndarray, " k"],
    metric: Metric,
    phase: Literal["build", "start", "swap"],
    before: KMedoidsStep | None = None,
    **what: Any,
) -> KMedoidsStep:
    what.setdefault("costs", np.empty((0, len(X))))
    labels, nearest = nearest_of(distances(X[medoids], X, metric))
    cost = float(nearest.sum())
    return KMedoidsStep(
        phase=phase,
        medoids=medoids,
        places=X[medoids],
        labels=labels,
        distances=nearest,
        cost=cost,
        fall=0.0 if before is None else before.cost - cost,
        metric=metric,
        **what,
    )


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
