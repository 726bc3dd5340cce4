"""Words for decision trees: what each step did, and the tree as rules."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from algorithms.classification.trees.decision_tree import DecisionTreeStep, mdl_cost
from algorithms.classification.trees.prune import PruneStep
from algorithms.classification.trees.split import Split, impurity
from algorithms.classification.trees.tree import Tree
from viz.classification.trees.decision_tree import Trees
from viz.core.scene import Plane
from viz.core.words import counted, number

_NOTE = (
    "On the picture: dotted, the box of the node at hand, with its cut; dashed, the leaf of the "
    "picked point, the cross hair, which you can drag; a thick outline: wrong. In the tree: up "
    "where the test holds; the bold line is the picked point's way. The features are used as they "
    "are: their scale does not matter."
)
GROWING = " A ring in the tree: a leaf that will be split."
PRUNING = " Dotted curves: while the tree grew."
_HELD_OUT = (
    " Points with a white dot are held out, drawn at random: the tree does not grow on them, they "
    "only test it."
)


def note(held: ndarray, mode: str) -> str:
    """Say what the lines mean, and the dots if there are any. mode : GROWING or PRUNING."""
    return _NOTE + mode + (_HELD_OUT if held.any() else "")


def grow_caption(
    shown: Trees[DecisionTreeStep], how: Mapping[str, Any], sizes: ndarray, now: int
) -> str:
    """Say what was split, put the numbers into the gain, say what comes next; and the query's rule.

    how : the parameters of `decision_tree`. sizes : a row per step: leaves, training errors,
    held-out errors, MDL cost.
    """
    step = shown.steps[now]
    plainly = f"{_plainly(shown, step)}; {_wrong(shown, sizes, now)}."
    if step.chosen is None:
        start = _start(shown, now) + _test(step, how)
        return f"{plainly}\n{start}\n{_query_rule(shown, step.tree)}"
    turn = "" if step.by_hand else _turn(step, how["order"])
    rule = _gain(step, step.chosen, shown.data.names, how["criterion"]) + turn
    ending = _ending(shown.steps, now) or _fates(step)
    after = f"{ending}{_test(step, how)} Description length: {sizes[now, 3]} bits."
    return f"{plainly}\n{rule}\n{after.strip()}\n{_query_rule(shown, step.tree)}"


def _plainly(shown: Trees[DecisionTreeStep], step: DecisionTreeStep) -> str:
    """Say in one sentence what is asked of how many points."""
    tree, cut, data = step.tree, step.chosen, shown.data
    if cut is None:
        says = data.classes[tree.classes[tree.majority[0]]]
        return f"One leaf with all {tree.counts[0].sum()} points says “{says}”"
    size, left, right = (sum(part) for part in (cut.total, cut.left, cut.right))
    test = f"{data.names[cut.feature]} ≤ {number(cut.threshold)}"
    by_hand = ", by hand" if step.by_hand else ""
    return f"Split {len(tree.inner)}{by_hand}: {test} parts {size} points into {left} and {right}"


def _wrong(shown: Trees, sizes: ndarray, now: int) -> str:
    """Count the errors, and say what they were one step before."""
    training, held = np.bincount(shown.held, minlength=2).tolist()
    before = f" (before: {sizes[now - 1, 1]})" if now else ""
    verb = "is" if sizes[now, 1] == 1 else "are"
    text = f"{sizes[now, 1] or 'none'} of {training} {verb} wrong{before}"
    if not held:
        return text
    before = f" ({sizes[now - 1, 2]})" if now else ""
    return f"{text}, and {sizes[now, 2] or 'none'} of {held} held out{before}"


def _start(shown: Trees[DecisionTreeStep], now: int) -> str:
    """Say how mixed the root is, and where the run ends if it ends there."""
    step = shown.steps[now]
    ending = _ending(shown.steps, now) or " The best of all cuts comes first."
    return f"Points by class: {_points(step.tree.counts[0])}.{ending}"


def _gain(step: DecisionTreeStep, cut: Split, names: Sequence[str], criterion: str) -> str:
    """Put the numbers into the gain, and compare with the other features' best cuts."""
    size, left, right = (sum(part) for part in (cut.total, cut.left, cut.right))
    before, low, high = (impurity(c, criterion) for c in (cut.total, cut.left, cut.right))
    ratio = f", ratio {cut.score:.3f}" if cut.score != cut.gain else ""
    others = [
        f"{names[c.feature]} ≤ {number(c.threshold)} {'only' if c.gain < cut.gain else 'gains'} "
        f"{c.gain:.3f}"
        for c in step.candidates if c is not cut
    ]  # fmt: skip
    return (
        f"gain = {before:.3f} − {left}/{size} · {low:.3f} − {right}/{size} · {high:.3f} "
        f"= {step.gain:.3f}{ratio}; {', '.join(others) or 'no other feature can be cut'}."
    )


def prune_caption(shown: Trees[PruneStep], now: int) -> str:
    """Say which test was cut off, with the errors before and after; and the query's rule."""
    step, tree, names = shown.steps[now], shown.steps[now].tree, shown.data.names
    training, n_held = np.bincount(shown.held, minlength=2).tolist()
    if now == 0:
        what = (
            f"The grown tree has {_leaves(tree)} and gets {step.errors} of {n_held} held-out "
            "points wrong."
        )
        rule = ""
    else:
        grown = shown.whole
        test = f"{names[grown.feature[step.node]]} ≤ {number(grown.threshold[step.node])}"
        below = step.removed - 2
        gone = f"{test} and the {below} nodes below its branches" if below else test
        to = f"fall from {step.errors + step.fall} to" if step.fall else "stay at"
        verb = "is" if len(tree.leaves) == 1 else "are"
        what = (
            f"Cut off {gone}: {_leaves(tree)} {verb} left, and the held-out errors {to} "
            f"{step.errors}."
        )
        rule = f"The largest E(u) − E₀(u), as it stands minus as a leaf, was {step.fall}. "
    cost = sum(mdl_cost(tree, len(names)))
    rule += f"Training errors: {tree.errors} of {training}. Description length: {cost} bits."
    return f"{what}\n{rule}\n{_next(step)}\n{_query_rule(shown, tree)}"


