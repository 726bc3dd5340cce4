import tracemalloc

import numpy as np
import pytest
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel, sigmoid_kernel

from algorithms.classification.svm.kernel_matrix import kernel_matrix
from algorithms.core.kernels import (
    BLOCK,
    KERNELS,
    GridSum,
    Kernel,
    linear,
    polynomial,
    rbf,
    sigmoid,
)
from tests.house.check_steps import AsInTheApp

EVERY: dict[str, Kernel] = {
    "linear": linear(),
    "polynomial 1": polynomial(1, 0.0),
    "polynomial 3": polynomial(3, 1.0),
    "polynomial 5": polynomial(5, 0.5),
    "RBF": rbf(0.7),
    "tanh": sigmoid(0.5, -0.3),
    "sum": linear() + rbf(2.0),
    "product": polynomial(2, 1.0) * rbf(0.5),
    "nested": (rbf(1.0) + polynomial(2, 0.0)) * (linear() + rbf(0.1)),
    "with tanh": sigmoid(0.2, 0.0) + linear(),
}
every_kernel = pytest.mark.parametrize("kernel", EVERY.values(), ids=EVERY)


def points(n: int, seed: int = 0, d: int = 2) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, d))


def test_agrees_with_scikit_learn() -> None:
    A, B = points(30, d=4), points(20, 1, d=4)
    near = {"rtol": 1e-12, "atol": 1e-14}
    np.testing.assert_allclose(linear()(A, B), A @ B.T, **near)
    np.testing.assert_allclose(rbf(0.7)(A, B), rbf_kernel(A, B, gamma=0.7), **near)
    theirs = polynomial_kernel(A, B, degree=3, gamma=1, coef0=0.5)
    np.testing.assert_allclose(polynomial(3, 0.5)(A, B), theirs, **near)
    theirs = sigmoid_kernel(A, B, gamma=0.3, coef0=-0.5)
    np.testing.assert_allclose(sigmoid(0.3, -0.5)(A, B), theirs, **near)


def test_sums_and_products_are_those_of_the_values() -> None:
    A, B = points(10), points(12, 1)
    first, second = polynomial(2, 1.0), rbf(0.5)
    np.testing.assert_allclose((first + second)(A, B), first(A, B) + second(A, B))
    np.testing.assert_allclose((first * second)(A, B), first(A, B) * second(A, B))


@every_kernel
def test_a_kernel_is_symmetric_and_knows_its_diagonal(kernel: Kernel) -> None:
    X = points(70)
    K = kernel(X, X)
    np.testing.assert_allclose(K, K.T, atol=1e-12)
    np.testing.assert_allclose(kernel.diagonal(X), K.diagonal(), rtol=1e-12)


@every_kernel
def test_grid_sums_are_the_sums_over_all_cells(kernel: Kernel) -> None:
    X, c = points(25), np.random.default_rng(1).normal(size=25) * (np.arange(25) % 3 > 0)
    x, y = np.linspace(-2, 2, 7), np.linspace(-1, 3, 5)
    cells = np.column_stack([np.tile(x, 5), np.repeat(y, 7)])
    found = GridSum(kernel, X, x, y)(c)
    np.testing.assert_allclose(found, (c @ kernel(X, cells)).reshape(5, 7), atol=1e-10)


@every_kernel
def test_sum_over_a_grid_takes_the_points_in_blocks(kernel: Kernel) -> None:
    n = 10 * BLOCK + 1
    X, c, cells = points(n), points(n, seed=1, d=1)[:, 0], np.linspace(-2, 2, 60)
    tracemalloc.start()
    found = GridSum(kernel, X, cells, cells)(c)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < n * len(cells) ** 2 * X.itemsize / 4  # of the whole matrix
    place = np.array([[cells[3], cells[7]]])
    terms = c * kernel(X, place)[:, 0]
    assert found[7, 3] == pytest.approx(terms.sum(), abs=1e-9 * np.abs(terms).sum())


