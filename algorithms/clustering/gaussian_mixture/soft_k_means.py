"""Soft k-means: every point belongs to every centre, to the nearer ones more.

Objective, over centres c_1..c_k and responsibilities r_ij >= 0 that sum to 1 over j, with the
stiffness beta > 0 (in 1 / squared units of X):

    F = sum_ij r_ij || x_i - c_j ||^2  +  1/beta sum_ij r_ij ln r_ij

the shared inertia, minus an entropy that rewards sharing. Update rule: lower F over one
argument while the other is held, alternately,

    assign:  r_ij <- exp(-beta || x_i - c_j ||^2) / sum_l exp(-beta || x_i - c_l ||^2)
    move:    c_j <- sum_i r_ij x_i / sum_i r_ij

until no centre moves by more than `tol` of the data's spread. Neither half-step can raise F.

The bridge. As beta grows, r_ij becomes 1 for the nearest centre and 0 for the others, F becomes the
inertia, and this is k-means. For any beta it is EM for a mixture of Gaussians with equal weights
and the same, fixed covariance I / (2 beta): a stiff centre is a narrow Gaussian. Below the
critical beta of 1 / (2 v), v the largest variance of the data in any direction, all centres on the
mean is a stable solution, above it is not. It need not be the only one: a far outlier can keep a
centre of its own below it.

Cost of one assign and one move: O(n k d).

Source: CS337 (003:1700); Rose, Gurewitz and Fox 1990 (merging).
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

from algorithms.clustering.k_means.k_means import assign as nearest
from algorithms.clustering.k_means.k_means import k_means
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

MAX_ITER = 200
SMALLEST = 1e-45  # of the data's spread: keeps the critical stiffness in the accepted range
MERGED = 0.01  # of the data's spread: centres nearer than this count as one

Event = Literal["centres merge", "moved by hand", "converged", "stopped at max_iter"]


def soft_k_means(
    X: Float[ndarray, "n d"],
    k: int,
    *,
    rng: Generator,
    stiffness: float = 1.0,
    init: str | Float[ndarray, "k d"] = "k-means++",
    max_iter: int = MAX_ITER,
    tol: float = 1e-4,
) -> Iterator["SoftKMeansStep"]:
    """Alternate `assign` and `move` until no centre moves by more than `tol` of the data's spread.

    The first step assigns the points to the first centres; at most `max_iter` pairs of a move and
    an assign follow. `init` is as for `k_means`; `stiffness` is beta.

    Raises ValueError, at the call, unless 1 <= k <= n, stiffness > 0, tol >= 0 and all is finite.
    """
    X = validate.points(X)
    k = validate.integer("k", k, 1, len(X), high_name="n")
    stiffness = validate.number("stiffness", stiffness, positive=True)
    max_iter = validate.integer("max_iter", max_iter, 1)
    tol = validate.number("tol", tol)
    centers = next(k_means(X, k, rng=rng, init=init)).centers
    first = _assigned(X, centers, stiffness, distinct(centers, _spread(X)))
    return iterate(first, partial(advance, X, tol=tol), most=2 * max_iter)


def advance(
    X: Float[ndarray, "n d"], step: "SoftKMeansStep", *, tol: float = 1e-4
) -> "SoftKMeansStep":
    """Return the half-step that follows `step`."""
    if step.phase == "move":
        event = "converged" if step.shift.max() <= tol * _spread(X) else None
        return _assigned(X, step.centers, step.stiffness, step.distinct, event)
    r = step.responsibilities.T
    c = move(X, r, step.centers)
    J, count = float(np.vdot(r, cdist(c, X, "sqeuclidean"))), distinct(c, _spread(X))
    return replace(
        step,
        phase="move",
        centers=c,
        inertia=J,
        free_energy=J + (step.free_energy - step.inertia),  # the entropy stays
        shift=np.linalg.norm(c - step.centers, axis=1),
        distinct=count,
        event="centres merge" if count < step.distinct else None,
    )


def assign(
    X: Float[ndarray, "m d"], c: Float[ndarray, "k d"], beta: float
) -> tuple[Float[ndarray, "k m"], float, float]:
    """r_ij <- exp(-beta ||x_i - c_j||^2) / sum_l exp(-beta ||x_i - c_l||^2). Return r, J and F.

    J is the shared inertia, and F = -1/beta sum_i ln sum_l exp(-beta ||x_i - c_l||^2).
    """
    squared = cdist(c, X, "sqeuclidean")
    least = squared.min(axis=0)  # subtracted so that the largest exponential is 1
    r = np.exp(-beta * (squared - least))
    total = r.sum(axis=0)
    r /= total
    return r, float(np.vdot(r, squared)), float((least - np.log(total) / beta).sum())


def move(
    X: Float[ndarray, "n d"], r: Float[ndarray, "k n"], before: Float[ndarray, "k d"]
) -> Float[ndarray, "k d"]:
    """c_j <- sum_i r_ij x_i / sum_i r_ij; a centre without any share stays where it is."""
    o = X[0]  # sums of offsets from a point do not cancel far from the origin
    sizes = r.sum(axis=1, keepdims=True)
    return np.where(sizes > 0, o + r @ (X - o) / np.where(sizes > 0, sizes, 1.0), before)


def by_hand(
    X: Float[ndarray, "n d"], centers: Float[ndarray, "k d"], step: "SoftKMeansStep"
) -> "SoftKMeansStep":
    """Return the step after `step` when the centres are moved by hand: an assign.

    Raises ValueError unless there are k finite places.
    """
    centers = validate.points(centers, name="centers")
    if centers.shape != step.centers.shape:
        raise ValueError(
            f"centers must have shape (k, d) = {step.centers.shape}, got shape {centers.shape}"
        )
    count = distinct(centers, _spread(X))
    return _assigned(X, centers, step.stiffness, count, "moved by hand")


@dataclass(frozen=True, eq=False)
class SoftKMeansStep(Record):
    """One half-step of soft k-means; also a model, since `predict` works at every step.

    `inertia` is the first term of F, `free_energy` all of it. `shift` is how far every centre moved
    in this half-step. `distinct` is the number of centres, where those nearer to each other than
    1 % of the data's spread count as one.

    Events: "centres merge" (there are fewer distinct ones than before), "moved by hand",
    "converged", "stopped at max_iter".
    """

    phase: Literal["assign", "move"]
    stiffness: float
    centers: Float[ndarray, "k d"]
    responsibilities: Float[ndarray, "n k"]
    inertia: float
    free_energy: float
    shift: Float[ndarray, " k"]
    distinct: int
    event: Event | None = None

    @property
    def labels(self) -> Int[ndarray, " n"]:
        """Return the component that takes the most of every point."""
        return self.responsibilities.argmax(axis=1)

    def renumbered(self, order: Int[ndarray, " k"]) -> "SoftKMeansStep":
        """Return the same step, with cluster `order[j]` as number j."""
        return replace(
            self,
            centers=self.centers[order],
            responsibilities=self.responsibilities[:, order],
            shift=self.shift[order],
        )

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the index of the nearest centre, which is the most responsible one."""
        return nearest(X, self.centers)[0]

    def shares(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the responsibility of every centre for every row of `X`."""
        return assign(X, self.centers, self.stiffness)[0].T


def _assigned(
    X: Float[ndarray, "n d"],
    centers: Float[ndarray, "k d"],
    beta: float,
    count: int,
    event: Event | None = None,
) -> SoftKMeansStep:
    r, J, F = assign(X, centers, beta)
    return SoftKMeansStep("assign", beta, centers, r.T, J, F, np.zeros(len(centers)), count, event)


def distinct(centers: Float[ndarray, "k d"], spread: float) -> int:
    """Count the centres; those joined by steps of at most 1 % of the spread count as one."""
    joined = (cdist(centers, centers) <= MERGED * spread).astype(float)
    reached = np.linalg.matrix_power(joined, len(centers)) > 0
    return len(np.unique(reached, axis=0))


def _spread(X: Float[ndarray, "n d"]) -> float:
    """Return the root of the mean squared distance to the mean."""
    return float(np.sqrt(X.T.copy().var(axis=1).sum()))  # a row a column: faster


def critical_stiffness(X: Float[ndarray, "n d"]) -> float:
    """Return 1 / (2 v), v the largest variance in any direction: below it, and not above it, all
    centres on the mean is stable.

    1 if the points coincide, or as good as.
    """
    X = validate.points(X)
    offsets = X - X.mean(axis=0)
    size = float(np.abs(offsets).max())
    if size < SMALLEST:
        return 1.0
    offsets = offsets / size  # so that squares of small numbers do not vanish
    return float(0.5 / np.linalg.eigvalsh(offsets.T @ offsets / len(X))[-1] / size / size)


def times_critical(X: Float[ndarray, "n d"], multiple: float) -> float:
    """Return a multiple of the critical stiffness."""
    return validate.number("multiple", multiple, positive=True) * critical_stiffness(X)
