"""Confidence intervals for a mean, sample after sample: what does it cost not to know the spread?

A sample is n numbers, independent and normal with mean mu and standard deviation sigma. With its
own mean m, and its own standard deviation s = sqrt(sum_i (x_i - m)^2 / (n - 1)):

    z    m +- z s / sqrt(n)      a standard normal number is within +-z with probability `level`
    t    m +- t s / sqrt(n)      so is, within +-t, one that has Student's distribution with n - 1
                                 degrees of freedom

(m - mu) / (sigma / sqrt(n)) is standard normal. With s in the place of sigma it is not: s varies
from sample to sample, and where it is too small, m seems to be farther off than it is. It has
Student's distribution, for which t is made: the t interval holds mu as often as it promises, and

    coverage of z at n = P(|T| <= z),    T of Student's distribution with n - 1 degrees of freedom

Cost: n draws a sample.

Source: 002:1010 (evaluating hypotheses, for error rates); Student 1908.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.special import stdtr, stdtrit

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.evaluation.confidence_intervals import normal_quantile

METHODS = ("z", "t")

Event = Literal["misses the truth"]


@dataclass(frozen=True, eq=False)
class MeanIntervalsStep(Record):
    """One sample of n numbers, its mean and standard deviation, with an interval of each method.

    `error` is the standard error of the mean as the sample tells it, s / sqrt(n), and `held` counts
    the intervals of each of the `METHODS` that held the true mean, in this sample and those before.

    Events, of the method that was asked for: "misses the truth".
    """

    sample: int
    mean: float
    spread: float
    error: float
    low: Float[ndarray, " methods"]
    high: Float[ndarray, " methods"]
    holds: Bool[ndarray, " methods"]
    held: Int[ndarray, " methods"]
    event: Event | None = None


def mean_intervals(
    mean: float,
    spread: float,
    n: int,
    *,
    rng: Generator,
    level: float = 0.95,
    samples: int = 100,
    method: str = "z",
) -> Iterator[MeanIntervalsStep]:
    """Draw `samples` samples of n numbers with this mean and standard deviation, a step for each.

    Raises ValueError, at the call, unless the mean is finite, the spread positive, n at least 2,
    level above 0 and below 1, and for numbers out of range.
    """
    mean = validate.number("mean", mean)
    spread = validate.number("spread", spread, positive=True)
    n = validate.integer("n", n, 2, 10_000)
    if not 0 < validate.number("level", level) < 1:
        raise ValueError(f"level must be between 0 and 1, got level={level!r}")
    samples = validate.integer("samples", samples, 1, 1000)
    asked = METHODS.index(validate.choice("method", method, METHODS))
    draws = mean + spread * rng.normal(size=(samples, n))
    return _sample(draws, mean, quantiles(n, level), asked)


def _sample(
    draws: Float[ndarray, "samples n"], mean: float, wide: Float[ndarray, " methods"], asked: int
) -> Iterator[MeanIntervalsStep]:
    held = np.zeros(len(METHODS), int)
    for i, draw in enumerate(draws):
        m, s = float(draw.mean()), float(draw.std(ddof=1))
        error = s / sqrt(len(draw))
        low, high = m - wide * error, m + wide * error
        holds = (low <= mean) & (mean <= high)
        held = held + holds
        event: Event | None = None if holds[asked] else "misses the truth"
        yield MeanIntervalsStep(i, m, s, error, low, high, holds, held, event)


def quantiles(n: int, level: float) -> Float[ndarray, " methods"]:
    """Return how many standard errors each of the `METHODS` goes to either side of the mean."""
    return np.array([normal_quantile(level), stdtrit(n - 1, (1 + level) / 2)])


@dataclass(frozen=True, eq=False)
class LongRun(Record):
    """What no sample has to be drawn for: how probable it is that an interval holds the true mean.

    `at_n` is that of each of the `METHODS`, and `curves` those of samples of other `sizes`;
    `quantiles` are their numbers of standard errors. Neither the mean nor the spread matters.
    """

    mean: float
    n: int
    level: float
    quantiles: Float[ndarray, " methods"]
    sizes: Int[ndarray, " m"]
    curves: Float[ndarray, "methods m"]
    at_n: Float[ndarray, " methods"]


def in_the_long_run(mean: float, n: int, level: float, sizes: Int[ndarray, " m"]) -> LongRun:
    """Return how often the intervals hold a true mean, for n and for other `sizes` of samples."""
    curves = np.array([coverage(int(size), level) for size in sizes]).T
    return LongRun(mean, n, level, quantiles(n, level), sizes, curves, coverage(n, level))


def coverage(n: int, level: float) -> Float[ndarray, " methods"]:
    """Return how probable it is that the interval of each of the `METHODS` holds the true mean."""
    return 1 - 2 * stdtr(n - 1, -quantiles(n, level))
