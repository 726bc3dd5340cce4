import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial.chebyshev import chebvander
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from algorithms.data.presets import DATASETS
from algorithms.regression.bias_variance.curve_fits import (
    Models,
    NearestNeighbors,
    Polynomials,
    RidgePolynomials,
)
from tests.house.check_steps import AsInTheApp
from tests.house.checked import Checked

AT = np.linspace(-1, 1, 37)
PENALTIES = (1e-6, 1e-3, 0.1, 1.0, 30.0)
POLYNOMIALS = Checked(
    "bias_variance",
    "scikit-learn's least squares on powers, relative to the largest target",
    78,
    "fits of degrees 0 to 12",
    within=1e-7,
)
RIDGE = Checked(
    "bias_variance",
    "scikit-learn's ridge on powers, relative to the largest target",
    90,
    "fits",
    within=1e-7,
)
NEIGHBOURS = Checked(
    "bias_variance",
    "scikit-learn's nearest neighbours, relative to the largest target",
    30,
    "fits",
    within=1e-11,
)


def scaled(name: str, n: int = 120) -> tuple[np.ndarray, np.ndarray]:
    """Return a preset's columns x and y, with x from -1 to 1."""
    preset = DATASETS[name]
    X = preset.make(min(n, preset.n), noise=preset.noise, rng=np.random.default_rng(4)).X
    x = X[:, 0]
    return 2 * (x - x.min()) / np.ptp(x) - 1, X[:, 1]


def predictions(models: Models, t: np.ndarray, y: np.ndarray, at: np.ndarray = AT) -> np.ndarray:
    return models(t[None], y[None], at[None])[0]


PRESETS = ["line", "sine", "step", "diabetes", "blobs", "moons"]


@pytest.mark.parametrize("case", range(POLYNOMIALS.cases))
def test_polynomials_agree_with_scikit_learn(case: int) -> None:
    degree, which = divmod(case, len(PRESETS))
    t, y = scaled(PRESETS[which])
    ours = predictions(Polynomials(tuple(range(13))), t, y)
    model = make_pipeline(PolynomialFeatures(degree), LinearRegression(fit_intercept=False))
    theirs = model.fit(t[:, None], y).predict(AT[:, None])
    near = POLYNOMIALS.within * np.abs(y).max()
    np.testing.assert_allclose(ours[degree], theirs, rtol=0, atol=near)


