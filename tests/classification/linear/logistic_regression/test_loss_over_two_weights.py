import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from algorithms.classification.linear.logistic_regression.logistic_regression import (
    logistic_regression,
)
from algorithms.classification.linear.logistic_regression.loss_over_two_weights import loss_surface
from algorithms.core.record import last
from tests.house.check_steps import AsInTheApp
from tests.house.checked import Checked


def data(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(seed).normal(size=(n, 2))
    return X, 3 + 4 * (X[:, 0] + np.random.default_rng(seed + 1).normal(size=n) > 0.4)


BEST_INTERCEPT = Checked(
    "logistic_regression",
    "SciPy's best intercept for a pair of weights, on the loss surface",
    48,
    "pairs",
    within=1e-6,
)


@pytest.mark.parametrize("case", range(BEST_INTERCEPT.cases // 6))
def test_every_value_has_the_best_intercept(case: int) -> None:
    n, scale = [7, 100, 800, 2500][case % 4], [1.0, 30.0][case // 4]
    X, y = data(n)
    first, second = np.array([-1.0, 0.2, 1.0]) * scale, np.array([-2.0, 0.5]) * scale
    surface = loss_surface(X, y, first, second, penalty=0.1)
    assert surface.shape == (2, 3)
    for i, j in np.ndindex(2, 3):
        scores = X @ [first[j], second[i]]

        def loss(b: float, scores: np.ndarray = scores) -> float:
            return np.logaddexp(0, np.where(y == 7, -1, 1) * (scores + b)).mean()

        reach = 10 + np.abs(scores).max()
        best = minimize_scalar(loss, bounds=(-reach, reach), options={"xatol": 1e-9})
        penalty = 0.1 / 2 * (first[j] ** 2 + second[i] ** 2)
        assert surface[i, j] == pytest.approx(best.fun + penalty, rel=0, abs=BEST_INTERCEPT.within)


def test_the_fit_is_its_lowest_point() -> None:
    X, y = data(200)
    fit = last(logistic_regression(X, y, penalty=0.05))
    w = fit.weights[0]
    around = np.linspace(-1, 1, 41)
    surface = loss_surface(X, y, w[0] + around, w[1] + around, penalty=0.05)
    assert np.unravel_index(surface.argmin(), surface.shape) == (20, 20)
    assert surface[20, 20] == pytest.approx(fit.loss, rel=1e-9)


@pytest.mark.parametrize("unit", [1e-100, 1e-6, 1e6, 1e99])
@pytest.mark.parametrize("reach", [1e-9, 1.0, 1e9, 1e100])
def test_hostile_scales(unit: float, reach: float) -> None:
    X, y = data(50)
    axis = np.linspace(-reach, reach, 5)
    assert np.isfinite(loss_surface(X * unit, y, axis, axis, penalty=1.0)).all()


def test_duplicates_and_imbalance() -> None:
    X, y = np.ones((9, 2)), (np.arange(9) == 0).astype(int)
    surface = loss_surface(X, y, np.linspace(-5, 5, 3), np.linspace(-5, 5, 3), penalty=0.0)
    entropy = -(np.log(1 / 9) + 8 * np.log(8 / 9)) / 9
    np.testing.assert_allclose(surface, entropy)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"X": np.ones((6, 3))}, "loss_surface needs 2 features and 2 classes, got 3 and 2"),
        ({"y": np.arange(6) % 3}, "loss_surface needs 2 features and 2 classes, got 2 and 3"),
        ({"y": np.zeros(6, int)}, "y must name at least two classes, got only class 0"),
        ({"first": np.array([np.nan])}, "first and second must be finite, got nan"),
        ({"X": np.full((6, 2), np.inf)}, "X must be finite, got inf"),
    ],
)
def test_bad_arguments(changes: dict, sentence: str) -> None:
    axis = np.linspace(-1, 1, 3)
    X, y = np.arange(12.0).reshape(6, 2), np.arange(6) % 2
    given = {"X": X, "y": y, "first": axis, "second": axis, "penalty": 0.0} | changes
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        loss_surface(**given)
    assert str(caught.value) == sentence
