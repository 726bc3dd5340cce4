"""A vote of given stumps in numbers: how many points the vote and every single voter get wrong."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.ensembles.ada_boost.class_vote import ClassVoteStep


@dataclass(frozen=True, eq=False)
class Mistakes(Record):
    """Mistakes on a set of points. `vote` has an entry per step, `voters` one per stump."""

    points: int
    vote: Int[ndarray, " t"]
    voters: Int[ndarray, " V"]


@dataclass(frozen=True, eq=False)
class VoteSummary(Record):
    """The mistakes on the training points, and on the held-out points if there are any."""

    training: Mistakes
    held_out: Mistakes | None = None


def vote_summary(
    steps: Sequence[ClassVoteStep], X: Float[ndarray, "m d"], y: Int[ndarray, " m"]
) -> VoteSummary:
    """Return the mistakes at every step, also on the held-out points (X, y).

    X may be empty; points of a third class always count as wrong. Raises ValueError unless X is
    finite and y holds m integers.
    """
    first = steps[0]
    wrong = np.count_nonzero(first.said != first.signs, axis=1)
    vote = np.array([np.count_nonzero(step.missed) for step in steps])
    training = Mistakes(len(first.signs), vote, wrong)
    if len(X) == 0:
        return VoteSummary(training)
    X = validate.points(X)
    y = validate.integers(y, len(X))
    h = first.stumps.predict(X)
    F = np.array([step.alpha for step in steps])[:, None] * h[[step.voter for step in steps]]
    missed = [
        np.count_nonzero(first.classes[(sums > 0).astype(int)] != y, axis=1)
        for sums in (F.cumsum(axis=0), h)
    ]
    return VoteSummary(training, Mistakes(len(X), *missed))
