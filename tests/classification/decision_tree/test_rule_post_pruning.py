from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.classification.decision_tree.decision_tree import decision_tree
from algorithms.classification.decision_tree.rule_post_pruning import (
    Rule,
    RulesStep,
    advance,
    by_hand,
    rule_post_pruning,
)
from algorithms.classification.decision_tree.tree import Tree
from algorithms.core.iterate import resumed
from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from tests.house.check_steps import LABELS, POINTS, AsInTheApp, check_model, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"tree": last(decision_tree(POINTS[::2], LABELS[::2])).tree}
PRESETS = ["blobs", "moons", "circles", "spirals", "xor", "stretched"]

EVERY_CONDITION = Checked(
    "decision_tree",
    "The estimate of every rule without each of its conditions, counted point by point",
    18,
    "runs",
)


def parts(
    name: str, noise: float = 0.6, n: int = 120, seed: int = 1, depth: int = 5
) -> tuple[Tree, np.ndarray, np.ndarray]:
    """Return a tree grown on some points, and other points to prune its rules on."""
    random = np.random.default_rng(seed)
    X, y = (d := DATASETS[name].make(n, noise=noise, rng=random)).X, d.labels
    held = random.random(n) < 0.4
    return last(decision_tree(X[~held], y[~held], max_depth=depth)).tree, X[held], y[held]


def holds(rule: Rule, x: np.ndarray, gone: int = -1) -> bool:
    """Return whether all conditions hold for a point that a rule has, except one."""
    for c in range(len(rule.kept)):
        if rule.kept[c] and c != gone:
            is_below = bool(x[rule.feature[c]] <= rule.threshold[c])
            if is_below != bool(rule.below[c]):
                return False
    return True


def counted(rule: Rule, X: np.ndarray, y: np.ndarray, gone: int = -1) -> tuple[int, int]:
    covered = [label for x, label in zip(X, y, strict=True) if holds(rule, x, gone)]
    return sum(label == rule.label for label in covered), len(covered)


def predicted(step: RulesStep, x: np.ndarray) -> int:
    for r in step.order:
        if holds(step.rules[r], x):
            return step.rules[r].label
    return step.default


@pytest.mark.parametrize("case", range(EVERY_CONDITION.cases))
def test_every_removal_is_the_best_there_is(case: int) -> None:
    tree, X, y = parts(PRESETS[case % 6], seed=1 + case // 6)
    steps, K = check_steps(rule_post_pruning(tree, X, y)), len(tree.classes)
    assert len(steps) > 1
    done = 0
    for before, after in pairwise(steps):
        trials = [
            {
                int(c): ((found := counted(rule, X, y, int(c)))[0] + 1) / (found[1] + K)
                for c in np.flatnonzero(rule.kept)
            }
            for rule in before.rules
        ]
        possible = [
            r for r, each in enumerate(trials)
            if each and max(each.values()) >= before.estimates[r]
        ]  # fmt: skip
        if after.event == "sorted":
            assert not possible
            break
        r = after.rule
        assert r == possible[0], "the rules are pruned one after the other"
        assert r >= done
        done = r
        assert {each.condition: each.estimate for each in after.tried} == trials[r]
        best = max(trials[r].values())
        ties = [c for c, worth in trials[r].items() if worth == best]
        assert after.removed == max(ties), "of equal conditions, the one nearest to the leaf"
        assert after.estimates[r] == best >= before.estimates[r]
        assert (after.right[r], after.covered[r]) == counted(after.rules[r], X, y)
        left = {
            int(c): counted(after.rules[r], X, y, int(c))
            for c in np.flatnonzero(after.rules[r].kept)
        }
        lower = all((a + 1) / (n + K) < best for a, n in left.values())
        assert (after.event == "rule pruned") == lower
        assert after.errors == sum(
            predicted(after, x) != label for x, label in zip(X, y, strict=True)
        )
    end = steps[-1]
    assert end.event == "sorted"
    ordered = end.estimates[end.order]
    assert (ordered[:-1] >= ordered[1:]).all()
    assert end.errors == sum(predicted(end, x) != label for x, label in zip(X, y, strict=True))


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(4, 60), k=st.integers(2, 4), seed=st.integers(0, 999), share=st.floats(0.2, 0.8)
)
def test_the_rules_start_as_the_tree_and_only_grow(n: int, k: int, seed: int, share: float) -> None:
    random = np.random.default_rng(seed)
    X, y = random.integers(0, 6, size=(n, 2)).astype(float), random.integers(k, size=n)
    cut = min(max(int(share * n), 2), n - 1)
    y[:2] = 0, 1
    tree = last(decision_tree(X[:cut], y[:cut], max_depth=20)).tree
    steps = check_steps(rule_post_pruning(tree, X[cut:], y[cut:]))
    anywhere = random.uniform(-2, 8, size=(200, 2))
    np.testing.assert_array_equal(steps[0].predict(anywhere), tree.predict(anywhere))
    hold = np.array([rule.holds(anywhere) for rule in steps[0].rules])
    assert (hold.sum(axis=0) == 1).all(), "a partition"
    for before, after in pairwise(steps):
        hold = np.array([rule.holds(anywhere) for rule in before.rules])
        later = np.array([rule.holds(anywhere) for rule in after.rules])
        assert (later | ~hold).all(), "no rule shrinks, and so every point keeps one"
        assert (after.deciding(anywhere) >= 0).all()
        assert after.conditions == before.conditions - (after.event != "sorted")
        check_model(after, X)
    for rule in steps[-1].rules:
        lower, upper = rule.box(2)
        inside = ((anywhere > lower) & (anywhere <= upper)).all(axis=1)
        np.testing.assert_array_equal(inside, rule.holds(anywhere))


