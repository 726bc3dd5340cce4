"""Questions about the next split: which leaf is split, and by which cut?"""

from collections.abc import Sequence

from numpy.random import Generator

from algorithms.classification.decision_tree.cuts import cuts_in_the_middle
from algorithms.classification.decision_tree.decision_tree import DecisionTreeStep
from algorithms.classification.decision_tree.rules import Rules
from algorithms.classification.decision_tree.split import TIE
from viz.classification.decision_tree.marks import Boxes, test
from viz.core.question import Option, Question, question
from viz.core.words import counted, number, vector


def ask(
    boxes: Boxes, steps: Sequence[DecisionTreeStep], how: Rules, now: int, rng: Generator
) -> Question | None:
    """Ask for the leaf or for the cut of the next split. how : the rules of the tree."""
    if rng.random() < 0.4 and (found := _leaf(boxes, steps, how, now)):
        return found
    return _cut(boxes, steps[now + 1], how)


def _cut(boxes: Boxes, after: DecisionTreeStep, how: Rules) -> Question | None:
    """Ask for the best cut; wrong options are cuts of the other feature and in the middle."""
    best, names = after.chosen, boxes.data.names
    if best is None:
        return None
    rivals = [cut for cut in after.candidates if cut.score < best.score - TIE]
    wrong = [_marked(boxes, after.node, cut.feature, cut.threshold) for cut in rivals]
    if not how.gain_ratio:
        X, y = boxes.data.X[~boxes.held], boxes.data.labels[~boxes.held]
        for middle in cuts_in_the_middle(after, X, y, how):
            if middle.gain < best.gain - TIE:
                place = middle.feature, middle.threshold
                wrong.append(_marked(boxes, after.node, *place, near=True))
    word = "gain ratio" if how.gain_ratio else "gain"
    reason = f"Among all cuts of these {counted(sum(best.total), 'point')} it has the best {word}"
    reason += f", {best.score:.3f}"
    if rivals:
        rival = max(rivals, key=lambda cut: cut.score)
        asked = test(names, rival.feature, rival.threshold)
        reason += f"; the best of the other feature is {asked} with {rival.score:.3f}"
    right = _marked(boxes, after.node, best.feature, best.threshold)
    text = "How is the box marked ? cut next?"
    return question(text, right, wrong, f"{reason}.", boxes.middle(after.node))


def _leaf(boxes: Boxes, steps: Sequence[DecisionTreeStep], how: Rules, now: int) -> Question | None:
    """Ask which of the leaves that can be split comes first."""
    splits, after = {step.node: step for step in steps[now + 1 :]}, steps[now + 1]
    leaves = [node for node in steps[now].tree.leaves.tolist() if node in splits]
    sizes = {node: int(after.tree.counts[node].sum()) for node in leaves}
    worth = {node: sizes[node] * splits[node].gain for node in leaves}
    rest = sorted((node for node in leaves if node != after.node), key=lambda node: -worth[node])
    best_first = how.order == "best first"
    if best_first:
        rest = [node for node in rest if worth[node] < 0.99 * worth[after.node]]
    if not rest:
        return None
    reason = "Depth first: the latest leaf comes first, the left one of two."
    if best_first:
        said = [
            f"{sizes[node]} · {splits[node].gain:.3f} = {number(worth[node])}"
            for node in (after.node, rest[0])
        ]
        reason = f"Best first: points times gain is {said[0]} here, and {said[1]} at the next best."
    options = [_box(boxes, after, node) for node in (after.node, *rest)]
    return question("Which leaf is split next?", options[0], options[1:], reason)


def _box(boxes: Boxes, after: DecisionTreeStep, node: int) -> Option:
    """Return a description of a leaf by its points."""
    X = boxes.data.X[after.tree.passes(node, boxes.data.X) & ~boxes.held]
    where = vector(X.mean(axis=0))
    return Option(f"{counted(len(X), 'point')} around {where}", boxes.middle(node))


def _marked(
    boxes: Boxes, node: int, feature: int, threshold: float, *, near: bool = False
) -> Option:
    """Write a cut, and mark it at the near or far end of its line, away from the other marks."""
    left, right, bottom, top = boxes.frames[node].tolist()
    share = 0.15 if near else 0.85
    across = (0, threshold, bottom + share * (top - bottom))
    up = (0, left + share * (right - left), threshold)
    return Option(test(boxes.data.names, feature, threshold), (across, up)[feature])
