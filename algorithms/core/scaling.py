"""Units of the columns: moved to a centre, divided by a spread, and back.

    u = (x - center) / spread                   x = center + spread u               column by column

A column that does not vary, beyond the rounding of its numbers, is only shifted: its spread is 1.

    standard     center: mean      spread: standard deviation (dividing by n)
    by_largest   center: mean      spread: largest distance from the mean, so that u is from -1 to 1

A linear model of u is one of x:    w.u + b  =  (w / spread).x  +  b - (w / spread).center

Cost: O(n d).
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record

ROUNDING = 1e-14  # relative: less spread than this is no spread
TINY = 1e-150  # squares of less than this vanish


@dataclass(frozen=True, eq=False)
class Scaling(Record):
    """The map from x to u, and back."""

    center: Float[ndarray, " d"]
    spread: Float[ndarray, " d"]

    def transform(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m d"]:
        """Return every row of `X` in the new units."""
        return (X - self.center) / self.spread

    def back(self, U: Float[ndarray, "m d"]) -> Float[ndarray, "m d"]:
        """Return every row of `U` in the units of the data."""
        return self.center + U * self.spread

    def of(self, column: int) -> "Scaling":
        """Return the map of one column."""
        return Scaling(self.center[[column]], self.spread[[column]])

    def linear_back(
        self, weights: Float[ndarray, " d"], intercept: float
    ) -> tuple[Float[ndarray, " d"], float]:
        """Return weights and intercept of a linear model of u as those for the data."""
        weights = weights / self.spread
        return weights, float(intercept - weights @ self.center)


def unscaled(d: int) -> Scaling:
    """Return the scaling of d columns that changes nothing."""
    return Scaling(np.zeros(d), np.ones(d))


def standard(X: Float[ndarray, "n d"], *, magnified: Float[ndarray, " d"] | float = 0.0) -> Scaling:
    """Return mean and standard deviation of every column.

    `magnified` is the size of the numbers from which the columns were computed, if these were
    larger than the columns: their rounding decides whether a column varies.
    """
    mean, variance = mean_and_variance(X, magnified=magnified)
    return Scaling(mean, np.sqrt(variance))


def mean_and_variance(
    X: Float[ndarray, "n d"], *, magnified: Float[ndarray, " d"] | float = 0.0
) -> tuple[Float[ndarray, " d"], Float[ndarray, " d"]]:
    """Return mean and variance (dividing by n) of every column; a constant one has variance 1."""
    mean = X.mean(axis=0)
    offsets = X - mean
    variance = (offsets * offsets).mean(axis=0)
    return mean, np.where(np.sqrt(variance) > rounding(X, magnified), variance, 1.0)


def rounding(
    X: Float[ndarray, "n d"], magnified: Float[ndarray, " d"] | float = 0.0
) -> Float[ndarray, " d"]:
    """Return the standard deviation below which a column does not vary."""
    return ROUNDING * np.maximum(np.abs(X).max(axis=0), magnified) + TINY


def by_largest(X: Float[ndarray, "n d"]) -> tuple[Float[ndarray, "n d"], Scaling]:
    """Return the columns from -1 to 1 about their means, 0 where they do not vary, and the map."""
    center = X.mean(axis=0)
    offsets = X - center
    spread = np.abs(offsets).max(axis=0)
    constant: Bool[ndarray, " d"] = spread <= np.maximum(
        ROUNDING * np.abs(X).max(axis=0), 1 / validate.LIMIT
    )
    spread[constant] = 1.0
    return np.where(constant, 0.0, offsets / spread), Scaling(center, spread)
