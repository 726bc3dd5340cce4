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
