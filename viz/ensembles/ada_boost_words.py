"""Words for AdaBoost: what each round did, and the vote tree by tree."""

from collections.abc import Sequence

from algorithms.ensembles.ada_boost import AdaBoostStep
from algorithms.ensembles.weighted_tree import WeightedTree
from viz.core.scene import Plane
from viz.core.words import decimal, number
from viz.ensembles.ada_boost import Boosted

NOTE = (
    "The area of a point is its weight (drawn from 1/6 of the mean weight to 16 times); the shade "
    "tells how sure the vote is. The dashed line is the border of this round's tree, between the "
    "colours it says, the thin line that of the vote. A thick outline: this tree is wrong. A "
    "cross: the vote is. The cross hair, which you can drag, picks a point; its bars are the "
    "trees' votes α h, in the colour of the class they say, the line is their sum F so far. Step 0 "
    "is round 1."
)
HELD_OUT = (
    " The small pale points are held out: drawn at random, each by itself, they have no weight and "
    "only test the vote."
)


def caption(shown: Boosted, now: int) -> str:
    """Say what round `now` + 1 did, put its numbers into the rule, and say how good the vote is."""
    plainly = f"Round {now + 1}: {_plainly(shown, now)}"
    standing = f"{_standing(shown, now)}\n{_query(shown, now)}"
    return f"{plainly}\n{_rule(shown.steps[now])}\n{standing}"


def _plainly(shown: Boosted, now: int) -> str:
    """Say in one sentence what the round's tree and the vote get wrong, or how the run ends."""
    step = shown.steps[now]
    n, missed, tree = len(step.weights), int(step.wrong.sum()), _learner(step, shown.data)
    if step.event == "perfect learner":
        return f"{tree} gets none of {_points(n)} wrong: it alone decides, and the run ends."
    if step.event == "no better than chance":
        return (
            f"{tree} gets {missed} of {_points(n)} wrong, half of the weight, which is no better "
            "than chance: it has no vote, and the run ends."
        )
    if now == 0:
        return f"all {_points(n)} weigh the same, and {tree} gets {missed} of them wrong."
    together = "both" if now == 1 else f"all {now + 1}"
    wrong = round(step.training_error * n) or "none"
    first = ", for the first time" if step.event == "training error 0" else ""
    return (
        f"{tree} gets {_points(missed)} wrong, {_percent(step.error)} of the weight; "
        f"the vote of {together} gets {wrong} of {n} wrong{first}."
    )


def _learner(step: AdaBoostStep, data: Plane) -> str:
    """Name the round's tree: a stump by its test, others by their size."""
    tree = step.tree
    tests = len(tree.tests)
    if tests == 1:
        name = f"the stump {_test(tree, 0, data)}"
    else:
        name = f"a tree of {tests} tests" if tests else "a tree without a test"
    # The last node is a leaf: children come after their parents.
    return f"{name} (“{_says(step, data, tree.says[-1])}” either way)" if tree.constant else name


def _rule(step: AdaBoostStep) -> str:
    """Put the round's error into alpha and the new weights."""
    error, missed, n = step.error, int(step.wrong.sum()), len(step.weights)
    if step.event == "perfect learner":
        return (
            "ε = 0: α = ½ ln((1 − ε)/ε) would be infinite. It is set to 1 more than all α before "
            f"it together, {decimal(step.alpha)}, and there are no weights to raise."
        )
    if step.event == "no better than chance":
        return "ε = ½: α = ½ ln((1 − ε)/ε) = ½ ln 1 = 0, and the weights would stay as they are."
    wrong, right = (decimal(1 / (2 * share)) for share in (error, 1 - error))
    return (
        f"ε = {decimal(error)}: α = ½ ln((1 − ε)/ε) = ½ ln({decimal(1 - error)}/{decimal(error)}) "
        f"= {decimal(step.alpha)}. Next weights: {missed} wrong × 1/(2ε) = {wrong}, "
        f"{n - missed} right × 1/(2(1 − ε)) = {right}."
    )


def _standing(shown: Boosted, now: int) -> str:
    """Say how good the vote is, and how sure."""
    step, held = shown.steps[now], shown.sums.held_out_error
    text = (
        f"Training error {_percent(step.training_error)} ≤ Π 2√(ε(1 − ε)) = {_percent(step.bound)}"
    )
    if held is not None:
        text += f"; held out {_percent(held[now])} of {_points(int(shown.held.sum()))} wrong"
    return f"{text}; smallest margin {decimal(shown.sums.smallest_margin[now])}."


def _query(shown: Boosted, now: int) -> str:
    """Add up the votes on the picked point."""
    step, votes = shown.steps[now], shown.votes[: now + 1]
    first, second = (shown.data.classes[int(k)] for k in step.classes)
    against, by = votes < 0, votes > 0
    F = float(votes.cumsum()[-1])
    sign, winner = (">", second) if F > 0 else ("≤", first)
    plus, minus = (decimal(float(abs(votes[part].sum()))) for part in (by, against))
    return (
        f"The picked point: {by.sum()} for “{second}”, Σα = {plus}; {against.sum()} for “{first}”, "
        f"Σα = {minus}: F = {plus} − {minus} = {decimal(F)} {sign} 0, so “{winner}”."
    )


def members(steps: Sequence[AdaBoostStep], data: Plane) -> str:
    """Write the last step's vote, a tree a line."""
    step = steps[-1]
    return "\n".join(
        f"{t:3}  α {alpha:.3f}   {_rules(tree, 0, step, data)}"
        for t, (alpha, tree) in enumerate(zip(step.alphas, step.trees, strict=True), 1)
    )


def _rules(tree: WeightedTree, node: int, step: AdaBoostStep, data: Plane) -> str:
    """Write what a tree says at and below a node, in parentheses where it goes on asking."""
    if tree.feature[node] < 0:
        return f"“{_says(step, data, tree.says[node])}”"
    yes, no = (_rules(tree, child, step, data) for child in (tree.left[node], tree.right[node]))
    text = f"{_test(tree, node, data)}: {yes}, otherwise {no}"
    return f"({text})" if node > 0 else text


def _test(tree: WeightedTree, node: int, data: Plane) -> str:
    return f"{data.names[tree.feature[node]]} ≤ {number(tree.threshold[node])}"


def _says(step: AdaBoostStep, data: Plane, side: int) -> str:
    return data.classes[int(step.classes[(side + 1) // 2])]


def _points(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"


def _percent(share: float) -> str:
    return f"{number(100 * share)} %"
