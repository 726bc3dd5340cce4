"""Beta, flip by flip: against SciPy's distribution and a product on a grid."""

import numpy as np
import pytest
from scipy.stats import beta

from algorithms.core.record import last
from algorithms.probability.beta_bernoulli import beta_bernoulli, coin
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.house.checked import Checked

SCIPY = Checked("estimating", "SciPy's Beta distribution", 100, "random runs", 1e-9)
GRID = Checked(
    "estimating", "Prior times likelihood on a grid, summed up", 100, "random runs", 1e-6
)
ARGUMENTS = {"flips": np.array([1, 0, 1, 1]), "a": 2.0, "b": 2.0}


def drawn(case: int) -> tuple[np.ndarray, float, float]:
    rng = np.random.default_rng(case)
    a, b = rng.uniform(1.5, 20, 2)
    return coin(rng.random(), int(rng.integers(1, 60)), rng=rng), float(a), float(b)


def test_the_posterior_is_scipys() -> None:
    for case in range(SCIPY.cases):
        flips, a, b = drawn(case)
        end = last(beta_bernoulli(flips, a=a, b=b))
        counts = (a + flips.sum(), b + (1 - flips).sum())
        assert end.mean == pytest.approx(beta.mean(*counts), abs=SCIPY.within, rel=0)
        theta = np.array([0.2, 0.5, 0.9])
        differ = end.log_density(theta) - beta.logpdf(theta, *counts)
        assert np.ptp(differ) == pytest.approx(0, abs=SCIPY.within)
        near = beta.pdf(end.mode + np.array([-1e-3, 0.0, 1e-3]), *counts)
        assert near.argmax() == 1


def test_the_posterior_is_prior_times_likelihood() -> None:
    theta = (np.arange(20_000) + 0.5) / 20_000
    for case in range(GRID.cases):
        flips, a, b = drawn(case)
        first, *_, end = beta_bernoulli(flips, a=a, b=b)
        joint = first.log_density(theta) + end.log_likelihood(theta)
        weights = np.exp(joint - joint.max())
        mean = weights @ theta / weights.sum()
        assert mean == pytest.approx(end.mean, abs=GRID.within, rel=0)


def test_special_cases() -> None:
    """Laplace's rule, the m-estimate, and MAP with a flat prior."""
    flips = coin(0.3, 25, rng=np.random.default_rng(1))
    for step in beta_bernoulli(flips, a=1.0, b=1.0):
        h, n = step.heads, step.flips
        assert n == 0 or step.mode == pytest.approx(step.most_likely, abs=1e-15)
        assert step.mean == pytest.approx((h + 1) / (n + 2), abs=1e-15)
    m, p = 8.0, 0.25
    end = last(beta_bernoulli(flips, a=m * p, b=m * (1 - p)))
    assert end.mean == pytest.approx((flips.sum() + m * p) / (25 + m), abs=1e-15)


@pytest.mark.parametrize(
    ("a", "b", "mode"),
    [(1.0, 1.0, 0.5), (0.5, 0.5, 0.5), (0.5, 0.7, 0.0), (0.9, 0.2, 1.0), (0.5, 3.0, 0.0),
     (3.0, 1.0, 1.0), (2.0, 3.0, 1 / 3)],
)  # fmt: skip
def test_where_a_density_is_highest(a: float, b: float, mode: float) -> None:
    assert next(beta_bernoulli(np.array([1]), a=a, b=b)).mode == pytest.approx(mode)


def test_the_order_of_the_flips_does_not_count() -> None:
    flips, a, b = drawn(3)
    one, other = (last(beta_bernoulli(each, a=a, b=b)) for each in (flips, np.sort(flips)))
    assert (one.heads, one.tails) == (other.heads, other.tails)
    assert (one.a, one.b) == (other.a, other.b)


@pytest.mark.parametrize("changes", [{"flips": np.array([0, 2])}, {"a": 0.0}, {"b": -1.0}])
def test_bad_input_is_named_at_the_call(changes: dict) -> None:
    with pytest.raises(ValueError, match=next(iter(changes))):
        beta_bernoulli(**ARGUMENTS | changes)


def test_a_mean_at_the_prior_and_at_the_flips_is_not_called_between(session: Session) -> None:
    (lab,) = (lab for lab in LABS if lab.name == "estimating")
    session.open(lab)
    between = set()
    for seed in range(8):
        session.open(lab, seed=str(seed), prior="0.5")
        assert session.run_shown and session.scene_shown
        first = session.run_shown.steps[0].mean
        for now, step in enumerate(session.run_shown.steps):
            told = "each between prior and flips" in session.scene_shown.caption(now)
            if step.flips:
                assert not told or first != step.heads / step.flips
                between.add(told)
    assert between == {False, True}
