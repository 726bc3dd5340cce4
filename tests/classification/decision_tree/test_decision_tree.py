from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.feature_selection import chi2
from sklearn.tree import DecisionTreeClassifier

from algorithms.classification.decision_tree.cuts import (
    cuts_in_the_middle,
    impurity_curve,
    nearest_cut,
    possible_cuts,
)
from algorithms.classification.decision_tree.decision_tree import (
    DecisionTreeStep,
    advance,
    by_hand,
    decision_tree,
)
from algorithms.classification.decision_tree.rules import Rules
from algorithms.classification.decision_tree.tree import Tree
from algorithms.core.iterate import resumed
from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from tests.house.check_steps import AsInTheApp, check_model, check_steps, same
from tests.house.checked import Checked

SAME = 1e-9  # gains that differ by less are a tie


def data(
    name: str, n: int = 150, noise: float | None = None, seed: int = 5
) -> tuple[np.ndarray, np.ndarray]:
    """Return a preset, rounded to the single precision that scikit-learn works with."""
    preset = DATASETS[name]
    noise = preset.noise if noise is None else noise
    made = preset.make(n, noise=noise, rng=np.random.default_rng(seed))
    X = made.table if preset.kind == "real" else made.X
    return X.astype(np.float32).astype(float), made.labels


def impurity(y: np.ndarray, criterion: str) -> float:
    p = np.bincount(y) / len(y)
    p = p[p > 0]
    return {"entropy": -(p * np.log2(p)).sum(), "gini": 1 - (p * p).sum(), "error": 1 - p.max()}[
        criterion
    ]


def gain_of(x: np.ndarray, y: np.ndarray, threshold: float, criterion: str) -> float:
    left = x <= threshold
    after = sum(part.mean() * impurity(y[part], criterion) for part in (left, ~left))
    return impurity(y, criterion) - after


def points_at(tree: Tree, X: np.ndarray) -> list[np.ndarray]:
    """Return which points pass every node."""
    lower, upper = tree.boxes(X.shape[1])
    return [((low < X) & (high >= X)).all(axis=1) for low, high in zip(lower, upper, strict=True)]


PRESETS = ["blobs", "moons", "circles", "spirals", "xor", "stretched", "iris", "penguins"]
NOISE = {
    "blobs": 0.9,
    "moons": 0.4,
    "circles": 0.4,
    "spirals": 0.4,
    "xor": 0.4,
    "stretched": 0.6,
    "iris": 0.3,
}


LIMITS = [{"max_depth": 3}, {"max_depth": 8}, {"max_depth": 20, "min_samples_leaf": 7}]
SCIKIT_LEARN = Checked(
    "decision_tree",
    "scikit-learn, node by node down to the first tie",
    96,
    "trees",
)


@pytest.mark.parametrize("case", range(SCIKIT_LEARN.cases))
def test_splits_where_scikit_learn_does(case: int) -> None:
    sample, name, limits = case // 24, PRESETS[case % 8], LIMITS[case // 8 % 3]
    criterion = ["entropy", "gini"][sample % 2]
    X, y = data(name, noise=NOISE.get(name), seed=5 + sample // 2)
    ours = last(decision_tree(X, y, criterion=criterion, **limits)).tree
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0, **limits).fit(X, y)
    matched = list(walk_together(ours, theirs.tree_, X, y, criterion))
    tied = [node for node, same in matched if not same]
    assert len(tied) < len(matched)
    # Below a tie the trees may go apart; everywhere else they predict the same.
    at, free = ours.apply(X), np.ones(len(X), bool)
    for node in tied:
        free &= ~points_at(ours, X)[node]
    probabilities = ours.predict_proba(X)
    np.testing.assert_allclose(probabilities[free], theirs.predict_proba(X)[free], rtol=1e-12)
    assert len(at) == len(X)
    if not tied:
        grid = np.random.default_rng(1).uniform(X.min(), X.max(), size=(500, X.shape[1]))
        grid = grid.astype(np.float32).astype(float)
        np.testing.assert_array_equal(ours.predict(grid), theirs.predict(grid))


