"""Rule post-pruning: read a grown tree as rules, and prune each rule on its own.

The way from the root to a leaf is a rule: a conjunction of conditions `x_j <= t` or `x_j > t` that
predicts the commonest class of the leaf. How accurate is a rule R? It holds for n(R) of the
held-out points, on which the tree did not grow, and is right for r(R) of them. With K classes, the
Laplace estimate of its accuracy is

    A(R) = (r(R) + 1) / (n(R) + K)

Without any point it is 1/K, a guess. The more points a rule is right for, the closer A comes to the
plain share r/n, which would call a rule perfect after a single point.

Update rule: remove from the rule whose turn it is the condition that leaves the highest estimate,
as long as the estimate does not fall,

    c <- argmax of A(R without c) over the conditions of R,   R <- R without c

and if it would fall, go on with the next rule. Ties go to the condition nearest to the leaf. Each
rule is pruned as if it were alone, so the same test of the tree can go in one rule and stay in
another. At the end the rules are sorted by A, and the first one that holds for a point predicts its
class. (The greedy order need not find a rule's best set of conditions.)

The rules of a tree share the points out among themselves. A rule without a condition holds for more
points, never for fewer, so rules soon overlap, and every point still has one. A default, the
commonest class of the training points, stands behind the last rule for the sake of completeness.

Cost: O(c^2 n) for every step, with c conditions in the rule and n held-out points.

Source: 20APC3316 16 C (002:549), Mitchell 1997 3.7.1.2, Quinlan 1993. The notes remove a condition
only if the estimate rises. Here one that makes no difference goes, too: the rule is shorter.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.classification.decision_tree.tree import Tree
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

Event = Literal["rule pruned", "removed by hand", "sorted"]


def rule_post_pruning(
    tree: Tree, X: Float[ndarray, "n d"], y: Int[ndarray, " n"]
) -> Iterator["RulesStep"]:
    """Remove one condition a step from the rules of `tree`; (X, y) are the held-out points.

    The first step has a rule for every leaf, with all its conditions. The last one sorts the rules.

    Raises ValueError, at the call, unless X is finite, with all the features that the tree tests,
    and y holds n integers.
    """
    if len(X) == 0:
        raise ValueError("X must hold the held-out points, and no point is held out")
    X = validate.points(X)
    needed = int(tree.feature.max()) + 1
    if X.shape[1] < needed:
        raise ValueError(f"X must have at least {needed} columns, as the tree tests, got {X.shape}")
    y = validate.integers(y, len(X))
    rules = tuple(_rule(tree, leaf) for leaf in tree.leaves.tolist())
    counted = np.array([counts(rule, X, y) for rule in rules])
    first = RulesStep(
        classes=tree.classes,
        rules=rules,
        right=counted[:, 0],
        covered=counted[:, 1],
        order=np.arange(len(rules)),
        default=int(tree.classes[tree.majority[0]]),
    )
    first = replace(first, errors=_errors(first, X, y))
    first = replace(first, event="sorted") if len(rules) == 1 else first
    return iterate(first, partial(advance, X, y), most=sum(len(rule.kept) for rule in rules) + 1)


def advance(X: Float[ndarray, "n d"], y: Int[ndarray, " n"], step: "RulesStep") -> "RulesStep":
    """Remove the best condition of the first rule that can lose one; then sort the rules."""
    for turn in range(step.turn, len(step.rules)):
        tried = trials(step.rules[turn], X, y, len(step.classes))
        if tried and (best := best_of(tried)).estimate >= step.estimates[turn]:
            return _without(X, y, replace(step, turn=turn), turn, best, tried)
    order = np.argsort(-step.estimates, kind="stable")
    after = replace(
        step, order=order, turn=len(step.rules), rule=-1, removed=-1, tried=(), event="sorted"
    )
    return replace(after, errors=_errors(after, X, y))


def counts(rule: "Rule", X: Float[ndarray, "n d"], y: Int[ndarray, " n"]) -> tuple[int, int]:
    """Return r(R) and n(R): of the points for which the rule holds, those of its class, and all."""
    holds = rule.holds(X)
    return int(np.count_nonzero(holds & (y == rule.label))), int(np.count_nonzero(holds))


def estimate(
    right: Int[ndarray, " l"] | int, covered: Int[ndarray, " l"] | int, K: int
) -> Float[ndarray, " l"] | float:
    """Return A(R) = (r(R) + 1) / (n(R) + K)."""
    return (right + 1) / (covered + K)


def trials(
    rule: "Rule", X: Float[ndarray, "n d"], y: Int[ndarray, " n"], K: int
) -> tuple["Trial", ...]:
    """Return A(R without c) for every condition c that the rule still has."""
    found = []
    for c in np.flatnonzero(rule.kept).tolist():
        right, covered = counts(rule.without(c), X, y)
        found.append(Trial(c, right, covered, float(estimate(right, covered, K))))
    return tuple(found)


def best_of(tried: Sequence["Trial"]) -> "Trial":
    """Return the trial with the highest estimate, in a tie the condition nearest to the leaf."""
    return max(tried, key=lambda trial: (trial.estimate, trial.condition))


def by_hand(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    chosen: tuple[int, int],
    step: "RulesStep",
) -> "RulesStep":
    """Return the step after `step` when a (rule, condition) is removed, even if A falls.

    Raises ValueError unless the rule (-1 if no rule can lose one) still has this condition.
    """
    rule, condition = chosen
    if rule < 0:
        raise ValueError("no rule has a condition left that could be removed")
    if condition not in np.flatnonzero(step.rules[rule].kept):
        raise ValueError(f"condition must be one that rule {rule + 1} still has, got {condition}")
    tried = trials(step.rules[rule], X, y, len(step.classes))
    trial = next(each for each in tried if each.condition == condition)
    step = replace(step, turn=min(step.turn, rule))
    return replace(_without(X, y, step, rule, trial, tried), event="removed by hand")


@dataclass(frozen=True, eq=False)
class Rule(Record):
    """The conditions on the way to a leaf, from the root on, and the class that they predict.

    `below` says which conditions are x_j <= t; the others are x_j > t. `kept` are those that the
    rule still has.
    """

    feature: Int[ndarray, " c"]
    threshold: Float[ndarray, " c"]
    below: Bool[ndarray, " c"]
    kept: Bool[ndarray, " c"]
    label: int

    def holds(self, X: Float[ndarray, "n d"]) -> Bool[ndarray, " n"]:
        """Return for which rows of `X` all conditions hold that the rule still has."""
        j, t, below = (part[self.kept] for part in (self.feature, self.threshold, self.below))
        return ((X[:, j] <= t) == below).all(axis=1)

    def without(self, condition: int) -> "Rule":
        """Return the rule without one of its conditions."""
        kept = self.kept.copy()
        kept[condition] = False
        return replace(self, kept=kept)

    def box(self, d: int) -> tuple[Float[ndarray, " d"], Float[ndarray, " d"]]:
        """Return the box in which the rule holds: lower < x <= upper."""
        lower, upper = np.full(d, -np.inf), np.full(d, np.inf)
        below, above = self.kept & self.below, self.kept & ~self.below
        np.minimum.at(upper, self.feature[below], self.threshold[below])
        np.maximum.at(lower, self.feature[above], self.threshold[above])
        return lower, upper


@dataclass(frozen=True)
class Trial:
    """What a rule is right for, of how many points, and its estimate, without a condition."""

    condition: int
    right: int
    covered: int
    estimate: float


@dataclass(frozen=True, eq=False)
class RulesStep(Record):
    """The rules after one more removal; also a model, since `predict` works at every step.

    Rule number `rule` lost its condition `removed` (both -1 at the start, and when the rules are
    sorted); `tried` are the estimates without each of the conditions that it had. `right` and
    `covered` are r and n of every rule as it stands. `turn` is the rule from which pruning goes on.
    The rules are asked in the order of `order`, and `errors` of the held-out points are wrong.

    Events: "rule pruned" (this rule cannot lose another condition), "removed by hand", and at the
    end "sorted".
    """

    final_events: ClassVar = (*Record.final_events, "sorted")

    classes: Int[ndarray, " k"]
    rules: tuple[Rule, ...]
    right: Int[ndarray, " l"]
    covered: Int[ndarray, " l"]
    order: Int[ndarray, " l"]
    default: int
    rule: int = -1
    removed: int = -1
    tried: tuple[Trial, ...] = ()
    turn: int = field(default=0, compare=False)
    errors: int = 0
    event: Event | None = None

    @property
    def estimates(self) -> Float[ndarray, " l"]:
        """Return A of every rule."""
        return np.asarray(estimate(self.right, self.covered, len(self.classes)))

    @property
    def conditions(self) -> int:
        """Return the number of conditions that all rules have together."""
        return sum(int(np.count_nonzero(rule.kept)) for rule in self.rules)

    def deciding(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the first rule that holds for each row of `X`, -1 if none does."""
        decides = np.full(len(X), -1)
        for rule in self.order[::-1].tolist():
            decides[self.rules[rule].holds(X)] = rule
        return decides

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class of the first rule that holds for each row, or the default."""
        labels = np.array([*(rule.label for rule in self.rules), self.default])
        return labels[self.deciding(X)]


def _rule(tree: Tree, leaf: int) -> Rule:
    """Return the conditions on the way from the root to a leaf."""
    way = tree.above(leaf)[::-1]
    tests = way[:-1]
    return Rule(
        feature=tree.feature[tests].astype(int),
        threshold=tree.threshold[tests],
        below=tree.left[tests] == way[1:],
        kept=np.ones(len(tests), bool),
        label=int(tree.classes[tree.majority[leaf]]),
    )


def _without(
    X: ndarray, y: ndarray, step: RulesStep, rule: int, trial: Trial, tried: tuple[Trial, ...]
) -> RulesStep:
    """Return the step in which a rule has lost the condition of a trial."""
    rules, right, covered = list(step.rules), step.right.copy(), step.covered.copy()
    rules[rule] = rules[rule].without(trial.condition)
    right[rule], covered[rule] = trial.right, trial.covered
    after = replace(
        step, rules=tuple(rules), right=right, covered=covered, order=np.arange(len(rules)),
        rule=rule, removed=trial.condition, tried=tried, event=None,
    )  # fmt: skip
    left = trials(rules[rule], X, y, len(step.classes))
    if not left or best_of(left).estimate < trial.estimate:
        after = replace(after, event="rule pruned")
    return replace(after, errors=_errors(after, X, y))


def _errors(step: RulesStep, X: ndarray, y: ndarray) -> int:
    return int(np.count_nonzero(step.predict(X) != y))
