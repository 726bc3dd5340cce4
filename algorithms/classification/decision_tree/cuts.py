"""All cuts of a node, not only its best one: their thresholds and the impurity they leave."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.decision_tree.decision_tree import (
    DecisionTreeStep,
    cut_at,
    gain,
    impurity,
)
from algorithms.classification.decision_tree.rules import CRITERIA, Rules
from algorithms.classification.decision_tree.split import Split, halfway
from algorithms.classification.decision_tree.tree import Tree
from algorithms.core import validate


def thresholds(x: Float[ndarray, " n"], least: int = 1) -> Float[ndarray, " cuts"]:
    """Return the thresholds half-way between values that leave `least` of them on either side."""
    values = np.sort(x)
    below, above = values[least - 1 : len(x) - least], values[least : len(x) - least + 1]
    return halfway(below, above)[above > below]


def possible_cuts(
    tree: Tree, node: int, X: Float[ndarray, "n d"], feature: int, least: int
) -> Float[ndarray, " cuts"]:
    """Return the thresholds at which a node can be cut with `least` points on either side."""
    return thresholds(X[tree.passes(node, X), feature], least)


def nearest_cut(
    tree: Tree, node: int, X: Float[ndarray, "n d"], near: tuple[int, float], least: int
) -> tuple[int, float]:
    """Return the possible cut of a node nearest to one given by feature and threshold."""
    feature, threshold = near
    cuts = possible_cuts(tree, node, X, feature, least)
    return feature, float(cuts[np.abs(cuts - threshold).argmin()])


def impurity_curve(
    x: Float[ndarray, " n"], y: Int[ndarray, " n"], *, criterion: str = "entropy"
) -> tuple[Float[ndarray, " cuts"], Float[ndarray, " cuts"]]:
    """Return all thresholds for the values `x`, and the impurity n_L/n Imp_L + n_R/n Imp_R left."""
    validate.choice("criterion", criterion, CRITERIA)
    order = np.argsort(x, kind="stable")
    below, above = x[order][:-1], x[order][1:]
    counted = (y[order] == np.unique(y)[:, None]).cumsum(axis=1)
    left, total = counted[:, :-1], counted[:, -1:]
    after = np.asarray(impurity(total / len(x), criterion) - gain(left, total, criterion))
    cuts = above > below
    return halfway(below, above)[cuts], after[cuts]


def cuts_in_the_middle(
    step: DecisionTreeStep, X: Float[ndarray, "n d"], y: Int[ndarray, " n"], rules: Rules
) -> list[Split]:
    """Return for every feature the cut that halves the points of the node that was split.

    A feature is left out if no cut separates its points like that.
    """
    here = step.tree.passes(max(step.node, 0), X)
    X, y = X[here], y[here]
    return [
        cut_at(X, y, step.classes, Rules(rules.criterion), (j, middle))
        for j, middle in enumerate(np.median(X, axis=0).tolist())
        if 0 < np.count_nonzero(X[:, j] <= middle) < len(X)
    ]


def highest_impurity(steps: Sequence[DecisionTreeStep], criterion: str) -> float:
    """Return the impurity of the most mixed node that was split."""
    nodes = np.stack([step.tree.counts[max(step.node, 0)] for step in steps], axis=1)
    return float(impurity(nodes / nodes.sum(axis=0), criterion).max())
