"""A test of H0 "no effect" against H1, experiment after experiment: rejections, misses, p-values.

Each experiment measures n numbers with the standard deviation 1, and their mean m. The effect is
0 under H0 and d under H1:

    z = m sqrt(n):   Gaussian with deviation 1, and with mean 0 under H0, d sqrt(n) under H1
    p = 1 - Phi(z)   the probability of a z at least this large, if H0 is true
    reject H0 if p < alpha, that is if z > z_alpha = Phi^-1(1 - alpha)

    P(reject | H0) = alpha        a false alarm
    P(reject | H1) = power = Phi(d sqrt(n) - z_alpha);    a miss: beta = 1 - power

Given three of n, d, alpha and power, the fourth follows: d sqrt(n) = z_alpha + z_beta.

Cost: O(1) per experiment.

Source: 20APC3316, evaluating hypotheses; CS725 7; Neyman and Pearson 1933.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import ceil, sqrt
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray
from numpy.random import Generator
from scipy.special import ndtr, ndtri

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.evaluation.sampled_intervals import between_0_and_1

Event = Literal["false alarm", "finished"]
AREAS = ("right to keep H₀", "false alarm", "miss", "right to reject H₀")
MOST_N = 100_000


@dataclass(frozen=True, eq=False)
class ExperimentsStep(Record):
    """All experiments so far: their z, and whether the effect is there. At step 0 there is none.

    Events: "false alarm"; "finished", at the last experiment.
    """

    is_model = False

    z: Float[ndarray, " experiments"]
    effect: Bool[ndarray, " experiments"]
    event: Event | None = None

    @property
    def p(self) -> Float[ndarray, " experiments"]:
        """Return p = 1 - Phi(z)."""
        return ndtr(-self.z)

    def counts(self, alpha: float) -> list[int]:
        """Return how many experiments fell into each of `AREAS`."""
        kinds = 2 * self.effect + (self.p < alpha)
        return np.bincount(kinds, minlength=4).tolist()


def one_test(
    n: int, effect: float, alpha: float, *, share: float, rng: Generator, experiments: int = 200
) -> Iterator[ExperimentsStep]:
    """Make one more experiment in each step. share : of experiments in which H1 is true.

    Raises ValueError, at the call, unless n is at least 1, the effect not negative, alpha between
    0 and 1, the share from 0 to 1, and experiments from 1 to 10,000.
    """
    n = validate.integer("n", n, 1, MOST_N)
    effect = validate.number("effect", effect)
    alpha = between_0_and_1("alpha", alpha)
    if validate.number("share", share) > 1:
        raise ValueError(f"share must be from 0 to 1, got {share=}")
    experiments = validate.integer("experiments", experiments, 1, 10_000)
    there = rng.random(experiments) < share
    z = rng.normal(size=experiments) + np.where(there, effect * sqrt(n), 0.0)
    first = ExperimentsStep(np.empty(0), np.empty(0, bool))
    return iterate(first, partial(advance, z, there, alpha), most=experiments, stopped=None)


def advance(
    z: Float[ndarray, " all"], there: Bool[ndarray, " all"], alpha: float, step: ExperimentsStep
) -> ExperimentsStep:
    """Add the next experiment."""
    i = len(step.z) + 1
    event: Event | None = "false alarm" if ndtr(-z[i - 1]) < alpha and not there[i - 1] else None
    event = "finished" if i == len(z) else event
    return ExperimentsStep(z[:i], there[:i], event)


def tail(z: float) -> float:
    """Return 1 - Phi(z), the alpha of a line at z."""
    return float(ndtr(-z))


def power(n: Float[ndarray, " k"], effect: float, alpha: float) -> Float[ndarray, " k"]:
    """Return Phi(d sqrt(n) - z_alpha) for every n."""
    return ndtr(effect * np.sqrt(n) - ndtri(1 - alpha))


def sample_size(effect: float, alpha: float, power: float) -> int:
    """Return the smallest n with at least this power; at most `MOST_N`."""
    root = (ndtri(1 - alpha) + ndtri(power)) / effect
    return min(max(1, ceil(max(root, 0.0) ** 2 - 1e-9)), MOST_N)


def detectable(n: int, alpha: float, power: float) -> float:
    """Return the effect that is found with this power; 0 if every effect is."""
    return max(0.0, float(ndtri(1 - alpha) + ndtri(power)) / sqrt(n))


def level(n: int, effect: float, power: float) -> float:
    """Return the alpha with which the effect is found with this power."""
    return float(ndtr(ndtri(power) - effect * sqrt(n)))
