import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from algorithms.classification.svm.kernel_machine import FREE, FULL, OUT
from algorithms.classification.svm.svm import SvmStep, svm
from algorithms.classification.svm.svm_qp import svm_qp
from algorithms.core.kernels import Kernel, linear, polynomial, rbf, sigmoid
from algorithms.core.record import last
from algorithms.kernel_machines.moves import FreeMove
from tests.core.samples import dataset
from tests.house.check_steps import AsInTheApp, check_model, check_steps, measured
from tests.house.checked import Checked

KERNELS: dict[str, Kernel] = {
    "linear": linear(),
    "polynomial": polynomial(3, 1.0),
    "RBF": rbf(1.0),
    "tanh": sigmoid(0.5, -0.5),
    "tanh, indefinite": sigmoid(1.0, 0.5),
    "sum": linear() + rbf(2.0),
    "product": polynomial(2, 1.0) * rbf(0.5),
}
every_kernel = pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)


def preset(name: str, n: int = 40, noise: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """Return two classes of a preset, standardised."""
    data = dataset(name, n, sample=1, noise=noise)
    two = np.isin(data.labels, [0, 1])
    X = data.X[two]
    return (X - X.mean(axis=0)) / X.std(axis=0), data.labels[two]


def two_blobs(n: int, seed: int = 0, d: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Return overlapping classes, labelled by odd integers."""
    random = np.random.default_rng(seed)
    codes = np.concatenate([[0, 1], random.integers(2, size=n - 2)])
    return random.normal(size=(n, d)) + 1.5 * codes[:, None], 4 * codes - 3


def libsvm(K: np.ndarray, y: np.ndarray, C: float, tol: float) -> tuple[float, SVC]:
    """Return libsvm's dual objective, and its model."""
    model = SVC(C=C, kernel="precomputed", tol=tol, shrinking=False, max_iter=500_000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(K, y)
    beta = np.zeros(len(y))
    beta[model.support_] = model.dual_coef_[0]
    return np.abs(beta).sum() - beta @ K @ beta / 2, model


CONDITIONS = Checked(
    "svm",
    "The conditions of the optimum at the end of SMO, point by point",
    175,
    "machines, relative to the largest margin",
    within=1e-3,
)
NEW_PLACES = Checked(
    "svm",
    "scikit-learn's f at new places, for SMO",
    10,
    "machines, relative to the largest",
    within=1e-3,
)
PRICES = [0.1, 1.0, 10.0, 100.0, 1000.0]
BOARDS = ["moons", "circles", "xor", "almost separable", "penguins"]


@pytest.mark.parametrize("case", range(CONDITIONS.cases))
def test_every_point_keeps_its_condition_at_the_end(case: int) -> None:
    """With an indefinite kernel there are many such ends, and rounding decides which one it is."""
    (X, y), C = preset(BOARDS[case % 5]), PRICES[case // 5 % 5]
    kernel = [*KERNELS.values()][case // 25]
    K = kernel(X, X)
    tol = 1e-5 if C < 1000 else 1e-4
    with AsInTheApp():  # checking the shapes of 50,000 steps takes long
        ours = last(svm(X, y, C=C, kernel=kernel, tol=tol, max_iter=100_000))
    assert ours.event == "converged"
    duals, beta = ours.duals, ours.coefficients
    margins = ours.signs * (K @ beta + ours.bias)
    slack = tol + 1e-9 * np.abs(margins).max()
    assert slack <= CONDITIONS.within * max(np.abs(margins).max(), 1)
    assert (margins[duals < C] >= 1 - slack).all()
    assert (margins[duals > 0] <= 1 + slack).all()
    assert abs(beta.sum()) <= 1e-9 * C * len(y)
    norm = beta @ K @ beta
    assert duals.sum() - norm / 2 == pytest.approx(ours.dual_objective, rel=1e-9)
    primal = norm / 2 + C * np.maximum(1 - margins, 0).sum()
    assert primal == pytest.approx(ours.primal_objective, rel=1e-9)
    gap = primal - ours.dual_objective
    assert abs(gap) <= C * len(y) * slack + 1e-9 * (abs(primal) + abs(norm))
    if kernel.definite:
        check_with_libsvm(ours, K, y, C, tol)


def check_with_libsvm(ours: SvmStep, K: np.ndarray, y: np.ndarray, C: float, tol: float) -> None:
    """Compare with the optimum, of which there is only one."""
    theirs, model = libsvm(K, y, C, tol)
    assert ours.dual_objective == pytest.approx(theirs, rel=1e-6)
    f = model.decision_function(K)
    np.testing.assert_allclose(ours.outputs, f, atol=100 * tol * max(1, np.abs(f).max()))


@pytest.mark.parametrize("case", range(NEW_PLACES.cases))
def test_agrees_with_scikit_learn_on_new_points(case: int) -> None:
    definite = [kernel for kernel in KERNELS.values() if kernel.definite]
    kernel = definite[case % len(definite)]
    X, y = two_blobs(150, seed=2 + case // len(definite))
    ours = last(svm(X, y, kernel=kernel, tol=1e-8, max_iter=100_000))
    theirs = SVC(kernel=kernel, tol=1e-8).fit(X, y)
    new = np.random.default_rng(3).normal(size=(200, 2)) * 2
    np.testing.assert_array_equal(ours.classes, theirs.classes_)
    expected = theirs.decision_function(new)
    near = NEW_PLACES.within * np.abs(expected).max()
    np.testing.assert_allclose(ours.decision_function(new), expected, rtol=0, atol=near)
    np.testing.assert_array_equal(ours.support, np.sort(theirs.support_))
    assert ours.bias == pytest.approx(theirs.intercept_[0], abs=1e-6)
    assert (ours.predict(new) == theirs.predict(new)).mean() > 0.99


@settings(max_examples=25, deadline=None)
@given(
    n=st.integers(2, 40),
    seed=st.integers(0, 999),
    C=st.sampled_from([0.01, 1.0, 30.0, 1000.0]),
    kernel=st.sampled_from(list(KERNELS.values())),
    duplicate=st.booleans(),
    d=st.integers(1, 3),
)
def test_what_holds_for_every_run(
    n: int, seed: int, C: float, kernel: Kernel, duplicate: bool, d: int
) -> None:
    X, y = two_blobs(n, seed, d)
    if duplicate:
        X = np.round(X)
    steps = check_steps(svm(X, y, C=C, kernel=kernel, max_iter=2000))
    K = kernel(X, X)
    scale = 1 + abs(steps[-1].dual_objective)
    assert steps[0].pair is steps[0].move is None
    assert steps[0].dual_objective == 0
    assert [step.index for step in steps] == list(range(len(steps)))
    assert steps[-1].event in ("converged", "rounding", "stopped at max_iter")
    for step in steps:
        duals, beta = step.duals, step.coefficients
        assert (duals >= 0).all()
        assert (duals <= C).all()
        assert abs(duals @ step.signs) <= 1e-9 * C * n
        np.testing.assert_allclose(step.outputs, K @ beta + step.bias, atol=1e-8 * (1 + C * n))
        np.testing.assert_array_equal(step.support, np.flatnonzero(duals))
        dual = duals.sum() - beta @ K @ beta / 2
        assert dual == pytest.approx(step.dual_objective, abs=1e-9 * (scale + C))
        assert step.primal_objective >= step.dual_objective - 1e-9 * (scale + C)  # whatever K
        # The violation is that of the two extremes, and b lies half-way.
        worst = step.kkt_violations.max()
        assert worst == pytest.approx(max(step.violation, 0) / 2, abs=1e-7 * (1 + C * n))
    for before, after in pairwise(steps):
        assert after.dual_objective >= before.dual_objective
        changed = np.flatnonzero(before.duals != after.duals)
        gain = after.dual_objective - before.dual_objective
        assert set(changed) <= set(after.moved)
        np.testing.assert_array_equal(after.before, before.coefficients)
        assert after.move.gain == pytest.approx(gain, abs=1e-9 * scale)
        if isinstance(after.move, FreeMove):
            assert after.pair is None
            continue
        assert after.pair == tuple(after.moved) == after.move[:2]
        assert 0 <= after.move.taken <= after.move.wanted


def test_where_the_dual_does_not_bend_down_the_pair_goes_to_its_box() -> None:
    X = np.array([[1.0, 2.0], [1.0, 2.0], [3.0, 0.0]])
    steps = list(svm(X, np.array([0, 1, 0]), C=3.0, kernel=rbf(1.0)))
    flat = [step for step in steps[1:] if step.pair == (1, 0)]
    assert flat
    assert flat[0].move.eta == 0
    assert 3.0 in flat[0].duals[[1, 0]]
    assert flat[0].move.gain == flat[0].move.taken * flat[0].move.slope
    X, y = two_blobs(60, 1)
    steps = list(svm(X, y, kernel=sigmoid(1.0, 0.5)))[1:]
    bent_up = [step for step in steps if step.move.eta < 0]
    assert bent_up
    assert all(np.isin([0.0, 1.0], step.duals[step.moved]).any() for step in bent_up)


def test_worked_by_hand() -> None:
    """Two points two apart: alpha = 2 / ||a - b||^2 = 1/2 each, f(x) = x - 1."""
    X, y = np.array([[0.0], [2.0]]), np.array([0, 1])
    start, end = svm(X, y, C=10.0, kernel=linear())
    assert start.violation == 2
    assert start.primal_objective == 20
    assert end.pair == (1, 0)
    assert end.move.slope == 2
    assert end.move.eta == 4
    assert end.duals.tolist() == [0.5, 0.5]
    assert (end.bias, end.dual_objective, end.primal_objective) == (-1, 0.5, 0.5)
    assert end.decision_function(np.array([[3.0]])).tolist() == [2]
    assert end.margin == 1
    assert end.states.tolist() == [FREE, FREE]
    assert end.event == "converged"

    _, clipped = svm(X, y, C=0.2, kernel=linear())
    assert clipped.duals.tolist() == [0.2, 0.2]
    assert clipped.move.wanted == 0.5
    assert clipped.states.tolist() == [FULL, FULL]
    assert clipped.dual_objective == pytest.approx(0.4 - 0.5 * 0.16)


def test_states_and_violators() -> None:
    X, y = two_blobs(60, 7)
    steps = list(svm(X, y, C=1.0, kernel=linear()))
    assert (steps[0].states == OUT).all()
    assert len(steps[0].violators) == 60  # f = 0 everywhere: every point is inside the margin
    for step in steps:
        assert (len(step.violators) > 0) == (step.violation > step.tol)
        y_f = step.signs * step.outputs
        broken = np.where(
            step.states == OUT,
            y_f < 1 - step.tol / 2,
            np.where(step.states == FULL, y_f > 1 + step.tol / 2, abs(y_f - 1) > step.tol / 2),
        )
        np.testing.assert_array_equal(step.violators, np.flatnonzero(broken))


def test_events() -> None:
    X, y = two_blobs(80, 3)
    steps = list(svm(X, y, C=1.0))
    full = [bool((step.states == FULL).any()) for step in steps]
    named = [i for i, step in enumerate(steps) if step.event == "a point reaches C"]
    assert named == [full.index(True)]
    dropped = [
        i + 1
        for i, (a, b) in enumerate(pairwise(steps))
        if ((a.states != OUT) & (b.states == OUT)).any()
    ]
    named = [i for i, step in enumerate(steps) if step.event == "a support vector drops out"]
    assert named
    assert set(dropped) - {full.index(True), len(steps) - 1} == set(named)
    assert steps[-1].event == "converged"
    stopped = list(svm(X, y, max_iter=5))
    assert len(stopped) == 6
    assert stopped[-1].event == "stopped at max_iter"


HOSTILE = {
    "two points": (np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([0, 1])),
    "the same point": (np.ones((6, 2)), np.array([0, 1, 1, 1, 0, 1])),
    "duplicates": (np.repeat([[0.0, 1.0], [2.0, 3.0]], 5, axis=0), np.arange(10) % 2),
    "collinear": (np.outer(np.arange(12.0), [1.0, -2.0]), np.arange(12) // 3 % 2),
    "zeros": (np.zeros((7, 3)), np.arange(7) % 2),
    "large": (two_blobs(30)[0] * 1e3, two_blobs(30)[1]),
    "tiny": (two_blobs(30)[0] * 1e-100, two_blobs(30)[1]),
    "far away": (two_blobs(30)[0] + 1e6, two_blobs(30)[1]),
    "an outlier": (np.concatenate([two_blobs(30)[0], [[1e9, -1e9]]]), np.arange(31) % 2),
    "imbalanced": (two_blobs(60)[0], (np.arange(60) == 7).astype(int)),
    "grid of ties": (np.indices((6, 6)).reshape(2, -1).T / 3, np.arange(36) % 2),
}


@pytest.mark.parametrize("name", HOSTILE)
@every_kernel
@pytest.mark.parametrize("C", [0.01, 1e3, 1e100])
def test_hostile_data(name: str, kernel: Kernel, C: float) -> None:
    X, y = HOSTILE[name]
    steps = check_steps(svm(X, y, C=C, kernel=kernel, max_iter=300))
    assert steps[-1].event
    assert np.isfinite(steps[-1].primal_objective)
    assert (np.diff([step.dual_objective for step in steps]) >= 0).all()
    check_model(steps[-1], X)


@pytest.mark.thorough
@pytest.mark.parametrize(("n", "moves", "most"), [(5000, 2000, 20e6), (100, 10_000, 4e6)])
def test_long_runs_stay_small_also_when_all_of_it_was_looked_at(
    n: int, moves: int, most: float
) -> None:
    """So the 50,000 moves of the app take at most 20 MB."""
    X, y = two_blobs(n)
    with AsInTheApp():
        long = {"C": 1e6, "tol": 0.0, "max_iter": moves, "pairs": moves}
        steps, size = measured(lambda: list(svm(X, y, **long)))
        assert len(steps) == moves + 1
        assert size < most
        looked_at, more = measured(lambda: [step.outputs.sum() for step in steps[::10]])
        assert len(looked_at) > 100
        assert more < 256 * 8 * n + 1e6
    assert steps[-1].primal_objective > steps[-1].dual_objective


def test_what_was_looked_at_in_any_order_is_the_same() -> None:
    X, y = two_blobs(60)
    steps = list(svm(X, y, C=100.0, max_iter=300))
    expected = [(step.coefficients, step.outputs, step.pair, step.move) for step in steps]
    for i in np.random.default_rng(0).permutation(len(steps)):
        coefficients, outputs, pair, move = expected[i]
        np.testing.assert_array_equal(steps[i].coefficients, coefficients)
        np.testing.assert_array_equal(steps[i].outputs, outputs)
        assert (steps[i].pair, steps[i].move) == (pair, move)


def test_the_whole_matrix_its_rows_and_rows_that_do_not_fit_the_cache_are_the_same(
    monkeypatch,
) -> None:
    X, y = two_blobs(50)
    expected = [step.pair for step in svm(X, y)]
    monkeypatch.setattr("algorithms.kernel_machines.kernel_rows.FEW", 0)
    assert [step.pair for step in svm(X, y)] == expected
    monkeypatch.setattr("algorithms.kernel_machines.kernel_rows.CACHED", 300)
    assert [step.pair for step in svm(X, y)] == expected


@pytest.mark.parametrize("solve", [svm, svm_qp])
@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"y": np.full(5, 3)}, "y must name at least two classes, got only class 3"),
        (
            {"y": np.arange(5) % 3},
            "y must name two classes, got 3: a support vector machine separates two, use "
            "one-versus-rest or one-versus-one",
        ),
        ({"C": 0.0}, "C must be positive, got C=0.0"),
        ({"C": np.inf}, "C must be a number from 0 to 1e+100, got C=inf"),
        ({"tol": -1.0}, "tol must be a number from 0 to 1e+100, got tol=-1.0"),
        ({"max_iter": 0}, "max_iter must be at least 1, got max_iter=0"),
        ({"kernel": "rbf"}, "kernel must be a kernel such as rbf(1.0), got kernel='rbf'"),
        (
            {"X": np.full((5, 2), 1e60), "kernel": linear()},
            "kernel must stay below 1e+90 on the points: the columns of X are too large for it, "
            "standardise them",
        ),
    ],
)
def test_bad_arguments_are_refused_at_the_call(solve, changes: dict, sentence: str) -> None:
    given = {"X": np.arange(10.0).reshape(5, 2), "y": np.arange(5) % 2} | changes
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        solve(**given)
    assert str(caught.value) == sentence
