import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression

from algorithms.classification.linear.least_squares_classifier import least_squares_classifier
from algorithms.classification.linear.logistic_regression.logistic_regression import (
    logistic_regression,
)
from algorithms.classification.linear.nearest_mean import nearest_mean
from algorithms.core.record import last
from tests.core.samples import labelled
from tests.house.check_steps import AsInTheApp, check_model, check_steps
from tests.house.checked import Checked

PRESETS = ["blobs", "moons", "outlier", "row", "stretched", "iris", "penguins"]


SCIKIT_LEARN = Checked(
    "wall",
    "scikit-learn's linear regression of the indicators, for least squares, its outputs",
    28,
    "boards",
    within=1e-9,
)


@pytest.mark.parametrize("case", range(SCIKIT_LEARN.cases))
def test_agrees_with_scikit_learn(case: int) -> None:
    X, y = labelled(PRESETS[case % 7], sample=case // 7)
    ours = last(least_squares_classifier(X, y))
    targets = (y[:, None] == ours.classes).astype(float)
    theirs = LinearRegression().fit(X, targets)
    np.testing.assert_allclose(ours.weights, theirs.coef_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(ours.intercepts, theirs.intercept_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(ours.outputs(X), theirs.predict(X), rtol=0, atol=SCIKIT_LEARN.within)
    assert ours.loss == pytest.approx(((theirs.predict(X) - targets) ** 2).sum() / 2)


@settings(max_examples=60, deadline=None)
@given(n=st.integers(2, 40), k=st.integers(2, 6), d=st.integers(1, 3), seed=st.integers(0, 999))
def test_normal_equations_hold_and_outputs_sum_to_one(n: int, k: int, d: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(n, d)), np.append(random.integers(k, size=n - 2), [0, 1])
    model = last(least_squares_classifier(X, y))
    residuals = model.outputs(X) - (y[:, None] == model.classes)
    np.testing.assert_allclose(X.T @ residuals, 0, atol=1e-8)
    np.testing.assert_allclose(residuals.sum(axis=0), 0, atol=1e-8)
    np.testing.assert_allclose(model.outputs(X).sum(axis=1), 1, atol=1e-8)


def test_the_middle_class_of_a_row_is_masked() -> None:
    X, y = labelled("row")
    masked = last(least_squares_classifier(X, y)).predict(X)
    assert (masked[y == 1] == 1).mean() < 0.4  # and where chance tilts the level line
    assert (last(nearest_mean(X, y)).predict(X) == y).mean() > 0.95


def test_an_outlier_on_its_own_side_turns_the_line() -> None:
    X = np.array([[-1.0, 0.0], [-1.0, 1.0], [-2.0, 0.5], [1.0, 0.0], [1.0, 1.0], [2.0, 0.5]])
    y = np.array([0, 0, 0, 1, 1, 1])
    far_X, far_y = np.append(X, [[30.0, -40.0]], axis=0), np.append(y, 1)

    def turn(fit) -> float:
        lines = []
        for points, labels in ((X, y), (far_X, far_y)):
            f = fit(points, labels).decision_function(np.array([[0.0, 0], [1, 0], [0, 1]]))
            w = f[1:] - f[0]
            lines.append(np.arctan2(w[1], w[0]))
        return abs(np.degrees(lines[1] - lines[0]))

    assert turn(lambda X, y: last(least_squares_classifier(X, y))) > 15
    assert turn(lambda X, y: last(logistic_regression(X, y, penalty=0.1))) < 5


def test_collinear_and_equal_points() -> None:
    with AsInTheApp():
        for X in (np.ones((5, 2)), np.outer(np.arange(5.0), [1.0, -1.0]), np.eye(5)[:, :2] * 1e90):
            (step,) = check_steps(least_squares_classifier(X, np.array([0, 2, 2, 0, 7])))
            check_model(step, np.concatenate([X, [[1e100, -1e100]]]))
