"""The modes of the lab; its lesson is decision_tree.md."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from algorithms.classification.decision_tree import decision_tree as growing
from algorithms.classification.decision_tree import id3 as asking
from algorithms.classification.decision_tree import missing_values as gaps
from algorithms.classification.decision_tree import prune as pruning
from algorithms.classification.decision_tree import resampled_trees as resampling
from algorithms.classification.decision_tree import rule_post_pruning as ruling
from algorithms.classification.decision_tree.criterion import FORMULAS, NUNEZ, Criterion
from algorithms.classification.decision_tree.cuts import nearest_cut
from algorithms.classification.decision_tree.play_tennis import PLAY_TENNIS
from algorithms.classification.decision_tree.rules import Rules
from algorithms.core.iterate import resumed
from algorithms.core.splits import held_out
from pages._shared.ask.place import picked_place
from pages._shared.ask.split import split_rng
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.lab.what_if import Ways, what_if
from viz.classification.decision_tree.decision_tree import Growing
from viz.classification.decision_tree.id3 import Asking
from viz.classification.decision_tree.marks import condition, test
from viz.classification.decision_tree.missing_values import Fractions
from viz.classification.decision_tree.prune import Pruning
from viz.classification.decision_tree.resampled_trees import Resampling
from viz.classification.decision_tree.rule_post_pruning import RulePruning
from viz.core.scene import Plane, Run

COSTS = (10, 1, 2, 3)  # of the attributes of PLAY_TENNIS, as the sliders have them first
LEVELS = [0.0001, 0.001, 0.01, 0.05, 0.1, 1.0]


def grow(lab: Lab) -> Shown:
    """Split leaf after leaf, on all points or on those that are not held out."""
    data, how = lab.plane, how_to_cut(lab)
    how["order"] = lab.buttons("order", "Order", ["best first", "depth first"], "best first")
    how["max_depth"] = lab.slider("depth", "Depth at most", 1, 8, 5)
    how |= when_to_stop(lab)
    held = points_held_out(lab, 0, 0)
    X, y, query = data.X[~held], data.labels[~held], picked_point(lab)
    rules = Rules(**how)
    run = lab.run(growing.decision_tree, X, y, **how)

    def show(run: Run, data: Plane) -> Shown:
        return lab.scene(Growing, run, data, query, held, rules, code=growing)

    def cut_elsewhere(ways: Ways, step: int) -> Run:
        near = another_cut(ways, run.steps[step])
        split = run.steps[step]
        cut = nearest_cut(split.tree, split.node, X, near, rules.min_samples_leaf)
        by_hand = partial(growing.by_hand, X, y, rules, cut)
        advance = partial(growing.advance, X, y, rules)
        return lab.run(resumed, run, step, by_hand, advance, most=len(X))

    return what_if(lab, run, show, cut_elsewhere)


def another_cut(ways: Ways, split: growing.DecisionTreeStep) -> tuple[int, float]:
    """Ask for another cut of the leaf: the feature, and the threshold as a line on the picture.

    split : the step that splits it. The first choice is the best cut of another feature, if there
    is one.
    """
    best = {cut.feature: cut.threshold for cut in split.candidates}
    names, chosen = ways.plane.names, split.tree.feature[split.node]
    others = [feature for feature in best if feature != chosen]
    row = ways.place.container(horizontal=True, vertical_alignment="center", gap="small")
    row.markdown("Cut along", width="content")
    feature = ways.within(row).buttons(
        "feature", "Cut along", list(best), [*others, int(chosen)][0],
        format_func=lambda j: names[j], label_visibility="collapsed",
    )  # fmt: skip
    place = split.tree.middle(split.node, ways.plane.bounds)
    place[feature] = best[feature]
    along = "y" if feature else "x"
    cut = ways.places("cut", "The cut", place[None], look="line", along=along)
    return feature, float(cut[0, feature])


def prune(lab: Lab) -> Shown:
    """Grow a tree on some of the points, then cut it back on the others."""
    data, how = lab.plane, how_to_cut(lab)
    how["max_depth"] = lab.slider("grown", "Depth of the grown tree at most", 1, 10, 10)
    how |= when_to_stop(lab)
    held, query = points_held_out(lab, 10, 40), picked_point(lab, across=0.2)
    run = grown = lab.run(growing.decision_tree, data.X[~held], data.labels[~held], **how)
    if not grown.error:
        run = lab.run(pruning.prune, grown.steps[-1].tree, data.X[held], data.labels[held])

    def show(run: Run, data: Plane) -> Shown:
        return lab.scene(Pruning, run, data, query, held, grown, code=pruning)

    def cut_elsewhere(ways: Ways, step: int) -> Run:
        by_hand = partial(pruning.by_hand, another_test(ways, run.steps, step))
        return lab.run(resumed, run, step, by_hand, pruning.advance, most=len(data.X))

    return what_if(lab, run, show, cut_elsewhere)


def another_test(ways: Ways, steps: Sequence[pruning.PruneStep], at: int) -> int:
    """Ask which test is cut off instead; the first choice is the largest branch below the root."""
    tree, names = steps[at - 1].tree, ways.plane.names
    tests = [int(node) for node in tree.inner if node != steps[at].node] or [steps[at].node]
    sizes = pruning.branch_sizes(tree)
    largest = max(tests, key=lambda node: (node > 0, sizes[node]))
    asked = {str(node): test(names, *tree.test(node)) for node in tests}
    points = tree.counts.sum(axis=1)
    chosen = ways.choice(
        "test", "Test to cut off", list(asked), str(largest),
        format_func=lambda node: f"{asked[node]}, with {points[int(node)]} points",
    )  # fmt: skip
    return int(chosen)


def rules(lab: Lab) -> Shown:
    """Read a grown tree as rules, and remove their conditions on the other points."""
    data, how = lab.plane, how_to_cut(lab)
    how["max_depth"] = lab.slider("depth", "Depth at most", 1, 8, 5)
    how["min_samples_leaf"] = fewest_in_a_leaf(lab)
    held, query = points_held_out(lab, 10, 40), picked_point(lab)
    X, y = data.X[held], data.labels[held]
    run = pruned = lab.run(growing.decision_tree, data.X[~held], data.labels[~held], **how)
    if not run.error:
        tree = run.steps[-1].tree
        run = lab.run(ruling.rule_post_pruning, tree, X, y)
        pruned = lab.run(pruning.prune, tree, X, y)

    def show(run: Run, data: Plane) -> Shown:
        return lab.scene(RulePruning, run, data, query, held, pruned, code=ruling)

    def remove_another(ways: Ways, step: int) -> Run:
        chosen = another_condition(ways, run.steps, step)
        by_hand, advance = partial(ruling.by_hand, X, y, chosen), partial(ruling.advance, X, y)
        most = run.steps[0].conditions + 1
        return lab.run(resumed, run, step, by_hand, advance, most=most)

    return what_if(lab, run, show, remove_another)


def another_condition(ways: Ways, steps: Sequence[ruling.RulesStep], at: int) -> tuple[int, int]:
    """Ask which condition a rule loses instead; instead of sorting, any rule can lose one."""
    before, step, names = steps[at - 1], steps[at], ways.plane.names
    turns = [step.rule] if step.rule >= 0 else range(len(before.rules))
    asked = {
        f"{r},{c}": f"rule {r + 1}: {condition(names, before.rules[r], c)}"
        for r in turns
        for c in np.flatnonzero(before.rules[r].kept).tolist()
        if (r, c) != (step.rule, step.removed)
    } or {f"{step.rule},{step.removed}": "no other one"}
    chosen = ways.choice(
        "condition", "Condition to remove", list(asked), next(iter(asked)),
        format_func=lambda pair: asked[pair],
    )  # fmt: skip
    rule, c = map(int, chosen.split(","))
    return rule, c


def resample(lab: Lab) -> Shown:
    """Grow a tree on one resample of the points after the other."""
    data, how = lab.plane, how_to_cut(lab)
    how["max_depth"] = lab.slider("depth", "Depth at most", 1, 8, 5)
    how["min_samples_leaf"] = fewest_in_a_leaf(lab)
    resamples = lab.slider("resamples", "Resamples", 1, 30, 20)
    rng = seeded(lab, "The resamples that are drawn.")
    run = lab.run(
        resampling.resampled_trees, data.X, data.labels,
        resamples=resamples, rng=rng, growing=how,
    )  # fmt: skip
    return lab.scene(Resampling, run, data, picked_point(lab), code=resampling)


def ask(lab: Lab) -> Shown:
    """Ask about categories (ID3); the points on the board are not used."""
    how = how_to_compare(lab)
    day = lab.slider("day", "Day to follow", 1, len(PLAY_TENNIS.labels), 1)
    run = lab.run_apart(asking.id3, PLAY_TENNIS, **how)
    plain = lab.run_apart(asking.id3, PLAY_TENNIS)
    compared = Criterion(how["criterion"], how["costs"], how["w"])
    return lab.scene(Asking, run, PLAY_TENNIS, day, compared, plain, code=asking)


def how_to_compare(lab: Lab) -> dict[str, Any]:
    """Ask how questions are compared, and for what they cost if that counts."""
    name = lab.choice(
        "costs", "Costs of the questions", ["do not count", *FORMULAS], "do not count",
        format_func=lambda name: FORMULAS.get(name, name),
    )  # fmt: skip
    if name not in FORMULAS:
        ratio = by_gain_ratio(lab)
        return {"criterion": "gain ratio" if ratio else "gain", "costs": (), "w": 1.0}
    w = lab.slider("w", "How much costs count, w", 0.0, 1.0, 0.5, 0.1) if name == NUNEZ else 1.0
    costs = [
        lab.slider(f"cost_{A}", f"Cost of the {attribute.lower()}", 1, 20, default)
        for A, (attribute, default) in enumerate(zip(PLAY_TENNIS.attributes, COSTS, strict=True), 1)
    ]
    return {"criterion": name, "costs": tuple(map(float, costs)), "w": w}


def ask_with_gaps(lab: Lab) -> Shown:
    """Ask about categories of which some are missing; the points on the board are not used."""
    share = lab.slider("missing", "Missing values, %", 0, 40, 10)
    seed = lab.number("gaps", "Seed", 0, 9999, 1, help="Which values are missing.")
    day = lab.slider("day", "Day to follow", 1, len(PLAY_TENNIS.labels), 10)
    missing = gaps.removed(PLAY_TENNIS, share / 100, rng=np.random.default_rng(seed))
    run = lab.run_apart(gaps.id3_with_missing_values, PLAY_TENNIS, missing)
    return lab.scene(Fractions, run, PLAY_TENNIS, missing, day, code=gaps)


def by_gain_ratio(lab: Lab) -> bool:
    """Ask whether cuts or questions are compared by gain or by gain ratio."""
    return lab.toggle("ratio", "Compare by gain ratio", False)


def how_to_cut(lab: Lab) -> dict[str, Any]:
    """Ask for the measure of the best cut."""
    return {
        "gain_ratio": by_gain_ratio(lab),
        "criterion": lab.buttons("criterion", "Impurity", ["entropy", "gini", "error"], "entropy"),
    }


def when_to_stop(lab: Lab) -> dict[str, Any]:
    """Ask for the rules, other than the depth, by which a leaf stays a leaf."""
    least, gain = fewest_in_a_leaf(lab), lab.slider("gain", "Gain at least", 0.0, 0.5, 0.0, 0.01)
    level = lab.log_slider("alpha", "Significance α (1: always split)", LEVELS, 1.0)
    shared = level < 1 and lab.toggle("corrected", "Share α among the cuts tried", False)
    return {
        "min_samples_leaf": least,
        "min_gain": gain,
        "significance": level,
        "corrected": shared,
    }


def fewest_in_a_leaf(lab: Lab) -> int:
    """Ask for the smallest number of points in a leaf."""
    return lab.slider("leaf", "Points in a leaf at least", 1, 50, 1)


def points_held_out(lab: Lab, least: int, default: int) -> np.ndarray:
    """Ask which share of the points is held out, and draw which; every class keeps a point."""
    y = lab.plane.labels
    share = lab.slider("held", "Held-out points, about %", least, 60, default)
    if share == 0:
        return np.zeros(len(y), bool)
    return held_out(len(y), share / 100, rng=seeded(lab, "Which points are held out."), codes=y)


def seeded(lab: Lab, draws: str) -> np.random.Generator:
    """Ask for a seed and return its generator. draws : what the seed decides."""
    return split_rng(lab.number("seed", "Seed", 0, 9999, 0, help=draws))


def picked_point(lab: Lab, across: float = 0.6) -> np.ndarray:
    """Return the point whose path is shown; by default near the bottom, where few others are."""
    return picked_place(lab, across=across, up=0.12, before="probe")


MODES = {
    "Grow": grow,
    "Prune": prune,
    "Rules": rules,
    "Resample": resample,
    "ID3": ask,
    "Missing": ask_with_gaps,
}

BLURRED = {"data": "moons", "n": 100, "noise": 0.6}  # the grown tree learns noise, pruning helps
OPENS_ON = {mode: {"data": "moons", "noise": 0.3} for mode in MODES} | {"Prune": BLURRED}

if __name__ == "__main__":
    open_lab(__file__, data=OPENS_ON).show(MODES)
