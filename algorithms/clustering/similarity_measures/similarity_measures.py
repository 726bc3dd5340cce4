"""What is near? The neighbours of a query by one measure, and their distances by another.

With u = f (x - c), the columns times their factors f, and c = 0 by default, the distance of two
points u and v is

    minkowski      d(u, v) = (sum_c |u_c - v_c|^p)^(1/p)        p = 1 Manhattan, p = 2 Euclidean
    chebyshev      d(u, v) = max_c |u_c - v_c|                  the limit for p -> infinity
    cosine         d(u, v) = 1 - u.v / (||u|| ||v||)            0 for the same direction; at most 2
    mahalanobis    d(u, v) = sqrt((u - v)' S^-1 (u - v))        S: the covariance of all points

The cosine sees angles from c. At c itself there is no direction; its cosine with any other place is
taken as 0. Mahalanobis is Euclidean after u -> u W with W W' = S^-1: no invertible linear map of
the data changes it, so units do not matter. S must have an inverse.

A metric is 0 only for equal points, is the same both ways, and has no detour that is shorter:

    d(u, w) <= d(u, v) + d(v, w)        (the triangle inequality)

Minkowski with p >= 1, Chebyshev and Mahalanobis are metrics. For p < 1 the way over a corner is
shorter than the straight one, from (0, 0) to (1, 1): 1 + 1 < 2^(1/p). The cosine is 0 between
points that differ only in length, and a turn made in two halves is shorter by it than at once.

A step takes in one more neighbour, the nearest first: the ball { x : d(q, x) <= d_i } grows. And
it looks for the shortest detour to that point, by way of one other point.

Cost: O(n d) for the distances, O(n log n) to order them, O(n d) a step for the detours.

Source: CS725 13.1 (000:2218-2296), where the Mahalanobis distance lacks the inverse, the Minkowski
distance the absolute value, and the cosine divides by the squares of the lengths.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record, frozen
from algorithms.core.scaling import by_largest

Name = Literal["minkowski", "chebyshev", "cosine", "mahalanobis"]
Event = Literal["a way round is shorter", "the other measure disagrees", "k-th neighbour"]

NAMES: tuple[Name, ...] = ("minkowski", "chebyshev", "cosine", "mahalanobis")
BLOCK = 32  # neighbours whose distances from all points are computed together
ROUNDING = 1e-9  # of a distance: a detour that is shorter by less may be an error of the sums
LEAST = 1e-14  # of the largest eigenvalue: a covariance with a smaller one has no inverse


@dataclass(frozen=True)
class Measure:
    """A measure by its name; `p` counts for "minkowski" alone."""

    name: Name
    p: float = 2.0


MANHATTAN, EUCLIDEAN = Measure("minkowski", 1.0), Measure("minkowski", 2.0)
CHEBYSHEV, COSINE, MAHALANOBIS = Measure("chebyshev"), Measure("cosine"), Measure("mahalanobis")


@dataclass(frozen=True, eq=False)
class Fitted(Record):
    """A measure on given data: points are compared as u = (x - center) matrix."""

    measure: Measure
    center: Float[ndarray, " d"]
    matrix: Float[ndarray, "d d"]

    def between(self, A: Float[ndarray, "m d"], B: Float[ndarray, "n d"]) -> Float[ndarray, "m n"]:
        """Return the distance of every row of `A` from every row of `B`."""
        U, V = ((points - self.center) @ self.matrix for points in (A, B))
        match self.measure.name:
            case "minkowski":
                return norm(U[:, None] - V, self.measure.p)
            case "chebyshev":
                return np.abs(U[:, None] - V).max(axis=-1)
            case "mahalanobis":  # the matrix is W
                return norm(U[:, None] - V, 2.0)
            case "cosine":
                return cosine_distance(U, V)


def norm(apart: Float[ndarray, "... d"], p: float) -> Float[ndarray, "..."]:
    """Return (sum_c |a_c|^p)^(1/p), in parts of the largest |a_c|, so that no power overflows."""
    if p == 1:
        return np.abs(apart).sum(axis=-1)  # exact: equal sums stay equal
    largest = np.abs(apart).max(axis=-1)
    parts = np.abs(apart) / np.where(largest > 0, largest, 1.0)[..., None]
    return largest * (parts**p).sum(axis=-1) ** (1 / p)


def cosine_distance(U: Float[ndarray, "m d"], V: Float[ndarray, "n d"]) -> Float[ndarray, "m n"]:
    """Return 1 - u.v / (||u|| ||v||), and 1 where u or v is 0.

    It is half the square of the distance between u / ||u|| and v / ||v||, which loses no digits
    where the directions are nearly the same.
    """
    lengths = [norm(points, 2.0)[:, None] for points in (U, V)]
    u, v = (points / np.where(r > 0, r, 1.0) for points, r in zip((U, V), lengths, strict=True))
    halved = 0.5 * norm(u[:, None] - v, 2.0) ** 2
    return np.where((lengths[0] > 0) & (lengths[1] > 0).T, halved, 1.0)


def fitted(
    X: Float[ndarray, "n d"],
    measure: Measure,
    *,
    units: Float[ndarray, " d"] | None = None,
    center: Float[ndarray, " d"] | None = None,
) -> Fitted:
    """Return a measure on these data: `units` multiply the columns, angles are seen from `center`.

    Raises ValueError unless the units are positive, p too, and for "mahalanobis" the covariance of
    X has an inverse.
    """
    validate.choice("measure", measure.name, NAMES)
    validate.number("p", measure.p, positive=True)
    d = X.shape[1]
    units = np.ones(d) if units is None else _row("units", units, d)
    if units.min() <= 0:
        raise ValueError(f"units must be positive, got {units.tolist()}")
    if measure.name == "mahalanobis":
        return Fitted(measure, X.mean(axis=0), _whitening(X))  # whatever the units
    seen_from = _row("center", center, d) if measure.name == "cosine" and center is not None else 0
    return Fitted(measure, np.zeros(d) + seen_from, np.diag(units))


def _row(name: str, values: Float[ndarray, " d"], d: int) -> Float[ndarray, " d"]:
    row = validate.points(np.asarray(values)[None], name=name)[0]
    if len(row) != d:
        raise ValueError(f"{name} must hold d={d} numbers, got {len(row)}")
    return row


def _whitening(X: Float[ndarray, "n d"]) -> Float[ndarray, "d d"]:
    """Return W with W W' the inverse of the covariance of X, which divides by n."""
    U, scaling = by_largest(X)
    values, vectors = np.linalg.eigh(U.T @ U / len(U))
    if values[0] <= LEAST * values[-1]:
        raise ValueError(
            f"X must not lie in fewer than d={X.shape[1]} dimensions, such as on a line, for the "
            "Mahalanobis distance: its covariance matrix has no inverse"
        )
    return vectors / np.sqrt(values) / scaling.spread[:, None]


