from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.classification.decision_tree.decision_tree import decision_tree
from algorithms.classification.decision_tree.prune import advance, by_hand, prune, size_curve
from algorithms.classification.decision_tree.tree import Tree
from algorithms.core.iterate import resumed
from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from tests.core.samples import dataset
from tests.house.check_steps import LABELS, POINTS, AsInTheApp, check_model, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"tree": last(decision_tree(POINTS[::2], LABELS[::2])).tree}
PRESETS = ["blobs", "moons", "circles", "spirals", "xor", "stretched"]


EVERY_CUT = Checked(
    "decision_tree",
    "Every possible cut of every pruning step, its errors counted point by point",
    24,
    "runs",
)


def parts(
    name: str, noise: float = 0.8, n: int = 200, seed: int = 1
) -> tuple[Tree, np.ndarray, np.ndarray]:
    """Return a tree grown to the end on some points, and other points to prune it on."""
    random = np.random.default_rng(seed)
    X, y = (d := DATASETS[name].make(n, noise=noise, rng=random)).X, d.labels
    held = random.random(n) < 0.4
    return last(decision_tree(X[~held], y[~held], max_depth=30)).tree, X[held], y[held]


def errors_by_hand(tree: Tree, X: np.ndarray, y: np.ndarray) -> int:
    wrong = 0
    for x, label in zip(X, y, strict=True):
        node = 0
        while tree.feature[node] >= 0:
            goes_left = x[tree.feature[node]] <= tree.threshold[node]
            node = (tree.left if goes_left else tree.right)[node]
        wrong += tree.classes[tree.counts[node].argmax()] != label
    return wrong


