"""The central limit theorem: means of n numbers pile up to a Gaussian, whatever was drawn from.

    m = (x_1 + ... + x_n) / n,   each x drawn from a density with mean mu and deviation sigma
    for large n, m is nearly Gaussian with mean mu and standard deviation sigma / sqrt(n)

A density that is drawn by hand is a sum of tents: tent k has its top at k and its feet at k - 1
and k + 1, and the share p_k of the area. Then

    mu = sum of p_k k,   sigma² = sum of p_k (k - mu)² + 1/6

The Cauchy density 1 / (pi (1 + (x - 5)²)) has neither mu nor sigma: the mean of n of its numbers
has the same density as a single one.

Cost: O(n) per mean.

Source: 20APC3316, basics of sampling theory; CS725 6.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.record import Record

MIDDLE = 5.0  # of the Cauchy density


@dataclass(frozen=True)
class Tents:
    """A density drawn by hand: the heights of the tents with their tops at 1, 2, ..."""

    heights: tuple[float, ...]

    @property
    def shares(self) -> Float[ndarray, " k"]:
        """Return p, the area of each tent."""
        return np.array(self.heights) / sum(self.heights)

    @property
    def tops(self) -> Float[ndarray, " k"]:
        """Return where the tents have their tops."""
        return np.arange(1.0, 1 + len(self.heights))

    @property
    def mean(self) -> float:
        """Return mu = sum of p_k k."""
        return float(self.shares @ self.tops)

    @property
    def deviation(self) -> float:
        """Return sigma, with sigma² = sum of p_k (k - mu)² + 1/6."""
        return float(np.sqrt(self.shares @ (self.tops - self.mean) ** 2 + 1 / 6))

    def density(self, x: Float[ndarray, " m"]) -> Float[ndarray, " m"]:
        """Return the sum of the tents."""
        return np.maximum(0, 1 - np.abs(x[:, None] - self.tops)) @ self.shares

    def draw(self, size: tuple[int, ...], rng: Generator) -> Float[ndarray, "..."]:
        """Draw tents by their areas, and a place under each: u + v - 1 from its top."""
        tops = rng.choice(self.tops, size, p=self.shares)
        return tops + rng.random(size) + rng.random(size) - 1


@dataclass(frozen=True)
class Cauchy:
    """The Cauchy density around the middle; it has no mean and no standard deviation."""

    def density(self, x: Float[ndarray, " m"]) -> Float[ndarray, " m"]:
        """Return 1 / (pi (1 + (x - 5)²))."""
        return 1 / (np.pi * (1 + (x - MIDDLE) ** 2))

    def draw(self, size: tuple[int, ...], rng: Generator) -> Float[ndarray, "..."]:
        """Draw numbers."""
        return MIDDLE + rng.standard_cauchy(size)


Source = Tents | Cauchy


@dataclass(frozen=True, eq=False)
class MeansStep(Record):
    """The means so far, and the numbers of the newest sample. Event: "finished", at the last."""

    is_model = False

    means: Float[ndarray, " samples"]
    numbers: Float[ndarray, " n"]
    event: str | None = None


def central_limit(
    source: Source, n: int, *, rng: Generator, steps: int = 60, each: int = 10
) -> Iterator[MeansStep]:
    """Draw `each` more samples of n numbers in each step, and keep their means.

    Raises ValueError, at the call, unless n is from 1 to 1,000, steps from 1 to 1,000 and each from
    1 to 100, and the heights of a drawn density are not negative and not all 0.
    """
    n = validate.integer("n", n, 1, 1000)
    steps = validate.integer("steps", steps, 1, 1000)
    each = validate.integer("each", each, 1, 100)
    if isinstance(source, Tents) and not (min(source.heights) >= 0 < sum(source.heights)):
        raise ValueError(f"source must have heights from 0, not all 0, got {source.heights}")
    return _drawn(source, n, steps, each, rng)


def _drawn(source: Source, n: int, steps: int, each: int, rng: Generator) -> Iterator[MeansStep]:
    means = np.empty(0)
    for i in range(steps):
        samples = source.draw((each, n), rng)
        means = np.concatenate([means, samples.mean(axis=1)])
        yield MeansStep(means, samples[-1], "finished" if i == steps - 1 else None)


def half_width(
    source: Source,
    sizes: Float[ndarray, " k"],
    *,
    share: float,
    rng: Generator,
    samples: int = 2000,
) -> Float[ndarray, " k"]:
    """Return, for each sample size, half the width of the middle `share` of all means."""
    widths, tails = [], [(1 - share) / 2, (1 + share) / 2]
    for n in sizes.astype(int).tolist():
        low, high = np.quantile(source.draw((samples, n), rng).mean(axis=1), tails)
        widths.append((high - low) / 2)
    return np.array(widths)
