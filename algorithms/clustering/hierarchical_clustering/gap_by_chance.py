"""The largest gap that a dendrogram has by chance: that of evenly drawn points.

Every dendrogram has a largest gap, whether there are clusters or not. With the heights h_1 <= ...
<= h_(n-1) of the merges, its share of the last height is

    g = max_t (h_(t+1) - h_t) / h_(n-1) .

It is a sign of clusters only if it is larger than g of points without clusters. So g is measured on
19 sets of points, each drawn evenly from the box of X. If X were drawn like that, too, its g would
be the largest of all 20 with a probability of 1 / 20.

Cost: 19 runs. X of more than 200 points is compared with sets of 200.

Source: Tibshirani, Walther and Hastie 2001 (evenly drawn points as the reference).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.hierarchical_clustering.hierarchical_clustering import (
    hierarchical_clustering,
)
from algorithms.clustering.hierarchical_clustering.hierarchical_step import Linkage
from algorithms.core import validate
from algorithms.core.record import Record

SETS = 19
MOST = 200  # points of a set
LAST_HEIGHTS = 30  # kept


@dataclass(frozen=True, eq=False)
class GapByChance(Record):
    """The gaps of evenly drawn points: n points each, in as many sets as there are `gaps`.

    gaps : (s,) the largest gap of every set as a share of its last height. heights : (h,) the last
    heights as shares of the last one, ascending; the median of all sets.
    """

    is_model: ClassVar[bool] = False

    n: int
    gaps: Float[ndarray, " s"]
    heights: Float[ndarray, " h"]

    def as_large(self, gap: float) -> int:
        """Return the number of sets whose gap is at least this large."""
        return int(np.count_nonzero(self.gaps >= gap))


def gap_by_chance(X: Float[ndarray, "n d"], linkage: Linkage, *, rng: Generator) -> GapByChance:
    """Draw sets of points evenly from the box of X, and measure their gaps.

    Raises ValueError unless X is finite.
    """
    X = validate.points(X)
    n, low, high = min(len(X), MOST), X.min(axis=0), X.max(axis=0)
    gaps, heights = [], []
    for _ in range(SETS):
        drawn = low + (high - low) * rng.random((n, X.shape[1]))
        first = next(hierarchical_clustering(drawn, linkage=linkage))
        tree = first.dendrogram
        gaps.append(tree.gap)
        heights.append(tree.heights[-LAST_HEIGHTS:] / (tree.heights[-1:].sum() or 1.0))
    return GapByChance(n, np.array(gaps), np.median(heights, axis=0))
