"""The best cut of every feature at one node of a tree, all cuts weighed at once.

The points come sorted by each feature, so that the class counts to the left of every cut are one
cumulative sum. The formulas are those of `decision_tree.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.special import chdtrc

from algorithms.classification.trees._impurity import CRITERIA, Cost, cost, logs
from algorithms.core import validate

Cut = tuple[int, float]  # a feature and a threshold

TIE = 1e-12  # scores that differ by less are equal but for rounding


@dataclass(frozen=True)
class Split:
    """The best cut of one feature at a node: x[feature] <= threshold goes left.

    `score` is what cuts are compared by: the gain or the gain ratio. `left` and `right` count the
    classes on either side. `tried` is the number of this feature's cuts, of which it is the best.
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
        """The class counts of the node."""
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
        """The chance of a statistic so large for one cut, chosen without a look at the classes."""
        present = np.count_nonzero(self.total)
        return float(chdtrc(present - 1, self.statistic))


class Scan:
    """Weighs all cuts of all features of a node at once."""

    def __init__(self, criterion: str, gain_ratio: bool, least: int, n: int) -> None:
        self.cost: Cost = cost(criterion, n)
        self.logs = logs(n) if gain_ratio else None
        self.least = least

    def costs(
        self, one_hot: Int[ndarray, "k d n"]
    ) -> tuple[
        Int[ndarray, " cuts"],
        Int[ndarray, "k d cuts"],
        Int[ndarray, "k d cuts"],
        Float[ndarray, "d cuts"],
        float,
    ]:
        """Return the cuts that leave enough points on both sides, and what they cost.

        For each the number of points on its left, the class counts of both sides, and
        n_L Imp_L + n_R Imp_R; then the cost n Imp of the node.
        """
        n = one_hot.shape[2]
        size = np.arange(self.least, n - self.least + 1)
        below = one_hot.cumsum(axis=2)
        total = below[:, :, -1:]
        left = below[:, :, self.least - 1 : n - self.least]
        right = total - left
        after = self.cost(left, size) + self.cost(right, n - size)
        return size, left, right, after, float(self.cost(total[:, 0, 0], np.array(n)))

    def one(
        self, columns: Float[ndarray, "d n"], one_hot: Int[ndarray, "k n"], order: ndarray, cut: Cut
    ) -> Split:
        """Return what a cut is worth that was not looked for; ValueError if it parts too few."""
        feature, threshold = cut
        here = order[feature]
        n, below = len(here), int(columns[feature].take(here).searchsorted(threshold, "right"))
        least = min(below, n - below)
        if least < self.least:
            raise ValueError(
                f"instead must leave {self.least} or more points on either side, got "
                f"{below} and {n - below} of {n}"
            )
        size, left, right, after, before = self.costs(one_hot.take(here, axis=1)[:, None])
        at = below - self.least
        gain = score = max(before - float(after[0, at]), 0.0) / n
        if self.logs is not None:
            parts = self.logs[n] - self.logs[size[at]] - self.logs[n - size[at]]
            score = gain * n / float(parts)
        sides = (tuple(side[:, 0, at].tolist()) for side in (left, right))
        return Split(feature, threshold, gain, score, *sides, tried=1)

    def candidates(
        self, columns: Float[ndarray, "d n"], one_hot: Int[ndarray, "k n"], order: ndarray
    ) -> list[Split]:
        """Return the best cut of every feature that has one."""
        (d, n), least = order.shape, self.least
        if n < 2 * least:
            return []
        features = np.arange(d)
        values = columns.take(order + columns.shape[1] * features[:, None])
        size, left, right, after, before = self.costs(one_hot.take(order, axis=1))
        scores = gains = np.maximum(before - after, 0.0) / n
        if self.logs is not None:
            scores = gains * n / (self.logs[n] - self.logs[size] - self.logs[n - size])
        below, above = values[:, least - 1 : n - least], values[:, least : n - least + 1]
        tried = (above > below).sum(axis=1)
        scores = np.where(above > below, scores, -1.0)
        tied = scores >= scores.max(axis=1, keepdims=True) - TIE
        cuts = np.where(tied, np.abs(2 * size - n), n + 1).argmin(axis=1)
        at = (features, cuts)
        threshold, gain, score = _halfway(below[at], above[at]), gains[at], scores[at]
        left, right = (side[:, features, cuts].T for side in (left, right))
        rows = (part.tolist() for part in (features, threshold, gain, score, left, right, tried))
        return [
            Split(j, t, gain, score, tuple(left), tuple(right), count)
            for j, t, gain, score, left, right, count in zip(*rows, strict=True)
            if score >= 0
        ]


def best(splits: list[Split]) -> Split:
    """Return the split with the highest score, the more even and then the first one in a tie."""
    top = max(split.score for split in splits) - TIE
    tied = [split for split in splits if split.score >= top]
    return min(tied, key=lambda split: abs(sum(split.left) - sum(split.right)))


def one_hot(codes: Int[ndarray, " n"], classes: int) -> Int[ndarray, "k n"]:
    """Return 1 where a point is of class k, else 0; there need not be points of every class."""
    return (codes == np.arange(classes)[:, None]).astype(np.int32)


def thresholds(x: Float[ndarray, " n"], least: int = 1) -> Float[ndarray, " cuts"]:
    """Return the thresholds half-way between values that leave so many of them on either side."""
    values = np.sort(x)
    below, above = values[least - 1 : len(x) - least], values[least : len(x) - least + 1]
    return _halfway(below, above)[above > below]


def _halfway(below: ndarray, above: ndarray) -> ndarray:
    """Return the middle, or the lower value where floating point has nothing in between."""
    middle = below / 2 + above / 2
    return np.where(middle < above, middle, below)


def impurity(counts: Sequence[int] | Int[ndarray, " k"], criterion: str) -> float:
    """Return the impurity of points with these class counts."""
    counts = np.asarray(counts)
    n = counts.sum()
    return float(cost(criterion, int(n))(counts, n) / n)


def impurity_curve(
    x: Float[ndarray, " n"], y: Int[ndarray, " n"], *, criterion: str = "entropy"
) -> tuple[Float[ndarray, " cuts"], Float[ndarray, " cuts"]]:
    """Return all thresholds for the values `x`, and the impurity n_L/n Imp_L + n_R/n Imp_R left."""
    validate.choice("criterion", criterion, CRITERIA)
    order = np.argsort(x, kind="stable")[None]
    classes, codes = np.unique(y, return_inverse=True)
    values = x[order]
    *_, after, _ = Scan(criterion, False, 1, len(x)).costs(one_hot(codes, len(classes))[:, order])
    cuts = values[0, 1:] > values[0, :-1]
    return _halfway(values[0, :-1], values[0, 1:])[cuts], after[0, cuts] / len(x)
