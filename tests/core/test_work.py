import numpy as np
import pytest

from algorithms.classification.svm.svm import svm
from algorithms.core.kernels import rbf
from algorithms.core.record import last
from algorithms.core.work import TooMuchWork, heeded, limited, spend
from algorithms.ensembles.random_forest import random_forest


def test_on_its_own_it_does_nothing() -> None:
    spend(1e99)


def test_who_heeds_is_called_every_time_and_only_inside() -> None:
    calls = []
    with heeded(lambda: calls.append(1)):
        assert last(iter("abc")) == "c"
        spend(5.0)
    spend(5.0)
    assert len(calls) == 4


def test_a_limit_is_one_of_work_of_its_own() -> None:
    with limited(10.0):
        spend(9.0)
        with limited(5.0):
            spend(5.0)
            with pytest.raises(TooMuchWork, match="more than 5e"):
                spend(1.0)
        spend(1.0)
        with pytest.raises(TooMuchWork):
            spend(1.0)


def test_a_run_that_needs_too_much_ends_at_the_same_place_every_time() -> None:
    chance = np.random.default_rng(0)
    X, y = chance.normal(size=(200, 2)), chance.integers(2, size=200)
    places = []
    for _ in range(2):
        steps = 0
        with pytest.raises(TooMuchWork), limited(3e7):
            for _step in svm(X, y, C=1000.0, kernel=rbf(0.1), pairs=100):
                steps += 1
        places.append(steps)
    assert places[0] == places[1] > 100


def test_trees_count_their_work_node_by_node() -> None:
    chance = np.random.default_rng(0)
    X, y = chance.normal(size=(60, 2)), chance.integers(2, size=60)
    grown = []
    for most in (3e7, 3e7, 6e7):
        with pytest.raises(TooMuchWork), limited(most):
            for step in random_forest(X, y, n_trees=100, rng=np.random.default_rng(1)):
                trees = len(step.trees)
        grown.append(trees)
    assert 1 <= grown[0] == grown[1] < grown[2] < 20
