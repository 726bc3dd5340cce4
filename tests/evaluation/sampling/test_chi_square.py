"""Chi-square, cell by cell, against SciPy's test."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from algorithms.core.record import last
from algorithms.evaluation.chi_square import chi_square, table
from tests.house.checked import Checked

SCIPY = Checked("sampling", "SciPy's chi2_contingency", 100, "random tables", 1e-9)
ARGUMENTS = {"observed": np.array([[9, 5], [3, 8]])}


def test_the_sum_is_scipys() -> None:
    for case in range(SCIPY.cases):
        rng = np.random.default_rng(case)
        observed = rng.integers(1, 30, (2, rng.integers(2, 5)))
        end = last(chi_square(observed))
        statistic, p, freedom, expected = chi2_contingency(observed, correction=False)
        assert (end.statistic, end.p) == pytest.approx((statistic, p), abs=SCIPY.within, rel=1e-9)
        assert end.freedom == freedom and end.expected == pytest.approx(expected)
        assert end.statistic == pytest.approx(end.parts.sum())


def test_an_empty_side_says_nothing() -> None:
    end = last(chi_square(np.array([[0, 0], [3, 8]])))
    assert end.statistic == 0 and end.p == 1


def test_the_table_counts_the_points() -> None:
    sides, classes = np.array([0, 0, 1, 1, 1]), np.array([0, 2, 2, 2, 1])
    assert table(sides, classes, 3).tolist() == [[1, 0, 1], [0, 1, 2]]


@pytest.mark.parametrize("observed", [np.zeros((2, 2), int), np.array([[1, 2]])])
def test_bad_input_is_named_at_the_call(observed: np.ndarray) -> None:
    with pytest.raises(ValueError, match="observed"):
        chi_square(observed)
