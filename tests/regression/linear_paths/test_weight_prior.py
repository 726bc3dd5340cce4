import numpy as np
import pytest
from scipy.stats import laplace, norm
from sklearn.linear_model import LinearRegression

from algorithms.regression.linear_paths.lasso_path import lasso_path
from algorithms.regression.linear_paths.ridge_path import ridge_path
from algorithms.regression.linear_paths.weight_prior import (
    error_ellipses,
    noise_variance,
    prior_width,
    relative_density,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2)) @ [[1.0, 0.7], [0.0, 0.8]] + 3
Y = X @ [1.5, -0.4] + RNG.normal(size=40)
W = np.linspace(-2, 2, 9)


def test_the_noise_is_the_residual_variance_of_least_squares() -> None:
    residuals = Y - LinearRegression().fit(X, Y).predict(X)
    assert noise_variance(X, Y) == pytest.approx(residuals @ residuals / 37)


def test_an_exact_fit_tells_nothing_of_the_noise() -> None:
    assert noise_variance(X[:3], Y[:3]) == pytest.approx(Y[:3].var())
    assert noise_variance(X, X @ [1.0, 2.0]) == pytest.approx((X @ [1.0, 2.0]).var())
    assert noise_variance(X[:1], Y[:1]) == 0


@pytest.mark.parametrize(("order", "family"), [(1, laplace), (2, norm)])
def test_the_prior_is_scipys(order: int, family) -> None:
    width = prior_width(3.0, 0.6, order=order)
    expected = family(scale=width).pdf(W) / family(scale=width).pdf(0)
    np.testing.assert_allclose(relative_density(W, 3.0, 0.6, order=order), expected)


@pytest.mark.parametrize("order", [1, 2])
def test_the_map_estimate_is_the_penalised_solution(order: int) -> None:
    """No other weights have a higher posterior density, with the prior's width as stated."""
    penalty, variance = 4.0, 1.3
    if order == 2:
        (step,) = ridge_path(X, Y, [penalty])
    else:
        path = list(lasso_path(X, Y, between=400))
        step = min(path, key=lambda step: abs(step.penalty - penalty))
        penalty = step.penalty
    width = prior_width(penalty, variance, order=order)
    prior = (laplace if order == 1 else norm)(scale=width)

    def posterior(w: np.ndarray, b: float) -> float:
        likelihood = norm(scale=np.sqrt(variance)).logpdf(Y - X @ w - b).sum()
        return likelihood + prior.logpdf(w).sum()

    best = posterior(step.weights, step.intercept)
    for _ in range(200):
        w = step.weights + RNG.normal(size=2) * 0.05
        assert posterior(w, step.intercept + RNG.normal() * 0.05) <= best + 1e-9


def test_without_a_penalty_the_prior_is_flat() -> None:
    assert relative_density(W, 0.0, 0.0, order=1).tolist() == [1] * 9
    assert prior_width(0.0, 1.0, order=2) == np.inf
    assert relative_density(W, 1e300, 0.0, order=2)[[0, 4]].tolist() == [0, 1]


def test_all_weights_on_an_ellipse_have_the_same_error() -> None:
    through = np.array([[0.0, 0.0], [1.0, 1.0], [0.3, -2.0]])
    A, target = X - X.mean(axis=0), Y - Y.mean()
    for w, ring in zip(through, error_ellipses(X, Y, through), strict=True):
        expected = np.square(target - A @ w).sum()
        np.testing.assert_allclose(np.square(target - ring @ A.T).sum(axis=1), expected)


def test_the_ellipse_touches_the_ball() -> None:
    """No weights on the solution's ellipse have a smaller norm."""
    for order, steps in ((1, lasso_path(X, Y, between=3)), (2, ridge_path(X, Y, [30.0, 2.0]))):
        for step in steps:
            (ring,) = error_ellipses(X, Y, step.weights[None])
            norms = np.linalg.norm(ring, order, axis=1)
            assert norms.min() >= np.linalg.norm(step.weights, order) - 1e-9


def test_ellipses_of_dependent_columns_are_finite() -> None:
    for columns in (np.ones((5, 2)), np.outer(np.arange(5.0), [1, 1])):
        assert np.isfinite(error_ellipses(columns, np.arange(5.0), np.eye(2))).all()