@pytest.mark.parametrize("case", range(EVERY_CUT.cases))
def test_every_cut_is_the_best_there_is(case: int) -> None:
    tree, X, y = parts(PRESETS[case % 6], n=120, seed=1 + case // 6)
    steps = check_steps(prune(tree, X, y))
    assert steps[0].tree is tree
    assert len(steps) > 1
    for before, after in pairwise(steps):
        trials = {
            int(v): before.errors - errors_by_hand(before.tree.cut(int(v)), X, y)
            for v in before.tree.inner
        }
        assert dict(zip(before.candidates.tolist(), before.falls.tolist(), strict=True)) == trials
        assert after.fall == trials[after.node] == max(trials.values()) >= 0
        assert after.removed == before.tree.reached.sum() - after.tree.reached.sum()
        assert after.tree.feature[after.node] == -1
        # Ties go to the smaller branch.
        for v, fall in trials.items():
            smaller = before.tree.reached.sum() - before.tree.cut(v).reached.sum()
            assert fall < after.fall or smaller >= after.removed
    end = steps[-1]
    assert end.event == "pruned"
    assert all(end.errors < errors_by_hand(end.tree.cut(int(v)), X, y) for v in end.tree.inner)


@settings(max_examples=80, deadline=None)
@given(
    n=st.integers(4, 60), k=st.integers(2, 4), seed=st.integers(0, 999), share=st.floats(0.2, 0.8)
)
def test_the_held_out_errors_never_rise(n: int, k: int, seed: int, share: float) -> None:
    random = np.random.default_rng(seed)
    X, y = random.integers(0, 6, size=(n, 2)).astype(float), random.integers(k, size=n)
    cut = min(max(int(share * n), 2), n - 1)
    y[:2] = 0, 1
    tree = last(decision_tree(X[:cut], y[:cut], max_depth=20)).tree
    steps = check_steps(prune(tree, X[cut:], y[cut:]))
    for before, after in pairwise(steps):
        assert after.errors == before.errors - after.fall
        assert after.errors <= before.errors
        assert after.tree.errors >= before.tree.errors, "the training errors never fall"
        assert len(after.tree.leaves) < len(before.tree.leaves)
    curve = size_curve(steps, X[cut:], y[cut:])
    for step, row in zip(steps, curve.tolist(), strict=True):
        tree = step.tree
        assert row == [len(tree.leaves), tree.errors, step.errors, sum(tree.description_length(2))]
        check_model(step, X)


def test_worked_by_hand() -> None:
    # Grown: x <= 1.5 is class 0; of the rest a lone 0 at x = 3 sits between 1s.
    X, y = np.array([[0.0], [1], [2], [3], [4], [5]]), np.array([0, 0, 1, 0, 1, 1])
    tree = last(decision_tree(X, y)).tree
    assert tree.threshold[tree.inner].tolist() == [1.5, 3.5, 2.5]
    held, labels = np.array([[0.5], [2.1], [3.0], [3.1], [4.5]]), np.array([0, 1, 1, 1, 1])
    steps = list(prune(tree, held, labels))
    assert [step.errors for step in steps] == [2, 0]
    assert [step.node for step in steps] == [-1, 2]
    assert steps[0].candidates.tolist() == [0, 2, 3]
    # The root as a leaf has a tie of classes and says 0: 4 errors.
    assert steps[0].falls.tolist() == [2 - 4, 2 - 0, 2 - 3]
    assert steps[-1].predict(np.array([[3.0], [1.0]])).tolist() == [1, 0]
    assert (steps[-1].removed, steps[-1].event) == (4, "pruned")


def test_classes_the_tree_does_not_know_are_errors() -> None:
    X, y = np.array([[0.0], [1.0]]), np.array([3, 5])
    tree = last(decision_tree(X, y)).tree
    for stranger in (-1, 4, 9):
        steps = list(prune(tree, np.array([[0.0], [1.0]]), np.array([3, stranger])))
        assert [step.errors for step in steps] == [1, 1]
        assert len(steps[-1].tree.leaves) == 1


def test_a_single_leaf_is_pruned_already() -> None:
    tree = next(decision_tree(POINTS, LABELS)).tree
    steps = check_steps(prune(tree, POINTS, LABELS))
    assert [step.event for step in steps] == ["pruned"]
    assert len(steps[0].candidates) == 0


def test_bad_arguments_are_refused_at_the_call() -> None:
    tree = last(decision_tree(np.array([[0.0, 1.0], [0.0, 2.0]]), np.array([0, 1]))).tree
    with (
        AsInTheApp(),
        pytest.raises(ValueError, match="X must have at least 2 columns, as the tree"),
    ):
        prune(tree, np.zeros((3, 1)), np.zeros(3, int))


def test_there_must_be_held_out_points() -> None:
    tree = last(decision_tree(POINTS, LABELS)).tree
    with AsInTheApp(), pytest.raises(ValueError, match="X must hold the held-out points"):
        prune(tree, POINTS[:0], LABELS[:0])


def test_the_sizes_of_a_tree_that_grows() -> None:
    data = dataset("blobs", 150, noise=0.9)
    X, y = data.X, data.labels
    steps = list(decision_tree(X[:90], y[:90], max_depth=9))
    rows = size_curve(steps, X[90:], y[90:]).tolist()
    for step, row in zip(steps, rows, strict=True):
        tree = step.tree
        wrong = np.count_nonzero(step.predict(X[90:]) != y[90:])
        assert row == [len(tree.leaves), tree.errors, wrong, sum(tree.description_length(2))]


def test_another_test_can_be_cut_off_and_pruning_goes_on_from_there() -> None:
    tree, X, y = parts("moons")
    was = list(prune(tree, X, y))
    for at in (1, 2):
        for u in was[at - 1].candidates.tolist():
            steps = check_steps(resumed(was, at, partial(by_hand, u), advance, most=len(X)))
            assert [step.errors for step in steps[:at]] == [step.errors for step in was[:at]]
            again = list(
                prune(was[at - 1].tree.cut(u), X, y)
            )  # pruned as if it had grown like that
            assert [step.node for step in steps[at + 1 :]] == [step.node for step in again[1:]]
            assert [step.errors for step in steps[at:]] == [step.errors for step in again]
            assert steps[at].errors == was[at - 1].errors - steps[at].fall
            assert steps[at].event == ("cut off by hand" if len(again) > 1 else "pruned")
    leaf = int(tree.leaves[0])
    with pytest.raises(ValueError, match="u must be a node with a test"):
        by_hand(leaf, was[0])