def test_worked_by_hand() -> None:
    # Grown: x <= 1.5 is class 0; of the rest a lone 0 at x = 3 is between 1s.
    X, y = np.array([[0.0], [1], [2], [3], [4], [5]]), np.array([0, 0, 1, 0, 1, 1])
    tree = last(decision_tree(X, y)).tree
    held, labels = np.array([[0.5], [2.1], [3.0], [3.1], [4.5]]), np.array([0, 1, 1, 1, 1])
    steps = list(rule_post_pruning(tree, held, labels))
    first = steps[0]
    # x <= 1.5: 0;  x > 3.5: 1;  1.5 < x <= 2.5: 1;  2.5 < x <= 3.5: 0
    assert [rule.label for rule in first.rules] == [0, 1, 1, 0]
    assert first.right.tolist() == [1, 1, 1, 0] and first.covered.tolist() == [1, 1, 1, 2]
    assert first.estimates.tolist() == [2 / 3, 2 / 3, 2 / 3, 1 / 4]
    assert first.errors == 2
    # The first rule keeps its condition: "always" has (1 + 1)/(5 + 2). Rule 2, x > 1.5 and x > 3.5,
    # loses x > 3.5: it is then right for 4 of 4.
    assert (steps[1].rule, steps[1].removed) == (1, 1)
    assert {t.condition: t.estimate for t in steps[1].tried} == {0: 2 / 3, 1: 5 / 6}
    assert (steps[1].right[1], steps[1].covered[1], steps[1].errors) == (4, 4, 0)
    assert steps[1].event == "rule pruned", "always would be right for 4 of 5: 5/7"
    assert steps[-1].event == "sorted" and steps[-1].order[0] in (1, 2)
    assert steps[-1].errors == 0


def test_a_single_leaf_is_a_single_rule() -> None:
    tree = next(decision_tree(POINTS, LABELS)).tree
    (step,) = check_steps(rule_post_pruning(tree, POINTS, LABELS))
    assert (step.event, step.conditions) == ("sorted", 0)
    assert (step.predict(POINTS) == tree.predict(POINTS)).all()


def test_another_condition_can_be_removed_and_pruning_goes_on_from_there() -> None:
    tree, X, y = parts("moons")
    was = list(rule_post_pruning(tree, X, y))
    most = was[0].conditions + 1
    for at in (1, 2, len(was) - 1):
        before = was[at - 1]
        for r, rule in enumerate(before.rules):
            for c in np.flatnonzero(rule.kept).tolist():
                change, go_on = partial(by_hand, X, y, (r, c)), partial(advance, X, y)
                steps = check_steps(resumed(was, at, change, go_on, most=most))
                assert (steps[at].event, steps[at].rule, steps[at].removed) == (
                    "removed by hand", r, c,
                )  # fmt: skip
                assert not steps[at].rules[r].kept[c]
                assert steps[-1].event == "sorted"
                for r2, rule2 in enumerate(steps[-1].rules):
                    for c2 in np.flatnonzero(rule2.kept).tolist():
                        right, n = counted(rule2, X, y, c2)
                        assert (right + 1) / (n + 2) < steps[-1].estimates[r2], "all are pruned"
    with pytest.raises(ValueError, match="condition must be one that rule 1 still has, got 99"):
        by_hand(X, y, (0, 99), was[0])
    with pytest.raises(ValueError, match="no rule has a condition left"):
        by_hand(X, y, (-1, -1), was[0])


def test_bad_arguments_are_refused_at_the_call() -> None:
    tree = last(decision_tree(np.array([[0.0, 1.0], [0.0, 2.0]]), np.array([0, 1]))).tree
    with AsInTheApp(), pytest.raises(ValueError, match="X must have at least 2 columns"):
        rule_post_pruning(tree, np.zeros((3, 1)), np.zeros(3, int))
    with AsInTheApp(), pytest.raises(ValueError, match="X must hold the held-out points"):
        rule_post_pruning(tree, POINTS[:0], LABELS[:0])
