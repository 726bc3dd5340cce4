"""How many neighbours? The leave-one-out error of k nearest neighbours, for one k after the other.

Every point is left out once, and its class is predicted from the others:

    error(k) = 1/n sum_i [ y_i != j_(-i)(x_i) ]        j_(-i): the rule without point i

Nothing is fitted, so to leave a point out is to drop it from its own neighbours: one search for
K + 1 neighbours serves every k up to K. For the training error every point votes on itself. It is
0 for k = 1, and for every k if votes are weighted by distance (unless points of different classes
coincide), so it cannot choose k.

In a tie the smaller class is predicted, which is arbitrary; with two classes an odd k has no ties.
Standardising uses all points, including the one left out. The lowest of many errors is optimistic.

Cost: O(n (log n + K)) for all k from 1 to K.

Source: 003:1968 (cross-validation); Stone 1974.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.classification.neighbors.nearest_neighbors import (
    NearestNeighborsStep,
    nearest_neighbors,
    vote,
)
from algorithms.core import validate
from algorithms.core.record import Record

MOST = 50

Event = Literal["lowest error"]


@dataclass(frozen=True, eq=False)
class LeaveOneOutStep(Record):
    """One k: its model of all points, and which points are wrong when they are left out.

    `training_wrong` points are wrong when they vote on themselves; for `tied` points left out the
    vote is a tie.
    """

    k: int
    model: NearestNeighborsStep
    wrong: Bool[ndarray, " n"]
    training_wrong: int
    tied: int
    event: Event | None = None

    @property
    def classes(self) -> Int[ndarray, " c"]:
        """Return the classes that are voted on."""
        return self.model.classes

    @property
    def errors(self) -> int:
        """Return how many points are wrong when they are left out."""
        return int(self.wrong.sum())

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class that the k neighbours of every row of `X` vote for."""
        return self.model.predict(X)


def leave_one_out(
    X: Float[ndarray, "n d"], y: Int[ndarray, " n"], *, most: int = MOST, **how: Any
) -> Iterator[LeaveOneOutStep]:
    """Leave every point out in turn, for k = 1, 2, ... up to `most` or n - 1.

    `how` are `metric`, `weights`, `standardize` and `units` of `nearest_neighbors`. The event is
    at the first k with the lowest error.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes
    and most >= 1.
    """
    (model,) = nearest_neighbors(X, y, k=1, **how)
    most = validate.integer("most", most, 1)
    return _run(model, min(most, len(model.points) - 1))


def _run(model: NearestNeighborsStep, most: int) -> Iterator[LeaveOneOutStep]:
    distances, places = replace(model, k=most + 1).nearest(model.points)
    order = np.lexsort((places, distances))  # of equals the first ones in the data
    distances, places = (np.take_along_axis(part, order, 1) for part in (distances, places))
    others = _without_itself(places)
    votes = _tally(model, distances[others].reshape(-1, most), places[others].reshape(-1, most))
    own = _tally(model, distances[:, :most], places[:, :most])
    wrong = votes.argmax(axis=2) != model.codes[:, None]
    training_wrong = (own.argmax(axis=2) != model.codes[:, None]).sum(axis=0)
    tied = ((votes == votes.max(axis=2, keepdims=True)).sum(axis=2) > 1).sum(axis=0)
    best = int(wrong.sum(axis=0).argmin())
    for i in range(most):
        yield LeaveOneOutStep(
            k=i + 1,
            model=replace(model, k=i + 1),
            wrong=wrong[:, i],
            training_wrong=int(training_wrong[i]),
            tied=int(tied[i]),
            event="lowest error" if i == best else None,
        )


def _without_itself(places: Int[ndarray, "n m"]) -> Bool[ndarray, "n m"]:
    """Return which neighbours are not the point itself: all but one of every row.

    Among many points at one place, the point itself may not be found; then the last neighbour is
    left out.
    """
    others = places != np.arange(len(places))[:, None]
    others[others.all(axis=1), -1] = False
    return others


def _tally(
    model: NearestNeighborsStep, distances: Float[ndarray, "n m"], places: Int[ndarray, "n m"]
) -> Float[ndarray, "n m c"]:
    """Return every class's votes after the first neighbour, after the second, ..."""
    mine = model.codes[places][:, :, None] == np.arange(len(model.classes))
    return (mine * vote(distances, model.weights)[:, :, None]).cumsum(axis=1)
