"""A weighted vote on one new point: every hypothesis adds its posterior to the class it says.

    P(v | D) = sum of P(h | D) over the hypotheses h that say v
    Bayes optimal class = the v with the largest P(v | D)

The notes' example: posteriors .4, .3 and .3, where the first says + and the others say -. The most
probable hypothesis says +, and the vote says - with .6. Gibbs says - in six of ten draws.

Cost: O(1) per hypothesis.

Source: 20APC3316, Bayes optimal classifier.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from algorithms.core.iterate import iterate
from algorithms.core.record import Record

Event = Literal["finished"]


@dataclass(frozen=True, eq=False)
class WeightedVoteStep(Record):
    """P(+ | D) and P(- | D), summed over the hypotheses that have voted so far."""

    is_model = False

    plus: float = 0.0
    minus: float = 0.0
    voted: int = 0
    event: Event | None = None


def weighted_vote(
    posterior: Float[ndarray, " m"], answers: Bool[ndarray, " m"]
) -> Iterator[WeightedVoteStep]:
    """Let one hypothesis vote in each step. answers : True for +.

    Raises ValueError, at the call, unless the posteriors are not negative and not all 0; they are
    divided by their sum.
    """
    total = posterior.sum()
    if not (posterior >= 0).all() or not 0 < total < np.inf:
        raise ValueError(f"posterior must be numbers from 0, not all 0, got {posterior}")
    return iterate(
        WeightedVoteStep(), partial(advance, posterior / total, answers),
        most=len(answers), stopped=None,
    )  # fmt: skip


def advance(
    posterior: Float[ndarray, " m"], answers: Bool[ndarray, " m"], step: WeightedVoteStep
) -> WeightedVoteStep:
    """Add the next hypothesis's posterior to the class it says."""
    i = step.voted
    weight = float(posterior[i])
    plus, minus = (weight, 0.0) if answers[i] else (0.0, weight)
    end: Event | None = "finished" if i == len(answers) - 1 else None
    return WeightedVoteStep(step.plus + plus, step.minus + minus, i + 1, end)
