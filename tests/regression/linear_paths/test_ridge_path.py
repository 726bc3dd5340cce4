"""The paths of ridge and lasso against scikit-learn, and what holds at every step."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray
from sklearn.linear_model import Lasso, LinearRegression, Ridge, lars_path

from algorithms.data.presets import DATASETS
from algorithms.regression.linear_paths.lasso_path import lasso_path, weights_at
from algorithms.regression.linear_paths.ridge_path import ridge_path, ridge_penalties
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"penalties": [100.0, 1.0, 0.0]}
RIDGE = Checked(
    "linear_paths",
    "scikit-learn's ridge, fitted values relative to the largest target",
    180,
    "penalties on nine data sets",
    within=1e-6,
)
KNOTS = Checked(
    "linear_paths",
    "scikit-learn's path of LARS for the lasso, all knots and weights relative to the largest",
    9,
    "data sets",
    within=1e-6,
)
LASSO = Checked(
    "linear_paths",
    "scikit-learn's coordinate descent for the lasso, weights relative to the largest",
    160,
    "penalties on eight data sets",
    within=1e-5,
)
MINIMUM = Checked(
    "linear_paths",
    "The conditions for a minimum at every knot, relative to the length of a column times that of "
    "y",
    60,
    "random data sets",
    within=1e-9,
)


def table(name: str, n: int = 80) -> tuple[ndarray, ndarray]:
    """Return the features and the target of a preset; a single feature becomes its powers."""
    preset = DATASETS[name]
    data = preset.make(min(n, preset.n), noise=0.1, rng=np.random.default_rng(1))
    X = np.delete(data.table, data.y, axis=1)
    if X.shape[1] == 1:
        X = (X / 3) ** np.arange(1, 5)
    return X, data.table[:, data.y]


PRESETS = ["diabetes", "correlated", "penguins", "iris", "sine", "step", "line with outliers"]
DATA = {name: table(name) for name in PRESETS}
DATA["all of diabetes"] = table("diabetes", 442)
DATA["more columns than points"] = (
    np.random.default_rng(2).normal(size=(12, 20)),
    np.random.default_rng(3).normal(size=12),
)


# Ridge


@pytest.mark.parametrize("name", DATA)
def test_ridge_agrees_with_scikit_learn(name: str) -> None:
    X, y = DATA[name]
    penalties = ridge_penalties(X, RIDGE.cases // len(DATA))
    steps = check_steps(ridge_path(X, y, penalties))
    assert len(DATA) * len(steps) == RIDGE.cases
    near = RIDGE.within * np.abs(y).max()
    for penalty, step in zip(penalties, steps, strict=True):
        theirs = Ridge(penalty, solver="svd").fit(X, y)
        assert step.penalty == penalty
        np.testing.assert_allclose(
            step.weights, theirs.coef_, rtol=1e-6, atol=1e-6 * np.abs(theirs.coef_).max()
        )
        assert step.intercept == pytest.approx(theirs.intercept_, rel=1e-6, abs=1e-6 * y.std())
        np.testing.assert_allclose(step.predict(X), theirs.predict(X), rtol=0, atol=near)


@settings(max_examples=45, deadline=None)
@given(
    X=arrays(float, st.tuples(st.integers(1, 12), st.integers(1, 5)), elements=st.integers(-4, 4)),
    seed=st.integers(0, 99),
)
def test_ridge_solves_the_normal_equations(X: ndarray, seed: int) -> None:
    y = np.random.default_rng(seed).normal(size=len(X))
    A = X - X.mean(axis=0)
    norms, freedoms = [], []
    for step in check_steps(ridge_path(X, y, [50.0, 3.0, 0.1, 0.0])):
        gradient = A.T @ (A @ step.weights - (y - y.mean())) + step.penalty * step.weights
        np.testing.assert_allclose(gradient, 0, atol=1e-9)
        assert step.predict(X).mean() == pytest.approx(y.mean(), abs=1e-9)
        norms.append(np.linalg.norm(step.weights))
        freedoms.append(step.freedom)
        assert step.freedom == pytest.approx(step.kept.sum())
        assert step.active.tolist() == np.flatnonzero(step.weights).tolist()
    assert all(a <= b + 1e-12 for a, b in pairwise(norms)), "the weights grow"
    assert all(a <= b + 1e-12 for a, b in pairwise(freedoms))
    assert freedoms[-1] == pytest.approx(np.linalg.matrix_rank(A))


def test_the_freedom_of_ridge_is_the_trace_of_its_hat_matrix() -> None:
    X, y = DATA["diabetes"]
    A = X - X.mean(axis=0)
    (step,) = ridge_path(X, y, [7.0])
    hat = A @ np.linalg.solve(A.T @ A + 7 * np.eye(10), A.T)
    assert step.freedom == pytest.approx(np.trace(hat))


def test_ridge_of_dependent_columns_shares_the_weight() -> None:
    x = np.arange(6.0)
    steps = list(ridge_path(np.column_stack([x, x, 0 * x + 5]), 2 * x, [1.0, 0.0]))
    np.testing.assert_allclose(steps[1].weights, [1, 1, 0], atol=1e-12)  # of least norm
    np.testing.assert_allclose(steps[0].weights, [35 / 36, 35 / 36, 0], atol=1e-12)


def test_ridge_by_hand() -> None:
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 2.0, 6.0])
    first, second = ridge_path(X, y, [2.0, 0.0])
    assert (first.weights[0], first.intercept) == pytest.approx((1.25, 1.75))  # 5 / (2 + 2)
    assert (second.weights[0], second.intercept) == pytest.approx((2.5, 0.5))
    assert (first.freedom, second.freedom) == pytest.approx((0.5, 1))


@pytest.mark.parametrize("scale", [1e-90, 1.0, 1e90])
def test_the_penalties_for_ridge_follow_the_scale(scale: float) -> None:
    X, y = DATA["sine"]
    penalties = ridge_penalties(X * scale, 10)
    assert len(penalties) == 10 and (np.diff(penalties) < 0).all()
    steps = list(ridge_path(X * scale, y, penalties))
    assert steps[0].freedom < 0.2 and steps[-1].freedom > 3.6
    assert (ridge_penalties(np.full((4, 2), 3.0), 3) > 0).all()


# The lasso path


def check_knots(X: ndarray, y: ndarray, steps: list) -> None:
    """Check the conditions for a minimum at every step, and what the steps say of themselves."""
    A, target = X - X.mean(axis=0), y - y.mean()
    scale = np.linalg.norm(A, axis=0).max() * np.linalg.norm(target) + 1e-30
    slack = MINIMUM.within * scale
    for before, step in zip([None, *steps], steps, strict=False):
        c = A.T @ (target - A @ step.weights)
        held = step.weights != 0
        assert (np.abs(c) <= step.penalty + slack).all()
        np.testing.assert_allclose(
            c[held], step.penalty * np.sign(step.weights[held]), rtol=0, atol=slack
        )
        np.testing.assert_allclose(step.correlations, c, rtol=0, atol=slack)
        assert set(np.flatnonzero(held)) <= set(step.active) | {step.variable}
        assert len(set(step.active.tolist())) == len(step.active)
        if before:
            assert step.penalty <= before.penalty
            assert (step.penalty < before.penalty) or step.variable >= 0
        if step.variable >= 0:
            enters = step.variable in step.active
            assert (step.event == "variable enters") == enters or step.event.startswith("stopped")
            assert step.weights[step.variable] == 0
            assert step.length <= step.gap / step.speed + 1e-9 * scale
        columns = A[:, step.active]
        assert np.linalg.matrix_rank(columns, tol=1e-9) == len(step.active)
    assert [step.event for step in steps].count("least squares") == 1
    assert (steps[-1].event, steps[-1].penalty) == ("least squares", 0)


@pytest.mark.parametrize("case", range(KNOTS.cases))
def test_the_knots_are_those_of_lars_path(case: int) -> None:
    X, y = list(DATA.values())[case]
    X = X / X.std(axis=0)
    steps = check_steps(lasso_path(X, y))
    alphas, _, weights = lars_path(X - X.mean(axis=0), y - y.mean(), method="lasso")
    penalties = np.array([step.penalty for step in steps])
    near = KNOTS.within * penalties[0]
    np.testing.assert_allclose(penalties, alphas * len(X), rtol=0, atol=near)
    near = KNOTS.within * np.abs(weights).max()
    for step, theirs in zip(steps, weights.T, strict=True):
        np.testing.assert_allclose(step.weights, theirs, rtol=0, atol=near)
    check_knots(X, y, steps)


FULL_RANK = [name for name in DATA if name != "more columns than points"]


@pytest.mark.parametrize("name", FULL_RANK)
def test_the_path_agrees_with_scikit_learn(name: str) -> None:
    X, y = DATA[name]
    X = X / X.std(axis=0)
    steps = list(lasso_path(X, y))
    count = LASSO.cases // len(FULL_RANK)
    penalties = steps[0].penalty * np.logspace(-0.05, -3, count)
    ours = weights_at(steps, penalties)
    assert len(FULL_RANK) * len(ours) == LASSO.cases
    for penalty, weights in zip(penalties, ours, strict=True):
        theirs = Lasso(penalty / len(X), tol=1e-15, max_iter=10**6).fit(X, y)
        near = LASSO.within * np.abs(theirs.coef_).max()
        np.testing.assert_allclose(weights, theirs.coef_, rtol=0, atol=near)


def test_the_ends_of_the_path() -> None:
    X, y = DATA["diabetes"]
    steps = list(lasso_path(X, y))
    assert steps[0].weights.tolist() == [0] * 10
    assert steps[0].intercept == pytest.approx(y.mean())
    theirs = LinearRegression().fit(X, y)
    np.testing.assert_allclose(steps[-1].weights, theirs.coef_, rtol=1e-8)
    assert steps[-1].intercept == pytest.approx(theirs.intercept_)
    np.testing.assert_allclose(weights_at(steps, np.array([1e9, 0.0])), [[0] * 10, theirs.coef_])


def test_steps_between_the_knots_lie_on_the_path() -> None:
    X, y = DATA["diabetes"]
    knots, steps = list(lasso_path(X, y)), check_steps(lasso_path(X, y, between=3))
    assert [s.penalty for s in steps if s.event] == [s.penalty for s in knots]
    assert len(steps) == len(knots) + 3 * (len(knots) - 1)  # the first two are one knot apart
    check_knots(X, y, steps)
    for step in steps:
        (on_path,) = weights_at(knots, np.array([step.penalty]))
        np.testing.assert_allclose(step.weights, on_path, atol=1e-9 * np.abs(on_path).max())


def test_the_slope_leads_to_the_next_knot() -> None:
    steps = list(lasso_path(*DATA["all of diabetes"]))
    assert "variable leaves" in [step.event for step in steps]
    for step, after in pairwise(steps):
        moved = step.weights + (step.penalty - after.penalty) * step.slope
        np.testing.assert_allclose(moved, after.weights, atol=1e-8)
        assert after.length == pytest.approx(step.penalty - after.penalty)
        assert after.gap / after.speed == pytest.approx(after.length)


@settings(max_examples=70, deadline=None)
@given(
    X=arrays(float, st.tuples(st.integers(1, 9), st.integers(1, 6)), elements=st.integers(-3, 3)),
    y=arrays(float, 9, elements=st.integers(-3, 3)),
    doubled=st.integers(0, 3),
)
@example(X=np.zeros((3, 2)), y=np.ones(9), doubled=0)
@example(X=np.array([[2.0], [1], [0]]), y=np.array([1.0, 0, 1]), doubled=0)  # uncorrelated
def test_every_knot_is_a_minimum_with_ties_duplicates_and_sums(
    X: ndarray, y: ndarray, doubled: int
) -> None:
    """Small integers: columns coincide, sum up to each other and tie, again and again."""
    extra = [X[:, :1], -X[:, -1:], X.sum(axis=1, keepdims=True), np.ones((len(X), 1))]
    X = np.hstack([X, *extra[:doubled]])
    y = y[: len(X)]
    steps = check_steps(lasso_path(X, y))
    assert len(steps) < 100
    check_knots(X, y, steps)


@pytest.mark.parametrize("seed", range(MINIMUM.cases))
def test_every_knot_is_a_minimum(seed: int) -> None:
    random = np.random.default_rng(seed)
    n, d, far = 2 + seed % 29, 1 + seed % 12, seed % 2 == 1
    X = random.normal(size=(n, d)) @ random.normal(size=(d, d)) + 1e3 * far
    y = random.normal(size=n)
    steps = check_steps(lasso_path(X, y))
    check_knots(X, y, steps)
    fits = [np.square(y - step.predict(X)).sum() for step in steps]
    norms = [np.abs(step.weights).sum() for step in steps]
    assert all(b <= a + 1e-9 for a, b in pairwise(fits)), "a smaller penalty fits better"
    assert all(a <= b + 1e-9 * norms[-1] for a, b in pairwise(norms)), "and lets the weights grow"


@pytest.mark.parametrize("apart", [1e-2, 1e-4, 1e-5])
def test_near_collinear_columns_do_no_harm_up_to_a_condition_of_a_million(apart: float) -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(30, 6)), rng.normal(size=30)
        X[:, 1] = X[:, 0] + apart * rng.normal(size=30)
        X[:, 3] = X[:, 2] + apart * rng.normal(size=30)
        y += X[:, 0] - X[:, 2]
        X, y = X - X.mean(axis=0), y - y.mean()
        assert np.linalg.cond(X) < 1e6
        steps = list(lasso_path(X, y))
        for step in steps:
            c, used = X.T @ (y - X @ step.weights), step.weights != 0
            most = step.penalty + 1e-9 * steps[0].penalty
            assert (np.abs(c) <= most).all()
            signs = np.sign(step.weights[used])
            np.testing.assert_allclose(c[used], step.penalty * signs, atol=most - step.penalty)


def test_ties_come_in_the_order_of_the_columns() -> None:
    X = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])
    steps = list(lasso_path(X, X @ [2.0, 2, 2]))  # orthogonal columns, equally correlated
    found = [(step.variable, step.penalty, step.event) for step in steps]
    enters = "variable enters"
    assert found == [(0, 4, enters), (1, 4, enters), (2, 4, enters), (-1, 0, "least squares")]
    np.testing.assert_allclose(steps[-1].weights, [2, 2, 2])


def test_a_duplicate_stays_out() -> None:
    random = np.random.default_rng(4)
    X = random.normal(size=(30, 3))
    y = X @ [2.0, -1.0, 0.5] + random.normal(size=30)
    plain = list(lasso_path(X, y))
    double = list(lasso_path(np.hstack([X, X[:, :1], -2 * X[:, 1:2] / 2]), y))
    assert len(plain) == len(double)
    for a, b in zip(plain, double, strict=True):
        assert a.penalty == pytest.approx(b.penalty)
        np.testing.assert_allclose(b.weights, [*a.weights, 0, 0], atol=1e-12)


def test_orthogonal_columns_are_thresholded_one_by_one() -> None:
    X = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]]) / 2  # orthonormal, means 0
    steps = list(lasso_path(X, X @ [3.0, -1.0] + 7))
    assert [step.penalty for step in steps] == pytest.approx([3, 1, 0])
    np.testing.assert_allclose([s.weights for s in steps], [[0, 0], [2, 0], [3, -1]], atol=1e-12)
    assert [step.intercept for step in steps] == pytest.approx([7, 7, 7])


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.array([[3.0, 4.0]]), np.array([1.0])),
        (np.ones((5, 2)), np.arange(5.0)),
        (np.arange(10.0).reshape(5, 2), np.full(5, 0.1)),
        (np.random.default_rng(0).normal(size=(9, 3)) * 1e95, np.arange(9.0)),
        (np.random.default_rng(0).normal(size=(9, 3)) * 1e-95, np.arange(9.0)),
        (np.random.default_rng(0).normal(size=(9, 3)) * [1e60, 1, 1e-60], np.arange(9.0)),
        (np.vander(np.linspace(0.99, 1.01, 40), 11)[:, :-1], np.sin(np.arange(40.0))),
        (np.random.default_rng(0).normal(size=(5000, 40)), np.arange(5000.0) % 7),
    ],
    ids=["one point", "constant X", "constant y", "huge", "tiny", "mixed", "powers", "large"],
)  # fmt: skip
def test_hostile_data(X: ndarray, y: ndarray) -> None:
    for steps in (check_steps(lasso_path(X, y)), check_steps(ridge_path(X, y, [1.0, 0.0]))):
        assert np.isfinite(steps[-1].predict(X)).all()
        fall = np.square(y - y.mean()).sum() - np.square(y - steps[-1].predict(X)).sum()
        assert fall >= -1e-9 * np.square(y).sum()


def test_the_number_of_knots_is_limited() -> None:
    X, y = DATA["diabetes"]
    steps = check_steps(lasso_path(X, y, max_iter=4))
    assert [step.event for step in steps] == ["variable enters"] * 3 + ["stopped at max_iter"]


# Arguments


@pytest.mark.parametrize(
    ("function", "changes", "sentence"),
    [
        (lasso_path, {"between": -1}, "between must be at least 0, got between=-1"),
        (lasso_path, {"max_iter": 0}, "max_iter must be at least 1, got max_iter=0"),
        (ridge_path, {"penalties": []}, "penalties must be a list of numbers, got []"),
        (ridge_path, {"penalties": 3.0}, "penalties must be a list of numbers, got 3.0"),
        (ridge_path, {"penalties": [1, -2]}, "penalties must not be negative, got -2"),
        (ridge_path, {"penalties": [np.nan]}, "penalties must be finite, got nan"),
    ],
)  # fmt: skip
def test_bad_arguments_are_refused_at_the_call(function, changes: dict, sentence: str) -> None:
    given = {"X": np.arange(10.0).reshape(5, 2), "y": np.arange(5.0)}
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        function(**given | changes)
    assert str(caught.value) == sentence
