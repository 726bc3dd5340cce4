import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.preprocessing import PolynomialFeatures

from algorithms.core.features import polynomial_features
from tests.house.check_steps import AsInTheApp


def points(n: int, d: int = 2, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, d))


@pytest.mark.parametrize("d", [1, 2, 3, 5])
@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_plain_features_are_scikit_learns(d: int, degree: int) -> None:
    X, new = points(20, d), points(7, d, seed=1)
    ours = polynomial_features(X, degree, standardize=False)
    theirs = PolynomialFeatures(degree, include_bias=False).fit(X)
    np.testing.assert_allclose(ours(new), theirs.transform(new), rtol=1e-12)
    np.testing.assert_array_equal(ours.powers, theirs.powers_)


def test_names() -> None:
    X = points(5)
    assert polynomial_features(X, 3).names == (
        *("x", "y"),
        *("x²", "xy", "y²"),
        *("x³", "x²y", "xy²", "y³"),
    )
    assert len(polynomial_features(X, 4).names) == 14
    named = polynomial_features(X, 2, columns=("sepal width", "y"))
    assert named.names == ("sepal width", "y", "sepal width²", "sepal width·y", "y²")
    assert polynomial_features(points(5, 3), 2).names[:5] == ("x₁", "x₂", "x₃", "x₁²", "x₁x₂")
    assert polynomial_features(points(5, 1), 10).names[-1] == "x¹⁰"


@settings(max_examples=80, deadline=None)
@given(
    n=st.integers(2, 50),
    degree=st.integers(1, 4),
    seed=st.integers(0, 99),
    shift=st.sampled_from([0.0, 5.0, 1e3, 1e6, -1e8]),
    unit=st.sampled_from([1e-3, 1.0, 1e4, 1e90]),
)
@example(n=2, degree=2, seed=1, shift=-1e8, unit=1e90)  # x² is constant but for rounding
def test_standardised_features(n: int, degree: int, seed: int, shift: float, unit: float) -> None:
    X = (points(n, seed=seed) + shift) * unit
    features = polynomial_features(X, degree)
    values = features(X)
    assert values.shape == (n, len(features.names))
    np.testing.assert_allclose(values.mean(axis=0), 0, atol=1e-9)
    spread = values.std(axis=0)
    # What is left of a constant is the rounding of the data, in units of their spread.
    rounding = 1e-14 * degree * (1 + np.abs(X).max(axis=0) / features.spread).max()
    assert np.all((np.abs(spread - 1) < 1e-9) | (spread < rounding))
    u = (X - features.center) / features.spread
    products = np.prod(u[:, None] ** features.powers, axis=2)
    np.testing.assert_allclose(values, (products - features.mean) / features.scale, atol=1e-8)


def test_degree_four_far_from_the_origin_is_well_conditioned() -> None:
    X = points(200) + 1e6
    assert np.linalg.cond(polynomial_features(X, 4)(X)) < 100


def test_a_linear_model_can_express_the_same() -> None:
    X = points(60) * 3 + 10
    target = 1 + X[:, 0] ** 3 - 2 * X[:, 0] * X[:, 1]
    A = np.column_stack([np.ones(60), polynomial_features(X, 3)(X)])
    solution = np.linalg.lstsq(A, target)[0]
    np.testing.assert_allclose(A @ solution, target, rtol=1e-9)


HOSTILE = {
    "one point": np.array([[3.0, 4.0]]),
    "constant column": np.stack([points(20)[:, 0], np.full(20, 0.1)], axis=1),
    "constant by rounding": np.stack([points(20)[:, 0], 1e8 + 1e-8 * points(20)[:, 1]], axis=1),
    "two values": np.repeat([[-0.3, 7.0], [0.9, 7.0]], 10, axis=0),
    "huge": points(20) * 1e99,
    "tiny": points(20) * 1e-150,
    "vanishing": points(20) * 1e-300,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_data(name: str) -> None:
    X = HOSTILE[name]
    for degree in (1, 4, 10):
        features = polynomial_features(X, degree)
        for where in (X, np.zeros((3, 2)), np.full((1, 2), 1e100), np.full((1, 2), -1e100)):
            assert np.isfinite(features(where)).all()
        spread = features(X).std(axis=0)
        assert np.all((np.abs(spread - 1) < 1e-6) | (spread < 1e-6))


def test_a_constant_column_is_only_shifted() -> None:
    features = polynomial_features(HOSTILE["constant by rounding"], 2)
    assert (features.spread[1], features.scale[1], features.scale[4]) == (1, 1, 1)


def test_arrays_are_read_only() -> None:
    features = polynomial_features(points(5), 2)
    assert not any(
        array.flags.writeable
        for array in (features.powers, features.center, features.mean, features.scale)
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"degree": 0}, "degree must be between 1 and 10, got degree=0"),
        ({"X": np.ones(3)}, "X must have shape (n, d) with n and d at least 1, got shape (3,)"),
        ({"X": np.full((2, 2), np.nan)}, "X must be finite, got nan"),
        ({"columns": ("a",)}, "columns must hold d=2 names, got 1"),
        (
            {"X": np.ones((2, 12)), "degree": 4},
            "degree=4 on d=12 columns makes 1819 features, more than 1000",
        ),
        (
            {"X": np.full((2, 2), 1e60), "standardize": False},
            "X must stay within ±1e+50, got 1e+60",
        ),
    ],
)
def test_bad_arguments(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        polynomial_features(**{"X": points(4), "degree": 2} | changes)
    assert str(caught.value) == sentence