def _leaves(tree: Tree) -> str:
    return "1 leaf" if len(tree.leaves) == 1 else f"{len(tree.leaves)} leaves"


def _next(step: PruneStep) -> str:
    """Say what cutting further would do to the held-out errors."""
    if len(step.falls) == 0:
        return "Only the root is left."
    if step.event == "pruned":
        least = -int(step.falls.max())
        return f"Pruned: every further cut would add {least} or more held-out errors."
    lower, level = int((step.falls > 0).sum()), int((step.falls == 0).sum())
    return (
        f"Next: of {counted(len(step.falls), 'test')}, {lower} could go with fewer held-out "
        f"errors, {level} with as many."
    )


def rules(tree: Tree, data: Plane) -> str:
    """Write the tree as a disjunction of conjunctions for every class, a leaf a line."""
    lower, upper = tree.boxes(len(data.names))
    says = tree.classes[tree.majority]
    lines = []
    for label in tree.classes.tolist():
        called = data.classes[label]
        leaves = [leaf for leaf in tree.leaves.tolist() if says[leaf] == label]
        leaves.sort(key=lambda leaf: -int(tree.counts[leaf].sum()))
        for i, leaf in enumerate(leaves):
            start = f"{called}  ⇐" if i == 0 else "∨".rjust(len(called) + 3)
            tests = _tests(lower[leaf], upper[leaf], data.names)
            own, every = tree.counts[leaf].max(), tree.counts[leaf].sum()
            lines.append(f"{start}  ( {tests} )   {own} of {counted(int(every), 'point')}")
    return "\n".join(lines)


def _points(counts: ndarray) -> str:
    return " + ".join(str(count) for count in counts.tolist())


def _turn(step: DecisionTreeStep, order: str) -> str:
    """Say why it was this leaf's turn."""
    if order != "best first":
        return " Depth first: the latest leaf."
    n, size = int(step.tree.counts[0].sum()), int(step.tree.counts[step.node].sum())
    return f" Best first: n/N · gain = {size}/{n} · {step.gain:.3f} = {size / n * step.gain:.4f}."


def _test(step: DecisionTreeStep, how: Mapping[str, Any]) -> str:
    """Compare the cut's P with the level, if there is a test; at the start the likeliest cut's."""
    level, tried = how["significance"], sum(cut.tried for cut in step.candidates)
    if level == 1 or not tried:
        return ""
    cut = step.chosen or min(step.candidates, key=lambda cut: cut.p_value)
    p = cut.p_value * (tried if how["corrected"] else 1)
    text = f"P = {number(cut.p_value, 2)}"
    if how["corrected"]:
        text += f", times {tried} cuts {number(p, 2)},"
    return f" Chi-square: {text} {'≤' if p <= level else '>'} α = {level:g}."


_REASONS = {
    "pure": "pure",
    "max_depth": "as deep as allowed",
    "min_samples_leaf": "with too few or only equal points to cut",
    "min_gain": "without a cut that gains enough",
    "significance": "without a significant cut",
}


def _fates(step: DecisionTreeStep) -> str:
    """Say what becomes of the two new leaves."""
    texts = [_REASONS.get(fate, "open") for fate in step.fates]
    gain = ""
    if step.event == "no gain":
        prepares = "open" in step.fates
        gain = " No gain: it only prepares the next split." if prepares else " No gain."
    if texts[0] == texts[1]:
        return f"{gain} Both leaves: {texts[0]}."
    return f"{gain} Left leaf: {texts[0]}; right: {texts[1]}."


def _ending(steps: Sequence[DecisionTreeStep], now: int) -> str:
    """Say how it ended, and what keeps the mixed leaves."""
    if steps[now].event == "pure":
        return " Done: every leaf is pure."
    if steps[now].event != "stopped":
        return ""
    fates = Counter(fate for step in steps for fate in step.fates if fate not in ("open", "pure"))
    listed = "; ".join(f"{count} {_REASONS[fate]}" for fate, count in fates.most_common())
    return f" Stopped; mixed leaves remain: {listed}."


def _tests(lower: ndarray, upper: ndarray, names: Sequence[str]) -> str:
    """Write the tests on the way to a node with this box, those of one feature put together."""
    texts = []
    for name, low, high in zip(names, lower, upper, strict=True):
        if np.isfinite(low) and np.isfinite(high):
            texts.append(f"{number(low)} < {name} ≤ {number(high)}")
        elif np.isfinite(high):
            texts.append(f"{name} ≤ {number(high)}")
        elif np.isfinite(low):
            texts.append(f"{name} > {number(low)}")
    return " ∧ ".join(texts) or "always"


def _query_rule(shown: Trees, tree: Tree) -> str:
    """Write the rule that decides about the picked point."""
    leaf = tree.path(shown.query)[-1]
    label, counts = tree.classes[tree.majority[leaf]], tree.counts[leaf]
    lower, upper = shown.boxes
    points = counted(int(counts.sum()), "point")
    return (
        f"The picked point: {_tests(lower[leaf], upper[leaf], shown.data.names)} ⇒ "
        f"“{shown.data.classes[label]}” ({counts.max()} of {points} there)."
    )
