"""k nearest neighbours, one neighbour after the other: a ball grows around a query.

With r_1 <= r_2 <= ... <= r_n the distances of the query x from the points, step i takes in

    neighbour i:     v_j <- v_j + w_i     for its class j, whose votes are v_j
    radius:          r_i

with w_i = 1, or r_1 / r_i if the votes are weighted by distance. After k of them the class with
the most votes is predicted, the smaller one in a tie. If points are equally far, the first in the
data is met first. The model, its metrics and its units are those of nearest_neighbors.py. It is the
same at every step, since nothing is fitted.

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
from algorithms.core.iterate import iterate
from algorithms.core.record import Record, frozen

Event = Literal["another class leads", "k-th neighbour", "tied vote"]


def k_nearest_neighbors(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    k: int,
    query: Float[ndarray, " d"] | None = None,
    **how: Any,
) -> Iterator["KNearestNeighborsStep"]:
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
    return iterate(first_neighbor(model, place), advance, most=k - 1, stopped=None)


def advance(step: "KNearestNeighborsStep") -> "KNearestNeighborsStep":
    """Return the step that meets the next neighbour."""
    i, model = step.met, step.model
    votes = step.votes.copy()
    votes[model.codes[step.order[i]]] += step.weights[i]  # v_j <- v_j + w_i
    after = replace(step, met=i + 1, votes=votes)
    if after.met < model.k:
        return replace(after, event=None if after.leader == step.leader else "another class leads")
    return replace(after, event=_last(after))


def first_neighbor(
    model: NearestNeighborsStep, place: Float[ndarray, "1 d"]
) -> "KNearestNeighborsStep":
    """Order all points by their distance from the query, and meet the first one."""
    found = replace(model, k=len(model.points)).nearest(place)
    distances, numbers = (part[0] for part in found)
    ranked = np.lexsort((numbers, distances))  # of equals the first ones in the data
    order, distances = frozen(numbers[ranked]), frozen(distances[ranked])
    weights = frozen(vote(distances[None, : model.k], model.weights)[0])
    votes = np.zeros(len(model.classes))
    votes[model.codes[order[0]]] = weights[0]
    step = KNearestNeighborsStep(model, frozen(place[0]), order, distances, weights, 1, votes)
    return step if model.k > 1 else replace(step, event=_last(step))


def _last(step: "KNearestNeighborsStep") -> Event:
    return "tied vote" if step.tied else "k-th neighbour"


@dataclass(frozen=True, eq=False)
class KNearestNeighborsStep(Record):
    """The ball around `query` after it has met `met` neighbours; `votes` is the vote so far.

    `order` has the indices of all points, the nearest first, and `distances` has their distances
    from the query. The first k of them are the neighbours, and `weights` are their votes.

    Events: "another class leads"; at the end "tied vote" or "k-th neighbour".
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
        """Return the classes that are voted on."""
        return self.model.classes

    @property
    def radius(self) -> float:
        """Return the distance of the neighbour met last."""
        return float(self.distances[self.met - 1])

    @property
    def leader(self) -> int:
        """Return the class with the most votes so far, the smaller one in a tie."""
        return int(self.classes[self.votes.argmax()])

    @property
    def tied(self) -> bool:
        """Return whether two classes or more have the most votes."""
        return bool((self.votes == self.votes.max()).sum() > 1)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class that the k neighbours of every row of `X` vote for."""
        return self.model.predict(X)

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m c"]:
        """Return the share of the votes of every class for every row of `X`."""
        return self.model.predict_proba(X)
