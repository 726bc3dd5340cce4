"""Histogram: count the points in every bin, square boxes of side h side by side.

With h the width of a bin, d columns, and k(x) of the n points in the bin that x is in,

    p(x) = k(x) / (n h^d)        bin of x: floor((x - o) / h), where o is the place they begin at

p is a density, flat in every bin, with steps between. Two choices are in it: h, and o. Nothing in
the data speaks for one o rather than another, and yet the picture depends on it. So the bins are
shifted by parts of h, m times along either axis, and the m^2 histograms averaged (an averaged
shifted histogram). A point at x + h (a, b) shares the bin of x in some of them; their share goes to

    (1 - |a|) (1 - |b|)        for m -> infinity, and |a|, |b| <= 1

so the mean goes to a kernel density whose bumps are triangles along either axis.

Every step shifts the bins once more: along the first axis first.

Cost: O(n) for every histogram.

Source: CS725 15.1 (000:2596), which notes that t bins along each of d axes are t^d; Scott 1985
(averaged shifted histograms).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record, frozen

SMALLEST = 1e-50  # of h: its square stays a floating-point number

Event = Literal["all shifts"]


@dataclass(frozen=True, eq=False)
class HistogramStep(Record):
    """The histogram whose bins begin at the last of the `begun` first `origins`; and their mean."""

    is_model = False

    points: Float[ndarray, "n 2"]
    width: float
    origins: Float[ndarray, "s 2"]
    begun: int
    event: Event | None = None

    @property
    def origin(self) -> Float[ndarray, " 2"]:
        """Return the origin of the bins at this step."""
        return self.origins[self.begun - 1]

    @property
    def height(self) -> float:
        """Return the height that a single point adds to its bin."""
        return 1 / self.width**2 / len(self.points)

    def counts(self, x: Float[ndarray, " 2"]) -> Float[ndarray, " begun"]:
        """Return how many points share the bin of a place, in each histogram so far."""
        origins = self.origins[: self.begun, None]
        same = np.floor((self.points - origins) / self.width) == np.floor(
            (x - origins) / self.width
        )
        return same.all(axis=2).sum(axis=1).astype(float)

    def on_grid(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"]
    ) -> Float[ndarray, "rows columns"]:
        """Return p of this histogram at all places of a grid."""
        return self.height * self._counted(x, y, self.origin)

    def mean_on_grid(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"]
    ) -> Float[ndarray, "rows columns"]:
        """Return the mean p of the histograms so far at all places of a grid."""
        total = np.zeros((len(y), len(x)))
        for origin in self.origins[: self.begun]:
            total += self._counted(x, y, origin)
        return self.height * total / self.begun

    def _counted(self, x: ndarray, y: ndarray, origin: Float[ndarray, " 2"]) -> ndarray:
        """Return how many points share the bin of each place of a grid."""
        (wide, across, column), (high, up, row) = (
            _sorted(places, values, start, self.width)
            for places, values, start in zip((x, y), self.points.T, origin, strict=True)
        )
        inside = (column >= 0) & (row >= 0)
        counts = np.bincount((row * wide + column)[inside], minlength=high * wide)
        return counts.reshape(high, wide)[np.ix_(up, across)]


def _sorted(
    places: ndarray, values: ndarray, start: float, width: float
) -> tuple[int, ndarray, ndarray]:
    """Return the number of bins, each place's bin, and each value's bin (-1 if in none)."""
    bins, where = np.unique(np.floor((places - start) / width), return_inverse=True)
    wanted = np.floor((values - start) / width)
    found = np.searchsorted(bins, wanted).clip(max=len(bins) - 1)
    return len(bins), where, np.where(bins[found] == wanted, found, -1)


def shifted_histograms(
    X: Float[ndarray, "n 2"], *, width: float, shifts: int = 4
) -> Iterator[HistogramStep]:
    """Shift the bins by parts of their width, `shifts` times along each axis: a step a shift.

    `width` is in units of the data; at first a corner of the bins is at 0.

    Raises ValueError, at the call, unless X is finite with two columns, width >= 1e-50 and
    shifts >= 1.
    """
    X = validate.points(X)
    if X.shape[1] != 2:
        raise ValueError(f"X must have two columns, got {X.shape[1]}")
    shifts = validate.integer("shifts", shifts, 1)
    h = validate.number("width", width, positive=True)
    if h < SMALLEST:
        raise ValueError(f"width must be at least {SMALLEST:g}, got width={width!r}")
    parts = np.arange(shifts) / shifts
    origins = h * np.column_stack([np.tile(parts, shifts), np.repeat(parts, shifts)])
    return _shift(frozen(X), h, frozen(origins))


def _shift(
    X: Float[ndarray, "n 2"], h: float, origins: Float[ndarray, "s 2"]
) -> Iterator[HistogramStep]:
    for begun in range(1, len(origins) + 1):
        event = "all shifts" if begun == len(origins) else None
        yield HistogramStep(X, h, origins, begun, event)


def triangles(points: Float[ndarray, "n 2"], width: float, x: Float[ndarray, " 2"]) -> float:
    """Return the limit of the mean over more and more shifts at a place: triangular bumps."""
    sides = np.maximum(0.0, 1 - np.abs(points - x) / width)
    return float(sides.prod(axis=1).mean() / width**2)
