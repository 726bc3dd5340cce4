"""The cost of the cheapest threshold on points that did not choose it."""

import numpy as np
import pytest

from algorithms.evaluation.cost_by_halves import cheapest, cost, cost_by_halves
from algorithms.evaluation.roc_curve import roc_curve
from tests.core.samples import rng
from tests.house.checked import Checked

EVERY_THRESHOLD = Checked(
    "thresholds",
    "The threshold of every step, for the one of least cost",
    60,
    "random rankings",
)


@pytest.mark.parametrize("case", range(EVERY_THRESHOLD.cases))
def test_the_cheapest_threshold_is_that_of_the_roc_curve(case: int) -> None:
    seed, miss = case // 3, [0.1, 1.0, 7.0][case % 3]
    random = rng(seed)
    y = np.append([0, 1], random.integers(2, size=40))
    scores = np.round(random.normal(size=42) + y, seed % 3)
    best = min(roc_curve(y, scores, miss=miss), key=lambda step: step.cost)
    t = cheapest(y == 1, scores, miss)
    np.testing.assert_array_equal(scores >= t, scores >= best.threshold)
    assert cost(t, y == 1, scores, miss) == pytest.approx(best.cost / 42)


def test_worked_by_hand() -> None:
    """Either half is a positive above a negative: a threshold between them, and no error."""
    found = cost_by_halves(np.array([0, 0, 1, 1]), np.array([0.0, 0, 1, 1]), rng=rng())
    assert found and (found.chosen, found.judged, found.count) == (0, 0, 50)
    # Scores 2 and 0 of negatives, 3 and 1 of positives, and a miss costs 2. Deals with 2 and 3 in a
    # half choose at cost 0 and are judged at 0.75; the others choose at 0.25 and are judged at 0.5.
    found = cost_by_halves(np.array([0, 1, 0, 1]), np.array([2.0, 3, 0, 1]), miss=2.0, rng=rng())
    assert found and 0 < found.chosen < 0.25
    assert found.chosen + found.judged == pytest.approx(0.75)
    assert cost_by_halves(np.array([0, 0, 1]), np.arange(3.0), rng=rng()) is None


def test_a_threshold_chosen_on_noise_is_no_good_on_the_other_half() -> None:
    random = rng(5)
    y, scores = np.arange(60) % 2, random.normal(size=60)
    found = cost_by_halves(y, scores, rng=random)
    assert found and found.chosen < 0.45 < 0.48 < found.judged
