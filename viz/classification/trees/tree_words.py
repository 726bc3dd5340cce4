"""Words for decision trees: what each step did, and the tree as rules."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from algorithms.classification.trees.decision_tree import DecisionTreeStep, mdl_cost
from algorithms.classification.trees.prune import PruneStep
from algorithms.classification.trees.split import Split, impurity
from algorithms.classification.trees.tree import Tree
from viz.classification.trees import tree_diagram
from viz.core import plane
from viz.core.words import number

Names = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Plane:
    """What the pictures of a tree need besides its steps.

    `axes` and `classes` are names; `probe` is the point whose way through the tree is shown.
    """

    X: ndarray
    y: ndarray
    bounds: plane.Bounds
    axes: tuple[str, str]
    classes: tuple[str, ...]
    probe: ndarray


@dataclass(frozen=True, eq=False)
class Places:
    """Where every node is that the tree has at any step: its box of the plane, and in the diagram.

    `tree` is the tree when it is largest.
    """

    tree: Tree
    lower: ndarray
    upper: ndarray
    diagram: tree_diagram.Layout


def caption(
    data: Plane,
    places: Places,
    criterion: str,
    order: str,
    steps: Sequence[DecisionTreeStep],
    now: int,
) -> str:
    """Say which node was split and why, with the numbers in the gain; and the probe's rule."""
    step, tree, names = steps[now], steps[now].tree, data.axes
    n = int(tree.counts[0].sum())
    cost = sum(mdl_cost(tree, len(names)))
    cut = step.chosen
    if cut is None:
        what = (
            f"Start: one leaf with all {n} points ({_points(tree.counts[0])}) says “"
            f"{data.classes[tree.classes[tree.majority[0]]]}” and is wrong for {tree.errors}."
        )
        why = f"MDL cost {cost} bits. {_ending(steps, now)}".strip()
    else:
        size, left, right = (sum(part) for part in (cut.total, cut.left, cut.right))
        lowers = (
            f", the largest n/N · gain: {size}/{n} · {step.gain:.3f} = {size / n * step.gain:.4f}"
        )
        what = (
            f"Split {names[cut.feature]} ≤ {number(cut.threshold)}: {size} points → {left} + "
            f"{right}"
            f"{lowers if order == 'best first' else ', the next one depth first'}. "
            f"Wrong {steps[now - 1].tree.errors} → {tree.errors}, MDL cost {cost} bits."
        )
        before, low, high = (impurity(c, criterion) for c in (cut.total, cut.left, cut.right))
        why = (
            f"gain = {before:.3f} − {left}/{size} · {low:.3f} − {right}/{size} · {high:.3f} "
            f"= {step.gain:.3f}{_rest(step, cut, names)}{_ending(steps, now) or _fates(step)}"
        )
    return f"{what}\n{why}\n{_probe_rule(tree, data, places)}"


def prune_caption(
    data: Plane, places: Places, n_held: int, steps: Sequence[PruneStep], now: int
) -> str:
    """Say which test was cut off, with the errors before and after; and the probe's rule."""
    step, tree, names = steps[now], steps[now].tree, data.axes
    training = int(tree.counts[0].sum())
    cost = sum(mdl_cost(tree, len(names)))
    wrong = (
        f"Wrong: {step.errors} of {n_held} held-out, {tree.errors} of {training} training points"
    )
    if now == 0:
        what = f"The grown tree: {len(tree.leaves)} leaves. {wrong}; MDL cost {cost} bits."
    else:
        grown = steps[0].tree
        test = f"{names[grown.feature[step.node]]} ≤ {number(grown.threshold[step.node])}"
        before = step.errors + step.fall
        what = (
            f"Cut off {test} and the {step.removed - 2} nodes below its two branches: held-out "
            f"errors {before} − {step.fall} = {step.errors}."
            if step.removed > 2
            else f"Cut off {test}: held-out errors {before} − {step.fall} = {step.errors}."
        )
        what += f" {len(tree.leaves)} leaves are left; MDL cost {cost} bits."
    if len(step.falls) == 0:
        why = "Only the root is left."
    elif step.event == "pruned":
        least = -int(step.falls.max())
        why = f"Pruned: every further cut would add {least} or more held-out errors."
    else:
        lower, level = int((step.falls > 0).sum()), int((step.falls == 0).sum())
        why = (
            f"Next: of {len(step.falls)} tests, {lower} could go with fewer held-out errors, "
            f"{level} with as many."
        )
    middle = why if now == 0 else f"{wrong}. {why}"
    return f"{what}\n{middle}\n{_probe_rule(tree, data, places)}"


def rules(tree: Tree, names: Names, classes: Names) -> str:
    """Write the tree as a disjunction of conjunctions for every class, a leaf a line."""
    lower, upper = tree.boxes(len(names))
    says = tree.classes[tree.majority]
    lines = []
    for label in tree.classes.tolist():
        leaves = [leaf for leaf in tree.leaves.tolist() if says[leaf] == label]
        leaves.sort(key=lambda leaf: -int(tree.counts[leaf].sum()))
        for i, leaf in enumerate(leaves):
            start = f"{classes[label]}  ⇐" if i == 0 else "∨".rjust(len(classes[label]) + 3)
            own, all_ = tree.counts[leaf].max(), tree.counts[leaf].sum()
            lines.append(
                f"{start}  ( {_tests(lower[leaf], upper[leaf], names)} )   {own} of {all_} points"
            )
    return "\n".join(lines)


def _points(counts: ndarray) -> str:
    return " + ".join(str(count) for count in counts.tolist())


def _rest(step: DecisionTreeStep, cut: Split, names: Names) -> str:
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


def _tests(lower: ndarray, upper: ndarray, names: Names) -> str:
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


def _probe_rule(tree: Tree, data: Plane, places: Places) -> str:
    """Write the rule that decides about the probe."""
    leaf = tree.path(data.probe)[-1]
    label, counts = tree.classes[tree.majority[leaf]], tree.counts[leaf]
    tests = _tests(places.lower[leaf], places.upper[leaf], data.axes)
    return (
        f"The picked point: {tests} ⇒ “{data.classes[label]}” "
        f"({counts.max()} of {counts.sum()} points there)."
    )
