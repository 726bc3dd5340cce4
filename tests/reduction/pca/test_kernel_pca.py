import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray
from sklearn.decomposition import PCA, KernelPCA

from algorithms.core.kernels import linear, polynomial, rbf, sigmoid
from algorithms.reduction.pca.kernel_pca import SMALL, kernel_pca
from tests.core.samples import dataset, points_of
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

KERNELS = {
    "linear": (linear(), {"kernel": "linear"}),
    "cubic": (polynomial(3, 1.0), {"kernel": "poly", "degree": 3, "coef0": 1.0, "gamma": 1.0}),
    "RBF": (rbf(2.0), {"kernel": "rbf", "gamma": 2.0}),
    "narrow RBF": (rbf(100.0), {"kernel": "rbf", "gamma": 100.0}),
}


def made(name: str, n: int, noise: float = 0.2) -> ndarray:
    return points_of(name, n, noise=noise)


SCIKIT_LEARN = Checked(
    "pca",
    "scikit-learn's `KernelPCA`, the eigenvalues relative to the largest",
    20,
    "runs with 4 kernels",
    within=1e-9,
)
MADE = [("moons", 60), ("circles", SMALL), ("iris", 150), ("blobs", SMALL + 60), ("spirals", 300)]
assert SCIKIT_LEARN.cases == len(KERNELS) * len(MADE)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("name", "n"), MADE)
def test_scores_agree_with_scikit_learn(name: str, n: int, kernel: str) -> None:
    X = made(name, n)
    ours, theirs = KERNELS[kernel]
    k = 2 if kernel == "linear" else 4
    steps = check_steps(kernel_pca(X, kernel=ours, n_components=k))
    model = KernelPCA(k, **theirs, eigen_solver="dense").fit(X)
    assert len(steps) == k
    last = steps[-1]
    size = model.eigenvalues_[0]
    np.testing.assert_allclose(
        last.eigenvalues / size, model.eigenvalues_ / size, rtol=0, atol=SCIKIT_LEARN.within
    )
    for points in (X, X[::3] + 0.1):
        z, expected = last.transform(points), model.transform(points)
        signs = np.sign((z * expected).sum(axis=0))
        np.testing.assert_allclose(z, signs * expected, atol=2e-6 * np.sqrt(size / n))
    for j, step in enumerate(steps):
        np.testing.assert_allclose(step.transform(X), last.transform(X)[:, : j + 1], atol=1e-9)


def test_with_the_linear_kernel_it_is_pca() -> None:
    X = dataset("iris", 150, noise=0.0).table
    for standardize in (False, True):
        Z = X / X.std(axis=0, ddof=1) if standardize else X
        *_, step = kernel_pca(X, kernel=linear(), n_components=9, standardize=standardize)
        theirs = PCA(4, svd_solver="full").fit(Z)
        scores = theirs.transform(Z)
        signs = np.sign((scores * step.transform(X)).sum(axis=0))
        np.testing.assert_allclose(step.transform(X), signs * scores, atol=1e-7)
        np.testing.assert_allclose(step.explained, theirs.explained_variance_ratio_)
        np.testing.assert_allclose(step.eigenvalues / 149, theirs.explained_variance_)


@settings(max_examples=60, deadline=None)
@given(
    X=arrays(float, st.tuples(st.integers(2, 15), st.integers(1, 3)), elements=st.floats(-4, 4)),
    kernel=st.sampled_from([linear(), polynomial(2, 1.0), rbf(0.5), linear() + rbf(1.0)]),
    standardize=st.booleans(),
)
def test_what_holds_for_every_run(X: ndarray, kernel, standardize: bool) -> None:
    try:
        steps = check_steps(kernel_pca(X, kernel=kernel, n_components=4, standardize=standardize))
    except ValueError as error:
        assert "different points" in str(error) or "tell the points apart" in str(error)
        return
    last = steps[-1]
    Z = X / last.scale - last.mean / last.scale
    K = kernel(Z, Z)
    n = len(X)
    center = np.eye(n) - 1 / n
    centred = center @ K @ center
    size = last.eigenvalues[0]
    noise = 1e-13 * n * np.abs(K).max()
    z = last.transform(X)
    np.testing.assert_allclose(z.sum(axis=0), 0, atol=1e-6 * np.sqrt(size) + 1e3 * noise)
    assert (np.diff(last.eigenvalues) <= noise).all()
    assert last.explained.sum() <= 1 + 1e-9
    if last.eigenvalues[-1] > 1e4 * noise:  # well above rounding
        gram = z.T @ z
        np.testing.assert_allclose(gram, np.diag(last.eigenvalues), atol=1e-6 * size)
        np.testing.assert_allclose(centred @ z, z * last.eigenvalues, atol=1e-6 * size**1.5)


def test_two_rings_come_apart_along_one_component() -> None:
    data = dataset("circles", 200, noise=0.05)
    z = list(kernel_pca(data.X, kernel=rbf(0.3), n_components=4))[-1].transform(data.X)
    inner, outer = z[data.labels == 0], z[data.labels == 1]
    apart = (inner.max(axis=0) < outer.min(axis=0)) | (outer.max(axis=0) < inner.min(axis=0))
    assert apart.any()


def test_duplicates_have_equal_eigenvalues_and_all_are_found() -> None:
    corners = np.array([[1.0, 1], [-1, 1], [-1, -1], [1, -1]])
    for copies in (10, 100):
        X = np.repeat(corners, copies, axis=0)
        steps = list(kernel_pca(X, kernel=rbf(0.5), n_components=8))
        assert len(steps) == 3
        first, second, third = steps[-1].eigenvalues
        assert first == pytest.approx(second) and third < 0.9 * first


def test_many_points_are_learned_from_in_part() -> None:
    X = made("moons", 5000)
    steps = check_steps(kernel_pca(X, kernel=rbf(1.0), n_components=3, most=300))
    assert steps[0].points.shape == (300, 2)
    assert steps[-1].transform(X).shape == (5000, 3)


def test_the_hyperbolic_tangent_uses_its_positive_eigenvalues() -> None:
    X = made("circles", 80)
    steps = check_steps(kernel_pca(X, kernel=sigmoid(1.0, 0.5), n_components=8))
    assert (steps[-1].eigenvalues > 0).all()


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("scale", [1e-50, 1e-9, 1e9, 1e20])
def test_data_of_any_size(scale: float, standardize: bool) -> None:
    X = made("moons", 40) * scale
    for kernel in (linear(), polynomial(3, 1.0), rbf(1.0)):
        try:
            steps = check_steps(kernel_pca(X, kernel=kernel, standardize=standardize))
        except ValueError as error:
            assert not standardize
            assert "kernel must" in str(error)
        else:
            assert np.isfinite(steps[-1].transform(X)).all()


@pytest.mark.parametrize(
    ("X", "how", "sentence"),
    [
        (np.ones((1, 2)), {}, "X must hold at least two points, got n=1"),
        (np.ones((5, 2)), {}, "X must hold two different points"),
        (np.eye(2), {"n_components": 0}, "n_components must be at least 1"),
        (np.eye(2), {"most": 1}, "most must be at least 2"),
        (np.eye(2), {"kernel": "rbf"}, "kernel must be a kernel"),
        (np.eye(2) * 1e-12, {"kernel": rbf(0.01)}, "kernel must tell the points apart"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(X, how, sentence) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        kernel_pca(X, **how)
