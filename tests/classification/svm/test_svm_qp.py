import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, minimize

from algorithms.classification.svm.kernel_machine import FREE
from algorithms.classification.svm.svm import svm
from algorithms.classification.svm.svm_qp import ROUNDING, svm_qp
from algorithms.core.kernels import Kernel, linear, polynomial, rbf, sigmoid
from algorithms.core.record import last
from tests.classification.svm.test_svm import (
    BOARDS,
    HOSTILE,
    KERNELS,
    PRICES,
    libsvm,
    preset,
    two_blobs,
)
from tests.house.check_steps import AsInTheApp, check_model, check_steps
from tests.house.checked import Checked

DEFINITE = {name: kernel for name, kernel in KERNELS.items() if kernel.definite}


LIBSVM = Checked(
    "svm",
    "libsvm's optimum, by the dual objective of the quadratic programme",
    125,
    "machines, relative",
    within=1e-6,
)
SLSQP = Checked(
    "svm",
    "SciPy's general solver (SLSQP) on the quadratic programme, by its duals",
    6,
    "machines",
    within=1e-3,
)


@pytest.mark.parametrize("case", range(LIBSVM.cases))
def test_dual_objective_is_that_of_libsvm(case: int) -> None:
    (X, y), C = preset(BOARDS[case % 5]), PRICES[case // 5 % 5]
    kernel = [*DEFINITE.values()][case // 25]
    steps = check_steps(svm_qp(X, y, C=C, kernel=kernel))
    ours = steps[-1]
    theirs, _ = libsvm(kernel(X, X), y, C, 1e-5)
    assert ours.event == "converged"
    assert len(steps) <= 40
    assert ours.dual_objective == pytest.approx(theirs, rel=LIBSVM.within)
    assert ours.gap <= 1e-8 * (1 + ours.dual_objective)


@pytest.mark.parametrize("case", range(SLSQP.cases))
def test_agrees_with_a_general_solver_and_with_smo(case: int) -> None:
    """The program as CPSC340 hands it to quadprog, given to SciPy's general solver."""
    X, y = two_blobs(25, seed=4 + case)
    kernel, C = rbf(0.5), 2.0
    ours = last(svm_qp(X, y, C=C, kernel=kernel, tol=1e-10))
    signs = ours.signs
    Q = signs[:, None] * kernel(X, X) * signs
    theirs = minimize(
        lambda a: a @ Q @ a / 2 - a.sum(),
        np.full(25, C / 2),
        jac=lambda a: Q @ a - 1,
        bounds=Bounds(0, C),
        constraints=LinearConstraint(signs, 0, 0),
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 1000},
    )
    np.testing.assert_allclose(ours.duals, theirs.x, rtol=0, atol=SLSQP.within)
    smo = last(svm(X, y, C=C, kernel=kernel, tol=1e-9))
    np.testing.assert_allclose(ours.duals, smo.duals, atol=1e-6)
    np.testing.assert_array_equal(ours.states, smo.states)
    assert ours.bias == pytest.approx(smo.bias, abs=1e-6)


@settings(max_examples=30, deadline=None)
@given(
    n=st.integers(2, 40),
    seed=st.integers(0, 999),
    C=st.sampled_from([0.01, 1.0, 30.0, 1000.0]),
    kernel=st.sampled_from(list(DEFINITE.values())),
    duplicate=st.booleans(),
)
def test_what_holds_for_every_run(
    n: int, seed: int, C: float, kernel: Kernel, duplicate: bool
) -> None:
    X, y = two_blobs(n, seed)
    if duplicate:
        X = np.round(X)
    steps = check_steps(svm_qp(X, y, C=C, kernel=kernel, tol=1e-7))
    K = kernel(X, X)
    larger = ROUNDING * K.diagonal().max()  # the program's diagonal
    assert steps[-1].event == "converged"
    assert len(steps) <= 40
    best = steps[-1].dual_objective
    for step in steps:
        assert (step.duals > 0).all()
        assert (step.duals <= C).all()
        assert abs(step.duals @ step.signs) <= 1e-9 * C * n
        beta = step.coefficients
        objective = step.duals.sum() - beta @ K @ beta / 2
        rest = larger * (beta @ beta) / 2
        assert step.dual_objective == pytest.approx(objective - rest, rel=1e-7, abs=1e-7 * C)
        primal = step.dual_objective + step.gap + rest
        assert step.primal_objective == pytest.approx(primal, rel=1e-5, abs=1e-5 * C)
        assert step.dual_objective <= best + 1e-6 * (1 + best)
        assert step.mu > 0
        assert 0 <= step.step_length <= 1
        assert 0 <= step.centering <= 1
    assert (steps[0].states == FREE).all()


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("kernel", DEFINITE.values(), ids=DEFINITE)
@pytest.mark.parametrize("C", [0.01, 1e3, 1e100])
def test_hostile_data(name: str, kernel: Kernel, C: float) -> None:
    X, y = HOSTILE[name]
    steps = check_steps(svm_qp(X, y, C=C, kernel=kernel))
    assert steps[-1].event
    check_model(steps[-1], X)


def test_an_indefinite_kernel_and_too_many_points_are_refused() -> None:
    X, y = two_blobs(60)
    with AsInTheApp(), pytest.raises(ValueError, match=r"^kernel must be positive semi-definite"):
        svm_qp(X, y, kernel=sigmoid(1.0, 0.5))
    with AsInTheApp(), pytest.raises(ValueError, match=r"at most 1000 rows .* got 1001"):
        svm_qp(*two_blobs(1001))
    almost = sigmoid(1e-3, 0.0)  # as good as linear: positive semi-definite on these points
    assert last(svm_qp(X[:3] * 0.1, np.array([0, 1, 0]), kernel=almost + polynomial(1, 1.0))).event


def test_stopped_at_max_iter_is_an_event() -> None:
    steps = list(svm_qp(*two_blobs(40), kernel=linear(), max_iter=3))
    assert len(steps) == 4
    assert steps[-1].event == "stopped at max_iter"
