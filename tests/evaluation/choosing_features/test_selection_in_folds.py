"""Selection and folds: inside is scikit-learn's pipeline, outside reports far less than half."""

import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline

from algorithms.core.splits import deal
from algorithms.evaluation.choosing_features.selection_in_folds import (
    correlations,
    noise,
    reported,
    selection_in_folds,
)
from tests.house.checked import Checked

PIPELINE = Checked(
    "choosing_features",
    "scikit-learn's pipeline that chooses by `f_classif` in every fold, for the wrong rows",
    20,
    "samples of noise",
)


def test_inside_the_folds_it_is_scikit_learns_pipeline() -> None:
    for case in range(PIPELINE.cases):
        X, y = noise(40, 60, rng=np.random.default_rng(case))
        steps = list(
            selection_in_folds(
                X, y, keep=4, folds=4, inside=True, rng=np.random.default_rng([case, 1])
            )
        )
        fold = deal(y, 4, True, np.random.default_rng([case, 1]))
        for f, step in enumerate(steps):
            out = fold == f
            choice = SelectKBest(f_classif, k=4)
            model = make_pipeline(choice, LinearRegression())
            said = model.fit(X[~out], 2.0 * y[~out] - 1).predict(X[out])
            assert set(step.chosen) == set(np.flatnonzero(np.asarray(choice.get_support())))
            assert step.wrong[f] == ((said > 0) != y[out]).sum() and step.rows[f] == out.sum()


def test_outside_the_columns_are_the_same_in_all_folds() -> None:
    X, y = noise(40, 60, rng=np.random.default_rng(0))
    steps = list(selection_in_folds(X, y, keep=4, rng=np.random.default_rng(1)))
    wanted = np.argsort(-np.abs([np.corrcoef(column, y)[0, 1] for column in X.T]))[:4]
    assert all(step.chosen.tolist() == wanted.tolist() for step in steps)
    assert len(steps) == 5 and steps[-1].rows.sum() == 40


def test_on_new_samples_of_noise_only_the_choice_inside_reports_half() -> None:
    errors = reported(50, 200, keep=5, folds=5, samples=200, rng=np.random.default_rng(987654))
    outside, inside = errors.mean(axis=0)
    spread = errors.std(axis=0) / np.sqrt(len(errors))
    assert abs(inside - 0.5) < 4 * spread[1]
    assert outside < 0.3 and np.mean(errors[:, 0] < errors[:, 1]) > 0.95


def test_correlations_are_numpys_and_0_for_a_constant_column() -> None:
    X, y = noise(30, 4, rng=np.random.default_rng(3))
    X[:, 2] = 7.0
    found = correlations(X, 2.0 * y - 1)
    assert found[2] == 0
    for j in (0, 1, 3):
        assert found[j] == pytest.approx(np.corrcoef(X[:, j], y)[0, 1])
