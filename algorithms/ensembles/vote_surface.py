"""The weighted vote of many trees in every cell of a grid, without asking every tree of every cell.

A leaf is a box, and a box of cells with the value v is four corners in an array of differences:

    D[bottom, left] += v    D[bottom, right] -= v    D[top, left] -= v    D[top, right] += v

Summing D along both axes gives every cell the sum of the boxes it lies in. The boxes of all trees
are found together, one depth after the other.

Cost: O(nodes + cells), where asking costs O(trees cells).

Source: summed-area tables, Crow 1984, run backwards.
"""

from collections.abc import Sequence
from itertools import accumulate, chain

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.ensembles.weighted_tree import WeightedTree


def vote_surface(
    trees: Sequence[WeightedTree],
    alphas: Sequence[float],
    x: Float[ndarray, " columns"],
    y: Float[ndarray, " rows"],
) -> Float[ndarray, "rows columns"]:
    """Return sum_t alpha_t h_t at the cells (x, y); row 0 belongs to y[0]. Both ascend."""
    sizes = [len(tree.says) for tree in trees]
    starts = np.repeat([0, *accumulate(sizes[:-1])], sizes)
    feature = np.array([*chain.from_iterable(tree.feature for tree in trees)])
    threshold = np.array([*chain.from_iterable(tree.threshold for tree in trees)])
    left = np.array([*chain.from_iterable(tree.left for tree in trees)]) + starts
    right = np.array([*chain.from_iterable(tree.right for tree in trees)]) + starts
    says = np.array([*chain.from_iterable(tree.says for tree in trees)])
    # The cells of a node's box, along x and along y: low <= cell < high.
    low = np.zeros((2, len(says)), int)
    high = np.repeat([[len(x)], [len(y)]], len(says), axis=1)
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
    value = np.repeat(alphas, sizes)[leaves] * says[leaves]
    (left_end, bottom), (right_end, top) = low[:, leaves], high[:, leaves]
    value = np.where((left_end < right_end) & (bottom < top), value, 0.0)
    wide = len(x) + 1
    corners = [bottom * wide + left_end, bottom * wide + right_end,
               top * wide + left_end, top * wide + right_end]  # fmt: skip
    signs = np.concatenate([value, -value, -value, value])
    D = np.bincount(np.concatenate(corners), signs, (len(y) + 1) * wide).reshape(-1, wide)
    return D[:-1, :-1].cumsum(axis=0).cumsum(axis=1)
