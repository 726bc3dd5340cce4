"""The nearest mean: the border of two classes is the perpendicular bisector of their means.

Model: the mean of every class, m_j = 1/n_j sum_(i of j) x_i. Decision rule:

    j(x) = argmin_j ||x - m_j||  =  argmax_j  m_j.x - ||m_j||^2 / 2

The second form leaves out ||x||^2, which is the same for every class. The scores are linear, so the
border of two classes is the plane of all points equally far from both means, and with three classes
in a row the middle one is not masked. The spread around the means plays no part: a long cloud is
cut where a round one would be. Every point pulls its mean, and so does an outlier.

Cost: O(n d), and O(K d) to predict.

Source: CS725 19.5 (000:3137), the perpendicular bisector of the line joining the means.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.groups import group_sums
from algorithms.core.record import Record
from algorithms.core.scores import Scores, highest, one_for_two


@dataclass(frozen=True, eq=False)
class NearestMeanStep(Record):
    """The mean of every class: the whole model."""

    classes: Int[ndarray, " k"]
    means: Float[ndarray, "k d"]
    event: str | None = None

    def decision_function(self, X: Float[ndarray, "m d"]) -> Scores:
        """Return the scores; for two classes (m,) their difference, positive for the second."""
        middle = self.means.mean(axis=0)  # no cancellation far from the origin
        offsets = self.means - middle
        return one_for_two((X - middle) @ offsets.T - (offsets * offsets).sum(axis=1) / 2)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class of the nearest mean for every row of `X`, the smaller one in a tie."""
        return highest(self.decision_function(X), self.classes)


def nearest_mean(X: Float[ndarray, "n d"], y: Int[ndarray, " n"]) -> Iterator[NearestMeanStep]:
    """Take the mean of every class, in a single step.

    Raises ValueError, at the call, unless X is finite and y holds n integers of two or more
    classes.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    center = X.mean(axis=0)
    sums = group_sums(X - center, codes, len(classes))
    means = center + sums / np.bincount(codes)[:, None]
    return iter([NearestMeanStep(classes, means)])
