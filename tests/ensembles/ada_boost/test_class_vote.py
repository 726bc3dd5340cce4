"""Equal votes of given stumps, against counting the votes one by one."""

import re

import numpy as np
import pytest
from scipy.stats import binom

from algorithms.ensembles.ada_boost.class_vote import class_vote
from algorithms.ensembles.ada_boost.stumps import stumps
from algorithms.ensembles.ada_boost.vote_summary import vote_summary
from tests.ensembles.ada_boost.stumps_at_random import at_random
from tests.house.check_steps import POINTS

ARGUMENTS = {"stumps": at_random(POINTS[:, :1], 6, np.random.default_rng(4))}
RNG = np.random.default_rng(5)
X = RNG.normal(size=(50, 2))
Y = np.where(X.sum(axis=1) + RNG.normal(size=50) > 0, 4, 1)


def counted_by_hand(each, points: np.ndarray) -> list[int]:
    """Return the class that most of the stumps name for every point, the first one in a tie."""
    winners = []
    for point in points:
        votes = 0
        for j in range(len(each)):
            above = point[each.feature[j]] > each.threshold[j]
            votes += each.side[j] if above else -each.side[j]
        winners.append(4 if votes > 0 else 1)
    return winners


@pytest.mark.parametrize("count", [1, 2, 9, 30])
def test_the_vote_is_the_majority_of_the_stumps_so_far(count: int) -> None:
    each, new = at_random(X, count, RNG), RNG.normal(size=(25, 2))
    steps = list(class_vote(X, Y, stumps=each))
    assert [step.voter for step in steps] == list(range(count))
    for t, step in enumerate(steps, 1):
        first = stumps(*(values[:t] for values in vars(each).values()))
        assert step.predict(new).tolist() == counted_by_hand(first, new)
        wrong = np.array(counted_by_hand(first, X)) != Y
        np.testing.assert_array_equal(step.missed, wrong)
        assert step.training_error == wrong.mean()
        assert step.alphas.tolist() == [1.0] * t + [0.0] * (count - t)
        np.testing.assert_array_equal(step.scores, step.decision_function(X))
        alone = stumps(*(values[t - 1 : t] for values in vars(each).values()))
        np.testing.assert_array_equal(step.wrong, np.array(counted_by_hand(alone, X)) != Y)
        assert step.error == pytest.approx(step.wrong.mean())


def test_the_event_is_where_the_vote_becomes_better_than_the_best_stump() -> None:
    seen = set()
    for seed in range(30):
        rng = np.random.default_rng(seed)
        each = at_random(X, 25, rng)
        best = min(np.mean(said != np.where(Y == 4, 1, -1)) for said in each.predict(X))
        before = 1.0
        for step in class_vote(X, Y, stumps=each):
            becomes = step.training_error < best <= before
            assert (step.event == "better than every voter") == becomes
            seen.add(step.event)
            before = step.training_error
    assert seen == {None, "better than every voter"}


def test_the_summary_counts_the_mistakes_of_the_vote_and_of_every_voter() -> None:
    each, new = at_random(X, 12, RNG), RNG.normal(size=(30, 2))
    truth = np.where(new[:, 0] > 0, 4, np.where(new[:, 1] > 1, 9, 1))  # 9 is a third class
    steps = list(class_vote(X, Y, stumps=each))
    found = vote_summary(steps, new, truth)
    assert found.held_out is not None
    assert (found.training.points, found.held_out.points) == (50, 30)
    for t, step in enumerate(steps):
        assert found.training.vote[t] == np.count_nonzero(step.predict(X) != Y)
        assert found.held_out.vote[t] == np.count_nonzero(step.predict(new) != truth)
    for j in range(12):
        alone = stumps(*(values[j : j + 1] for values in vars(each).values()))
        (only,) = class_vote(X, Y, stumps=alone)
        assert found.training.voters[j] == np.count_nonzero(only.predict(X) != Y)
        assert found.held_out.voters[j] == np.count_nonzero(only.predict(new) != truth)
    assert vote_summary(steps, X[:0], Y[:0]).held_out is None


def test_independent_mistakes_cancel_as_condorcet_says() -> None:
    """With e = 1/3 and t = 31 independent voters, the binomial says how often the vote is wrong."""
    n, t, rng = 20_000, 31, np.random.default_rng(0)
    right = rng.random((t, n)) < 2 / 3
    bits = np.where(right, 1.0, -1.0).T  # a feature for every voter: its own, independent guess
    (*_, last) = class_vote(
        np.vstack([bits, -bits]),
        np.repeat([1, 0], n),
        stumps=stumps(np.arange(t), np.zeros(t), np.ones(t)),
    )
    coins = np.arange(t + 1)
    wrong = binom.pmf(coins, t, 1 / 3)[coins > t / 2].sum()
    assert last.training_error == pytest.approx(wrong, abs=5 * np.sqrt(wrong / n))
    assert wrong < 0.03 < 1 / 3


@pytest.mark.parametrize(
    ("each", "said"),
    [
        (stumps(*np.zeros((3, 0))), "stumps must hold at least one stump, got none"),
        (stumps([0, 2], [0, 0], [1, 1]), "stumps must cut features from 0 to 1, got [0 2]"),
    ],
)
def test_stumps_that_cannot_vote_are_refused_at_the_call(each, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        class_vote(X, Y, stumps=each)
