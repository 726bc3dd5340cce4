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
points on both sides. A feature's best cut is dismissed if it gains less than `min_gain`, or by a
chi-square test: under the hypothesis that both sides have the node's class shares p_k, the
statistic

    c = sum_k (n_Lk - n_L p_k)^2 / (n_L p_k) + sum_k (n_Rk - n_R p_k)^2 / (n_R p_k)

of a cut fixed beforehand follows about chi-square with K - 1 degrees of freedom (K classes in the
node), and a cut needs P(chi-square >= c) <= `significance`. But the cut is not fixed beforehand:
it is the best of all M cuts of the node, so that chance passes the test far more often than
`significance` says. `corrected` asks for M P(chi-square >= c) <= `significance` (Bonferroni):
whatever the M cuts have to do with each other, chance passes at most that often, as far as
chi-square is near the truth; as neighbouring cuts are alike, mostly much less often.

With min_gain = 0 a cut without any gain is made too: the next one may need it (exclusive or).

Ties (scores within 1e-12) go to the more even cut, then the first feature, then the lower
threshold. (scikit-learn takes the first threshold of a random feature.)

Cost: O(n d log n) once to sort; then O(n d K) for the nodes of one depth together.

Source: CS725 3-5 and 7.3 (000:272, 000:915), CS337 (003:777), CIS787 (004:92). Slips not copied:
CS725 5.1 divides only the second term of the gain by SplitInfo; CS725 7.3 sums over the left
side alone, which has K - 1 degrees of freedom only if the p_k were known without the sample.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from math import ceil, log2
from typing import Literal

from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.trees._growing_tree import Fate, GrowingTree, Rules
from algorithms.classification.trees._impurity import CRITERIA
from algorithms.classification.trees.split import TIE, Cut, Scan, Split, thresholds
from algorithms.classification.trees.tree import Tree
from algorithms.core import validate
from algorithms.core.record import Record

ORDERS = ("best first", "depth first")
Event = Literal["no gain", "split by hand", "pure", "stopped"]


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
    corrected: bool = False,
    instead: tuple[int, Cut] | None = None,
) -> Iterator["DecisionTreeStep"]:
    """Grow a tree by one split a step, until every leaf is pure or a stopping rule holds it.

    The first step is a single leaf. `criterion` is "entropy", "gini" or "error", `order` is "best
    first" or "depth first". The limits apply to the gain, also where the gain ratio ranks the
    cuts; `significance` 1 makes no chi-square test. `corrected` multiplies the test's P by the
    number of cuts that were tried at the node. `instead` is the number of a step, 1 or more, and a
    cut (feature, threshold): in this step the leaf whose turn it is is split there and not at its
    best cut, whatever min_gain and the test say of it; the rest grows as ever.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes,
    max_depth >= 1, min_samples_leaf >= 1, min_gain >= 0 and significance is between 0 and 1; on the
    way if the cut that is to be made instead does not leave min_samples_leaf points on both sides.
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
    scan = Scan(criterion, gain_ratio, least, len(X))
    best_first = order == "best first"
    rules = Rules(max_depth, min_gain, float(significance), best_first, bool(corrected))
    at, cut = instead or (0, (0, 0.0))
    if instead:
        validate.integer("instead[0]", at, 1)
        validate.integer("instead[1][0]", cut[0], 0, X.shape[1] - 1)
    return _grow(GrowingTree(X, codes, classes, scan, rules), at, cut)


def _grow(tree: GrowingTree, at: int, cut: Cut) -> Iterator["DecisionTreeStep"]:
    """Split leaf after leaf; the one of step `at` is split by `cut`."""
    fates: tuple[Fate, ...] = (tree.consider(0),)
    node, gain, candidates, by_hand = -1, 0.0, tree.candidates[0], None
    for step in count():
        event: Event | None = "no gain" if node >= 0 and gain <= TIE else None
        event = "split by hand" if by_hand else event
        if tree.finished:
            event = "stopped" if tree.mixed else "pure"
        yield DecisionTreeStep(tree.now(), node, candidates, gain, fates, event, by_hand)
        if tree.finished:
            return
        node = tree.next_leaf()
        by_hand = tree.cut_by_hand(node, cut) if step + 1 == at else None
        gain, candidates = tree.best[node].gain, tree.candidates.pop(node)
        left, right = tree.split(node)  # at argmax over (j, t) of the gain, found when considered
        fates = (tree.consider(left), tree.consider(right))


@dataclass(frozen=True, eq=False)
class DecisionTreeStep(Record):
    """The tree after one more split; also a model, since `predict` works at every step.

    `node` was split, and `candidates` are the best cuts of every feature that can be cut there;
    `gain` is that of the one chosen. At the start `node` is -1, the gain 0, and the candidates are
    the root's. `fates` says of every new node (the root, or left and right) whether it is "open"
    to be split later or why it stays a leaf. `by_hand` is the split that was made where it was not
    that of the best cut.

    Events: "no gain" (this split did not lower the impurity), "split by hand"; at the end "pure"
    (every leaf holds one class) or "stopped" (the stopping rules left mixed leaves).
    """

    tree: Tree
    node: int
    candidates: tuple[Split, ...]
    gain: float
    fates: tuple[Fate, ...]
    event: Event | None = None
    by_hand: Split | None = None

    @property
    def classes(self) -> Int[ndarray, " k"]:
        """The classes, in the order of all counts and shares."""
        return self.tree.classes

    @property
    def chosen(self) -> Split | None:
        """What became the test of `node`: a candidate, or the split by hand."""
        if self.by_hand:
            return self.by_hand
        feature = self.tree.feature[self.node]
        return next((c for c in self.candidates if self.node >= 0 and c.feature == feature), None)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the commonest class of each row's leaf, the smaller class in a tie."""
        return self.tree.predict(X)

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the shares of the classes in each row's leaf."""
        return self.tree.predict_proba(X)


def possible_cuts(
    tree: Tree, node: int, X: Float[ndarray, "n d"], feature: int, least: int
) -> Float[ndarray, " cuts"]:
    """Return the thresholds at which a node can be cut so that either side has so many points."""
    lower, upper = (ends[node] for ends in tree.boxes(X.shape[1]))
    here = ((lower < X) & (upper >= X)).all(axis=1)
    return thresholds(X[here, feature], least)


def mdl_cost(tree: Tree, n_features: int) -> tuple[int, int]:
    """Return the bits that describe the tree, and those for the training points it gets wrong.

    inner nodes * ceil(log2 features) + leaves * ceil(log2 classes), and errors * ceil(log2 n):
    the description length of CIS787 (004:160), which leaves out the thresholds.
    """
    n, k = int(tree.counts[0].sum()), len(tree.classes)
    structure = len(tree.inner) * ceil(log2(n_features)) + len(tree.leaves) * ceil(log2(k))
    return structure, tree.errors * ceil(log2(n))
