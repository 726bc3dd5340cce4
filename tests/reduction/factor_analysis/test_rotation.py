import numpy as np
import pytest
from numpy.testing import assert_allclose

from algorithms.core.record import last
from algorithms.reduction.factor_analysis.factor_analysis import factor_analysis
from algorithms.reduction.factor_analysis.rotation import rotation
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked
from tests.reduction.factor_analysis.test_factor_analysis import sample

SEARCH = Checked(
    "factor_analysis",
    "a search over 2,000 angles, the largest V",
    20,
    "samples",
    within=1e-6,
)


def simplicity(L: np.ndarray) -> float:
    """Return how much the squares vary within each factor."""
    return float(np.square(L).var(axis=0).sum())


@pytest.mark.parametrize("seed", range(SEARCH.cases))
def test_no_other_angle_is_simpler(seed: int) -> None:
    steps = check_steps(rotation(sample(seed), max_iter=50))
    (best,) = (step for step in steps if step.event == "simplest")
    L = steps[0].loadings
    turns = np.linspace(0, np.pi / 2, 2000)
    found = max(simplicity(L @ [[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]) for t in turns)
    assert_allclose(best.simplicity, simplicity(best.loadings))
    assert found <= best.simplicity + 1e-12 and best.simplicity - found < SEARCH.within


@pytest.mark.parametrize("c", [2, 3])
def test_a_turn_keeps_what_the_factors_explain(c: int) -> None:
    X = sample(1)
    fit = last(factor_analysis(X, n_components=c, max_iter=50, tol=1e-3))
    steps = check_steps(rotation(X, n_components=c, max_iter=50))
    s = X.std(axis=0)
    for step in steps:
        L = step.loadings * s[:, None]
        implied = L @ L.T + np.diag(fit.noise_variances)
        assert_allclose(implied / np.outer(s, s), fit.implied / np.outer(s, s), atol=1e-9)
        assert_allclose(step.loadings[:, 2:], fit.loadings[:, 2:] / s[:, None])
        assert step.log_likelihood == fit.log_likelihood
    assert steps[0].angle == 0 and steps[-1].angle == 90
    assert_allclose(steps[-1].loadings[:, 0], steps[0].loadings[:, 1], atol=1e-12)
    assert_allclose(steps[-1].loadings[:, 1], -steps[0].loadings[:, 0], atol=1e-12)


def test_one_factor_has_no_axes_to_turn() -> None:
    for change, sentence in [
        ({"n_components": 1}, "n_components must be between 2 and d=8, got n_components=1"),
        ({"X": np.ones((4, 8))}, "X must hold two different points"),
        ({"X": sample(0)[:, :1]}, "X must have two columns for two factors, or more, got d=1"),
    ]:
        with AsInTheApp(), pytest.raises(ValueError, match=sentence):
            rotation(**({"X": sample(0)} | change))
