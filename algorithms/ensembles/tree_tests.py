"""The tests of a tree on several features, apart from what its leaves say."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray


class Shape(NamedTuple):
    """The tests of a tree, an entry per node, the root first: `x[feature] <= threshold`, then left.

    `feature` is -1 at a leaf. The children of a test come later than their parent. `d` is the
    number of features that there are.
    """

    d: int
    feature: tuple[int, ...]
    threshold: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]

    @property
    def leaves(self) -> list[int]:
        """Return the nodes without a test, in the order in which `Leaves` has them."""
        return [node for node, feature in enumerate(self.feature) if feature < 0]

    def reached(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the node at which every row of `X` ends."""
        ends = [np.full(len(X), node) for node in range(len(self.feature))]
        for node in reversed(range(len(ends))):  # children before their parents
            if (feature := self.feature[node]) >= 0:
                goes_left = X[:, feature] <= self.threshold[node]
                ends[node] = np.where(goes_left, ends[self.left[node]], ends[self.right[node]])
        return ends[0]

    def boxes(self) -> tuple[Float[ndarray, "nodes d"], Float[ndarray, "nodes d"]]:
        """Return above which and up to which values of the features every node reaches."""
        low = np.full((len(self.feature), self.d), -np.inf)
        high = -low
        for node, feature in enumerate(self.feature):
            if feature < 0:
                continue
            for child, side in ((self.left[node], high), (self.right[node], low)):
                low[child], high[child] = low[node], high[node]
                side[child, feature] = self.threshold[node]
        return low, high
