"""Basis functions added one by one, against NumPy's and scikit-learn's least squares."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression

from algorithms.core.scaling import by_largest
from algorithms.regression.basis import NESTED, nested_basis
from algorithms.regression.linear_regression.basis_regression import DEPENDENT, basis_regression
from tests.core.samples import points_of, rng
from tests.house.check_steps import POINTS, AsInTheApp, check_model, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"X": POINTS[:, :1]}
NUMPY = Checked(
    "linear_regression",
    "NumPy's least squares on basis functions, fitted values relative to the largest target",
    96,
    "fits",
    within=1e-7,
)
PRESETS = ("sine", "step", "line", "diabetes")


def matrix(kind: str, x: np.ndarray, train: np.ndarray, p: int) -> np.ndarray:
    """Write down the columns of Phi, without that of ones."""
    low, high = train.min(), train.max()
    j = np.arange(1, p + 1)
    m = low + (high - low) * np.array([4, 2, 6, 1, 5, 3, 7])[:p] / 8
    h = 0.1 * (high - low)
    if kind == "polynomial":
        return ((x - (low + high) / 2) / ((high - low) / 2))[:, None] ** j
    if kind == "Gaussian":
        return np.exp(-((x[:, None] - m) ** 2) / (2 * h**2))
    if kind == "sigmoid":
        return 1 / (1 + np.exp(-(x[:, None] - m) / h))
    a = 2 * np.pi * (x[:, None] - (low + high) / 2) / (high - low) * ((j + 1) // 2)
    return np.where(j % 2, np.cos(a), np.sin(a))


@pytest.mark.parametrize("case", range(NUMPY.cases // 8))
def test_agrees_with_numpy_and_scikit_learn(case: int) -> None:
    X = points_of(PRESETS[case % 4], sample=case)
    x, y = X.T
    held = rng(case).random(len(x)) < 0.4
    kind = NESTED[case // 4 % 4]
    steps = check_steps(basis_regression(X[:, :1], y, basis=kind, most=7, held_out=held))
    assert [step.count for step in steps] == list(range(8))
    for p, step in enumerate(steps):
        Phi = np.column_stack([np.ones(len(x)), matrix(kind, x, x[~held], p)])
        w = np.linalg.lstsq(Phi[~held], y[~held])[0]
        near = NUMPY.within * np.abs(y).max()
        np.testing.assert_allclose(step.predict(X[:, :1]), Phi @ w, rtol=0, atol=near)
        np.testing.assert_allclose([step.intercept, *step.weights], w, rtol=1e-6, atol=near)
        errors = np.sqrt([((y - Phi @ w)[part] ** 2).mean() for part in (~held, held)])
        assert step.training_error == pytest.approx(errors[0], rel=1e-7)
        assert step.held_out_error == pytest.approx(errors[1], rel=1e-6)
        if p:
            theirs = LinearRegression().fit(Phi[~held, 1:], y[~held])
            found = step.predict(X[:, :1])
            np.testing.assert_allclose(found, theirs.predict(Phi[:, 1:]), rtol=0, atol=near)


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(2, 30),
    seed=st.integers(0, 999),
    kind=st.sampled_from(NESTED),
    width=st.sampled_from([0.02, 0.1, 0.5]),
)
@example(n=15, seed=641, kind="sigmoid", width=0.5)  # the rank falls
def test_what_holds_for_every_basis(n: int, seed: int, kind: str, width: float) -> None:
    random = rng(seed)
    x, y = random.normal(size=n), random.normal(size=n)
    held = random.random(n) < 0.5
    held[0] = False
    run = basis_regression(x[:, None], y, basis=kind, most=15, width=width, held_out=held)
    steps = check_steps(run)
    assert len(steps) == 16
    for before, after in pairwise(steps):
        if after.rank == after.count:
            assert after.training_error <= before.training_error + 1e-5, "one column more"
        Phi = by_largest(after.features(x[~held][:, None])[:, : after.count])[0]
        sizes = np.linalg.svd(Phi, compute_uv=False)
        near = 0.9 * DEPENDENT * sizes[0], 1.1 * DEPENDENT * sizes[0]  # rounding decides between
        assert (sizes > near[1]).sum() <= after.rank <= (sizes > near[0]).sum()
        assert (after.event == "many solutions") == (after.rank <= before.rank)
        if after.event == "worse on held-out points":
            assert after.held_out_error > before.held_out_error
        shares = after.terms(x[:, None]).sum(axis=1) + after.intercept
        np.testing.assert_allclose(shares, after.predict(x[:, None]), rtol=1e-12)
    reached = [step for step in steps if step.event == "through all points"]
    assert len(reached) <= 1
    for step in reached:
        size = 1e-8 * (1 + step.largest)
        fitted = step.predict(x[~held][:, None])
        np.testing.assert_allclose(fitted, y[~held], rtol=0, atol=size)


@pytest.mark.parametrize("n", [3, 5, 8])
def test_n_points_need_n_weights(n: int) -> None:
    x = np.linspace(-2, 3, n)
    steps = list(basis_regression(x[:, None], np.sin(5 * x), most=n + 1))
    assert steps[n - 1].event == "through all points"
    assert steps[n].event == "many solutions"
    assert all(step.event is None for step in steps[: n - 1])


def test_the_first_functions_do_not_depend_on_how_many_follow() -> None:
    X = points_of("sine")[:, :1]
    for kind in NESTED:
        all_ = nested_basis(X, kind, 15)(X)
        for count in (1, 2, 7):
            np.testing.assert_array_equal(nested_basis(X, kind, count)(X), all_[:, :count])


def test_every_new_place_halves_a_gap() -> None:
    places = nested_basis(np.array([[0.0], [16.0]]), "Gaussian", 15).places
    assert places.tolist() == [8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15]


HOSTILE = {
    "one point": (np.array([3.0]), np.array([2.0])),
    "one place": (np.full(6, 0.1), np.arange(6.0)),
    "level": (np.arange(6.0), np.full(6, 0.1)),
    "duplicates": (np.repeat([0.0, 1.0], 10), np.tile([1.0, 2.0], 10)),
    "huge": (np.arange(9.0) * 1e98, np.arange(9.0) ** 2 * 1e98),
    "tiny": (np.arange(9.0) * 1e-90, np.arange(9.0) ** 2 * 1e-90),
    "far away": (np.arange(9.0) + 1e9, np.arange(9.0) ** 2),
    "an outlier": (np.append(np.arange(9.0), 1e99), np.append(np.arange(9.0), -1e99)),
}


@pytest.mark.parametrize("kind", NESTED)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_data(name: str, kind: str) -> None:
    x, y = HOSTILE[name]
    held = np.arange(len(x)) % 3 == 2
    for step in check_steps(basis_regression(x[:, None], y, basis=kind, most=15, held_out=held)):
        check_model(step, x[:, None])


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"most": 16}, "most must be between 1 and 15, got most=16"),
        ({"basis": "cubic"},
         "basis must be one of 'polynomial', 'Gaussian', 'sigmoid', 'Fourier', got basis='cubic'"),
        ({"width": 0.0}, "width must be positive, got width=0.0"),
        ({"held_out": np.ones(5, bool)}, "held_out must be n=5 booleans, not all true, got "),
        ({"held_out": np.zeros(4, bool)}, "held_out must be n=5 booleans, not all true, got "),
        ({"X": np.ones((5, 2))}, "X must have one column, got 2"),
    ],
)  # fmt: skip
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": np.arange(5.0)[:, None], "y": np.arange(5.0)} | changes
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        basis_regression(**given)
    assert str(caught.value).startswith(sentence)
