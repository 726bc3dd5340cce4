import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import ndarray

from algorithms.core.record import last
from algorithms.ensembles.ada_boost.ada_boost import ada_boost


def cells(x: ndarray, y: ndarray) -> ndarray:
    return np.column_stack([np.tile(x, len(y)), np.repeat(y, len(x))])


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 999),
    depth=st.integers(1, 6),
    rounds=st.integers(1, 30),
    wide=st.integers(1, 12),
    high=st.integers(1, 12),
)
def test_every_cell_has_the_vote_at_its_middle(seed, depth, rounds, wide, high) -> None:
    rng = np.random.default_rng(seed)
    X, y = np.round(rng.normal(size=(30, 2)), 1), rng.choice([0, 1], size=30)
    y[:2] = 0, 1
    model = last(ada_boost(X, y, rounds=rounds, max_depth=depth))
    # Some cells stand on a threshold, where a point goes left.
    thresholds = [t for tree in model.trees for t in tree.threshold]
    across = np.unique(np.append(rng.normal(size=wide), rng.choice(thresholds, size=2)))
    up = np.unique(np.append(rng.normal(size=high), rng.choice(thresholds, size=2)))
    surface = model.surface(across, up)
    assert surface.shape == (len(up), len(across))
    by_asking = model.decision_function(cells(across, up)).reshape(surface.shape)
    np.testing.assert_allclose(surface, by_asking, atol=1e-12 * (1 + sum(model.alphas)))


def test_trees_without_a_test() -> None:
    model = last(ada_boost(np.zeros((3, 2)), np.array([0, 1, 1])))
    surface = model.surface(np.arange(3.0), np.arange(2.0))
    np.testing.assert_allclose(surface, np.full((2, 3), np.log(2) / 2))


@pytest.mark.parametrize("far", [-100.0, 100.0])
def test_a_grid_beside_all_tests(far: float) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 2))
    model = last(ada_boost(X, (X[:, 0] > X[:, 1]).astype(int), rounds=10, max_depth=2))
    at = np.array([far, far + 1])
    by_asking = model.decision_function(cells(at, at)).reshape(2, 2)
    np.testing.assert_allclose(model.surface(at, at), by_asking, atol=1e-13)