@dataclass(frozen=True, eq=False)
class NeighborStep(Record):
    """The ball around `query` after it has met `met` neighbours.

    `order` has the indices of all points, the nearest first. `distances` are every point's from the
    query; `ranks` and `other_ranks` its places in the orders of both measures, from 0 on. `detour`
    is the distance to the neighbour met last by way of the point `via`; -1 and the direct distance
    if there is no other point.
    """

    is_model = False

    fitted: Fitted
    other: Fitted
    query: Float[ndarray, " d"]
    k: int
    order: Int[ndarray, " n"]
    distances: Float[ndarray, " n"]
    ranks: Int[ndarray, " n"]
    other_ranks: Int[ndarray, " n"]
    met: int
    via: int
    detour: float
    event: Event | None = None

    @property
    def newest(self) -> int:
        """Return the neighbour that was met last."""
        return int(self.order[self.met - 1])

    @property
    def radius(self) -> float:
        """Return the distance of that neighbour."""
        return float(self.distances[self.newest])

    @property
    def shorter(self) -> bool:
        """Return whether the detour is shorter than the direct distance."""
        return self.detour < (1 - ROUNDING) * self.radius

    @property
    def shared(self) -> int:
        """Return how many of the neighbours met are among the k nearest by the other measure."""
        return int((self.other_ranks[self.order[: self.met]] < self.k).sum())


