"""Reduced-error pruning: cut a grown tree back on points it was not grown on.

Held-out points show which branches only learned the noise of the training points. Every test of
the tree is a candidate: to cut its node off is to put a leaf in its place, which predicts the
commonest class of the training points there. Let E(u) be the held-out errors of everything at and
below node u as it stands, and E_0(u) those of u as a leaf. Cutting u off lowers the errors by

    fall(u) = E(u) - E_0(u)

Update rule: cut off the node with the largest fall, as long as that is not negative,

    u <- argmax of fall(u),   E(v) <- E(v) - fall(u) at u and at every node v above it

The errors on the held-out points never rise, and a test that makes no difference to them goes too.
Ties go to the smaller branch, then to the earlier node: a later cut can still take the larger one.
(The greedy order need not find the best of all pruned trees.)

Cost: O(m K + n depth) once for m nodes and n held-out points, then O(m) a step.

Source: 20APC3316 16 B (002:520), CS337 (003:868); Quinlan 1987.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.decision_tree.decision_tree import DecisionTreeStep
from algorithms.classification.decision_tree.tree import Tree
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record, frozen

Event = Literal["held-out errors fall", "cut off by hand", "pruned"]


def prune(tree: Tree, X: Float[ndarray, "n d"], y: Int[ndarray, " n"]) -> Iterator["PruneStep"]:
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
    as_leaf, standing = _node_errors(tree, X, validate.integers(y, len(X)))
    return iterate(_step(tree, as_leaf, standing, -1, 0, 0), advance, most=len(tree.feature))


def advance(step: "PruneStep") -> "PruneStep":
    """Cut off the node with the largest fall: the smaller branch, then the earlier, in a tie."""
    size = branch_sizes(step.tree)[step.candidates]
    return cut_off(int(step.candidates[np.lexsort((size, -step.falls))[0]]), step)


def cut_off(u: int, step: "PruneStep") -> "PruneStep":
    """Replace node u by a leaf: E(v) <- E(v) - fall(u) at u and above it."""
    fall = int(step.standing[u] - step.as_leaf[u])
    standing = step.standing.copy()
    standing[step.tree.above(u)] -= fall
    removed = int(branch_sizes(step.tree)[u]) - 1
    return _step(step.tree.cut(u), step.as_leaf, standing, u, removed, fall)


def by_hand(u: int, step: "PruneStep") -> "PruneStep":
    """Return the step after `step` when node u is cut off, even if the held-out errors rise.

    Raises ValueError unless the tree has a test at u.
    """
    if u not in step.candidates:
        raise ValueError(f"u must be a node with a test, one of {step.candidates}, got {u}")
    after = cut_off(u, step)
    return after if after.event == "pruned" else replace(after, event="cut off by hand")


@dataclass(frozen=True, eq=False)
class PruneStep(Record):
    """The tree after one more cut; also a model, since `predict` works at every step.

    `node` became a leaf (-1 at the start), `removed` nodes below it are gone, and the held-out
    `errors` fell by `fall`. `as_leaf` and `standing` are E_0 and E of every node, removed ones
    included.

    Events: "held-out errors fall" (other cuts change nothing), "cut off by hand", and at the end
    "pruned": any further cut would raise the errors, or nothing is left to cut.
    """

    final_events: ClassVar = (*Record.final_events, "pruned")

    tree: Tree
    as_leaf: Int[ndarray, " m"] = field(compare=False)
    standing: Int[ndarray, " m"] = field(compare=False)
    node: int
    removed: int
    fall: int
    event: Event | None = None

    @property
    def errors(self) -> int:
        """Return the held-out errors of the tree."""
        return int(self.standing[0])

    @cached_property
    def candidates(self) -> Int[ndarray, " c"]:
        """Return the tests that the tree has now."""
        return frozen(self.tree.inner)

    @cached_property
    def falls(self) -> Int[ndarray, " c"]:
        """fall(u) = E(u) - E_0(u), by how much cutting each test off would lower the errors."""
        return frozen((self.standing - self.as_leaf)[self.candidates])

    @property
    def classes(self) -> Int[ndarray, " k"]:
        """Return the classes, in the order of all counts and shares."""
        return self.tree.classes

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the commonest training class of each row's leaf, the smaller class in a tie."""
        return self.tree.predict(X)

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the shares of the training points' classes in each row's leaf."""
        return self.tree.predict_proba(X)


def _step(
    tree: Tree, as_leaf: ndarray, standing: ndarray, node: int, removed: int, fall: int
) -> PruneStep:
    falls = (standing - as_leaf)[tree.inner]
    event: Event | None = "held-out errors fall" if fall > 0 else None
    if falls.max(initial=-1) < 0:
        event = "pruned"
    return PruneStep(tree, as_leaf, standing, node, removed, fall, event)


def size_curve(
    steps: Sequence[DecisionTreeStep | PruneStep], X: Float[ndarray, "n d"], y: Int[ndarray, " n"]
) -> Int[ndarray, "s 4"]:
    """Return a row per step: leaves, training errors, errors on (X, y), description length.

    The steps are those of one tree that grows or is pruned. Nodes keep their numbers, so what each
    gets wrong as a leaf is counted once, in the largest tree.
    """
    trees = [step.tree for step in steps]
    as_leaf, _ = _node_errors(max(trees, key=lambda tree: len(tree.leaves)), X, y)
    leaves = [tree.leaves for tree in trees]
    held_out = [as_leaf[each].sum() for each in leaves]
    lengths = [sum(tree.description_length(X.shape[1])) for tree in trees]
    errors = [tree.errors for tree in trees]
    return np.stack([[len(each) for each in leaves], errors, held_out, lengths], axis=1)


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


def branch_sizes(tree: Tree) -> Int[ndarray, " m"]:
    """Return the number of nodes at and below every node."""
    sizes = tree.reached.astype(int)
    for node in np.flatnonzero(sizes)[:0:-1]:
        sizes[tree.parent[node]] += sizes[node]
    return sizes
