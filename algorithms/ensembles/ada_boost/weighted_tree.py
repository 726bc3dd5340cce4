"""Small trees on weighted points: the weak learners of boosting.

The points have classes y = -1 and +1 and weights w > 0. At a node whose points weigh W, with the
signed sum S of their w y, the weighted gini impurity is

    Imp = 1 - p_+^2 - p_-^2 = (1 - S^2 / W^2) / 2         with the weighted shares p_± = (1 ± S/W)/2

A cut x_j <= t that sends the weight l with the signed sum a to the left, the rest r = W - l to the
right, lowers it by

    gain(j, t) = Imp - l/W Imp_left - r/W Imp_right = (a - (S/W) l)^2 / (2 l r)

so the best cut of all features needs two cumulative sums, l and a, in each feature's order:

    (j, t) <- argmax of gain over all features and all cuts between two neighbouring values

with t half-way between them. A node stays a leaf at depth `max_depth`, if it is pure, or if its
points coincide. A cut that gains nothing is still made, because the next cut may need it (exclusive
or). A leaf predicts its heavier class, the first class in a tie. Ties of cuts (gains within 1e-11)
go to the first feature, then the lower threshold. (scikit-learn takes a random feature first.)

The classification trees of algorithms/classification/ count whole points of any number of classes.
With weights in place of counts, and only two classes, a cut needs less arithmetic.

Cost: O(n d log n) once to sort; then O(n d) for the nodes of one depth together, with new weights.

Source: CS725 3.3 (000:272), CIS787 (004:92), with weights in the place of counts.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

TIE = 1e-11  # gains, or shares of a node's weight, that differ by less count as equal
LEAST = 1e-15  # of a node's squared weight: if l r is smaller, one side weighs nothing


@dataclass(frozen=True)
class WeightedTree:
    """A tree of tests `x[feature] <= threshold`, with an entry per node, the root first.

    `feature` is -1 at a leaf. The children of a test, `left` and `right`, come later than their
    parent. `says` is the heavier class, -1 or +1, of every node; that of its leaf is predicted.
    """

    feature: tuple[int, ...]
    threshold: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    says: tuple[int, ...]

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return -1 or +1 for every row of `X`."""
        said: list[Any] = list(self.says)
        for node in reversed(self.tests):  # children before their parents, all rows at once
            goes_left = X[:, self.feature[node]] <= self.threshold[node]
            said[node] = np.where(goes_left, said[self.left[node]], said[self.right[node]])
        return np.full(len(X), said[0])

    @property
    def tests(self) -> list[int]:
        """Return the nodes with a test."""
        return [node for node, feature in enumerate(self.feature) if feature >= 0]

    @property
    def constant(self) -> bool:
        """Return whether all leaves predict the same class."""
        return len({c for c, f in zip(self.says, self.feature, strict=True) if f < 0}) == 1


class Presorted:
    """Fixed points, sorted once, on which trees are grown with ever new weights."""

    def __init__(
        self, X: Float[ndarray, "n d"], signs: Float[ndarray, " n"], max_depth: int
    ) -> None:
        self.columns = np.ascontiguousarray(X.T)
        self.signs = signs
        self.max_depth = max_depth
        self.order = np.ascontiguousarray(np.argsort(X, axis=0, kind="stable").T)
        self.level = self._level(self.order)

    def grow(self, weights: Float[ndarray, " n"]) -> tuple[WeightedTree, Int[ndarray, " n"]]:
        """Return the tree for these weights, and its predictions for the points themselves."""
        signed = weights * self.signs
        nodes = _Nodes()
        said = np.empty(len(weights), int)
        waiting = [(nodes.add(float(signed.sum()), float(weights.sum())), 0, self.order)]
        while waiting:
            node, depth, order = waiting.pop()
            level = self.level if depth == 0 else self._level(order)
            cut = best_cut(weights[order], signed[order], level)
            if cut is None:
                said[order[0]] = nodes.says[node]
                continue
            first = order[cut.feature, : cut.place]  # those to the left, in this feature's order
            rest = order[cut.feature, cut.place :]
            below, above = self.columns[cut.feature, [first[-1], rest[0]]].tolist()
            nodes.feature[node], nodes.threshold[node] = cut.feature, _halfway(below, above)
            nodes.left[node] = left = nodes.add(cut.signed, cut.weight)
            nodes.right[node] = right = nodes.add(cut.signed_rest, cut.weight_rest)
            if depth + 1 == self.max_depth:
                said[first], said[rest] = nodes.says[left], nodes.says[right]
                continue
            goes_left = np.zeros(len(weights), bool)
            goes_left[first] = True
            here = goes_left[order]
            waiting.append((left, depth + 1, order[here].reshape(len(order), -1)))
            waiting.append((right, depth + 1, order[~here].reshape(len(order), -1)))
        return nodes.tree(), said

    def _level(self, order: Int[ndarray, "d m"]) -> Bool[ndarray, "d cuts"]:
        """Return between which neighbours no cut fits, since they have the same value."""
        values = np.take_along_axis(self.columns, order, axis=1)
        return values[:, 1:] <= values[:, :-1]


class Cut(NamedTuple):
    """The best cut of a node: the first `place` points in the order of `feature` go left."""

    feature: int
    place: int
    gain: float
    weight: float
    signed: float
    weight_rest: float
    signed_rest: float


def best_cut(
    weights: Float[ndarray, "d m"], signed: Float[ndarray, "d m"], level: Bool[ndarray, "d cuts"]
) -> Cut | None:
    """Return the best of all cuts, or None if the points are of one class or none fits.

    weights, signed : w and w y of the same points, in the order of every feature.
    level : where the neighbours have the same value.
    """
    l, a = weights.cumsum(axis=1), signed.cumsum(axis=1)  # noqa: E741  (as in the formula)
    W, S = float(l[0, -1]), float(a[0, -1])
    if abs(S) >= (1 - TIE) * W:
        return None
    l, a = l[:, :-1], a[:, :-1]  # noqa: E741
    gain = a - (S / W) * l
    gain *= gain
    gain /= 2 * np.maximum(l * (W - l), LEAST * W * W)
    gain[level] = -1.0
    top = gain.max(initial=-1.0)
    if top < 0:
        return None
    feature, before = divmod(int((gain >= top - TIE).argmax()), gain.shape[1])
    weight, part = float(l[feature, before]), float(a[feature, before])
    return Cut(feature, before + 1, float(top), weight, part, W - weight, S - part)


class _Nodes:
    """The tree while it grows: an entry per node, each a leaf until it is given a test."""

    def __init__(self) -> None:
        self.feature: list[int] = []
        self.threshold: list[float] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.says: list[int] = []

    def add(self, signed: float, weight: float) -> int:
        """Add a leaf whose points have these sums of w y and w, and return its index."""
        node = len(self.says)
        self.feature.append(-1)
        self.threshold.append(0.0)
        self.left.append(node)
        self.right.append(node)
        self.says.append(1 if signed > TIE * weight else -1)
        return node

    def tree(self) -> WeightedTree:
        return WeightedTree(
            tuple(self.feature),
            tuple(self.threshold),
            tuple(self.left),
            tuple(self.right),
            tuple(self.says),
        )


def _halfway(below: float, above: float) -> float:
    """Return the middle, or the lower value where floating point has nothing in between."""
    middle = below / 2 + above / 2
    return middle if middle < above else below
