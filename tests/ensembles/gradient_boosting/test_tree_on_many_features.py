import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeRegressor

from algorithms.ensembles.tree_on_many_features import TreeSum, grow


def tree(seed: int, n: int, depth: int) -> tuple[np.ndarray, np.ndarray, TreeSum]:
    rng = np.random.default_rng(seed)
    X, r = rng.integers(0, 9, (n, 2)).astype(float), rng.normal(size=n)  # some coincide
    leaves = grow(X, r, depth)
    assert sorted(np.concatenate(leaves.members).tolist()) == list(range(n))
    return X, r, leaves.saying(np.array([r[members].mean() for members in leaves.members]))


@settings(max_examples=40)
@given(seed=st.integers(0, 1000), n=st.integers(1, 30), depth=st.integers(1, 4))
def test_a_tree_is_scikit_learns(seed: int, n: int, depth: int) -> None:
    X, r, f = tree(seed, n, depth)
    theirs = DecisionTreeRegressor(max_depth=depth, random_state=0).fit(X, r)
    np.testing.assert_allclose(f(X), theirs.predict(X), atol=1e-12)


@settings(max_examples=20)
@given(seed=st.integers(0, 1000), share=st.sampled_from([0.1, -2.0]))
def test_parts_surfaces_and_sums_are_what_the_trees_say(seed: int, share: float) -> None:
    X, _, f = tree(seed, 25, 3)
    _, _, g = tree(seed + 1, 25, 2)
    x, y = np.linspace(-1, 10, 12), np.linspace(-2, 9.5, 24)
    cells = np.array([(a, b) for b in y for a in x])
    both = f.plus(g, share)
    np.testing.assert_allclose(both(cells), f(cells) + share * g(cells), atol=1e-12)
    np.testing.assert_allclose(both.surface(x, y).ravel(), both(cells), atol=1e-12)
    for places in (X, cells):
        parts = f.parts()
        inside = parts.holding(places)
        assert (inside.sum(axis=0) == 1).all()
        np.testing.assert_array_equal(parts.values @ inside, f(places))


def test_of_equal_cuts_it_is_that_of_the_first_feature_then_the_lower_one() -> None:
    X = np.array([[0.0, 5.0], [1.0, 6.0], [3.0, 8.0]])
    leaves = grow(X, np.array([0.0, 1.0, 0.0]), 2)
    assert leaves.shape.feature == (0, -1, 0, -1, -1)
    assert leaves.shape.threshold[:3] == (0.5, 0.0, 2.0)
    low, high = leaves.shape.boxes()
    assert (low[2].tolist(), high[2].tolist()) == ([0.5, -np.inf], [np.inf, np.inf])
    assert grow(X, np.zeros(3), 2).shape.feature == (-1,)
    assert grow(X[:1].repeat(3, axis=0), np.arange(3.0), 2).shape.feature == (-1,)
