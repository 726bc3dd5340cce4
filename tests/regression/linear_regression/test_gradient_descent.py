from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression, SGDRegressor

from algorithms.core.optimizers import RULES, Adam, Momentum, Plain, Rule
from algorithms.regression.linear_regression.gradient_descent import gradient_descent
from algorithms.regression.linear_regression.squared_loss import squared_loss
from tests.core.samples import features_and_target, rng
from tests.house.check_steps import AsInTheApp, check_model, check_steps
from tests.house.checked import Checked
from tests.regression.linear_regression.test_linear_regression import HOSTILE, PRESETS

ARGUMENTS = {"rule": Adam(0.1)}
LINE = features_and_target("line", one=True, sample=1)
STOCHASTIC = Checked(
    "linear_regression",
    "scikit-learn's stochastic gradient descent after each of three epochs, relative to the "
    "largest weight",
    6,
    "rates and orders of the points",
    within=1e-8,
)


def standardized(name: str, *, one: bool = True) -> tuple[np.ndarray, np.ndarray]:
    X, y = features_and_target(name, one=one, sample=1)
    return (X - X.mean(axis=0)) / X.std(axis=0), (y - y.mean()) / y.std()


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("rule", ["gradient", "momentum"])
def test_converges_to_the_closed_form(name: str, rule: str) -> None:
    X, y = standardized(name, one=name != "penguins")
    rate = 0.05 if rule == "momentum" else 0.9 / squared_loss(X, y).curvatures[-1]
    steps = check_steps(
        gradient_descent(X, y, RULES[rule](rate), rng=rng(), max_iter=3000, tol=1e-9)
    )
    theirs = LinearRegression().fit(X, y)
    assert steps[-1].event == "converged"
    np.testing.assert_allclose(steps[-1].weights, theirs.coef_, atol=1e-6)
    np.testing.assert_allclose(steps[-1].intercept, theirs.intercept_, atol=1e-6)
    assert steps[-1].loss == pytest.approx(((y - theirs.predict(X)) ** 2).mean(), rel=1e-9)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("batch", [None, 7])
def test_every_step_is_the_rule_on_the_gradient_of_the_batch(name: str, batch: int | None) -> None:
    X, y = LINE
    rule = RULES[name](0.03)
    steps = check_steps(gradient_descent(X, y, rule, rng=rng(), batch=batch, max_iter=150))
    theta, memory, seen = np.zeros(2), rule.init(2), []
    for step in steps[1:]:
        rows = np.arange(len(X)) if batch is None else step.batch
        A = np.column_stack([X, np.ones(len(X))])[rows]
        g = -2 / len(rows) * A.T @ (y[rows] - A @ theta)
        change, memory = rule.update(g, memory)
        theta = theta + change
        np.testing.assert_allclose(step.gradient, g, rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose([*step.weights, step.intercept], theta, rtol=1e-6)
        assert step.loss == pytest.approx(((y - X[:, 0] * theta[0] - theta[1]) ** 2).mean())
        seen += step.batch.tolist()
        if batch and step.index % 9 == 0:  # 60 points, 7 a step: 9 steps an epoch
            assert sorted(seen) == list(range(60)), "an epoch visits every point once"
            assert step.epoch == step.index // 9
            seen = []


@pytest.mark.parametrize("case", range(STOCHASTIC.cases))
def test_one_point_a_step_is_scikit_learns_stochastic_gradient_descent(case: int) -> None:
    X, y = features_and_target("penguins", one=False, sample=1)
    X, y = (X - X.mean(axis=0)) / X.std(axis=0), (y - y.mean()) / y.std()
    epochs, n, rate = 3, len(X), [0.001, 0.02][case % 2]
    steps = list(gradient_descent(X, y, Plain(rate), rng=rng(case), batch=1, max_iter=epochs * n))
    # Theirs is the gradient of half the square.
    theirs = SGDRegressor(
        penalty=None, learning_rate="constant", eta0=2 * rate, shuffle=False, average=False
    )
    for epoch in range(epochs):
        order = np.concatenate([step.batch for step in steps[1:][epoch * n : (epoch + 1) * n]])
        theirs.partial_fit(X[order], y[order])
        step = steps[(epoch + 1) * n]
        near = STOCHASTIC.within * np.abs(theirs.coef_).max()
        np.testing.assert_allclose(step.weights, theirs.coef_, rtol=0, atol=near)
        np.testing.assert_allclose(step.intercept, theirs.intercept_[0], rtol=0, atol=near)


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(1, 30),
    d=st.integers(1, 3),
    seed=st.integers(0, 999),
    unit=st.sampled_from([1e-3, 1.0, 1e4]),
    share=st.floats(0.01, 0.999),
)
def test_the_loss_never_rises_below_two_over_the_largest_curvature(
    n: int, d: int, seed: int, unit: float, share: float
) -> None:
    X, y = rng(seed).normal(size=(n, d)) * unit, rng(seed + 1).normal(size=n)
    bowl = squared_loss(X, y)
    rule = Plain(share * 2 / bowl.curvatures[-1])
    steps = check_steps(gradient_descent(X, y, rule, rng=rng(), max_iter=60))
    rounding = 1e-28 * float(y @ y)  # of a loss that is as good as 0
    for before, after in pairwise(steps):
        assert after.loss <= max(before.loss * (1 + 1e-12), rounding)
        assert after.fall == pytest.approx(before.excess - after.excess)
    assert steps[-1].event in ("converged", "creeps", "wanders", "stopped at max_iter")
    assert all(step.event is None for step in steps[:-1])
    # Along each axis of the bowl the error is multiplied by 1 - rate * curvature.
    for t, step in enumerate(steps[:20]):
        error = bowl.axes.T @ ([*step.weights, step.intercept] - bowl.minimum)
        expected = (1 - rule.learning_rate * bowl.curvatures) ** t * (bowl.axes.T @ -bowl.minimum)
        np.testing.assert_allclose(error, expected, atol=1e-7 * (1 + np.abs(bowl.minimum).max()))


