"""Stepwise selection: E against scikit-learn, and moves that no other move beats."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import PredefinedSplit, cross_val_predict

from algorithms.evaluation.choosing_features.samples import SAMPLES
from algorithms.evaluation.choosing_features.stepwise_selection import (
    cross_validated_error,
    dealt,
    every_error,
    flipped,
    stepwise_selection,
)
from tests.house.checked import Checked

ERRORS = Checked(
    "choosing_features",
    "scikit-learn's `cross_val_predict` with the same folds, for E of all sets",
    9,
    "random samples",
    1e-9,
)


def sample(case: int) -> tuple[np.ndarray, np.ndarray]:
    draw = list(SAMPLES.values())[case % len(SAMPLES)]
    rng = np.random.default_rng(case)
    return draw(int(rng.integers(20, 80)), float(rng.uniform(0.2, 2)), rng=rng)


def test_the_error_of_every_set_is_scikit_learns() -> None:
    for case in range(ERRORS.cases):
        X, y = sample(case)
        fold = dealt(len(X), 4, np.random.default_rng(case))
        errors = every_error(X, y, folds=4, rng=np.random.default_rng(case))
        assert list(errors) == [F for k in range(6) for F in combinations(range(5), k)]
        for F, error in errors.items():
            A = X[:, F] if F else np.zeros((len(X), 1))
            said = cross_val_predict(LinearRegression(), A, y, cv=PredefinedSplit(fold))
            assert ERRORS.within
            assert error == pytest.approx(np.mean((y - said) ** 2), abs=ERRORS.within)


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_each_move_is_the_best_one_and_at_the_end_none_helps(direction: str) -> None:
    for case in range(15):
        X, y = sample(case)
        given = {"direction": direction, "folds": 5, "rng": np.random.default_rng(case)}
        steps = list(stepwise_selection(X, y, **given))
        errors = every_error(X, y, folds=5, rng=np.random.default_rng(case))
        assert steps[0].selected == (() if direction == "forward" else (0, 1, 2, 3, 4))
        for before, after in pairwise(steps):
            F = before.selected
            moves = [j for j in range(5) if (j in F) == (direction == "backward")]
            found = {j: errors[flipped(F, j)] for j in moves}
            assert after.error == errors[after.selected]
            if after is steps[-1]:
                assert after.selected == F and after.event == "no move helps"
                assert all(error >= before.error for error in found.values())
            else:
                assert after.moved == min(found, key=found.__getitem__)
                assert after.error < before.error


def test_with_one_row_a_fold_the_error_is_leave_one_out() -> None:
    X, y = sample(1)
    fold = dealt(len(X), 500, np.random.default_rng(0))
    assert sorted(fold) == list(range(len(X)))
    A = np.column_stack([X[:, :2], np.ones(len(X))])
    H = A @ np.linalg.pinv(A)
    missed = (y - H @ y) / (1 - np.diag(H))
    assert cross_validated_error(X, y, fold, (0, 1)) == pytest.approx(np.mean(missed**2))


def test_a_bad_argument_is_refused_at_the_call() -> None:
    X, y = sample(0)
    with pytest.raises(ValueError, match="folds must be"):
        stepwise_selection(X, y, folds=1, rng=np.random.default_rng(0))
