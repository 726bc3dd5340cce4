from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal
from sklearn.decomposition import FactorAnalysis

from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from algorithms.reduction.factor_analysis.factor_analysis import FLOOR, factor_analysis
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"n_components": 1}
LEAST_RISE = -1e-9  # of |l|: what rounding may take from it


def sample(seed: int, n: int = 150, c: int = 2) -> np.ndarray:
    """Draw points of c factors and eight columns, with other units and noise in each."""
    rng = np.random.default_rng(seed)
    Lambda, psi = rng.normal(size=(8, c)), rng.uniform(0.3, 1.0, 8)
    X = rng.normal(size=(n, c)) @ Lambda.T + np.sqrt(psi) * rng.normal(size=(n, 8))
    return X * 10.0 ** rng.integers(-2, 3, 8) + rng.normal(size=8)


SCIKIT_LEARN = Checked(
    "factor_analysis",
    "scikit-learn's `FactorAnalysis`, the log-likelihood per point",
    20,
    "samples of eight columns with one or two factors",
    within=1e-3,
)


@pytest.mark.parametrize("seed", range(SCIKIT_LEARN.cases))
def test_reaches_the_likelihood_of_scikit_learn(seed: int) -> None:
    c = 1 + seed % 2
    X = sample(seed, c=c)
    ours = last(factor_analysis(X, n_components=c))
    Z = (X - X.mean(axis=0)) / X.std(axis=0)  # scikit-learn's floor is not a share of the variance
    theirs = FactorAnalysis(c, tol=1e-5, max_iter=20_000, svd_method="lapack").fit(Z)
    score = theirs.score(Z) - np.log(X.std(axis=0)).sum()
    assert ours.log_likelihood / len(X) > score - SCIKIT_LEARN.within
    if ours.event == "converged":
        s = X.std(axis=0)
        assert_allclose(ours.implied / np.outer(s, s), theirs.get_covariance(), atol=0.02)


@pytest.mark.parametrize("seed", range(5))
def test_a_step_is_what_the_densities_of_single_points_say(seed: int) -> None:
    X = sample(seed)
    steps = check_steps(factor_analysis(X, n_components=2, max_iter=20))
    mean, n = X.mean(axis=0), len(X)
    for before, after in pairwise(steps):
        density = multivariate_normal(after.mean, after.implied)
        assert_allclose(after.log_likelihood, density.logpdf(X).sum(), rtol=1e-9)
        Lambda, psi = before.loadings, before.noise_variances
        if after.phase == "expectation":
            Sigma = Lambda @ Lambda.T + np.diag(psi)
            z = (X - mean) @ np.linalg.solve(Sigma, Lambda)
            spread = np.eye(2) - Lambda.T @ np.linalg.solve(Sigma, Lambda)
            assert_allclose(after.transform(X), z, rtol=1e-6, atol=1e-9)
            assert_allclose(after.second_moment, spread + z.T @ z / n, rtol=1e-6, atol=1e-9)
        else:
            z = (X - mean) @ before.regression.T
            slopes = np.linalg.solve(before.second_moment, z.T @ (X - mean) / n).T
            assert_allclose(
                after.loadings @ after.loadings.T,
                slopes @ before.second_moment @ slopes.T,
                rtol=1e-6,
                atol=1e-9 * X.var(axis=0).max(),
            )
            assert_allclose(after.common + after.noise_variances, X.var(axis=0), rtol=1e-9)


def test_known_loadings_and_noise_are_found() -> None:
    rng = np.random.default_rng(0)
    Lambda, psi = np.array([[1.0], [0.5], [-2.0], [3.0]]), np.array([0.5, 1.0, 2.0, 0.25])
    X = rng.normal(size=(50_000, 1)) @ Lambda.T + np.sqrt(psi) * rng.normal(size=(50_000, 4))
    end = last(factor_analysis(X, n_components=1))
    assert_allclose(end.loadings * np.sign(end.loadings[0]), Lambda, atol=0.05)
    assert_allclose(end.noise_variances, psi, atol=0.1)


@pytest.mark.parametrize("name", ["gauges", "correlated", "iris", "penguins", "spiral"])
@pytest.mark.parametrize("c", [1, 2])
def test_the_likelihood_never_falls(name: str, c: int) -> None:
    preset = DATASETS[name]
    X = preset.make(preset.n, noise=preset.noise, rng=np.random.default_rng(0)).table
    steps = check_steps(factor_analysis(X, n_components=c, max_iter=100))
    ln_p = np.array([step.log_likelihood for step in steps])
    assert (np.diff(ln_p) >= LEAST_RISE * np.abs(ln_p[0])).all()
    assert ln_p[-1] > ln_p[0]


def test_another_unit_changes_a_row_of_the_loadings_and_nothing_else() -> None:
    X = sample(3)
    units = np.where(np.arange(8) == 2, 1e4, 1.0)
    for a, b in zip(
        factor_analysis(X, n_components=2, max_iter=30),
        factor_analysis(X * units, n_components=2, max_iter=30),
        strict=True,
    ):
        assert_allclose(b.loadings, units[:, None] * a.loadings, rtol=1e-6, atol=1e-9)
        assert_allclose(b.noise_variances, units**2 * a.noise_variances, rtol=1e-6)
        assert_allclose(b.log_likelihood, a.log_likelihood - len(X) * np.log(1e4), rtol=1e-9)


rng = np.random.default_rng(0)
HARD = {
    "more columns than points": (rng.normal(size=(5, 30)), 2),
    "as many factors as columns": (rng.normal(size=(50, 4)), 4),
    "a constant column": (np.column_stack([rng.normal(size=(50, 3)), np.full(50, 7.0)]), 2),
    "columns twice": (np.repeat(rng.normal(size=(50, 2)), 2, axis=1), 2),
    "on a line": (np.outer(rng.normal(size=20), [1.0, 2, 3]), 2),
    "two points": (rng.normal(size=(2, 3)), 1),
    "huge and tiny columns": (rng.normal(size=(40, 3)) * [1e-80, 1, 1e80], 1),
    "far away": (rng.normal(size=(40, 3)) + 1e8, 1),
}


@pytest.mark.parametrize("name", HARD)
def test_hard_data_are_run_and_no_noise_is_below_its_floor(name: str) -> None:
    X, c = HARD[name]
    steps = check_steps(factor_analysis(X, n_components=c, max_iter=200))
    ln_p = np.array([step.log_likelihood for step in steps])
    assert (np.diff(ln_p) >= LEAST_RISE * np.abs(ln_p).max()).all()
    s = X.var(axis=0)
    assert (steps[-1].noise_variances >= 0.99 * FLOOR * s).all()
    if name == "a constant column":
        assert_allclose(steps[-1].loadings[3], 0, atol=1e-12)
    if name == "on a line":
        assert_allclose(steps[-1].noise_variances, FLOOR * s, rtol=1e-6)
        assert any(step.event == "noise at the floor" for step in steps)


def test_what_does_not_fit_is_refused_at_the_call() -> None:
    X = sample(0)
    for change, sentence in [
        ({"n_components": 0}, "n_components must be between 1 and d=8, got n_components=0"),
        ({"n_components": 9}, "n_components must be between 1 and d=8, got n_components=9"),
        ({"max_iter": 0}, "max_iter must be at least 1"),
        ({"tol": -1.0}, "tol must be a number from 0"),
        ({"X": X[:1]}, "X must hold at least two points"),
        ({"X": np.ones((4, 8))}, "X must hold two different points"),
    ]:
        with AsInTheApp(), pytest.raises(ValueError, match=sentence):
            factor_analysis(**({"X": X, "n_components": 2} | change))