@pytest.mark.parametrize("share", [1.02, 1.5, 20.0])
def test_above_two_over_the_largest_curvature_it_diverges(share: float) -> None:
    rate = share * 2 / squared_loss(*LINE).curvatures[-1]
    steps = check_steps(gradient_descent(*LINE, Plain(rate), rng=rng(), max_iter=200))
    assert steps[-1].event == "diverged"
    assert steps[-1].loss > steps[0].loss
    events = [step.event for step in steps if step.event]
    assert events == ["overshoot", "diverged"] or share == 20


def test_too_small_right_and_too_large_are_named() -> None:
    def ending(rate: float, rule: type[Rule] = Plain, batch: int | None = None, **how) -> str:
        return list(gradient_descent(*LINE, rule(rate), rng=rng(), batch=batch, **how))[-1].event

    stable = 2 / squared_loss(*LINE).curvatures[-1]
    assert ending(0.003 * stable) == "creeps"
    assert ending(0.5 * stable) == "converged"
    assert ending(1.2 * stable) == "diverged"
    assert ending(0.1 * stable, max_iter=15) == "stopped at max_iter"
    assert ending(0.999 * stable, max_iter=30) == "wanders", "to and fro across the valley"
    assert ending(0.1, batch=4) == ending(0.3, Adam, batch=4) == "wanders"
    assert ending(0.001, batch=4) == ending(0.001, Adam) == "creeps"
    assert ending(1.1 * stable, Momentum) == "stopped at max_iter", "it bears a higher rate"


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", PRESETS)
def test_b_does_not_leave_0_where_only_rounding_would_move_it(name: str, rule: str) -> None:
    """RMSProp went 0.3 astray: it divides a gradient of 1e-17 by its size."""
    steps = list(gradient_descent(*standardized(name), RULES[rule](0.1), rng=rng(), max_iter=60))
    assert {step.intercept for step in steps} == {0.0}


def test_a_start_can_be_given_and_may_be_the_minimum() -> None:
    X, y = LINE
    start = np.array([-2.0, 1.0])
    steps = list(gradient_descent(X, y, Plain(0.1), rng=rng(), start=start))
    assert [*steps[0].weights, steps[0].intercept] == start.tolist()
    best = squared_loss(X, y).minimum
    (only,) = gradient_descent(X, y, Plain(0.1), rng=rng(), start=best)
    assert (only.index, only.event) == (0, "converged")


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("batch", [None, 1])
@pytest.mark.parametrize("rule", ["gradient", "momentum", "AdaGrad", "Adam"])
def test_hostile_data(name: str, batch: int | None, rule: str) -> None:
    X, y = HOSTILE[name]
    steps = check_steps(
        gradient_descent(X, y, RULES[rule](0.1), rng=rng(), batch=batch, max_iter=25)
    )
    assert steps[-1].event
    for step in steps[:2] + steps[-1:]:
        check_model(step, X)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"batch": 6}, "batch must be between 1 and n=5, got batch=6"),
        ({"batch": 0}, "batch must be between 1 and n=5, got batch=0"),
        ({"start": np.zeros(3)}, "start must have shape (d + 1,) = (2,), got shape (3,)"),
        ({"start": np.array([0.0, np.inf])}, "start must be finite, got inf"),
        ({"max_iter": 0}, "max_iter must be at least 1, got max_iter=0"),
        ({"tol": -1.0}, "tol must be a number from 0 to 1e+100, got tol=-1.0"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {
        "X": np.arange(5.0)[:, None], "y": np.arange(5.0), "rule": Plain(0.1), "rng": rng()
    } | changes  # fmt: skip
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        gradient_descent(**given)
    assert str(caught.value) == sentence
