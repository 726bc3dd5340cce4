from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neural_network._stochastic_optimizers import AdamOptimizer, SGDOptimizer

from algorithms.core.optimizers import (
    RULES,
    AdaGrad,
    Adam,
    Momentum,
    Plain,
    RMSProp,
    descend,
    largest_stable_rate,
)
from algorithms.core.record import last
from tests.house.check_steps import AsInTheApp, check_steps

H = np.diag([1.0, 10.0])


def bowl(point: np.ndarray, _t: int) -> np.ndarray:
    return H @ point


def wild(point: np.ndarray, t: int) -> np.ndarray:
    """Return an arbitrary gradient, a different one at every update."""
    return np.sin(3 * point + t) + [0.5, -0.2, 0.1][: len(point)]


ARGUMENTS = {"gradient": bowl, "start": np.array([3.0, 1.0]), "rule": Adam(0.1)}
START = np.array([1.0, -2.0, 0.5])


def by_the_book(name: str, gradients: np.ndarray, rate: float) -> np.ndarray:
    """Return all changes, written out entry by entry from the published rules."""
    changes = np.zeros_like(gradients)
    for j in range(gradients.shape[1]):
        v = s = 0.0
        for t, g in enumerate(gradients[:, j], start=1):
            match name:
                case "gradient":
                    step = rate * g
                case "momentum":
                    step = v = 0.9 * v + rate * g
                case "AdaGrad":
                    s = s + g**2
                    step = rate / (s**0.5 + 1e-8) * g
                case "RMSProp":
                    s = 0.9 * s + 0.1 * g**2
                    step = rate / (s**0.5 + 1e-8) * g
                case "Adam":
                    v, s = 0.9 * v + 0.1 * g, 0.999 * s + 0.001 * g**2
                    step = rate * (v / (1 - 0.9**t)) / ((s / (1 - 0.999**t)) ** 0.5 + 1e-8)
            changes[t - 1, j] = -step
    return changes


@pytest.mark.parametrize("name", RULES)
def test_agrees_with_the_published_rules(name: str) -> None:
    steps = check_steps(descend(wild, START, RULES[name](0.1), max_iter=200))
    assert len(steps) == 201
    gradients = np.array([step.gradient for step in steps[1:]])
    np.testing.assert_allclose(
        [step.change for step in steps[1:]], by_the_book(name, gradients, 0.1), rtol=1e-9
    )
    for before, after in pairwise(steps):
        np.testing.assert_allclose(after.gradient, wild(before.point, after.index), rtol=1e-12)
        np.testing.assert_allclose(after.point, before.point + after.change, rtol=1e-12)


@pytest.mark.parametrize("name", ["gradient", "momentum", "Adam"])
def test_agrees_with_the_optimisers_of_scikit_learn(name: str) -> None:
    theirs = START.copy()
    optimizer = {
        "gradient": SGDOptimizer([theirs], 0.05, momentum=0.0, nesterov=False),
        "momentum": SGDOptimizer([theirs], 0.05, momentum=0.9, nesterov=False),
        "Adam": AdamOptimizer([theirs], 0.05, epsilon=1e-12),
    }[name]
    how = {"epsilon": 1e-12} if name == "Adam" else {}
    for step in list(descend(wild, START, RULES[name](0.05, **how), max_iter=100))[1:]:
        optimizer.update_params([theirs], [wild(theirs, step.index)])
        np.testing.assert_allclose(step.point, theirs, rtol=1e-8)


def test_the_first_step_is_the_rate_in_every_direction() -> None:
    g = np.array([100.0, -0.01])
    for rule, size in ((AdaGrad(0.3), 0.3), (Adam(0.3), 0.3), (RMSProp(0.3), 0.3 / 0.1**0.5)):
        change, _ = rule.update(g, rule.init(2))
        np.testing.assert_allclose(change, [-size, size], rtol=1e-4)


@settings(max_examples=12, deadline=None)
@given(share=st.floats(0.05, 0.97), beta=st.floats(0, 0.95), seed=st.integers(0, 99))
def test_a_quadratic_is_descended_below_the_largest_stable_rate_only(
    share: float, beta: float, seed: int
) -> None:
    start = np.random.default_rng(seed).normal(size=2)
    for rule, how in ((Plain, {}), (Momentum, {"beta": beta})):
        bound = largest_stable_rate(rule(1.0, **how), 10.0)
        for rate in (share * bound, (2 - share) * bound):
            steep = []  # how far it is from the minimum along the steepest direction

            def gradient(point: np.ndarray, _t: int, steep: list = steep) -> np.ndarray:
                steep.append(abs(point[1]))
                return H @ point

            list(descend(gradient, start, rule(rate, **how), max_iter=250))
            swing = [max(steep[:50]), max(steep[-50:])]
            assert (swing[1] < swing[0]) == (rate < bound)


@pytest.mark.parametrize("name", RULES)
def test_every_rule_finds_the_minimum_of_a_bowl(name: str) -> None:
    rate = {"AdaGrad": 1.0, "RMSProp": 0.01, "Adam": 0.05}.get(name, 0.02)
    end = last(descend(bowl, np.array([3.0, 1.0]), RULES[name](rate), max_iter=1000))
    np.testing.assert_allclose(end.point, 0, atol=0.006)
    assert end.event == "stopped at max_iter"


def test_an_update_that_is_not_finite_ends_the_run_where_it_was() -> None:
    for rule in (Plain(1e60), AdaGrad(1e60), Momentum(1e60)):
        steps = check_steps(descend(lambda p, t: 1e160 * p, np.ones(2), rule))
        assert steps[-1].event == "diverged"
        assert len(steps) < 10
        np.testing.assert_array_equal(steps[-1].point, steps[-2].point)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Plain(0.0), "learning_rate must be positive, got learning_rate=0.0"),
        (lambda: Momentum(0.1, 1.0), "beta must be below 1, got beta=1.0"),
        (lambda: Adam(0.1, gamma=1.5), "gamma must be below 1, got gamma=1.5"),
        (lambda: RMSProp(0.1, gamma=-1.0),
         "gamma must be a number from 0 to 1e+100, got gamma=-1.0"),
        (lambda: descend(bowl, np.array([np.nan]), Plain(0.1)), "start must be finite, got nan"),
        (lambda: descend(bowl, START, Plain(0.1), max_iter=0),
         "max_iter must be at least 1, got max_iter=0"),
    ],
)  # fmt: skip
def test_bad_arguments_are_refused_at_the_call(make, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        make()
    assert str(caught.value) == sentence


@pytest.mark.parametrize("rate", [0.3, 1.0])
def test_without_a_bound_only_rms_prop_swings_on(rate: float) -> None:
    late = {}
    for kind in (AdaGrad, RMSProp, Adam):
        steps = list(descend(bowl, np.array([3.0, 1.0]), kind(rate), max_iter=400))[-50:]
        late[kind] = np.linalg.norm([step.point for step in steps], axis=1)
    assert late[AdaGrad].max() < 1e-4 and late[Adam].max() < 1e-4
    assert late[RMSProp].min() > 0.5 * rate and late[RMSProp].max() < rate
