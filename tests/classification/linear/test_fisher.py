import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from algorithms.classification.linear.fisher import fisher
from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from tests.core.samples import dataset
from tests.house.check_steps import AsInTheApp, check_model, check_steps

PRESETS = ["blobs", "moons", "outlier", "row", "stretched", "unequal", "iris", "penguins"]


def scatter(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    within, between = np.zeros((2, X.shape[1], X.shape[1]))
    for k in np.unique(y):
        part = X[y == k]
        within += (part - part.mean(0)).T @ (part - part.mean(0))
        offset = part.mean(0) - X.mean(0)
        between += len(part) * np.outer(offset, offset)
    return within, between


@pytest.mark.parametrize("name", PRESETS)
def test_agrees_with_scikit_learn(name: str) -> None:
    preset = DATASETS[name]
    data = preset.make(preset.n, noise=preset.noise, rng=np.random.default_rng(0))
    X, y = data.X, data.labels
    steps = check_steps(fisher(X, y))
    K = len(np.unique(y))
    assert len(steps) == min(2, K - 1)
    cells = np.random.default_rng(1).uniform(X.min(0), X.max(0), size=(500, 2))
    # All directions together are the nearest mean in the metric of S_W.
    means = [X[y == k].mean(0) for k in range(K)]
    distances = cdist(cells, means, "mahalanobis", VI=np.linalg.inv(scatter(X, y)[0]))
    np.testing.assert_array_equal(steps[-1].predict(cells), distances.argmin(axis=1))
    counts = np.bincount(y)
    theirs = LinearDiscriminantAnalysis(solver="svd", priors=counts / len(y)).fit(X, y)
    ours, other = steps[-1].transform(X), theirs.transform(X)
    for a, b in zip(ours.T, other.T, strict=True):
        assert abs(np.corrcoef(a, b)[0, 1]) == pytest.approx(1, abs=1e-8)
    share = steps[-1].ratios / steps[-1].ratios.sum()
    np.testing.assert_allclose(share, theirs.explained_variance_ratio_, atol=1e-8)


def test_two_classes_by_the_formula() -> None:
    data = dataset("stretched", 120, sample=2, noise=0.25)
    X, y = data.X, (data.labels > 0).astype(int)
    model = last(fisher(X, y))
    within, between = scatter(X, y)
    means = np.array([X[y == k].mean(0) for k in (0, 1)])
    w = np.linalg.solve(within, means[1] - means[0])
    found = model.directions[0]
    np.testing.assert_allclose(found / np.linalg.norm(found), w / np.linalg.norm(w), atol=1e-10)
    assert model.ratios[0] == pytest.approx(w @ between @ w / (w @ within @ w))
    half_way = means.mean(0)[None]
    np.testing.assert_allclose(model.decision_function(half_way), 0, atol=1e-10)


@settings(max_examples=60, deadline=None)
@given(n=st.integers(8, 40), k=st.integers(2, 4), d=st.integers(1, 4), seed=st.integers(0, 999))
def test_no_other_direction_is_better(n: int, k: int, d: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    y = np.append(np.arange(k), random.integers(k, size=n - k))
    X = random.normal(size=(n, d)) + y[:, None]
    within, between = scatter(X, y)
    model = last(fisher(X, y))
    if np.linalg.cond(within) > 1e6:
        return
    trials = random.normal(size=(50, d))
    J = ((trials @ between) * trials).sum(1) / ((trials @ within) * trials).sum(1)
    assert J.max() <= model.ratios[0] * (1 + 1e-8) + 1e-12
    W = model.directions
    np.testing.assert_allclose(W @ within @ W.T / n, np.eye(len(W)), atol=1e-6)
    assert (np.diff(model.ratios) <= 1e-12).all()


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.array([[0.0, 0.0], [1.0, 3.0]]), np.array([0, 2])),
        (np.ones((6, 2)), np.array([0, 1, 1, 1, 0, 1])),
        (np.outer(np.arange(12.0), [1.0, -2.0]), np.arange(12) % 3),
        (np.column_stack([np.arange(8) // 4, np.arange(8) % 4]).astype(float), np.arange(8) // 4),
    ],
    ids=["two points", "one place", "on a line", "no spread across"],
)
def test_singular_scatter_is_named(X: np.ndarray, y: np.ndarray) -> None:
    with AsInTheApp():
        for unit in (1.0, 1e-9, 1e90):
            steps = check_steps(fisher(X * unit, y))
            assert steps[-1].event == "singular scatter within the classes"
            check_model(steps[-1], np.concatenate([X * unit, [[1e100, -1e100]]]))
        if len(np.unique(X, axis=0)) > 1 and len(np.unique(y)) == 2:
            np.testing.assert_array_equal(last(fisher(X, y)).predict(X), y)
