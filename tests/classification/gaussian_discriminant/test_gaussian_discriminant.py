"""The Gaussian discriminants; test_naive_bayes.py tests the parts shared with naive Bayes."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

from algorithms.classification.gaussian_discriminant.bayes import Generative
from algorithms.classification.gaussian_discriminant.compare_covariances import (
    compare_covariances,
    n_parameters,
)
from algorithms.classification.gaussian_discriminant.gaussian_classes import Surface
from algorithms.classification.gaussian_discriminant.gaussian_discriminant import (
    COVARIANCES,
    GaussianDiscriminantStep,
    gaussian_discriminant,
)
from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from tests.core.samples import dataset
from tests.house.check_steps import AsInTheApp, check_model, check_steps
from tests.house.checked import Checked

PRESETS = ["blobs", "stretched", "unequal", "moons", "circles", "xor", "iris", "penguins"]


def preset(name: str, sample: int = 5) -> tuple[np.ndarray, np.ndarray]:
    data = dataset(name, sample=sample)
    X = data.table if DATASETS[name].kind == "real" else data.X
    return X, 3 * data.labels - 1


def mixture(n: int, k: int, d: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return overlapping classes of different shapes, each with at least one point."""
    random = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(k), random.integers(k, size=n - k)])
    shapes = random.normal(size=(k, d, d))
    X = 2 * random.normal(size=(k, d))[codes]
    return X + np.einsum("nij,nj->ni", shapes[codes], random.normal(size=(n, d))), 2 * codes - 3


def theirs(covariance: str) -> object:
    return {
        "shared": LinearDiscriminantAnalysis(solver="lsqr", store_covariance=True),
        "separate": QuadraticDiscriminantAnalysis(store_covariance=True),
        "diagonal": GaussianNB(var_smoothing=0),
    }[covariance]


SCIKIT_LEARN = Checked(
    "gaussian_discriminant",
    "scikit-learn's linear, quadratic and naive discriminants, their probabilities",
    48,
    "fits",
    within=1e-8,
)


