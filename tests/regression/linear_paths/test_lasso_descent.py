"""Coordinate descent for the lasso against the exact path and scikit-learn."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray
from sklearn.linear_model import Lasso

from algorithms.core.record import last
from algorithms.regression.linear_paths.lasso_descent import lasso, soft_threshold
from algorithms.regression.linear_paths.lasso_path import lasso_path, weights_at
from algorithms.regression.linear_paths.path_summary import lasso_objective
from tests.house.check_steps import AsInTheApp, check_steps
from tests.regression.linear_paths.test_ridge_path import DATA

ARGUMENTS = {"penalty": 3.0}
ENDS = ("converged", "stopped at max_iter")


@pytest.mark.parametrize("name", [name for name in DATA if name != "more columns than points"])
@pytest.mark.parametrize("share", [0.5, 0.05])
def test_agrees_with_the_exact_path_and_scikit_learn(name: str, share: float) -> None:
    X, y = DATA[name]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    path = list(lasso_path(X, y))
    penalty = share * path[0].penalty
    step = last(lasso(X, y, penalty, max_iter=500, tol=1e-10))
    assert step.event in ENDS
    theirs = Lasso(penalty / len(X), tol=1e-15, max_iter=10**6).fit(X, y)
    (exact,) = weights_at(path, np.array([penalty]))
    largest = np.abs(exact).max()
    if step.event == "converged":
        np.testing.assert_allclose(step.weights, exact, rtol=1e-6, atol=1e-6 * largest)
        np.testing.assert_allclose(step.weights, theirs.coef_, rtol=1e-6, atol=1e-6 * largest)
        assert step.active.tolist() == np.flatnonzero(theirs.coef_).tolist()
    objective = np.square(y - theirs.predict(X)).sum() / 2 + penalty * np.abs(theirs.coef_).sum()
    assert step.objective == pytest.approx(objective, rel=1e-6)
    slow = ("sine", "step", "line with outliers", "correlated")
    assert step.event == "converged" or name in slow


@settings(max_examples=45, deadline=None)
@given(
    X=arrays(float, st.tuples(st.integers(1, 9), st.integers(1, 4)), elements=st.integers(-3, 3)),
    seed=st.integers(0, 99),
    penalty=st.sampled_from([0.0, 0.5, 3.0, 100.0]),
)
def test_what_holds_for_every_run(X: ndarray, seed: int, penalty: float) -> None:
    y = np.random.default_rng(seed).normal(size=len(X))
    A, target = X - X.mean(axis=0), y - y.mean()
    steps = check_steps(lasso(X, y, penalty, max_iter=60))
    slack = 1e-11 * (1 + target @ target)
    assert steps[-1].event in ENDS and not any(s.event in ENDS for s in steps[:-1])
    for before, step in pairwise(steps):
        j = step.variable
        changed = np.flatnonzero(step.weights != before.weights)
        assert set(changed) <= {j}
        assert step.before == before.weights[j]
        rest = target - A @ before.weights + A[:, j] * before.weights[j]
        assert step.correlation == pytest.approx(A[:, j] @ rest, abs=slack)
        assert step.curvature == pytest.approx(A[:, j] @ A[:, j])
        threshold = soft_threshold(np.array([step.correlation]), penalty) / step.curvature
        assert step.weights[j] == pytest.approx(threshold[0], abs=1e-12)
        assert step.fall >= -slack, "the objective never rises"
        if step.event not in ENDS:
            changes = (before.weights[j] == 0) != (step.weights[j] == 0)
            assert (step.event is not None) == changes
    for step in steps:
        residuals = y - step.predict(X)
        objective = residuals @ residuals / 2 + penalty * np.abs(step.weights).sum()
        assert step.objective == pytest.approx(objective, abs=slack)
        assert residuals.sum() == pytest.approx(0, abs=slack)
    if steps[-1].event == "converged":
        c = A.T @ (target - A @ steps[-1].weights)
        assert (np.abs(c) <= penalty + 1e-7 * (1 + np.abs(A.T @ target).max())).all()
        assert steps[-1].violation <= 1e-7 * (1 + np.abs(A.T @ target).max())


def test_orthogonal_columns_need_one_sweep() -> None:
    X = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]]) / 2
    steps = list(lasso(X, X @ [3.0, -1.0] + 7, 2.0))
    assert [step.variable for step in steps] == [-1, 0, 1]
    assert [step.correlation for step in steps] == pytest.approx([0, 3, -1])
    assert [step.event for step in steps] == [None, "variable enters", "converged"]
    np.testing.assert_allclose(steps[-1].weights, [1, 0])
    assert [step.objective for step in steps] == pytest.approx([5, 4.5, 4.5])


def test_a_variable_enters_and_leaves_by_name() -> None:
    """On iris the first column is taken up, and given up once the third is there."""
    X, y = DATA["iris"]
    top = next(lasso_path(X, y)).penalty
    named = [(step.variable, step.event) for step in lasso(X, y, 0.3 * top) if step.event]
    assert named[:2] == [(0, "variable enters"), (2, "variable enters")]
    assert (0, "variable leaves") in named
    assert named[-1] == (2, "converged")


def test_the_penalty_that_keeps_all_weights_at_zero() -> None:
    X, y = DATA["diabetes"]
    top = next(iter(lasso_path(X, y))).penalty
    assert not list(lasso(X, y, top * 1.0001))[-1].weights.any()
    assert np.count_nonzero(list(lasso(X, y, top * 0.9999))[-1].weights) == 1


def test_the_objective_over_two_weights() -> None:
    X, y = DATA["sine"][0][:, :2] + 3, DATA["sine"][1]
    first, second = np.linspace(-1, 2, 5), np.linspace(-3, 1, 4)
    surface = lasso_objective(X, y, 0.7, first, second)
    for i, j in np.ndindex(surface.shape):
        w = np.array([first[j], second[i]])
        residuals = (y - y.mean()) - (X - X.mean(axis=0)) @ w
        assert surface[i, j] == pytest.approx(residuals @ residuals / 2 + 0.7 * np.abs(w).sum())


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.array([[3.0, 4.0]]), np.array([1.0])),
        (np.ones((5, 2)), np.arange(5.0)),
        (np.random.default_rng(0).normal(size=(9, 3)) * 1e90, np.arange(9.0)),
        (np.random.default_rng(0).normal(size=(9, 3)) * 1e-90, np.arange(9.0)),
        (np.arange(9.0)[:, None] * [1, 1, 2], np.arange(9.0)),
    ],
    ids=["one point", "constant", "huge", "tiny", "collinear"],
)  # fmt: skip
def test_hostile_data(X: ndarray, y: ndarray) -> None:
    for penalty in (0.0, 1.0, 1e100):
        assert check_steps(lasso(X, y, penalty))[-1].event == "converged"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"penalty": -1}, "penalty must be a number from 0 to 1e+100, got penalty=-1"),
        ({"max_iter": 0}, "max_iter must be at least 1, got max_iter=0"),
        ({"tol": "x"}, "tol must be a number from 0 to 1e+100, got tol='x'"),
    ],
)  # fmt: skip
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": np.arange(10.0).reshape(5, 2), "y": np.arange(5.0), "penalty": 1.0}
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        lasso(**given | changes)
    assert str(caught.value) == sentence
