"""The vote of many trees in every cell of a grid, without asking every tree of every cell.

A leaf is a box, and a box of cells with the value v is four corners in an array of differences:

    D[bottom, left] += v    D[bottom, right] -= v    D[top, left] -= v    D[top, right] += v

Summing D along both axes gives every cell the sum of the boxes that hold it. The boxes of all trees
are found together, one depth after the other.

Cost: O(nodes + cells), where asking costs O(trees cells).

Source: summed-area tables, Crow 1984, run backwards.
"""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.classification.decision_tree.tree import Tree
from algorithms.ensembles.ada_boost.weighted_tree import WeightedTree
from algorithms.ensembles.tree_tests import Shape


def vote_surface(
    trees: Sequence[WeightedTree],
    alphas: Sequence[float],
    x: Float[ndarray, " columns"],
    y: Float[ndarray, " rows"],
) -> Float[ndarray, "rows columns"]:
    """Return sum_t alpha_t h_t at the cells (x, y); row 0 belongs to y[0]. Both ascend."""
    votes = [alpha * np.array(tree.says) for alpha, tree in zip(alphas, trees, strict=True)]
    return leaf_sums(trees, np.concatenate(votes)[None], x, y)[0]


def leaf_sums(
    trees: Sequence[WeightedTree] | Sequence[Tree] | Sequence[Shape],
    values: Float[ndarray, "k nodes"],
    x: Float[ndarray, " columns"],
    y: Float[ndarray, " rows"],
) -> Float[ndarray, "k rows columns"]:
    """Return, for every cell, the sum over the trees of the values of the leaf that holds it.

    values : k for every node of all trees, one tree after the other. Row 0 of the cells belongs to
    y[0], and x and y ascend.
    """
    sizes = [len(tree.feature) for tree in trees]
    starts = np.repeat([0, *accumulate(sizes[:-1])], sizes)
    feature = np.concatenate([tree.feature for tree in trees])
    threshold = np.concatenate([tree.threshold for tree in trees])
    left = np.concatenate([tree.left for tree in trees]) + starts
    right = np.concatenate([tree.right for tree in trees]) + starts
    # The cells of a node's box, along x and along y: low <= cell < high.
    low = np.zeros((2, len(starts)), int)
    high = np.repeat([[len(x)], [len(y)]], len(starts), axis=1)
    passed = np.where(feature == 0, x.searchsorted(threshold, "right"),
                      y.searchsorted(threshold, "right"))  # fmt: skip
    nodes = np.unique(starts)
    while len(nodes) > 0:
        tests = nodes[feature[nodes] >= 0]
        lefts, rights, along, cut = left[tests], right[tests], feature[tests], passed[tests]
        for children in (lefts, rights):
            low[:, children], high[:, children] = low[:, tests], high[:, tests]
        high[along, lefts] = np.minimum(high[along, lefts], cut)
        low[along, rights] = np.maximum(low[along, rights], cut)
        nodes = np.concatenate([lefts, rights])
    leaves = np.flatnonzero(feature < 0)
    (left_end, bottom), (right_end, top) = low[:, leaves], high[:, leaves]
    added = np.where((left_end < right_end) & (bottom < top), values[:, leaves], 0.0)
    wide = len(x) + 1
    corners = np.concatenate([bottom * wide + left_end, bottom * wide + right_end,
                              top * wide + left_end, top * wide + right_end])  # fmt: skip
    signed = np.concatenate([added, -added, -added, added], axis=1)
    D = np.array([np.bincount(corners, each, (len(y) + 1) * wide) for each in signed])
    return D.reshape(len(D), -1, wide)[:, :-1, :-1].cumsum(axis=1).cumsum(axis=2)
