from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import subspace_angles
from sklearn.decomposition import PCA, FactorAnalysis

from algorithms.reduction.factor_analysis.own_noise import AMOUNTS, more_noise, turns
from tests.house.check_steps import AsInTheApp, check_steps
from tests.reduction.factor_analysis.test_factor_analysis import sample

ARGUMENTS = {"column": 1}


def angle(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.degrees(subspace_angles(a[:, None], b[:, None])[0]))


@pytest.mark.parametrize("seed", range(4))
def test_both_axes_turn_as_scikit_learn_says(seed: int) -> None:
    X = sample(seed, c=1)
    s = X.std(axis=0)
    X = X / s
    steps = check_steps(more_noise(X, 2, rng=np.random.default_rng(seed)))
    e = np.random.default_rng(seed).normal(size=len(X))
    assert [step.amount for step in steps] == AMOUNTS.tolist()
    first = [PCA(1).fit(X), FactorAnalysis(1, tol=1e-8, max_iter=5000).fit(X)]
    for step in steps:
        changed = X.copy()
        changed[:, 2] += step.amount * e
        assert_allclose(step.table, changed)
        pca, factor = (
            angle(before.components_[0], model.fit(changed).components_[0])
            for before, model in zip(
                first, (PCA(1), FactorAnalysis(1, tol=1e-8, max_iter=5000)), strict=True
            )
        )
        assert_allclose(step.turned_components, pca, atol=1e-4)
        assert_allclose(step.turned_factors, factor, atol=0.3)
    again = turns(X, 2, 1.0, 1, rng=np.random.default_rng(seed))
    assert again.factors.tolist() == [step.turned_factors for step in steps]
    assert again.components.tolist() == [step.turned_components for step in steps]


@pytest.mark.parametrize("seed", range(3))
def test_angles_in_two_columns_are_those_of_a_picture(seed: int) -> None:
    X = sample(seed, c=1)
    s, seen = X.std(axis=0), (2, 0)
    some = list(more_noise(X, 2, seen=seen, most=1.0, rng=np.random.default_rng(seed)))
    every = list(more_noise(X, 2, rng=np.random.default_rng(seed)))
    assert [step.amount for step in some] == [0, 0.25, 0.5, 0.75, 1]
    for step, other in zip(some, every, strict=False):
        assert_allclose(step.table, other.table)
        for turned, vectors in [
            (step.turned_components, [each.components.components[0] for each in (some[0], step)]),
            (step.turned_factors, [each.factors.loadings[:, 0] for each in (some[0], step)]),
        ]:
            old, new = ((v / s)[list(seen)] for v in vectors)
            ways = [np.degrees(np.arctan2(v[1], v[0])) for v in (old, new)]
            apart = abs((ways[1] - ways[0] + 90) % 180 - 90)
            assert turned == pytest.approx(apart, abs=1e-6)


def test_a_unit_turns_the_component_alone_and_not_the_factor() -> None:
    X = sample(1, c=1)
    s, seed = X.std(axis=0), partial(np.random.default_rng, 1)
    old, new = (turns(X, 2, unit, 1, rng=seed()) for unit in (1.0, 10.0))
    assert_allclose(new.factors, old.factors, atol=0.05)
    units = np.where(np.arange(X.shape[1]) == 2, 10.0, 1.0)
    first, then = (PCA(1).fit(Y).components_[0] for Y in (X, X * units))
    assert new.components[0] == pytest.approx(angle(first / s, then / units / s), abs=1e-4)
    assert new.components[0] > 5


def test_columns_that_the_axes_do_not_have_turn_by_nothing() -> None:
    X = np.column_stack([sample(0)[:, :2], np.zeros((len(sample(0)), 2))])
    steps = more_noise(X, 0, seen=(2, 3), most=0.5, rng=np.random.default_rng(0))
    assert [(step.turned_factors, step.turned_components) for step in steps] == [(0.0, 0.0)] * 3


def test_the_event_is_the_column_with_the_largest_entry_in_the_component() -> None:
    told = 0
    for seed in range(6):
        X = sample(seed) / sample(seed).std(axis=0)
        steps = list(more_noise(X, 3, rng=np.random.default_rng(seed)))
        heaviest = [np.abs(step.components.components[0]).argmax() == 3 for step in steps]
        for (was, now), step in zip(pairwise(heaviest), steps[1:], strict=True):
            assert (step.event == "heaviest in PCA") == (now and not was)
            told += step.event is not None
        assert steps[0].event is None
    assert told


def test_what_cannot_get_noise_is_refused() -> None:
    add = partial(more_noise, rng=np.random.default_rng(0))
    for X, column, how, sentence in [
        (np.ones((4, 8)), 0, {}, "X must hold two different points"),
        (sample(0), 8, {}, "column must be between 0 and d - 1=7, got column=8"),
        (sample(0), 0, {"n_components": 9}, "n_components must be between 1 and d=8"),
    ]:
        with AsInTheApp(), pytest.raises(ValueError, match=sentence):
            add(X, column, **how)
