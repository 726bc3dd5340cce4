"""Multiple kernel learning, against brute force over the weights."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.svm import SVC

from algorithms.classification.svm.each_kernel import each_kernel
from algorithms.classification.svm.kernel_weights import kernel_weights
from algorithms.classification.svm.svm import svm
from algorithms.core.features import polynomial_features
from algorithms.core.kernels import (
    GridSum,
    Kernel,
    OfColumn,
    WeightedSum,
    linear,
    polynomial,
    rbf,
    sigmoid,
)
from algorithms.core.record import last
from algorithms.core.splits import deal, some_of
from tests.classification.svm.test_svm import preset, two_blobs
from tests.core.samples import board_of, dataset
from tests.core.told import numbers
from tests.house.checked import Checked
from viz.classification.svm.kernel_weights import KernelWeights
from viz.core.scene import Run

ARGUMENTS = {"kernels": (rbf(1.0), linear())}

PAIRS: list[tuple[Kernel, Kernel]] = [
    (rbf(1.0), rbf(10.0)),
    (linear(), polynomial(2, 0.0)),
    (OfColumn(rbf(1.0), 0), OfColumn(rbf(1.0), 1)),
]
BOARDS = ["moons", "circles", "xor", "almost separable"]
BRUTE = Checked(
    "svm",
    "Brute force over the weights of two kernels, 201 of them with libsvm, the smallest J",
    12,
    "mixtures, relative",
    within=1e-2,
)
assert BRUTE.cases == len(PAIRS) * len(BOARDS)


def scaled(kernel: Kernel, X: np.ndarray) -> np.ndarray:
    K = kernel(X, X)
    return K / (np.trace(K) / len(X) - K.mean())


def libsvm(K: np.ndarray, y: np.ndarray, C: float) -> float:
    model = SVC(C=C, kernel="precomputed", tol=1e-5).fit(K, y)
    beta = np.zeros(len(y))
    beta[model.support_] = model.dual_coef_[0]
    return float(np.abs(beta).sum() - beta @ K @ beta / 2)


@pytest.mark.parametrize("case", range(BRUTE.cases))
def test_no_weights_of_two_kernels_are_better(case: int) -> None:
    (X, y), kernels, C = preset(BOARDS[case % 4]), PAIRS[case // 4], 2.0
    steps = list(kernel_weights(X, y, kernels=kernels, C=C, tol=BRUTE.within, max_iter=500))
    K = [scaled(kernel, X) for kernel in kernels]
    every = np.linspace(0, 1, 201)
    J = np.array([libsvm(eta * K[0] + (1 - eta) * K[1], y, C) for eta in every])
    end = steps[-1]
    assert end.event == "converged"
    assert end.objective == pytest.approx(J.min(), rel=BRUTE.within)
    for step in steps:
        assert step.weights.sum() == pytest.approx(1)
        assert (step.weights >= 0).all()
        assert step.objective - step.gap <= J.min() * (1 + 1e-6) + 1e-6, "the bound is none"
        here = libsvm(step.weights[0] * K[0] + step.weights[1] * K[1], y, C)
        assert step.objective == pytest.approx(here, rel=1e-4)
    objectives = np.array([step.objective for step in steps])
    assert (np.diff(objectives) <= 1e-4 * objectives[0]).all()


def test_an_update_is_proportional_to_the_lengths() -> None:
    X, y = preset("moons", 40)
    kernels = (rbf(0.3), rbf(3.0), linear())
    steps = list(kernel_weights(X, y, kernels=kernels))
    for before, after in pairwise(steps):
        q = [before.coefficients @ scaled(k, X) @ before.coefficients for k in kernels]
        np.testing.assert_allclose(before.forms, q, rtol=1e-6)
        lengths = before.weights * np.sqrt(q)
        np.testing.assert_allclose(after.weights, lengths / lengths.sum(), rtol=1e-6)
    end = steps[-1]
    K = sum(w * scaled(k, X) for w, k in zip(end.weights, kernels, strict=True))
    np.testing.assert_allclose(end.decision_function(X), end.coefficients @ K + end.bias)
    np.testing.assert_array_equal(end.predict(X), np.where(end.decision_function(X) > 0, *y_of(y)))


def y_of(y: np.ndarray) -> tuple[int, int]:
    return int(y.max()), int(y.min())


def test_one_kernel_has_all_the_weight_and_is_the_plain_machine() -> None:
    X, y = two_blobs(40)
    (step,) = kernel_weights(X, y, kernels=[linear()], C=2.0)
    assert step.event == "converged"
    assert step.weights.tolist() == [1]
    scale = step.task.scales[0]
    plain = last(svm(X / np.sqrt(scale), y, C=2.0, kernel=linear()))
    np.testing.assert_allclose(step.decision_function(X), plain.outputs, atol=1e-3)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"kernels": []}, "kernels must name at least one"),
        ({"kernels": [rbf(1.0), sigmoid(1.0)]}, "kernels must be positive semi-definite"),
        ({"kernels": [rbf(1.0), OfColumn(linear(), 1)]}, "must tell some of the points apart"),
        ({"C": 0.0}, "C must be"),
        ({"y": np.arange(12)}, "y must name two classes"),
        ({"max_iter": 0}, "max_iter must be"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    X, y = two_blobs(12)
    X[:, 1] = 3.0
    given = {"X": X, "y": y, "kernels": [rbf(1.0), linear()]} | changes
    with pytest.raises(ValueError, match=sentence):
        kernel_weights(**given)


def test_too_many_points_are_refused() -> None:
    X, y = two_blobs(1001)
    with pytest.raises(ValueError, match="X must have at most 1000 rows"):
        kernel_weights(X, y, kernels=[linear()])


def test_sums_with_weights_and_kernels_of_a_column_over_a_grid() -> None:
    X, _ = two_blobs(20)
    kernel = WeightedSum(
        (rbf(0.5), OfColumn(polynomial(3, 1.0), 0), OfColumn(rbf(2.0), 1), linear()),
        (0.5, 0.2, 0.3, 0.0),
    )
    expected = (
        0.5 * rbf(0.5)(X, X)
        + 0.2 * (X[:, :1] @ X[:, :1].T + 1) ** 3
        + 0.3 * np.exp(-2 * (X[:, 1:] - X[:, 1]) ** 2)
    )
    np.testing.assert_allclose(kernel(X, X), expected)
    x, y = np.linspace(-2, 2, 7), np.linspace(-1, 3, 5)
    cells = np.column_stack([np.tile(x, 5), np.repeat(y, 7)])
    c = np.random.default_rng(0).normal(size=20)
    over = GridSum(kernel, X, x, y)(c)
    np.testing.assert_allclose(over.ravel(), c @ kernel(X, cells))
    assert kernel.separates
    assert kernel.definite


def test_each_kernel_alone_and_the_even_mixture_held_out() -> None:
    X, y = preset("moons", 60)
    kernels, C = (linear(), rbf(1.0)), 1.0
    found = each_kernel(X, y, kernels=kernels, C=C, rng=np.random.default_rng(3))
    alone = [libsvm(scaled(kernel, X), y, C) for kernel in kernels]
    np.testing.assert_allclose(found.objectives, alone, rtol=1e-4)
    rng = np.random.default_rng(3)
    order = np.flatnonzero(some_of(np.ones(60, bool), 120, rng=rng, codes=y))
    X, y = X[order], y[order]
    fold, expected = deal(y, 5, True, rng), np.zeros(3, int)
    for out in (fold == f for f in range(5)):
        K = [kernel(X, X) for kernel in kernels]
        inner = np.ix_(~out, ~out)
        for each in K:
            each /= np.trace(each[inner]) / (~out).sum() - each[inner].mean()
        for kind, mixed in enumerate([*K, (K[0] + K[1]) / 2]):
            model = SVC(C=C, kernel="precomputed", tol=1e-6).fit(mixed[inner], y[~out])
            expected[kind] += (model.predict(mixed[np.ix_(out, ~out)]) != y[out]).sum()
    assert found.n == 60
    assert found.wrong[:3].tolist() == expected.tolist()


def test_the_caption_recomputed() -> None:
    data = board_of(dataset("circles", 60))
    features = polynomial_features(data.X, 1)
    kernels = (linear(), polynomial(2, 0.0), rbf(1.0))
    F = features(data.X)
    steps = tuple(kernel_weights(F, data.labels, kernels=kernels))
    each = each_kernel(F, data.labels, kernels=kernels, rng=np.random.default_rng(0))
    mode = KernelWeights(Run("", steps), data, (0, 1), features, each)
    end = len(steps) - 1
    first, second, third = mode.caption(end).split("\n")
    m = (steps[end].weights - steps[end - 1].weights).argmax()
    assert mode.names[m] in first
    assert numbers(second) == pytest.approx([steps[end].gap], rel=1e-2)
    most, total = steps[end].lengths.max(), steps[end].lengths.sum()
    assert numbers(third)[-3:] == pytest.approx([most, total, most / total], rel=1e-2)
    bars = mode.weights(end)["data"]
    assert bars[1]["y"] == steps[end].weights.tolist()
    assert bars[0]["y"] == steps[end - 1].weights.tolist()
