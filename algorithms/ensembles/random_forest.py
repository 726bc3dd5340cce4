r"""Random forest: a vote of deep trees, each grown on its own resample of the points.

Update rule, for b = 1..B:

    bag:    rows_b <- n draws, with replacement, from 1..n
    tree:   T_b <- random_tree(X[rows_b], y[rows_b]): at every node the best cut of M features,
            drawn for that node from all d
    vote:   P_b(k | x) = 1/b sum of p_s(k | x) over the trees s = 1..b

where p_s(k | x) is the share of class k among the points in the leaf of T_s that holds x. The
predicted class has the largest P_b; in a tie the smaller class wins. M = d is bagging.

A point is missing from a bag with probability (1 - 1/n)^n, about 37 %: it is out of the bag. The
out-of-bag vote on point i is that of the trees s <= b that have not seen it. The out-of-bag error
is the share of wrong votes among the points that some tree has not seen. It estimates the error on
new points, although every point was used for learning. Each point is judged by only about 37 % of
the trees, so this is the error of a smaller forest.

Objective: the forest as a whole minimises none; each tree is grown greedily by itself. The vote
lowers the variance. If the trees at x have the variance sigma^2, and any two of them the
correlation rho, the mean of b trees has the variance

    Var(P_b) = rho sigma^2 + (1 - rho) sigma^2 / b

and the bias of one tree. So the trees should be deep (small bias) and unlike each other (small
rho), which is why features are drawn. More trees only lower the variance: P_b comes nearer to its
mean, which does harm only where the mean itself is on the wrong side.

Cost: O(n d log n + n d K depth) per tree.

scikit-learn's RandomForestClassifier votes in the same way, but draws other resamples and features.

Source: CS337 (003:1968), Breiman 1996 (bagging) and 2001 (forests). Slip of CS337 that is not
copied: it calls the rho in the variance a covariance, but rho is a correlation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int, UInt8
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.decision_tree.random_tree import random_tree
from algorithms.classification.decision_tree.tree import Tree
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.ensembles.vote_grid import leaf_sums

TIE = 1e-9  # shares that differ by less are equal but for rounding

Event = Literal["every point has been out of a bag"]


def random_forest(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    n_trees: int = 30,
    max_features: int = 1,
    max_depth: int = 20,
    rng: Generator,
) -> Iterator["RandomForestStep"]:
    """Grow one tree in each step on a resample of the points, and let it vote.

    Every node tries `max_features` of the features, drawn for this node; with all of them this is
    bagging. The last step is the model.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes,
    n_trees >= 1, max_features is between 1 and the number of features, and max_depth >= 1.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    n_trees = validate.integer("n_trees", n_trees, 1)
    d = X.shape[1]
    max_features = validate.integer("max_features", max_features, 1, d, high_name="d")
    max_depth = validate.integer("max_depth", max_depth, 1)
    # The features have their own streams, so the bags do not depend on how many are tried.
    bags = tuple(
        Bag(rng.integers(len(X), size=len(X)), int(rng.integers(2**63))) for _ in range(n_trees)
    )
    how = {"max_features": max_features, "max_depth": max_depth}
    nobody = np.zeros(len(X), int)
    before = RandomForestStep(
        classes, (), nobody, nobody, nobody > 0, None, votes=np.zeros((len(X), len(classes)))
    )
    going_on = partial(advance, X, codes, bags, how)
    return iterate(going_on(before), going_on, most=n_trees - 1, stopped=None)


class Bag(NamedTuple):
    """The rows that a tree is grown on, and the seed with which its features are drawn."""

    rows: Int[ndarray, " n"]
    seed: int


def advance(
    X: Float[ndarray, "n d"],
    codes: Int[ndarray, " n"],
    bags: Sequence[Bag],
    how: dict[str, int],
    step: "RandomForestStep",
) -> "RandomForestStep":
    """Grow the next tree on its bag, and let it judge the points that it has not seen."""
    rows, seed = bags[len(step.trees)]
    features = np.random.default_rng(seed)
    tree = random_tree(X[rows], codes[rows], step.classes, rng=features, **how)
    drawn = np.bincount(rows, minlength=len(X))
    judges, votes, out = step.judges.copy(), step.votes.copy(), drawn == 0
    judges[out] += 1
    votes[out] += tree.predict_proba(X[out])
    wrong = (judges > 0) & (_winners(votes / np.maximum(judges, 1)[:, None]) != codes)
    error = np.count_nonzero(wrong) / np.count_nonzero(judges) if judges.any() else None
    new = bool(judges.all()) and not step.judges.all()
    event: Event | None = "every point has been out of a bag" if new else None
    return replace(
        step,
        trees=(*step.trees, tree),
        drawn=drawn,
        judges=judges,
        wrong=wrong,
        out_of_bag_error=error,
        votes=votes,
        event=event,
    )


