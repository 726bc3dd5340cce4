"""Confidence intervals for a true error rate, sample after sample: which of them hold it?

A classifier with the true error rate p is judged on n held-out points and gets r of them wrong:
r is binomial, P(r) = C(n, r) p^r (1 - p)^(n - r). With the estimate e = r/n, and z such that a
standard normal number is within +-z with probability `level`:

    Wald              e +- z sqrt(e (1 - e) / n)
    Wilson            (e + z²/2n +- z sqrt(e (1 - e)/n + z²/4n²)) / (1 + z²/n)
    Clopper-Pearson   from the p with P(r or more) = (1 - level)/2
                      to the p with P(r or fewer) = (1 - level)/2

Wald uses e in place of p for the standard error, and a normal distribution in place of the
binomial. Wilson takes every p that has e within z of its own standard errors. Clopper-Pearson uses
the binomial itself, and never holds p less often than promised. The probability that an interval
holds p is known:

    coverage(p) = sum over r of P(r) [low(r) <= p <= high(r)]

Cost: n draws per sample; n + 1 intervals for the coverage, and n + 1 probabilities for every p.

Source: 002:1010 (evaluating hypotheses; its example: 12 of 40 wrong, 0.30 +- 0.14); Wilson 1927;
Clopper and Pearson 1934; Brown, Cai and DasGupta 2001 for how Wald fails.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.special import betaincinv, gammaln, ndtri, xlog1py, xlogy

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.evaluation.sampled_intervals import SampledIntervals, between_0_and_1, judged

Event = Literal["misses the truth", "no width"]
Ends = tuple[ndarray, ndarray]


@dataclass(frozen=True, eq=False, kw_only=True)
class IntervalsStep(SampledIntervals):
    """One sample of n points, `wrong` of them wrong, with an interval of each of the `METHODS`.

    Events, for the chosen method: "no width" (the interval is a single number), otherwise "misses
    the truth".
    """

    wrong: int
    event: Event | None = None


def confidence_intervals(
    p: float,
    n: int,
    *,
    rng: Generator,
    level: float = 0.95,
    samples: int = 100,
    method: str = "Wald",
) -> Iterator[IntervalsStep]:
    """Draw `samples` samples of n points, one in each step; a point is wrong with probability p.

    Raises ValueError, at the call, unless p and level are above 0 and below 1, and for numbers out
    of range.
    """
    p, level = between_0_and_1("p", p), between_0_and_1("level", level)
    n = validate.integer("n", n, 1, 10_000)
    samples = validate.integer("samples", samples, 1, 1000)
    asked = list(METHODS).index(validate.choice("method", method, tuple(METHODS)))
    return _sample(p, n, level, [rng.random(n) for _ in range(samples)], asked)


def _sample(
    p: float, n: int, level: float, draws: list[Float[ndarray, " n"]], asked: int
) -> Iterator[IntervalsStep]:
    step: IntervalsStep | None = None
    for draw in draws:
        wrong = int((draw < p).sum())
        ends = [interval(np.array([wrong]), n, level) for interval in METHODS.values()]
        low, high = np.array(ends)[:, :, 0].T
        fields = judged(step, low, high, p)
        event: Event | None = None if fields["holds"][asked] else "misses the truth"
        if low[asked] == high[asked]:
            event = "no width"
        step = IntervalsStep(**fields, wrong=wrong, event=event)
        yield step


def normal_quantile(level: float) -> float:
    """Return the z such that a standard normal number is within +-z with probability `level`."""
    return float(ndtri((1 + level) / 2))


def standard_error(e: Float[ndarray, " m"] | float, n: int) -> Float[ndarray, " m"] | float:
    """Return the standard deviation of a share e of n points."""
    return np.sqrt(e * (1 - e) / n)


def score_error(e: Float[ndarray, " m"] | float, n: int, z: float) -> Float[ndarray, " m"] | float:
    """Return the root in Wilson's formula: the standard error with z²/4n² added."""
    return np.sqrt(e * (1 - e) / n + z**2 / (4 * n**2))


def wald(wrong: Int[ndarray, " m"], n: int, level: float) -> Ends:
    """Return the ends of the intervals by the normal distribution around the estimate."""
    e, z = wrong / n, normal_quantile(level)
    half = z * standard_error(e, n)
    return e - half, e + half


def wilson(wrong: Int[ndarray, " m"], n: int, level: float) -> Ends:
    """Return the ends of the intervals of all p that have e within z of their standard errors."""
    e, z = wrong / n, normal_quantile(level)
    middle = e + z**2 / (2 * n)
    half = z * score_error(e, n, z)
    whole = 1 + z**2 / n
    low, high = (middle - half) / whole, (middle + half) / whole
    # Without rounding: if no point is wrong, 0 is possible, and if all are wrong, 1 is.
    return np.where(wrong == 0, 0.0, low), np.where(wrong == n, 1.0, high)


def clopper_pearson(wrong: Int[ndarray, " m"], n: int, level: float) -> Ends:
    """Return the ends of the intervals by the binomial distribution itself."""
    tail = (1 - level) / 2
    low = betaincinv(np.maximum(wrong, 1), n - wrong + 1, tail)
    high = betaincinv(wrong + 1, np.maximum(n - wrong, 1), 1 - tail)
    return np.where(wrong == 0, 0.0, low), np.where(wrong == n, 1.0, high)


METHODS: dict[str, Callable[[ndarray, int, float], Ends]] = {
    "Wald": wald,
    "Wilson": wilson,
    "Clopper-Pearson": clopper_pearson,
}


def binomial(p: Float[ndarray, " m"], n: int) -> Float[ndarray, "m r"]:
    """Return P(r) for every r from 0 to n, a row for every p."""
    r = np.arange(n + 1)
    ways = gammaln(n + 1) - gammaln(r + 1) - gammaln(n - r + 1)
    return np.exp(ways + xlogy(r, p[:, None]) + xlog1py(n - r, -p[:, None]))


def coverage(p: Float[ndarray, " m"], n: int, level: float) -> Float[ndarray, "methods m"]:
    """Return, for every p, the probability that the interval of each of the `METHODS` holds p."""
    probable = binomial(p, n)
    low, high = all_intervals(n, level)[..., None, :]
    within = (low <= p[:, None]) & (p[:, None] <= high)
    return (probable * within).sum(axis=2)


def all_intervals(n: int, level: float) -> Float[ndarray, "2 methods r"]:
    """Return both ends of the intervals of each method, for every r from 0 to n."""
    ends = [interval(np.arange(n + 1), n, level) for interval in METHODS.values()]
    return np.array(ends).transpose(1, 0, 2)


@dataclass(frozen=True, eq=False)
class Exact(Record):
    """The exact coverage, for which no sample has to be drawn.

    `at_p` is the coverage of each method at p, `curves` that at all `rates`. `chances` are the
    probabilities of every count r, and `holds` shows which counts have an interval that holds p.
    """

    p: float
    n: int
    level: float
    rates: Float[ndarray, " m"]
    curves: Float[ndarray, "methods m"]
    at_p: Float[ndarray, " methods"]
    chances: Float[ndarray, " r"]
    holds: Bool[ndarray, "methods r"]


def exactly(p: float, n: int, level: float, rates: Float[ndarray, " m"]) -> Exact:
    """Return the exact coverage at p and at `rates`, as sums over all counts."""
    low, high = all_intervals(n, level)
    one = np.array([p])
    return Exact(
        p, n, level, rates, coverage(rates, n, level), coverage(one, n, level)[:, 0],
        binomial(one, n)[0], (low <= p) & (p <= high),
    )  # fmt: skip
