import numpy as np
import pytest
from numpy import ndarray

from algorithms.regression.basis import Basis, fourier_features, gaussian_features
from algorithms.regression.linear_paths.ridge_path import ridge_path
from tests.house.check_steps import AsInTheApp

X = np.array([[-2.0], [-1.0], [0.5], [2.0]])


def raw(make, count: int) -> tuple[Basis, ndarray]:
    basis = make(X, count, standardize=False)
    return basis, basis(X)


def test_bumps_by_hand() -> None:
    basis, found = raw(gaussian_features, 3)
    assert basis.names == ("g₁", "g₂", "g₃")
    np.testing.assert_allclose(basis.places, [-2, 0, 2])
    assert basis.width == 2
    np.testing.assert_allclose(found, np.exp(-((X - [-2, 0, 2]) ** 2) / 8))


def test_waves_by_hand() -> None:
    basis, found = raw(fourier_features, 3)
    assert basis.names == ("cos₁", "sin₁", "cos₂")
    a = 2 * np.pi * X[:, 0] / 4
    np.testing.assert_allclose(found, np.column_stack([np.cos(a), np.sin(a), np.cos(2 * a)]))


@pytest.mark.parametrize("make", [gaussian_features, fourier_features])
@pytest.mark.parametrize("count", [1, 2, 7])
def test_standardised_features_have_mean_0_and_spread_1(make, count: int) -> None:
    points = np.random.default_rng(0).normal(size=(50, 1)) * 1e3 + 1e5
    features = make(points, count)(points)
    assert features.shape == (50, count)
    np.testing.assert_allclose(features.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(features.std(axis=0), 1)


@pytest.mark.parametrize("make", [gaussian_features, fourier_features])
@pytest.mark.parametrize(
    "points", [np.ones((3, 1)), np.zeros((1, 1)), np.full((2, 1), 1e99), X * 1e-99]
)
def test_hostile_columns(make, points: ndarray) -> None:
    features = make(points, 4)
    for at in (points, points + 1, points * 2, np.array([[1e100], [-1e100]])):
        assert np.isfinite(features(at)).all()


def test_one_period_of_a_sine_needs_one_wave() -> None:
    x = np.linspace(-3, 3, 40)[:, None]
    y = 2 * np.sin(np.pi * x[:, 0] / 3) + 0.5
    (step,) = ridge_path(fourier_features(x, 2, standardize=False)(x), y, [0.0])
    np.testing.assert_allclose(step.weights, [0, 2], atol=1e-12)
    assert step.intercept == pytest.approx(0.5)


@pytest.mark.parametrize("make", [gaussian_features, fourier_features])
@pytest.mark.parametrize(
    ("points", "count", "sentence"),
    [
        (X, 0, "count must be between 1 and 50, got count=0"),
        (X, 51, "count must be between 1 and 50, got count=51"),
        (np.ones((3, 2)), 2, "X must have one column, got 2"),
        (np.array([[np.nan]]), 2, "X must be finite, got nan"),
    ],
)
def test_bad_arguments(make, points: ndarray, count: int, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        make(points, count)
    assert str(caught.value) == sentence
