"""Calibration: if a model is 80 % sure of a class, is it right in 80 % of the cases?

A model predicts for every point the class with the highest probability p_i. If its probabilities
are true, then among the points with p_i near p a share p is right, and over all points

    promised = sum_i p_i     is near     right = sum_i [ the prediction for i is y_i ]

Rule: put the points into bins by p_i, [0, 1/10), [1/10, 2/10), ..., [9/10, 1], and compare both
sums bin by bin. Only points that the model was not fitted to can show this.

Cost: O(n K).

Source: DeGroot and Fienberg 1983 (reliability diagrams).
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

BINS = 10


@dataclass(frozen=True, eq=False)
class Calibration:
    """Predicted probabilities of some points and the points that were right, bin by bin.

    count : how many points have a probability in the bin. right : how many of them are right.
    promised : the sum of their probabilities.
    """

    count: Int[ndarray, " bins"]
    right: Int[ndarray, " bins"]
    promised: Float[ndarray, " bins"]


def calibration(P: Float[ndarray, "n k"], own: Int[ndarray, " n"]) -> Calibration:
    """Return the calibration of the probabilities P. own : the index of every point's class."""
    sure = P.max(axis=1)
    bins = np.minimum((BINS * sure).astype(int), BINS - 1)
    right = P.argmax(axis=1) == own
    count, promised = np.bincount(bins, minlength=BINS), np.bincount(bins, sure, BINS)
    return Calibration(count, np.bincount(bins[right], minlength=BINS), promised)
