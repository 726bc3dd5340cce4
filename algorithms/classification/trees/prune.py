"""Reduced-error pruning: cut a grown tree back on points it was not grown on.

Held-out points show which branches only learned the noise of the training points. Every test of
the tree is a candidate: cutting its node off means putting a leaf in its place, which predicts
the commonest class of the training points there. With E(u) the held-out errors of everything at
and below node u as it stands, and E_0(u) those of u as a leaf, cutting u lowers the errors by

    fall(u) = E(u) - E_0(u)

Update rule: cut the node with the largest fall, as long as that is not negative. The errors on the
held-out points never rise, and a test that makes no difference to them goes too. Ties go to the
smaller branch, then the earlier node: a later cut can still take the larger one. (The greedy order
need not find the best of all pruned trees.)

Cost: O(m K + n depth) once for m nodes and n held-out points, then O(m) a step.

Source: 20APC3316 16 B (002:520), CS337 (003:868); Quinlan 1987.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.trees.decision_tree import DecisionTreeStep, mdl_cost
from algorithms.classification.trees.tree import Tree
from algorithms.core import validate
from algorithms.core.record import Record

Event = Literal["held-out errors fall", "pruned"]


@dataclass(frozen=True, eq=False)
class PruneStep(Record):
    """The tree after one more cut; also a model, since `predict` works at every step.

    `node` became a leaf (-1 at the start), `removed` nodes below it are gone, and the held-out
    `errors` fell by `fall`. `candidates` are the tests that the tree has now, and `falls` by how
    much cutting each one off would lower the errors: the largest comes next, if not negative.

    Events: "held-out errors fall" (other cuts change nothing), and at the end "pruned": any further
    cut would raise the errors, or nothing is left to cut.
    """

    tree: Tree
    node: int
    removed: int
    errors: int
    fall: int
    candidates: Int[ndarray, " c"]
    falls: Int[ndarray, " c"]
    event: Event | None = None

    @property
    def classes(self) -> Int[ndarray, " k"]:
        """The classes, in the order of all counts and shares."""
        return self.tree.classes

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the commonest training class of each row's leaf, the smaller class in a tie."""
        return self.tree.predict(X)

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the shares of the training points' classes in each row's leaf."""
        return self.tree.predict_proba(X)


def prune(tree: Tree, X: Float[ndarray, "n d"], y: Int[ndarray, " n"]) -> Iterator[PruneStep]:
    """Cut nodes off `tree` while the errors on the held-out points (X, y) do not rise.

    The first step is the tree as it is. Classes that the tree does not know are always errors.

    Raises ValueError, at the call, unless X is finite, with all the features that the tree tests,
    and y holds n integers.
    """
    if len(X) == 0:
        raise ValueError("X must hold the held-out points, and no point is held out")
    X = validate.points(X)
    needed = int(tree.feature.max()) + 1
    if X.shape[1] < needed:
        raise ValueError(f"X must have at least {needed} columns, as the tree tests, got {X.shape}")
    return _run(tree, *_node_errors(tree, X, validate.integers(y, len(X))))


def size_curve(
    steps: Sequence[DecisionTreeStep | PruneStep], X: Float[ndarray, "n d"], y: Int[ndarray, " n"]
) -> Int[ndarray, "s 4"]:
    """Return for every step: leaves, training errors, errors on the points (X, y), MDL cost.

    The steps are those of one tree that grows or is pruned. Nodes keep their numbers, so what each
    gets wrong as a leaf is counted once, in the largest tree.
    """
    trees = [step.tree for step in steps]
    as_leaf, _ = _node_errors(max(trees, key=lambda tree: len(tree.leaves)), X, y)
    rows = [
        (len(tree.leaves), tree.errors, as_leaf[tree.leaves].sum(), sum(mdl_cost(tree, X.shape[1])))
        for tree in trees
    ]
    return np.array(rows)


def _node_errors(
    tree: Tree, X: Float[ndarray, "n d"], y: Int[ndarray, " n"]
) -> tuple[Int[ndarray, " m"], Int[ndarray, " m"]]:
    """Return E_0(u) and E(u), the held-out errors of every node as a leaf and as it stands."""
    m, k = tree.counts.shape
    classes = np.concatenate([tree.classes, [-1]])
    codes = np.searchsorted(tree.classes, y)
    codes = np.where(classes[codes] == y, codes, k)
    counts = np.bincount(tree.apply(X) * (k + 1) + codes, minlength=m * (k + 1)).reshape(m, k + 1)
    reached = tree.reached
    for node in np.flatnonzero(reached)[:0:-1]:  # children come after their parents
        counts[tree.parent[node]] += counts[node]
    as_leaf = counts.sum(axis=1) - counts[np.arange(m), tree.majority]
    standing = as_leaf.copy()
    for node in tree.inner[::-1]:
        standing[node] = standing[tree.left[node]] + standing[tree.right[node]]
    return as_leaf, standing


def _run(
    tree: Tree, as_leaf: Int[ndarray, " m"], standing: Int[ndarray, " m"]
) -> Iterator[PruneStep]:
    standing = standing.copy()
    node, removed, fall = -1, 0, 0
    while True:
        inner = tree.inner
        falls = standing[inner] - as_leaf[inner]
        more = len(inner) > 0 and falls.max() >= 0
        event: Event | None = "held-out errors fall" if fall > 0 else None
        yield PruneStep(
            tree=tree,
            node=node,
            removed=removed,
            errors=int(standing[0]),
            fall=fall,
            candidates=inner,
            falls=falls,
            event=event if more else "pruned",
        )
        if not more:
            return
        size = _branch_sizes(tree)[inner]
        chosen = int(np.lexsort((inner, size, -falls))[0])
        node, fall, removed = int(inner[chosen]), int(falls[chosen]), int(size[chosen]) - 1
        tree = tree.cut(node)
        above = node
        while above >= 0:
            standing[above] -= fall
            above = int(tree.parent[above])


def _branch_sizes(tree: Tree) -> Int[ndarray, " m"]:
    """Return how many nodes there are at and below every node."""
    sizes = tree.reached.astype(int)
    for node in np.flatnonzero(sizes)[:0:-1]:
        sizes[tree.parent[node]] += sizes[node]
    return sizes
