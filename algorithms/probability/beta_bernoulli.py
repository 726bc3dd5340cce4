"""The Beta prior of a coin, flip by flip: prior times likelihood is a posterior of the same kind.

    p(theta) is proportional to theta^(a-1) (1 - theta)^(b-1)         the prior, Beta(a, b)
    P(heads | theta) = theta                                          one flip
    heads: a <- a + 1;    tails: b <- b + 1                           the posterior

After h heads among n flips three numbers estimate theta:

    maximum likelihood   h / n
    MAP (the mode)       (a + h - 1) / (a + b + n - 2)
    posterior mean       (a + h) / (a + b + n)

With a = b = 1 the mean is Laplace's rule, (h + 1) / (n + 2). With a = m p and b = m (1 - p) it is
the m-estimate, (h + m p) / (n + m).

Cost: O(1) per flip.

Source: CS725 8 and 10.3; CS337, maximum likelihood and MAP.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

MOST_FLIPS = 100_000

Event = Literal["finished"]


@dataclass(frozen=True, eq=False)
class BetaStep(Record):
    """The posterior Beta(a, b) after some flips; step 0 is the prior.

    heads, tails : of the flips so far. Event: "finished", at the last flip.
    """

    is_model = False

    a: float
    b: float
    heads: int = 0
    tails: int = 0
    event: Event | None = None

    @property
    def flips(self) -> int:
        """Return the number of flips so far."""
        return self.heads + self.tails

    @property
    def mean(self) -> float:
        """Return the posterior mean, which is also the probability that the next flip is heads."""
        return self.a / (self.a + self.b)

    @property
    def mode(self) -> float:
        """Return where the density is highest: MAP. If both ends are alike, it is the middle."""
        if self.a <= 1 and self.b <= 1:
            return 0.5 if self.a == self.b else float(self.a > self.b)
        return float(np.clip((self.a - 1) / (self.a + self.b - 2), 0.0, 1.0))

    @property
    def most_likely(self) -> float | None:
        """Return the maximum of the likelihood, h / n; None before the first flip."""
        return self.heads / self.flips if self.flips else None

    def log_density(self, theta: Float[ndarray, " m"]) -> Float[ndarray, " m"]:
        """Return ln p(theta) of Beta(a, b) between 0 and 1, up to a constant."""
        return (self.a - 1) * np.log(theta) + (self.b - 1) * np.log1p(-theta)

    def log_likelihood(self, theta: Float[ndarray, " m"]) -> Float[ndarray, " m"]:
        """Return ln P(flips | theta) = h ln theta + t ln (1 - theta)."""
        return self.heads * np.log(theta) + self.tails * np.log1p(-theta)


def beta_bernoulli(flips: Int[ndarray, " n"], *, a: float, b: float) -> Iterator[BetaStep]:
    """Update Beta(a, b) by one flip a step. flips : 1 for heads, 0 for tails.

    Raises ValueError, at the call, unless a and b are positive and the flips are 0 or 1.
    """
    flips = validate.integers(flips, len(flips))
    if not 1 <= len(flips) <= MOST_FLIPS or not np.isin(flips, (0, 1)).all():
        raise ValueError(f"flips must be 1 to {MOST_FLIPS:,} numbers 0 or 1")
    a = validate.number("a", a, positive=True)
    b = validate.number("b", b, positive=True)
    return iterate(BetaStep(a, b), partial(advance, flips), most=len(flips), stopped=None)


def advance(flips: Int[ndarray, " n"], step: BetaStep) -> BetaStep:
    """Count one more flip: heads: a <- a + 1; tails: b <- b + 1."""
    i = step.flips
    end: Event | None = "finished" if i == len(flips) - 1 else None
    if flips[i] == 1:
        return replace(step, a=step.a + 1, heads=step.heads + 1, event=end)
    return replace(step, b=step.b + 1, tails=step.tails + 1, event=end)


def coin(theta: float, n: int, *, rng: Generator) -> Int[ndarray, " n"]:
    """Return n flips of a coin that shows heads (1) with probability `theta`."""
    return (rng.random(n) < theta).astype(int)
