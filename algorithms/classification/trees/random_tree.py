"""A classification tree that tries, at every node, only some of the features, drawn anew.

With M of the d features drawn at a node, each as likely as any other, the update rule is that of
`decision_tree.py` with the gini impurity:

    (j, t) <- argmax of gain over the drawn features j and all cuts between two neighbouring values

If none of the drawn features can be cut, all its values being the same, further ones are drawn
until one can: a leaf stays a leaf only if it is pure, at depth `max_depth`, or if its points
coincide. With M = d the tree is that of `decision_tree`, cut by cut.

Cost: O(n d log n) once to sort; then O(n d K) for the nodes of one depth together: all features
are weighed at once, and those not drawn are left out.

Source: Breiman 2001.
"""

from collections.abc import Sequence

from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.trees._growing_tree import GrowingTree, Rules
from algorithms.classification.trees.split import Scan, Split
from algorithms.classification.trees.tree import Tree


class _SomeFeatures(Scan):
    """Weighs the cuts of `max_features` features, drawn anew at every node."""

    def __init__(self, n: int, max_features: int, rng: Generator) -> None:
        super().__init__("gini", gain_ratio=False, least=1, n=n)
        self.max_features, self.rng = max_features, rng

    def candidates(
        self, columns: Float[ndarray, "d n"], one_hot: Int[ndarray, "k n"], order: ndarray
    ) -> list[Split]:
        """Return the best cut of every drawn feature that has one."""
        splits = super().candidates(columns, one_hot, order)
        turn: Sequence[int] = self.rng.permutation(len(order)).tolist()
        drawn = [split for split in splits if turn[split.feature] < self.max_features]
        return drawn or sorted(splits, key=lambda split: turn[split.feature])[:1]


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
    scan = _SomeFeatures(len(X), max_features, rng)
    rules = Rules(max_depth, min_gain=0.0, significance=1.0, best_first=False)
    tree = GrowingTree(X, codes, classes, scan, rules)
    tree.consider(0)
    while not tree.finished:
        for child in tree.split(tree.next_leaf()):
            tree.consider(child)
    return tree.now()
