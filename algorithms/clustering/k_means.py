"""k-means clustering by Lloyd's algorithm.

Objective (the inertia), over the centres mu_1..mu_k and the label l_i of every point:

    J(mu, l) = sum_i || x_i - mu_(l_i) ||^2

Update rule: lower J over one argument while the other is held, alternately,

    assign:  l_i <- the j with the smallest || x_i - mu_j ||^2       (the first one in a tie)
    move:    mu_j <- the mean of the points with l_i = j

until no label changes. Neither half-step can raise J and there are finitely many labellings, so
the run ends, in a local minimum that depends on where the centres start. Minimising J itself is
NP-hard.

Cost of one assign and one move: O(n k d).

An empty cluster keeps its centre, and the event says so. (scikit-learn moves such a centre to a
far away point instead, which is no step of the rule above.)

Where the centres start: see seeding.py (k-means++). Many runs at once: see restarts.py.

Source: CS725 13.2-13.3 (000:2303), CS337 (003:1660), Lloyd 1982.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.spatial.distance import cdist

from algorithms.clustering._half_steps import least, means
from algorithms.clustering.seeding import plus_plus
from algorithms.core import validate
from algorithms.core.moved_points import PointsMoved, moved_points
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
    moved: tuple[int, Float[ndarray, "k d"]] | None = None,
    points_moved: PointsMoved | None = None,
) -> Iterator["KMeansStep"]:
    """Alternate `assign` and `move` until no label changes.

    The first step assigns the points to the initial centres; then come at most `max_iter` pairs of
    a move and an assign, so the last step always is an assign, and its labels are what its
    `predict` says. `init` is "k-means++", "random" (k different points) or the (k, d) centres.
    `moved` is the number of a step, 1 or more, and (k, d) centres: there, or after the last step if
    there are fewer, the centres are put at these places by hand, and the run goes on from them.
    `points_moved` (moved_points.py) puts points elsewhere in the same way, in the same step.

    Raises ValueError, at the call, unless 1 <= k <= n and everything is finite.
    """
    X = validate.points(X)
    k = validate.integer("k", k, 1, len(X), high_name="n")
    max_iter = validate.integer("max_iter", max_iter, 1)
    steps = _lloyd(X, _initial_centers(X, k, init, rng), max_iter)
    at, centers = None, None
    if moved is not None:
        at = validate.integer("moved[0]", moved[0], 1)
        centers = _placed("moved[1]", moved[1], k, X.shape[1])
    if points_moved is not None:
        at, X = moved_points(X, points_moved, step=at)
    return _by_hand(X, steps, at, centers, max_iter) if at else steps


def _by_hand(
    X: Float[ndarray, "n d"],
    steps: Iterator["KMeansStep"],
    at: int,
    centers: Float[ndarray, "k d"] | None,
    max_iter: int,
) -> Iterator["KMeansStep"]:
    """Take the steps before step `at`, then go on with these points, and with other centres."""
    before = None
    for before in islice(steps, at):
        yield before
    assert before
    yield from _lloyd(X, before.centers if centers is None else centers, max_iter, before)


def _lloyd(
    X: Float[ndarray, "n d"],
    centers: Float[ndarray, "k d"],
    max_iter: int,
    before: "KMeansStep | None" = None,
) -> Iterator["KMeansStep"]:
    """Alternate from these centres. before : the step after which they were moved by hand."""
    distances = cdist(centers, X, "sqeuclidean")
    step = _assign(before, centers, distances, final=False)
    if before:
        shift = np.sqrt(np.square(centers - before.centers).sum(axis=1))
        step = replace(step, centers=centers, shift=shift, event="moved by hand")
    yield step
    for iteration in range(1, max_iter + 1):
        centers = means(X, step.labels, step.centers)  # mu_j <- mean of the points with l_i = j
        distances = cdist(centers, X, "sqeuclidean")  # l_i <- the j with the smallest
        yield (step := _move(step, centers, distances))
        yield (step := _assign(step, centers, distances, final=iteration == max_iter))
        if step.event == "converged":
            return


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


def nearest(X: Float[ndarray, "m d"], centers: Float[ndarray, "k d"]) -> Int[ndarray, " m"]:
    """Return the index of the nearest centre of every row of `X`, the first one in a tie."""
    # Differences, not the cheaper |mu|^2 - 2 x.mu, which cancels for data far from the origin.
    return least(cdist(centers, X, "sqeuclidean"))[0]


def _assign(
    before: KMeansStep | None,
    centers: Float[ndarray, "k d"],
    distances: Float[ndarray, "k n"],
    *,
    final: bool,
) -> KMeansStep:
    k, n = distances.shape
    labels, closest = least(distances)
    sizes, inertia = np.bincount(labels, minlength=k), float(closest.sum())
    changed = n if before is None else int(np.count_nonzero(labels != before.labels))
    had_points = np.ones(k, bool) if before is None else before.sizes > 0
    event: Event | None = None
    if changed == 0:
        event = "converged"
    elif final:
        event = "stopped at max_iter"
    elif (had_points & (sizes == 0)).any():
        event = "empty cluster"
    return KMeansStep(
        phase="assign",
        centers=centers if before is None else before.centers,
        labels=labels,
        sizes=sizes,
        inertia=inertia,
        fall=0.0 if before is None else before.inertia - inertia,
        changed=changed,
        shift=np.zeros(k),
        event=event,
    )


def _move(
    before: KMeansStep, centers: Float[ndarray, "k d"], distances: Float[ndarray, "k n"]
) -> KMeansStep:
    inertia = float(distances[before.labels, np.arange(len(before.labels))].sum())
    return KMeansStep(
        phase="move",
        centers=centers,
        labels=before.labels,
        sizes=before.sizes,
        inertia=inertia,
        fall=before.inertia - inertia,
        changed=0,
        shift=np.sqrt(np.square(centers - before.centers).sum(axis=1)),
    )


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
