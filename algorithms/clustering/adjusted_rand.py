"""The adjusted Rand index: how far two ways to divide the same points agree.

It asks about pairs of points. With n_ij points in group i of the one division and j of the other,
a_i and b_j points in the groups, and C(m) = m (m - 1) / 2 the pairs among m points

    together = sum_ij C(n_ij)        first = sum_i C(a_i)        second = sum_j C(b_j)

are the pairs that share a group in both, in the first, in the second. If the groups were dealt out
at random, of the same sizes, `together` would be  expected = first second / C(n)  on average.

    adjusted Rand index = (together - expected) / ((first + second) / 2 - expected)

1 is the same division, 0 what chance gives on average, and it can be negative. How the groups are
numbered plays no part, and neither need be as many as the other. (The plain Rand index, the share
of the pairs on which both agree, is high for any two divisions into many groups.)

Cost: O(n + k l).

Source: Hubert and Arabie 1985.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record


@dataclass(frozen=True)
class PairCounts(Record):
    """The number of pairs of points, and how many share a group in one division or in both."""

    pairs: int
    first: int
    second: int
    together: int

    @property
    def expected(self) -> float:
        """Return the pairs that would share a group in both by chance, on average."""
        return self.first * self.second / self.pairs if self.pairs else 0.0

    @property
    def adjusted_rand_index(self) -> float:
        """Return the index; 1 if both have all points in one group, or every point alone."""
        most = (self.first + self.second) / 2
        if most == self.expected:
            return 1.0
        return (self.together - self.expected) / (most - self.expected)


def pair_counts(first: Int[ndarray, " n"], second: Int[ndarray, " n"]) -> PairCounts:
    """Count the pairs of points that two divisions group together; labels are any whole numbers."""
    first = validate.integers(first, len(first))
    second = validate.integers(second, len(first))
    rows, columns = (np.unique(labels, return_inverse=True)[1] for labels in (first, second))
    table = np.zeros((rows.max() + 1, columns.max() + 1), int)
    np.add.at(table, (rows, columns), 1)
    sums = (len(first), table.sum(axis=1), table.sum(axis=0), table)
    return PairCounts(*(int(np.sum(m * (m - 1) // 2)) for m in map(np.asarray, sums)))


def adjusted_rand_index(first: Int[ndarray, " n"], second: Int[ndarray, " n"]) -> float:
    """Return how far two divisions agree: 1 if they are the same, about 0 if by chance."""
    return pair_counts(first, second).adjusted_rand_index
