"""The chi-square test of a table, cell by cell: does the side of a split go with the class?

With the counts O of a table, its row sums R, column sums C and the total n:

    E = R C / n                        expected, if side and class had nothing to do with each other
    chi² = sum over cells of (O - E)² / E
    p = P(chi² with (rows - 1)(columns - 1) degrees of freedom is at least this large)

The approximation by the chi-square distribution is good where all E are at least about 5.

Cost: O(1) per cell.

Source: CS725 7.3; Pearson 1900.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.special import chdtrc

from algorithms.core.iterate import iterate
from algorithms.core.record import Record

Event = Literal["finished"]


@dataclass(frozen=True, eq=False)
class ChiSquareStep(Record):
    """The table and the sum over the cells so far, row by row.

    expected : E of all cells. Event: "finished", at the last cell.
    """

    is_model = False

    observed: Int[ndarray, "rows columns"]
    expected: Float[ndarray, "rows columns"]
    statistic: float = 0.0
    cells: int = 0
    event: Event | None = None

    @property
    def freedom(self) -> int:
        """Return the degrees of freedom, (rows - 1)(columns - 1)."""
        rows, columns = self.observed.shape
        return (rows - 1) * (columns - 1)

    @property
    def p(self) -> float:
        """Return the probability of a chi-square at least as large as the sum so far."""
        return float(chdtrc(self.freedom, self.statistic))

    @property
    def parts(self) -> Float[ndarray, "rows columns"]:
        """Return (O - E)² / E of all cells; 0 where a row or column is empty."""
        gap = (self.observed - self.expected) ** 2
        return np.divide(gap, self.expected, out=np.zeros_like(gap), where=self.expected > 0)


def chi_square(observed: Int[ndarray, "rows columns"]) -> Iterator[ChiSquareStep]:
    """Add one cell's part in each step.

    Raises ValueError, at the call, unless the table has two rows and columns or more, and counts
    that are not negative and not all 0.
    """
    if min(observed.shape) < 2 or observed.min() < 0 or observed.sum() == 0:
        raise ValueError(f"observed must be a table of counts, 2 x 2 or more, got {observed}")
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / observed.sum()
    first = ChiSquareStep(observed, expected)
    return iterate(first, partial(advance, first.parts), most=observed.size, stopped=None)


def advance(parts: Float[ndarray, "rows columns"], step: ChiSquareStep) -> ChiSquareStep:
    """Add (O - E)² / E of the next cell."""
    i = step.cells
    end: Event | None = "finished" if i == parts.size - 1 else None
    total = step.statistic + float(parts.flat[i])
    return replace(step, statistic=total, cells=i + 1, event=end)


def table(side: Int[ndarray, " n"], classes: Int[ndarray, " n"], k: int) -> Int[ndarray, "2 k"]:
    """Return how many points of each of k classes are on each of the two sides."""
    counts = np.zeros((2, k), int)
    np.add.at(counts, (side, classes), 1)
    return counts
