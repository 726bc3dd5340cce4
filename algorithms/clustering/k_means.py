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
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.spatial.distance import cdist

from algorithms.core import validate
from algorithms.core.record import Record, last

MAX_ITER = 100
FEW = 2000  # distances: for more, NumPy's argmin along the first axis is slow

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
    max_iter: int = MAX_ITER,
) -> Iterator[KMeansStep]:
    """Alternate `assign` and `move` until no label changes.

    The first step assigns the points to the initial centres; then come at most `max_iter` pairs of
    a move and an assign, so the last step always is an assign, and its labels are what its
    `predict` says. `init` is "k-means++", "random" (k different points) or the (k, d) centres.

    Raises ValueError, at the call, unless 1 <= k <= n and everything is finite.
    """
    X = validate.points(X)
    k = validate.integer("k", k, 1, len(X), high_name="n")
    max_iter = validate.integer("max_iter", max_iter, 1)
    return _recorded(_lloyd(X, _initial_centers(X, k, init, rng), max_iter), max_iter)


def lowest_inertia(
    X: Float[ndarray, "n d"], k: int, *, rng: Generator, restarts: int
) -> tuple[Float[ndarray, "k d"], Int[ndarray, " n"], float]:
    """Return centres, labels and inertia at the end of the best of `restarts` k-means runs.

    The runs are those of `k_means` with its defaults, but nobody sees their steps, so none is made.
    """
    runs = (last(_lloyd(X, _plus_plus(X, k, rng), MAX_ITER)) for _ in range(restarts))
    best = min(runs, key=_Assigned.inertia)
    return best.centers, best.labels, best.inertia()


def nearest(X: Float[ndarray, "m d"], centers: Float[ndarray, "k d"]) -> Int[ndarray, " m"]:
    """Return the index of the nearest centre of every row of `X`, the first one in a tie."""
    # Differences, not the cheaper |c|^2 - 2 x.c, which cancels for data far from the origin.
    return _least(cdist(centers, X, "sqeuclidean"))[0]


class _Assigned(NamedTuple):
    """What `assign` finds: all squared distances, and of every point its label and the closest."""

    centers: Float[ndarray, "k d"]
    distances: Float[ndarray, "k n"]
    labels: Int[ndarray, " n"]
    closest: Float[ndarray, " n"]
    sizes: Int[ndarray, " k"]
    changed: Int[ndarray, " c"]

    def inertia(self) -> float:
        return float(self.closest.sum())


def _lloyd(
    X: Float[ndarray, "n d"], centers: Float[ndarray, "k d"], max_iter: int
) -> Iterator[_Assigned]:
    """Assign and move, `max_iter` times or until no label changes; give what every assign finds."""
    before, k = np.full(len(X), -1), len(centers)
    for _ in range(max_iter + 1):
        distances = cdist(centers, X, "sqeuclidean")
        labels, closest = _least(distances)
        sizes = np.bincount(labels, minlength=k)
        changed = np.flatnonzero(labels != before)
        yield _Assigned(centers, distances, labels, closest, sizes, changed)
        if len(changed) == 0:
            return
        # The mean as the old centre plus the mean offset from it: exact for coinciding points,
        # accurate far from the origin, and an empty cluster stays where it is.
        offsets = X - centers.take(labels, axis=0)
        sums = np.array([np.bincount(labels, column, k) for column in offsets.T]).T
        centers = centers + sums / np.maximum(sizes, 1)[:, None]
        before = labels


def _recorded(assigned: Iterator[_Assigned], max_iter: int) -> Iterator[KMeansStep]:
    yield (step := _assign(None, next(assigned), final=False))
    for iteration, found in enumerate(assigned, 1):
        yield (step := _move(step, found))
        yield (step := _assign(step, found, final=iteration == max_iter))


def _assign(before: KMeansStep | None, found: _Assigned, *, final: bool) -> KMeansStep:
    k, inertia = len(found.centers), found.inertia()
    had_points = np.ones(k, int) if before is None else before.sizes
    event: Event | None = None
    if len(found.changed) == 0:
        event = "converged"
    elif final:
        event = "stopped at max_iter"
    elif had_points[found.sizes == 0].any():
        event = "empty cluster"
    return KMeansStep(
        phase="assign",
        centers=found.centers if before is None else before.centers,
        labels=found.labels,
        sizes=found.sizes,
        inertia=inertia,
        fall=0.0 if before is None else before.inertia - inertia,
        changed=len(found.changed),
        shift=np.zeros(k),
        event=event,
    )


def _move(before: KMeansStep, found: _Assigned) -> KMeansStep:
    # With the labels from before, only the points that are about to change theirs are further away.
    old, changed = before.labels, found.changed
    further = found.distances[old[changed], changed] - found.closest[changed]
    inertia = found.inertia() + float(further.sum())
    return KMeansStep(
        phase="move",
        centers=found.centers,
        labels=old,
        sizes=before.sizes,
        inertia=inertia,
        fall=before.inertia - inertia,
        changed=0,
        shift=np.sqrt(np.square(found.centers - before.centers).sum(axis=1)),
    )


def _least(values: Float[ndarray, "k m"]) -> tuple[Int[ndarray, " m"], Float[ndarray, " m"]]:
    """Return where every column is least, the first such row in a tie, and the least values."""
    least, k = values.min(axis=0), len(values)
    if values.size < FEW:
        return values.argmin(axis=0), least
    ranks = np.arange(k, 0, -1, dtype=np.min_scalar_type(k))[:, None]  # k for the first row
    return k - ((values == least) * ranks).max(axis=0).astype(int), least


def _initial_centers(
    X: Float[ndarray, "n d"], k: int, init: str | ndarray, rng: Generator
) -> Float[ndarray, "k d"]:
    if not isinstance(init, str):
        centers = validate.points(init, name="init")
        if centers.shape != (k, X.shape[1]):
            raise ValueError(
                f"init must have shape (k, d) = ({k}, {X.shape[1]}), got shape {centers.shape}"
            )
        return centers
    if validate.choice("init", init, ("k-means++", "random")) == "random":
        return rng.choice(X, size=k, replace=False)
    return _plus_plus(X, k, rng)


def _plus_plus(X: Float[ndarray, "n d"], k: int, rng: Generator) -> Float[ndarray, "k d"]:
    chosen = [int(rng.integers(len(X)))]
    closest = np.full(len(X), np.inf)
    while len(chosen) < k:
        offsets = X - X[chosen[-1]]
        closest = np.minimum(closest, np.einsum("ij,ij->i", offsets, offsets))
        below = closest.cumsum()
        if below[-1] > 0:  # what rng.choice(p=closest / total) draws, but that is slow
            chosen.append(int((below / below[-1]).searchsorted(rng.random(), side="right")))
        else:
            chosen.append(int(rng.integers(len(X))))
    return X[chosen]
