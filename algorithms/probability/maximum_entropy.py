"""Maximum entropy: the flattest distribution on the sides of a die with a given mean.

    maximise H(p) = -sum of p_k log2 p_k   subject to   sum of p_k = 1,  sum of k p_k = mean

The multipliers of the constraints give p_k proportional to exp(lambda k). Newton's rule finds the
lambda with the right mean, because the mean grows with lambda at the rate of the variance:

    lambda <- lambda + (mean wanted - mean) / variance

lambda = 0 is the uniform distribution.

Cost: O(k) per step.

Source: CS725 16.1 (maximum entropy); Jaynes 1957, 1962 (a die with the mean 4.5).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

FACES = np.arange(1.0, 7.0)
TOLERANCE = 1e-6  # of the mean

Event = Literal["converged", "stopped at max_iter"]


@dataclass(frozen=True, eq=False)
class EntropyStep(Record):
    """lambda. Events: "converged", when the mean is right."""

    is_model = False

    multiplier: float
    event: Event | None = None

    @property
    def p(self) -> Float[ndarray, " faces"]:
        """Return p, proportional to exp(lambda k)."""
        weights = np.exp(self.multiplier * (FACES - FACES.mean()))
        return weights / weights.sum()

    @property
    def mean(self) -> float:
        """Return the sum of k p_k."""
        return float(self.p @ FACES)

    @property
    def entropy(self) -> float:
        """Return H(p) in bits."""
        return float(entropy(self.p[None])[0])

    @property
    def variance(self) -> float:
        """Return the sum of p_k (k - mean)²."""
        return float(self.p @ (FACES - self.mean) ** 2)


def maximum_entropy(mean: float, *, max_iter: int = 50) -> Iterator[EntropyStep]:
    """Find the flattest distribution on 1 to 6 with this mean, from the uniform one.

    Raises ValueError, at the call, unless the mean is at least 1.1 and at most 5.9.
    """
    if not 1.1 <= validate.number("mean", mean) <= 5.9:
        raise ValueError(f"mean must be from 1.1 to 5.9, got {mean=}")
    first = EntropyStep(0.0)
    if abs(first.mean - mean) < TOLERANCE:
        first = EntropyStep(0.0, "converged")
    return iterate(first, partial(advance, mean), most=validate.integer("max_iter", max_iter, 1))


def advance(mean: float, step: EntropyStep) -> EntropyStep:
    """Take one step of Newton's rule."""
    found = EntropyStep(step.multiplier + (mean - step.mean) / step.variance)
    if abs(found.mean - mean) < TOLERANCE:
        return EntropyStep(found.multiplier, "converged")
    return found


def entropy(p: Float[ndarray, "m faces"]) -> Float[ndarray, " m"]:
    """Return H(p) of every row in bits; 0 log 0 is 0."""
    return -(p * np.log2(np.where(p > 0, p, 1.0))).sum(axis=-1)


def moved(p: Float[ndarray, " faces"], face: int) -> tuple[Float[ndarray, " t"], ndarray]:
    """Return distributions that keep the mean: p + t (1, -2, 1) from a face on, for all t allowed.

    face : the index of the first of the three faces. Returns t and the (t, faces) distributions.
    """
    change = np.zeros(len(p))
    change[face : face + 3] = 1, -2, 1
    low, high = -min(p[face], p[face + 2]), p[face + 1] / 2
    t = np.linspace(low, high, 61)
    return t, np.maximum(p + t[:, None] * change, 0.0)
