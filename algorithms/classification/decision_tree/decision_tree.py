"""Classification trees, grown greedily from tests of one feature against a threshold.

At a node with n points, a cut `x_j <= t` sends n_L points to the left and n_R to the right. With
an impurity Imp of its class shares p_1..p_K,

    entropy   Imp = - sum_k p_k log2 p_k        (in bits; 0 log 0 = 0)
    gini      Imp = 1 - sum_k p_k^2
    error     Imp = 1 - max_k p_k

it is worth its gain, the impurity before minus the weighted impurity after,

    gain(j, t) = Imp - n_L/n Imp_L - n_R/n Imp_R        (never negative: Imp is concave)

or, to punish splinters, its gain ratio gain / SplitInfo, where SplitInfo is the entropy of the
sizes, -(n_L/n) log2 (n_L/n) - (n_R/n) log2 (n_R/n). Update rule: replace a leaf by a test,

    (j, t) <- argmax over all features and all cuts between two neighbouring values

with t half-way between them. Best first takes the leaf whose split lowers the impurity of the
whole tree most, n gain; depth first takes the newest leaf, and of two new ones the left one. The
order does not change which tests are made. Finding the smallest tree is NP-hard; this one is
greedy.

A leaf stays a leaf if it is pure, at depth `max_depth`, or if no cut leaves `min_samples_leaf`
points on both sides. A feature's best cut is dismissed if it gains less than `min_gain`, or by a
chi-square test: under the hypothesis that both sides have the node's class shares p_k, the
statistic

    c = sum_k (n_Lk - n_L p_k)^2 / (n_L p_k) + sum_k (n_Rk - n_R p_k)^2 / (n_R p_k)

of a cut fixed beforehand follows about chi-square with K - 1 degrees of freedom (K classes in the
node), and a cut needs P(chi-square >= c) <= `significance`. But the cut is not fixed beforehand:
it is the best of all M cuts of the node, so noise passes the test far more often than
`significance` says. `corrected` asks for M P(chi-square >= c) <= `significance` (Bonferroni).
However the M cuts depend on each other, noise then passes at most that often, as far as the
chi-square approximation holds; since neighbouring cuts are alike, usually much less often.

With min_gain = 0 a cut without any gain is made too: the next one may need it (exclusive or).

Ties (scores within 1e-12) go to the more even cut, then the first feature, then the lower
threshold. (scikit-learn takes the first threshold of a random feature.)

Cost of a split of n points: O(n d (K + log n)), all cuts of all features at once: in the order of
a feature, the class counts to the left of every cut are one cumulative sum.

The rules: rules.py. What a cut is: split.py. The tree: tree.py.

Source: CS725 3-5 and 7.3 (000:272, 000:915), CS337 (003:777), CIS787 (004:92). Slips not copied:
CS725 5.1 divides only the second term of the gain by SplitInfo; CS725 7.3 sums over the left
side alone, which has K - 1 degrees of freedom only if the p_k were known without the sample.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from operator import attrgetter
from typing import Any, ClassVar, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.decision_tree.rules import Fate, Rules
from algorithms.classification.decision_tree.split import TIE, Split, best, halfway
from algorithms.classification.decision_tree.tree import Tree
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.core.work import spend

TINY = np.finfo(float).tiny
CALLS = 5e5  # operations that could be done in the time that calling NumPy takes at a node

Event = Literal["no gain", "split by hand", "pure", "stopped"]


def decision_tree(
    X: Float[ndarray, "n d"], y: Int[ndarray, " n"], **rules: Any
) -> Iterator["DecisionTreeStep"]:
    """Grow a tree by one split a step, until every leaf is pure or a rule keeps it a leaf.

    The first step is a single leaf. The rules, all optional, are those of `Rules`: `criterion` is
    "entropy" (default), "gini" or "error"; `gain_ratio` ranks the cuts by their gain ratio; `order`
    is "best first" or "depth first". Limits: `max_depth` (5), `min_samples_leaf` (1), `min_gain`
    (0; of the gain, also where the gain ratio ranks), and `significance` (1 makes no chi-square
    test). `corrected` multiplies the test's P by the number of cuts that were tried at the node.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes,
    max_depth >= 1, min_samples_leaf >= 1, min_gain >= 0 and significance is between 0 and 1.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    how, tree = Rules(**rules), Tree.single(classes, np.bincount(codes))
    root = consider(X, y, how, tree, 0, np.arange(len(X)))
    first = _step(tree, -1, root.candidates, None, (root,), ())
    return iterate(first, partial(advance, X, y, how), most=len(X))


def advance(
    X: Float[ndarray, "n d"], y: Int[ndarray, " n"], rules: Rules, step: "DecisionTreeStep"
) -> "DecisionTreeStep":
    """Split the leaf that comes next at its best cut."""
    leaf = next_leaf(step, rules)
    assert leaf.best
    return _split(X, y, rules, step, leaf, leaf.best)


