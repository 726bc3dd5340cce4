from itertools import pairwise

import numpy as np
import pytest
from sklearn.svm import SVR

from algorithms.core.kernels import Kernel, linear, polynomial, rbf, sigmoid
from algorithms.core.record import last
from algorithms.core.scaling import standard
from algorithms.data.presets import DATASETS
from algorithms.kernel_machines.moves import FreeMove, PairMove
from algorithms.regression.support_vector_regression import TubeStep, support_vector_regression
from tests.house.checked import Checked

KERNELS: dict[str, tuple[Kernel, dict]] = {
    "linear": (linear(), {"kernel": "linear"}),
    "cubic": (polynomial(3, 1.0), {"kernel": "poly", "degree": 3, "gamma": 1.0, "coef0": 1.0}),
    "RBF": (rbf(0.7), {"kernel": "rbf", "gamma": 0.7}),
}
NAMES = ("line", "line with outliers", "sine", "step", "correlated")
LIBSVM = Checked(
    "support_vector_regression",
    "libsvm, curves in standard units relative to 1 + C",
    45,
    "problems with three kernels",
    within=1e-4,
)
DUAL = Checked(
    "support_vector_regression",
    "D written out with the kernel matrix, at every step and relative to 1 + C",
    48,
    "runs",
    within=1e-8,
)
CONDITIONS = Checked(
    "support_vector_regression",
    "The conditions for an optimum at the end, residuals in standard units",
    9,
    "runs with three kernels",
    within=1e-6,
)


def preset(name: str, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns of a preset in standard units."""
    p = DATASETS[name]
    plane = p.make(n, noise=p.noise, rng=np.random.default_rng(1)).X
    u, v = standard(plane).transform(plane).T
    return u[:, None], v


def fit(name: str, kernel: Kernel, **how: float) -> TubeStep:
    return last(support_vector_regression(*preset(name), kernel=kernel, tol=1e-7, **how))


@pytest.mark.parametrize("case", range(LIBSVM.cases))
def test_it_ends_where_libsvm_does(case: int) -> None:
    name, C = NAMES[case % 5], (0.1, 1.0, 100.0)[case // 5 % 3]
    X, y = preset(name)
    kernel, theirs = list(KERNELS.values())[case // 15]
    step = fit(name, kernel, C=C, epsilon=0.2, max_iter=20_000)
    assert step.event == "converged"
    oracle = SVR(C=C, epsilon=0.2, tol=1e-7, **theirs).fit(X, y)
    cells = np.linspace(-2, 2, 50)[:, None]
    near = LIBSVM.within * (1 + C)
    np.testing.assert_allclose(step.predict(cells), oracle.predict(cells), rtol=0, atol=near)
    beta = np.zeros(len(X))
    beta[oracle.support_] = oracle.dual_coef_[0]
    theirs_dual = y @ beta - 0.2 * np.abs(beta).sum() - beta @ kernel(X, X) @ beta / 2
    assert step.dual_objective >= theirs_dual - 1e-6 * (1 + abs(theirs_dual))
    assert step.primal_objective == pytest.approx(step.dual_objective, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("case", range(DUAL.cases))
def test_every_move_raises_the_dual_inside_the_box(case: int) -> None:
    rng = np.random.default_rng(case)
    name, kind = rng.choice(NAMES), rng.choice(list(KERNELS))
    C, epsilon = float(rng.choice([0.03, 1.0, 30.0])), float(rng.choice([0.0, 0.1, 0.5, 2.0]))
    X, y = preset(name, 30)
    steps = list(
        support_vector_regression(X, y, C=C, epsilon=epsilon, kernel=KERNELS[kind][0], max_iter=400)
    )
    K = KERNELS[kind][0](X, X)
    before = -np.inf
    for step in steps:
        beta = step.coefficients
        assert abs(beta.sum()) < 1e-9 * C * len(X) and np.abs(beta).max() <= C
        dual = y @ beta - epsilon * np.abs(beta).sum() - beta @ K @ beta / 2
        assert step.dual_objective == pytest.approx(dual, rel=0, abs=DUAL.within * (1 + C))
        assert dual >= before - 1e-9 * (1 + abs(dual))
        assert step.primal_objective >= dual - 1e-6 * (1 + abs(dual))
        np.testing.assert_allclose(step.predict(X), K @ beta + step.bias, atol=1e-7 * (1 + C))
        before = dual


@pytest.mark.parametrize("case", range(CONDITIONS.cases))
def test_the_conditions_hold_at_the_end(case: int) -> None:
    kernel, name = list(KERNELS.values())[case % 3][0], ("sine", "line", "step")[case // 3]
    step = fit(name, kernel, C=1.0, epsilon=0.3, max_iter=20_000)
    r, beta, near = step.residuals, step.coefficients, CONDITIONS.within
    inside, out = beta == 0, np.abs(beta) >= 1.0
    edge = ~inside & ~out
    assert (np.abs(r[inside]) <= 0.3 + near).all()
    np.testing.assert_allclose(np.abs(r[edge]), 0.3, rtol=0, atol=near)
    assert (np.abs(r[out]) >= 0.3 - near).all()
    assert (np.sign(r[~inside]) == np.sign(beta[~inside])).all()


def test_points_inside_the_tube_could_be_erased() -> None:
    X, y = preset("sine")
    step = fit("sine", rbf(1.0), C=1.0, epsilon=0.3)
    kept = step.support
    assert len(kept) < len(X) / 2
    alone = last(
        support_vector_regression(X[kept], y[kept], C=1.0, epsilon=0.3, kernel=rbf(1.0), tol=1e-7)
    )
    np.testing.assert_allclose(alone.predict(X), step.predict(X), atol=1e-5)


def test_steps_name_their_moves() -> None:
    X, y = preset("line with outliers")
    steps = list(support_vector_regression(X, y, C=100.0, epsilon=0.1, kernel=linear()))
    assert steps[0].move is None and not steps[0].coefficients.any()
    kinds = {type(step.move) for step in steps[1:]}
    assert kinds == {PairMove, FreeMove}
    for before, step in pairwise(steps):
        change = step.coefficients - before.coefficients
        assert set(np.flatnonzero(change)) <= set(step.moved)
        if isinstance(step.move, PairMove):
            assert change[step.move.i] == pytest.approx(step.move.taken, abs=1e-9)
            assert 0 < step.move.taken <= step.move.wanted
    first = next(s.index for s in steps if (s.duals >= 100.0).any())
    (told,) = [s.index for s in steps if s.event == "a point reaches C"]
    assert told == first


def test_an_indefinite_kernel_moves_pairs_only() -> None:
    X, y = preset("sine", 30)
    kernel = sigmoid(1.0, 0.5)
    steps = list(support_vector_regression(X, y, C=1.0, kernel=kernel, max_iter=300))
    assert all(isinstance(step.move, PairMove) for step in steps[1:])
    assert any(step.move.eta < 0 for step in steps[1:]), "D bends up along some pairs"
    K = kernel(X, X)
    for step in steps:
        beta = step.coefficients
        dual = y @ beta - 0.1 * np.abs(beta).sum() - beta @ K @ beta / 2
        assert step.dual_objective == pytest.approx(dual, abs=1e-9)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"C": 0.0}, "C"),
        ({"epsilon": -1.0}, "epsilon"),
        ({"tol": 0.0}, "tol"),
        ({"max_iter": 0}, "max_iter"),
    ],
)
def test_bad_arguments_are_refused(how: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        support_vector_regression(np.zeros((3, 1)), np.zeros(3), **how)