@pytest.mark.parametrize("case", range(SCIKIT_LEARN.cases))
def test_agrees_with_scikit_learn(case: int) -> None:
    covariance = COVARIANCES[case % 3]
    X, y = preset(PRESETS[case // 3 % 8], sample=5 + case // 24)
    ours = check_steps(gaussian_discriminant(X, y, covariance=covariance))[-1]
    model = theirs(covariance).fit(X, y)
    np.testing.assert_array_equal(ours.classes, model.classes_)
    near = {"rtol": 1e-8, "atol": 1e-8}
    if covariance == "diagonal":
        np.testing.assert_allclose(ours.priors, model.class_prior_, **near)
        np.testing.assert_allclose(ours.means, model.theta_, **near)
        variances = np.diagonal(ours.covariances, axis1=1, axis2=2)
        np.testing.assert_allclose(variances, model.var_, **near)
    else:
        np.testing.assert_allclose(ours.priors, model.priors_, **near)
        np.testing.assert_allclose(ours.means, model.means_, **near)
        shared = covariance == "shared"
        for k, estimate in enumerate(ours.covariances):
            expected = model.covariance_ if shared else model.covariance_[k]
            np.testing.assert_allclose(estimate, expected, **near)
    grid = np.random.default_rng(0).uniform(X.min(axis=0), X.max(axis=0), size=(500, X.shape[1]))
    for points in (X, grid):
        np.testing.assert_allclose(
            ours.predict_proba(points),
            model.predict_proba(points),
            rtol=0,
            atol=SCIKIT_LEARN.within,
        )
        np.testing.assert_array_equal(ours.predict(points), model.predict(points))
    assert ours.mistakes(X, y) == round(len(X) * (1 - model.score(X, y)))
    if len(ours.classes) == 2 and covariance != "diagonal":
        log_odds = model.decision_function(grid)
        np.testing.assert_allclose(ours.decision_function(grid), log_odds, atol=1e-8)


def test_the_ridge_is_a_share_of_the_variances_of_all_points() -> None:
    X, y = preset("stretched")
    shares = 0.3 * np.diag(X.var(axis=0))
    for covariance in COVARIANCES:
        plain = last(gaussian_discriminant(X, y, covariance=covariance))
        ridged = last(gaussian_discriminant(X, y, covariance=covariance, ridge=0.3))
        added = ridged.covariances - plain.covariances
        np.testing.assert_allclose(added, np.tile(shares, (3, 1, 1)), atol=1e-12)


def in_units(X: np.ndarray) -> list[np.ndarray]:
    """Return the same points in other units: one for all columns, and one for each."""
    unlike = np.logspace(-6, 6, X.shape[1])
    return [X * 1e-3, X * 1e-6, X * 1e6, X * unlike, X[:, ::-1] * unlike]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("covariance", COVARIANCES)
@pytest.mark.parametrize("ridge", [0.0, 0.001, 0.3])
def test_no_unit_matters(name: str, covariance: str, ridge: float) -> None:
    X, y = preset(name)
    how = {"covariance": covariance, "ridge": ridge}
    model = last(gaussian_discriminant(X, y, **how))
    for other in in_units(X):
        same = last(gaussian_discriminant(other, y, **how))
        np.testing.assert_array_equal(same.predict(other), model.predict(X))
        np.testing.assert_allclose(same.predict_proba(other), model.predict_proba(X), atol=1e-7)


@pytest.mark.parametrize("ridge", [0.01, 0.5])
def test_the_ridge_of_standardised_columns_is_the_shrinkage_of_scikit_learn(ridge: float) -> None:
    """Of equally frequent classes the border does not depend on the size of the covariance.

    (1 - s) Sigma + s m I with m the mean variance is a multiple of Sigma + ridge I for
    ridge = s m / (1 - s).
    """
    for name in ("stretched", "blobs", "iris"):
        X, y = preset(name)
        X, y = X[: len(X) // 3 * 3], y[: len(X) // 3 * 3]
        assert len(set(np.unique(y, return_counts=True)[1])) == 1
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        ours = last(gaussian_discriminant(X, y, ridge=ridge))
        size = np.diagonal(last(gaussian_discriminant(X, y)).covariances[0]).mean()
        share = ridge / (ridge + size)
        model = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=share).fit(X, y)
        grid = np.random.default_rng(0).uniform(-3, 3, size=(2000, X.shape[1]))
        np.testing.assert_array_equal(ours.predict(grid), model.predict(grid))
        diagonal = last(gaussian_discriminant(X, y, covariance="diagonal", ridge=ridge))
        naive = GaussianNB(var_smoothing=ridge).fit(X, y)  # its largest variance is 1
        np.testing.assert_allclose(diagonal.predict_proba(grid), naive.predict_proba(grid))


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(8, 60),
    k=st.integers(2, 4),
    d=st.integers(1, 3),
    seed=st.integers(0, 999),
    covariance=st.sampled_from(COVARIANCES),
    ridge=st.sampled_from([0.0, 0.01, 1.0]),
)
def test_what_holds_for_every_run(
    n: int, k: int, d: int, seed: int, covariance: str, ridge: float
) -> None:
    X, y = mixture(n, k, d, seed)
    steps = check_steps(gaussian_discriminant(X, y, covariance=covariance, ridge=ridge))
    phases = [step.phase for step in steps]
    assert phases[: 2 + k] == ["priors", "means"] + ["covariance"] * k
    assert set(phases[2 + k :]) == {"surface"}
    final = steps[-1]
    assert final.priors.sum() == pytest.approx(1)
    added = ridge * np.diag(X.var(axis=0))
    for j, label in enumerate(final.classes):
        mine = X[y == label]
        np.testing.assert_allclose(final.means[j], mine.mean(axis=0), atol=1e-12)
        if covariance == "separate":
            expected = np.cov(mine.T, bias=True).reshape(d, d) + added
            np.testing.assert_allclose(final.covariances[j], expected, atol=1e-11)
        if not final.singular[j]:
            precision = final.roots[j].T @ final.roots[j]
            product = precision @ final.covariances[j]
            condition = np.linalg.cond(final.covariances[j])
            np.testing.assert_allclose(product, np.eye(d), atol=1e-14 * condition + 1e-12)
    if covariance == "shared":
        parts = np.tensordot(
            final.counts / n, np.stack([within(X, y, c) for c in final.classes]), 1
        )
        np.testing.assert_allclose(final.covariances[0], parts + added, atol=1e-11)
        assert final.linear
    if ridge:
        assert not final.singular.any()
        assert final.event in (None, "surface")
    check_the_surfaces(steps, X)


def within(X: np.ndarray, y: np.ndarray, label: int) -> np.ndarray:
    residuals = X[y == label] - X[y == label].mean(axis=0)
    return residuals.T @ residuals / len(residuals)


def check_the_surfaces(steps: list, X: np.ndarray) -> None:
    """Check that the equation is the difference of two scores."""
    for step in steps:
        if step.pair is None:
            continue
        j, other = step.pair
        assert j < other
        scores = step.scores(X)
        surface = step.surface(j, other)
        expected = scores[:, j] - scores[:, other]
        slack = 1e-7 * (1 + np.abs(expected).max() + abs(surface.constant))
        np.testing.assert_allclose(surface(X), expected, atol=slack)
        if step.linear:
            assert not surface.quadratic.any()


def check_the_factors(step: Generative, X: np.ndarray) -> None:
    """Check that Bayes' rule with the factors gives the step's predictions."""
    joint = step.priors * np.exp(step.log_factors(X)).prod(axis=2)
    known = joint.sum(axis=1) > 0
    expected = joint[known] / joint[known].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(step.predict_proba(X)[known], expected, atol=1e-9)


@pytest.mark.parametrize("held", [0.0, 0.4])
def test_mistakes_are_counted_apart_for_points_held_out(held: float) -> None:
    X, y = preset("moons")
    out = np.random.default_rng(3).random(len(X)) < held
    found = compare_covariances(X, y, out, ridge=0.1)
    assert list(found) == list(COVARIANCES)
    for kind, (learned, unseen) in found.items():
        model = last(gaussian_discriminant(X[~out], y[~out], covariance=kind, ridge=0.1))
        wrong = model.predict(X) != y
        assert (learned, unseen) == (wrong[~out].sum(), wrong[out].sum())
        assert (unseen > 0) == (held > 0)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_every_step_is_a_model_of_what_is_known_so_far(covariance: str) -> None:
    X, y = preset("unequal")
    steps = check_steps(gaussian_discriminant(X, y, covariance=covariance))
    priors = steps[0]
    assert priors.predict(X).tolist() == [-1] * len(X), "the most frequent class"
    np.testing.assert_allclose(priors.predict_proba(X), np.tile([0.8, 0.1, 0.1], (len(X), 1)))
    np.testing.assert_allclose(priors.means, np.tile(X.mean(axis=0), (3, 1)))
    np.testing.assert_allclose(priors.covariances, np.tile(np.diag(X.var(axis=0)), (3, 1, 1)))
    np.testing.assert_allclose(steps[1].means, [X[y == label].mean(axis=0) for label in (-1, 2, 5)])
    assert all(step.means is steps[1].means for step in steps[1:])
    assert steps[0].linear
    assert steps[1].linear
    assert steps[2].linear == (covariance == "shared")
    for step in steps:
        check_model(step, X)
        check_the_factors(step, X)
    for before, after in pairwise(steps[4:]):
        assert after.covariances is before.covariances, "the surfaces change no estimate"


def test_events_and_neighbours() -> None:
    X, y = preset("row")
    steps = list(gaussian_discriminant(X, y))
    named = [(step.phase, step.index, step.event) for step in steps if step.event]
    assert named == [
        ("means", None, "means known"),
        ("covariance", 2, "covariances known"),
        ("surface", None, "surface"),
    ]
    assert [step.pair for step in steps if step.pair] == [(0, 1), (1, 2)], "0 and 2 do not meet"
    blobs = last(gaussian_discriminant(*preset("blobs")))
    assert blobs.neighbors() == [(0, 1), (0, 2), (1, 2)]
    for k in (8, 50):
        pairs = last(gaussian_discriminant(*mixture(400, k, 2, 0), ridge=0.1)).neighbors()
        assert 1 <= len(pairs) <= k
        assert len(set(pairs)) == len(pairs)


def test_worked_by_hand() -> None:
    X = np.array([[0.0, 0], [2, 0], [0, 2], [2, 2], [5, 1], [7, 1], [6, 0], [6, 2]])
    y = np.repeat([0, 1], 4)
    step = last(gaussian_discriminant(X, y))
    assert step.means.tolist() == [[1, 1], [6, 1]]
    assert step.covariances.tolist() == [[[0.75, 0], [0, 0.75]]] * 2
    surface = step.surface(0, 1)
    # Equal priors: the perpendicular bisector x = 3.5, and w = (mu_0 - mu_1) / 0.75.
    np.testing.assert_allclose(surface.linear, [-5 / 0.75, 0], atol=1e-12)
    assert surface.constant == pytest.approx(3.5 * 5 / 0.75)
    assert surface.kind == "line"
    separate = last(gaussian_discriminant(X, y, covariance="separate"))
    np.testing.assert_allclose(separate.covariances, [np.eye(2), 0.5 * np.eye(2)])
    assert separate.surface(0, 1).quadratic.tolist() == pytest.approx(
        np.array([[0.5, 0], [0, 0.5]])
    )
    assert separate.surface(0, 1).kind == "ellipse"


def test_twice_the_prior_moves_the_line_away_from_the_class() -> None:
    """By ln 2 / |w|: repeating points changes the priors alone."""
    X, y = np.array([[-1.0], [1], [3], [5]]), np.array([0, 0, 1, 1])
    even = last(gaussian_discriminant(X, y)).surface(0, 1)
    more = last(gaussian_discriminant(X[[0, 1, 0, 1, 2, 3]], y[[0, 1, 0, 1, 2, 3]])).surface(0, 1)
    assert -even.constant / even.linear[0] == pytest.approx(2)
    assert -more.constant / more.linear[0] == pytest.approx(2 + np.log(2) / 4)


PRIORS = Checked(
    "gaussian_discriminant",
    "scikit-learn's quadratic and naive discriminants with other priors, their probabilities",
    24,
    "fits",
    within=1e-8,
)


@pytest.mark.parametrize("case", range(PRIORS.cases))
def test_other_priors_are_those_of_scikit_learn_and_change_nothing_else(case: int) -> None:
    X, y = preset(PRESETS[case % 8], sample=case // 8)
    covariance = ["separate", "diagonal"][case % 2]
    priors = np.random.default_rng(case).dirichlet(np.full(len(np.unique(y)), 2.0))
    ours = check_steps(gaussian_discriminant(X, y, covariance=covariance, priors=3 * priors))
    model = (
        GaussianNB(priors=priors, var_smoothing=0)
        if covariance == "diagonal"
        else QuadraticDiscriminantAnalysis(priors=priors)
    ).fit(X, y)
    np.testing.assert_allclose(
        ours[-1].predict_proba(X), model.predict_proba(X), rtol=0, atol=PRIORS.within
    )
    plain = list(gaussian_discriminant(X, y, covariance=covariance))
    for step, before in zip(ours, plain, strict=False):
        np.testing.assert_allclose(step.priors, priors)
        np.testing.assert_array_equal(step.means, before.means)
        np.testing.assert_array_equal(step.covariances, before.covariances)


@pytest.mark.parametrize("priors", [[1.0], [0.5, 0.0], [0.5, np.nan], [1.0, 1.0, 1.0]])
def test_priors_that_do_not_fit_are_refused_at_the_call(priors: list) -> None:
    X, y = np.arange(8.0).reshape(4, 2), np.array([0, 0, 1, 1])
    with AsInTheApp(), pytest.raises(ValueError, match="priors must hold 2 positive numbers"):
        gaussian_discriminant(X, y, priors=np.array(priors))


@pytest.mark.parametrize(
    ("quadratic", "linear", "constant", "kind"),
    [
        ([[0, 0], [0, 0]], [1, 2], 3, "line"),
        ([[0, 0], [0, 0]], [0, 0], 3, "nowhere"),
        ([[1, 0], [0, 2]], [0, 0], -1, "ellipse"),
        ([[1, 0], [0, 2]], [0, 0], 1, "nowhere"),
        ([[-1, 0], [0, -2]], [2, 0], 1, "ellipse"),
        ([[1, 0], [0, -2]], [3, 4], 1, "hyperbola"),
        ([[1, 1], [1, 1]], [3, 4], 1, "parabola"),
        ([[0, 0], [0, 1e-9]], [3, 4], 1, "parabola"),
    ],
)
def test_kinds_of_surface(quadratic: list, linear: list, constant: float, kind: str) -> None:
    found = Surface(np.array(quadratic, float), np.array(linear, float), float(constant))
    assert found.kind == kind


def test_the_box_of_an_ellipse() -> None:
    found = Surface(np.array([[4.0, 1.0], [1.0, 1.0]]), np.array([-8.0, -2.0]), -8.0)
    x, y = np.meshgrid(np.linspace(-2, 4, 601), np.linspace(-5, 5, 601))
    inside = np.column_stack([x.ravel(), y.ravel()])
    inside = inside[found(inside) < 0]
    expected = np.stack([inside.min(axis=0), inside.max(axis=0)], axis=1)
    np.testing.assert_allclose(found.box(), expected, atol=0.03)


def test_number_of_parameters_of_the_notes() -> None:
    for m in (1, 2, 10):
        for classes in (2, 5):
            separate = (m + m * (m + 1) // 2) * classes
            assert n_parameters("separate", m, classes) == separate
            assert n_parameters("shared", m, classes) == classes * m + m * (m + 1) // 2
            assert n_parameters("diagonal", m, classes) == 2 * m * classes


LINE = np.outer(np.arange(12.0), [1.0, -2.0])
SINGULAR = {
    "one point of a class": (np.array([[0.0, 1], [1, 0], [2, 5], [3, 3]]), np.array([0, 0, 0, 1])),
    "the same points": (np.repeat([[0.1, 1.0], [2.3, 3.0]], 5, axis=0), np.repeat([0, 1], 5)),
    "on one spot": (np.ones((6, 2)), np.arange(6) % 2),
    "on a line": (LINE, np.arange(12) // 3 % 2),
    "far away on a line": (LINE + 1e7, np.arange(12) // 3 % 2),
    "constant column": (np.stack([np.arange(9.0), np.full(9, 0.7)], axis=1), np.arange(9) % 3),
    "vanishing": (mixture(30, 3, 2, 0)[0] * 1e-200, mixture(30, 3, 2, 0)[1]),
}
HOSTILE = SINGULAR | {
    "two points": (np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([0, 2])),
    "huge": (mixture(30, 3, 2, 0)[0] * 1e98, mixture(30, 3, 2, 0)[1]),
    "tiny": (mixture(30, 3, 2, 0)[0] * 1e-100, mixture(30, 3, 2, 0)[1]),
    "huge and tiny": (mixture(30, 2, 2, 0)[0] * [1e98, 1e-140], mixture(30, 2, 2, 0)[1]),
    "far away": (mixture(30, 2, 2, 0)[0] + 1e8, mixture(30, 2, 2, 0)[1]),
    "an outlier": (
        np.concatenate([mixture(30, 2, 2, 0)[0], [[1e99, -1e99]]]),
        np.arange(31) % 2,
    ),
    "a class per point": (mixture(20, 20, 2, 0)[0], np.arange(20)),
    "more columns than points": (mixture(6, 2, 20, 0)[0], np.arange(6) % 2),
    "eight classes": mixture(200, 8, 2, 0),
    "fifty classes": mixture(300, 50, 2, 0),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("covariance", COVARIANCES)
@pytest.mark.parametrize("ridge", [0.0, 1.0, 1e100])
def test_hostile_data(name: str, covariance: str, ridge: float) -> None:
    X, y = HOSTILE[name]
    steps = check_steps(gaussian_discriminant(X, y, covariance=covariance, ridge=ridge))
    for step in steps[:: max(1, len(steps) // 12)] + steps[-1:]:
        check_model(step, np.concatenate([X, X * -3, 1e50 * X[:1].clip(-1, 1)]))
        if step.pair:
            assert np.isfinite(step.surface(*step.pair).constant)
            assert step.surface(*step.pair).kind
    assert steps[-1].phase == "surface"


@pytest.mark.parametrize("name", SINGULAR)
def test_a_singular_covariance_is_named_and_a_ridge_repairs_it(name: str) -> None:
    X, y = SINGULAR[name]
    steps = check_steps(gaussian_discriminant(X, y, covariance="separate"))
    assert "singular covariance" in [step.event for step in steps]
    assert steps[-1].event == "no surface"
    assert steps[-1].pair is None
    assert steps[-1].singular.any()
    borrowed = steps[0].roots[0]
    for k in np.flatnonzero(steps[-1].singular):
        np.testing.assert_array_equal(steps[-1].roots[k], borrowed)
    repaired = check_steps(gaussian_discriminant(X, y, covariance="separate", ridge=0.1))
    assert not repaired[-1].singular.any()
    assert repaired[-1].event in (None, "surface")


def test_a_shared_covariance_is_singular_only_if_it_ends_so() -> None:
    X, y = SINGULAR["one point of a class"]
    steps = check_steps(gaussian_discriminant(X, 1 - y))
    assert [step.singular.all() for step in steps if step.phase == "covariance"] == [True, False]
    assert "singular covariance" not in [step.event for step in steps]
    assert steps[-1].event == "surface"


def test_many_columns_far_from_the_origin() -> None:
    X, y = mixture(400, 3, 5, 1)
    for covariance in COVARIANCES:
        near = last(gaussian_discriminant(X, y, covariance=covariance))
        far = last(gaussian_discriminant(X + 1e5, y, covariance=covariance))
        np.testing.assert_allclose(far.predict_proba(X + 1e5), near.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"y": np.full(5, 3)}, "y must name at least two classes, got only class 3"),
        (
            {"covariance": "full"},
            "covariance must be one of 'shared', 'separate', 'diagonal', got covariance='full'",
        ),
        ({"ridge": -1.0}, "ridge must be a number from 0 to 1e+100, got ridge=-1.0"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": np.arange(10.0).reshape(5, 2), "y": np.arange(5) % 2} | changes
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        gaussian_discriminant(**given)
    assert str(caught.value) == sentence


def test_the_last_step_is_the_model() -> None:
    X, y = preset("blobs")
    model = last(gaussian_discriminant(X, y))
    assert isinstance(model, GaussianDiscriminantStep)
    np.testing.assert_array_equal(model.predict(model.means), model.classes)


def test_the_half_axes_and_the_correlation_are_those_of_the_covariance() -> None:
    X, y = preset("penguins")
    step = last(gaussian_discriminant(X[:, :2], y, covariance="separate"))
    for k, label in enumerate(step.classes):
        own = X[y == label, :2]
        turned = (own - own.mean(axis=0)) @ np.linalg.svd(own - own.mean(axis=0))[2].T
        np.testing.assert_allclose(step.half_axes(k), turned.std(axis=0), rtol=1e-9)
        assert step.correlation(k) == pytest.approx(np.corrcoef(own.T)[0, 1])
    flat = last(gaussian_discriminant(np.eye(4)[:, :2] * [1, 0], np.array([0, 0, 1, 1]),
                                      covariance="separate"))  # fmt: skip
    assert flat.correlation(0) == 0 and flat.half_axes(1) == (0, 0)
