import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from algorithms.regression.linear_regression.leverage import (
    leverages,
    point_at,
    pull_end,
    pull_point,
)
from algorithms.regression.linear_regression.linear_regression import moments
from tests.core.samples import features_and_target
from tests.house.check_steps import AsInTheApp, check_model, check_steps
from tests.house.checked import Checked

ARGUMENTS = {
    "point": 3, "heights": np.linspace(-2.0, 2.0, 9), "end": "right", "low": -3.0, "high": 3.0,
}  # fmt: skip
PRESETS = ["line", "outlier", "correlated", "diabetes", "penguins"]
MOVED = Checked(
    "linear_regression",
    "scikit-learn's fits with the point of the leverage moved, fitted values relative to the "
    "largest target",
    80,
    "fits",
    within=1e-7,
)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("one", [True, False])
def test_every_line_is_the_fit_with_the_point_moved(name: str, one: bool) -> None:
    X, y = features_and_target(name, one=one, sample=1)
    each = MOVED.cases // (2 * len(PRESETS))
    heights = np.linspace(y.min() - 3 * y.std(), y.max() + 3 * y.std(), each - 1)
    steps = check_steps(pull_point(X, y, 5, heights))
    assert [step.height for step in steps] == sorted([*heights, y[5]])
    assert [step.event for step in steps].count("where it was") == 1
    near = MOVED.within * np.abs(y).max()
    for step in steps:
        moved = y.copy()
        moved[5] = step.height
        theirs = LinearRegression().fit(X, moved)
        np.testing.assert_allclose(step.weights, theirs.coef_, rtol=1e-6, atol=1e-8)
        assert step.intercept == pytest.approx(theirs.intercept_, rel=1e-7, abs=1e-7)
        np.testing.assert_allclose(step.predict(X), theirs.predict(X), rtol=0, atol=near)
        assert step.lifted == step.height - y[5]
        check_model(step, X)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("one", [True, False])
def test_leverage_is_the_diagonal_of_the_projection(name: str, one: bool) -> None:
    X, y = features_and_target(name, one=one, sample=1)
    A = np.column_stack([(X - X.mean(axis=0)) / X.std(axis=0), np.ones(len(X))])
    h = leverages(X)
    np.testing.assert_allclose(h, np.diag(A @ np.linalg.pinv(A)), rtol=1e-8)
    assert h.sum() == pytest.approx(X.shape[1] + 1)
    low, high = pull_point(X, y, 7, np.array([y[7] + 2.0]))
    followed = high.predict(X)[7] - low.predict(X)[7]
    assert followed == pytest.approx(2 * h[7], rel=1e-6)
    if one:
        mean, _, s_xx, _ = moments(X[:, 0], y)
        np.testing.assert_allclose(h, 1 / len(X) + (X[:, 0] - mean) ** 2 / s_xx)
        assert high.weights[0] - low.weights[0] == pytest.approx(2 * (X[7, 0] - mean) / s_xx)


def test_special_cases() -> None:
    np.testing.assert_allclose(leverages(np.ones((4, 1))), 0.25)
    np.testing.assert_allclose(leverages(np.array([[3.0]])), 1)
    np.testing.assert_allclose(leverages(np.array([[0.0], [1.0]])), 1)
    np.testing.assert_allclose(
        leverages(np.array([[0.0, 0], [1, 1], [2, 2]])), [5 / 6, 1 / 3, 5 / 6]
    )
    far = np.array([[0.0], [1], [2], [1e9]])
    np.testing.assert_allclose(leverages(far)[3], 1)


def test_what_cannot_be_is_refused() -> None:
    X, y = np.arange(4.0)[:, None], np.arange(4.0)
    with pytest.raises(ValueError, match="point must be between 0 and 3"):
        pull_point(X, y, 4, np.zeros(2))
    with AsInTheApp(), pytest.raises(ValueError, match="heights must be finite"):
        pull_point(X, y, 0, np.array([np.nan]))


def test_the_point_at_an_end_is_pulled() -> None:
    x, y = np.array([[2.0, 1], [-1, 0], [0, 3], [7, 2], [1, 1]]).T
    for end, point in (("left", 1), ("middle", 4), ("right", 3)):
        assert point_at(x, end) == point
        steps = list(pull_end(x[:, None], y, end, low=-1.0, high=4.0))
        assert (steps[0].height, steps[-1].height) == (-1, 4)
        (own,) = (step for step in steps if step.event)
        assert own.height == y[point]
    with pytest.raises(ValueError, match="end must be one of"):
        point_at(x, "top")
