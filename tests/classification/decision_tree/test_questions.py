import numpy as np
import pytest

from algorithms.classification.decision_tree.play_tennis import PLAY_TENNIS
from tests.app.questions import SAMPLES, Asked, check_judgements
from viz.core.words import number

SETTINGS = {
    "view": ["Grow", "Grow", "Prune", "Rules", "Resample", "ID3", "Missing"],
    "data": ["moons", "blobs", "xor", "circles", "spirals", "gates"],
    "noise": [0.2, 0.5],
    "seed": range(50),
    "missing": [10, 30],
    "gaps": range(50),
    "criterion": ["entropy", "gini", "error"],
    "ratio": ["False", "False", "True"],
    "costs": ["do not count", "Tan-Schlimmer", "Nunez"],
    "cost_1": [10, 20],
    "cost_4": [1, 3],
    "order": ["best first", "depth first"],
    "depth": [2, 5, 8],
    "leaf": [1, 1, 10],
}


def here(asked: Asked, node: int) -> np.ndarray:
    """Return which points are in a node: those that the tree before the split sends there."""
    return asked.before.tree.apply(asked.X) == node


def judge(asked: Asked) -> str:
    judges = {"Grow": grow, "Prune": prune, "Rules": rules, "Resample": resample, "ID3": id3}
    judges["Missing"] = missing
    return judges[asked.link["view"]](asked)


def grow(asked: Asked) -> str:
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


def prune(asked: Asked) -> str:
    """Count the held-out errors of the tree with each of the tests cut off."""
    assert asked.run.call
    tree, (_, X, y) = asked.before.tree, asked.run.call.args
    says, paths = tree.predict(X), [set(tree.path(x)) for x in X]

    def errors(node: int) -> int:
        below = np.array([node in path for path in paths])
        return int((np.where(below, tree.classes[tree.majority[node]], says) != y).sum())

    nodes = [node_at(asked, option.text) for option in asked.question.options]
    after = [errors(node) for node in nodes]
    assert nodes[asked.question.right] == asked.after.node
    assert np.argmin(after) == asked.question.right and sorted(after)[1] > min(after)
    assert min(after) == asked.after.errors
    return "prune"


def node_at(asked: Asked, text: str) -> int:
    """Find the test that an option names."""
    tree = asked.before.tree
    (node,) = [
        node
        for node in tree.inner.tolist()
        if f"{'xy'[tree.feature[node]]} ≤ {number(tree.threshold[node])}, with " in text
        and f"with {tree.counts[node].sum()} point" in text
    ]
    return node


def rules(asked: Asked) -> str:
    """Count for each option what the rule, or the rule without the condition, is right for."""
    assert asked.run.call
    _, X, y = asked.run.call.args
    K, texts = len(asked.before.classes), [option.text for option in asked.question.options]
    if asked.question.text.startswith("All rules"):
        assert asked.after.event == "sorted"
        numbers = [int(text.removeprefix("rule ")) - 1 for text in texts]
        worth = [
            laplace(asked.before.rules[r], asked.before.rules[r].kept, X, y, K) for r in numbers
        ]
        assert numbers[asked.question.right] == asked.after.order[0]
    else:
        rule, worth = asked.before.rules[asked.after.rule], []
        assert f"rule {asked.after.rule + 1} " in asked.question.text
        named = {}
        for c in np.flatnonzero(rule.kept)[::-1]:
            sign = "≤" if rule.below[c] else ">"
            named[f"{'xy'[rule.feature[c]]} {sign} {number(rule.threshold[c])}"] = c
        for text in texts:
            kept = rule.kept & (
                np.arange(len(rule.kept)) != named[text.removeprefix("the condition ")]
            )
            worth.append(laplace(rule, kept, X, y, K))
        assert f"{max(worth):.3f}" in asked.question.reason
    assert np.argmax(worth) == asked.question.right
    assert sorted(worth)[-2] < max(worth)
    return "rules"


def laplace(rule, kept: np.ndarray, X: np.ndarray, y: np.ndarray, K: int) -> float:
    """Return the estimate of a rule with these conditions."""
    here = np.ones(len(X), bool)
    for c in np.flatnonzero(kept):
        here &= (X[:, rule.feature[c]] <= rule.threshold[c]) == rule.below[c]
    return (np.count_nonzero(y[here] == rule.label) + 1) / (np.count_nonzero(here) + K)


def resample(asked: Asked) -> str:
    """Predict the points with all trees so far."""
    X = asked.X[[asked.nearest(i) for i in range(len(asked.question.options))]]
    says = np.array([step.tree.predict(X) for step in asked.steps[: asked.now + 2]])
    assert np.flatnonzero(says[-1] != says[0]).tolist() == [asked.question.right]
    assert ((says != says[0]).any(axis=0)).sum() == 1
    return "resample"


def id3(asked: Asked) -> str:
    """Find the gains among the examples at the node."""
    here = asked.before.apply(PLAY_TENNIS.examples) == asked.after.node
    rows, labels = PLAY_TENNIS.examples[here], PLAY_TENNIS.labels[here]
    costs = [int(asked.link.get("cost_1", 10)), 1, 2, int(asked.link.get("cost_4", 3))]
    scores = []
    for option in asked.question.options:
        A = PLAY_TENNIS.attributes.index(option.text)
        column = rows[:, A]
        shares = np.unique_counts(column).counts / len(column)
        parts = [mixture(labels[column == value], "entropy") for value in np.unique(column)]
        gain = mixture(labels, "entropy") - np.dot(shares, parts)
        if asked.link["costs"] == "Tan-Schlimmer":
            scores.append(gain**2 / costs[A])
        elif asked.link["costs"] == "Nunez":
            scores.append((2**gain - 1) / np.sqrt(costs[A] + 1))
        else:
            by_ratio = asked.link["ratio"] == "True"
            scores.append(gain / mixture(column, "entropy") if by_ratio else gain)
    assert np.argmax(scores) == asked.question.right and sorted(scores)[-2] < max(scores)
    return "ID3"


def missing(asked: Asked) -> str:
    """Find the gains of the options from the fractions of the days at the node."""
    share, seed = int(asked.link["missing"]) / 100, int(asked.link["gaps"])
    examples = PLAY_TENNIS.examples.copy()
    examples[np.random.default_rng(seed).random(examples.shape) < share] = -1
    w = asked.before.fractions(examples)[asked.after.node]

    def bits(fractions: np.ndarray) -> float:
        sums = np.bincount(PLAY_TENNIS.labels, fractions)
        return sum(-s / sums.sum() * np.log2(s / sums.sum()) for s in sums if s > 0)

    gains = []
    for option in asked.question.options:
        A = PLAY_TENNIS.attributes.index(option.text)
        x, known = examples[:, A], w[examples[:, A] >= 0].sum()
        rest = 0.0
        for v in range(len(PLAY_TENNIS.values[A])):
            part = w * np.where(x < 0, w[x == v].sum() / known, x == v)
            rest += part.sum() / w.sum() * bits(part)
        gains.append(bits(w) - rest)
    assert np.argmax(gains) == asked.question.right and sorted(gains)[-2] < max(gains)
    return "missing"


def mixture(labels: np.ndarray, criterion: str) -> float:
    """Return the impurity, by its definition."""
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
    kinds = {"leaf", "cut", "prune", "rules", "resample", "ID3", "missing"}
    check_judgements("decision_tree", SETTINGS, count, judge, kinds)
