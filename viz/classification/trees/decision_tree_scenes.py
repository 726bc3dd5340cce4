"""What the lab of decision trees shows of points on the plane: a tree that grows or is pruned."""

from numpy import ndarray

from algorithms.classification.trees.prune import size_curve
from viz.classification.trees import decision_tree as draw
from viz.classification.trees import decision_tree_words as words
from viz.core.scene import Plane, Run, Scene, View

RULES = "The last step's tree as rules: a disjunction of conjunctions for every class"


def grow(run: Run, data: Plane, probe: ndarray, criterion: str, order: str) -> Scene:
    """Show how a tree grows, and the way of a picked point, `probe`, through it."""
    whole = run.steps[-1].tree
    shown = draw.Trees(data, probe, run.steps, whole)
    highest = draw.highest_impurity(run.steps, criterion)
    views = [
        View("Leaves, cuts and points", lambda now: draw.picture(shown, now)),
        View(
            "The tree (left: the test holds; ring: still to split; bold: the picked point)",
            lambda now: draw.diagram(shown, now),
        ),
        View(
            "Why this split: the impurity each cut would leave",
            lambda now: draw.why(shown, criterion, highest, now),
        ),
    ]
    return Scene(
        views,
        lambda now: words.grow_caption(shown, criterion, order, now),
        note=words.NOTE,
        details=[(RULES, words.rules(whole, data))],
    )


def prune(run: Run, data: Plane, probe: ndarray, held: ndarray, grown: Run) -> Scene:
    """Show how a tree is pruned on the points that are `held` out, after it has grown."""
    shown = draw.Trees(data, probe, run.steps, run.steps[0].tree)
    on_held = data.X[held], data.labels[held]
    growth, pruning = (size_curve(part.steps, *on_held) for part in (grown, run))
    n_held = int(held.sum())
    n = (len(held) - n_held, n_held)
    views = [
        View(
            "Leaves and cuts; held-out points have a white dot",
            lambda now: draw.picture(shown, now, held),
        ),
        View(
            "What is left of the tree (left: the test holds; bold: the picked point)",
            lambda now: draw.diagram(shown, now),
        ),
        View(
            "Errors and description length by size (dotted: while it grew)",
            lambda now: draw.sizes(growth, pruning, n, now),
        ),
    ]
    return Scene(
        views,
        lambda now: words.prune_caption(shown, n_held, now),
        note=words.NOTE,
        details=[(RULES, words.rules(run.steps[-1].tree, data))],
    )