def walk_together(
    ours: Tree, theirs, X: np.ndarray, y: np.ndarray, criterion: str
) -> Iterator[tuple[int, bool]]:
    """Compare the trees from the root down, until they part in a tie: (node of ours, same)."""
    reaching = points_at(ours, X)
    stack = [(0, 0)]
    while stack:
        a, b = stack.pop()
        assert (ours.feature[a] < 0) == (theirs.children_left[b] < 0)
        assert reaching[a].sum() == theirs.n_node_samples[b]
        if ours.feature[a] < 0:
            yield a, True
            continue
        same = ours.feature[a] == theirs.feature[b] and ours.threshold[a] == theirs.threshold[b]
        yield a, bool(same)
        if same:
            stack += [(ours.left[a], theirs.children_left[b])]
            stack += [(ours.right[a], theirs.children_right[b])]
        else:
            here, labels = X[reaching[a]], y[reaching[a]]
            gains = [
                gain_of(here[:, tree.feature[i]], labels, tree.threshold[i], criterion)
                for tree, i in ((ours, a), (theirs, b))
            ]
            assert gains[0] == pytest.approx(gains[1], abs=SAME), "not a tie"


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_no_stump_of_scikit_learn_gains_more_at_any_node(name: str, criterion: str) -> None:
    """Below ties too: every single split is as good as theirs on the same points."""
    X, y = data(name, n=100)
    tree = last(decision_tree(X, y, criterion=criterion, max_depth=6)).tree
    reaching = points_at(tree, X)
    for node in tree.inner:
        here, labels = X[reaching[node]], y[reaching[node]]
        stump = DecisionTreeClassifier(max_depth=1, criterion=criterion, random_state=1)
        stump.fit(here, labels)
        theirs = gain_of(
            here[:, stump.tree_.feature[0]], labels, stump.tree_.threshold[0], criterion
        )
        ours = gain_of(here[:, tree.feature[node]], labels, tree.threshold[node], criterion)
        assert ours == pytest.approx(theirs, abs=SAME)


@pytest.mark.parametrize("name", ["moons", "blobs", "spirals", "iris", "penguins"])
@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_best_first_splits_in_scikit_learns_order(name: str, criterion: str) -> None:
    X, y = data(name, noise=NOISE.get(name))
    steps = list(decision_tree(X, y, criterion=criterion, max_depth=30))
    assert len(steps) > 4
    for step in steps[1:5]:
        leaves = len(step.tree.leaves)
        theirs = DecisionTreeClassifier(
            criterion=criterion, max_leaf_nodes=leaves, random_state=0
        ).fit(X, y)
        np.testing.assert_allclose(step.predict_proba(X), theirs.predict_proba(X), rtol=1e-12)


