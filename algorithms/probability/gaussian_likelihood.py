"""The likelihood of a Gaussian, and gradient steps to its top.

    L(mu, sigma) = product over i of  exp(-(x_i - mu)² / (2 sigma²)) / (sigma sqrt(2 pi))
    ln L = -n ln(sigma sqrt(2 pi)) - sum of (x_i - mu)² / (2 sigma²)

For every sigma, the mu with the largest ln L is the one with the least sum of squares. A step goes
up the slope of ln L / n, by mu and by ln sigma, which keeps sigma positive:

    mu       <- mu + rate (m - mu) / sigma²                        m = mean of x
    ln sigma <- ln sigma + rate (mean of (x - mu)² / sigma² - 1)

At the top, mu = m and sigma² = mean of (x - m)², with n and not n - 1 below.

Cost: O(n) per step.

Source: CS725 8 and 10.1; CS337, maximum likelihood.
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

TOLERANCE = 1e-3  # of both slopes
LARGEST = 1.0  # a step changes ln sigma, and mu in sigmas, by at most this much

Event = Literal["converged", "stopped at max_iter"]


@dataclass(frozen=True, eq=False)
class LikelihoodStep(Record):
    """mu and sigma. Events: "converged", both slopes are below the tolerance."""

    is_model = False

    mean: float
    deviation: float
    event: Event | None = None

    def heights(self, x: Float[ndarray, " m"]) -> Float[ndarray, " m"]:
        """Return the Gaussian's density."""
        z = (x - self.mean) / self.deviation
        return np.exp(-(z**2) / 2) / (self.deviation * np.sqrt(2 * np.pi))


def gaussian_likelihood(
    x: Float[ndarray, " n"], *, start: tuple[float, float], rate: float = 0.2, max_iter: int = 100
) -> Iterator[LikelihoodStep]:
    """Go up the log-likelihood from a mean and a standard deviation.

    Raises ValueError, at the call, unless there are numbers that differ, and the standard deviation
    and the rate are positive.
    """
    if len(x) < 2 or not np.isfinite(x).all() or np.ptp(x) == 0:
        raise ValueError("x must have two numbers or more that differ")
    validate.number("start", start[1], positive=True)
    rate = validate.number("rate", rate, positive=True)
    max_iter = validate.integer("max_iter", max_iter, 1)
    first = LikelihoodStep(float(start[0]), float(start[1]))
    return iterate(first, partial(advance, x, rate), most=max_iter)


def slopes(x: Float[ndarray, " n"], mean: float, deviation: float) -> tuple[float, float]:
    """Return the slopes of ln L / n by mu and by ln sigma."""
    gap = x - mean
    along_mean = float(gap.mean()) / deviation**2
    return along_mean, float((gap**2).mean()) / deviation**2 - 1


def advance(x: Float[ndarray, " n"], rate: float, step: LikelihoodStep) -> LikelihoodStep:
    """Go one step up the slopes."""
    along_mean, along_log = slopes(x, step.mean, step.deviation)
    longest = LARGEST * step.deviation
    mean = step.mean + float(np.clip(rate * along_mean, -longest, longest))
    deviation = step.deviation * float(np.exp(np.clip(rate * along_log, -LARGEST, LARGEST)))
    small = max(map(abs, slopes(x, mean, deviation))) < TOLERANCE
    return LikelihoodStep(mean, deviation, "converged" if small else None)


def log_likelihood(
    x: Float[ndarray, " n"], mean: Float[ndarray, " m"], deviation: Float[ndarray, " m"]
) -> Float[ndarray, " m"]:
    """Return ln L for pairs of a mean and a standard deviation."""
    squares = ((x - mean[:, None]) ** 2).sum(axis=1)
    return -len(x) * np.log(deviation * np.sqrt(2 * np.pi)) - squares / (2 * deviation**2)
