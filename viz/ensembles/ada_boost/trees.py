"""The weak learners of a vote: their borders on the plane, and their tests in words."""

import numpy as np
from numpy import ndarray

from algorithms.ensembles.ada_boost.ada_boost import AdaBoostStep
from algorithms.ensembles.ada_boost.weighted_tree import WeightedTree
from viz.core import plane
from viz.core.box_borders import box_borders
from viz.core.scene import Bounds, Plane
from viz.core.words import number

_APART = 0.007  # of the picture: from a tree's border to the coloured lines beside it


def borders(tree: WeightedTree, box: Bounds) -> tuple[ndarray, ndarray, ndarray]:
    """Return three lines: the first class's side of a tree's border, the second's, the border.

    Each is (m, 2) places with gaps.
    """
    left, right, bottom, top = box
    cuts = ((j, t) for j, t in zip(tree.feature, tree.threshold, strict=True) if j >= 0)
    lines, before, _ = box_borders(tree.predict, cuts, box)
    upright = lines[:, :1, :1] == lines[:, 1:, :1]
    apart = _APART * np.where(upright, [right - left, 0], [0, top - bottom])
    low = np.where(before[:, None, None] == -1, -apart, apart)
    beside = (plane.joined(list(each)) for each in (lines + low, lines - low, lines))
    first, second, border = beside
    return first, second, border


def learner(step: AdaBoostStep, data: Plane) -> str:
    """Write the round's tree: a stump by its test, others by their size."""
    tree = step.tree
    tests = len(tree.tests)
    if tests == 1:
        says = (
            ""
            if tree.constant
            else f"that says “{_says(step, data, tree.says[tree.left[0]])}” where "
        )
        name = f"the stump {says}{_test(tree, 0, data)}"
    else:
        name = f"a tree of {tests} tests" if tests else "a tree without a test"
    # The last node is a leaf: children come after their parents.
    return f"{name} (“{_says(step, data, tree.says[-1])}” either way)" if tree.constant else name


def members(step: AdaBoostStep, data: Plane) -> str:
    """Write a step's vote, one tree per line."""
    return "\n".join(
        f"{t:3}  α {alpha:.3f}   {_rules(tree, 0, step, data)}"
        for t, (alpha, tree) in enumerate(zip(step.alphas, step.trees, strict=True), 1)
    )


def _rules(tree: WeightedTree, node: int, step: AdaBoostStep, data: Plane) -> str:
    """Write the subtree below a node as text, in parentheses unless it is the whole tree."""
    if tree.feature[node] < 0:
        return f"“{_says(step, data, tree.says[node])}”"
    yes, no = (_rules(tree, child, step, data) for child in (tree.left[node], tree.right[node]))
    text = f"{_test(tree, node, data)}: {yes}, otherwise {no}"
    return f"({text})" if node > 0 else text


def _test(tree: WeightedTree, node: int, data: Plane) -> str:
    return f"{data.names[tree.feature[node]]} ≤ {number(tree.threshold[node])}"


def _says(step: AdaBoostStep, data: Plane, side: int) -> str:
    return data.classes[int(step.classes[(side + 1) // 2])]
