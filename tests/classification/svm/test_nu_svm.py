"""The machine with nu, against libsvm's and against the machine of the C that it equals."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import NuSVC

from algorithms.classification.svm.kernel_machine import FREE
from algorithms.classification.svm.nu_svm import NuSvmStep, largest_nu, nu_svm
from algorithms.classification.svm.shares_by_nu import shares_by_nu
from algorithms.classification.svm.svm import svm
from algorithms.core.features import polynomial_features
from algorithms.core.kernels import Kernel, linear, polynomial, rbf
from algorithms.core.record import last
from tests.classification.svm.test_svm import preset, two_blobs
from tests.core.figures import unpacked
from tests.core.samples import board_of, dataset
from tests.core.told import numbers
from tests.house.checked import Checked
from viz.classification.svm.nu_svm import NuStreet
from viz.core.scene import Run

KERNELS: list[Kernel] = [rbf(1.0), linear(), polynomial(3, 1.0)]
BOARDS = ["moons", "circles", "xor", "almost separable", "blobs"]
NUS = [0.1, 0.3, 0.5, 0.7]
DEAR = 10.0  # C: with a larger one libsvm stops too early for a comparison of f
LIBSVM = Checked(
    "svm",
    "libsvm's `NuSVC`, by the dual objective and, up to C = 10, the decision function",
    60,
    "machines with ν, relative to the largest",
    within=1e-3,
)
assert LIBSVM.cases == len(KERNELS) * len(BOARDS) * len(NUS)


def machine(X, y, nu: float, kernel: Kernel, **how) -> NuSvmStep:
    return last(nu_svm(X, y, nu=nu, kernel=kernel, **{"tol": 1e-7} | how))


@pytest.mark.parametrize("case", range(LIBSVM.cases))
def test_it_is_libsvm_s_machine_and_that_of_its_price(case: int) -> None:
    """Where there is no street, libsvm divides by a rho that is rounding, and nothing compares."""
    name, kernel, nu = BOARDS[case % 5], KERNELS[case // 5 % 3], NUS[case // 15]
    X, y = preset(name, 40)
    step = machine(X, y, nu, kernel)
    assert step.event in ("converged", "rounding")
    assert 2 * step.dual_objective == pytest.approx(-step.coefficients @ (step.outputs - step.bias))
    total = nu * len(y)
    oracle = NuSVC(nu=nu, kernel="precomputed", tol=1e-6, max_iter=500_000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        oracle.fit(kernel(X, X), y)
    size = total / np.abs(oracle.dual_coef_).sum()  # libsvm's rho
    beta = np.zeros(len(y))
    beta[oracle.support_] = size * oracle.dual_coef_[0]
    theirs = -float(beta @ kernel(X, X) @ beta) / 2
    scale = float(kernel.diagonal(X).max()) * total
    assert step.dual_objective == pytest.approx(theirs, rel=LIBSVM.within, abs=1e-6 * scale)
    if not np.isfinite(step.price):
        assert abs(step.dual_objective) < 1e-6 * scale
        return
    if step.price > DEAR:
        return
    f, f_theirs = step.outputs / step.level, oracle.decision_function(kernel(X, X))
    f_price = last(svm(X, y, C=step.price, kernel=kernel, tol=1e-7)).outputs
    both = all((step.states[group] == FREE).any() for group in step.task.groups)
    near = LIBSVM.within * max(1, np.abs(f).max())
    if both:  # else b may be anywhere between two numbers
        np.testing.assert_allclose(f, f_theirs, atol=near)
        np.testing.assert_allclose(f, f_price, atol=near)
    else:
        assert np.ptp(f - f_price) < near or step.level > 0


def test_most_of_the_machines_that_are_compared_have_a_street() -> None:
    streets = [
        machine(*preset(name, 40), nu, kernel).price < DEAR
        for name in BOARDS
        for kernel in KERNELS
        for nu in NUS
    ]
    assert sum(streets) > 40


@settings(max_examples=25, deadline=None)
@given(
    n=st.integers(6, 60),
    seed=st.integers(0, 999),
    share=st.floats(0.02, 1.0),
    kernel=st.sampled_from(KERNELS),
)
def test_what_holds_for_every_run(n: int, seed: int, share: float, kernel: Kernel) -> None:
    X, y = two_blobs(n, seed)
    signs = np.where(y == y.max(), 1.0, -1.0)
    nu = share * largest_nu(signs)
    assert largest_nu(signs) == pytest.approx(2 * min((signs > 0).sum(), (signs < 0).sum()) / n)
    steps = list(nu_svm(X, y, nu=nu, kernel=kernel))
    for step in steps:
        for sign in (-1, 1):
            assert step.duals[signs == sign].sum() == pytest.approx(nu * n / 2)
        assert 0 <= step.duals.min() <= step.duals.max() <= 1
        assert len(step.support) >= nu * n - 1e-6
        rounding = 1e-9 * float(kernel.diagonal(X).max()) * n**2
        assert step.primal_objective >= step.dual_objective - rounding
    D = [step.dual_objective for step in steps]
    assert (np.diff(D) >= -1e-9 * (1 + np.abs(D[0]))).all()
    end = steps[-1]
    assert end.event == "converged"
    assert len(end.margin_errors) <= nu * n + 1e-6
    assert (end.duals[end.margin_errors] == 1).all()
    assert end.primal_objective == pytest.approx(end.dual_objective, abs=1e-4 * nu * n + 1e-3)


def test_w_is_the_difference_of_two_weighted_means() -> None:
    X, y = two_blobs(60)
    step = machine(X, y, 0.7, linear())
    half = 0.7 * 60 / 2
    means = [step.duals[group] @ X[group] / half for group in step.task.groups]
    w = half * (means[0] - means[1])
    np.testing.assert_allclose(X @ w + step.bias, step.outputs)
    assert step.dual_objective == pytest.approx(-w @ w / 2)
    # No other two means of weights up to 1 are nearer to each other in the direction of w.
    for group, sign in zip(step.task.groups, (1, -1), strict=True):
        along = np.sort(sign * X[group] @ w)[: int(np.ceil(half))]
        assert along.mean() == pytest.approx(sign * means[sign < 0] @ w, rel=1e-4)


@pytest.mark.parametrize("few", [1, 5, 20])
def test_the_largest_nu_is_feasible_and_a_larger_one_is_refused(few: int) -> None:
    X, y = preset("moons", 40)
    order = np.argsort(y, kind="stable")  # 20 of each class
    kept = np.concatenate([order[:few], order[20:]])
    X, y = X[kept], y[kept]
    largest = 2 * min(few, 20) / len(y)
    step = machine(X, y, largest, rbf(1.0))
    assert step.event == "converged"
    assert np.isfinite([step.bias, step.level, step.violation]).all()
    assert (step.duals[y == y[0]] == 1).all()
    with pytest.raises(ValueError, match=rf"nu must be at most 2 min.* = {largest:.4g}, got nu="):
        nu_svm(X, y, nu=largest + 0.01)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"nu": 0.0}, "nu must be"),
        ({"nu": -0.1}, "nu must be"),
        ({"tol": 0.0}, "tol must be"),
        ({"max_iter": 0}, "max_iter must be"),
        ({"y": np.arange(10)}, "y must name two classes"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    X, y = two_blobs(10)
    with pytest.raises(ValueError, match=sentence):
        nu_svm(**{"X": X, "y": y} | changes)


def test_no_line_has_so_few_margin_errors_on_xor() -> None:
    X, y = preset("xor", 80)
    step = machine(X, y, 0.2, linear(), tol=1e-5)
    assert step.price == np.inf
    assert abs(step.dual_objective) < 1e-6
    bent = machine(X, y, 0.2, polynomial(2, 0.0), tol=1e-5)
    assert np.isfinite(bent.price)


def test_the_shares_for_every_nu_are_those_of_its_machine() -> None:
    X, y = preset("moons", 60)
    found = shares_by_nu(X, y, kernel=rbf(1.0), count=6, rng=np.random.default_rng(0))
    assert found.n == 60
    np.testing.assert_allclose(found.nus, np.arange(1, 7) / 6)
    assert (found.errors <= found.nus + 1e-9).all()
    assert (found.support >= found.nus - 1e-9).all()
    finite = np.isfinite(found.prices)
    assert (np.diff(found.prices[finite]) < 0).all(), "a larger nu is a lower price"
    for nu, price in zip(found.nus[finite], found.prices[finite], strict=True):
        assert machine(X, y, nu, rbf(1.0)).price == pytest.approx(price, rel=1e-2)
    fewer = shares_by_nu(X, y, kernel=rbf(1.0), count=2, most=20, rng=np.random.default_rng(0))
    assert fewer.n == 20


def shown(name: str, kernel: Kernel, nu: float) -> tuple[tuple, NuStreet]:
    data = board_of(dataset(name, 60))
    features = polynomial_features(data.X, 1)
    F, second = features(data.X), data.labels
    steps = tuple(nu_svm(F, second, nu=nu, kernel=kernel))
    by_nu = shares_by_nu(F, second, kernel=kernel, count=5, rng=np.random.default_rng(0))
    place = np.array([0.5, -0.5])
    return steps, NuStreet(Run("", steps), data, (0, 1), features, place, None, by_nu)


def test_the_caption_says_what_nu_bounds_and_which_price_it_equals() -> None:
    steps, mode = shown("moons", rbf(1.0), 0.3)
    end = len(steps) - 1
    first_line, last_line, _ = mode.caption(end).split("\n")
    f = steps[end].outputs
    errors = (steps[end].signs * f < steps[end].level - 1e-5).sum()
    rho, C = steps[end].level, 1 / steps[end].level
    support = (steps[end].duals > 0).sum()
    assert numbers(first_line) == [18, 60, errors, support]
    expected = [errors, 18, support, rho]
    assert numbers(last_line)[:4] == pytest.approx(expected, rel=1e-2)
    assert numbers(last_line)[-1] == pytest.approx(C, rel=1e-2)
    assert "the machine of C" not in mode.caption(0)


def test_where_no_street_is_left_the_caption_says_so_and_no_border_is_drawn() -> None:
    steps, mode = shown("xor", linear(), 0.1)
    end = len(steps) - 1
    assert "ρ = 0 and w = 0" in mode.caption(end)
    border = next(t for t in mode.picture(end)["data"] if t.get("name") == "border, f = 0")
    assert np.isnan(unpacked(border["x"])).all()


def test_the_two_means_come_nearer_to_each_other() -> None:
    steps, mode = shown("separable", linear(), 0.3)
    apart = []
    for now in (0, len(steps) - 1):
        trace = mode.further(now)[0]
        x, y = unpacked(trace["x"]), unpacked(trace["y"])
        step = steps[now]
        for end, group in enumerate(step.task.groups):
            mean = step.duals[group] @ mode.data.X[group] / step.duals[group].sum()
            np.testing.assert_allclose([x[end], y[end]], mean, rtol=1e-5)
        apart.append(step.dual_objective)
    assert apart[1] >= apart[0]