@settings(max_examples=120, deadline=None)
@given(
    X=arrays(
        float,
        st.tuples(st.integers(2, 30), st.integers(1, 3)),
        elements=st.integers(-4, 4).map(float) | st.floats(-9, 9),
    ),
    k=st.integers(2, 4),
    seed=st.integers(0, 99),
    criterion=st.sampled_from(["entropy", "gini", "error"]),
    ratio=st.booleans(),
    order=st.sampled_from(["best first", "depth first"]),
    max_depth=st.integers(1, 6),
    least=st.integers(1, 5),
    min_gain=st.sampled_from([0.0, 0.05, 0.3]),
    significance=st.sampled_from([1.0, 0.2, 0.01]),
)
def test_what_holds_for_every_tree(
    X, k, seed, criterion, ratio, order, max_depth, least, min_gain, significance
) -> None:
    y = np.random.default_rng(seed).integers(k, size=len(X))
    y[:2] = 0, 1
    limits = {"max_depth": max_depth, "min_samples_leaf": least, "min_gain": min_gain}
    how = {"criterion": criterion, "gain_ratio": ratio, "significance": significance, **limits}
    steps = check_steps(decision_tree(X, y, order=order, **how))
    for i, step in enumerate(steps):
        tree = step.tree
        assert len(tree.feature) == 2 * i + 1
        assert len(tree.leaves) == i + 1
        assert tree.depth.max() <= max_depth
        reaching = points_at(tree, X)
        for node, here in enumerate(reaching):
            own = [np.count_nonzero(y[here] == c) for c in tree.classes]
            assert tree.counts[node].tolist() == own
        assert sum(here.sum() for here in (reaching[leaf] for leaf in tree.leaves)) == len(X)
        assert tree.errors == np.count_nonzero(step.predict(X) != y)
        check_model(step, X)
        if i == 0:
            assert (step.node, step.gain, step.chosen) == (-1, 0, None)
            continue
        here, chosen = X[reaching[step.node]], step.chosen
        assert chosen is not None
        assert chosen.gain == step.gain >= max(min_gain - 1e-12, 0)
        labels = y[reaching[step.node]]
        for cut in step.candidates:
            gain = gain_of(here[:, cut.feature], labels, cut.threshold, criterion)
            assert cut.gain == pytest.approx(gain, abs=1e-12)
            assert min(sum(cut.left), sum(cut.right)) >= least
            if cut.gain >= min_gain and (significance == 1 or cut.p_value <= significance):
                assert chosen.score >= cut.score - 1e-12
        assert significance == 1 or chosen.p_value <= significance
    for before, after in pairwise(steps):
        np.testing.assert_array_equal(
            before.tree.counts, after.tree.counts[: len(before.tree.counts)]
        )
        assert after.tree.errors <= before.tree.errors
    pure = all(np.count_nonzero(steps[-1].tree.counts[leaf]) == 1 for leaf in steps[-1].tree.leaves)
    assert steps[-1].event == ("pure" if pure else "stopped")
    fates = [fate for step in steps for fate in step.fates]
    assert fates.count("open") == len(steps) - 1

    # The order changes the way, not the tree.
    other = {"best first": "depth first", "depth first": "best first"}[order]
    ending = last(decision_tree(X, y, order=other, **how))
    np.testing.assert_array_equal(ending.predict_proba(X), steps[-1].predict_proba(X))


def test_best_first_takes_the_largest_fall_and_depth_first_the_left() -> None:
    X, y = data("moons", noise=0.4)
    opened: dict[int, float] = {}
    for step in decision_tree(X, y, max_depth=6):
        if step.node >= 0:
            assert step.node in (0, *opened)
            lowers = step.tree.counts[step.node].sum() * step.gain
            assert lowers >= max(opened.values(), default=0) - 1e-6
            opened.pop(step.node, None)
        for node in range(len(step.tree.feature) - len(step.fates), len(step.tree.feature)):
            curves = [(f, best_gain(X, y, step.tree, node, f)) for f in (0, 1)]
            if step.fates[node - len(step.tree.feature)] == "open":
                opened[node] = step.tree.counts[node].sum() * max(gain for _, gain in curves)
    nodes = [step.node for step in decision_tree(X, y, max_depth=6, order="depth first")]
    final = last(decision_tree(X, y, max_depth=6, order="depth first")).tree
    preorder, stack = [], [0]
    while stack:
        node = stack.pop()
        if final.feature[node] >= 0:
            preorder.append(node)
            stack += [int(final.right[node]), int(final.left[node])]
    assert nodes[1:] == preorder


def best_gain(X: np.ndarray, y: np.ndarray, tree: Tree, node: int, feature: int) -> float:
    here = points_at(tree, X)[node]
    x, labels = X[here, feature], y[here]
    cuts = np.unique(x)[:-1]
    return max((gain_of(x, labels, cut, "entropy") for cut in cuts), default=0.0)


def test_gain_ratio_divides_by_the_entropy_of_the_sizes() -> None:
    X, y = data("spirals", noise=0.3)
    step = list(decision_tree(X, y, gain_ratio=True))[1]
    for cut in step.candidates:
        sizes = np.repeat([0, 1], [sum(cut.left), sum(cut.right)])
        assert cut.score == pytest.approx(cut.gain / impurity(sizes, "entropy"))
        x = X[:, cut.feature]
        for threshold in np.unique(x)[:-1]:
            split = impurity((x > threshold).astype(int), "entropy")
            assert gain_of(x, y, threshold, "entropy") / split <= cut.score + 1e-12


