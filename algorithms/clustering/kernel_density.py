"""Kernel density: a bump on every point, and the bumps add up to a density.

With a Gaussian of width h, the bandwidth, on each of the n points, in d dimensions,

    p(x) = 1/n sum_i K(x, x_i),    K(x, x_i) = (2 pi h^2)^(-d/2) exp(-||x - x_i||^2 / (2 h^2))

Every step puts one more bump on, the points in their order: after m of them the sum has 1/m in
front, so that it is a density at every step. Nothing is fitted; only h is to be chosen. Too small,
and p is a spike on every point; too large, and it is one hill. The likelihood of the points
themselves cannot tell: it grows without bound as h goes to 0. So every point is left out of its own
density,

    L(h) = 1/n sum_i ln p_(-i)(x_i),    p_(-i)(x_i) = 1/(n - 1) sum_(j != i) K(x_i, x_j)

and the h with the largest L is taken. Of many points some are left out in turn, evenly spaced in
their order, each of the density of all others: L is the mean over these.

Cost: nothing to fit; O(n d) for a place, and O(n^2 d) for L at one h, 10^6 d at most.

Source: CS725 15.1 and 15.3 (000:2596-2708); Rosenblatt 1956; Duin 1976 (leaving one out).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.core.work import spend

BLOCK = 1 << 20  # distances at a time
MOST_PAIRS = 1_000_000  # pairs of a left-out point and another, at most, for every width
NOTHING = -1e100  # exponents below this count as minus infinity
SMALLEST = 1e-50  # of h: its square stays a floating-point number


@dataclass(frozen=True, eq=False)
class KernelDensityStep(Record):
    """The density of the first `bumps` points. Event, at the end: "all points"."""

    is_model = False

    points: Float[ndarray, "n d"]
    bandwidth: float
    bumps: int
    event: Literal["all points"] | None = None

    def score_samples(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return ln p for every row of `X`."""
        seen = self.points[: self.bumps]
        rows = max(1, BLOCK // len(seen))
        parts = [
            _log_sums(cdist(X[first : first + rows], seen, "sqeuclidean") * self._scale)
            for first in range(0, len(X), rows)
        ]
        return np.concatenate([np.empty(0), *parts]) - np.log(len(seen)) - self._constant

    def shares(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m b"]:
        """Return what each bump adds to the density at every row of `X`."""
        exponents = cdist(X, self.points[: self.bumps], "sqeuclidean") * self._scale
        return np.exp(exponents - self._constant) / self.bumps

    def after_every_bump(self, x: Float[ndarray, " d"]) -> Float[ndarray, " b"]:
        """Return p at a place after the first bump, after the first two, and so on."""
        heights = self.shares(x[None])[0] * self.bumps
        return np.cumsum(heights) / np.arange(1, self.bumps + 1)

    def on_grid(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"]
    ) -> Float[ndarray, "rows columns"]:
        """Return p at all places of a grid over the plane: a bump is the product of its sides."""
        across, up = self.points[: self.bumps].T
        wide = _side((x[:, None] - across) ** 2 * self._scale)
        high = _side((y[:, None] - up) ** 2 * self._scale)
        return high @ wide.T * np.exp(-self._constant) / self.bumps

    @property
    def _scale(self) -> float:
        return -0.5 / self.bandwidth / self.bandwidth

    @property
    def _constant(self) -> float:
        return self.points.shape[1] * (np.log(2 * np.pi) / 2 + np.log(self.bandwidth))


def kernel_density(X: Float[ndarray, "n d"], *, bandwidth: float) -> Iterator[KernelDensityStep]:
    """Put a bump on every point, one after the other; `bandwidth` is in units of the data.

    Raises ValueError, at the call, unless X is finite and bandwidth >= 1e-50.
    """
    X = validate.points(X)
    return _bumps(X, _width("bandwidth", bandwidth))


def _bumps(X: Float[ndarray, "n d"], h: float) -> Iterator[KernelDensityStep]:
    step = KernelDensityStep(X, h, 1)
    for bumps in range(1, len(X) + 1):
        event = "all points" if bumps == len(X) else None
        yield KernelDensityStep(step.points, h, bumps, event)


@dataclass(frozen=True, eq=False)
class BandwidthStep(Record):
    """One width: the mean ln p of the points, without and with each point's own bump.

    The step so far with the largest `left_out` is number `best`, this one or an earlier one.
    Events: "past the best" where `left_out` falls right after that, "all widths" at the end.
    """

    is_model = False

    points: Float[ndarray, "n d"]
    bandwidth: float
    left_out: float
    own: float
    best: int
    event: Literal["past the best", "all widths"] | None = None

    @property
    def density(self) -> KernelDensityStep:
        """Return the density of all points at this width."""
        return KernelDensityStep(self.points, self.bandwidth, len(self.points))

    def score_samples(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return ln p for every row of `X`."""
        return self.density.score_samples(X)


def bandwidths(X: Float[ndarray, "n d"], widths: Float[ndarray, " w"]) -> Iterator[BandwidthStep]:
    """Try one width after the other: how likely are the points when they are left out?

    Raises ValueError, at the call, unless X is finite with two points or more, and every width is
    at least 1e-50.
    """
    X = validate.points(X)
    if len(X) < 2:
        raise ValueError("X must have at least two points, for one is left out, got 1")
    if len(widths) == 0:
        raise ValueError("widths must hold at least one width, got none")
    return _try(X, [_width("widths", float(h)) for h in widths])


def _try(X: Float[ndarray, "n d"], widths: list[float]) -> Iterator[BandwidthStep]:
    n, d = X.shape
    points = KernelDensityStep(X, 1.0, n).points
    judges = judging(n)
    best, highest = 0, -np.inf
    for index, h in enumerate(widths):
        constant = d * (np.log(2 * np.pi) / 2 + np.log(h))
        others = _of_others(points, judges, h)
        left_out = float(np.mean(others - np.log(n - 1) - constant))
        # A point's own bump adds e to the power of 0.
        own = float(np.mean(np.logaddexp(others, 0.0) - np.log(n) - constant))
        event = "past the best" if best == index - 1 and left_out < highest else None
        if left_out > highest:
            best, highest = index, left_out
        if index == len(widths) - 1:
            event = "all widths"
        yield BandwidthStep(points, h, left_out, own, best, event)


def judging(n: int) -> Int[ndarray, " m"]:
    """Return which of n points are left out, one at a time."""
    most = max(1, min(n, MOST_PAIRS // n))
    return np.linspace(0, n - 1, most).round().astype(int)


def _of_others(
    X: Float[ndarray, "n d"], judges: Int[ndarray, " m"], h: float
) -> Float[ndarray, " m"]:
    """Return ln sum_(j != i) exp(-||x_i - x_j||^2 / 2 h^2) for every point i of the judges."""
    n = len(X)
    sums, rows = np.empty(len(judges)), max(1, BLOCK // n)
    for first in range(0, len(judges), rows):
        block = judges[first : first + rows]
        spend(150.0 * len(block) * n)
        exponents = cdist(X[block], X, "sqeuclidean") * (-0.5 / h / h)
        exponents[np.arange(len(block)), block] = NOTHING
        sums[first : first + rows] = _log_sums(exponents)
    return sums


def _log_sums(exponents: Float[ndarray, "m n"]) -> Float[ndarray, " m"]:
    """Return the logarithm of the sum of e to the power of every row."""
    # Far from all others a point has a likelihood of 0 to rounding, and no logarithm.
    exponents = np.maximum(exponents, NOTHING)
    largest = exponents.max(axis=1)
    return largest + np.log(np.exp(exponents - largest[:, None]).sum(axis=1))


def _side(exponents: Float[ndarray, "q b"]) -> Float[ndarray, "q b"]:
    """Return e to these powers, 0 for less than 1e-35: products of smaller numbers are slow."""
    return np.exp(np.where(exponents > -80, exponents, -np.inf))


def _width(name: str, value: float) -> float:
    h = validate.number(name, value, positive=True)
    if h < SMALLEST:
        raise ValueError(f"{name} must be at least {SMALLEST:g}, got {name}={value!r}")
    return h
