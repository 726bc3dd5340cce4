from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from algorithms.evaluation.mean_intervals import (
    METHODS,
    MeanIntervalsStep,
    coverage,
    in_the_long_run,
    mean_intervals,
    quantiles,
)
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"mean": 10.0, "spread": 2.0, "n": 5}


def steps_of(seed: int = 0, **how: Any) -> list[MeanIntervalsStep]:
    return check_steps(mean_intervals(rng=np.random.default_rng(seed), **ARGUMENTS | how))


SCIPY = Checked(
    "intervals_and_tests",
    "SciPy's normal and Student's distribution, for the intervals of a mean, relative",
    60,
    "samples",
    within=1e-9,
)


@pytest.mark.parametrize("n", [2, 5, 40])
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_intervals_are_scipy_s(n: int, level: float) -> None:
    samples = SCIPY.cases // 6
    numbers = 10 + 2 * np.random.default_rng(0).normal(size=(samples, n))  # those of the steps
    for step, x in zip(steps_of(n=n, level=level, samples=samples), numbers, strict=True):
        error = stats.sem(x)
        assert (step.mean, step.spread) == pytest.approx((np.mean(x), np.std(x, ddof=1)))
        assert step.error == pytest.approx(error)
        for i, ends in enumerate(
            (
                stats.norm.interval(level, loc=np.mean(x), scale=error),
                stats.t.interval(level, n - 1, loc=np.mean(x), scale=error),
            )
        ):
            assert (step.low[i], step.high[i]) == pytest.approx(ends, rel=SCIPY.within)


@given(n=st.integers(2, 200), level=st.floats(0.1, 0.995))
def test_t_keeps_its_promise_and_z_does_not(n: int, level: float) -> None:
    z, t = coverage(n, level)
    assert t == pytest.approx(level, abs=1e-9) and z < t
    assert z == pytest.approx(1 - 2 * stats.t.sf(stats.norm.ppf((1 + level) / 2), n - 1), abs=1e-9)
    assert quantiles(n, level)[0] < quantiles(n, level)[1]


def test_the_long_run_is_what_many_samples_come_to() -> None:
    sure = in_the_long_run(10.0, 5, 0.95, np.array([2, 5, 30]))
    np.testing.assert_array_equal(sure.curves[:, 1], sure.at_n)
    assert (np.diff(sure.curves[0]) > 0).all()
    held = steps_of(samples=1000)[-1].held / 1000
    assert (np.abs(held - sure.at_n) < 4 * np.sqrt(sure.at_n * (1 - sure.at_n) / 1000)).all()


@pytest.mark.parametrize("method", METHODS)
def test_a_step_counts_the_intervals_that_held_so_far(method: str) -> None:
    held = np.zeros(2, int)
    for i, step in enumerate(steps_of(method=method, samples=60)):
        np.testing.assert_array_equal(step.holds, (step.low <= 10) & (step.high >= 10))
        held += step.holds
        np.testing.assert_array_equal(step.held, held)
        holds = step.holds[METHODS.index(method)]
        assert (step.sample, step.event) == (i, None if holds else "misses the truth")


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"n": 1}, "n must be between 2 and 10000, got n=1"),
        ({"spread": 0.0}, "spread must be positive"),
        ({"mean": np.nan}, "mean must be"),
        ({"level": 1.0}, "level must be between 0 and 1, got level=1.0"),
        ({"samples": 0}, "samples must be between 1 and 1000"),
        ({"method": "?"}, "method must be one of"),
    ],
)
def test_refusals(how: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        mean_intervals(rng=np.random.default_rng(0), **ARGUMENTS | how)
