"""Three sides, roll by roll, against SciPy's distribution."""

import numpy as np
import pytest
from scipy.stats import dirichlet as scipys

from algorithms.core.record import last
from algorithms.probability.beta_bernoulli import beta_bernoulli
from algorithms.probability.dirichlet import dirichlet
from tests.house.checked import Checked

SCIPY = Checked("estimating", "SciPy's Dirichlet distribution", 100, "random runs", 1e-9)
ARGUMENTS = {"rolls": np.array([0, 2, 2]), "prior": np.array([1.0, 2.0, 1.0])}


def test_the_posterior_is_scipys() -> None:
    for case in range(SCIPY.cases):
        rng = np.random.default_rng(case)
        prior, rolls = rng.uniform(1.2, 9, 3), rng.integers(0, 3, rng.integers(1, 60))
        end = last(dirichlet(rolls, prior=prior))
        ours = scipys(prior + np.bincount(rolls, minlength=3))
        assert end.mean == pytest.approx(ours.mean(), abs=SCIPY.within, rel=0)
        theta = rng.dirichlet(np.ones(3), 5)
        differ = end.log_density(theta) - [ours.logpdf(each) for each in theta]
        assert np.ptp(differ) == pytest.approx(0, abs=SCIPY.within)
        assert end.mode is not None
        others = np.vstack([end.mode, 0.99 * end.mode + 0.01 * theta])
        assert end.log_density(others).argmax() == 0


def test_two_sides_are_a_coin_and_a_flat_prior_is_laplaces_rule() -> None:
    flips = np.array([1, 0, 1, 1])
    coin = last(beta_bernoulli(flips, a=2.0, b=3.0))
    sides = last(dirichlet(flips, prior=np.array([3.0, 2.0])))
    assert sides.mean[1] == pytest.approx(coin.mean)
    end = last(dirichlet(np.array([0, 0, 1]), prior=np.ones(3)))
    assert end.mean == pytest.approx([3 / 6, 2 / 6, 1 / 6])
    assert end.mode is None


@pytest.mark.parametrize("changes", [{"prior": np.zeros(3)}, {"rolls": np.array([3])}])
def test_bad_input_is_named_at_the_call(changes: dict) -> None:
    with pytest.raises(ValueError, match=next(iter(changes))):
        dirichlet(**ARGUMENTS | changes)
