"""Small regression trees on one feature, and the step functions that they and their sums are.

A tree on a line cuts it in two, then every part in two, and so on: what it predicts is constant
between its cuts. Of the m values r of a part, with mean r̄, in the order of x, the cut behind the
first k lowers the sum of squares about the mean by

    gain(k) = (sum of (r_i - r̄) over the first k)^2  m / (k (m - k))

    k <- argmax of gain over all cuts between two different x,  at the middle between them

A part stays whole if its x coincide or its values are equal. Ties of cuts (gains that differ by
less than 1e-11 of the largest) go to the lower one.

Cost: O(n log n) to sort, then O(n) for all parts of one depth.

Source: CS725 3.3 (000:272) with squares in the place of impurity; Breiman et al. 1984.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core.record import Record

TIE = 1e-11  # share of the largest gain
ROUNDING = 1e-14  # of the largest value: values that differ by less are equal


@dataclass(frozen=True, eq=False)
class StepFunction(Record):
    """Constant between ascending `cuts`; a cut itself belongs to the part on its left."""

    cuts: Float[ndarray, " k"]
    values: Float[ndarray, " k+1"]

    def __call__(self, x: Float[ndarray, " m"]) -> Float[ndarray, " m"]:
        """Return the value at every x."""
        return self.values[np.searchsorted(self.cuts, x)]

    def plus(self, other: "StepFunction", share: float) -> "StepFunction":
        """Return this function plus a share of another one: a step function with all their cuts."""
        cuts = np.union1d(self.cuts, other.cuts)
        ends = np.append(cuts, np.inf)  # of the parts, to the right
        return StepFunction(cuts, self(ends) + share * other(ends))


class Leaves(NamedTuple):
    """The leaves of a tree from left to right: `cuts` between them, and the `members` of each."""

    cuts: Float[ndarray, " k"]
    members: list[Int[ndarray, " _"]]


def grow(x: Float[ndarray, " n"], r: Float[ndarray, " n"], max_depth: int) -> Leaves:
    """Cut the line so that the values `r` differ as little as can be within a part, greedily."""
    order = np.argsort(x, kind="stable")
    x, r = x[order], r[order]
    ends = [0, len(x)]
    for _ in range(max_depth):
        found = [place for start, end in pairwise(ends) if (place := _cut(x, r, start, end))]
        if not found:
            break
        ends = sorted(ends + found)
    inner = np.array(ends[1:-1], int)
    return Leaves(_halfway(x[inner - 1], x[inner]), np.split(order, inner))


def _cut(x: Float[ndarray, " n"], r: Float[ndarray, " n"], start: int, end: int) -> int | None:
    """Return the place before which the part from `start` to `end` is cut, if it is."""
    part, m = r[start:end], end - start
    largest = np.abs(part).max()
    if np.ptp(part) <= ROUNDING * largest:
        return None
    part = part / largest
    sums, k = (part - part.mean()).cumsum()[:-1], np.arange(1, m)
    apart = x[start + 1 : end] > x[start : end - 1]
    gain = np.where(apart, sums * sums * m / (k * (m - k)), -1.0)
    if (top := gain.max()) < 0:
        return None
    return start + 1 + int((gain >= (1 - TIE) * top).argmax())


def _halfway(below: Float[ndarray, " k"], above: Float[ndarray, " k"]) -> Float[ndarray, " k"]:
    """Return the middles, or the lower values where floating point has nothing in between."""
    middle = below / 2 + above / 2
    return np.where(middle < above, middle, below)
