import numpy as np
import pytest
from sklearn.preprocessing import MaxAbsScaler, StandardScaler

from algorithms.core.scaling import by_largest, mean_and_variance, standard, unscaled

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 3)) * [1.0, 1e-3, 1e5] + [0.0, 4.0, -1e6]


def test_standard_units_are_scikit_learns() -> None:
    theirs, ours = StandardScaler().fit(X), standard(X)
    new = RNG.normal(size=(4, 3))
    np.testing.assert_allclose(ours.transform(new), theirs.transform(new), rtol=1e-9)
    np.testing.assert_allclose(ours.back(ours.transform(new)), new, rtol=1e-7)
    mean, variance = mean_and_variance(X)
    np.testing.assert_array_equal(mean, ours.center)
    np.testing.assert_array_equal(np.sqrt(variance), ours.spread)


@pytest.mark.parametrize("value", [0.0, 0.1, 1e9, -3e-7])
def test_a_column_that_does_not_vary_is_only_shifted(value: float) -> None:
    flat = np.column_stack([X[:, 0], np.full(30, value)])
    assert standard(flat).spread[1] == 1
    offsets, scaling = by_largest(flat)
    assert scaling.spread[1] == 1
    assert not offsets[:, 1].any()


def test_what_varies_by_rounding_does_not_vary() -> None:
    wobble = 1e9 + np.array([[0.0], [1.2e-7], [0.0]])  # one unit in the last place
    assert standard(wobble).spread[0] == 1
    assert standard(wobble - 1e9).spread[0] < 1e-6
    assert standard(wobble - 1e9, magnified=1e9).spread[0] == 1


def test_by_largest_is_from_minus_to_plus_one() -> None:
    offsets, scaling = by_largest(X)
    np.testing.assert_allclose(offsets, MaxAbsScaler().fit_transform(X - X.mean(axis=0)))
    np.testing.assert_allclose(scaling.transform(X), offsets)
    assert np.abs(offsets).max(axis=0).tolist() == [1, 1, 1]


def test_a_linear_model_comes_back() -> None:
    scaling, w = standard(X), np.array([1.0, -2.0, 0.5])
    weights, intercept = scaling.linear_back(w, 3.0)
    np.testing.assert_allclose(X @ weights + intercept, scaling.transform(X) @ w + 3.0)


def test_unscaled_changes_nothing() -> None:
    np.testing.assert_array_equal(unscaled(3).transform(X), X)
    np.testing.assert_array_equal(unscaled(3).back(X), X)
