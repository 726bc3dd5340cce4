"""A classification tree that tries, at every node, only some of the features, drawn for that node.

With M of the d features drawn at a node, each as likely as any other, the update rule is that of
`decision_tree.py` with the gini impurity:

    (j, t) <- argmax of gain over the drawn features j and all cuts between two neighbouring values

If none of the drawn features can be cut, because all its values are the same, further ones are
drawn until one can: a leaf stays a leaf only if it is pure, at depth `max_depth`, or if its points
coincide. With M = d the tree is that of `decision_tree`, cut by cut.

Cost: O(n d (K + log n)) for the nodes of one depth together: all features are weighed at once, and
those not drawn are left out.

Source: Breiman 2001.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.decision_tree.decision_tree import CALLS, best_cuts
from algorithms.classification.decision_tree.rules import Rules
from algorithms.classification.decision_tree.split import Split, best
from algorithms.classification.decision_tree.tree import Tree
from algorithms.core.work import spend

GINI = Rules("gini")


def random_tree(
    X: Float[ndarray, "n d"],
    codes: Int[ndarray, " n"],
    classes: Int[ndarray, " k"],
    *,
    max_features: int,
    max_depth: int,
    rng: Generator,
) -> Tree:
    """Grow a tree on points of `classes[codes]`; there need not be points of every class."""
    growing = _Growing(X, codes, max_features, max_depth, rng)
    tree = Tree.single(classes, np.bincount(codes, minlength=len(classes)))
    waiting = growing.best_of(tree, (0, np.arange(len(X))))
    while waiting:
        node, rows, cut = waiting.pop(0)
        tree = tree.grown(node, cut)
        goes_left = X[rows, cut.feature] <= cut.threshold
        left, right = int(tree.left[node]), int(tree.right[node])
        new = (left, rows[goes_left]), (right, rows[~goes_left])
        waiting = [*growing.best_of(tree, *new), *waiting]
    return tree


class _Growing(NamedTuple):
    """The points, limits and random numbers that a tree is grown with."""

    X: Float[ndarray, "n d"]
    codes: Int[ndarray, " n"]
    max_features: int
    max_depth: int
    rng: Generator

    def best_of(self, tree: Tree, *new: tuple[int, ndarray]) -> list[tuple[int, ndarray, Split]]:
        """Return the new leaves (node, rows) that will be split, each with the cut for it."""
        found = []
        for node, rows in new:
            if tree.counts[node].max() == len(rows) or tree.depth[node] >= self.max_depth:
                continue
            spend(CALLS + 50.0 * len(tree.classes) * len(rows) * self.X.shape[1])
            if cuts := self._drawn(rows, np.arange(len(tree.classes))):
                found.append((node, rows, best(cuts)))
        return found

    def _drawn(self, rows: ndarray, every: ndarray) -> list[Split]:
        """Return the best cut of each drawn feature, or of the next one drawn that can be cut."""
        d = self.X.shape[1]
        turn = self.rng.permutation(d).tolist()
        first = [j for j in range(d) if turn[j] < self.max_features]
        later = sorted((j for j in range(d) if j not in first), key=turn.__getitem__)
        X, y = self.X.take(rows, axis=0), self.codes.take(rows)
        for features in (first, *([j] for j in later)):
            if cuts := best_cuts(X[:, features], y, every, GINI):
                return [replace(cut, feature=features[cut.feature]) for cut in cuts]
        return []
