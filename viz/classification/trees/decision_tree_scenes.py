"""What the lab of decision trees shows of points on the plane: a tree that grows or is pruned."""

from collections.abc import Mapping
from typing import Any

from numpy import ndarray

from algorithms.classification.trees.prune import size_curve
from viz.classification.trees import decision_tree as draw
from viz.classification.trees import decision_tree_questions as questions
from viz.classification.trees import decision_tree_words as words
from viz.core import what_if
from viz.core.scene import Plane, Run, Scene, View

RULES = "The last step's tree as rules: a disjunction of conjunctions for every class"


def grow(run: Run, data: Plane, query: ndarray, held: ndarray, how: Mapping[str, Any]) -> Scene:
    """Show how a tree grows, and the way of the `query`, a picked point, through it.

    held : (n,) which points are held out. how : the parameters of `decision_tree`.
    """
    whole, criterion = run.steps[-1].tree, how["criterion"]
    shown = draw.Trees(data, query, held, run.steps, whole)
    sizes = size_curve(run.steps, data.X[held], data.labels[held])
    highest = draw.highest_impurity(run.steps, criterion)
    views = [
        View("Leaves, cuts and points", lambda now: draw.picture(shown, now)),
        View("The tree (up: the test holds)", lambda now: draw.diagram(shown, now), height=1.3),
        View(
            "The impurity each cut would leave",
            lambda now: draw.why(shown, criterion, highest, now),
        ),
    ]
    if held.any():
        errors = View(
            "Errors while it grows", lambda now: draw.growth(shown, sizes, now), ahead=True
        )
        views.insert(2, errors)

    def ghost(since: int, now: int) -> list[list[dict]]:
        cuts = draw.ghost(shown, since, now)
        if not held.any():
            return [cuts]
        wrong = draw.shares_wrong(shown, sizes).T
        return [cuts, [], [what_if.curve(share, since) for share in wrong]]

    return Scene(
        views,
        lambda now: words.grow_caption(shown, how, sizes, now),
        note=words.note(held, words.GROWING),
        details=[(RULES, words.rules(whole, data))],
        ask=questions.ask(shown, how),
        ghost=ghost,
    )


def prune(run: Run, data: Plane, query: ndarray, held: ndarray, grown: Run) -> Scene:
    """Show how a tree is pruned on the points that are `held` out, after it has grown."""
    shown = draw.Trees(data, query, held, run.steps, run.steps[0].tree)
    on_held = data.X[held], data.labels[held]
    growth, pruning = (size_curve(part.steps, *on_held) for part in (grown, run))
    views = [
        View("Leaves and cuts", lambda now: draw.picture(shown, now)),
        View("What is left of the tree", lambda now: draw.diagram(shown, now), height=1.3),
        View(
            "Errors and description length by size",
            lambda now: draw.sizes(shown, growth, pruning, now),
            ahead=True,
        ),
    ]
    return Scene(
        views,
        lambda now: words.prune_caption(shown, now),
        note=words.note(held, words.PRUNING),
        details=[(RULES, words.rules(run.steps[-1].tree, data))],
        ask=questions.ask_pruning(shown),
    )