@dataclass(frozen=True, eq=False)
class RandomForestStep(Record):
    """One more tree; also a model, the vote of all trees so far.

    `drawn` counts how often each point is in the tree's bag, `judges` the trees so far that have
    not seen it, and `wrong` shows whether their vote on it is wrong. `out_of_bag_error` is the
    share of wrong votes among the points that have judges, None if no point has. `votes` are the
    sums of the judges' class shares.

    Events: "every point has been out of a bag" (for the first time all points have judges).
    """

    classes: Int[ndarray, " k"]
    trees: tuple[Tree, ...]
    drawn: Int[ndarray, " n"]
    judges: Int[ndarray, " n"]
    wrong: Bool[ndarray, " n"]
    out_of_bag_error: float | None
    votes: Float[ndarray, "n _"] = field(compare=False, kw_only=True)
    event: Event | None = None

    @property
    def tree(self) -> Tree:
        """Return the tree of this step."""
        return self.trees[-1]

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the mean of the trees' shares of the classes for every row of `X`."""
        total = np.zeros((len(X), len(self.classes)))
        for tree in self.trees:
            total += tree.predict_proba(X)
        return total / len(self.trees)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class with the largest mean share, the smaller class in a tie."""
        return self.classes[_winners(self.predict_proba(X))]

    def surface(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"]
    ) -> tuple[Int[ndarray, "rows columns"], Float[ndarray, "rows columns"]]:
        """Return the class of all cells (x, y) of a grid on the plane, and its mean share.

        Row 0 belongs to y[0]; both ascend.
        """
        counts = np.concatenate([tree.counts for tree in self.trees])
        shares = counts.T / counts.sum(axis=1)
        P = leaf_sums(self.trees, shares, x, y) / len(self.trees)
        winners = _winners(np.moveaxis(P, 0, -1))
        return self.classes[winners], P.max(axis=0)


def _winners(shares: Float[ndarray, "*places k"]) -> Int[ndarray, "*places"]:
    """Return the index of the largest share, the first one in a tie."""
    return (shares >= shares.max(axis=-1, keepdims=True) - TIE).argmax(axis=-1)


@dataclass(frozen=True, eq=False)
class Account(Record):
    """A run in numbers, an entry per tree; errors are shares of the points.

    `out_of_bag_error` is NaN until there is one. `tree_error` is that of each tree alone on the
    held-out points, `held_out_error` that of the vote so far; both are None without such points.
    `says` holds the class, as an index into `classes`, that each tree predicts for every point, and
    `missed` whether the trees so far that have not seen the point vote wrongly.
    """

    classes: Int[ndarray, " k"]
    out_of_bag_error: Float[ndarray, " t"]
    tree_error: Float[ndarray, " t"] | None
    held_out_error: Float[ndarray, " t"] | None
    says: UInt8[ndarray, "t n"]
    missed: Bool[ndarray, "t n"]

    def votes(self, now: int) -> Int[ndarray, "n k"]:
        """Return how many of the trees 0..now vote for each class on every point."""
        said = self.says[: now + 1]
        return np.stack([(said == k).sum(axis=0) for k in range(len(self.classes))], axis=1)

    def disagreement(self, now: int) -> Float[ndarray, " n"]:
        """Return the variance of the trees' votes on every point: 1 - sum_k v_k^2.

        v_k is the share of the trees that vote for k. It is the probability that two trees, drawn
        with replacement, vote for different classes.
        """
        return 1 - np.square(self.votes(now) / (now + 1)).sum(axis=1)


def account(
    steps: Sequence[RandomForestStep],
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    held: Bool[ndarray, " n"],
) -> Account:
    """Return the errors and votes of a run on all points, held out or not.

    The forest was grown on the points that are not `held`, in their order. Raises ValueError
    unless X is finite and y holds n integers.
    """
    X = validate.points(X)
    y = validate.integers(y, len(X))
    classes, trees = steps[0].classes, steps[-1].trees
    total = np.zeros((len(X), len(classes)))
    says = np.empty((len(trees), len(X)), np.uint8)
    missed = np.empty((len(trees), len(X)), bool)
    for t, (tree, step) in enumerate(zip(trees, steps, strict=True)):
        shares = tree.predict_proba(X)
        total += shares
        says[t] = _winners(shares)
        missed[t] = classes[_winners(total / (t + 1))] != y
        missed[t, ~held] = step.wrong
    errors = [np.nan if s.out_of_bag_error is None else s.out_of_bag_error for s in steps]
    some = bool(held.any())
    return Account(
        classes=classes,
        out_of_bag_error=np.array(errors),
        tree_error=(classes[says] != y)[:, held].mean(axis=1) if some else None,
        held_out_error=missed[:, held].mean(axis=1) if some else None,
        says=says,
        missed=missed,
    )
