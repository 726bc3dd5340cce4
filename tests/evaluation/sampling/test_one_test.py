"""The test of an effect against SciPy's Gaussian, and what p-values do."""

import numpy as np
import pytest
from scipy.stats import kstest, norm

from algorithms.core.record import last
from algorithms.evaluation.one_test import detectable, level, one_test, sample_size
from algorithms.evaluation.one_test import power as power_of
from tests.house.checked import Checked

NORM = Checked(
    "sampling", "SciPy's norm, for p-values and power, and for the solutions", 100,
    "random tests", 1e-9,
)  # fmt: skip
ARGUMENTS = {"n": 16, "effect": 0.5, "alpha": 0.05, "share": 0.5}


def power(n: int, effect: float, alpha: float) -> float:
    return float(power_of(np.array([float(n)]), effect, alpha)[0])


def test_power_and_its_solutions() -> None:
    for case in range(NORM.cases):
        rng = np.random.default_rng(case)
        n, effect = int(rng.integers(1, 200)), float(rng.uniform(0.05, 1))
        alpha = float(rng.uniform(0.001, 0.3))
        found = power(n, effect, alpha)
        ours = norm.sf(norm.isf(alpha), loc=effect * np.sqrt(n))
        assert found == pytest.approx(ours, abs=NORM.within, rel=0)
        end = last(one_test(n, effect, alpha, share=0.5, rng=rng, experiments=5))
        assert end.p == pytest.approx(norm.sf(end.z), abs=NORM.within, rel=0)
        if found < 0.999:
            assert detectable(n, alpha, found) == pytest.approx(effect, abs=1e-6)
            assert level(n, effect, found) == pytest.approx(alpha, abs=1e-6)
        least = sample_size(effect, alpha, 0.8)
        assert power(least, effect, alpha) >= 0.8 - 1e-9
        assert least == 1 or power(least - 1, effect, alpha) < 0.8


def test_p_values_are_flat_without_an_effect_and_the_areas_are_as_large_as_promised() -> None:
    rng = np.random.default_rng(0)
    end = last(one_test(**ARGUMENTS, rng=rng, experiments=10_000))
    assert kstest(end.p[~end.effect], "uniform").statistic < 0.03
    counts = end.counts(0.05)
    assert sum(counts) == 10_000
    assert counts[1] / (counts[0] + counts[1]) == pytest.approx(0.05, abs=0.01)
    expected = power(16, 0.5, 0.05)
    assert counts[3] / (counts[2] + counts[3]) == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("changes", [{"n": 0}, {"effect": -1.0}, {"alpha": 1.0}, {"share": 2.0}])
def test_bad_input_is_named_at_the_call(changes: dict) -> None:
    with pytest.raises(ValueError, match=next(iter(changes))):
        one_test(**ARGUMENTS | changes, rng=np.random.default_rng(0))
