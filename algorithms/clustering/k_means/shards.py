"""k-means by map and reduce: Lloyd's algorithm on points that are dealt to several machines.

No machine has all points. Each has a shard of them, and all know the centres mu_1..mu_k. An
iteration is

    map:      shard s assigns each of its points:  l_i <- the j with the least || x_i - mu_j ||^2
              and sends a pair for it:             (j, (x_i, 1))
    combine:  for each j, the shard adds its own pairs before they travel:
                                                   (j, (S_sj, n_sj)),  the sum and number of x_i
    reduce:   the pairs of each j are added:       mu_j <- sum_s S_sj / sum_s n_sj

A mean cannot be put together from the shards' means, but from their sums and numbers it can. So
map and reduce are Lloyd's assign and move, whichever shard has which points: the labels are the
same, and so are the centres, up to rounding. A cluster without points keeps its centre.

What travels in an iteration: a pair has d + 2 numbers. There are n of them without the combiner,
and with it at most k for each shard, however many points that has. The k centres, k d numbers, go
back to every shard.

Cost of an iteration: O(n k d), shared by the shards.

Source: CIS787 (004:513), map and reduce; Dean and Ghemawat 2004; Zhao, Ma and He 2009.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.k_means._seeding import plus_plus
from algorithms.clustering.k_means.k_means import MAX_ITER, KMeansStep, assign, inertia
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

DEALT = ("by chance", "by place")

Event = Literal["empty cluster", "converged", "stopped at max_iter"]


def k_means_on_shards(
    X: Float[ndarray, "n d"],
    k: int,
    *,
    rng: Generator,
    shards: int = 4,
    dealt: str = "by chance",
    max_iter: int = MAX_ITER,
) -> Iterator["ShardsStep"]:
    """Alternate map and reduce until no label changes, from centres drawn by k-means++.

    shards : machines, if there are that many points. dealt : "by chance", or "by place", in the
    order of the first column.

    Raises ValueError, at the call, unless 1 <= k <= n, shards is at least 1 and everything is
    finite.
    """
    X = validate.points(X)
    k = validate.integer("k", k, 1, len(X), high_name="n")
    shards = min(validate.integer("shards", shards, 1), len(X))
    validate.choice("dealt", dealt, DEALT)
    max_iter = validate.integer("max_iter", max_iter, 1)
    centers = plus_plus(X, k, rng)[0]
    shard = deal(X, shards, dealt, rng)
    return iterate(mapped(X, shard, centers), partial(advance, X), most=2 * max_iter)


def deal(X: Float[ndarray, "n d"], shards: int, dealt: str, rng: Generator) -> Int[ndarray, " n"]:
    """Return the shard of every point; all have about the same number of points."""
    order = rng.permutation(len(X)) if dealt == DEALT[0] else X[:, 0].argsort(kind="stable")
    shard = np.empty(len(X), int)
    for s, rows in enumerate(np.array_split(order, shards)):
        shard[rows] = s
    return shard


def advance(X: Float[ndarray, "n d"], step: "ShardsStep") -> "ShardsStep":
    """Return the half-step that follows `step`."""
    if step.phase == "reduce":
        return mapped(X, step.shard, step.centers, step.labels)
    centers = reduced(step.sums, step.counts, step.centers)
    J = inertia(X, centers, step.labels)
    return ShardsStep("reduce", step.shard, centers, step.labels, J, step.sums, step.counts)


def mapped(
    X: Float[ndarray, "n d"],
    shard: Int[ndarray, " n"],
    centers: Float[ndarray, "k d"],
    before: Int[ndarray, " n"] | None = None,
) -> "ShardsStep":
    """Map and combine in every shard. before : the labels before, to see whether any changes."""
    S, (k, d) = int(shard.max()) + 1, centers.shape
    labels, sums, counts = np.empty(len(X), int), np.empty((S, k, d)), np.empty((S, k), int)
    J = 0.0
    for s in range(S):  # each on a machine of its own
        mine = shard == s
        labels[mine], J_s = assign(X[mine], centers)
        sums[s], counts[s] = combined(X[mine], labels[mine], k)
        J += J_s  # for the picture: the algorithm does not need J
    event: Event | None = "empty cluster" if not counts.sum(axis=0).all() else None
    if before is not None:
        emptied = (np.bincount(before, minlength=k) > 0) & (counts.sum(axis=0) == 0)
        event = "empty cluster" if emptied.any() else None
        event = "converged" if (labels == before).all() else event
    return ShardsStep("map", shard, centers, labels, J, sums, counts, event)


def combined(
    X: Float[ndarray, "m d"], labels: Int[ndarray, " m"], k: int
) -> tuple[Float[ndarray, "k d"], Int[ndarray, " k"]]:
    """S_j = sum of the x_i with l_i = j, and n_j, their number."""
    mine = labels == np.arange(k)[:, None]  # (k, m)
    return mine @ X, mine.sum(axis=1)


def reduced(
    sums: Float[ndarray, "s k d"], counts: Int[ndarray, "s k"], centers: Float[ndarray, "k d"]
) -> Float[ndarray, "k d"]:
    """mu_j <- sum_s S_sj / sum_s n_sj. Return the new centres."""
    n = counts.sum(axis=0)[:, None]
    return np.where(n > 0, sums.sum(axis=0) / np.maximum(n, 1), centers)


@dataclass(frozen=True, eq=False)
class ShardsStep(Record):
    """A map or a reduce; also a model, since `predict` works at every step.

    shard : (n,) of every point. sums, counts : what each shard sends for each cluster, S_sj and
    n_sj; of a reduce, what it has added. inertia : J of these centres and labels.
    """

    phase: Literal["map", "reduce"]
    shard: Int[ndarray, " n"]
    centers: Float[ndarray, "k d"]
    labels: Int[ndarray, " n"]
    inertia: float
    sums: Float[ndarray, "s k d"]
    counts: Int[ndarray, "s k"]
    event: Event | None = None

    @property
    def pairs(self) -> int:
        """Return how many pairs travel with the combiner: none of a cluster without points."""
        return int(np.count_nonzero(self.counts))

    @property
    def half_step(self) -> KMeansStep:
        """Return the same as a half-step of Lloyd's algorithm."""
        phase = "assign" if self.phase == "map" else "move"
        return KMeansStep(phase, self.centers, self.labels, self.inertia, self.event)

    def renumbered(self, order: Int[ndarray, " k"]) -> "ShardsStep":
        """Return the same step, with cluster `order[j]` as number j."""
        labels = np.argsort(order)[self.labels]
        sums, counts = self.sums[:, order], self.counts[:, order]
        return replace(self, centers=self.centers[order], labels=labels, sums=sums, counts=counts)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the index of the nearest centre of every row of `X`."""
        return assign(X, self.centers)[0]
