from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import OneClassSVM

from algorithms.clustering.kernel_density import kernel_density
from algorithms.clustering.one_class_svm import OneClassStep, one_class_svm
from algorithms.core.kernels import rbf
from algorithms.core.record import last
from tests.core.samples import points_of
from tests.house.checked import Checked

NAMES = ("blobs", "moons", "circles", "stretched", "outlier")


def points(name: str, n: int = 80) -> np.ndarray:
    return points_of(name, n, sample=2, noise=0.2)


def fit(X: np.ndarray, nu: float, gamma: float) -> OneClassStep:
    return last(one_class_svm(X, nu=nu, kernel=rbf(gamma), tol=1e-7, max_iter=50_000))


LIBSVM = Checked(
    "densities",
    "libsvm's `OneClassSVM`, the decision function at 200 places",
    20,
    "runs",
    within=1e-4,
)
assert LIBSVM.cases == 4 * len(NAMES)


@pytest.mark.parametrize("nu", [0.05, 0.3])
@pytest.mark.parametrize("gamma", [0.1, 2.0])
@pytest.mark.parametrize("name", NAMES)
def test_it_ends_where_libsvm_does(name: str, gamma: float, nu: float) -> None:
    X = points(name)
    step = fit(X, nu, gamma)
    assert step.event == "converged"
    how: dict[str, Any] = {"nu": nu, "gamma": gamma, "tol": 1e-7}
    oracle = OneClassSVM(**how).fit(X)
    cells = np.random.default_rng(0).uniform(-4, 4, (200, 2))
    theirs = oracle.decision_function(cells)
    np.testing.assert_allclose(step.decision_function(cells), theirs, rtol=0, atol=LIBSVM.within)
    clear = np.abs(theirs) > LIBSVM.within
    np.testing.assert_array_equal(step.predict(cells)[clear], oracle.predict(cells)[clear])


@settings(max_examples=20)
@given(name=st.sampled_from(NAMES), nu=st.floats(0.02, 0.9), gamma=st.sampled_from([0.1, 1.0, 5.0]))
def test_nu_bounds_the_outside_from_above_and_the_support_from_below(name, nu, gamma) -> None:
    X = points(name, 50)
    step = fit(X, nu, gamma)
    assert len(step.outside) <= nu * len(X) + 1e-6
    assert (step.duals[step.outside] == 1).all()
    assert len(step.support) >= nu * len(X) - 1e-6


def test_every_move_raises_the_dual_and_keeps_the_sum() -> None:
    X = points("moons", 40)
    K = rbf(1.0)(X, X)
    before = -np.inf
    for step in one_class_svm(X, nu=0.2, kernel=rbf(1.0)):
        assert step.duals.sum() == pytest.approx(8) and 0 <= step.duals.min() <= step.duals.max()
        assert step.duals.max() <= 1
        dual = -step.duals @ K @ step.duals / 2
        assert step.dual_objective == pytest.approx(dual) and dual >= before - 1e-12
        before = dual


@pytest.mark.parametrize(
    ("nu", "shares"), [(0.07, [1] * 7), (0.055, [1, 1, 1, 1, 1, 0.5]), (0.002, [0.2])]
)
def test_the_start_has_its_weight_on_the_points_farthest_from_the_mean(nu, shares) -> None:
    X = points("moons", 100)
    start = next(one_class_svm(X, nu=nu))
    away = ((X - X.mean(axis=0)) ** 2).sum(axis=1)
    np.testing.assert_allclose(start.duals[np.argsort(-away)[: len(shares)]], shares)
    assert len(start.support) == len(shares) and (start.duals <= 1).all()


def test_with_weights_all_alike_it_is_a_kernel_density() -> None:
    X, h = points("blobs"), 0.7
    start = next(one_class_svm(X, nu=0.2, kernel=rbf(0.5 / h**2)))
    density = last(kernel_density(X, bandwidth=h))
    cells = np.random.default_rng(1).uniform(-3, 3, (30, 2))
    scale = 0.2 * len(X) * 2 * np.pi * h**2
    np.testing.assert_allclose(start.evenly(cells), scale * np.exp(density.score_samples(cells)))


def test_thousands_of_points_take_fewer_moves_than_there_are_points() -> None:
    step = last(one_class_svm(points("moons", 3000), nu=0.1, kernel=rbf(1.0)))
    assert step.event == "converged" and step.index < 1000


def test_if_all_may_be_outside_no_weight_can_move() -> None:
    X = points("moons", 30)
    (step,) = one_class_svm(X, nu=1.0, kernel=rbf(1.0))
    f = step.decision_function(X)
    assert step.event == "converged" and (step.duals == 1).all()
    assert f.max() == pytest.approx(0) and len(step.outside) == 29


def test_the_first_point_of_full_weight_is_an_event() -> None:
    steps = list(one_class_svm(points("moons", 60), nu=0.3))
    reached = [bool(((a.duals < 1) & (b.duals == 1)).any()) for a, b in pairwise(steps)]
    (now,) = (step.index for step in steps if step.event == "a point reaches 1")
    assert now == reached.index(True) + 1


@pytest.mark.parametrize(("nu", "words"), [(0.0, "nu"), (1.5, "nu must be at most 1")])
def test_shares_beyond_all_points_are_refused(nu: float, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        one_class_svm(np.zeros((3, 2)), nu=nu)
