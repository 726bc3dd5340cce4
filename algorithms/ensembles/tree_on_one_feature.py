"""Small regression trees on one feature, and the step functions that they and their sums are.

A tree on a line cuts it in two, then every part in two, and so on. Its prediction is constant
between the cuts. Take the m values r of a part, in the order of x, with the mean r̄. A cut after
the first k of them lowers the sum of squares about the mean by

    gain(k) = (sum of (r_i - r̄) over the first k)^2  m / (k (m - k))

    k <- argmax of gain over all cuts between two different x,  at the middle between them

A part stays whole if its x coincide or its values are equal. Ties of cuts (gains that differ by
less than 1e-11 of the largest) go to the lower one.

Cost: O(n log n) to sort, then O(n) for all parts of one depth.

Source: CS725 3.3 (000:272) with squares in place of impurity; Breiman et al. 1984.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.core.record import Record

TIE = 1e-11  # of the largest gain: gains that differ by less count as equal
ROUNDING = 1e-14  # of the largest value: values that differ by less count as equal


class Parts(NamedTuple):
    """The parts in which a function is constant: its values there, for low < x <= high."""

    values: Float[ndarray, " k"]
    low: Float[ndarray, "k d"]
    high: Float[ndarray, "k d"]

    def holding(self, X: Float[ndarray, "m d"]) -> Bool[ndarray, "k m"]:
        """Return which rows of `X` are in which part."""
        return np.all((self.low[:, None] < X) & (self.high[:, None] >= X), axis=2)


@dataclass(frozen=True, eq=False)
class StepFunction(Record):
    """Constant between ascending `cuts`; a cut itself belongs to the part on its left."""

    cuts: Float[ndarray, " k"]
    values: Float[ndarray, " k+1"]

    def __call__(self, x: Float[ndarray, " m"]) -> Float[ndarray, " m"]:
        """Return the value at every x."""
        return self.values[np.searchsorted(self.cuts, x)]

    def plus(self, other: "StepFunction", share: float) -> "StepFunction":
        """Return this function plus a share of another: a step function with the cuts of both."""
        cuts = np.union1d(self.cuts, other.cuts)
        ends = np.append(cuts, np.inf)  # the right end of every part
        return StepFunction(cuts, self(ends) + share * other(ends))

    def parts(self) -> Parts:
        """Return the parts from left to right."""
        ends = np.concatenate([[-np.inf], self.cuts, [np.inf]])[:, None]
        return Parts(self.values, ends[:-1], ends[1:])


class Leaves(NamedTuple):
    """The leaves of a tree from left to right: `cuts` between them, and the `members` of each."""

    cuts: Float[ndarray, " k"]
    members: list[Int[ndarray, " _"]]

    def saying(self, values: Float[ndarray, " leaves"]) -> StepFunction:
        """Return the tree whose leaves predict these values."""
        return StepFunction(self.cuts, values)


def grow(x: Float[ndarray, " n"], r: Float[ndarray, " n"], max_depth: int) -> Leaves:
    """Cut the line greedily, so that the values `r` differ as little as possible within a part."""
    order = np.argsort(x, kind="stable")
    x, r = x[order], r[order]
    ends = [0, len(x)]
    for _ in range(max_depth):
        found = [place for start, end in pairwise(ends) if (place := _cut(x, r, start, end))]
        if not found:
            break
        ends = sorted(ends + found)
    inner = np.array(ends[1:-1], int)
    return Leaves(halfway(x[inner - 1], x[inner]), np.split(order, inner))


def _cut(x: Float[ndarray, " n"], r: Float[ndarray, " n"], start: int, end: int) -> int | None:
    """Return where the part from `start` to `end` is cut: the index of the first value after it."""
    gain = gains(x[start:end], r[start:end])
    if gain is None or (top := gain.max()) < 0:
        return None
    return start + 1 + int((gain >= (1 - TIE) * top).argmax())


def gains(x: Float[ndarray, " m"], r: Float[ndarray, " m"]) -> Float[ndarray, " m-1"] | None:
    """Return the gain of every cut of a part, with r scaled so that the largest |r| is 1.

    It is negative between equal x, where no cut fits. None if all values are equal. x, r : in the
    order of x.
    """
    m, largest = len(r), np.abs(r).max()
    if np.ptp(r) <= ROUNDING * largest:
        return None
    part = r / largest
    sums, k = (part - part.mean()).cumsum()[:-1], np.arange(1, m)
    return np.where(x[1:] > x[:-1], sums * sums * m / (k * (m - k)), -1.0)


def halfway(below: Float[ndarray, " k"], above: Float[ndarray, " k"]) -> Float[ndarray, " k"]:
    """Return the middles, or the lower values where floating point has nothing in between."""
    middle = below / 2 + above / 2
    return np.where(middle < above, middle, below)
