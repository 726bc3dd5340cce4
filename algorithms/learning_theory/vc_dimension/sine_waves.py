"""One parameter that shatters as many points as you like: the sign of a sine wave.

The hypotheses are h_w(x) = [sin(w x) > 0], with a single number w. At the points x_i = 2^-i,
i = 1, ..., n, a labelling y is realised by

    w = pi (1 + sum_i (1 - y_i) 2^i)

For w x_j / pi is 2^-j + sum_i (1 - y_i) 2^(i-j): the terms i > j are even numbers, which a sine
does not see; the term i = j is 1 for a negative point and 0 for a positive one; 2^-j and the terms
i < j sum to more than 0 and less than 1. So the sine is positive at x_j iff y_j = 1. The VC
dimension is infinite, and the number of parameters is 1.

Cost: O(n) per labelling.

Source: 20APC3316 2.1 (VC dimension); Vapnik 1995 (the sine).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.learning_theory.vc_dimension.shattering import all_labellings

MOST_POINTS = 6

Event = Literal["shattered"]


@dataclass(frozen=True, eq=False)
class SineStep(Record):
    """One labelling of the points 2^-i, and the frequency that realises it; also a model.

    Event: "shattered", at the last labelling.
    """

    final_events = ("shattered",)

    x: Float[ndarray, " n"]
    labels: Int[ndarray, " n"]
    frequency: float
    event: Event | None = None

    def predict(self, X: Float[ndarray, "m 1"]) -> Int[ndarray, " m"]:
        """Return 1 for every row of `X` at which the wave is above 0, and 0 for the others."""
        return (np.sin(self.frequency * X[:, 0]) > 0).astype(int)


def sine_waves(n: int) -> Iterator[SineStep]:
    """Find a wave for every labelling of n points, one in each step, in Gray's order.

    Raises ValueError, at the call, unless n is from 1 to 6.
    """
    n = validate.integer("n", n, 1, MOST_POINTS)
    x = 0.5 ** np.arange(1, n + 1)
    return _waves(x)


def _waves(x: Float[ndarray, " n"]) -> Iterator[SineStep]:
    every = all_labellings(len(x)).astype(int)
    for i, y in enumerate(every):
        event: Event | None = "shattered" if i == len(every) - 1 else None
        yield SineStep(x, y, frequency(y), event)


def frequency(y: Int[ndarray, " n"]) -> float:
    """Return w, for which sin(w x) is positive at x_i = 2^-i iff y_i = 1."""
    powers = 2.0 ** np.arange(1, len(y) + 1)
    return float(np.pi * (1 + (1 - y) @ powers))
