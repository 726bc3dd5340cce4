"""k-means clustering by Lloyd's algorithm.

Objective (the inertia), over the centres c_1..c_k and the label l_i of every point:

    J(c, l) = sum_i || x_i - c_(l_i) ||^2

Update rule: lower J over one argument while the other is held, alternately,

    assign:  l_i <- the j with the smallest || x_i - c_j ||^2        (the first one in a tie)
    move:    c_j <- the mean of the points with l_i = j

until no label changes. Neither half-step can raise J and there are finitely many labellings, so
the run ends, in a local minimum that depends on where the centres start. Minimising J itself is
NP-hard.

Cost of one assign and one move: O(n k d).

An empty cluster keeps its centre, and the event says so. (scikit-learn moves such a centre to a
far away point instead, which is no step of the rule above.)

k-means++ draws the first centre uniformly from the points and every further one with probability
proportional to D^2, the squared distance to the nearest centre drawn so far (Arthur and
Vassilvitskii 2007, the plain form with one candidate a draw). If all points coincide with centres
already drawn, the draw is uniform.

Source: CS725 13.2-13.3 (000:2303), CS337 (003:1660), Lloyd 1982.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.spatial.distance import cdist

from algorithms import _validate
from algorithms._record import Record

Event = Literal["empty cluster", "converged", "stopped at max_iter"]


@dataclass(frozen=True, eq=False)
class KMeansStep(Record):
    """One half-step of Lloyd's algorithm; also a model, since `predict` works at every step.

    `changed` points took another label in this half-step (all n in the first), every centre moved
    by `shift`, and the inertia is lower by `fall` than after the half-step before (0 in the first).
    """

    phase: Literal["assign", "move"]
    centers: Float[ndarray, "k d"]
    labels: Int[ndarray, " n"]
    sizes: Int[ndarray, " k"]
    inertia: float
    fall: float
    changed: int
    shift: Float[ndarray, " k"]
    event: Event | None = None

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the index of the nearest centre of every row of `X`."""
        return nearest(X, self.centers)


def k_means(
    X: Float[ndarray, "n d"],
    k: int,
    *,
    rng: Generator,
    init: str | Float[ndarray, "k d"] = "k-means++",
    max_iter: int = 100,
) -> Iterator[KMeansStep]:
    """Alternate `assign` and `move` until no label changes.

    The first step assigns the points to the initial centres; then come at most `max_iter` pairs of
    a move and an assign, so the last step always is an assign, and its labels are what its
    `predict` says. `init` is "k-means++", "random" (k different points) or the (k, d) centres.

    Raises ValueError, at the call, unless 1 <= k <= n and everything is finite.
    """
    X = _validate.points(X)
    k = _validate.integer("k", k, 1, len(X), high_name="n")
    max_iter = _validate.integer("max_iter", max_iter, 1)
    return _lloyd(X, _initial_centers(X, k, init, rng), max_iter)


def nearest(X: Float[ndarray, "m d"], centers: Float[ndarray, "k d"]) -> Int[ndarray, " m"]:
    """Return the index of the nearest centre of every row of `X`, the first one in a tie."""
    # Differences, not the cheaper |c|^2 - 2 x.c, which cancels for data far from the origin.
    return cdist(centers, X, "sqeuclidean").argmin(axis=0)


def _lloyd(
    X: Float[ndarray, "n d"], centers: Float[ndarray, "k d"], max_iter: int
) -> Iterator[KMeansStep]:
    yield (step := _assign(X, centers, None))
    for iteration in range(1, max_iter + 1):
        yield (step := _move(X, step))
        yield (step := _assign(X, step.centers, step, final=iteration == max_iter))
        if step.event == "converged":
            return


def _assign(
    X: Float[ndarray, "n d"],
    centers: Float[ndarray, "k d"],
    before: KMeansStep | None,
    *,
    final: bool = False,
) -> KMeansStep:
    labels = nearest(X, centers)
    sizes = np.bincount(labels, minlength=len(centers))
    inertia = _inertia(X, centers, labels)
    changed = len(X) if before is None else int(np.count_nonzero(labels != before.labels))
    had_points = np.ones(len(centers), int) if before is None else before.sizes
    event: Event | None = None
    if changed == 0:
        event = "converged"
    elif final:
        event = "stopped at max_iter"
    elif had_points[sizes == 0].any():
        event = "empty cluster"
    return KMeansStep(
        phase="assign",
        centers=centers,
        labels=labels,
        sizes=sizes,
        inertia=inertia,
        fall=0.0 if before is None else before.inertia - inertia,
        changed=changed,
        shift=np.zeros(len(centers)),
        event=event,
    )


def _move(X: Float[ndarray, "n d"], before: KMeansStep) -> KMeansStep:
    labels, k = before.labels, len(before.centers)
    # The mean as the old centre plus the mean offset from it: exact for coinciding points,
    # accurate far from the origin, and an empty cluster stays where it is.
    offsets = X - before.centers.take(labels, axis=0)
    sums = np.array([np.bincount(labels, column, k) for column in offsets.T]).T
    move = sums / np.maximum(before.sizes, 1)[:, None]
    centers = before.centers + move
    inertia = _inertia(X, centers, labels)
    return KMeansStep(
        phase="move",
        centers=centers,
        labels=labels,
        sizes=before.sizes,
        inertia=inertia,
        fall=before.inertia - inertia,
        changed=0,
        shift=np.sqrt((move * move).sum(axis=1)),
    )


def _inertia(
    X: Float[ndarray, "n d"], centers: Float[ndarray, "k d"], labels: Int[ndarray, " n"]
) -> float:
    offsets = X - centers.take(labels, axis=0)
    return float(np.vdot(offsets, offsets))


def _initial_centers(
    X: Float[ndarray, "n d"], k: int, init: str | ndarray, rng: Generator
) -> Float[ndarray, "k d"]:
    if not isinstance(init, str):
        centers = _validate.points(init, name="init")
        if centers.shape != (k, X.shape[1]):
            raise ValueError(
                f"init must have shape (k, d) = ({k}, {X.shape[1]}), got shape {centers.shape}"
            )
        return centers
    if _validate.choice("init", init, ("k-means++", "random")) == "random":
        return rng.choice(X, size=k, replace=False)
    return _plus_plus(X, k, rng)


def _plus_plus(X: Float[ndarray, "n d"], k: int, rng: Generator) -> Float[ndarray, "k d"]:
    chosen = [int(rng.integers(len(X)))]
    closest = np.full(len(X), np.inf)
    while len(chosen) < k:
        closest = np.minimum(closest, cdist(X, X[chosen[-1:]], "sqeuclidean")[:, 0])
        total = closest.sum()
        chosen.append(int(rng.choice(len(X), p=closest / total if total > 0 else None)))
    return X[chosen]