@pytest.mark.parametrize("case", range(RIDGE.cases))
def test_ridge_agrees_with_scikit_learn(case: int) -> None:
    which, rest = divmod(case, 3 * len(PENALTIES))
    t, y = scaled(PRESETS[which])
    degree, penalty = (1, 4, 9)[rest % 3], PENALTIES[rest // 3]
    ours = predictions(RidgePolynomials(PENALTIES, degree), t, y)[rest // 3]
    features = PolynomialFeatures(degree, include_bias=False)
    model = make_pipeline(features, Ridge(penalty, solver="svd"))
    theirs = model.fit(t[:, None], y).predict(AT[:, None])
    (same,) = predictions(Polynomials((degree,), penalty), t, y)
    for found in (ours, same):
        near = RIDGE.within * np.abs(y).max()
        np.testing.assert_allclose(found, theirs, rtol=0, atol=near)


@pytest.mark.parametrize("case", range(NEIGHBOURS.cases))
def test_nearest_neighbours_agree_with_scikit_learn(case: int) -> None:
    which, j = divmod(case, 5)
    t, y = scaled(PRESETS[which])
    t = t + 1e-9 * np.random.default_rng(0).normal(size=len(t))  # ties are decided differently
    k = (1, 2, 5, 17, len(t))[j]
    at = np.append(AT, [5.0, -5.0])
    (ours,) = predictions(NearestNeighbors((k,)), t, y, at)
    theirs = KNeighborsRegressor(k).fit(t[:, None], y).predict(at[:, None])
    near = NEIGHBOURS.within * np.abs(y).max()
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=near)


def test_degree_15_is_as_sound_as_a_fit_in_an_orthogonal_basis() -> None:
    t = np.random.default_rng(1).uniform(-1, 1, 200)
    exact = np.random.default_rng(2).normal(size=16)
    y = chebvander(t, 15) @ exact
    (ours,) = predictions(Polynomials((15,)), t, y)
    np.testing.assert_allclose(ours, chebvander(AT, 15) @ exact, atol=1e-12)


def test_no_penalty_is_least_squares_in_either_family() -> None:
    t, y = scaled("sine")
    (ridge,), (free,) = (
        predictions(models, t, y) for models in (RidgePolynomials((0.0,), 9), Polynomials((9,)))
    )
    np.testing.assert_allclose(ridge, free, atol=1e-10)


def test_a_large_penalty_leaves_the_mean() -> None:
    t, y = scaled("sine")
    for models in (RidgePolynomials((1e12,), 5), Polynomials((5,), 1e12)):
        np.testing.assert_allclose(predictions(models, t, y), y.mean(), atol=1e-8)


def test_sets_are_fitted_each_on_its_own() -> None:
    rng = np.random.default_rng(0)
    t, y, at = rng.uniform(-1, 1, (4, 20)), rng.normal(size=(4, 20)), rng.uniform(-1, 1, (4, 6))
    for models in (
        Polynomials((0, 3, 1)), Polynomials((2, 5), 0.1), RidgePolynomials(PENALTIES, 4),
        NearestNeighbors((7, 1)),
    ):  # fmt: skip
        together = models(t, y, at)
        assert together.shape == (4, len(models.complexities), 6)
        for s in range(4):
            np.testing.assert_allclose(together[s], predictions(models, t[s], y[s], at[s]))


def test_worked_by_hand() -> None:
    t, y = np.array([-1.0, 0.0, 1.0]), np.array([0.0, 3.0, 0.0])
    at = np.array([-1.0, 0.0, 0.4, 0.6, 1.0])
    constant, line, parabola = predictions(Polynomials((0, 1, 2)), t, y, at)
    np.testing.assert_allclose(constant, 1, atol=1e-14)
    np.testing.assert_allclose(line, 1, atol=1e-14)
    np.testing.assert_allclose(parabola, 3 - 3 * at**2, atol=1e-14)
    # Centred, t^2 is (1, -2, 1) / 3 and y is (-1, 2, -1): w = -2 / (2/3 + 1/3).
    (shrunk,) = predictions(RidgePolynomials((1 / 3,), 2), t, y, at)
    np.testing.assert_allclose(shrunk, 1 - 2 * (at**2 - 2 / 3), atol=1e-14)
    nearest, all_three = predictions(NearestNeighbors((1, 3)), t, y, at)
    assert nearest.tolist() == [0, 3, 3, 0, 0]
    assert all_three.tolist() == [1] * 5


def test_a_degree_the_points_cannot_determine_adds_nothing() -> None:
    t, y = np.array([0.5, -0.5, 0.5, 0.1]), np.array([1.0, 2.0, 3.0, 0.0])
    ours = predictions(Polynomials((0, 1, 2, 3, 9, 15)), t, y)
    for extra in ours[3:]:
        np.testing.assert_allclose(extra, ours[2], atol=1e-9)
    assert not np.allclose(ours[1], ours[2])


@settings(max_examples=50, deadline=None)
@given(
    n=st.integers(1, 12),
    kinds=st.integers(1, 12),
    scale=st.sampled_from([1e-100, 1.0, 1e100]),
    seed=st.integers(0, 99),
)
def test_hostile_points(n: int, kinds: int, scale: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    t = rng.uniform(-1, 1, kinds)[rng.integers(kinds, size=(3, n))]
    y = scale * rng.normal(size=(3, n))
    at = np.tile(AT, (3, 1))
    for models in (
        Polynomials((0, 1, 15)), Polynomials((0, 15), 1e-6), RidgePolynomials((0.0, 1.0), 15),
        NearestNeighbors((1, n)),
    ):  # fmt: skip
        found = models(t, y, at)
        assert np.isfinite(found).all()
        if isinstance(models, NearestNeighbors):
            slack = 1e-12 * scale
            assert (found >= y.min(axis=1)[:, None, None] - slack).all()
            assert (found <= y.max(axis=1)[:, None, None] + slack).all()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Polynomials((16,)), "degrees must be between 0 and 15, got degrees=16"),
        (lambda: Polynomials(()), "degrees must hold at least one whole number, got none"),
        (lambda: Polynomials((1,), -1.0), "penalty must be a number from 0 to 1e+100"),
        (lambda: RidgePolynomials((1.0,), 0), "degree must be between 1 and 15, got degree=0"),
        (lambda: RidgePolynomials((), 2), "penalties must hold at least one number, got none"),
        (lambda: NearestNeighbors((0,)), "ks must be at least 1, got ks=0"),
        (lambda: NearestNeighbors((3,)).check(2), "k must be between 1 and n=2, got k=3"),
    ],
)  # fmt: skip
def test_bad_members_are_refused(make, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        make()
    assert str(caught.value).startswith(sentence)
