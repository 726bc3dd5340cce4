"""AdaBoost on given stumps, against scikit-learn's with the same stumps to choose from."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import AdaBoostClassifier

from algorithms.ensembles.ada_boost.ada_boost import ada_boost
from algorithms.ensembles.ada_boost.boosted_stumps import boosted_stumps
from algorithms.ensembles.ada_boost.stumps import Stumps, stumps
from tests.ensembles.ada_boost.stumps_at_random import all_of, at_random
from tests.house.check_steps import POINTS
from tests.house.checked import Checked

ARGUMENTS = {"stumps": at_random(POINTS[:, :1], 6, np.random.default_rng(4))}


class BestOfTheGiven(ClassifierMixin, BaseEstimator):
    """A learner that takes the given stump with the smallest weighted error."""

    def __init__(self, given: Stumps | None = None) -> None:
        """Keep the stumps."""
        self.given = given

    def fit(self, X, y, sample_weight):
        """Take a stump."""
        assert self.given
        self.classes_ = np.unique(y)
        said = self.given.predict(X) == np.where(y == self.classes_[1], 1, -1)
        errors = ~said @ sample_weight
        self.taken_ = int((errors <= errors.min() + 1e-11).argmax())
        return self

    def predict(self, X):
        """Return the taken stump's classes."""
        assert self.given
        return self.classes_[(self.given.predict(X)[self.taken_] > 0).astype(int)]


def sample(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(int(rng.integers(20, 80)), 2))
    return X, (np.hypot(*X.T) + 0.3 * rng.normal(size=len(X)) > 1).astype(int)


SAME_STUMPS = Checked(
    "ada_boost",
    "scikit-learn's AdaBoostClassifier with a class's 15 stumps to choose from, round by round",
    cases=40,
    of="runs of up to 30 rounds",
    within=1e-9,
)
WITHIN = SAME_STUMPS.within or 0.0
ROUNDS = 30


def test_every_round_is_that_of_scikit_learn_with_the_same_stumps_to_choose_from() -> None:
    compared = 0
    for seed in range(SAME_STUMPS.cases):
        X, y = sample(seed)
        given = at_random(X, 15, np.random.default_rng([seed, 1]))
        steps = list(boosted_stumps(X, y, stumps=given, rounds=ROUNDS))
        ended = steps[-1].event == "no better than chance"
        steps = steps[:-1] if ended else steps
        if not steps:
            continue
        theirs = AdaBoostClassifier(BestOfTheGiven(given), n_estimators=ROUNDS).fit(X, y)
        assert [each.taken_ for each in theirs.estimators_] == [step.voter for step in steps]
        np.testing.assert_allclose(
            theirs.estimator_weights_[: len(steps)],
            [2 * step.alpha for step in steps],
            rtol=WITHIN,
        )
        np.testing.assert_allclose(
            theirs.decision_function(X), 2 * steps[-1].scores / steps[-1].alphas.sum(),
            atol=WITHIN,
        )  # fmt: skip
        compared += len(steps)
    assert compared > 10 * SAME_STUMPS.cases


def test_with_all_stumps_to_choose_from_it_is_ada_boost_while_both_choose_the_same() -> None:
    """AdaBoost's trees lower the gini impurity, so their error is not always the smallest."""
    rounds = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(60, 2))
        y = (X[:, 0] + 0.5 * rng.normal(size=60) > 0).astype(int)
        pairs = zip(
            ada_boost(X, y, rounds=10),
            boosted_stumps(X, y, stumps=all_of(X), rounds=10),
            strict=False,
        )
        equal = 0
        for tree, stump in pairs:
            if not np.array_equal(tree.said, stump.said[stump.voter]):
                break
            equal += 1
            assert stump.alpha == pytest.approx(tree.alpha, abs=1e-9)
            np.testing.assert_allclose(stump.weights, tree.weights, atol=1e-9)
            np.testing.assert_allclose(stump.scores, tree.scores, atol=1e-9)
        rounds.append(equal)
    assert sum(rounds) >= 30, rounds


def test_each_round_takes_the_stump_with_the_least_weight_wrong() -> None:
    for seed in range(20):
        X, y = sample(seed)
        given = at_random(X, 10, np.random.default_rng(seed))
        signs, w = np.where(y == 1, 1, -1), np.full(len(X), 1 / len(X))
        total = np.zeros(10)
        for step in boosted_stumps(X, y, stumps=given, rounds=12):
            np.testing.assert_allclose(step.weights, w, atol=1e-12)
            said = given.predict(X)
            errors = [w[row != signs].sum() for row in said]
            assert step.error == pytest.approx(min(errors), abs=1e-10)
            assert errors[step.voter] == pytest.approx(min(errors), abs=1e-10)
            if step.event == "no better than chance":
                assert min(errors) >= 0.5 - 1e-9 and step.alpha == 0
                break
            if step.event == "perfect learner":
                assert min(errors) == 0
                break
            total[step.voter] += step.alpha
            np.testing.assert_allclose(step.alphas, total, atol=1e-12)
            np.testing.assert_allclose(step.scores, total @ said, atol=1e-9)
            w = w * np.exp(-step.alpha * signs * said[step.voter])
            w /= w.sum()
            # With the new weights the same stump is no better than a coin.
            assert w[said[step.voter] != signs].sum() == pytest.approx(0.5)


def test_the_named_ends() -> None:
    X, y = np.array([[0.0, 0], [1, 0], [2, 0], [3, 0]]), np.array([0, 0, 1, 1])
    perfect = list(boosted_stumps(X, y, stumps=stumps([0, 0], [0.5, 1.5], [1, 1])))
    assert [step.event for step in perfect] == ["perfect learner"]
    assert perfect[0].alpha == 1 and perfect[0].voter == 1 and not perfect[0].missed.any()
    wrong = list(boosted_stumps(X, y, stumps=stumps([0], [1.5], [-1])))
    assert [step.event for step in wrong] == ["no better than chance"]
    assert wrong[0].alpha == 0
    chain = np.array([[0.0, 0], [1, 0], [2, 0]]), np.array([0, 1, 0])
    three = list(
        boosted_stumps(*chain, stumps=stumps([0, 0, 0], [0.5, 1.5, -9], [1, -1, -1]), rounds=9)
    )
    assert "training error 0" in [step.event for step in three]
    first = [step.event for step in three].index("training error 0")
    assert three[first].missed.sum() == 0 < three[first - 1].missed.sum()


def test_rounds_are_named_in_the_error() -> None:
    X, y = sample(0)
    with pytest.raises(ValueError, match="rounds must"):
        boosted_stumps(X, y, stumps=all_of(X), rounds=0)
