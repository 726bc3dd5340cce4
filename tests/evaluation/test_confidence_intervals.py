from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from algorithms.evaluation.confidence_intervals import (
    METHODS,
    IntervalsStep,
    all_intervals,
    clopper_pearson,
    confidence_intervals,
    coverage,
    exactly,
    normal_quantile,
    wald,
    wilson,
)
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"p": 0.3, "n": 40}
SCIPY = Checked(
    "intervals_and_tests",
    "SciPy's binomtest, for the intervals of Wilson and of Clopper and Pearson",
    240,
    "intervals",
    within=1e-9,
)
SUMS = Checked(
    "intervals_and_tests",
    "SciPy's binomial probabilities, summed over all counts, for the coverage",
    40,
    "true error rates",
    within=1e-9,
)


def steps_of(p: float = 0.3, n: int = 40, seed: int = 0, **how: Any) -> list[IntervalsStep]:
    return check_steps(confidence_intervals(p, n, rng=np.random.default_rng(seed), **how))


def test_intervals_are_scipy_s() -> None:
    rng = np.random.default_rng(0)
    for case in range(SCIPY.cases):
        ours, theirs = ((wilson, "wilson"), (clopper_pearson, "exact"))[case % 2]
        n, level = [1, 5, 40, 300][case // 2 % 4], [0.5, 0.95, 0.99][case // 8 % 3]
        r = 0 if case < 24 else n if case < 48 else int(rng.integers(n + 1))
        found = stats.binomtest(r, n).proportion_ci(level, theirs)
        ends = np.array(ours(np.array([r]), n, level))[:, 0]
        np.testing.assert_allclose(ends, (found.low, found.high), rtol=0, atol=SCIPY.within)


def test_the_worked_numbers_of_the_notes() -> None:
    low, high = wald(np.array([12]), 40, 0.95)
    assert (float(low[0] + high[0]) / 2, float(high[0] - low[0]) / 2) == pytest.approx(
        (0.30, 0.14), abs=0.005
    )
    table = {50: 0.67, 68: 1.00, 80: 1.28, 90: 1.64, 95: 1.96, 98: 2.33, 99: 2.58}
    for level, z in table.items():
        assert normal_quantile(level / 100) == pytest.approx(z, abs=0.0065)


@pytest.mark.parametrize("n", [7, 40])
def test_coverage_is_the_sum_over_all_counts(n: int) -> None:
    rates = np.append([0.01, 0.3], np.random.default_rng(n).uniform(0, 1, SUMS.cases // 2 - 2))
    low, high = all_intervals(n, 0.9)
    for j, p in enumerate(rates.tolist()):
        chances = np.array(stats.binom.pmf(np.arange(n + 1), n, p))
        summed = [
            sum(float(chances[r]) for r in range(n + 1) if low[i, r] <= p <= high[i, r])
            for i in range(len(METHODS))
        ]
        found = coverage(rates, n, 0.9)[:, j]
        np.testing.assert_allclose(found, summed, rtol=0, atol=SUMS.within)
    exact = exactly(0.3, n, 0.9, rates)
    np.testing.assert_allclose(exact.at_p, exact.curves[:, 1])
    np.testing.assert_allclose(exact.holds @ exact.chances, exact.at_p)
    np.testing.assert_allclose(exact.chances, stats.binom.pmf(np.arange(n + 1), n, 0.3))


@given(n=st.integers(1, 60), p=st.floats(0.001, 0.999), level=st.floats(0.3, 0.995))
@settings(deadline=None, max_examples=60)
def test_the_exact_interval_never_holds_less_often_than_promised(
    n: int, p: float, level: float
) -> None:
    assert coverage(np.array([p]), n, level)[2, 0] >= level - 1e-9


def test_a_step_counts_who_held_so_far() -> None:
    steps = steps_of(samples=60)
    held = np.zeros(3, int)
    for i, step in enumerate(steps):
        e = step.wrong / 40
        assert step.low[0] + step.high[0] == pytest.approx(2 * e)
        np.testing.assert_array_equal(step.holds, (step.low <= 0.3) & (step.high >= 0.3))
        held += step.holds
        np.testing.assert_array_equal(step.held, held)
        assert (step.sample, step.event) == (i, None if step.holds[0] else "misses the truth")
    fewer = steps_of(samples=10)
    assert [step.wrong for step in fewer] == [step.wrong for step in steps[:10]]


def test_many_samples_cover_as_the_sum_says() -> None:
    p, n = 0.05, 30
    steps = steps_of(p, n, samples=400)
    sure = coverage(np.array([p]), n, 0.95)[:, 0]
    error = np.sqrt(sure * (1 - sure) / 400)
    assert (np.abs(steps[-1].held / 400 - sure) < 4 * error).all()


def test_without_an_error_wald_has_no_width_and_the_others_have() -> None:
    step = next(step for step in steps_of(0.01, 20) if step.wrong == 0)
    assert step.event == "no width"
    assert (step.high - step.low > 0).tolist() == [False, True, True]
    other = next(step for step in steps_of(0.01, 20, method="Wilson") if step.wrong == 0)
    assert other.event is None


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"p": 0.0}, "p must be between 0 and 1, got p=0.0"),
        ({"level": 1.0}, "level must be between 0 and 1, got level=1.0"),
        ({"n": 0}, "n must be between 1 and 10000, got n=0"),
        ({"samples": 0}, "samples must be between 1 and 1000"),
        ({"method": "?"}, "method must be one of"),
    ],
)
def test_refusals(how: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        confidence_intervals(rng=np.random.default_rng(0), **ARGUMENTS | how)
