from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

from algorithms.classification.linear.logistic_regression._newton_direction import newton_direction
from algorithms.classification.linear.logistic_regression.logistic_regression import (
    START_SPREAD,
    at_rate,
    descend,
    elsewhere,
    largest_stable_rate,
    logistic_regression,
    objective,
)
from algorithms.classification.linear.logistic_regression.task import as_task
from algorithms.core.features import polynomial_features
from algorithms.core.iterate import moved, resumed
from algorithms.core.record import last
from tests.core.samples import labelled
from tests.house.check_steps import AsInTheApp, check_model, check_steps, measured, same
from tests.house.checked import Checked

STEP = 1e-5  # of the finite differences
ONE_CLASS = "y must name at least two classes, got only class 3"


def data(n: int, k: int, seed: int = 0, d: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Return overlapping classes, labelled by odd integers."""
    random = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(k), random.integers(k, size=n - k)])
    X = random.normal(size=(k, d))[codes] + random.normal(size=(n, d))
    return X, 2 * codes - 3


def separable(n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(3).normal(size=(n, 2))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    return X + 0.3 * (2 * y - 1)[:, None], y


def events(steps: list) -> list[tuple[int, str]]:
    return [(step.index, step.event) for step in steps if step.event]


IRIS = load_iris()
DATA = {
    "two classes": data(120, 2),
    "three classes": data(150, 3, seed=1),
    "five classes, three columns": data(200, 5, seed=2, d=3),
    "few": data(12, 3, seed=4),
    "separable": separable(),
    "iris": (IRIS.data - IRIS.data.mean(axis=0), IRIS.target),
    "degree 3": (polynomial_features(data(150, 2)[0], 3)(data(150, 2)[0]), data(150, 2)[1]),
}


WITH_PENALTY = Checked(
    "logistic_regression",
    "scikit-learn with a penalty, its weights and probabilities, by either method",
    28,
    "fits",
    within=1e-6,
)


@pytest.mark.parametrize("case", range(WITH_PENALTY.cases))
def test_agrees_with_scikit_learn(case: int) -> None:
    X, y = DATA[[*DATA][case % 7]]
    method, penalty = ["newton", "gradient"][case // 7 % 2], [0.3, 0.01][case // 14]
    rate = 0.95 * largest_stable_rate(X, penalty, len(np.unique(y)))
    ours = last(
        logistic_regression(
            X,
            y,
            method=method,
            penalty=penalty,
            learning_rate=rate,
            max_iter=20_000,
            tol=1e-9,
        )
    )
    theirs = LogisticRegression(
        C=1 / (len(X) * penalty), solver="newton-cholesky", tol=1e-12, max_iter=1000
    ).fit(X, y)
    assert ours.event == "converged"
    np.testing.assert_array_equal(ours.classes, theirs.classes_)
    near = {"rtol": 0, "atol": WITH_PENALTY.within}
    np.testing.assert_allclose(ours.weights, theirs.coef_, **near)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), **near)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    assert ours.accuracy == theirs.score(X, y)
    np.testing.assert_allclose(
        ours.intercepts - ours.intercepts.mean() * (len(theirs.classes_) > 2),
        theirs.intercept_ - theirs.intercept_.mean() * (len(theirs.classes_) > 2),
        atol=1e-6,
    )


WITHOUT_PENALTY = Checked(
    "logistic_regression",
    "scikit-learn without a penalty, its probabilities",
    12,
    "fits",
    within=1e-6,
)


@pytest.mark.parametrize("case", range(WITHOUT_PENALTY.cases))
def test_agrees_with_scikit_learn_without_a_penalty(case: int) -> None:
    X, y = data(150, 2 + case % 3, seed=case, d=2 + case // 6)
    ours = last(logistic_regression(X, y, tol=1e-10))
    how = {"solver": "newton-cholesky", "tol": 1e-12, "max_iter": 1000}
    theirs = LogisticRegression(C=np.inf, **how).fit(X, y)
    assert ours.event == "converged"
    np.testing.assert_allclose(
        ours.predict_proba(X), theirs.predict_proba(X), rtol=0, atol=WITHOUT_PENALTY.within
    )
    # Of all that predict the same, ours sum to zero over the classes.
    rows = len(ours.classes) > 2
    np.testing.assert_allclose(ours.weights.sum(axis=0) * rows, 0, atol=1e-12)
    np.testing.assert_allclose(ours.intercepts.sum() * rows, 0, atol=1e-12)
    np.testing.assert_allclose(
        ours.weights, theirs.coef_ - theirs.coef_.mean(axis=0) * rows, atol=1e-5
    )


DERIVATIVES = Checked(
    "logistic_regression",
    "Numerical derivatives of the loss",
    60,
    "random problems",
    within=1e-8,
)


@settings(max_examples=DERIVATIVES.cases, deadline=None)
@given(
    n=st.integers(4, 40),
    k=st.integers(2, 4),
    d=st.integers(1, 3),
    seed=st.integers(0, 999),
    penalty=st.sampled_from([0.0, 0.1]),
)
def test_gradient_and_newton_direction_by_finite_differences(
    n: int, k: int, d: int, seed: int, penalty: float
) -> None:
    X, y = data(n, k, seed, d)
    task = as_task(X, y, penalty)
    shape = task.shape
    t = np.random.default_rng(seed).normal(size=shape)
    here = objective(task, t)

    numeric = np.zeros(shape)
    columns = []
    for index in np.ndindex(shape):
        change = np.zeros(shape)
        change[index] = STEP
        up, down = objective(task, t + change), objective(task, t - change)
        numeric[index] = (up.loss - down.loss) / (2 * STEP)
        columns.append(((up.g - down.g) / (2 * STEP)).ravel())
    np.testing.assert_allclose(here.g, numeric, rtol=0, atol=DERIVATIVES.within)

    direction = newton_direction(task, here.P, here.g)
    hessian = np.array(columns)
    if k > 2:  # the flat direction: the t here does not sum to zero, the directions do
        assert np.abs(direction.sum(axis=0)).max() < 1e-9
    if np.linalg.eigvalsh(hessian)[-1] > 1e-3 and np.linalg.cond(hessian) < 1e6:
        np.testing.assert_allclose(hessian @ direction.ravel(), here.g.ravel(), atol=1e-6)


@settings(max_examples=80, deadline=None)
@given(
    n=st.integers(4, 60),
    k=st.integers(2, 4),
    seed=st.integers(0, 999),
    penalty=st.sampled_from([0.0, 1e-3, 1.0]),
    unit=st.sampled_from([1e-2, 1.0, 30.0]),
    duplicate=st.booleans(),
)
@example(n=34, k=4, seed=431, penalty=0.0, unit=0.01, duplicate=True)  # weights of 229
def test_newton_never_raises_the_loss_and_ends_named(
    n: int, k: int, seed: int, penalty: float, unit: float, duplicate: bool
) -> None:
    X, y = data(n, k, seed)
    X = X[:, [0, 1, 0]] * unit if duplicate else X * unit
    steps = check_steps(logistic_regression(X, y, penalty=penalty))
    assert steps[-1].event in {"converged", "weights grow without bound"}
    if penalty > 0:
        assert steps[-1].event == "converged"
        assert steps[-1].gradient_norm <= 1e-8
    for before, after in pairwise(steps):
        assert after.loss <= before.loss + 1e-13 * (1 + before.loss)
        assert after.fall == before.loss - after.loss
        assert after.event not in {"overshoot", "diverged"}
    if duplicate and steps[-1].event == "converged":  # of minimum norm: equal columns share
        weights = steps[-1].weights
        # Rounding over RIDGE is 2e-4, relative to the largest weight rather than to each.
        slack = 1e-3 * np.abs(weights).max()
        np.testing.assert_allclose(weights[:, 0], weights[:, 2], rtol=0, atol=slack)


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(4, 60),
    k=st.integers(2, 4),
    seed=st.integers(0, 999),
    penalty=st.sampled_from([0.0, 1e-2, 10.0]),
    part=st.floats(0.01, 1),
)
def test_gradient_descent_never_raises_the_loss_below_the_stable_rate(
    n: int, k: int, seed: int, penalty: float, part: float
) -> None:
    X, y = data(n, k, seed)
    rate = part * largest_stable_rate(X, penalty, k)
    steps = check_steps(
        logistic_regression(
            X, y, method="gradient", penalty=penalty, learning_rate=rate, max_iter=60
        )
    )
    for before, after in pairwise(steps):
        assert after.loss <= before.loss + 1e-13 * (1 + before.loss)
        assert after.step_size == rate
        np.testing.assert_array_equal(after.weights, before.weights - rate * before.gradient)
        np.testing.assert_array_equal(after.intercepts, before.intercepts - rate * before.g[:, -1])
    assert {"overshoot", "diverged"}.isdisjoint(step.event for step in steps)


def test_the_stable_rate_is_the_edge() -> None:
    """With points at zero only the intercept counts, and the bound on the curvature is attained."""
    X, y = np.zeros((10, 1)), np.arange(10) % 2
    assert largest_stable_rate(X, 0.0, 2) == pytest.approx(8)
    assert largest_stable_rate(X, 0.25, 2) == pytest.approx(4)
    assert largest_stable_rate(X, 0.0, 3) == pytest.approx(4)
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    below = logistic_regression(X, y, method="gradient", learning_rate=7.9, max_iter=500)
    assert last(below).event == "converged"
    above = logistic_regression(X, y, method="gradient", learning_rate=9.0, max_iter=500)
    assert last(above).event == "diverged"


@pytest.mark.parametrize("method", ["newton", "gradient"])
@pytest.mark.parametrize("k", [2, 3, 4])
def test_a_random_start_ends_at_the_same_minimum(k: int, method: str) -> None:
    X, y = data(80, k, seed=k)
    how = {"penalty": 0.1, "method": method, "max_iter": 3000}
    steps = check_steps(logistic_regression(X, y, **how, rng=np.random.default_rng(k)))
    drawn = np.random.default_rng(k).normal(scale=START_SPREAD, size=steps[0].t.shape)
    np.testing.assert_allclose(steps[0].t, drawn - (drawn.mean(axis=0) if k > 2 else 0))
    assert steps[-1].event == "converged"
    end = last(logistic_regression(X, y, penalty=0.1))
    np.testing.assert_allclose(steps[-1].t, end.t, atol=1e-5)


def test_the_start_knows_nothing() -> None:
    X, y = data(50, 4)
    start = next(logistic_regression(X, y))
    assert (start.index, start.fall, start.step_size, start.event) == (0, 0, 0, None)
    assert not start.weights.any()
    assert not start.intercepts.any()
    assert start.loss == pytest.approx(np.log(4))
    np.testing.assert_allclose(start.predict_proba(X), 0.25)


@pytest.mark.parametrize("name", DATA)
def test_fields_are_what_they_say(name: str) -> None:
    X, y = DATA[name]
    for step in logistic_regression(X, y, penalty=0.1):
        own = step.predict_proba(X)[np.arange(len(y)), np.searchsorted(step.classes, y)]
        objective = -np.log(own).mean() + 0.1 / 2 * (step.weights**2).sum()
        assert step.loss == pytest.approx(objective)
        np.testing.assert_allclose(step.losses(X, y), -np.log(own), rtol=1e-9, atol=1e-12)
        squares = (step.g**2).sum()
        assert step.gradient_norm == pytest.approx(np.sqrt(squares))
        assert step.accuracy == (step.predict(X) == y).mean()
        check_model(step, X)


def test_a_loss_stays_finite_where_the_probability_is_0() -> None:
    X, y = separable()
    step = last(logistic_regression(X, y))
    far = 1e6 * X
    wrong = step.losses(far, 1 - y)
    assert (step.predict_proba(far)[np.arange(len(y)), 1 - y] == 0).any()
    np.testing.assert_allclose(wrong, np.abs(step.decision_function(far)), rtol=1e-12)
    assert step.losses(far, y).max() < 1e-12


def test_two_classes_have_one_row_for_the_second_class() -> None:
    X, y = np.array([[-1.0], [1.0], [0.5], [-0.5]]), np.array([4, 9, 4, 9])
    step = last(logistic_regression(X, y, penalty=0.01))
    assert step.weights.shape == (1, 1)
    assert step.intercepts.shape == (1,)
    assert step.decision_function(X).shape == (4,)
    assert step.predict(np.array([[5.0], [-5.0]])).tolist() == [9, 4]


def test_separated_data_without_a_penalty() -> None:
    X, y = separable()
    for method in ("newton", "gradient"):
        steps = check_steps(logistic_regression(X, y, method=method))
        first = next(i for i, step in enumerate(steps) if step.accuracy == 1)
        assert events(steps) == [
            (first, "separated"),
            (len(steps) - 1, "weights grow without bound"),
        ]
    assert len(check_steps(logistic_regression(X, y))) < 40
    assert events(check_steps(logistic_regression(X, y, penalty=1e-3)))[-1][1] == "converged"


def test_one_class_of_three_stands_apart() -> None:
    """The loss has no minimum although no weights put every point on its right side."""
    steps = check_steps(logistic_regression(IRIS.data[:, 2:], IRIS.target))
    assert steps[-1].accuracy < 1
    assert events(steps) == [(len(steps) - 1, "weights grow without bound")]


def test_classes_that_touch_in_one_place() -> None:
    X = np.array([[-2.0], [-1], [0], [0], [1], [2]])
    steps = check_steps(logistic_regression(X, np.array([0, 0, 0, 1, 1, 1])))
    assert steps[-1].event == "weights grow without bound"
    overlapping = check_steps(logistic_regression(X, np.array([0, 0, 1, 0, 0, 1])))
    assert overlapping[-1].event == "converged"


def test_too_high_a_learning_rate() -> None:
    X, y = data(100, 2)
    rate = largest_stable_rate(X, 0.1, 2)

    def run(times: float, **changes: float) -> list[tuple[int, str]]:
        arguments = {"penalty": 0.1, "learning_rate": times * rate} | changes
        return events(check_steps(logistic_regression(X, y, method="gradient", **arguments)))

    assert {name for _, name in run(12)} == {"overshoot", "diverged"}
    assert run(1e6)[-1][1] == "diverged"
    assert run(1, learning_rate=1e100)[-1][1] == "diverged"
    assert run(1, learning_rate=1e100, penalty=1e100)[-1][1] == "diverged"
    assert run(0.9, max_iter=3) == [(3, "stopped at max_iter")]


def test_an_update_that_is_not_finite_ends_the_run_where_it_was() -> None:
    X, y = data(20, 2)
    steps = check_steps(
        logistic_regression(X * 1e90, y, method="gradient", learning_rate=1e50, penalty=1.0)
    )
    assert steps[-1].event == "diverged"
    assert steps[-1].step_size == 0
    np.testing.assert_array_equal(steps[-1].weights, steps[-2].weights)


def test_a_run_that_jumps_past_the_minimum_has_not_converged_near_it() -> None:
    X, y = labelled("moons")
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    how = {"method": "gradient", "max_iter": 300, "tol": 0.01}
    calm, jumps = (list(logistic_regression(X, y, learning_rate=r, **how)) for r in (1.0, 30.0))
    assert calm[-1].event == "converged" and calm[-1].gradient_norm <= 0.01
    assert all(step.gradient_norm > 0.01 for step in calm[:-1])
    near = [step for step in jumps if step.gradient_norm <= 0.01]
    assert near and jumps[-1].event == "oscillates"
    assert max(step.loss for step in jumps[near[0].index :]) > near[0].loss + 0.05


def test_stopped_at_max_iter_and_converged_at_the_start() -> None:
    X, y = data(100, 3)
    assert events(list(logistic_regression(X, y, max_iter=1))) == [(1, "stopped at max_iter")]
    exclusive_or = np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]]), np.array([0, 0, 1, 1])
    assert events(list(logistic_regression(*exclusive_or))) == [(0, "converged")]


def test_newton_stops_where_floating_point_ends() -> None:
    for name, ending in {
        "two classes": "converged",
        "three classes": "converged",
        "separable": "weights grow without bound",
    }.items():
        steps = check_steps(logistic_regression(*DATA[name], tol=0.0))
        assert steps[-1].event == ending
        assert len(steps) < 100 or name == "separable"


HOSTILE = {
    "two points": (np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([0, 1])),
    "the same point": (np.ones((6, 2)), np.array([0, 1, 1, 1, 0, 1])),
    "duplicates": (np.repeat([[0.0, 1.0], [2.0, 3.0]], 5, axis=0), np.arange(10) % 2),
    "collinear": (np.outer(np.arange(12.0), [1.0, -2.0]), np.arange(12) // 3 % 2),
    "constant column": (np.stack([np.arange(9.0), np.full(9, 7.0)], axis=1), np.arange(9) % 3),
    "zeros": (np.zeros((7, 3)), np.arange(7) % 3),
    "huge": (data(30, 3)[0] * 1e98, data(30, 3)[1]),
    "large": (data(30, 2)[0] * 1e6, data(30, 2)[1]),
    "tiny": (data(30, 2)[0] * 1e-100, data(30, 2)[1]),
    "vanishing": (data(30, 3)[0] * 1e-300, data(30, 3)[1]),
    "huge and tiny": (data(30, 2)[0] * [1e98, 1e-200], data(30, 2)[1]),
    "far away": (data(30, 2)[0] + 1e8, data(30, 2)[1]),
    "an outlier": (np.concatenate([data(30, 2)[0], [[1e99, -1e99]]]), np.arange(31) % 2),
    "separable and huge": (separable()[0] * 1e90, separable()[1]),
    "imbalanced": (data(60, 2)[0], (np.arange(60) == 7).astype(int)),
    "a class per point": (data(20, 2)[0], np.arange(20)),
    "more columns than points": (data(6, 2, d=20)[0], np.arange(6) % 2),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("method", ["newton", "gradient"])
@pytest.mark.parametrize("penalty", [0.0, 1.0, 1e100])
def test_hostile_data(name: str, method: str, penalty: float) -> None:
    X, y = HOSTILE[name]
    steps = check_steps(logistic_regression(X, y, method=method, penalty=penalty))
    assert steps[-1].event
    rounding = 2 * len(X) * np.finfo(float).eps  # of two means of n losses, none negative
    assert steps[-1].loss <= steps[0].loss * (1 + rounding) or method == "gradient"
    check_model(steps[-1], X)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"y": np.full(5, 3)}, ONE_CLASS),
        ({"X": np.ones((1, 2)), "y": np.array([3])}, ONE_CLASS),
        ({"y": np.arange(4)}, "y must have shape (n,) = (5,) like X, got shape (4,)"),
        ({"method": "sgd"}, "method must be one of 'newton', 'gradient', got method='sgd'"),
        ({"penalty": -1.0}, "penalty must be a number from 0 to 1e+100, got penalty=-1.0"),
        ({"penalty": np.nan}, "penalty must be a number from 0 to 1e+100, got penalty=nan"),
        ({"learning_rate": 0.0}, "learning_rate must be positive, got learning_rate=0.0"),
        ({"max_iter": 0}, "max_iter must be at least 1, got max_iter=0"),
        ({"tol": -1e-3}, "tol must be a number from 0 to 1e+100, got tol=-0.001"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": np.arange(10.0).reshape(5, 2), "y": np.arange(5) % 2} | changes
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        logistic_regression(**given)
    assert str(caught.value) == sentence


@pytest.mark.thorough
def test_five_thousand_steps_stay_small() -> None:
    X, y = data(200, 3)
    F = polynomial_features(X, 4)(X)
    how = {"method": "gradient", "learning_rate": 1e-4, "max_iter": 5000, "tol": 0.0}
    with AsInTheApp():
        steps, size = measured(lambda: list(logistic_regression(F, y, **how)))
    assert len(steps) == 5001
    assert size < 12e6


def forked(steps: list, at: int, X: np.ndarray, y: np.ndarray, eta: float, rule: Callable) -> list:
    """Return a run of gradient descent of at most 9 steps that goes on from a changed step."""
    given = as_task(X, y, 0.0), 9, 1e-8
    change, advance = partial(rule, *given, eta), partial(descend, *given)
    return check_steps(resumed(steps, at, change, advance, most=9 - at))


@pytest.mark.parametrize("rule", [at_rate, elsewhere])
def test_a_descent_goes_on_at_another_rate_or_with_a_point_elsewhere(rule: Callable) -> None:
    X, y = data(40, 2)
    was = list(logistic_regression(X, y, method="gradient", learning_rate=0.5, max_iter=9))
    eta, at = 0.2, 3
    there = moved(X, np.array([7]), np.array([[2.5, -1.5]])) if rule is elsewhere else X
    steps = forked(was, at, there, y, eta, rule)
    assert len(steps) == 10 and steps[-1].event == "stopped at max_iter"
    assert all(same(a, b) for a, b in zip(was[:at], steps[:at], strict=True))
    A, codes = np.column_stack([there, np.ones(len(X))]), (y + 3) // 2
    theta = was[at - 1].t[0]
    for step in steps[at:]:
        chance = 1 / (1 + np.exp(-A @ theta))
        loss = -np.log(np.where(codes, chance, 1 - chance)).mean()
        assert step.loss + step.fall == pytest.approx(loss)
        theta = theta - eta * A.T @ (chance - codes) / len(y)
        np.testing.assert_allclose(step.t[0], theta, rtol=1e-9)
        assert step.step_size == eta
