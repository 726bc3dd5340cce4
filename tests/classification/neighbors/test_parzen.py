import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad
from scipy.spatial.distance import cdist
from scipy.special import logsumexp
from sklearn.neighbors import KernelDensity

from algorithms.classification.linear.nearest_mean import nearest_mean
from algorithms.classification.neighbors.nearest_neighbors import nearest_neighbors
from algorithms.classification.neighbors.parzen import BLOCK, parzen
from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from tests.house.check_steps import AsInTheApp, check_model, check_steps

PRESETS = ["blobs", "moons", "outlier", "row", "spirals", "iris", "penguins"]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("h", [0.1, 0.7])
def test_agrees_with_scikit_learn(name: str, h: float) -> None:
    preset = DATASETS[name]
    data = preset.make(preset.n, noise=preset.noise, rng=np.random.default_rng(0))
    X, y = data.X, data.labels
    ours = last(parzen(X, y, h=h))
    cells = np.random.default_rng(1).uniform(X.min(0), X.max(0), size=(3000, 2))
    assert len(cells) > BLOCK // len(X)  # more than one block
    theirs = np.column_stack(
        [
            KernelDensity(bandwidth=h, rtol=1e-12).fit(X[y == k]).score_samples(cells)
            + np.log((y == k).mean())
            for k in ours.classes
        ]
    )
    near = theirs > -15  # farther out scikit-learn's tree loses its digits
    np.testing.assert_allclose(ours.scores(cells)[near], theirs[near], rtol=1e-6)
    exponents = -cdist(cells, X, "sqeuclidean") / (2 * h**2) - np.log(2 * np.pi * h**2)
    exact = [logsumexp(exponents[:, y == k], axis=1) - np.log(len(X)) for k in ours.classes]
    np.testing.assert_allclose(ours.scores(cells).T, exact, rtol=1e-10, atol=1e-10)
    np.testing.assert_array_equal(ours.predict(cells), ours.classes[np.argmax(exact, axis=0)])


def test_the_densities_integrate_to_one() -> None:
    X, y = np.array([[0.0, 0.0], [1.0, 0.5], [0.2, 1.0]]), np.array([0, 1, 1])
    model = last(parzen(X, y, h=0.4))
    found, _ = dblquad(
        lambda b, a: np.exp(model.scores(np.array([[a, b]]))).sum(), -3, 4, -3, 4, epsabs=1e-4
    )
    assert found == pytest.approx(1, abs=1e-3)


@settings(max_examples=30, deadline=None)
@given(n=st.integers(2, 40), k=st.integers(2, 4), seed=st.integers(0, 999))
def test_narrow_is_the_nearest_point_and_wide_compares_means(n: int, k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    y = np.append(random.integers(k, size=n - 2), [0, 1])
    X, cells = random.normal(size=(n, 2)), random.normal(size=(50, 2))
    narrow = last(parzen(X, y, h=1e-4)).predict(cells)
    np.testing.assert_array_equal(narrow, last(nearest_neighbors(X, y, k=1)).predict(cells))
    X2, y2 = np.concatenate([X, -X - 3]), np.repeat([0, 1], n)
    wide, means = last(parzen(X2, y2, h=1e3)), last(nearest_mean(X2, y2))
    clear = np.abs(means.decision_function(cells)) > 0.05 * np.square(X2).max()
    np.testing.assert_array_equal(wide.predict(cells)[clear], means.predict(cells)[clear])


def test_hostile_data() -> None:
    with AsInTheApp():
        for X in (np.ones((5000, 2)), np.outer(np.arange(4.0), [1e99, 0.0]), np.eye(2)):
            for h in (1e-50, 0.3, 1e100):
                (step,) = check_steps(parzen(X, np.arange(len(X)) % 2 * 2, h=h))
                check_model(step, np.concatenate([X[:50], [[1e100, -1e100]]]))
        for h in (0, -1, 1e-60, None):
            with pytest.raises(ValueError, match=r"\bh\b"):
                parzen(np.eye(2), np.array([0, 1]), h=h)