CHI_SQUARE = Checked(
    "decision_tree",
    "scikit-learn's chi2, for the statistic of every cut",
    20,
    "trees",
    within=1e-9,
)


@pytest.mark.parametrize("seed", range(CHI_SQUARE.cases))
def test_the_chi_square_statistic_of_every_cut(seed: int) -> None:
    X, y = data("blobs", noise=1.0, seed=seed)
    for step in list(decision_tree(X, y))[1:]:
        for cut in step.candidates:
            present = np.flatnonzero(np.add(cut.left, cut.right))
            side = np.repeat([1, 0, 1, 0], [sum(cut.left), sum(cut.right)] * 2)[
                : sum(cut.left) + sum(cut.right)
            ]
            labels = np.concatenate(
                [np.repeat(present, np.array(part)[present]) for part in (cut.left, cut.right)]
            )
            # chi2 sums over one side; the other side's share comes with the complement.
            one = [chi2((side == s)[:, None].astype(float), labels)[0][0] for s in (0, 1)]
            assert cut.statistic == pytest.approx(sum(one), rel=0, abs=CHI_SQUARE.within)


def test_a_cut_needs_a_significant_chi_square() -> None:
    # By hand: 10 + 10 points, 8 + 2 go left: each of the four cells is 3 from its expected 5.
    X = np.array([[0.0]] * 8 + [[1.0]] * 2 + [[0.0]] * 2 + [[1.0]] * 8)
    y = np.repeat([0, 1], 10)
    cut = list(decision_tree(X, y))[1].candidates[0]
    assert cut.statistic == pytest.approx(4 * 9 / 5)
    assert cut.p_value == pytest.approx(0.00729, abs=1e-5)
    assert len(list(decision_tree(X, y, significance=0.008))) == 2
    stopped = list(decision_tree(X, y, significance=0.007))
    assert [(step.fates, step.event) for step in stopped] == [(("significance",), "stopped")]


def test_stopping_rules_name_themselves() -> None:
    X, y = data("moons", noise=0.5)
    for limits, fate in {
        ("max_depth", 2): "max_depth",
        ("min_samples_leaf", 30): "min_samples_leaf",
        ("min_gain", 0.2): "min_gain",
        ("significance", 1e-4): "significance",
    }.items():
        steps = list(decision_tree(X, y, **{"max_depth": 30} | {limits[0]: limits[1]}))
        fates = {fate for step in steps for fate in step.fates}
        assert fates - {"open", "pure"} == {fate}
        assert steps[-1].event == "stopped"
    assert list(decision_tree(X, y, max_depth=30))[-1].event == "pure"


def test_exclusive_or_needs_a_split_without_gain() -> None:
    X = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    y = np.array([4, 4, 7, 7])
    for criterion in ("entropy", "gini", "error"):
        steps = list(decision_tree(X, y, criterion=criterion))
        assert [step.event for step in steps] == [None, "no gain", None, "pure"]
        assert steps[-1].predict(X).tolist() == y.tolist()
        stopped = list(decision_tree(X, y, criterion=criterion, min_gain=0.01))
        assert [(step.event, step.fates) for step in stopped] == [("stopped", ("min_gain",))]


def test_ties_go_to_the_even_cut_the_first_feature_the_lower_threshold() -> None:
    # Classes a b a: cutting either end off gains the same, evenly as well; x and y are alike.
    x = np.array([0.0, 1.0, 2.0])
    step = list(decision_tree(np.column_stack([x, x]), np.array([0, 1, 0])))[1]
    assert [cut.threshold for cut in step.candidates] == [0.5, 0.5]
    assert step.tree.feature[0] == 0
    # Errors of a b b b a a a b (2 left of the middle): only even cuts survive among equal gains.
    x, y = np.arange(8.0)[:, None], np.array([0, 0, 0, 0, 0, 0, 1, 0])
    assert list(decision_tree(x, y, criterion="error"))[1].tree.threshold[0] == 3.5


