"""The cost of the cheapest threshold on points that it was not chosen for.

The threshold of least cost, FP + c FN, is chosen for the points at hand, so its cost there is
optimistic. Deal the points into two halves, class by class:

    choose    t = argmin over all thresholds of the cost on one half
    judge     the cost of t on the other half

and swap the halves. The mean judged cost per point, over many random deals, is close to the cost on
new points, if twice as many points would not choose a much better threshold.

Cost: O(n log n) for every deal.

Source: CS337 (003:1968, validation); Stone 1974.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.splits import deal

DEALS = 25


@dataclass(frozen=True)
class HalfCosts:
    """The cost per point on the half that chose the threshold, and on the other half.

    Both are means over `count` choices.
    """

    chosen: float
    judged: float
    count: int


def cost_by_halves(
    y: Int[ndarray, " n"], scores: Float[ndarray, " n"], *, miss: float = 1.0, rng: Generator
) -> HalfCosts | None:
    """Choose the cheapest threshold on one half of the points, and judge it on the other.

    miss : what a miss costs, in false alarms. Return None if a class has only one point.

    Raises ValueError unless y holds n integers of two classes, and scores n finite numbers.
    """
    scores = validate.points(np.asarray(scores)[..., None], name="scores")[:, 0]
    _, signs = validate.two_labels(y, len(scores))
    positive = signs > 0
    if min(positive.sum(), (~positive).sum()) < 2:
        return None
    costs = []
    for _ in range(DEALS):
        first = deal(positive.astype(int), 2, True, rng) == 0
        for half in (first, ~first):
            t = cheapest(positive[half], scores[half], miss)
            costs.append([cost(t, positive[h], scores[h], miss) for h in (half, ~half)])
    chosen, judged = np.mean(costs, axis=0).tolist()
    return HalfCosts(chosen, judged, len(costs))


def cheapest(positive: Bool[ndarray, " n"], scores: Float[ndarray, " n"], miss: float) -> float:
    """Return the threshold of least cost, in a tie the highest; it may be above all scores."""
    t = np.append(np.inf, np.unique(scores)[::-1])
    alarms = (~positive).sum() - np.searchsorted(np.sort(scores[~positive]), t)
    misses = np.searchsorted(np.sort(scores[positive]), t)
    return float(t[np.argmin(alarms + miss * misses)])


def cost(
    t: float, positive: Bool[ndarray, " n"], scores: Float[ndarray, " n"], miss: float
) -> float:
    """Return the cost per point of a threshold: (FP + c FN) / n."""
    called = scores >= t
    return float(((called & ~positive) + miss * (~called & positive)).mean())
