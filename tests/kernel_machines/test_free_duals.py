"""The end of a run of SMO: all free duals at once."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, minimize
from sklearn.datasets import load_breast_cancer

from algorithms.classification.svm.kernel_machine import FREE
from algorithms.classification.svm.svm import svm
from algorithms.core.kernels import Kernel, linear, polynomial, rbf
from algorithms.core.record import last
from algorithms.kernel_machines.free_duals import highest
from algorithms.kernel_machines.moves import FreeMove
from tests.classification.svm.test_svm import preset, two_blobs
from tests.core.samples import dataset
from tests.house.check_steps import AsInTheApp, measured


@pytest.mark.parametrize(
    ("columns", "kernel", "dual"), [(2, polynomial(3, 1.0), 125_371.894), (30, linear(), None)]
)
def test_wide_and_stubborn_tables(columns: int, kernel: Kernel, dual: float | None) -> None:
    """SMO needs 4,813,278 pairs to reach the first table's optimum, as libsvm does."""
    data = load_breast_cancer()
    X = data.data[:, :columns]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    with AsInTheApp():
        ours = last(svm(X, data.target, C=1000.0, kernel=kernel))
    assert ours.event == "converged"
    assert ours.index < 2000
    gap = ours.primal_objective - ours.dual_objective
    assert -1e-9 * ours.dual_objective <= gap <= 1e-6 * ours.dual_objective
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
    groups = random.integers(0, 2, size=n) if n % 2 else np.zeros(n, int)
    end = highest(K, g, start, low, high, groups)
    assert (low <= end).all()
    assert (end <= high).all()
    change = end - start
    assert change @ g - change @ K @ change / 2 >= -1e-12
    errors = g - K @ change
    for group in set(groups.tolist()):
        assert change[groups == group].sum() == pytest.approx(0, abs=1e-9)
        inside = (end > low) & (end < high) & (groups == group)
        if inside.sum() > 1:
            assert np.ptp(errors[inside]) < 1e-6


def test_where_it_bends_up_there_is_no_top() -> None:
    one = np.zeros(3, int)
    with pytest.raises(np.linalg.LinAlgError, match="without a factor"):
        highest(-np.eye(3), np.array([1.0, 2, 3]), np.zeros(3), np.full(3, -1.0), np.ones(3), one)


def test_without_a_bound_it_is_the_top() -> None:
    X, y = two_blobs(6, 3)
    K = rbf(1.0)(X, X)
    g, wide = np.sign(y.astype(float)) - 0.2, np.full(6, 50.0)
    end = highest(K, g, np.zeros(6), -wide, wide, np.zeros(6, int))
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
    assert steps[51].pair is None
    assert steps[51].event in ("all free duals at once", "converged")
    assert [step.event for step in steps].count("all free duals at once") <= 1
    assert steps[-1].event == "converged"
    for before, after in pairwise(steps):
        if isinstance(after.move, FreeMove):
            free = np.flatnonzero(before.states == FREE)
            np.testing.assert_array_equal(after.move.members, free)
            left = after.states[free]
            assert after.move.bounded == (left != FREE).sum()
            assert not isinstance(before.move, FreeMove), "it comes in turn with a pair"
            g = after.signs - (after.outputs - after.bias)
            still = free[left == FREE]
            if len(still) > 1:
                assert np.ptp(g[still]) < 1e-6 * (1 + np.abs(g).max())
    duals = [step.duals.max() for step in steps]
    assert steps[-1].moves.largest_dual == max(duals)


def test_what_cannot_be_told_from_rounding_ends_a_run() -> None:
    X, y = preset("moons", 100)
    with AsInTheApp():
        steps = list(svm(X, y, C=1000.0, kernel=linear(), tol=0.0))
    assert steps[-1].event in ("rounding", "converged")
    assert len(steps) < 1000
    assert steps[-1].violation < 1e-6


def test_a_long_finish_stays_small() -> None:
    made = dataset("moons", 1000, noise=0.3)
    X = (made.X - made.X.mean(axis=0)) / made.X.std(axis=0)
    with AsInTheApp():
        run = svm(X, made.labels, C=1000.0, kernel=linear())
        steps, size = measured(lambda: list(run))
    assert steps[-1].event == "converged"
    assert sum(step.pair is None for step in steps) > 50
    assert size < 5e6


def test_more_free_duals_than_equations_can_be_solved_for_are_left_to_pairs(monkeypatch) -> None:
    monkeypatch.setattr("algorithms.kernel_machines.free_duals.MOST_FREE", 3)
    X, y = two_blobs(60)
    steps = list(svm(X, y, C=10.0, kernel=rbf(10.0), pairs=10, max_iter=3000))
    assert all(len(step.moved) <= 3 for step in steps)
    assert steps[-1].event == "converged"
