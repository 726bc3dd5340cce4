"""Classification trees, grown greedily from tests of one feature against a threshold.

At a node with n points, a cut `x_j <= t` sends n_L points to the left and n_R to the right. With
an impurity Imp (entropy in bits, gini or error, see `_impurity.py`) it is worth its

    gain(j, t) = Imp - n_L/n Imp_L - n_R/n Imp_R        (never negative: Imp is concave)

or, to punish splinters, its gain ratio gain / SplitInfo, where SplitInfo is the entropy of the
sizes, -(n_L/n) log2 (n_L/n) - (n_R/n) log2 (n_R/n). Update rule: replace a leaf by a test,

    (j, t) <- argmax over all features and all cuts between two neighbouring values

with t half-way between them. Best first takes the leaf whose split lowers the impurity of the
whole tree most, n gain; depth first takes the latest leaf, the left one of two. Which tests are
made does not depend on that order. Finding the smallest tree is NP-hard; this is the greedy one.

A leaf stays a leaf if it is pure, at depth `max_depth`, or if no cut leaves `min_samples_leaf`
points on both sides. A feature's best cut is dismissed if it gains less than `min_gain`, or if it
is no more than chance would do: under the hypothesis that both sides have the node's class
shares mu_k, the statistic

    t_s = sum over both sides S and classes k of (n_Sk - n_S mu_k)^2 / (n_S mu_k)

follows about chi-square with K - 1 degrees of freedom (K classes in the node), and a cut needs
P(chi-square >= t_s) <= `significance`. With min_gain = 0 a cut without any gain is made too:
the next one may need it (exclusive or).

Ties (scores within 1e-12) go to the more even cut, then the first feature, then the lower
threshold. (scikit-learn takes the first threshold of a random feature.)

Cost: O(n d log n) once to sort; then O(n d K) for the nodes of one depth together.

Source: CS725 3-5 and 7.3 (000:272, 000:915), CS337 (003:777), CIS787 (004:92). Slips not copied:
CS725 5.1 divides only the second term of the gain by SplitInfo; CS725 7.3 sums t_s over the left
side alone, which has K - 1 degrees of freedom only if mu were known without the sample.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from math import ceil, log2
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.trees._impurity import CRITERIA
from algorithms.classification.trees.split import TIE, Scan, Split, best, one_hot
from algorithms.classification.trees.tree import Tree
from algorithms.core import validate
from algorithms.core.record import Record

ORDERS = ("best first", "depth first")
Fate = Literal["open", "pure", "max_depth", "min_samples_leaf", "min_gain", "significance"]
Event = Literal["no gain", "pure", "stopped"]


@dataclass(frozen=True, eq=False)
class DecisionTreeStep(Record):
    """The tree after one more split; also a model, since `predict` works at every step.

    `node` was split, and `candidates` are the best cuts of every feature that can be cut there;
    `gain` is that of the one chosen. At the start `node` is -1, the gain 0, and the candidates are
    the root's. `fates` says of every new node (the root, or left and right) whether it is "open"
    to be split later or why it stays a leaf.

    Events: "no gain" (this split did not lower the impurity); at the end "pure" (every leaf holds
    one class) or "stopped" (the stopping rules left mixed leaves).
    """

    tree: Tree
    node: int
    candidates: tuple[Split, ...]
    gain: float
    fates: tuple[Fate, ...]
    event: Event | None = None

    @property
    def classes(self) -> Int[ndarray, " k"]:
        """The classes, in the order of all counts and shares."""
        return self.tree.classes

    @property
    def chosen(self) -> Split | None:
        """The candidate that became the test of `node`."""
        feature = self.tree.feature[self.node]
        return next((c for c in self.candidates if self.node >= 0 and c.feature == feature), None)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the commonest class of each row's leaf, the smaller class in a tie."""
        return self.tree.predict(X)

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the shares of the classes in each row's leaf."""
        return self.tree.predict_proba(X)


