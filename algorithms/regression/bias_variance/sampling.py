"""How training sets are drawn from a truth, and at which places fits are compared with it."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.data.truths import Truth

PLACES = 81


@dataclass(frozen=True)
class Sampling:
    """How training sets are drawn from a truth and tested.

    A set has `n` points y = f(x) + noise of standard deviation `noise`. Their x are "random", drawn
    uniformly for every set, or "even", the middles of n equal parts. The fits to a set are tested
    on `n_test` new points with uniform x.
    """

    n: int
    noise: float
    design: str = "random"
    n_test: int = 50

    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        validate.integer("n", self.n, 1, 1000)
        validate.number("noise", self.noise)
        validate.choice("design", self.design, ("random", "even"))
        validate.integer("n_test", self.n_test, 1)


def middles(count: int) -> Float[ndarray, " count"]:
    """Return the middles of `count` equal parts of [-1, 1]."""
    return (2 * np.arange(count) + 1) / count - 1


def within(truth: Truth, t: Float[ndarray, "..."]) -> Float[ndarray, "..."]:
    """Return the x in the range of the truth that belong to t from -1 to 1."""
    return truth.low + (truth.high - truth.low) * (t + 1) / 2
