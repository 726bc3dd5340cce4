"""Confidence intervals for a mean whose standard deviation is not known, sample after sample.

A sample is n numbers, independent and normal with mean mu and standard deviation sigma. With its
own mean m, and its own standard deviation s = sqrt(sum_i (x_i - m)^2 / (n - 1)):

    z    m +- z s / sqrt(n)      a standard normal number is within +-z with probability `level`
    t    m +- t s / sqrt(n)      a number with Student's distribution, n - 1 degrees of freedom, is
                                 within +-t with probability `level`

(m - mu) / (sigma / sqrt(n)) is standard normal. With s in place of sigma it is not: s varies from
sample to sample, and where s is too small, m seems to be farther off than it is. The quotient then
has Student's distribution. So the t interval holds mu as often as it promises, and

    coverage of z at n = P(|T| <= z),    T of Student's distribution with n - 1 degrees of freedom

Cost: n draws per sample.

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

    Event, for the chosen method: "misses the truth".
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
    """Draw `samples` samples of n numbers with this mean and standard deviation, one in each step.

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
    """Return half the width of the interval of each of the `METHODS`, in standard errors."""
    return np.array([normal_quantile(level), stdtrit(n - 1, (1 + level) / 2)])


@dataclass(frozen=True, eq=False)
class LongRun(Record):
    """The exact coverage, for which no sample has to be drawn.

    `at_n` is the coverage of each of the `METHODS` for n numbers, `curves` that for all `sizes`.
    `quantiles` are z and t. The coverage depends neither on the mean nor on the spread.
    """

    mean: float
    n: int
    level: float
    quantiles: Float[ndarray, " methods"]
    sizes: Int[ndarray, " m"]
    curves: Float[ndarray, "methods m"]
    at_n: Float[ndarray, " methods"]


def in_the_long_run(mean: float, n: int, level: float, sizes: Int[ndarray, " m"]) -> LongRun:
    """Return the coverage for samples of n numbers and of all `sizes`."""
    curves = np.array([coverage(int(size), level) for size in sizes]).T
    return LongRun(mean, n, level, quantiles(n, level), sizes, curves, coverage(n, level))


def coverage(n: int, level: float) -> Float[ndarray, " methods"]:
    """Return the probability that the interval of each of the `METHODS` holds the true mean."""
    return 1 - 2 * stdtr(n - 1, -quantiles(n, level))
