"""Soft k-means: every point belongs to every centre, to the nearer ones more.

Objective, over centres c_1..c_k and responsibilities r_ij >= 0 that sum to 1 over j, with the
stiffness beta > 0 (in 1 / squared units of X):

    F = sum_ij r_ij || x_i - c_j ||^2  +  1/beta sum_ij r_ij ln r_ij

the inertia, shared out, less an entropy that rewards sharing. Update rule: lower F over one
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
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.spatial.distance import cdist

from algorithms.clustering.k_means import k_means, nearest
from algorithms.core import validate
from algorithms.core.record import Record

SMALLEST = 1e-45  # of the data: the critical stiffness stays within what is accepted
MERGED = 0.01  # of the data's spread: centres nearer than this count as one

Ending = Literal["converged", "stopped at max_iter"]
Event = Literal["centres merge"] | Ending


def soft_k_means(
    X: Float[ndarray, "n d"],
    k: int,
    *,
    rng: Generator,
    stiffness: float = 1.0,
    init: str | Float[ndarray, "k d"] = "k-means++",
    max_iter: int = 200,
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
    return _alternate(X, centers, stiffness, max_iter, tol)


def _alternate(
    X: Float[ndarray, "n d"],
    c: Float[ndarray, "k d"],
    beta: float,
    max_iter: int,
    tol: float,
) -> Iterator["SoftKMeansStep"]:
    mean = X.mean(axis=0)
    offsets = X - mean  # sums of these do not cancel far from the origin
    spread = float(np.sqrt((offsets * offsets).sum(axis=1).mean()))
    r, inertia, energy = _assign(X, c, beta)
    yield (step := _start(c, r, beta, inertia, energy, _distinct(c, MERGED * spread)))
    for iteration in range(1, max_iter + 1):
        c = _move(mean, offsets, r, c)
        inertia = float(np.vdot(r, cdist(c, X, "sqeuclidean")))
        yield (step := _moved(step, c, inertia, _distinct(c, MERGED * spread)))
        near = step.shift.max() <= tol * spread
        r, inertia, energy = _assign(X, c, beta)
        end = "converged" if near else "stopped at max_iter" if iteration == max_iter else None
        yield (step := _assigned(step, r, inertia, energy, end))
        if end:
            return


def _assign(
    X: Float[ndarray, "m d"], centers: Float[ndarray, "k d"], beta: float
) -> tuple[Float[ndarray, "k m"], float, float]:
    """Return the responsibilities, a row a centre, with their inertia and free energy."""
    squared = cdist(centers, X, "sqeuclidean")
    least = squared.min(axis=0)
    shares = np.exp(-beta * (squared - least))
    total = shares.sum(axis=0)
    shares /= total
    energy = (least - np.log(total) / beta).sum()
    return shares, float(np.vdot(shares, squared)), float(energy)


def _move(
    mean: Float[ndarray, " d"],
    offsets: Float[ndarray, "n d"],
    r: Float[ndarray, "k n"],
    before: Float[ndarray, "k d"],
) -> Float[ndarray, "k d"]:
    """Return sum_i r_ij x_i / sum_i r_ij; a centre without any share stays where it was."""
    sizes = r.sum(axis=1)
    means = mean + r @ offsets / np.where(sizes > 0, sizes, 1.0)[:, None]
    return np.where(sizes[:, None] > 0, means, before)


@dataclass(frozen=True, eq=False)
class SoftKMeansStep(Record):
    """One half-step of soft k-means; also a model, since `predict` works at every step.

    `inertia` is the first term of F, `free_energy` all of it, lower by `fall` than one half-step
    before (0 in the first). Every centre moved by `shift`. `distinct` is how many centres there are
    when those nearer to each other than 1 % of the data's spread count as one.

    Events: "centres merge" (there are fewer distinct ones than before), "converged", "stopped at
    max_iter".
    """

    phase: Literal["assign", "move"]
    stiffness: float
    centers: Float[ndarray, "k d"]
    responsibilities: Float[ndarray, "n k"]
    inertia: float
    free_energy: float
    fall: float
    shift: Float[ndarray, " k"]
    distinct: int
    event: Event | None = None

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the index of the nearest centre, which is the most responsible one."""
        return nearest(X, self.centers)

    def shares(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the responsibility of every centre for every row of `X`."""
        return _assign(X, self.centers, self.stiffness)[0].T


def _start(
    centers: Float[ndarray, "k d"],
    r: Float[ndarray, "k n"],
    beta: float,
    inertia: float,
    energy: float,
    distinct: int,
) -> SoftKMeansStep:
    return SoftKMeansStep(
        phase="assign",
        stiffness=beta,
        centers=centers,
        responsibilities=r.T,
        inertia=inertia,
        free_energy=energy,
        fall=0.0,
        shift=np.zeros(len(centers)),
        distinct=distinct,
    )


def _moved(
    step: SoftKMeansStep, centers: Float[ndarray, "k d"], inertia: float, distinct: int
) -> SoftKMeansStep:
    energy = inertia + (step.free_energy - step.inertia)  # the responsibilities stay
    return replace(
        step,
        phase="move",
        centers=centers,
        inertia=inertia,
        free_energy=energy,
        fall=step.free_energy - energy,
        shift=np.sqrt(np.square(centers - step.centers).sum(axis=1)),
        distinct=distinct,
        event="centres merge" if distinct < step.distinct else None,
    )


def _assigned(
    step: SoftKMeansStep,
    r: Float[ndarray, "k n"],
    inertia: float,
    energy: float,
    event: Ending | None,
) -> SoftKMeansStep:
    return replace(
        step,
        phase="assign",
        responsibilities=r.T,
        inertia=inertia,
        free_energy=energy,
        fall=step.free_energy - energy,
        shift=np.zeros(len(step.centers)),
        event=event,
    )


def _distinct(centers: Float[ndarray, "k d"], apart: float) -> int:
    """Count the centres, those joined by steps of at most `apart` being one."""
    joined = (cdist(centers, centers) <= apart).astype(float)
    reached = np.linalg.matrix_power(joined, len(centers)) > 0
    return len(np.unique(reached, axis=0))


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
