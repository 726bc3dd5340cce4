from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression, QuantileRegressor

from algorithms.regression.linear_regression.absolute_loss import SOFT, absolute_loss
from tests.house.check_steps import AsInTheApp, check_model, check_steps
from tests.house.checked import Checked
from tests.regression.linear_regression.test_linear_regression import HOSTILE, table_of

MEDIANS = Checked(
    "linear_regression",
    "scikit-learn's median regression, mean absolute residuals relative to its own",
    28,
    "data sets",
    within=1e-7,
)


def mean_absolute(model, X: np.ndarray, y: np.ndarray) -> float:
    return float(np.abs(y - model.predict(X)).mean())


@pytest.mark.parametrize("case", range(MEDIANS.cases))
def test_agrees_with_scikit_learn(case: int) -> None:
    X, y = table_of(case)
    steps = check_steps(absolute_loss(X, y))
    first, exact = steps[0], steps[-1]
    squares = LinearRegression().fit(X, y)
    np.testing.assert_allclose(first.weights, squares.coef_, rtol=1e-7, atol=1e-9)
    assert first.intercept == pytest.approx(squares.intercept_)
    theirs = QuantileRegressor(quantile=0.5, alpha=0).fit(X, y)
    least = mean_absolute(theirs, X, y)
    assert exact.absolute == pytest.approx(least, rel=MEDIANS.within, abs=0)
    np.testing.assert_allclose(exact.weights, theirs.coef_, rtol=1e-5, atol=1e-6)
    assert steps[-2].absolute <= 1.02 * exact.absolute


@settings(max_examples=100, deadline=None)
@given(
    n=st.integers(1, 25),
    d=st.integers(1, 3),
    seed=st.integers(0, 999),
    unit=st.sampled_from([1e-5, 1.0, 1e6]),
    grid=st.booleans(),
)
def test_what_holds_for_every_run(n: int, d: int, seed: int, unit: float, grid: bool) -> None:
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(n, d)), random.standard_t(2, size=n)
    if grid:
        X, y = X.round(), y.round()
    X, y = X * unit, y * unit
    steps = check_steps(absolute_loss(X, y))
    assert [step.index for step in steps] == list(range(len(steps)))
    assert [step.event for step in steps] == [
        "least squares", *[None] * (len(steps) - 2), "exact"
    ]  # fmt: skip
    slack = 1e-9 * unit
    for step in steps:
        np.testing.assert_allclose(step.residuals, y - step.predict(X), atol=slack)
        assert step.absolute == pytest.approx(np.abs(step.residuals).mean())
        assert step.squared == pytest.approx((step.residuals**2).mean())
        assert step.absolute >= steps[-1].absolute - slack
        assert step.squared >= steps[0].squared - slack * unit
    soft = SOFT * steps[0].absolute

    def softened(residuals: np.ndarray) -> float:
        size = np.abs(residuals)
        return float(np.where(size > soft, size, (size**2 / (soft or 1) + soft) / 2).sum())

    for before, after in pairwise(steps[:-1]):
        assert softened(after.residuals) <= softened(before.residuals) * (1 + 1e-9) + slack
    # The forces balance, and each is that of its side of the line.
    forces, residuals = steps[-1].forces, steps[-1].residuals
    assert np.abs(forces).max() <= 1 + 1e-9
    np.testing.assert_allclose(forces @ X / unit, 0, atol=1e-6)
    np.testing.assert_allclose(forces.sum(), 0, atol=1e-6)
    off = np.abs(residuals) > 1e-7 * unit
    np.testing.assert_allclose(forces[off], np.sign(residuals[off]), atol=1e-7)


def test_an_outlier_does_not_pull_farther_by_going_farther() -> None:
    X, y = np.arange(10.0)[:, None], np.arange(10.0)
    lines = []
    for height in (20.0, 200.0):
        y[8] = height
        steps = list(absolute_loss(X, y))
        assert steps[-1].weights[0] == pytest.approx(1)
        assert steps[-1].intercept == pytest.approx(0, abs=1e-9)
        lines.append(steps[0].weights[0])
    assert lines[1] > lines[0] + 5, "but it pulls the least squares line"


def test_the_median_where_nothing_else_tells() -> None:
    X, y = np.full((5, 1), 2.0), np.array([0.0, 1.0, 2.0, 3.0, 50.0])
    steps = list(absolute_loss(X, y))
    assert steps[0].predict(X)[0] == pytest.approx(11.2)
    assert steps[-1].predict(X)[0] == pytest.approx(2.0)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_data(name: str) -> None:
    X, y = HOSTILE[name]
    steps = check_steps(absolute_loss(X, y))
    assert steps[-1].event == "exact"
    assert len(steps) <= 32
    for step in steps:
        check_model(step, X)


def test_bad_arguments_are_refused_at_the_call() -> None:
    X, y = np.arange(5.0)[:, None], np.arange(5.0)
    for changes, sentence in (
        ({"max_iter": 0}, "max_iter must be at least 1, got max_iter=0"),
        ({"tol": -1.0}, "tol must be a number from 0 to 1e+100, got tol=-1.0"),
    ):
        with AsInTheApp(), pytest.raises(ValueError) as caught:
            absolute_loss(X, y, **changes)
        assert str(caught.value) == sentence
