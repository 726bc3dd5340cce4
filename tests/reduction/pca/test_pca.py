from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray
from sklearn.decomposition import PCA

from algorithms.data.presets import DATASETS
from algorithms.reduction.pca.pca import pca
from algorithms.reduction.pca.power_iteration import power_iteration
from tests.core.samples import dataset, rng
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

TABLES = {
    name: dataset(name, DATASETS[name].n, noise=noise).table
    for name, noise in [
        ("iris", 0.0), ("penguins", 0.1), ("diabetes", 0.0), ("correlated", 0.5),
        ("stretched", 0.25), ("moons", 0.2), ("line", 0.5),
    ]
}  # fmt: skip
POINTS = arrays(
    float, st.tuples(st.integers(2, 20), st.integers(1, 4)), elements=st.floats(-9, 9, width=32)
).filter(lambda X: (X[0] != X).any())


def standardized(X: ndarray) -> ndarray:
    return (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)


SCIKIT_LEARN = Checked(
    "pca",
    "scikit-learn's `PCA`, the shares of the variance",
    14,
    "runs on 7 tables, plain and standardised",
    within=1e-9,
)
assert SCIKIT_LEARN.cases == 2 * len(TABLES)


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("name", TABLES)
def test_agrees_with_scikit_learn(name: str, standardize: bool) -> None:
    X = TABLES[name]
    steps = check_steps(pca(X, standardize=standardize))
    Z = standardized(X) if standardize else X
    theirs = PCA(svd_solver="full").fit(Z)
    ours = steps[-1]
    size = theirs.explained_variance_[0]
    np.testing.assert_allclose(ours.variances, theirs.explained_variance_, atol=1e-12 * size)
    np.testing.assert_allclose(
        ours.explained, theirs.explained_variance_ratio_, rtol=0, atol=SCIKIT_LEARN.within
    )
    signs = np.sign((ours.components * theirs.components_).sum(axis=1))
    np.testing.assert_allclose(ours.components, signs[:, None] * theirs.components_, atol=1e-7)
    for k in range(1, X.shape[1] + 1):
        few = PCA(k, svd_solver="full").fit(Z)
        scores = few.transform(Z)
        sign = np.sign((scores * steps[k].transform(X)).sum(axis=0))
        np.testing.assert_allclose(steps[k].transform(X), sign * scores, atol=1e-6 * np.sqrt(size))
        back = few.inverse_transform(scores)
        if standardize:
            back = X.mean(axis=0) + back * X.std(axis=0, ddof=1)
        np.testing.assert_allclose(steps[k].reconstruct(X), back, atol=1e-6 * np.abs(X).max())


POWER = Checked(
    "pca",
    "scikit-learn's `PCA` against power iteration, cosines between their components and 1",
    5,
    "tables",
    within=1e-9,
)
BY_POWER = ["iris", "penguins", "diabetes", "correlated", "stretched"]
assert POWER.cases == len(BY_POWER)


@pytest.mark.parametrize("name", BY_POWER)
def test_power_iteration_finds_the_same_components(name: str) -> None:
    X = TABLES[name]
    k = min(3, X.shape[1])
    how = {"n_components": k, "max_iter": 5000, "tol": 1e-10}
    steps = check_steps(power_iteration(X, rng=rng(1), standardize=True, **how))
    theirs = PCA(k, svd_solver="full").fit(standardized(X))
    ours = steps[-1]
    assert [step.event for step in steps].count("converged") == k
    cosines = np.abs((ours.components * theirs.components_).sum(axis=1))
    np.testing.assert_allclose(cosines, 1, rtol=0, atol=POWER.within)
    np.testing.assert_allclose(ours.variances, theirs.explained_variance_, rtol=1e-9)
    assert ours.angle < 1e-4


