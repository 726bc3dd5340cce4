"""A cut of the points at a node of a tree, with its score."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.special import chdtrc

TIE = 1e-12  # scores that differ by less are equal but for rounding


@dataclass(frozen=True)
class Split:
    """A cut at a node: x[feature] <= threshold goes left.

    `score` is what cuts are compared by: the gain or the gain ratio. `left` and `right` count the
    classes on either side. `tried` is the number of this feature's cuts that it is the best of.
    """

    feature: int
    threshold: float
    gain: float
    score: float
    left: tuple[int, ...]
    right: tuple[int, ...]
    tried: int

    @property
    def total(self) -> tuple[int, ...]:
        """Return the class counts of the node."""
        return tuple(a + b for a, b in zip(self.left, self.right, strict=True))

    @property
    def statistic(self) -> float:
        """Chi-square: how far the sides are from having the class shares of the node."""
        sides = np.array([self.left, self.right], float)
        sides = sides[:, sides.sum(axis=0) > 0]
        expected = np.outer(sides.sum(axis=1), sides.sum(axis=0)) / sides.sum()
        return float(((sides - expected) ** 2 / expected).sum())

    @property
    def p_value(self) -> float:
        """Return the P of a statistic this large, for one cut chosen without the classes."""
        present = np.count_nonzero(self.total)
        return float(chdtrc(present - 1, self.statistic))


def best(splits: Sequence[Split]) -> Split:
    """Return the split with the highest score, the more even and then the first one in a tie."""
    top = max(split.score for split in splits) - TIE
    tied = [split for split in splits if split.score >= top]
    return min(tied, key=lambda split: abs(sum(split.left) - sum(split.right)))


def halfway(below: Float[ndarray, "*n"], above: Float[ndarray, "*n"]) -> Float[ndarray, "*n"]:
    """Return the middle, or the lower value if no float is in between."""
    middle = below / 2 + above / 2
    return np.where(middle < above, middle, below)