def with_a_cut(
    was: list[DecisionTreeStep], at: int, X: np.ndarray, y: np.ndarray, cut: tuple, rules: Rules
) -> list[DecisionTreeStep]:
    change, going_on = partial(by_hand, X, y, rules, cut), partial(advance, X, y, rules)
    return check_steps(resumed(was, at, change, going_on, most=len(X)))


@pytest.mark.parametrize("how", [{}, {"gain_ratio": True, "criterion": "gini"}])
def test_a_cut_by_hand_is_worth_what_its_sides_are(how: dict) -> None:
    X, y = data("moons", n=40, noise=0.5)
    rules = Rules(**how, min_samples_leaf=5)
    was = list(decision_tree(X, y, **how, min_samples_leaf=5))
    for at in (1, 2):
        best = was[at].chosen
        assert best
        again = with_a_cut(was, at, X, y, (best.feature, best.threshold), rules)
        assert [same(a.tree, b.tree) for a, b in zip(was, again, strict=True)] == [True] * len(was)
        made = again[at].chosen
        assert made and again[at].by_hand and made.tried == 1
        assert (made.left, made.right) == (best.left, best.right)
        assert (made.gain, made.score) == pytest.approx((best.gain, best.score))
    found = possible_cuts(was[1].tree, 0, X, 0, 5)
    for cut in found:
        step = with_a_cut(was, 1, X, y, (0, cut), rules)[1]
        left = X[:, 0] <= cut
        gain = gain_of(X[:, 0], y, cut, rules.criterion)
        assert step.by_hand and step.gain == pytest.approx(gain)
        assert step.chosen and sum(step.chosen.left) == left.sum() >= 5 <= (~left).sum()
        assert step.event == "split by hand"
    near = nearest_cut(was[1].tree, 0, X, (0, 0.1), 5)
    assert abs(near[1] - 0.1) == abs(found - 0.1).min()
    with pytest.raises(ValueError, match="cut must leave 5 or more points on either side"):
        with_a_cut(was, 1, X, y, (0, 99.0), rules)


def test_cuts_in_the_middle_halve_the_points_of_the_node() -> None:
    X, y = data("moons", noise=0.4)
    for step in list(decision_tree(X, y))[1:]:
        here = points_at(step.tree, X)[step.node]
        for cut in cuts_in_the_middle(step, X, y, Rules()):
            assert sum(cut.left) >= sum(cut.right) >= sum(cut.left) - 1
            gain = gain_of(X[here, cut.feature], y[here], cut.threshold, "entropy")
            assert cut.gain == pytest.approx(gain)


def test_description_length_by_hand() -> None:
    X = np.array([[0.0, 0], [1, 0], [2, 0], [3, 0], [3, 0]])
    y = np.array([0, 1, 2, 0, 1])
    tree = last(decision_tree(X, y)).tree
    # Three cuts of one of two features (1 bit), four leaves of three classes (2 bits), one error of
    # five points (3 bits).
    assert tree.description_length(2) == (3 * 1 + 4 * 2, 1 * 3)
    assert tree.description_length(1) == (0 * 3 + 4 * 2, 3)
    start = next(decision_tree(X, y)).tree
    assert start.description_length(2) == (2, 3 * 3)


@pytest.mark.parametrize("criterion", ["entropy", "gini", "error"])
def test_the_impurity_curve_is_lowest_where_the_split_is(criterion: str) -> None:
    X, y = data("blobs", noise=0.8)
    step = list(decision_tree(X, y, criterion=criterion))[1]
    for cut in step.candidates:
        thresholds, after = impurity_curve(X[:, cut.feature], y, criterion=criterion)
        assert len(thresholds) == len(np.unique(X[:, cut.feature])) - 1
        best = np.flatnonzero(thresholds == cut.threshold)
        assert after[best] == pytest.approx(after.min())
        assert impurity(y, criterion) - after[best[0]] == pytest.approx(cut.gain)
    assert [len(part) for part in impurity_curve(np.zeros(3), np.array([0, 1, 1]))] == [0, 0]