def decision_tree(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    criterion: str = "entropy",
    gain_ratio: bool = False,
    order: str = "best first",
    max_depth: int = 5,
    min_samples_leaf: int = 1,
    min_gain: float = 0.0,
    significance: float = 1.0,
) -> Iterator[DecisionTreeStep]:
    """Grow a tree by one split a step, until every leaf is pure or a stopping rule holds it.

    The first step is a single leaf. `criterion` is "entropy", "gini" or "error", `order` is "best
    first" or "depth first". The limits apply to the gain, also where the gain ratio ranks the
    cuts; `significance` 1 makes no chi-square test.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes,
    max_depth >= 1, min_samples_leaf >= 1, min_gain >= 0 and significance is between 0 and 1.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    validate.choice("criterion", criterion, CRITERIA)
    validate.choice("order", order, ORDERS)
    max_depth = validate.integer("max_depth", max_depth, 1)
    least = validate.integer("min_samples_leaf", min_samples_leaf, 1)
    min_gain = validate.number("min_gain", min_gain)
    if validate.number("significance", significance) > 1:
        raise ValueError(f"significance must be at most 1, got significance={significance!r}")
    nodes = _Nodes(X, codes, classes, Scan(criterion, gain_ratio, least, len(X)))
    rules = (max_depth, min_gain, float(significance))
    return _grow(nodes, rules, best_first=order == "best first")


def mdl_cost(tree: Tree, n_features: int) -> tuple[int, int]:
    """Return the bits that describe the tree, and those for the training points it gets wrong.

    inner nodes * ceil(log2 features) + leaves * ceil(log2 classes), and errors * ceil(log2 n):
    the description length of CIS787 (004:160), which leaves out the thresholds.
    """
    n, k = int(tree.counts[0].sum()), len(tree.classes)
    structure = len(tree.inner) * ceil(log2(n_features)) + len(tree.leaves) * ceil(log2(k))
    return structure, tree.errors * ceil(log2(n))


def _grow(
    nodes: "_Nodes", rules: tuple[int, float, float], *, best_first: bool
) -> Iterator[DecisionTreeStep]:
    waiting: list[tuple[float, int]] = []  # a heap of open leaves, the next one to split on top

    def open_or_not(node: int) -> Fate:
        fate = nodes.consider(node, *rules)
        if fate == "open":
            lowers = round(nodes.sizes[node] * nodes.best[node].gain, 9)
            heappush(waiting, (-lowers if best_first else -((node + 1) // 2), node))
        mixed.append(fate not in ("open", "pure"))
        return fate

    mixed: list[bool] = []  # leaves that stay although they are not pure
    fates: tuple[Fate, ...] = (open_or_not(0),)
    node, gain, candidates = -1, 0.0, nodes.candidates[0]
    while True:
        event: Event | None = "no gain" if node >= 0 and gain <= TIE else None
        if not waiting:
            event = "stopped" if any(mixed) else "pure"
        yield DecisionTreeStep(nodes.tree(), node, candidates, gain, fates, event)
        if not waiting:
            return
        _, node = heappop(waiting)
        gain, candidates = nodes.best[node].gain, nodes.candidates.pop(node)
        left, right = nodes.split(node)
        fates = (open_or_not(left), open_or_not(right))


class _Nodes:
    """The tree while it grows: room for all nodes there can be, of which `used` are there."""

    def __init__(
        self, X: Float[ndarray, "n d"], codes: Int[ndarray, " n"], classes: ndarray, scan: "Scan"
    ) -> None:
        n, room = len(X), 2 * len(X)
        self.classes, self.scan = classes, scan
        self.columns = np.ascontiguousarray(X.T)
        self.one_hot = one_hot(codes)
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
        # Every node keeps its points sorted by each feature; splitting keeps the order.
        self.orders = {0: np.argsort(X, axis=0, kind="stable").T}
        self.candidates: dict[int, tuple[Split, ...]] = {}
        self.best: dict[int, Split] = {}

    def tree(self) -> Tree:
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

    def consider(self, node: int, max_depth: int, min_gain: float, significance: float) -> Fate:
        """Find the best split of a node, or the reason why it stays a leaf."""
        self.candidates[node] = ()
        if self.counts[node].max() == self.sizes[node]:
            return "pure"
        if self.depth[node] >= max_depth:
            return "max_depth"
        splits = self.scan.candidates(self.columns, self.one_hot, self.orders[node])
        self.candidates[node] = tuple(splits)
        if not splits:
            return "min_samples_leaf"
        splits = [split for split in splits if split.gain >= min_gain - TIE]
        if not splits:
            return "min_gain"
        if significance < 1:
            splits = [split for split in splits if split.p_value <= significance]
        if not splits:
            return "significance"
        self.best[node] = best(splits)
        return "open"

    def split(self, node: int) -> tuple[int, int]:
        """Make the best split of a node and return its children."""
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
