"""k nearest neighbours, one neighbour after the other: a ball grows around a query.

With r_1 <= r_2 <= ... <= r_n the distances of the query x from the points, step i takes in

    neighbour i:     v_j <- v_j + w_i     for its class j, whose votes are v_j
    radius:          r_i

with w_i = 1, or r_1 / r_i where the votes are weighted by distance. After k of them the class with
the most votes is predicted, the smaller one in a tie. The model, its metrics and its units are
those of nearest_neighbors.py; it is the same at every step, for nothing is fitted.

Cost: O(n log n) to order the points.

Source: CS725 15.2 (000:2640), CIS787 (004:196).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.neighbors.nearest_neighbors import (
    NearestNeighborsStep,
    nearest_neighbors,
    vote,
)
from algorithms.core import validate
from algorithms.core.record import Record, frozen

Event = Literal["another class leads", "k-th neighbour", "tied vote"]


@dataclass(frozen=True, eq=False)
class KNearestNeighborsStep(Record):
    """The ball around `query` after it has met `met` neighbours; `votes` is the vote so far.

    `order` are the numbers of all points, the nearest first, and `distances` theirs from the query;
    the first k of them are the neighbours, and `weights` are their votes.
    """

    model: NearestNeighborsStep
    query: Float[ndarray, " d"]
    order: Int[ndarray, " n"]
    distances: Float[ndarray, " n"]
    weights: Float[ndarray, " k"]
    met: int
    votes: Float[ndarray, " c"]
    event: Event | None = None

    @property
    def classes(self) -> Int[ndarray, " c"]:
        """The classes that are voted on."""
        return self.model.classes

    @property
    def radius(self) -> float:
        """The distance of the neighbour met last."""
        return float(self.distances[self.met - 1])

    @property
    def leader(self) -> int:
        """The class with the most votes so far, the smaller one in a tie."""
        return int(self.classes[self.votes.argmax()])

    @property
    def tied(self) -> bool:
        """Whether two classes or more have the most votes."""
        return bool((self.votes == self.votes.max()).sum() > 1)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class that the k neighbours of every row of `X` vote for."""
        return self.model.predict(X)

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m c"]:
        """Return the share of the votes of every class for every row of `X`."""
        return self.model.predict_proba(X)


def k_nearest_neighbors(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    k: int,
    query: Float[ndarray, " d"] | None = None,
    **how: Any,
) -> Iterator[KNearestNeighborsStep]:
    """Meet the k nearest points of `query` (the mean of the points unless given), one a step.

    `how` are `metric`, `weights`, `standardize` and `units` of `nearest_neighbors`.

    Raises ValueError, at the call, unless X and the query are finite, y holds n integers of two or
    more classes and k is between 1 and n.
    """
    (model,) = nearest_neighbors(X, y, k=k, **how)
    if query is None:
        query = model.points.mean(axis=0)
    place = validate.points(np.asarray(query)[None], name="query")
    if place.shape[1] != model.points.shape[1]:
        raise ValueError(f"query must have d={model.points.shape[1]} columns, got {place.shape[1]}")
    return _grow(model, place)


def _grow(
    model: NearestNeighborsStep, place: Float[ndarray, "1 d"]
) -> Iterator[KNearestNeighborsStep]:
    k, found = model.k, replace(model, k=len(model.points)).nearest(place)
    distances, numbers = (part[0] for part in found)
    ranked = np.lexsort((numbers, distances))  # of equals the first ones in the data
    order, distances = frozen(numbers[ranked]), frozen(distances[ranked])
    weights = frozen(vote(distances[None, :k], model.weights)[0])
    votes, query = np.zeros(len(model.classes)), frozen(place[0])
    before: int | None = None
    for met in range(1, k + 1):
        nearest = order[met - 1]
        votes[model.codes[nearest]] += weights[met - 1]
        step = KNearestNeighborsStep(model, query, order, distances, weights, met, votes)
        event = _event(step, before)
        before = step.leader
        yield replace(step, event=event)


def _event(step: KNearestNeighborsStep, before: int | None) -> Event | None:
    if step.met == step.model.k:
        return "tied vote" if step.tied else "k-th neighbour"
    return "another class leads" if before not in (None, step.leader) else None