def test_cutting_a_node_off_makes_it_a_leaf_and_keeps_the_numbers() -> None:
    X, y = data("moons", noise=0.4)
    tree = last(decision_tree(X, y)).tree
    left = int(tree.left[0])
    cut = tree.cut(left)
    inside = X[:, tree.feature[0]] <= tree.threshold[0]
    assert set(cut.apply(X)[inside]) == {left}
    np.testing.assert_array_equal(cut.apply(X)[~inside], tree.apply(X)[~inside])
    assert cut.reached.sum() == len(cut.inner) + len(cut.leaves) == 2 * len(cut.leaves) - 1
    assert cut.counts is tree.counts, "what does not change is shared"
    for array in vars(cut).values():
        assert not array.flags.writeable
        assert array.base is None
    assert cut.path(X[inside][0]) == [0, left]
    path = tree.path(X[~inside][0])
    assert path[0] == 0
    assert all(tree.parent[b] == a for a, b in pairwise(path))
    assert tree.feature[path[-1]] == -1


def spiky(n: int, k: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return random.normal(size=(n, 2)), 3 * random.integers(k, size=n) - 2


HOSTILE = {
    "two points": (np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([0, 2])),
    "the same point": (np.ones((6, 2)), np.array([0, 1, 1, 1, 0, 1])),
    "duplicates": (np.repeat([[0.0, 1.0], [2.0, 3.0]], 5, axis=0), np.arange(10) % 2),
    "collinear": (np.outer(np.arange(12.0), [1.0, -2.0]), np.arange(12) // 3 % 2),
    "constant column": (np.stack([np.arange(9.0), np.full(9, 7.0)], axis=1), np.arange(9) % 3),
    "huge": (spiky(30, 3)[0] * 1e98, spiky(30, 3)[1]),
    "vanishing": (spiky(30, 3)[0] * 1e-320, spiky(30, 3)[1]),
    "neighbours": (1 + np.arange(8.0)[:, None] * np.spacing(1.0), np.arange(8) % 2),
    "far away": (spiky(30, 2)[0] + 1e15, spiky(30, 2)[1]),
    "a class per point": (spiky(40, 2)[0], np.arange(40) * 7),
    "eight classes": spiky(300, 8),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("criterion", ["entropy", "gini", "error"])
@pytest.mark.parametrize("ratio", [False, True])
def test_hostile_data(name: str, criterion: str, ratio: bool) -> None:
    X, y = HOSTILE[name]
    steps = check_steps(decision_tree(X, y, criterion=criterion, gain_ratio=ratio, max_depth=1000))
    check_model(steps[-1], X)
    distinct = len(np.unique(X, axis=0)) == len(X)
    assert steps[-1].event == ("pure" if distinct else "stopped")


def test_many_points_are_quick() -> None:
    X, y = spiky(5000, 8)
    assert len(list(decision_tree(X, y, max_depth=10))) > 100


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"y": np.full(5, 3)}, "y must name at least two classes, got only class 3"),
        (
            {"criterion": "purity"},
            "criterion must be one of 'entropy', 'gini', 'error', got criterion='purity'",
        ),
        ({"order": "up"}, "order must be one of 'best first', 'depth first', got order='up'"),
        ({"max_depth": 0}, "max_depth must be at least 1, got max_depth=0"),
        ({"min_samples_leaf": 0}, "min_samples_leaf must be at least 1, got min_samples_leaf=0"),
        ({"min_gain": -0.1}, "min_gain must be a number from 0 to 1e+100, got min_gain=-0.1"),
        ({"significance": 2.0}, "significance must be at most 1, got significance=2.0"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": np.arange(10.0).reshape(5, 2), "y": np.arange(5) % 2} | changes
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        decision_tree(**given)
    assert str(caught.value) == sentence


def test_the_last_step_is_the_model() -> None:
    X, y = data("iris")
    model = last(decision_tree(X, y))
    assert isinstance(model, DecisionTreeStep)
    assert (model.predict(X) == y).mean() > 0.97
