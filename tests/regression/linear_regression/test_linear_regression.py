from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression

from algorithms.regression.linear_regression.linear_regression import linear_regression, moments
from algorithms.regression.linear_regression.squared_loss import gradient, squared_loss
from tests.core.samples import features_and_target
from tests.house.check_steps import AsInTheApp, check_model, check_steps
from tests.house.checked import Checked

PRESETS = ("line", "line with outliers", "sine", "step", "correlated", "diabetes", "penguins")
SCIKIT_LEARN = Checked(
    "linear_regression",
    "scikit-learn's least squares, fitted values relative to the largest target",
    42,
    "data sets with one or more features",
    within=1e-9,
)
DERIVATIVES = Checked(
    "linear_regression",
    "Numerical derivatives of the mean squared error",
    80,
    "random problems and places",
    within=1e-6,
)


def table_of(case: int) -> tuple[np.ndarray, np.ndarray]:
    """Return another preset, number of features or sample for every case."""
    kinds = 2 * len(PRESETS)
    return features_and_target(
        PRESETS[case % len(PRESETS)], one=case % 2 == 0, sample=1 + case // kinds
    )


@pytest.mark.parametrize("case", range(SCIKIT_LEARN.cases))
def test_agrees_with_scikit_learn_and_numpy(case: int) -> None:
    X, y = table_of(case)
    steps = check_steps(linear_regression(X, y))
    ours, theirs = steps[-1], LinearRegression().fit(X, y)
    A = np.column_stack([X, np.ones(len(X))])
    theta = np.linalg.lstsq(A, y)[0]
    np.testing.assert_allclose(ours.weights, theirs.coef_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose([*ours.weights, ours.intercept], theta, rtol=1e-7, atol=1e-10)
    assert ours.intercept == pytest.approx(theirs.intercept_, rel=1e-8)
    assert ours.r_squared == pytest.approx(theirs.score(X, y), abs=1e-10)
    near = SCIKIT_LEARN.within * np.abs(y).max()
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=0, atol=near)
    assert len(steps) == X.shape[1] + 2
    for j in range(X.shape[1]):
        first = LinearRegression().fit(X[:, : j + 1], y)
        np.testing.assert_allclose(
            steps[j + 2].weights,
            [*first.coef_, *np.zeros(X.shape[1] - j - 1)],
            rtol=1e-7,
            atol=1e-9,
        )


@settings(max_examples=120, deadline=None)
@given(
    n=st.integers(1, 30),
    d=st.integers(1, 4),
    seed=st.integers(0, 999),
    unit=st.sampled_from([1e-6, 1.0, 1e5]),
    kind=st.sampled_from(["plain", "twice", "constant", "rounded", "far"]),
)
def test_what_holds_for_every_projection(n: int, d: int, seed: int, unit: float, kind: str) -> None:
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(n, d)), random.normal(size=n) + 1
    if kind == "twice":
        X[:, -1] = X[:, 0]
    elif kind == "constant":
        X[:, 0] = 3.0
    elif kind == "rounded":
        X, y = X.round(), y.round()
    elif kind == "far":
        X = X + 1e4
    X = X * unit
    steps = check_steps(linear_regression(X, y))
    length = np.linalg.norm(y)
    assert [step.column for step in steps] == list(range(-2, d))
    assert not steps[0].predict(X).any()
    np.testing.assert_allclose(steps[1].predict(X), y.mean(), atol=1e-12)
    for before, after in pairwise(steps):
        assert after.before == before.residual
        assert after.before**2 == pytest.approx(
            after.part**2 + after.residual**2, abs=1e-9 * (1 + length**2)
        ), "Pythagoras"
        residual = y - after.predict(X)
        used = X[:, : after.column + 1]
        size = 1e-8 * (1 + length) * (1 + np.abs(X).max()) * n
        assert abs(residual.sum()) < 1e-8 * (1 + length) * n
        assert np.abs(used.T @ residual).max(initial=0) < size, "orthogonal to the features used"
        np.testing.assert_allclose(
            after.products, [*(X.T @ residual), residual.sum()], atol=size + 1e-8 * length * n
        )
        assert after.loss == pytest.approx((residual**2).mean(), abs=1e-9)
        total = ((y - y.mean()) ** 2).sum()
        if total > 1e-9:
            explained = ((after.predict(X) - y.mean()) ** 2).sum()
            assert after.r_squared == pytest.approx(explained / total, abs=1e-6), "R² identity"
    if kind == "twice" and d > 1:
        assert steps[-1].event == "nothing new"
    if kind == "constant":
        assert steps[2].event == "nothing new"


