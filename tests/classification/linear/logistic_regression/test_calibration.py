"""Predicted probabilities and the share of right predictions, and how the page shows both."""

import numpy as np
import pytest
from sklearn.calibration import calibration_curve

from algorithms.classification.linear.logistic_regression.calibration import BINS, calibration
from algorithms.classification.linear.logistic_regression.logistic_regression import (
    logistic_regression,
)
from algorithms.core.record import last
from tests.core.samples import labelled
from viz.classification.linear.logistic_regression.calibration import reliability


@pytest.mark.parametrize("name", ["moons", "blobs", "unequal", "iris"])
@pytest.mark.parametrize("sample", range(3))
def test_agrees_with_scikit_learn(name: str, sample: int) -> None:
    X, y = labelled(name, sample=sample)
    P = last(logistic_regression(X, y, penalty=0.01)).predict_proba(X)
    found = calibration(P, y)
    shares, means = calibration_curve(P.argmax(axis=1) == y, P.max(axis=1), n_bins=BINS)
    there = found.count > 0
    np.testing.assert_allclose(found.right[there] / found.count[there], shares, atol=1e-12)
    np.testing.assert_allclose(found.promised[there] / found.count[there], means, atol=1e-12)
    assert (found.count.sum(), found.right.sum()) == (len(y), (P.argmax(axis=1) == y).sum())
    assert found.promised.sum() == pytest.approx(P.max(axis=1).sum())


def test_certainty_is_in_the_last_bin_and_a_tie_is_the_first_class() -> None:
    found = calibration(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([0, 1]))
    assert found.count.tolist() == [0, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    assert found.right.tolist() == [0] * 9 + [1]


def test_true_probabilities_are_calibrated() -> None:
    rng = np.random.default_rng(0)
    p = rng.uniform(size=40_000)
    own = (rng.uniform(size=len(p)) < p).astype(int)
    found = calibration(np.column_stack([1 - p, p]), own)
    there = found.count > 0
    off = (found.right - found.promised)[there] / np.sqrt(found.count[there])
    assert np.abs(off).max() < 2.5  # of a standard deviation of at most 1 / 2


@pytest.mark.parametrize(("k", "first"), [(2, 5), (3, 3), (7, 1)])
def test_the_view_shows_the_bins_that_k_probabilities_can_reach(k: int, first: int) -> None:
    P = np.random.default_rng(1).dirichlet(np.full(k, 0.4), 200)
    found = calibration(P, np.random.default_rng(2).integers(k, size=200))
    assert not found.count[:first].any()
    bars, marks = reliability([found], k)(0)["data"]
    assert bars["x"][0] == 100 * (first + 0.5) / BINS and len(bars["x"]) == BINS - first
    for j, text in enumerate(bars["text"], start=first):
        n = found.count[j]
        assert text == (f"{found.right[j]}/{n}" if n else "")
        assert bars["y"][j - first] == (pytest.approx(100 * found.right[j] / n) if n else None)
        promised = 100 * found.promised[j] / n if n else None
        assert marks["y"][j - first] == (pytest.approx(promised) if n else None)
