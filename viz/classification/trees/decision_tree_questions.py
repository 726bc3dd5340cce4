"""Which leaf is split next, and by which cut? Which test is cut off?"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.trees.decision_tree import DecisionTreeStep
from algorithms.classification.trees.prune import PruneStep
from algorithms.classification.trees.split import TIE, Split, impurity
from viz.classification.trees.decision_tree import Trees
from viz.core.question import Ask, Option, Place, Question, asking, question
from viz.core.words import counted, number, vector


def ask(shown: Trees[DecisionTreeStep], how: Mapping[str, Any]) -> Ask:
    """Ask for the leaf and for the cut of the next split. how : the parameters of the tree."""
    steps = shown.steps
    splits = {step.node: step for step in steps[1:]}

    def about(now: int, rng: Generator) -> Question | None:
        leaves = [node for node in steps[now].tree.leaves.tolist() if node in splits]
        if rng.random() < 0.4 and (found := _leaf(shown, splits, leaves, steps[now + 1], how)):
            return found
        return _cut(shown, steps[now + 1], how)

    return asking(len(steps), about)


def ask_pruning(shown: Trees[PruneStep]) -> Ask:
    """Ask which test of the tree is cut off next."""

    def about(now: int, _: Generator) -> Question | None:
        before, after = shown.steps[now], shown.steps[now + 1]
        falls = dict(zip(before.candidates.tolist(), before.falls.tolist(), strict=True))
        rest = sorted((u for u in falls if falls[u] < falls[after.node]), key=lambda u: -falls[u])
        if not rest:
            return None
        options = [_named(shown, before, node) for node in (after.node, *rest)]
        effects = [_effect(falls[node]) for node in (after.node, rest[0])]
        reason = f"Without it there are {effects[0]}; without “{options[1].text}”, {effects[1]}."
        return question("Which test is cut off next?", options[0], options[1:], reason)

    return asking(len(shown.steps), about)


def _named(shown: Trees, step: PruneStep, node: int) -> Option:
    """Name a test, and how much of the tree hangs on it."""
    feature, threshold = int(step.tree.feature[node]), float(step.tree.threshold[node])
    points = counted(int(step.tree.counts[node].sum()), "point")
    text = f"{shown.data.names[feature]} ≤ {number(threshold)}, with {points}"
    return Option(text, _middle(shown, node))


def _effect(fall: int) -> str:
    if fall == 0:
        return "as many held-out errors"
    return f"{counted(abs(fall), 'held-out error')} {'fewer' if fall > 0 else 'more'}"


def _cut(shown: Trees, after: DecisionTreeStep, how: Mapping[str, Any]) -> Question | None:
    """Ask for the best cut, among those of the other feature and those in the middle."""
    best, names = after.chosen, shown.data.names
    if best is None:
        return None
    by_ratio = how.get("gain_ratio", False)
    word = "gain ratio" if by_ratio else "gain"
    rivals = [cut for cut in after.candidates if cut.score < best.score - TIE]
    wrong = [_test(shown, after.node, (cut.feature, cut.threshold)) for cut in rivals]
    if not by_ratio:
        middles = _middles(shown, after, best, how.get("criterion", "entropy"))
        wrong += [_test(shown, after.node, middle, near=True) for middle in middles]
    reason = f"Of all cuts of these {counted(sum(best.total), 'point')} it has the best {word}"
    reason += f", {best.score:.3f}"
    if rivals:
        rival = max(rivals, key=lambda cut: cut.score)
        test = f"{names[rival.feature]} ≤ {number(rival.threshold)}"
        reason += f"; the best of the other feature is {test} with {rival.score:.3f}"
    right = _test(shown, after.node, (best.feature, best.threshold))
    text = "How is the box marked ? cut next?"
    return question(text, right, wrong, f"{reason}.", _middle(shown, after.node))


def _middles(
    shown: Trees, after: DecisionTreeStep, best: Split, criterion: str
) -> list[tuple[int, float]]:
    """Give the cuts that halve the points of a node, as far as they are worse than the best."""
    lower, upper = (ends[after.node] for ends in shown.boxes)
    here = ((lower < shown.data.X) & (upper >= shown.data.X)).all(axis=1) & ~shown.held
    X, labels, total = shown.data.X[here], shown.data.labels[here], np.array(best.total)
    found = []
    for feature, threshold in enumerate(np.median(X, axis=0).tolist()):
        below = labels[X[:, feature] <= threshold]
        left = (below[:, None] == after.classes).sum(axis=0)
        if 0 < left.sum() < len(X) and _gain(total, left, criterion) < best.gain - TIE:
            found.append((feature, threshold))
    return found


def _gain(total: ndarray, left: ndarray, criterion: str) -> float:
    """By how much a cut lowers the impurity."""
    parts = [
        counts.sum() / total.sum() * impurity(counts, criterion) for counts in (left, total - left)
    ]
    return impurity(total, criterion) - sum(parts)


def _leaf(
    shown: Trees,
    splits: Mapping[int, DecisionTreeStep],
    leaves: list[int],
    after: DecisionTreeStep,
    how: Mapping[str, Any],
) -> Question | None:
    """Ask which of the leaves that can be split comes first."""
    sizes = {node: int(after.tree.counts[node].sum()) for node in leaves}
    worth = {node: sizes[node] * splits[node].gain for node in leaves}
    rest = sorted((node for node in leaves if node != after.node), key=lambda node: -worth[node])
    if how["order"] == "best first":
        rest = [node for node in rest if worth[node] < 0.99 * worth[after.node]]
    if not rest:
        return None
    if how["order"] == "best first":
        said = [
            f"{sizes[node]} · {splits[node].gain:.3f} = {number(worth[node])}"
            for node in (after.node, rest[0])
        ]
        reason = f"Best first: points times gain is {said[0]} here, and {said[1]} at the next best."
    else:
        reason = "Depth first: the latest leaf comes first, the left one of two."
    options = [_box(shown, node) for node in (after.node, *rest)]
    return question("Which leaf is split next?", options[0], options[1:], reason)


def _box(shown: Trees, node: int) -> Option:
    """Name a leaf by its points."""
    lower, upper = (ends[node] for ends in shown.boxes)
    here = ((lower < shown.data.X) & (upper >= shown.data.X)).all(axis=1) & ~shown.held
    where = vector(shown.data.X[here].mean(axis=0))
    return Option(f"{counted(int(here.sum()), 'point')} around {where}", _middle(shown, node))


def _test(shown: Trees, node: int, cut: tuple[int, float], *, near: bool = False) -> Option:
    """Write a cut, and mark it at the far or the near end of its line, clear of the others."""
    (feature, threshold), (left, right, bottom, top) = cut, shown.frames[node].tolist()
    share = 0.15 if near else 0.85
    across = (0, threshold, bottom + share * (top - bottom))
    up = (0, left + share * (right - left), threshold)
    return Option(f"{shown.data.names[feature]} ≤ {number(threshold)}", (across, up)[feature])


def _middle(shown: Trees, node: int) -> Place:
    left, right, bottom, top = shown.frames[node].tolist()
    return (0, (left + right) / 2, (bottom + top) / 2)