@settings(max_examples=60, deadline=None)
@given(X=POINTS, standardize=st.booleans())
def test_what_holds_for_every_run(X: ndarray, standardize: bool) -> None:
    d = X.shape[1]
    steps = check_steps(pca(X, standardize=standardize))
    assert len(steps) == d + 1
    total = steps[0].total
    if standardize:
        assert total == pytest.approx(np.count_nonzero((X[0] != X).any(axis=0)))
    for k, step in enumerate(steps):
        check_projection(step, X, k)
    for before, after in pairwise(steps):
        assert after.error <= before.error
    assert (np.diff(steps[-1].variances) <= 0).all()
    assert steps[-1].error <= 1e-12 * total
    enough = [i for i, step in enumerate(steps) if step.event == "enough variance"]
    assert len(enough) == 1
    assert steps[enough[0]].explained.sum() >= 0.9 - 1e-12
    assert steps[enough[0] - 1].explained.sum() < 0.9


def check_projection(step, X: ndarray, k: int) -> None:
    U = step.components
    np.testing.assert_allclose(U @ U.T, np.eye(k), atol=1e-9)
    scores, rest = step.transform(X), (X - step.reconstruct(X)) / step.scale
    slack = 1e-9 * step.total
    np.testing.assert_allclose(scores.mean(axis=0), 0, atol=1e-9 * np.sqrt(step.total))
    measured = (scores**2).sum(axis=0) / (len(X) - 1)
    np.testing.assert_allclose(step.variances, measured, atol=slack)
    assert step.error == pytest.approx((rest**2).sum() / (len(X) - 1), abs=slack)
    assert step.variances.sum() + step.error == pytest.approx(step.total, abs=slack)
    np.testing.assert_allclose(step.explained, step.variances / step.total, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(X=POINTS, standardize=st.booleans(), seed=st.integers(0, 9))
def test_what_holds_for_every_power_iteration(X: ndarray, standardize: bool, seed: int) -> None:
    k, most = X.shape[1], 30
    how = {"n_components": k, "max_iter": most, "standardize": standardize}
    steps = check_steps(power_iteration(X, rng=rng(seed), **how))
    slack = 1e-12 * steps[0].total
    for step in steps:
        check_projection(step, X, step.index + 1)
        assert step.shares.sum() == pytest.approx(1)
        assert step.rayleigh == step.variances[-1]
        assert 0 <= step.angle <= 90 + 1e-9
        assert 0 <= step.rate < 1
    for before, after in pairwise(steps):
        if after.index == before.index:
            assert after.iteration == before.iteration + 1
            assert after.rayleigh >= before.rayleigh - slack, "the quotient never falls"
            moved = after.norm * after.components[-1]
            np.testing.assert_allclose(moved, after.product, atol=1e-12 * steps[0].total)
        else:
            assert (before.event, after.iteration) == ("converged", 0)
            assert after.event in ("next component", "converged")
    assert steps[-1].event in ("converged", "stopped at max_iter")


def test_the_tangent_of_the_angle_shrinks_by_the_rate() -> None:
    steps = list(power_iteration(TABLES["diabetes"], rng=rng(4), standardize=True))
    tangents = np.tan(np.radians([step.angle for step in steps]))
    assert (tangents[1:] <= steps[0].rate * tangents[:-1] * (1 + 1e-6)).all()
    ratio = steps[0].eigenvalues[1] / steps[0].eigenvalues[0]
    assert steps[0].rate == pytest.approx(ratio)
    assert tangents[-1] / tangents[-2] == pytest.approx(ratio, rel=1e-2)
    errors = steps[0].eigenvalues[0] - np.array([step.rayleigh for step in steps])
    assert errors[8] / errors[7] == pytest.approx(ratio**2, rel=0.2)


def test_worked_by_hand() -> None:
    X = np.array([[3.0, 1.0], [1.0, 3.0], [-3.0, -1.0], [-1.0, -3.0]]) + np.array([10, 20])
    none, one, two = pca(X)
    assert none.total == none.error == pytest.approx(40 / 3)  # S = (20 12; 12 20) / 3
    np.testing.assert_allclose(two.variances, [32 / 3, 8 / 3])
    np.testing.assert_allclose(two.explained, [0.8, 0.2])
    np.testing.assert_allclose(np.abs(two.components), np.sqrt(0.5))
    np.testing.assert_allclose(none.reconstruct(X), np.tile([10, 20], (4, 1)))
    np.testing.assert_allclose(one.reconstruct(X)[0], [12, 22])
    np.testing.assert_allclose(two.reconstruct(X), X)
    assert [step.event for step in (none, one, two)] == [None, None, "enough variance"]
    assert next(iter(pca(X, target=0.0))).event == "enough variance"
    steps = list(power_iteration(X, rng=rng(2), n_components=2))
    assert steps[0].rate == pytest.approx(0.25)


def test_scaling_changes_what_is_found() -> None:
    X = TABLES["penguins"]
    plain, scaled = (list(pca(X, standardize=flag))[-1] for flag in (False, True))
    assert plain.explained[0] > 0.999, "the body mass in grams is all there is"
    assert np.abs(plain.components[0]).argmax() == 3
    assert scaled.explained[0] < 0.75
    in_kilograms = list(pca(X * [1, 1, 1, 1e-3], standardize=True))[-1]
    np.testing.assert_allclose(scaled.components, in_kilograms.components, atol=1e-9)


def test_equal_eigenvalues_make_a_whole_plane_the_answer() -> None:
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    (step,) = power_iteration(X, rng=rng())
    assert (step.event, step.rate) == ("converged", 0.0)
    assert step.angle == pytest.approx(0, abs=1e-6)


def test_points_on_a_line_have_one_component() -> None:
    X = np.outer(np.arange(9.0), [1.0, 2.0, 2.0]) + 1e4
    steps = list(power_iteration(X, rng=rng(), n_components=3))
    assert {step.index for step in steps} == {0}
    last = list(pca(X))[-1]
    np.testing.assert_allclose(last.components[0], [1 / 3, 2 / 3, 2 / 3])
    np.testing.assert_allclose(last.explained, [1, 0, 0], atol=1e-12)


def test_round_data_stop_at_max_iter_and_say_so() -> None:
    X = rng(1).normal(size=(2000, 2))
    steps = list(power_iteration(X, rng=rng(), n_components=2, max_iter=20))
    assert steps[0].rate > 0.9
    assert (len(steps), steps[-1].event, steps[-1].index) == (21, "stopped at max_iter", 0)


HOSTILE = {
    "two points": np.array([[0.0, 1.0], [2.0, 1.0]]),
    "a constant column": np.array([[0.1, 1.0, 5.0], [0.1, 2.0, 6.0], [0.1, 4.0, 1.0]]),
    "far away": rng(2).normal(size=(40, 3)) + 1e9,
    "large": rng(3).normal(size=(40, 3)) * 1e99,
    "small": rng(3).normal(size=(40, 3)) * 1e-99,
    "large and small": rng(3).normal(size=(40, 2)) * [1e99, 1e-99],
    "more columns than points": rng(4).normal(size=(5, 30)),
    "many": rng(5).normal(size=(5000, 60)),
}


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_data(name: str, standardize: bool) -> None:
    X = HOSTILE[name]
    steps = check_steps(pca(X, standardize=standardize))
    assert np.isfinite(steps[-1].reconstruct(X)).all()
    k = min(3, X.shape[1])
    for step in check_steps(power_iteration(X, rng=rng(), n_components=k, standardize=standardize)):
        assert np.isfinite(step.transform(X)).all()


@pytest.mark.parametrize("function", [pca, lambda X, **how: power_iteration(X, rng=rng(), **how)])
@pytest.mark.parametrize(
    ("X", "how", "sentence"),
    [
        (np.ones((1, 2)), {}, "X must hold at least two points, got n=1"),
        (np.full((4, 2), 0.1), {}, "X must hold two different points"),
        (np.eye(2), {"n_components": 0}, "n_components must be between 1 and d=2"),
        (np.eye(2), {"n_components": 3}, "n_components must be between 1 and d=2"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(function, X, how, sentence) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        function(X, **how)


def test_the_target_is_a_share() -> None:
    with pytest.raises(ValueError, match="target must be a share from 0 to 1, got target=90"):
        pca(np.eye(2), target=90.0)
