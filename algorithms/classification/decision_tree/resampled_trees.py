"""How much a tree depends on its sample: trees grown on resamples of the same points.

A bootstrap resample is n draws, with replacement, from the n points: some come twice or more,
each is missing with probability (1 - 1/n)^n, about 37 %. A resample is the nearest thing to another
sample from the same source, as long as there are no new points. Update rule, for b = 1..B:

    rows_b <- n draws from 1..n,  tree_b <- decision_tree(X[rows_b], y[rows_b])

A resample of a single class is drawn again. Each tree is compared with tree_0, grown on the points
themselves: which points get another class, and does it begin with another question? The first
question counts as another one if more than a tenth of the points change sides:

    min(q, n - q) / n > 1/10,  q the points that go left at one root and right at the other

Trees are grown greedily: where two questions are nearly as good at the root, a few points decide
which one is asked, and everything below follows from that.

The vote of the trees (bagging) is steadier than any of them:

    vote(x) = the class that most of tree_1..tree_B predict, the smaller class in a tie

Cost of a step: that of growing a tree.

Source: CS337 (003:880, 003:1968), Breiman 1996.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from jaxtyping import Bool, Float, Int, UInt8
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.decision_tree.decision_tree import decision_tree
from algorithms.classification.decision_tree.tree import Tree
from algorithms.core import validate
from algorithms.core.record import Record, last

ANOTHER = 0.1  # share of the points that change sides if the first question is another one

Event = Literal["another first question"]


@dataclass(frozen=True, eq=False)
class ResampledTreeStep(Record):
    """A tree grown on one resample; also a model, since `predict` works at every step.

    `drawn` says how often each point is in the resample (once each at the start, where the tree is
    that of the points themselves), `changed` which points get another class than from that tree,
    and `parted` the share of the points that its first question sends to another side.

    Events: "another first question" (`parted` is more than a tenth).
    """

    tree: Tree
    drawn: Int[ndarray, " n"]
    changed: Bool[ndarray, " n"]
    parted: float
    event: Event | None = None

    @property
    def classes(self) -> Int[ndarray, " k"]:
        """Return the classes of the resample, in the order of all counts and shares."""
        return self.tree.classes

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the commonest class of each row's leaf, the smaller class in a tie."""
        return self.tree.predict(X)


def resampled_trees(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    resamples: int = 20,
    rng: Generator,
    growing: Mapping[str, Any] | None = None,
) -> Iterator[ResampledTreeStep]:
    """Grow a tree on the points, then one more on each of `resamples` resamples of them.

    `growing` says how, by the parameters of `decision_tree`.

    Raises ValueError, at the call, unless resamples >= 1; and what `decision_tree` raises.
    """
    X = validate.points(X)
    resamples = validate.integer("resamples", resamples, 1)
    how = growing or {}
    first = last(decision_tree(X, y, **how)).tree
    return _resample(X, np.asarray(y), first, resamples, rng, how)


def _resample(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    first: Tree,
    resamples: int,
    rng: Generator,
    how: Mapping[str, Any],
) -> Iterator[ResampledTreeStep]:
    n, says, left = len(X), first.predict(X), _goes_left(first, X)
    yield ResampledTreeStep(first, np.ones(n, int), np.zeros(n, bool), 0.0)
    for _ in range(resamples):
        rows = _draw(y, rng)
        tree = last(decision_tree(X[rows], y[rows], **how)).tree
        share = float(np.mean(_goes_left(tree, X) != left))
        parted = min(share, 1 - share)
        yield ResampledTreeStep(
            tree=tree,
            drawn=np.bincount(rows, minlength=n),
            changed=tree.predict(X) != says,
            parted=parted,
            event="another first question" if parted > ANOTHER else None,
        )


def _goes_left(tree: Tree, X: Float[ndarray, "n d"]) -> Bool[ndarray, " n"]:
    """Return which points the first question sends to the left; all if nothing is asked."""
    feature = tree.feature[0]
    return X[:, feature] <= tree.threshold[0] if feature >= 0 else np.ones(len(X), bool)


def _draw(y: Int[ndarray, " n"], rng: Generator) -> Int[ndarray, " n"]:
    """Draw a resample of two classes or more."""
    while True:
        rows = rng.integers(len(y), size=len(y))
        if (y[rows] != y[rows[0]]).any():
            return rows


@dataclass(frozen=True, eq=False)
class GridVotes(Record):
    """The predictions of all trees of a run on a grid; row 0 belongs to y[0].

    `says` are indices into the `classes`. `changed` is the share of the cells that get another
    class than from the first tree.
    """

    classes: Int[ndarray, " k"]
    says: UInt8[ndarray, "trees rows columns"]
    changed: Float[ndarray, " trees"]

    def vote(self, now: int) -> tuple[Int[ndarray, "rows columns"], Float[ndarray, "rows columns"]]:
        """Return the class that wins the vote of tree 1..now, and its share of the votes.

        At step 0, this is the class that the first tree predicts.
        """
        voting = self.says[min(now, 1) : now + 1]
        votes = np.array(
            [(voting == k).sum(axis=0, dtype=np.int16) for k in range(len(self.classes))]
        )
        return self.classes[votes.argmax(axis=0)], votes.max(axis=0) / len(voting)


def grid_votes(
    steps: Sequence[ResampledTreeStep], x: Float[ndarray, " columns"], y: Float[ndarray, " rows"]
) -> GridVotes:
    """Return the predictions of every tree for the cells (x, y); x and y ascend."""
    classes = steps[0].classes  # a resample may lack some of them
    says = np.empty((len(steps), len(y), len(x)), np.uint8)
    for b, step in enumerate(steps):
        tree = step.tree
        codes = classes.searchsorted(tree.classes).astype(np.uint8)
        says[b] = codes[tree.majority][tree.over_grid(x, y)]
    return GridVotes(classes, says, (says != says[0]).mean(axis=(1, 2)))


def votes(
    steps: Sequence[ResampledTreeStep], x: Float[ndarray, " d"], k: int
) -> Int[ndarray, "trees k"]:
    """Return how many of the trees 1..b predict each of k classes at the point `x`, for every b.

    Row 0 is for the first tree alone.
    """
    says = np.array([step.predict(x[None])[0] for step in steps])
    single = (says[:, None] == np.arange(k)).astype(int)
    return np.concatenate([single[:1], single[1:].cumsum(axis=0)])
