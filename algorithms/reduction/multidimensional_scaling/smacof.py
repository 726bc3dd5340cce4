"""A map from distances by springs: scaling by majorising a complicated function (SMACOF).

Between every two places is a spring that wants the length delta_ij; on the map it has the length
d_ij = || z_i - z_j ||. Objective:

    stress(Z) = sum_(i<j) (d_ij - delta_ij)^2

Update rule: place j wants z_i at the right distance from z_j, in the direction in which z_i is. z_i
goes to the mean of the spots that all n places want (its own wish is z_i). All places move at once:

    z_i <- 1/n sum_j [ z_j + delta_ij (z_i - z_j) / d_ij ]

These places are the minimum of a parabola that is nowhere below the stress and touches it here, so
the stress never rises. A run ends in a local minimum that depends on the start. Two places on one
spot have no direction between them, so they do not push each other apart.

Cost: O(n^2 c) a step.

Source: 20APC3316 (002:1927, there with each term divided by delta^2: Sammon's stress), de Leeuw
1977, Borg and Groenen 2005.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator
from scipy.spatial.distance import cdist

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record, last
from algorithms.core.work import spend
from algorithms.reduction.multidimensional_scaling.classical_scaling import classical_scaling
from algorithms.reduction.multidimensional_scaling.distances import checked

MAX_ITER = 300


def smacof(
    distances: Float[ndarray, "n n"],
    *,
    n_components: int = 2,
    start: Any,
    max_iter: int = MAX_ITER,
    tol: float = 1e-6,
) -> Iterator["SmacofStep"]:
    """Move all places at once until the stress falls no more.

    `start` is the (n, n_components) map to begin with. The run has converged when a step lowers
    the stress by less than `tol` times the sum of all squared distances.

    Raises ValueError, at the call, unless `distances` are distances (see distances.py), `start`
    has that shape, max_iter >= 1 and tol >= 0.
    """
    delta = checked(distances)
    c = validate.integer("n_components", n_components, 1)
    Z = validate.points(start, name="start")
    if Z.shape != (len(delta), c):
        raise ValueError(f"start must have shape (n, c) = ({len(delta)}, {c}), got {Z.shape}")
    max_iter = validate.integer("max_iter", max_iter, 1)
    tol = validate.number("tol", tol)
    first = SmacofStep(Z, stress(Z, delta))
    return iterate(first, partial(advance, delta, tol), most=max_iter)


def advance(delta: Float[ndarray, "n n"], tol: float, step: "SmacofStep") -> "SmacofStep":
    """Return the map after all places have moved once."""
    spend(10.0 * delta.size * step.embedding.shape[1])
    Z = move(step.embedding, delta)
    after = stress(Z, delta)
    fell = step.stress - after
    event = "converged" if fell <= tol * np.square(delta).sum() / 2 else None
    return SmacofStep(Z, after, event)


def move(Z: Float[ndarray, "n c"], delta: Float[ndarray, "n n"]) -> Float[ndarray, "n c"]:
    """z_i <- 1/n sum_j [ z_j + delta_ij (z_i - z_j) / d_ij ]."""
    d = cdist(Z, Z)
    pull = np.divide(delta, d, out=np.zeros_like(d), where=d > 0)  # delta_ij / d_ij
    return Z.mean(axis=0) + (pull.sum(axis=1, keepdims=True) * Z - pull @ Z) / len(Z)


def stress(Z: Float[ndarray, "n c"], delta: Float[ndarray, "n n"]) -> float:
    """sum_(i<j) (d_ij - delta_ij)^2."""
    return float(np.square(cdist(Z, Z) - delta).sum() / 2)


def put(
    delta: Float[ndarray, "n n"], places: Float[ndarray, "n c"], step: "SmacofStep"
) -> "SmacofStep":
    """Return the map with its places moved by hand.

    Raises ValueError unless there is a finite place for each.
    """
    Z = validate.points(places, name="places")
    if Z.shape != step.embedding.shape:
        raise ValueError(f"places must have shape {step.embedding.shape}, got {Z.shape}")
    return SmacofStep(Z, stress(Z, delta), "moved by hand")


def random_map(delta: Float[ndarray, "n n"], c: int, *, rng: Generator) -> Float[ndarray, "n c"]:
    """Draw random places whose distances are, on average, about as large as the given ones."""
    return float(delta.mean()) * rng.normal(size=(len(delta), c)) / np.sqrt(2 * c)


def eigenvector_map(delta: Float[ndarray, "n n"], c: int) -> Float[ndarray, "n c"]:
    """Return the map by classical scaling; axes that it does not have are 0."""
    axes = min(c, len(delta))
    Z = last(classical_scaling(delta, n_components=axes)).embedding
    return np.pad(Z, ((0, 0), (0, c - axes)))


def stress_by_axes(delta: Float[ndarray, "n n"], most: int) -> Float[ndarray, " m"]:
    """Return the stress at the end with 1, 2, ..., `most` axes, from the maps by eigenvectors."""
    starts = (eigenvector_map(delta, c) for c in range(1, most + 1))
    ends = [last(smacof(delta, n_components=Z.shape[1], start=Z)) for Z in starts]
    return np.array([end.stress for end in ends])


@dataclass(frozen=True, eq=False)
class SmacofStep(Record):
    """The map, and its stress."""

    is_model = False

    embedding: Float[ndarray, "n c"]
    stress: float
    event: str | None = None
