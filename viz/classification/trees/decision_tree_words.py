"""Words for decision trees: what each step did, and the tree as rules."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.classification.trees.decision_tree import DecisionTreeStep, mdl_cost
from algorithms.classification.trees.prune import PruneStep
from algorithms.classification.trees.split import Split, impurity
from algorithms.classification.trees.tree import Tree
from viz.classification.trees.decision_tree import Trees
from viz.core.scene import Plane
from viz.core.words import number

NOTE = (
    "Dotted: the box of the node at hand, with its cut. Dashed: the leaf of the picked point, the "
    "cross hair, which you can drag. The features are used as they are: their scale does not "
    "matter."
)


def grow_caption(shown: Trees[DecisionTreeStep], criterion: str, order: str, now: int) -> str:
    """Say which node was split and why, with the numbers in the gain; and the probe's rule."""
    steps, data = shown.steps, shown.data
    step, tree = steps[now], steps[now].tree
    cost = sum(mdl_cost(tree, len(data.names)))
    cut = step.chosen
    if cut is None:
        n, says = int(tree.counts[0].sum()), data.classes[tree.classes[tree.majority[0]]]
        what = (
            f"Start: one leaf with all {n} points ({_points(tree.counts[0])}) says “{says}” and is "
            f"wrong for {tree.errors}."
        )
        why = f"MDL cost {cost} bits. {_ending(steps, now)}".strip()
    else:
        size, left, right = (sum(part) for part in (cut.total, cut.left, cut.right))
        what = (
            f"Split {data.names[cut.feature]} ≤ {number(cut.threshold)}: {size} points → {left} + "
            f"{right}{_turn(step, size, order)}. "
            f"Wrong {steps[now - 1].tree.errors} → {tree.errors}, MDL cost {cost} bits."
        )
        before, low, high = (impurity(c, criterion) for c in (cut.total, cut.left, cut.right))
        why = (
            f"gain = {before:.3f} − {left}/{size} · {low:.3f} − {right}/{size} · {high:.3f} "
            f"= {step.gain:.3f}{_rest(step, cut, data.names)}{_ending(steps, now) or _fates(step)}"
        )
    return f"{what}\n{why}\n{_probe_rule(shown, tree)}"


def prune_caption(shown: Trees[PruneStep], n_held: int, now: int) -> str:
    """Say which test was cut off, with the errors before and after; and the probe's rule."""
    step, tree, names = shown.steps[now], shown.steps[now].tree, shown.data.names
    training = int(tree.counts[0].sum())
    cost = sum(mdl_cost(tree, len(names)))
    wrong = (
        f"Wrong: {step.errors} of {n_held} held-out, {tree.errors} of {training} training points"
    )
    if now == 0:
        what = f"The grown tree: {len(tree.leaves)} leaves. {wrong}; MDL cost {cost} bits."
    else:
        grown = shown.whole
        test = f"{names[grown.feature[step.node]]} ≤ {number(grown.threshold[step.node])}"
        below = step.removed - 2
        gone = f"{test} and the {below} nodes below its two branches" if below else test
        what = (
            f"Cut off {gone}: held-out errors {step.errors + step.fall} − {step.fall} = "
            f"{step.errors}. {len(tree.leaves)} leaves are left; MDL cost {cost} bits."
        )
    why = _next(step) if now == 0 else f"{wrong}. {_next(step)}"
    return f"{what}\n{why}\n{_probe_rule(shown, tree)}"


def _next(step: PruneStep) -> str:
    """Say what cutting further would do to the held-out errors."""
    if len(step.falls) == 0:
        return "Only the root is left."
    if step.event == "pruned":
        least = -int(step.falls.max())
        return f"Pruned: every further cut would add {least} or more held-out errors."
    lower, level = int((step.falls > 0).sum()), int((step.falls == 0).sum())
    return (
        f"Next: of {len(step.falls)} tests, {lower} could go with fewer held-out errors, "
        f"{level} with as many."
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
            lines.append(f"{start}  ( {tests} )   {own} of {every} points")
    return "\n".join(lines)


def _points(counts: ndarray) -> str:
    return " + ".join(str(count) for count in counts.tolist())


def _turn(step: DecisionTreeStep, size: int, order: str) -> str:
    """Say why it was this leaf's turn."""
    if order != "best first":
        return ", the next one depth first"
    n = int(step.tree.counts[0].sum())
    return f", the largest n/N · gain: {size}/{n} · {step.gain:.3f} = {size / n * step.gain:.4f}"


def _rest(step: DecisionTreeStep, cut: Split, names: Sequence[str]) -> str:
    """Compare with the other features' best cuts, by what they are compared by."""
    others = [
        f"{names[c.feature]} ≤ {number(c.threshold)} only {c.gain:.3f}" if c.gain < cut.gain
        else f"{names[c.feature]} ≤ {number(c.threshold)} {c.gain:.3f}"
        for c in step.candidates if c is not cut
    ]  # fmt: skip
    ratio = f", ratio {cut.score:.3f}" if cut.score != cut.gain else ""
    return ratio + (f"; {', '.join(others)}." if others else "; no other feature can be cut.")


_REASONS = {
    "pure": "pure",
    "max_depth": "as deep as allowed",
    "min_samples_leaf": "with too few or only equal points to cut",
    "min_gain": "no cut gains enough",
    "significance": "no cut is significant",
}


def _fates(step: DecisionTreeStep) -> str:
    """Say what becomes of the two new leaves."""
    texts = [_REASONS.get(fate, "open") for fate in step.fates]
    gain = " No gain: it only prepares the next split." if step.event == "no gain" else ""
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


def _probe_rule(shown: Trees, tree: Tree) -> str:
    """Write the rule that decides about the probe."""
    leaf = tree.path(shown.probe)[-1]
    label, counts = tree.classes[tree.majority[leaf]], tree.counts[leaf]
    lower, upper = shown.boxes
    return (
        f"The picked point: {_tests(lower[leaf], upper[leaf], shown.data.names)} ⇒ "
        f"“{shown.data.classes[label]}” ({counts.max()} of {counts.sum()} points there)."
    )
