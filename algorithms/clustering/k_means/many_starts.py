"""Several k-means runs from different starts, which take their half-steps side by side.

The runs are those of `k_means`, but nobody sees their half-steps, so none is recorded, and every
NumPy call serves all runs.

k-means ends in a local minimum that depends on where it starts. `many_starts` shows how often it
ends in which; `lowest_inertia` keeps the best.

Cost: O(n k d) for a half-step of every run.

Source: CS725 13.3 (000:2340), Arthur and Vassilvitskii 2007.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator, default_rng
from scipy.spatial.distance import cdist

from algorithms.clustering.k_means._half_steps import least, means
from algorithms.clustering.k_means._seeding import plus_plus
from algorithms.clustering.k_means.k_means import MAX_ITER, assign
from algorithms.core import validate
from algorithms.core.record import Record

STARTS = ("k-means++", "random")
BLOCK = 1_000_000  # distances held at once


def many_starts(
    X: Float[ndarray, "n d"], k: int, *, init: str = "k-means++", seeds: int = 100
) -> Iterator["StartStep"]:
    """Run k-means to its end from the starts that the seeds 0, 1, 2, ... draw.

    Seed s is `k_means(X, k, rng=np.random.default_rng(s), init=init)`; `init` is "k-means++" or
    "random".

    Raises ValueError, at the call, unless 1 <= k <= n and everything is finite.
    """
    X = validate.points(X)
    k = validate.integer("k", k, 1, len(X), high_name="n")
    validate.choice("init", init, STARTS)
    return _many_starts(X, k, init, validate.integer("seeds", seeds, 1))


def _many_starts(X: Float[ndarray, "n d"], k: int, init: str, seeds: int) -> Iterator["StartStep"]:
    starts = [_start(X, k, init, default_rng(seed)) for seed in range(seeds)]
    rows = max(1, BLOCK // (k * len(X)))
    lowest = np.inf
    for first in range(0, seeds, rows):
        ends = _side_by_side(X, np.stack(starts[first : first + rows]))
        for seed, (centers, labels, inertia) in enumerate(zip(*ends, strict=True), first):
            lower = inertia < (1 - ALIKE) * lowest
            lowest = min(lowest, float(inertia))
            event = "lowest so far" if lower and seed > 0 else None
            yield StartStep(seed, centers, labels, float(inertia), lowest, event)


ALIKE = 1e-9  # inertias that differ by no more are the same minimum, summed in another order


@dataclass(frozen=True, eq=False)
class StartStep(Record):
    """Where the run of one seed ends; also a model, since `predict` works.

    `lowest` is the lowest inertia of this seed and those before; the event says that it has fallen.
    """

    seed: int
    centers: Float[ndarray, "k d"]
    labels: Int[ndarray, " n"]
    inertia: float
    lowest: float
    event: Literal["lowest so far"] | None = None

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the index of the nearest centre of every row of `X`."""
        return assign(X, self.centers)[0]


def lowest_inertia(
    X: Float[ndarray, "n d"], k: int, *, rng: Generator, restarts: int
) -> tuple[Float[ndarray, "k d"], Int[ndarray, " n"], float]:
    """Return centres, labels and inertia at the end of the best of `restarts` k-means++ runs."""
    centers, labels, inertia = _side_by_side(X, plus_plus(X, k, rng, restarts))
    best = int(inertia.argmin())
    return centers[best], labels[best], float(inertia[best])


def _start(X: Float[ndarray, "n d"], k: int, init: str, rng: Generator) -> Float[ndarray, "k d"]:
    if init == "random":
        return rng.choice(X, size=k, replace=False)
    return plus_plus(X, k, rng)[0]


def _side_by_side(
    X: Float[ndarray, "n d"], centers: Float[ndarray, "r k d"]
) -> tuple[Float[ndarray, "r k d"], Int[ndarray, "r n"], Float[ndarray, " r"]]:
    """Return the centres, labels and inertias at which the runs from these centres end."""
    labels, inertia = _assign(X, centers)
    going = np.arange(len(centers))  # the runs that have not converged
    for _ in range(MAX_ITER):
        centers[going] = means(X, labels[going], centers[going])
        now, inertia[going] = _assign(X, centers[going])
        changed = (now != labels[going]).any(axis=1)
        labels[going] = now
        going = going[changed]
        if len(going) == 0:
            break
    return centers, labels, inertia


def _assign(
    X: Float[ndarray, "n d"], centers: Float[ndarray, "r k d"]
) -> tuple[Int[ndarray, "r n"], Float[ndarray, " r"]]:
    runs, k, d = centers.shape
    distances = cdist(centers.reshape(-1, d), X, "sqeuclidean").reshape(runs, k, len(X))
    labels, closest = least(distances)
    return labels, closest.sum(axis=1)
