"""How a run of SMO is finished: all free duals at once."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, minimize
from sklearn.datasets import load_breast_cancer

from algorithms.classification.svm.kernel_machine import FREE
from algorithms.classification.svm.svm import svm
from algorithms.core.box_newton import highest
from algorithms.core.kernels import Kernel, linear, polynomial, rbf, sigmoid
from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from tests.classification.svm.test_svm import libsvm, preset, two_blobs
from tests.house.check_steps import AsInTheApp, measured

KERNELS = {
    "linear": linear(),
    "square": polynomial(2, 1.0),
    "cubic": polynomial(3, 1.0),
    "RBF": rbf(1.0),
    "wide RBF": rbf(0.1),
}
every_kernel = pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0, 1000.0])
@pytest.mark.parametrize("name", ["moons", "circles", "xor", "penguins"])
@every_kernel
def test_a_run_ends_where_libsvm_does(name: str, kernel: Kernel, C: float) -> None:
    X, y = preset(name, 200)
    theirs, _ = libsvm(kernel(X, X), y, C, 1e-9)
    with AsInTheApp():
        ours = last(svm(X, y, C=C, kernel=kernel))
    assert ours.event == "converged"
    assert ours.index < 800
    assert ours.dual_objective >= theirs * (1 - 1e-6)
    duals, K = ours.duals, kernel(X, X)
    worth = duals.sum() - ours.coefficients @ K @ ours.coefficients / 2
    assert worth == pytest.approx(ours.dual_objective, rel=1e-9)
    assert ours.primal_objective <= theirs * (1 + 1e-4)


@pytest.mark.parametrize(
    ("columns", "kernel", "dual"), [(2, polynomial(3, 1.0), 125_371.894), (30, linear(), None)]
)
def test_wide_and_stubborn_tables(columns: int, kernel: Kernel, dual: float | None) -> None:
    """SMO takes 4,813,278 pairs to the first one's optimum, as libsvm knows it."""
    data = load_breast_cancer()
    X = data.data[:, :columns]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    with AsInTheApp():
        ours = last(svm(X, data.target, C=1000.0, kernel=kernel))
    assert ours.event == "converged"
    assert ours.index < 2000
    gap = ours.primal_objective - ours.dual_objective
    assert 0 <= gap <= 1e-6 * ours.dual_objective
    if dual:
        assert ours.dual_objective == pytest.approx(dual, rel=1e-8)


@settings(max_examples=30, deadline=None)
@given(n=st.integers(2, 8), seed=st.integers(0, 999), d=st.integers(1, 3))
def test_duals_go_up_to_a_bound_or_one_common_error(n: int, seed: int, d: int) -> None:
    random = np.random.default_rng(seed)
    X = np.round(random.normal(size=(n, d)), 1)
    K, g = X @ X.T + 1e-3 * np.eye(n), random.normal(size=n)
    low, high = np.full(n, -1.0), np.full(n, 1.0)
    start = random.uniform(-0.9, 0.9, size=n)
    end = highest(K, g, start, low, high)
    assert (low <= end).all()
    assert (end <= high).all()
    assert end.sum() == pytest.approx(start.sum(), abs=1e-9)
    change = end - start
    assert change @ g - change @ K @ change / 2 >= -1e-12
    errors = g - K @ change
    inside = (end > low) & (end < high)
    if inside.sum() > 1:
        assert np.ptp(errors[inside]) < 1e-6


def test_where_it_bends_up_there_is_no_top() -> None:
    with pytest.raises(np.linalg.LinAlgError, match="without a factor"):
        highest(-np.eye(3), np.array([1.0, 2, 3]), np.zeros(3), np.full(3, -1.0), np.ones(3))


