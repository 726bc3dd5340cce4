import numpy as np
import pytest

from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import number

SETTINGS = {
    "data": ["moons", "blobs", "xor", "circles", "spirals", "gates"],
    "noise": [0.2, 0.5],
    "seed": range(50),
    "criterion": ["entropy", "gini", "error"],
    "ratio": ["False", "False", "True"],
    "order": ["best first", "depth first"],
    "depth": [2, 5, 8],
    "leaf": [1, 1, 10],
}


def here(asked: Asked, node: int) -> np.ndarray:
    """Which points are in a node: those that the tree before sends to it as to a leaf."""
    return asked.before.tree.apply(asked.X) == node


def judge(asked: Asked) -> str:
    after, before = asked.after, asked.before
    (node,) = set(before.tree.leaves.tolist()) - set(after.tree.leaves.tolist())
    if asked.question.text == "Which leaf is split next?":
        assert asked.right.startswith(f"{here(asked, node).sum()} point")
        assert leaf_at(asked, asked.question.right) == node
        others = range(len(asked.question.options))
        assert len({leaf_at(asked, i) for i in others}) == len(others)
        if asked.link["order"] == "best first":
            gains = {step.node: step.gain for step in asked.steps[1:]}
            worth = [gains[leaf] * here(asked, leaf).sum() for leaf in map(leaf_of(asked), others)]
            assert np.argmax(worth) == asked.question.right
            assert number(max(worth)) in asked.question.reason
        return "leaf"
    feature, threshold = after.tree.feature[node], after.tree.threshold[node]
    assert asked.right == f"{'xy'[feature]} ≤ {number(threshold)}"
    assert before.tree.apply(asked.place[None])[0] == node
    inside = here(asked, node)
    X, labels, by_ratio = asked.X[inside], asked.labels[inside], asked.link["ratio"] == "True"
    scores = []
    for option in asked.question.options:
        j, place = "xy".index(option.text[0]), option.place or pytest.fail("a cut has a place")
        below = X[:, j] <= place[1 + j]
        parts = [labels[below], labels[~below]]
        shares = [len(part) / len(labels) for part in parts]
        mixed = [mixture(part, asked.link["criterion"]) for part in (labels, *parts)]
        gain = mixed[0] - shares[0] * mixed[1] - shares[1] * mixed[2]
        scores.append(gain / -np.dot(shares, np.log2(shares)) if by_ratio else gain)
    assert np.argmax(scores) == asked.question.right
    assert sorted(scores)[-1] > sorted(scores)[-2]
    assert f"{max(scores):.3f}" in asked.question.reason
    return "cut"


def mixture(labels: np.ndarray, criterion: str) -> float:
    """The impurity, by its definition."""
    shares = np.unique_counts(labels).counts / len(labels)
    if criterion == "entropy":
        return float(-np.dot(shares, np.log2(shares)))
    return float(1 - shares.max() if criterion == "error" else 1 - np.square(shares).sum())


def leaf_at(asked: Asked, option: int) -> int:
    place = asked.question.options[option].place
    assert place
    return int(asked.before.tree.apply(np.array([place[1:]]))[0])


def leaf_of(asked: Asked):
    return lambda option: leaf_at(asked, option)


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("decision_tree", SETTINGS, count, judge, {"leaf", "cut"})
