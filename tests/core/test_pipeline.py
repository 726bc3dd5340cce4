import numpy as np
import pytest
from numpy import ndarray

from algorithms.classification.linear.logistic_regression.logistic_regression import (
    logistic_regression,
)
from algorithms.classification.linear.perceptron.delta_rule import delta_rule
from algorithms.classification.linear.perceptron.perceptron import perceptron
from algorithms.classification.svm.svm import svm
from algorithms.clustering.k_means.k_means import k_means
from algorithms.core.features import polynomial_features
from algorithms.core.pipeline import Mapped, on_features, on_plane, plane_units
from algorithms.core.record import last
from algorithms.regression.linear_regression.linear_regression import linear_regression
from tests.house.check_steps import AsInTheApp, same

RNG = np.random.default_rng(0)
y = np.arange(40) % 2
X = RNG.normal(size=(40, 2)) * [1.0, 100.0] + np.outer(y, [2.0, 150.0])


@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize("degree", [1, 3])
def test_the_steps_are_the_algorithms_own(degree: int, standardize: bool) -> None:
    F = polynomial_features(X, degree, standardize=standardize)(X)
    how = {"method": "gradient", "learning_rate": 0.1, "max_iter": 5}
    expected = list(logistic_regression(F, y, **how))
    steps = on_features(logistic_regression, X, y, degree=degree, standardize=standardize, **how)
    assert all(same(a, b) for a, b in zip(steps, expected, strict=True))


def test_the_columns_are_standardised_unless_said_otherwise() -> None:
    model = last(on_features(svm, X, y, C=10.0))
    np.testing.assert_allclose(model.points.std(axis=0), 1)
    assert last(on_features(svm, X, y, standardize=False, C=10.0)).points.std(axis=0)[1] > 50


def test_any_algorithm_can_be_run() -> None:
    rng = np.random.default_rng
    for rule in (perceptron, delta_rule):
        F = polynomial_features(X, 1)(X)
        expected = last(rule(F, y, rng=rng(1), max_epochs=3))
        assert same(last(on_features(rule, X, y, rng=rng(1), max_epochs=3)), expected)
    assert last(on_features(k_means, X, 3, rng=rng(1))).centers.shape == (3, 2)


@pytest.mark.parametrize("degree", [1, 2])
def test_mapped_is_a_model_of_the_points(degree: int) -> None:
    features = polynomial_features(X, degree)
    step = last(on_features(logistic_regression, X, y, degree=degree, penalty=0.1))
    model = Mapped(features, step)
    np.testing.assert_array_equal(model.predict(X), step.predict(features(X)))
    assert np.mean(model.predict(X) == y) > 0.8
    np.testing.assert_array_equal(model.scores(X).argmax(axis=1), model.predict(X))
    assert model.event == step.event


def test_mapped_twice_is_mapped_in_turn() -> None:
    outer, inner = polynomial_features(X, 1), polynomial_features(polynomial_features(X, 1)(X), 2)
    step = last(logistic_regression(inner(outer(X)), y, penalty=0.1))
    model = Mapped(outer, Mapped(inner, step))
    np.testing.assert_array_equal(model.predict(X), step.predict(inner(outer(X))))
    np.testing.assert_array_equal(model.scores(X)[:, 1], step.decision_function(inner(outer(X))))


@pytest.mark.parametrize("points", [X[:0], X * np.nan, X * 1e200, X[:, 0]])
def test_bad_points_are_refused_at_the_call(points: ndarray) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match="X must"):
        on_features(svm, points, y)


@pytest.mark.parametrize("standardize", [True, False])
def test_a_regression_on_a_plane_is_one_of_both_columns_in_these_units(standardize: bool) -> None:
    units = plane_units(X, standardize=standardize)
    u, v = units(X).T
    expected = (X - X.mean(axis=0)) / X.std(axis=0) if standardize else X
    np.testing.assert_allclose(np.column_stack([u, v]), expected, atol=1e-12)
    steps = on_plane(linear_regression, X, standardize=standardize)
    plain = linear_regression(u[:, None], v)
    assert all(same(a, b) for a, b in zip(steps, plain, strict=True))


@pytest.mark.parametrize(("scale", "shift"), [(1e-6, 0.0), (1e6, 5e6), (3.0, -100.0)])
def test_in_standard_units_the_unit_does_not_matter(scale: float, shift: float) -> None:
    one, other = (last(on_plane(linear_regression, each)) for each in (X, X * scale + shift))
    np.testing.assert_allclose(other.weights, one.weights, rtol=1e-6)
    assert other.loss == pytest.approx(one.loss)


@pytest.mark.parametrize("points", [X[:0], X * np.nan, X * 1e200, X[:, 0]])
def test_a_bad_plane_is_refused_at_the_call(points: ndarray) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match="plane must"):
        on_plane(linear_regression, points)
