"""A run of AdaBoost in numbers, round by round."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.ensembles.ada_boost.ada_boost import AdaBoostStep


@dataclass(frozen=True, eq=False)
class BoostingSummary(Record):
    """A run in numbers, an entry per round; errors are shares of the points.

    `smallest_margin` is that of the training point that the vote is least sure about.
    `held_out_wrong` counts points; it and `held_out_error` are None without held-out points.
    """

    error: Float[ndarray, " t"]
    alpha: Float[ndarray, " t"]
    training_error: Float[ndarray, " t"]
    bound: Float[ndarray, " t"]
    smallest_margin: Float[ndarray, " t"]
    held_out_error: Float[ndarray, " t"] | None = None
    held_out_wrong: Int[ndarray, " t"] | None = None


def boosting_summary(
    steps: Sequence[AdaBoostStep], X: Float[ndarray, "m d"], y: Int[ndarray, " m"]
) -> BoostingSummary:
    """Return the numbers of every round, with its error on the held-out points (X, y).

    X may be empty; points of a third class always count as wrong. Raises ValueError unless X is
    finite and y holds m integers.
    """
    wrong = _staged_errors(steps[-1], X, y) if len(X) > 0 else None
    return BoostingSummary(
        error=np.array([step.error for step in steps]),
        alpha=np.array([step.alpha for step in steps]),
        training_error=np.array([step.training_error for step in steps]),
        bound=np.array([step.bound for step in steps]),
        smallest_margin=np.array([step.margins.min() for step in steps]),
        held_out_error=None if wrong is None else wrong / len(X),
        held_out_wrong=wrong,
    )


def _staged_errors(
    model: AdaBoostStep, X: Float[ndarray, "m d"], y: Int[ndarray, " m"]
) -> Int[ndarray, " t"]:
    """Return how many of the points the vote gets wrong, after each round of the model."""
    X = validate.points(X)
    y = validate.integers(y, len(X))
    F = model.votes(X).cumsum(axis=0)
    return np.count_nonzero(model.classes[(F > 0).astype(int)] != y, axis=1)
