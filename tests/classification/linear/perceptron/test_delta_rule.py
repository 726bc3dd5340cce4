from functools import partial

import numpy as np
import pytest
from sklearn.linear_model import SGDRegressor

from algorithms.classification.linear.perceptron.delta_rule import (
    advance,
    delta_rule,
    elsewhere,
    largest_stable_rate,
    lost_from,
)
from algorithms.classification.linear.perceptron.samples import mapped_samples
from algorithms.core.features import polynomial_features
from algorithms.core.iterate import moved, resumed
from algorithms.core.record import last
from tests.classification.linear.perceptron.test_perceptron import PRESETS, after, preset
from tests.core.samples import rng
from tests.house.check_steps import check_steps
from tests.house.checked import Checked

SCIKIT_LEARN = Checked(
    "perceptron",
    "scikit-learn's SGDRegressor for the delta rule, after 1 to 20 epochs",
    28,
    "runs",
    within=1e-9,
)


@pytest.mark.parametrize("case", range(SCIKIT_LEARN.cases))
def test_delta_rule_agrees_with_scikit_learn(case: int) -> None:
    X, y = preset(PRESETS[case % 7], sample=case // 14)
    rate = [0.01, 0.05][case // 7 % 2]
    steps = check_steps(delta_rule(X, y, rng=rng(), order="cyclic", learning_rate=rate))
    for epoch in (1, 2, 5, 20):
        theirs = SGDRegressor(
            penalty=None, learning_rate="constant", eta0=rate, shuffle=False, tol=None,
            max_iter=epoch,
        ).fit(X, 2.0 * y - 1)  # fmt: skip
        ours = after(steps, epoch)
        if ours.epoch == epoch:
            near = {"rtol": 0, "atol": SCIKIT_LEARN.within}
            np.testing.assert_allclose(ours.weights, theirs.coef_, **near)
            np.testing.assert_allclose(ours.bias, theirs.intercept_[0], **near)


@pytest.mark.parametrize("name", ["separable", "moons", "gates"])
def test_the_delta_rule_approaches_least_squares(name: str) -> None:
    X, y = preset(name, n=24)
    A = np.column_stack([X, np.ones(len(X))])
    best = np.linalg.lstsq(A, 2.0 * y - 1)[0]
    distances = []
    for rate in (0.03, 0.006):
        step = last(delta_rule(X, y, rng=rng(), order="cyclic", learning_rate=rate, max_epochs=250))
        assert step.event in ("converged", "stopped at max_epochs")
        distances.append(np.abs(np.append(step.weights, step.bias) - best).max())
    assert distances[1] < 0.05
    assert distances[1] < 0.4 * distances[0]


def test_the_delta_rule_converges_settles_or_diverges() -> None:
    X, y = preset("moons")
    safe = largest_stable_rate(X)
    assert safe == pytest.approx(2 / (1 + (X**2).sum(axis=1)).max())
    for rate in (0.1 * safe, 0.9 * safe):
        steps = check_steps(
            delta_rule(X, y, rng=rng(), order="cyclic", learning_rate=rate, max_epochs=200)
        )
        assert steps[-1].event == "converged"
        again = after(steps, steps[-1].epoch - 1)
        np.testing.assert_allclose(steps[-1].weights, again.weights, atol=1e-5)
    moving = last(delta_rule(X, y, rng=rng(), learning_rate=0.5 * safe))
    assert moving.event == "stopped at max_epochs"
    lost = check_steps(delta_rule(X, y, rng=rng(), learning_rate=10 * safe, max_epochs=500))
    assert lost[-1].event == "diverged"
    assert lost[-1].amount == 0
    np.testing.assert_array_equal(lost[-1].weights, lost[-2].weights)
    exact = list(delta_rule(np.array([[-1.0], [1.0]]), np.array([0, 1]), rng=rng(),
                            learning_rate=0.5, max_epochs=100))  # fmt: skip
    assert exact[-1].event == "converged"
    assert exact[-1].squared_error(np.array([[-1.0], [1.0]]), np.array([0, 1])) < 1e-17


@pytest.mark.parametrize("order", ["shuffled", "cyclic"])
def test_a_run_goes_on_with_another_rate_and_a_sample_elsewhere(order: str) -> None:
    """By the rule in NumPy, from the weights that the run had."""
    (X, y), at, eta = preset("moons"), 70, 0.002
    how = {"order": order, "max_epochs": 3}
    was = list(delta_rule(X, y, rng=rng(), learning_rate=0.03, **how))
    there = moved(X, np.array([7]), np.array([[2.5, -1.5]]))
    features = polynomial_features(X, 1, standardize=False)
    samples = mapped_samples(features, there, y, rng=rng(), **how)
    given = samples, lost_from(samples, was[0].w, was[0].bias)
    change, going_on = partial(elsewhere, *given, eta), partial(advance, *given)
    steps = check_steps(resumed(was, at, change, going_on, most=180 - at, stopped="stopped"))
    assert steps[:at] == was[:at] and len(steps) == 181
    assert [step.index for step in steps] == [step.index for step in was]
    w, b = was[at - 1].weights, was[at - 1].bias
    for step in steps[at:]:
        x, sign = there[step.index], 2 * y[step.index] - 1
        change = eta * (sign - (w @ x + b))
        w, b = w + change * x, b + change
        np.testing.assert_allclose([*step.weights, step.bias], [*w, b], atol=1e-12)