def test_without_a_bound_it_is_the_top() -> None:
    X, y = two_blobs(6, 3)
    K = rbf(1.0)(X, X)
    g, wide = np.sign(y.astype(float)) - 0.2, np.full(6, 50.0)
    end = highest(K, g, np.zeros(6), -wide, wide)
    found = minimize(
        lambda b: b @ K @ b / 2 - g @ b,
        np.zeros(6),
        jac=lambda b: K @ b - g,
        bounds=Bounds(-wide, wide),
        constraints=LinearConstraint(np.ones(6), 0, 0),
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    np.testing.assert_allclose(end, found.x, atol=1e-4)


@pytest.mark.parametrize("kernel", [linear(), rbf(1.0)], ids=str)
def test_after_the_pairs_all_free_duals_move_in_turn_with_a_pair(kernel: Kernel) -> None:
    X, y = preset("moons", 150)
    steps = list(svm(X, y, C=300.0, kernel=kernel, pairs=50))
    assert [step.pair is not None for step in steps[1:51]] == [True] * 50
    assert steps[51].together
    assert steps[51].event in ("all free duals at once", "converged")
    assert [step.event for step in steps].count("all free duals at once") <= 1
    assert steps[-1].event == "converged"
    for before, after in pairwise(steps):
        if together := after.together:
            free = np.flatnonzero(before.states == FREE)
            np.testing.assert_array_equal(together.members, free)
            np.testing.assert_array_equal(together.before, before.coefficients[free])
            np.testing.assert_array_equal(together.after, after.coefficients[free])
            left = after.states[free]
            assert together.bounded == (left != FREE).sum()
            assert before.together is None, "it comes in turn with a pair"
            g = after.signs - (after.outputs - after.bias)
            still = free[left == FREE]
            if len(still) > 1:
                assert np.ptp(g[still]) < 1e-6 * (1 + np.abs(g).max())
    duals = [step.duals.max() for step in steps]
    assert steps[-1].moves.largest_dual == max(duals)


def test_an_indefinite_kernel_is_left_to_pairs() -> None:
    X, y = two_blobs(60, 1)
    for kernel in (sigmoid(1.0, 0.5), sigmoid(0.5) + linear()):
        steps = list(svm(X, y, C=100.0, kernel=kernel, pairs=10, max_iter=500))
        assert all(step.together is None for step in steps)


def test_what_was_looked_at_in_any_order_is_the_same() -> None:
    X, y = preset("moons", 120)
    steps = list(svm(X, y, C=1000.0, kernel=linear(), pairs=70))
    assert sum(step.together is not None for step in steps) > 5
    expected = [(step.coefficients, step.outputs) for step in steps]
    for i in np.random.default_rng(0).permutation(len(steps)):
        np.testing.assert_array_equal(steps[i].coefficients, expected[i][0])
        np.testing.assert_array_equal(steps[i].outputs, expected[i][1])


def test_what_cannot_be_told_from_rounding_ends_a_run() -> None:
    X, y = preset("moons", 100)
    with AsInTheApp():
        steps = list(svm(X, y, C=1000.0, kernel=linear(), tol=0.0))
    assert steps[-1].event in ("rounding", "converged")
    assert len(steps) < 1000
    assert steps[-1].violation < 1e-6


def test_a_long_finish_stays_small() -> None:
    made = DATASETS["moons"].make(1000, noise=0.3, rng=np.random.default_rng(0))
    X = (made.X - made.X.mean(axis=0)) / made.X.std(axis=0)
    with AsInTheApp():
        run = svm(X, made.labels, C=1000.0, kernel=linear())
        steps, size = measured(lambda: list(run))
    assert steps[-1].event == "converged"
    assert sum(step.together is not None for step in steps) > 50
    assert size < 5e6


def test_more_free_duals_than_equations_can_be_solved_for_are_left_to_pairs(monkeypatch) -> None:
    monkeypatch.setattr("algorithms.classification.svm.free_duals.MOST_FREE", 3)
    X, y = two_blobs(60)
    steps = list(svm(X, y, C=10.0, kernel=rbf(10.0), pairs=10, max_iter=3000))
    assert all(len(step.together.members) <= 3 for step in steps if step.together)
    assert steps[-1].event == "converged"
