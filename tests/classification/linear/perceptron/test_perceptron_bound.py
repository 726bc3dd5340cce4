from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from algorithms.classification.linear.perceptron.perceptron import perceptron
from algorithms.classification.linear.perceptron.perceptron_bound import (
    Overlap,
    Separator,
    proof,
    separate,
)
from algorithms.core.record import last
from tests.classification.linear.perceptron.test_perceptron import (
    AND,
    HOSTILE,
    LABELLED,
    XOR,
    preset,
    rng,
)
from tests.core.samples import dataset
from tests.house.check_steps import AsInTheApp
from tests.house.checked import Checked


def signed(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.where(y == y.max(), 1.0, -1.0)[:, None] * np.column_stack([X, np.ones(len(X))])


def best_margin(Z: np.ndarray) -> float:
    """Return the distance of the origin from the rows' hull, by trying all small subsets."""
    best = 0.0
    for size in range(1, Z.shape[1] + 1):
        for rows in combinations(range(len(Z)), size):
            # The point of the affine hull nearest to the origin has the same product with all.
            chosen = Z[list(rows)]
            u = np.linalg.lstsq(chosen, np.ones(size), rcond=None)[0]
            if np.allclose(chosen @ u, 1):
                best = max(best, (Z @ u).min() / np.linalg.norm(u))
    return best


MARGIN = Checked(
    "perceptron",
    "All small sets of points for the best margin, or the mixture that proves there is none",
    80,
    "random sets of points, relative",
    within=1e-6,
)
CURVES = Checked(
    "perceptron",
    "Floor, progress, length and ceiling of the bound, at every mistake",
    60,
    "random runs, relative",
    within=1e-9,
)


@settings(max_examples=MARGIN.cases, deadline=None)
@given(data=LABELLED, far=st.sampled_from([0.0, 30.0]))
def test_the_verdict_has_its_proof_and_the_perceptron_agrees(data: tuple, far: float) -> None:
    """On integers in cyclic order a run either converges or cycles: there is nothing else."""
    X, y = np.array(data[0], float), np.array(data[1]).astype(int)
    known = separate(X + far, y)
    Z = signed(X + far, y)
    end = last(perceptron(X, y, rng=rng(), order="cyclic", max_epochs=300))
    if isinstance(known, Separator):
        assert end.event == "converged"
        u = np.append(known.weights, known.bias)
        assert np.linalg.norm(u) == pytest.approx(1)
        assert known.radius == pytest.approx(np.linalg.norm(Z, axis=1).max())
        assert known.margin == pytest.approx((Z @ u).min())
        assert known.margin == pytest.approx(best_margin(Z), rel=MARGIN.within)
    else:
        assert end.event == "cycle"
        mixture = known.mixture
        assert (mixture >= 0).all()
        assert mixture[y == 0].sum() == pytest.approx(1)
        assert mixture[y == 1].sum() == pytest.approx(1)
        np.testing.assert_allclose((mixture[:, None] * Z).sum(axis=0), 0, atol=1e-7 * (1 + far))
        assert np.count_nonzero(mixture) <= X.shape[1] + 2


@pytest.mark.parametrize("name", ["separable", "almost separable", "xor", "blobs", "outlier"])
@pytest.mark.parametrize("noise", [0.1, 0.5])
def test_agrees_with_a_hard_margin_svm_on_whether_there_is_a_separator(
    name: str, noise: float
) -> None:
    how = {"classes": 2} if name == "blobs" else {}
    X, y = preset(name, n=24, noise=noise, **how)
    known = separate(X, y)
    theirs = SVC(kernel="linear", C=1e4).fit(X, y)
    assert isinstance(known, Separator) == (theirs.score(X, y) == 1)
    if isinstance(known, Separator):
        # Their margin is measured without the bias, so it is the wider one.
        assert known.margin <= (1 + 1e-3) / np.linalg.norm(theirs.coef_)


@settings(max_examples=CURVES.cases, deadline=None)
@given(
    seed=st.integers(0, 999),
    noise=st.floats(0, 1),
    n=st.integers(2, 30),
    init=st.sampled_from(["zeros", "ones"]),
    rate=st.sampled_from([0.1, 1.0, 3.0]),
    order=st.sampled_from(["shuffled", "cyclic"]),
)
def test_the_proof_holds_on_separable_data(
    seed: int, noise: float, n: int, init: str, rate: float, order: str
) -> None:
    data = dataset("separable", n, sample=seed, noise=noise)
    how = {"init": init, "learning_rate": rate, "order": order, "max_epochs": 100}
    steps = list(perceptron(data.X, data.labels, rng=rng(seed), **how))
    known = separate(data.X, data.labels)
    assert isinstance(known, Separator)
    curves = proof(steps, known, learning_rate=rate)
    k = np.arange(steps[-1].mistakes + 1)
    np.testing.assert_array_equal(curves.mistakes, k)
    floor, ceiling = (start + slope * k for start, slope in (curves.floor, curves.ceiling))
    slack = CURVES.within * (1 + ceiling)
    assert (floor <= curves.progress + slack).all()
    assert (curves.progress <= curves.length + slack).all()
    assert (curves.length**2 <= ceiling + slack).all()
    assert k[-1] <= curves.bound * (1 + 1e-9)
    # There floor and ceiling meet.
    meet = curves.floor[0] + curves.floor[1] * curves.bound
    assert meet**2 == pytest.approx(curves.ceiling[0] + curves.ceiling[1] * curves.bound)
    if init == "zeros":
        assert curves.bound == pytest.approx((known.radius / known.margin) ** 2)


def test_and_by_hand() -> None:
    """The nearest points to the line are (1, 1) and the two beside it; w = (2, 2), b = -3."""
    known = separate(*AND)
    assert isinstance(known, Separator)
    u = np.append(known.weights, known.bias)
    np.testing.assert_allclose(u, np.array([2, 2, -3]) / np.sqrt(17), atol=1e-12)
    assert known.margin == pytest.approx(1 / np.sqrt(17))
    assert known.radius == pytest.approx(np.sqrt(3))
    steps = list(perceptron(*AND, rng=rng(), order="cyclic"))
    assert proof(steps, known, learning_rate=1.0).bound == pytest.approx(51)


def test_xor_by_hand() -> None:
    known = separate(*XOR)
    assert isinstance(known, Overlap)
    np.testing.assert_allclose(known.mixture, 0.5)  # both diagonals meet in the middle


def test_the_notes_case_of_unit_inputs() -> None:
    """CS337 (003:940): with ||a|| <= 1 and w = 0 there are at most 1 / gamma^2 mistakes."""
    X, y = preset("separable")
    X = X / np.linalg.norm(np.column_stack([X, np.ones(len(X))]), axis=1).max()
    known = separate(X, y)
    assert isinstance(known, Separator)
    A = signed(X, y)
    assert known.margin == pytest.approx((A @ np.append(known.weights, known.bias)).min())
    steps = list(perceptron(X, y, rng=rng(), max_epochs=500))
    assert steps[-1].event == "converged"
    assert steps[-1].mistakes <= proof(steps, known, learning_rate=1.0).bound


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_data(name: str) -> None:
    X, y = HOSTILE[name]
    known = separate(X, y)
    if isinstance(known, Separator):
        assert 0 < known.margin <= known.radius
        steps = list(perceptron(X, y, rng=rng(), max_epochs=5))
        curves = proof(steps, known, learning_rate=1.0)
        assert np.isfinite(curves.bound)
        assert np.isfinite(curves.length).all()
    else:
        assert known.mixture[y == y.min()].sum() == pytest.approx(1)


def test_what_separates_is_found_for_thin_margins_and_far_data() -> None:
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1e-6, 0.0], [1e-6, 1.0]])
    y = np.array([0, 0, 1, 1])
    assert isinstance(separate(X, y), Separator)
    assert isinstance(separate(X + 1e6, y), Separator)
    assert isinstance(separate(np.vstack([X, X[:1]]), np.append(y, 1)), Overlap)


def test_more_than_two_classes_are_refused() -> None:
    with AsInTheApp(), pytest.raises(ValueError, match="exactly two classes, got 4"):
        separate(AND[0], np.arange(4))
