"""Small regression trees on several features, and the sums of them that boosting makes.

A tree cuts space in two by a test x_j <= t, then every part in two, and so on. Its leaves are boxes
with a constant in each. The gain of a cut is that of tree_on_one_feature.py, computed for every
feature in that feature's order:

    (j, k) <- argmax of gain_j(k) over all features and all cuts between two different values

A part stays whole if its points coincide or its values are equal. Ties of cuts (gains that differ
by less than 1e-11 of the largest) go to the first feature, then to the lower cut.

Cost: O(n d log n) to sort, then O(n d) for all parts of one depth.

Source: CS725 3.3 (000:272) with squares in place of impurity; Breiman et al. 1984.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core.record import Record
from algorithms.ensembles.tree_on_one_feature import TIE, Parts, gains, halfway
from algorithms.ensembles.tree_tests import Shape
from algorithms.ensembles.vote_grid import leaf_sums

# A leaf has this in place of a test's feature, threshold, left and right.
LEAF: tuple[int, float, int, int] = (-1, 0.0, 0, 0)


@dataclass(frozen=True, eq=False)
class BoxTree(Record):
    """A tree: its tests, and a value for every node; those of the leaves are predicted."""

    shape: Shape
    values: Float[ndarray, " nodes"]

    def __call__(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return the prediction for every row of `X`."""
        return self.values[self.shape.reached(X)]


@dataclass(frozen=True, eq=False)
class TreeSum(Record):
    """A sum of trees, each multiplied by a share; a single tree is such a sum, too."""

    trees: tuple[BoxTree, ...]
    shares: tuple[float, ...]

    def __call__(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return the value at every row of `X`."""
        total = np.zeros(len(X))
        for tree, share in zip(self.trees, self.shares, strict=True):
            total = total + share * tree(X)
        return total

    def plus(self, other: "TreeSum", share: float) -> "TreeSum":
        """Return this function plus a share of another."""
        shares = (share * each for each in other.shares)
        return TreeSum((*self.trees, *other.trees), (*self.shares, *shares))

    def parts(self) -> Parts:
        """Return the leaves of a single tree."""
        (tree,) = self.trees
        (low, high), leaves = tree.shape.boxes(), tree.shape.leaves
        return Parts(tree.values[leaves], low[leaves], high[leaves])

    def surface(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"]
    ) -> Float[ndarray, "rows columns"]:
        """Return the values at all cells (x, y) of a grid on the plane; row 0 belongs to y[0]."""
        pairs = zip(self.trees, self.shares, strict=True)
        values = np.concatenate([share * tree.values for tree, share in pairs])
        return leaf_sums([tree.shape for tree in self.trees], values[None], x, y)[0]


class Leaves(NamedTuple):
    """A tree without values: its tests, and the `members` of each leaf."""

    shape: Shape
    members: list[Int[ndarray, " _"]]

    def saying(self, values: Float[ndarray, " leaves"]) -> TreeSum:
        """Return the tree whose leaves predict these values."""
        every = np.zeros(len(self.shape.feature))
        every[self.shape.leaves] = values
        return TreeSum((BoxTree(self.shape, every),), (1.0,))


def grow(X: Float[ndarray, "n d"], r: Float[ndarray, " n"], max_depth: int) -> Leaves:
    """Cut space greedily, so that the values `r` differ as little as possible within a part."""
    columns = np.ascontiguousarray(X.T)
    tests, members = [LEAF], {}
    waiting = [(0, 0, np.argsort(columns, axis=1, kind="stable"))]
    while waiting:
        node, depth, order = waiting.pop()
        cut = _best_cut(columns, r, order) if depth < max_depth else None
        if cut is None:
            members[node] = order[0]
            continue
        j, place = cut
        sides = columns[j, order[j, place - 1 : place + 1]]
        (threshold,) = halfway(sides[:1], sides[1:]).tolist()
        child = len(tests)
        tests[node] = (j, threshold, child, child + 1)
        tests += [LEAF, LEAF]
        goes_left = np.zeros(len(r), bool)
        goes_left[order[j, :place]] = True
        here = goes_left[order]
        waiting.append((child + 1, depth + 1, order[~here].reshape(len(order), -1)))
        waiting.append((child, depth + 1, order[here].reshape(len(order), -1)))
    shape = Shape(len(columns), *map(tuple, zip(*tests, strict=True)))
    return Leaves(shape, [members[leaf] for leaf in shape.leaves])


def _best_cut(
    columns: Float[ndarray, "d n"], r: Float[ndarray, " n"], order: Int[ndarray, "d m"]
) -> tuple[int, int] | None:
    """Return the best feature and the number of points in its order that go left, or None."""
    found = []
    for column, rows in zip(columns, order, strict=True):
        gain = gains(column[rows], r[rows])
        if gain is None:
            return None
        found.append(gain)
    every = np.array(found)
    if (top := every.max()) < 0:
        return None
    j, before = divmod(int((every >= (1 - TIE) * top).argmax()), every.shape[1])
    return j, before + 1
