"""A tree while it grows: the points at every node, its best cut, and what is open to be split.

Every node keeps its points sorted by each feature. A cut divides the sorted lists without sorting
them again, so the nodes of one depth together cost O(n d K).
"""

from heapq import heappop, heappush
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.trees.split import TIE, Cut, Scan, Split, best, one_hot
from algorithms.classification.trees.tree import Tree
from algorithms.core.work import spend

Fate = Literal["open", "pure", "max_depth", "min_samples_leaf", "min_gain", "significance"]

CALLS = 5e5  # operations that could be done in the time that calling NumPy takes at a node


class Rules(NamedTuple):
    """What keeps a leaf from being split, and which of those that are open comes next."""

    max_depth: int
    min_gain: float
    significance: float
    best_first: bool
    corrected: bool = False  # whether the level is shared by all cuts of a node


class GrowingTree:
    """Room for all nodes there can be, of which `used` are there.

    `mixed` says whether a leaf stays although it holds several classes.
    """

    def __init__(
        self,
        X: Float[ndarray, "n d"],
        codes: Int[ndarray, " n"],
        classes: Int[ndarray, " k"],
        scan: Scan,
        rules: Rules,
    ) -> None:
        n, room = len(X), 2 * len(X)
        self.classes, self.scan, self.rules = classes, scan, rules
        self.columns = np.ascontiguousarray(X.T)
        self.one_hot = one_hot(codes, len(classes))
        self.feature = np.full(room, -1, np.int32)
        self.threshold = np.zeros(room)
        self.left = np.arange(room, dtype=np.int32)
        self.right = self.left.copy()
        self.parent = np.full(room, -1, np.int32)
        self.depth = np.zeros(room, np.int32)
        self.counts = np.zeros((room, len(classes)), np.int32)
        self.counts[0] = self.one_hot.sum(axis=1)
        self.sizes = {0: n}
        self.used = 1
        self.orders = {0: np.argsort(X, axis=0, kind="stable").T}
        self.candidates: dict[int, tuple[Split, ...]] = {}
        self.best: dict[int, Split] = {}
        self.mixed = False
        self._open: list[tuple[float, int]] = []  # a heap, the next leaf to split on top

    @property
    def finished(self) -> bool:
        """Whether no leaf is open to be split."""
        return not self._open

    def now(self) -> Tree:
        """Copy the nodes that are there."""
        used = self.used
        return Tree(
            classes=self.classes,
            feature=self.feature[:used],
            threshold=self.threshold[:used],
            left=self.left[:used],
            right=self.right[:used],
            parent=self.parent[:used],
            depth=self.depth[:used],
            counts=self.counts[:used],
        )

    def consider(self, node: int) -> Fate:
        """Find the best split of a new node, or the reason why it stays a leaf."""
        fate = self._fate(node)
        if fate == "open":
            lowers = round(self.sizes[node] * self.best[node].gain, 9)
            first = lowers if self.rules.best_first else (node + 1) // 2
            heappush(self._open, (-first, node))
        self.mixed |= fate not in ("open", "pure")
        return fate

    def next_leaf(self) -> int:
        """Take the open leaf that comes next: that with the most to gain, or the latest."""
        return heappop(self._open)[1]

    def cut_by_hand(self, node: int, cut: Cut) -> Split:
        """Have a leaf split by this cut and not by its best one."""
        order = self.orders[node]
        self.best[node] = self.scan.one(self.columns, self.one_hot, order, cut)
        return self.best[node]

    def split(self, node: int) -> tuple[int, int]:
        """Make the best split of a leaf, or the one by hand, and return its children."""
        split, order = self.best.pop(node), self.orders.pop(node)
        left, right = self.used, self.used + 1
        self.used += 2
        self.feature[node], self.threshold[node] = split.feature, split.threshold
        self.left[node], self.right[node] = left, right
        goes_left = self.columns[split.feature].take(order) <= split.threshold
        for child, here in ((left, goes_left), (right, ~goes_left)):
            self.parent[child], self.depth[child] = node, self.depth[node] + 1
            self.counts[child] = split.left if child == left else split.right
            self.orders[child] = order[here].reshape(len(order), -1)
            self.sizes[child] = self.orders[child].shape[1]
        return left, right

    def _fate(self, node: int) -> Fate:
        max_depth, min_gain, significance, _, corrected = self.rules
        self.candidates[node] = ()
        if self.counts[node].max() == self.sizes[node]:
            return "pure"
        if self.depth[node] >= max_depth:
            return "max_depth"
        spend(CALLS + 50.0 * len(self.one_hot) * self.orders[node].size)
        splits = self.scan.candidates(self.columns, self.one_hot, self.orders[node])
        self.candidates[node] = tuple(splits)
        if not splits:
            return "min_samples_leaf"
        tests = sum(split.tried for split in splits) if corrected else 1
        splits = [split for split in splits if split.gain >= min_gain - TIE]
        if not splits:
            return "min_gain"
        if significance < 1:
            splits = [split for split in splits if split.p_value * tests <= significance]
        if not splits:
            return "significance"
        self.best[node] = best(splits)
        return "open"