def next_leaf(step: "DecisionTreeStep", rules: Rules) -> "Leaf":
    """Return the open leaf with the largest n gain, or the newest, the left of two."""
    if rules.order == "depth first":
        return max(step.waiting, key=lambda leaf: (leaf.node + 1) // 2)  # of equals, the first
    return max(step.waiting, key=attrgetter("lowers"))


def impurity(p: Float[ndarray, "k *cuts"], criterion: str) -> Float[ndarray, "*cuts"] | np.float64:
    """Return Imp, the impurity of points with these shares of the classes."""
    if criterion == "entropy":
        return 0.0 - (p * np.log2(np.maximum(p, TINY))).sum(axis=0)  # 0 log 0 = 0, and no -0
    if criterion == "gini":
        return 1 - (p * p).sum(axis=0)
    return 1 - p.max(axis=0)


def gain(
    left: Int[ndarray, "k *cuts"], total: Int[ndarray, "k *ones"], criterion: str
) -> Float[ndarray, "*cuts"] | np.float64:
    """Return Imp - n_L/n Imp_L - n_R/n Imp_R, from the class counts left of cuts and in all."""
    left = left.astype(float)  # dividing whole numbers is slower
    n, n_L, Imp = total.sum(axis=0), left.sum(axis=0), partial(impurity, criterion=criterion)
    n_R, right = n - n_L, total - left
    lowered = Imp(total / n) - n_L / n * Imp(left / n_L) - n_R / n * Imp(right / n_R)
    return np.maximum(lowered, 0.0)  # it is never negative but by rounding


def split_info(
    left: Int[ndarray, "k *cuts"], total: Int[ndarray, "k *ones"]
) -> Float[ndarray, "*cuts"] | np.float64:
    """Return -(n_L/n) log2 (n_L/n) - (n_R/n) log2 (n_R/n), which the gain ratio divides by."""
    share = left.sum(axis=0) / total.sum(axis=0)
    return impurity(np.stack([share, 1 - share]), "entropy")


def best_cuts(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    classes: Int[ndarray, " k"],
    rules: Rules,
) -> list[Split]:
    """Return, for every feature j that can be cut, the cut with the highest score.

    (j, t) <- argmax over all cuts between two neighbouring values
    """
    n, least = len(X), rules.min_samples_leaf
    if n < 2 * least:
        return []
    order = X.T.argsort(axis=1)  # (d, n)
    values = np.sort(X.T, axis=1)
    below, above = values[:, least - 1 : n - least], values[:, least : n - least + 1]
    parts = above > below  # no cut between equal values
    counted = (y == classes[:, None]).take(order, axis=1).cumsum(axis=2)  # (k, d, n)
    left, total = counted[:, :, least - 1 : n - least], counted[:, :, -1:]
    gains = scores = np.asarray(gain(left, total, rules.criterion))
    if rules.gain_ratio:
        scores = gains / split_info(left, total)
    scores = np.where(parts, scores, -1.0)
    t = _first_of_the_best(scores, abs(np.arange(2 * least - n, n - 2 * least + 1, 2)))
    at = np.arange(len(t)), t
    threshold, tried = halfway(below[at], above[at]).tolist(), parts.sum(axis=1).tolist()
    right = total - left
    return [
        Split(
            feature=j,
            threshold=threshold[j],
            gain=gains.item(j, t),
            score=scores.item(j, t),
            left=tuple(left[:, j, t].tolist()),
            right=tuple(right[:, j, t].tolist()),
            tried=tried[j],
        )
        for j, t in enumerate(t.tolist())
        if tried[j]
    ]


def cut_at(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    classes: Int[ndarray, " k"],
    rules: Rules,
    cut: tuple[int, float],
) -> Split:
    """Return the split by a cut (feature, threshold) of these points, whether it is good or not.

    Raises ValueError unless it leaves min_samples_leaf points on both sides.
    """
    j = validate.integer("cut[0]", cut[0], 0, X.shape[1] - 1)
    goes_left, of_class = X[:, j] <= cut[1], y == classes[:, None]
    below, n = np.count_nonzero(goes_left), len(X)
    if min(below, n - below) < rules.min_samples_leaf:
        raise ValueError(
            f"cut must leave {rules.min_samples_leaf} or more points on either side, got {below} "
            f"and {n - below} of {n}"
        )
    left, total = of_class[:, goes_left].sum(axis=1), of_class.sum(axis=1)
    worth = score = float(gain(left, total, rules.criterion))
    if rules.gain_ratio:
        score = worth / float(split_info(left, total))
    sides = tuple(left.tolist()), tuple((total - left).tolist())
    return Split(j, float(cut[1]), worth, score, *sides, tried=1)


def by_hand(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    rules: Rules,
    cut: tuple[int, float],
    step: "DecisionTreeStep",
) -> "DecisionTreeStep":
    """Return what follows `step` when the leaf whose turn it is is split at another cut.

    Raises ValueError unless the cut (feature, threshold) leaves min_samples_leaf points on both
    sides; whether it gains enough does not matter.
    """
    leaf = next_leaf(step, rules)
    chosen = cut_at(X[leaf.rows], y[leaf.rows], step.classes, rules, cut)
    after = _split(X, y, rules, step, leaf, chosen)
    event = after.event if after.finished else "split by hand"
    return replace(after, by_hand=True, event=event)


def consider(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    rules: Rules,
    tree: Tree,
    node: int,
    rows: Int[ndarray, " m"],
) -> "Leaf":
    """Find the best cut of a new leaf with these points, or the reason why it stays a leaf."""
    if tree.counts[node].max() == len(rows):
        return Leaf(node, rows, "pure")
    if tree.depth[node] >= rules.max_depth:
        return Leaf(node, rows, "max_depth")
    spend(CALLS + 50.0 * len(tree.classes) * len(rows) * X.shape[1])
    cuts = best_cuts(X.take(rows, axis=0), y.take(rows), tree.classes, rules)
    fate, admitted = rules.admit(cuts)
    return Leaf(node, rows, fate, tuple(cuts), best(admitted) if admitted else None)


@dataclass(frozen=True, eq=False)
class Leaf(Record):
    """A new leaf: its training points, the best cut of every feature, and the best of all.

    `fate` is "open" if it will be split, otherwise the reason why it stays a leaf.
    """

    node: int
    rows: Int[ndarray, " m"]
    fate: Fate
    candidates: tuple[Split, ...] = ()
    best: Split | None = None

    @cached_property
    def lowers(self) -> float:
        """Return n gain: by how much the best cut lowers the impurity of the whole tree."""
        return round(len(self.rows) * self.best.gain, 9) if self.best else 0.0


@dataclass(frozen=True, eq=False)
class DecisionTreeStep(Record):
    """The tree after one more split; also a model, since `predict` works at every step.

    `node` was split, and `candidates` are the best cuts of every feature that can be cut there;
    `chosen` is the one made. At the start `node` is -1, nothing is chosen, and the candidates are
    the root's. `fates` says of every new node (the root, or left and right) whether it is "open"
    to be split later or why it stays a leaf. `waiting` are the open leaves. `by_hand`: the split is
    not that of the best cut.

    Events: "no gain" (this split did not lower the impurity), "split by hand"; at the end "pure"
    (every leaf holds one class) or "stopped" (the stopping rules left mixed leaves).
    """

    final_events: ClassVar = (*Record.final_events, "pure", "stopped")

    tree: Tree
    node: int
    candidates: tuple[Split, ...]
    chosen: Split | None
    fates: tuple[Fate, ...]
    waiting: tuple[Leaf, ...] = field(compare=False)
    by_hand: bool = False
    event: Event | None = None

    @property
    def gain(self) -> float:
        """Return the gain of the split; 0 at the start."""
        return self.chosen.gain if self.chosen else 0.0

    @property
    def finished(self) -> bool:
        """Return whether no leaf is open to be split."""
        return not self.waiting

    @property
    def classes(self) -> Int[ndarray, " k"]:
        """Return the classes, in the order of all counts and shares."""
        return self.tree.classes

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the commonest class of each row's leaf, the smaller class in a tie."""
        return self.tree.predict(X)

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the shares of the classes in each row's leaf."""
        return self.tree.predict_proba(X)


def _split(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    rules: Rules,
    step: DecisionTreeStep,
    leaf: Leaf,
    cut: Split,
) -> DecisionTreeStep:
    """Return the step that replaces a leaf by the test of a cut and two new leaves."""
    tree = step.tree.grown(leaf.node, cut)
    goes_left = X[leaf.rows, cut.feature] <= cut.threshold
    left, right = int(tree.left[leaf.node]), int(tree.right[leaf.node])
    new = (
        consider(X, y, rules, tree, left, leaf.rows[goes_left]),
        consider(X, y, rules, tree, right, leaf.rows[~goes_left]),
    )
    waiting = tuple(each for each in step.waiting if each is not leaf)
    return _step(tree, leaf.node, leaf.candidates, cut, new, waiting)


def _step(
    tree: Tree,
    node: int,
    candidates: tuple[Split, ...],
    chosen: Split | None,
    new: tuple[Leaf, ...],
    waiting: tuple[Leaf, ...],
) -> DecisionTreeStep:
    waiting += tuple(leaf for leaf in new if leaf.fate == "open")
    event: Event | None = "no gain" if chosen and chosen.gain <= TIE else None
    if not waiting:
        event = "stopped" if tree.errors else "pure"
    fates: tuple[Fate, ...] = tuple([leaf.fate for leaf in new])
    return DecisionTreeStep(tree, node, candidates, chosen, fates, waiting, event=event)


def _first_of_the_best(
    scores: Float[ndarray, "d cuts"], unevenness: Int[ndarray, " cuts"]
) -> Int[ndarray, " d"]:
    """Return the argmax of every feature; in a tie the more even cut, then the lower threshold."""
    tied = scores >= scores.max(axis=1, keepdims=True) - TIE
    return np.where(tied, unevenness, np.inf).argmin(axis=1)
