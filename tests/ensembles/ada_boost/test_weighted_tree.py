import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray
from sklearn.tree import DecisionTreeClassifier

from algorithms.ensembles.ada_boost.weighted_tree import Presorted, WeightedTree
from tests.house.checked import Checked

EVERY_CUT = Checked(
    "ada_boost",
    "Every possible cut of every node, for the gain of the cut that a tree makes",
    200,
    "random trees",
    within=1e-9,
)


def weighted_gini(weights: ndarray, sign: ndarray) -> float:
    p = weights[sign > 0].sum() / weights.sum()
    return 1 - p * p - (1 - p) ** 2


def gain_of(X: ndarray, sign: ndarray, weights: ndarray, feature: int, threshold: float) -> float:
    left = X[:, feature] <= threshold
    parts = [(weights[part], sign[part]) for part in (left, ~left)]
    after = sum(w.sum() / weights.sum() * weighted_gini(w, s) for w, s in parts)
    return weighted_gini(weights, sign) - after


def best_gain(X: ndarray, sign: ndarray, weights: ndarray) -> float:
    return max(
        gain_of(X, sign, weights, j, t) for j in range(X.shape[1]) for t in np.unique(X[:, j])[:-1]
    )


def grown(X: ndarray, sign: ndarray, weights: ndarray, depth: int) -> WeightedTree:
    tree, said = Presorted(X, sign.astype(float), depth).grow(weights)
    np.testing.assert_array_equal(tree.predict(X), said)
    return tree


@settings(max_examples=EVERY_CUT.cases, deadline=None)
@given(
    X=arrays(
        float,
        st.tuples(st.integers(2, 20), st.integers(1, 3)),
        elements=st.integers(-3, 3).map(float) | st.floats(-9, 9),
    ),
    seed=st.integers(0, 999),
    depth=st.integers(1, 5),
)
def test_every_test_gains_the_most_there_is(X: ndarray, seed: int, depth: int) -> None:
    rng = np.random.default_rng(seed)
    sign, weights = rng.choice([-1, 1], size=len(X)), rng.uniform(0.01, 1, size=len(X))
    tree = grown(X, sign, weights, depth)
    waiting = [(0, 0, np.ones(len(X), bool))]
    while waiting:
        node, level, here = waiting.pop()
        points, signed, w = X[here], sign[here], weights[here]
        assert tree.says[node] == (1 if (w * signed).sum() > 0 else -1)
        feature, threshold = tree.feature[node], tree.threshold[node]
        if feature < 0:
            alike = len(np.unique(points, axis=0)) == 1
            assert level == depth or alike or abs(signed.sum()) == len(signed)
            continue
        assert level < depth
        gain = gain_of(points, signed, w, feature, threshold)
        best = best_gain(points, signed, w)
        assert gain == pytest.approx(best, rel=0, abs=EVERY_CUT.within)
        goes_left = X[:, feature] <= threshold
        assert (goes_left & here).any() and (~goes_left & here).any()
        waiting += [
            (tree.left[node], level + 1, here & goes_left),
            (tree.right[node], level + 1, here & ~goes_left),
        ]
    assert tree.constant == (len(set(map(int, tree.predict(X)))) == 1)


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_predicts_as_scikit_learns_on_the_same_weights(depth: int, seed: int) -> None:
    rng = np.random.default_rng(seed)  # deeper down, few points are often parted in several ways
    X = rng.normal(size=(120, 3)).astype(np.float32).astype(float)
    sign = np.where(X[:, 0] + 0.5 * rng.normal(size=120) > 0.2, 1, -1)
    weights = rng.uniform(size=120)  # no ties among so many different numbers
    theirs = DecisionTreeClassifier(max_depth=depth, random_state=0)
    theirs.fit(X, sign, sample_weight=weights)
    ours = grown(X, sign, weights, depth)
    grid = rng.normal(size=(500, 3)).astype(np.float32).astype(float)
    np.testing.assert_array_equal(ours.predict(grid), theirs.predict(grid))
    assert sorted(set(ours.threshold) - {0.0}) == sorted(
        set(theirs.tree_.threshold[theirs.tree_.feature >= 0])
    )


def test_ties_go_to_the_first_feature_then_the_lower_threshold() -> None:
    x = np.array([0.0, 1.0, 2.0])
    tree = grown(np.column_stack([x, x]), np.array([-1, 1, -1]), np.ones(3), 1)
    assert (tree.feature[0], tree.threshold[0]) == (0, 0.5)
    tree = grown(np.column_stack([x[[0, 0, 0]], x]), np.array([-1, 1, -1]), np.ones(3), 1)
    assert (tree.feature[0], tree.threshold[0]) == (1, 0.5)


def test_a_leaf_that_is_a_tie_says_the_first_class() -> None:
    tree = grown(np.zeros((2, 1)), np.array([-1, 1]), np.full(2, 0.5), 3)
    assert tree.feature == (-1,)
    assert tree.predict(np.zeros((3, 1))).tolist() == [-1, -1, -1]


def test_neighbouring_numbers_are_told_apart() -> None:
    low = 1.0
    X = np.array([[low], [np.nextafter(low, 2)]])
    tree = grown(X, np.array([-1, 1]), np.full(2, 0.5), 1)
    assert tree.predict(X).tolist() == [-1, 1]
    huge = np.array([[-1e100], [1e100], [1e100]])
    assert grown(huge, np.array([1, -1, -1]), np.ones(3), 1).threshold[0] == 0


def test_weightless_points_are_not_worth_a_test() -> None:
    X, sign = np.arange(4.0)[:, None], np.array([1, -1, -1, 1])
    tree = grown(X, sign, np.array([1e-200, 0.5, 1e-20, 0.5]), 1)
    assert tree.predict(X)[[1, 3]].tolist() == [-1, 1]
    assert tree.threshold[0] == 1.5, "the point at 2 makes no difference, so this is a tie"


def test_growing_with_other_weights_changes_nothing_before_it() -> None:
    rng = np.random.default_rng(0)
    X, sign = rng.normal(size=(50, 2)), rng.choice([-1.0, 1.0], size=50)
    learner, weights = Presorted(X, sign, 2), rng.uniform(size=(2, 50))
    first, said = learner.grow(weights[0])
    learner.grow(weights[1])
    again, _ = learner.grow(weights[0])
    assert first == again
    np.testing.assert_array_equal(first.predict(X), said)
