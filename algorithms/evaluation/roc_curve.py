r"""The ROC curve: lower a threshold on a score, from no point called positive to all.

A classifier gives every point a score s, and calls the point positive if s >= t. There are P
positives (the second class) and N negatives. As the threshold t falls past one score after the
other, more and more points are called positive. With the counts at t,

    TP positives found    FN = P - TP misses    FP false alarms    TN = N - FP

    TPR = TP / P          FPR = FP / N          precision = TP / (TP + FP)
    accuracy = (TP + TN) / (P + N)              F1 = 2 TP / (2 TP + FP + FN)

Update rule, from one threshold to the next lower score: TP and FP grow by the positives and the
negatives with that score, so points of equal score share a step. The curve joins the points
(FPR, TPR), and the area under it grows by a trapezium,

    area <- area + (FPR - FPR before) (TPR + TPR before) / 2.

The whole area (AUC) is the probability that a positive, drawn at random, scores above a negative,
ties counted half: see `pairs`. If a miss costs as much as c false alarms, a threshold costs
FP + c FN.

The least cost is optimistic, since its threshold was chosen for these very points: see
cost_by_halves.py. Only the order of the scores matters: a strictly increasing map of them changes
no point of the curve.

Cost: O(n log n) to sort, then O(1) per step.

Source: CIS787 (004:200, performance evaluation); Fawcett 2006 for ties, areas and equal costs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record

Event = Literal["first false alarm", "least cost", "no miss left"]


@dataclass(frozen=True, eq=False)
class RocStep(Record):
    """One threshold: points that score at least as much are called positive.

    `area` is the area under the curve up to this step, on the last step the whole area. `cost` is
    in false alarms. The threshold of the first step is just above every score.

    Events: "least cost" (the first of the cheapest thresholds), "first false alarm" (the first
    threshold that calls a negative positive) and "no miss left" (the first without a miss).
    """

    classes: Int[ndarray, " 2"]
    threshold: float
    true_positives: int
    false_positives: int
    positives: int
    negatives: int
    area: float
    cost: float
    event: Event | None = None

    @property
    def false_negatives(self) -> int:
        """Return the number of missed positives."""
        return self.positives - self.true_positives

    @property
    def true_negatives(self) -> int:
        """Return the number of negatives called negative."""
        return self.negatives - self.false_positives

    @property
    def true_positive_rate(self) -> float:
        """Return the share of the positives that are found, also called recall."""
        return self.true_positives / self.positives

    @property
    def false_positive_rate(self) -> float:
        """Return the share of the negatives that are called positive."""
        return self.false_positives / self.negatives

    @property
    def precision(self) -> float:
        """Return the share of positives among the points called positive; 1 if none is."""
        called = self.true_positives + self.false_positives
        return self.true_positives / called if called else 1.0

    @property
    def accuracy(self) -> float:
        """Return the share of the points that are called right."""
        return (self.true_positives + self.true_negatives) / (self.positives + self.negatives)

    @property
    def f1(self) -> float:
        """Return the harmonic mean of precision and recall."""
        twice = 2 * self.true_positives
        return twice / (twice + self.false_positives + self.false_negatives)

    def predict(self, scores: Float[ndarray, " m"]) -> Int[ndarray, " m"]:
        """Return the class of every score."""
        return self.classes[(scores >= self.threshold).astype(int)]


def roc_curve(
    y: Int[ndarray, " n"], scores: Float[ndarray, " n"], *, miss: float = 1.0
) -> Iterator[RocStep]:
    """Lower the threshold from above all scores to the lowest, one step for each distinct score.

    y : (n,) classes; the second one is positive. miss : what a miss costs, in false alarms.

    Raises ValueError, at the call, unless y holds n integers of exactly two classes, scores holds
    n finite numbers and miss is a number from 0.
    """
    scores = _checked(scores)
    classes, signs = validate.two_labels(y, len(scores))
    miss = validate.number("miss", miss)
    return _lower(classes, signs > 0, scores, miss)


@dataclass(frozen=True)
class Pairs:
    """The number of pairs of a positive and a negative, by which of the two scores more.

    `right` counts the pairs in which the positive scores more, `tied` those with equal scores.
    """

    right: int
    tied: int
    count: int

    @property
    def share(self) -> float:
        """Return the share in the right order, ties counted half: the area under the curve."""
        return (self.right + self.tied / 2) / self.count


def pairs(y: Int[ndarray, " n"], scores: Float[ndarray, " n"]) -> Pairs:
    """Count the pairs of a positive (second class) and a negative, by the order of their scores.

    Raises ValueError unless y holds n integers of exactly two classes and scores n finite numbers.
    """
    scores = _checked(scores)
    _, signs = validate.two_labels(y, len(scores))
    negatives, positives = np.sort(scores[signs < 0]), scores[signs > 0]
    below = np.searchsorted(negatives, positives, "left")
    not_above = np.searchsorted(negatives, positives, "right")
    count = len(negatives) * len(positives)
    return Pairs(int(below.sum()), int((not_above - below).sum()), count)


def _checked(scores: Float[ndarray, " n"]) -> Float[ndarray, " n"]:
    return validate.points(np.asarray(scores)[..., None], name="scores")[:, 0]


def _lower(
    classes: Int[ndarray, " 2"], positive: ndarray, scores: Float[ndarray, " n"], miss: float
) -> Iterator[RocStep]:
    levels, level = np.unique(-scores, return_inverse=True)  # from the highest score down
    thresholds = [np.nextafter(-levels[0], np.inf), *-levels]
    found = np.append(0, np.bincount(level[positive], minlength=len(levels)).cumsum())
    alarms = np.append(0, np.bincount(level[~positive], minlength=len(levels)).cumsum())
    P, N = int(found[-1]), int(alarms[-1])
    # area <- area + (FPR - FPR before) (TPR + TPR before) / 2, in whole numbers: the sum is exact.
    areas = np.append(0, (np.diff(alarms) * (found[1:] + found[:-1])).cumsum()) / (2 * P * N)
    costs = alarms + miss * (P - found)
    events: dict[int, Event] = {
        int((found == P).argmax()): "no miss left",
        int((alarms > 0).argmax()): "first false alarm",
        int(costs.argmin()): "least cost",
    }
    for i, t in enumerate(thresholds):
        yield RocStep(
            classes, float(t), int(found[i]), int(alarms[i]), P, N,
            float(areas[i]), float(costs[i]), events.get(i),
        )  # fmt: skip
