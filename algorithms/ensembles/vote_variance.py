r"""The variance of a forest's vote, taken apart: rho sigma^2 + (1 - rho) sigma^2 / b.

Another training set gives other trees. Two disjoint halves of the points, drawn at random, are two
training sets, and neither knows of the other. So a forest of T trees is grown on each half A and B
of S splits. Let p_At be the share of a class at a place in the leaf of tree t on A, and P_Ab the
mean of p_A1, ..., p_Ab, the vote of b trees. For every place and class,

    Var(P_b) = mean over the splits of (P_Ab - P_Bb)^2 / 2                 measured
    (1 - rho) sigma^2 = mean over the 2S forests of their trees' variance  (T - 1 below the bar)
    rho sigma^2 = Var(P_T) - (1 - rho) sigma^2 / T
    sigma^2 = rho sigma^2 + (1 - rho) sigma^2

and all of them are averaged over places and classes. The formula

    Var(P_b) = rho sigma^2 + (1 - rho) sigma^2 / b

holds at b = T by construction. At every smaller b the measured variance can differ from it, since
it sees only the first b trees. All numbers are those of forests on half of the points. Of more than
`most` points, some are drawn.

Cost: 2 S T trees on half of the points.

Source: CS337 (003:1968), Breiman 2001; one-way analysis of variance for the two parts.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.decision_tree.random_tree import random_tree
from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.core.splits import some_of

TREES, SPLITS = 20, 20  # of a forest; pairs of halves
MOST = 300  # points that are halved: all trees then take about a second


@dataclass(frozen=True, eq=False)
class VoteVariance(Record):
    """What the vote's variance consists of, averaged over places and classes.

    `measured` is that of the votes of 1..T trees. `common` is rho sigma^2, what all trees of a
    forest share; `own` is (1 - rho) sigma^2, what each has for itself.
    """

    measured: Float[ndarray, " t"]
    common: float
    own: float

    @property
    def variance(self) -> float:
        """Return sigma^2, the variance of a single tree."""
        return self.common + self.own

    @property
    def correlation(self) -> float:
        """Return rho, the correlation of two trees; 0 if no tree varies."""
        return self.common / self.variance if self.variance > 0 else 0.0

    def of(self, b: Float[ndarray, " m"]) -> Float[ndarray, " m"]:
        """Return rho sigma^2 + (1 - rho) sigma^2 / b, the variance of the vote of b trees."""
        return self.common + self.own / b


def vote_variance(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    places: Float[ndarray, "m d"],
    *,
    max_features: int = 1,
    max_depth: int = 20,
    n_trees: int = TREES,
    n_splits: int = SPLITS,
    most: int = MOST,
    rng: Generator,
) -> VoteVariance:
    """Return the variance of the vote at `places`, over forests on halves of the points.

    Raises ValueError unless X is finite, y holds n integers of two or more classes, n_trees >= 2,
    n_splits >= 1, most >= 2, and max_features and max_depth are in range.
    """
    X, places = validate.points(X), validate.points(places, name="places")
    classes, codes = validate.labels(y, len(X))
    most = validate.integer("most", most, 2)
    chosen = some_of(np.ones(len(X), bool), most, rng=rng, codes=codes)
    X, codes = X[chosen], codes[chosen]
    n_trees = validate.integer("n_trees", n_trees, 2)
    n_splits = validate.integer("n_splits", n_splits, 1)
    d = X.shape[1]
    how = {
        "max_features": validate.integer("max_features", max_features, 1, d, high_name="d"),
        "max_depth": validate.integer("max_depth", max_depth, 1),
    }

    def forest(half: Int[ndarray, " h"]) -> Float[ndarray, "t m k"]:
        """Return the shares of every tree of a forest that is grown on these points."""
        bags = half[rng.integers(len(half), size=(n_trees, len(half)))]
        trees = (random_tree(X[bag], codes[bag], classes, rng=rng, **how) for bag in bags)
        return np.array([tree.predict_proba(places) for tree in trees])

    measured, own = np.zeros(n_trees), 0.0
    number = np.arange(1, n_trees + 1)[:, None, None]
    for _ in range(n_splits):
        halves = np.array_split(rng.permutation(len(X)), 2)
        p = np.array([forest(half) for half in halves])  # (2, trees, places, classes)
        votes = p.cumsum(axis=1) / number
        measured += (np.square(votes[0] - votes[1]) / 2).mean(axis=(1, 2)) / n_splits
        own += float(p.var(axis=1, ddof=1).mean()) / n_splits
    return VoteVariance(measured, float(measured[-1]) - own / n_trees, own)


def by_features(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    places: Float[ndarray, "m d"],
    *,
    max_depth: int,
    rng: Generator,
) -> tuple[VoteVariance, ...]:
    """Return the variance of the vote if 1, 2, ..., d features are tried at a split."""
    tried = range(1, np.shape(X)[1] + 1)
    return tuple(
        vote_variance(X, y, places, max_features=M, max_depth=max_depth, rng=rng) for M in tried
    )
