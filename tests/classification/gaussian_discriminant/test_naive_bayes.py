import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import GaussianNB

from algorithms.classification.gaussian_discriminant.gaussian_discriminant import (
    gaussian_discriminant,
)
from algorithms.classification.gaussian_discriminant.naive_bayes import (
    GaussianNaiveBayesStep,
    gaussian_naive_bayes,
)
from algorithms.core.record import last
from tests.classification.gaussian_discriminant.test_gaussian_discriminant import (
    HOSTILE,
    PRESETS,
    SINGULAR,
    check_the_factors,
    check_the_surfaces,
    in_units,
    mixture,
    preset,
)
from tests.house.check_steps import AsInTheApp, check_model, check_steps
from tests.house.checked import Checked

SCIKIT_LEARN = Checked(
    "gaussian_discriminant",
    "scikit-learn's Gaussian naive Bayes, its probabilities",
    32,
    "fits",
    within=1e-8,
)


@pytest.mark.parametrize("case", range(SCIKIT_LEARN.cases))
def test_agrees_with_scikit_learn(case: int) -> None:
    smoothing = [1e-9, 0.1][case // 8 % 2]
    X, y = preset(PRESETS[case % 8], sample=5 + case // 16)
    ours = check_steps(gaussian_naive_bayes(X, y, smoothing=smoothing))[-1]
    theirs = GaussianNB(var_smoothing=smoothing).fit(X, y)
    near = {"rtol": 1e-8, "atol": 1e-8}
    np.testing.assert_array_equal(ours.classes, theirs.classes_)
    np.testing.assert_allclose(ours.priors, theirs.class_prior_, **near)
    np.testing.assert_allclose(ours.means, theirs.theta_, **near)
    np.testing.assert_allclose(ours.variances, theirs.var_, **near)
    grid = np.random.default_rng(0).uniform(X.min(axis=0), X.max(axis=0), size=(500, X.shape[1]))
    for points in (X, grid):
        np.testing.assert_allclose(
            ours.predict_proba(points),
            theirs.predict_proba(points),
            rtol=0,
            atol=SCIKIT_LEARN.within,
        )
        joint = np.log(ours.priors) + ours.log_densities(points)
        np.testing.assert_allclose(joint, theirs.predict_joint_log_proba(points), **near)
        np.testing.assert_array_equal(ours.predict(points), theirs.predict(points))


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("smoothing", [0.0, 1e-9, 0.1])
def test_a_unit_that_all_columns_have_does_not_matter(name: str, smoothing: float) -> None:
    X, y = preset(name)
    model = last(gaussian_naive_bayes(X, y, smoothing=smoothing))
    for unit in (1e-3, 1e-6, 1e6):
        same = last(gaussian_naive_bayes(X * unit, y, smoothing=smoothing))
        np.testing.assert_array_equal(same.predict(X * unit), model.predict(X))
        np.testing.assert_allclose(same.predict_proba(X * unit), model.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("name", PRESETS)
def test_unlike_units_matter_to_the_smoothing_alone(name: str) -> None:
    X, y = preset(name)
    plain = last(gaussian_naive_bayes(X, y, smoothing=0.0))
    for other in in_units(X):
        same = last(gaussian_naive_bayes(other, y, smoothing=0.0))
        np.testing.assert_array_equal(same.predict(other), plain.predict(X))
    unlike = X * np.logspace(0, 6, X.shape[1])
    drowned = last(gaussian_naive_bayes(unlike, y))
    theirs = GaussianNB().fit(unlike, y)
    np.testing.assert_array_equal(drowned.predict(unlike), theirs.predict(unlike))


@settings(max_examples=60, deadline=None)
@given(n=st.integers(8, 60), k=st.integers(2, 4), d=st.integers(1, 3), seed=st.integers(0, 999))
def test_is_the_diagonal_discriminant(n: int, k: int, d: int, seed: int) -> None:
    X, y = mixture(n, k, d, seed)
    steps = check_steps(gaussian_naive_bayes(X, y, smoothing=0.0))
    assert [step.phase for step in steps][: 1 + 2 * d] == ["priors"] + ["means", "variances"] * d
    diagonal = last(gaussian_discriminant(X, y, covariance="diagonal"))
    np.testing.assert_allclose(steps[-1].covariances, diagonal.covariances, atol=1e-12)
    np.testing.assert_array_equal(steps[-1].spikes.any(axis=1), diagonal.singular)
    if not diagonal.singular.any():
        np.testing.assert_allclose(steps[-1].predict_proba(X), diagonal.predict_proba(X), atol=1e-9)
        assert steps[-1].pair == diagonal.pair
    check_the_surfaces(steps, X)


def test_a_feature_not_seen_yet_changes_nothing() -> None:
    X, y = preset("iris")
    steps = check_steps(gaussian_naive_bayes(X, y))
    for j in range(4):
        known = next(step for step in steps if step.phase == "variances" and step.index == j)
        alone = last(gaussian_naive_bayes(X[:, : j + 1], y, smoothing=0.0))
        np.testing.assert_allclose(
            known.predict_proba(X), alone.predict_proba(X[:, : j + 1]), atol=1e-6
        )
        moved = X.copy()
        moved[:, j + 1 :] = 0
        np.testing.assert_array_equal(known.predict(moved), known.predict(X))
        check_model(known, X)
        check_the_factors(known, X)
    np.testing.assert_allclose(steps[0].predict_proba(X), 1 / 3)
    assert [step.event for step in steps if step.event] == ["feature known"] * 4 + ["surface"]


def test_worked_by_hand() -> None:
    X, y = np.array([[-1.0], [1.0], [2.0], [6.0]]), np.array([0, 0, 1, 1])
    step = last(gaussian_naive_bayes(X, y, smoothing=0.0))
    assert step.means.tolist() == [[0], [4]]
    assert step.variances.tolist() == [[1], [4]]
    densities = np.exp(step.log_densities(np.array([[1.0]])))[0]
    np.testing.assert_allclose(step.densities(np.array([[1.0]]))[0, :, 0], densities)
    expected = [np.exp(-1 / 2), np.exp(-9 / 8) / 2] / np.sqrt(2 * np.pi)
    np.testing.assert_allclose(densities, expected)
    surface = step.surface(0, 1)
    assert surface.quadratic[0, 0] == pytest.approx(-3 / 8)
    assert surface.linear[0] == pytest.approx(-1)
    assert surface.constant == pytest.approx(2 + np.log(2))


def test_zero_variance_is_named_and_smoothing_repairs_it() -> None:
    X = np.array([[0.0, 1], [0, 2], [0, 4], [3, 1], [4, 1], [6, 5]])
    y = np.repeat([0, 1], 3)
    steps = check_steps(gaussian_naive_bayes(X, y, smoothing=0.0))
    assert [step.event for step in steps] == [
        None, None, "zero variance", None, "feature known", "no surface",
    ]  # fmt: skip
    assert steps[-1].spikes.tolist() == [[True, False], [False, False]]
    assert steps[-1].roots[0, 0, 0] == steps[0].roots[0, 0, 0], "the variance of all stands in"
    repaired = check_steps(gaussian_naive_bayes(X, y))
    assert repaired[-1].event == "surface"
    assert repaired[-1].variances[0, 0] == pytest.approx(1e-9 * X.var(axis=0).max())


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("smoothing", [0.0, 1e-9, 1.0, 1e100])
def test_hostile_data(name: str, smoothing: float) -> None:
    X, y = HOSTILE[name]
    steps = check_steps(gaussian_naive_bayes(X, y, smoothing=smoothing))
    for step in steps[:: max(1, len(steps) // 12)] + steps[-1:]:
        check_model(step, np.concatenate([X, X * -3, 1e50 * X[:1].clip(-1, 1)]))
    assert steps[-1].phase == "surface"
    if name in SINGULAR and smoothing == 0:
        assert steps[-1].event in ("surface", "no surface")


def test_bad_arguments_are_refused_at_the_call() -> None:
    X, y = np.arange(10.0).reshape(5, 2), np.arange(5) % 2
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        gaussian_naive_bayes(X, y, smoothing=-1.0)
    assert str(caught.value) == "smoothing must be a number from 0 to 1e+100, got smoothing=-1.0"


def test_the_last_step_is_the_model() -> None:
    model = last(gaussian_naive_bayes(*preset("blobs")))
    assert isinstance(model, GaussianNaiveBayesStep)
    np.testing.assert_array_equal(model.predict(model.means), model.classes)
