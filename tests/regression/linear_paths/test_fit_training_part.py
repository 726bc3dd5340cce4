import numpy as np
import pytest

from algorithms.regression.linear_paths.fit_training_part import (
    descent_on_training,
    lasso_on_training,
    ridge_on_training,
)
from algorithms.regression.linear_paths.lasso_descent import lasso
from algorithms.regression.linear_paths.lasso_path import lasso_path
from algorithms.regression.linear_paths.prepared_table import FeatureChoice, prepared_table
from algorithms.regression.linear_paths.ridge_path import ridge_path, ridge_penalties
from tests.core.samples import dataset

DATA = prepared_table(
    dataset("sine", 60, noise=0.3),
    FeatureChoice(basis="polynomial", count=4),
    share=0.3,
    rng=np.random.default_rng(1),
    window=(-4.0, 4.0),
)
ARGUMENTS = {"data": DATA, "level": 0.1, "max_iter": 20}


def test_the_methods_see_the_training_points_alone() -> None:
    X, y = DATA.training
    assert 0 < len(y) < 60
    top = next(lasso_path(X, y)).penalty
    for ours, theirs in (
        (ridge_on_training(DATA), ridge_path(X, y, ridge_penalties(X, 51))),
        (lasso_on_training(DATA, between=3), lasso_path(X, y, between=3)),
        (descent_on_training(DATA, level=0.2, max_iter=9), lasso(X, y, 0.2 * top, max_iter=9)),
    ):
        for found, expected in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(found.weights, expected.weights)
            assert found.penalty == expected.penalty


def test_at_the_largest_penalty_that_matters_all_weights_stay_at_0() -> None:
    assert np.abs(list(descent_on_training(DATA, level=1.0, max_iter=9))[-1].weights).max() < 1e-12


def test_bad_numbers_are_refused_at_the_call() -> None:
    with pytest.raises(ValueError, match="count must be at least 2"):
        ridge_on_training(DATA, count=1)
    with pytest.raises(ValueError, match="between must be at least 0"):
        lasso_on_training(DATA, between=-1)
    with pytest.raises(ValueError, match="max_iter must be at least 1"):
        descent_on_training(DATA, level=0.1, max_iter=0)