def nearest_by_measure(
    X: Float[ndarray, "n d"],
    *,
    k: int,
    measure: Measure = EUCLIDEAN,
    against: Measure = EUCLIDEAN,
    query: Float[ndarray, " d"] | None = None,
    units: Float[ndarray, " d"] | None = None,
    center: Float[ndarray, " d"] | None = None,
) -> Iterator[NeighborStep]:
    """Meet the k nearest points of `query` (by default the mean) by a measure, one a step.

    The columns are multiplied by `units` (by default 1); the cosine sees angles from `center` (by
    default the origin). Of points equally far, the first in the data comes first.

    Raises ValueError, at the call, unless X is finite, k is between 1 and n, and both measures are
    defined; see `fitted`.
    """
    X = validate.points(X)
    k = validate.integer("k", k, 1, len(X), high_name="n")
    place = X.mean(axis=0) if query is None else _row("query", query, X.shape[1])
    how = {"units": units, "center": center}
    return _grow(X, place, k, fitted(X, measure, **how), fitted(X, against, **how))


def _grow(
    X: Float[ndarray, "n d"], query: Float[ndarray, " d"], k: int, mine: Fitted, other: Fitted
) -> Iterator[NeighborStep]:
    distances = frozen(mine.between(query[None], X)[0])
    ranks = frozen(in_order(distances))
    other_ranks = frozen(in_order(other.between(query[None], X)[0]))
    order, query = frozen(ranks.argsort()), frozen(query)
    seen: set[Event] = set()
    for met, (newest, away) in enumerate(_one_by_one(mine, X, order[:k]), 1):
        via, detour = _shortest_detour(distances, away, newest)
        step = NeighborStep(
            mine, other, query, k, order, distances, ranks, other_ranks, met, via, detour
        )
        event = _event(step)
        yield step if event is None or event in seen else replace(step, event=event)
        seen |= {event} if event else set()


def _one_by_one(
    mine: Fitted, X: Float[ndarray, "n d"], order: Int[ndarray, " k"]
) -> Iterator[tuple[int, Float[ndarray, " n"]]]:
    """Yield some points in their order, each with its distances from all points."""
    for first in range(0, len(order), BLOCK):
        block = order[first : first + BLOCK]
        yield from zip(block.tolist(), mine.between(X[block], X), strict=True)


def _shortest_detour(
    first: Float[ndarray, " n"], second: Float[ndarray, " n"], newest: int
) -> tuple[int, float]:
    """Return the point of the shortest detour to the newest, and the length of the detour."""
    if len(first) == 1:
        return -1, float(first[newest])
    ways = first + second
    ways[newest] = np.inf
    via = int(ways.argmin())
    return via, float(ways[via])


def _event(step: NeighborStep) -> Event | None:
    """Return what is notable about a step; only the first of each kind becomes an event."""
    if step.met == step.k:
        return "k-th neighbour"
    if step.shorter:
        return "a way round is shorter"
    return "the other measure disagrees" if step.other_ranks[step.newest] >= step.k else None


def ranks_by_measures(
    X: Float[ndarray, "n d"], query: Float[ndarray, " d"], measures: Sequence[Measure], **how: Any
) -> list[tuple[Measure, Int[ndarray, " n"]]]:
    """Return every point's place in the order of each measure, from 0 on.

    `how` has the units and the centre for `fitted`. A measure that is not defined is left out.
    """
    found = []
    for measure in measures:
        try:
            distances = fitted(X, measure, **how).between(query[None], X)[0]
        except ValueError:
            continue
        found.append((measure, in_order(distances)))
    return found


def in_order(distances: Float[ndarray, " n"]) -> Int[ndarray, " n"]:
    """Return every point's place in the order, from 0 on; of equals the first comes first."""
    return distances.argsort(kind="stable").argsort()
