"""A binary tree of tests `x[feature] <= threshold`, as immutable arrays with an entry per node.

Nodes are numbered in the order in which they are made: node 0 is the root, and the two children of
a split have neighbouring numbers, larger than their parent's. Numbers never change: a node that is
cut off keeps its entry, out of reach.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, log2
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.classification.decision_tree.split import Split
from algorithms.core.record import Record, frozen


@dataclass(frozen=True, eq=False)
class Tree(Record):
    """The nodes, the class counts of the training points in each, and what they predict.

    `feature` is -1 at a leaf, where `left` and `right` lead back to the leaf itself. `parent` of
    the root is -1.
    """

    classes: Int[ndarray, " k"]
    feature: Int[ndarray, " m"]
    threshold: Float[ndarray, " m"]
    left: Int[ndarray, " m"]
    right: Int[ndarray, " m"]
    parent: Int[ndarray, " m"]
    depth: Int[ndarray, " m"]
    counts: Int[ndarray, "m k"]

    @classmethod
    def single(cls, classes: Int[ndarray, " k"], counts: Int[ndarray, " k"]) -> "Tree":
        """Return a tree of one leaf with these class counts."""
        none, first = np.full(1, -1, np.int32), np.zeros(1, np.int32)
        small = counts[None].astype(np.int32)
        return cls(classes, none, np.zeros(1), first, first, none, first, small)

    def grown(self, leaf: int, cut: Split) -> "Tree":
        """Return the tree with the test of a cut at a leaf, and two new leaves below it."""
        m = len(self.feature)
        below = self.depth[leaf] + 1
        return Tree(
            classes=self.classes,
            feature=_longer(self.feature, leaf, cut.feature, -1, -1),
            threshold=_longer(self.threshold, leaf, cut.threshold, 0.0, 0.0),
            left=_longer(self.left, leaf, m, m, m + 1),
            right=_longer(self.right, leaf, m + 1, m, m + 1),
            parent=_longer(self.parent, leaf, self.parent[leaf], leaf, leaf),
            depth=_longer(self.depth, leaf, self.depth[leaf], below, below),
            counts=_longer(self.counts, leaf, self.counts[leaf], cut.left, cut.right),
        )

    def apply(self, X: Float[ndarray, "q d"]) -> Int[ndarray, " q"]:
        """Return the leaf that every row of `X` ends in: the rows at a node go down together."""
        columns, leaf = np.ascontiguousarray(X.T), np.zeros(len(X), np.intp)
        waiting = [(0, np.arange(len(X)))]
        while waiting:
            node, rows = waiting.pop()
            if self.feature[node] < 0:
                leaf[rows] = node
            elif len(rows) > 0:
                goes_left = columns[self.feature[node]].take(rows) <= self.threshold[node]
                waiting.append((self.left[node], rows[goes_left]))
                waiting.append((self.right[node], rows[~goes_left]))
        return leaf

    def over_grid(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"]
    ) -> Int[ndarray, "rows columns"]:
        """Return the leaf of every cell (x, y) of a grid on the plane; row 0 belongs to y[0].

        Both ascend: the cells at a node are a rectangle of them, and go down together.
        """
        leaf, waiting = np.empty((len(y), len(x)), int), [(0, 0, len(x), 0, len(y))]
        while waiting:
            node, left, right, bottom, top = waiting.pop()
            feature, threshold = self.feature[node], self.threshold[node]
            if feature < 0:
                leaf[bottom:top, left:right] = node
            elif feature == 0:
                cut = min(max(int(x.searchsorted(threshold, "right")), left), right)
                waiting.append((self.left[node], left, cut, bottom, top))
                waiting.append((self.right[node], cut, right, bottom, top))
            else:
                cut = min(max(int(y.searchsorted(threshold, "right")), bottom), top)
                waiting.append((self.left[node], left, right, bottom, cut))
                waiting.append((self.right[node], left, right, cut, top))
        return leaf

    def predict(self, X: Float[ndarray, "q d"]) -> Int[ndarray, " q"]:
        """Return the commonest class of each row's leaf, the smaller class in a tie."""
        return self.classes[self.majority].take(self.apply(X))

    def predict_proba(self, X: Float[ndarray, "q d"]) -> Float[ndarray, "q k"]:
        """Return the shares of the classes in each row's leaf."""
        counts = self.counts[self.apply(X)]
        return counts / counts.sum(axis=1, keepdims=True)

    def path(self, x: Float[ndarray, " d"]) -> list[int]:
        """Return the nodes that the point `x` passes, from the root to its leaf."""
        return self.above(int(self.apply(x[None])[0]))[::-1]

    def above(self, node: int) -> list[int]:
        """Return the node and those above it, up to the root."""
        nodes = [node]
        while (node := int(self.parent[node])) >= 0:
            nodes.append(node)
        return nodes

    @property
    def majority(self) -> Int[ndarray, " m"]:
        """Return the index of the commonest class of every node, the first one in a tie."""
        return self.counts.argmax(axis=1)

    def test(self, node: int) -> tuple[int, float]:
        """Return feature and threshold of a node with a test."""
        return int(self.feature[node]), float(self.threshold[node])

    @cached_property
    def reached(self) -> Bool[ndarray, " m"]:
        """Return which nodes still belong to the tree: all those without a leaf above them."""
        belongs = (self.feature[self.parent] >= 0) | (self.parent < 0)
        for _ in range(int(self.depth.max())):
            belongs &= belongs[self.parent] | (self.parent < 0)
        return frozen(belongs)

    @property
    def inner(self) -> Int[ndarray, " s"]:
        """Return the nodes with a test."""
        return np.flatnonzero(self.reached & (self.feature >= 0))

    @property
    def leaves(self) -> Int[ndarray, " l"]:
        """Return the nodes that predict."""
        return np.flatnonzero(self.reached & (self.feature < 0))

    @property
    def errors(self) -> int:
        """Return the number of training points that the tree gets wrong."""
        counts = self.counts[self.leaves]
        return int(counts.sum() - counts.max(axis=1).sum())

    def description_length(self, d: int) -> tuple[int, int]:
        """Return the bits that describe the tree, and those for the training points it gets wrong.

        inner nodes * ceil(log2 d) + leaves * ceil(log2 classes), and errors * ceil(log2 n):
        the description length of CIS787 (004:160), which leaves out the thresholds.
        """
        n, k = int(self.counts[0].sum()), len(self.classes)
        structure = len(self.inner) * ceil(log2(d)) + len(self.leaves) * ceil(log2(k))
        return structure, self.errors * ceil(log2(n))

    def passes(self, node: int, X: Float[ndarray, "q d"]) -> Bool[ndarray, " q"]:
        """Return which rows of `X` pass a node on their way down."""
        here = np.ones(len(X), bool)
        while (above := int(self.parent[node])) >= 0:
            goes_left = X[:, self.feature[above]] <= self.threshold[above]
            here &= goes_left == (self.left[above] == node)
            node = above
        return here

    def boxes(self, d: int) -> tuple[Float[ndarray, "m d"], Float[ndarray, "m d"]]:
        """Return the box of space that belongs to every node: lower < x <= upper."""
        lower, upper = (
            np.full((len(self.feature), d), -np.inf),
            np.full((len(self.feature), d), np.inf),
        )
        for node in np.flatnonzero(self.feature >= 0):
            feature, left, right = self.feature[node], self.left[node], self.right[node]
            lower[[left, right]], upper[[left, right]] = lower[node], upper[node]
            upper[left, feature] = lower[right, feature] = self.threshold[node]
        return lower, upper

    def middle(self, node: int, within: tuple[float, float, float, float]) -> Float[ndarray, " 2"]:
        """Return the middle of a node's box on the plane, within left, right, bottom, top."""
        lower, upper = self.boxes(2)
        left, right, bottom, top = within
        ends = np.clip([lower[node], upper[node]], [left, bottom], [right, top])
        return ends.mean(axis=0)

    def cut(self, node: int) -> "Tree":
        """Return the tree with a leaf instead of `node` and everything below it."""
        feature, left, right = self.feature.copy(), self.left.copy(), self.right.copy()
        feature[node], left[node], right[node] = -1, node, node
        return replace(self, feature=feature, left=left, right=right)


def _longer(values: ndarray, leaf: int, there: Any, *more: Any) -> ndarray:
    """Return the values with a new one at a leaf, and more at the end."""
    m = len(values)
    longer = np.empty((m + 2, *values.shape[1:]), values.dtype)
    longer[:m], longer[leaf], longer[m:] = values, there, more
    longer.flags.writeable = False
    return longer