def test_worked_by_hand() -> None:
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([1.0, 3.0, 2.0, 6.0])
    assert moments(X[:, 0], y) == (1.5, 3.0, 5.0, 7.0)
    zero, mean, line = linear_regression(X, y)
    assert (zero.residual**2, mean.part**2, mean.residual**2) == pytest.approx((50, 36, 14))
    assert (line.weights[0], line.intercept) == pytest.approx((1.4, 0.9))
    assert (line.part**2, line.residual**2) == pytest.approx((9.8, 4.2))
    assert line.r_squared == pytest.approx(0.7)
    assert [step.event for step in (zero, mean, line)] == [None, "mean", "solved"]
    np.testing.assert_allclose(line.products, 0, atol=1e-12)


@pytest.mark.parametrize("seed", range(DERIVATIVES.cases))
def test_the_bowl_is_the_mean_squared_error(seed: int) -> None:
    random = np.random.default_rng(seed)
    n, d = 2 + seed % 29, 1 + seed % 3
    X, y, theta = random.normal(size=(n, d)), random.normal(size=n), random.normal(size=d + 1)
    bowl = squared_loss(X, y)

    def mean_squared_error(theta: np.ndarray) -> float:
        return float(((y - X @ theta[:-1] - theta[-1]) ** 2).mean())

    assert bowl.floor + bowl.excess(theta) == pytest.approx(mean_squared_error(theta))
    numeric = [
        (mean_squared_error(theta + h) - mean_squared_error(theta - h)) / 2e-5
        for h in 1e-5 * np.eye(d + 1)
    ]
    near = DERIVATIVES.within
    np.testing.assert_allclose(gradient(bowl.A, y, theta), numeric, rtol=0, atol=near)
    rows = random.integers(n, size=5)
    part = squared_loss(X[rows], y[rows])
    np.testing.assert_allclose(
        gradient(bowl.A[rows], y[rows], theta), gradient(part.A, part.y, theta), atol=1e-12
    )
    distance = bowl.axes.T @ (theta - bowl.minimum)
    quadratic = bowl.curvatures @ distance**2 / 2
    assert bowl.excess(theta) == pytest.approx(quadratic, abs=1e-9)
    if d == 1:
        for excess in (0.1, 3.0):
            values = [bowl.excess(place) for place in bowl.contour(excess)]
            if bowl.curvatures[0] > 1e-6:
                np.testing.assert_allclose(values, excess, rtol=1e-6)


HOSTILE = {
    "one point": (np.array([[3.0]]), np.array([2.0])),
    "two points": (np.array([[3.0], [4.0]]), np.array([2.0, 1.0])),
    "the same point": (np.full((5, 1), 0.1), np.full(5, 0.3)),
    "above each other": (np.full((6, 1), 0.1), np.arange(6.0)),
    "level": (np.arange(6.0)[:, None], np.full(6, 0.1)),
    "zeros": (np.zeros((4, 2)), np.zeros(4)),
    "duplicates": (np.repeat([[0.0], [1.0]], 10, axis=0), np.tile([1.0, 2.0], 10)),
    "on a line": (np.arange(9.0)[:, None], 2 * np.arange(9.0) - 1),
    "huge": (np.arange(9.0)[:, None] * 1e98, np.arange(9.0) ** 2 * 1e98),
    "tiny": (np.arange(9.0)[:, None] * 1e-90, np.arange(9.0) ** 2 * 1e-90),
    "vanishing": (np.arange(9.0)[:, None] * 1e-300, np.arange(9.0) ** 2),
    "vanishing targets": (np.arange(9.0)[:, None], np.arange(9.0) ** 2 * 1e-300),
    "far away": (np.arange(9.0)[:, None] + 1e9, np.arange(9.0) ** 2),
    "an outlier": (np.append(np.arange(9.0), 1e99)[:, None], np.append(np.arange(9.0), -1e99)),
    "more columns than points": (np.arange(12.0).reshape(2, 6) ** 2, np.array([1.0, 5.0])),
    "large": (np.random.default_rng(0).normal(size=(5000, 1)), np.arange(5000.0) % 7),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_data(name: str) -> None:
    X, y = HOSTILE[name]
    steps = check_steps(linear_regression(X, y))
    assert steps[-1].event in ("solved", "nothing new")
    for step in steps:
        check_model(step, X)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"y": np.arange(4.0)}, "y must have shape (n,) = (5,) like X, got shape (4,)"),
        ({"y": np.full(5, np.nan)}, "y must be finite, got nan"),
        ({"X": np.ones((5, 0))},
         "X must have shape (n, d) with n and d at least 1, got shape (5, 0)"),
    ],
)  # fmt: skip
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": np.arange(5.0)[:, None], "y": np.arange(5.0)} | changes
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        linear_regression(**given)
    assert str(caught.value) == sentence
