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
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.special import stdtr, stdtrit

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.evaluation.confidence_intervals import normal_quantile
from algorithms.evaluation.sampled_intervals import SampledIntervals, between_0_and_1, judged

METHODS = ("z", "t")

Event = Literal["misses the truth"]


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanIntervalsStep(SampledIntervals):
    """One sample of n numbers, its mean and standard deviation, with an interval of each method.

    `error` is the estimated standard error of the mean, s / sqrt(n).

    Events, of the method that was asked for: "misses the truth".
    """

    mean: float
    spread: float
    error: float
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
    level = between_0_and_1("level", level)
    samples = validate.integer("samples", samples, 1, 1000)
    asked = METHODS.index(validate.choice("method", method, METHODS))
    draws = mean + spread * rng.normal(size=(samples, n))
    return _sample(draws, mean, quantiles(n, level), asked)


def _sample(
    draws: Float[ndarray, "samples n"], mean: float, wide: Float[ndarray, " methods"], asked: int
) -> Iterator[MeanIntervalsStep]:
    step: MeanIntervalsStep | None = None
    for draw in draws:
        m, s = float(draw.mean()), float(draw.std(ddof=1))
        error = s / sqrt(len(draw))
        fields = judged(step, m - wide * error, m + wide * error, mean)
        event: Event | None = None if fields["holds"][asked] else "misses the truth"
        step = MeanIntervalsStep(**fields, mean=m, spread=s, error=error, event=event)
        yield step


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
