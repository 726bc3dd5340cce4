"""Steps up the likelihood of a Gaussian, against SciPy's fit."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.stats import norm

from algorithms.core.record import last
from algorithms.probability.gaussian_likelihood import (
    gaussian_likelihood,
    log_likelihood,
    slopes,
)
from tests.house.checked import Checked

FIT = Checked("estimating", "SciPy's norm.fit, for the top of the likelihood", 30, "samples", 1e-2)
ARGUMENTS = {"x": np.array([1.0, 2.0, 4.0]), "start": (3.0, 1.0)}


def test_the_top_is_scipys() -> None:
    for case in range(FIT.cases):
        rng = np.random.default_rng(case)
        x = rng.normal(5, 1.2, 20)
        start = (float(rng.uniform(3, 7)), float(rng.uniform(0.8, 3)))
        steps = list(gaussian_likelihood(x, start=start, max_iter=1000))
        assert steps[-1].event == "converged"
        found = (steps[-1].mean, steps[-1].deviation)
        assert found == pytest.approx(norm.fit(x), abs=FIT.within, rel=0)


def test_height_and_slopes() -> None:
    x = np.random.default_rng(0).normal(5, 1, 9)

    def height(at: np.ndarray) -> float:
        return float(log_likelihood(x, at[:1], np.exp(at[1:]))[0])

    at = np.array([4.0, np.log(1.7)])
    assert height(at) == pytest.approx(norm.logpdf(x, 4, 1.7).sum())
    numeric = np.asarray(approx_fprime(at, height)) / 9
    assert slopes(x, 4.0, 1.7) == pytest.approx(numeric, abs=1e-5)


def test_the_density_is_scipys() -> None:
    end = last(gaussian_likelihood(**ARGUMENTS))
    x = np.linspace(0, 5, 7)
    assert end.heights(x) == pytest.approx(norm.pdf(x, end.mean, end.deviation))


@pytest.mark.parametrize("changes", [{"x": np.ones(3)}, {"start": (1.0, 0.0)}, {"rate": 0.0}])
def test_bad_input_is_named_at_the_call(changes: dict) -> None:
    with pytest.raises(ValueError, match=next(iter(changes))):
        gaussian_likelihood(**ARGUMENTS | changes)