@every_kernel
def test_equal_by_content(kernel: Kernel) -> None:
    assert hash(kernel) == hash(kernel * linear()) or kernel != kernel * linear()
    assert rbf(1.0) + linear() == rbf(1.0) + linear()
    assert rbf(1.0) != rbf(2.0)
    assert str(kernel)


@every_kernel
def test_kernel_matrix_is_ordered_by_class_with_its_eigenvalues(kernel: Kernel) -> None:
    X, y = points(40), np.arange(40) % 2
    found = kernel_matrix(kernel, X, y)
    assert found.complete
    np.testing.assert_array_equal(y[found.chosen], np.repeat([0, 1], 20))
    assert found.eigenvalues.sum() == pytest.approx(np.trace(found.values))
    assert (np.diff(found.eigenvalues) <= 0).all()
    if kernel.definite:
        assert found.definite


def test_hyperbolic_tangent_is_found_indefinite_and_its_sample_too() -> None:
    X = points(300, 3)
    y = (X[:, 0] > 0).astype(int)
    whole = kernel_matrix(sigmoid(1.0, 0.5), X, y, most=300)
    part = kernel_matrix(sigmoid(1.0, 0.5), X, y, most=100)
    assert whole.complete
    assert not whole.definite
    assert not part.complete
    assert not part.definite
    assert len(part.chosen) == len(np.unique(part.chosen)) == 100
    assert whole.eigenvalues[-1] <= part.eigenvalues[-1] < 0  # interlacing
    assert kernel_matrix(sigmoid(1.0, 0.0), X[:2], y[:2]).values.shape == (2, 2)


def test_what_definite_says_by_theory() -> None:
    assert (linear() + rbf(1.0) * polynomial(2, 1.0)).definite
    assert not (linear() + sigmoid(1.0, 0.0)).definite
    assert not (linear() * sigmoid(1.0, 0.0)).definite


@every_kernel
def test_far_away_points_do_not_overflow(kernel: Kernel) -> None:
    far = np.array([[1e100, -1e100], [1e60, 3.0], [1e-300, 0.0]])
    assert np.isfinite(kernel(far, far)).all()
    assert np.isfinite(kernel(points(5), far)).all()


def test_names() -> None:
    assert list(KERNELS) == ["linear", "polynomial", "RBF", "hyperbolic tangent"]
    assert [str(make()) for make in KERNELS.values()] == [
        "a·b",
        "(a·b + 1)^3",
        "exp(−1 ‖a − b‖²)",
        "tanh(1 a·b + 0)",
    ]
    assert str(sigmoid(0.5, -1.0) * (linear() + rbf(2.0))) == (
        "[tanh(0.5 a·b − 1)] · [a·b + exp(−2 ‖a − b‖²)]"
    )


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: polynomial(0, 1.0), "degree must be between 1 and 10, got degree=0"),
        (
            lambda: polynomial(2, -1.0),
            "coef0 must be a number from 0 to 1e+100, got coef0=-1.0",
        ),
        (lambda: rbf(0.0), "gamma must be positive, got gamma=0.0"),
        (lambda: sigmoid(0.0, 1.0), "scale must be positive, got scale=0.0"),
        (
            lambda: sigmoid(1.0, np.nan),
            "the size of coef0 must be a number from 0 to 1e+100, got the size of coef0=nan",
        ),
        (
            lambda: kernel_matrix("rbf", np.ones((2, 2)), np.arange(2)),
            "kernel must be a kernel such as rbf(1.0), got kernel='rbf'",
        ),
        (
            lambda: kernel_matrix(polynomial(3, 1.0), np.full((2, 2), 1e50), np.arange(2)),
            "kernel must stay below 1e+90 on the points: the columns of X are too large for it, "
            "standardise them",
        ),
    ],
)
def test_bad_arguments_are_refused(call, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value) == sentence
