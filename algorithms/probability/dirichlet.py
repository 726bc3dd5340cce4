"""The Dirichlet prior of a die with three sides, roll by roll.

    p(theta) is proportional to theta_1^(a_1 - 1) theta_2^(a_2 - 1) theta_3^(a_3 - 1)
    side k comes up: a_k <- a_k + 1

With A the sum of all a, before the rolls or after:

    posterior mean   a_k / A
    MAP (the mode)   (a_k - 1) / (A - 3), if all a_k are above 1
    maximum likelihood   n_k / n

All a = 1 is a flat prior; its mean is Laplace's rule (n_k + 1) / (n + 3). With two sides this is
the Beta prior.

Cost: O(1) per roll.

Source: CS725 8 and 10.3.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

Event = Literal["finished"]


@dataclass(frozen=True, eq=False)
class DirichletStep(Record):
    """The posterior's a, and how often each side has come up. Event: "finished"."""

    is_model = False

    a: Float[ndarray, " sides"]
    counts: Int[ndarray, " sides"]
    event: Event | None = None

    @property
    def rolls(self) -> int:
        """Return the number of rolls so far."""
        return int(self.counts.sum())

    @property
    def mean(self) -> Float[ndarray, " sides"]:
        """Return the posterior mean, a_k / A."""
        return self.a / self.a.sum()

    @property
    def mode(self) -> Float[ndarray, " sides"] | None:
        """Return MAP, (a_k - 1) / (A - 3); None unless all a are above 1."""
        return (self.a - 1) / (self.a.sum() - len(self.a)) if self.a.min() > 1 else None

    @property
    def most_likely(self) -> Float[ndarray, " sides"] | None:
        """Return n_k / n; None before the first roll."""
        return self.counts / self.rolls if self.rolls else None

    def log_density(self, theta: Float[ndarray, "m sides"]) -> Float[ndarray, " m"]:
        """Return ln p(theta) up to a constant, where all theta are above 0."""
        return np.log(theta) @ (self.a - 1)


def dirichlet(
    rolls: Int[ndarray, " n"], *, prior: Float[ndarray, " sides"]
) -> Iterator[DirichletStep]:
    """Update the prior by one roll a step. rolls : the sides that come up, from 0.

    Raises ValueError, at the call, unless all numbers of the prior are positive and all rolls are
    sides of it.
    """
    rolls = validate.integers(rolls, len(rolls))
    if not len(prior) >= 2 or not (prior > 0).all() or not np.isfinite(prior).all():
        raise ValueError(f"prior must have positive numbers, got {prior}")
    if len(rolls) == 0 or rolls.min() < 0 or rolls.max() >= len(prior):
        raise ValueError(f"rolls must be sides from 0 to {len(prior) - 1}")
    first = DirichletStep(prior, np.zeros(len(prior), int))
    return iterate(first, partial(advance, rolls), most=len(rolls), stopped=None)


def advance(rolls: Int[ndarray, " n"], step: DirichletStep) -> DirichletStep:
    """Count one more roll: a_k <- a_k + 1."""
    i = step.rolls
    one = np.zeros(len(step.a), int)
    one[rolls[i]] = 1
    end: Event | None = "finished" if i == len(rolls) - 1 else None
    return DirichletStep(step.a + one, step.counts + one, end)
