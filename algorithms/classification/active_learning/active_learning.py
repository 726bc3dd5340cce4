"""Active learning: the learner chooses the point whose label it asks for next.

Labels are known for a few points only. A step asks for one more label and fits again:

    query   i = argmax_i s(x_i) over the pool, the points that may be asked and have no label yet
    fit     P(c | x) by logistic regression on all points with a label, penalty fixed

    margin      s(x) = 1 - (P(c1 | x) - P(c2 | x)), with the two most probable classes c1 and c2
    entropy     s(x) = H(P(. | x)),                   where H(p) = -sum_c p_c log2 p_c
    committee   s(x) = H(mean_b P_b(. | x)) - mean_b H(P_b(. | x))
    chance      s(x) = 0

A committee has B members. Member b is fitted to every labelled point K_bi times, with K_bi drawn
from a Poisson distribution of mean 1, as in bagging; the first labels count at least once. Its
score is large where each member is sure, but the members disagree. Ties (up to 1e-9) are broken by
an order of the points that is drawn at the start, so "chance" asks in this order.

Cost: one fit a step, B + 1 with a committee; O(n K) for the scores of n points and K classes.

Source: CS725 14.3 (000:2592); Lewis and Gale 1994 (margin), Seung, Opper and Sompolinsky 1992
(committee), McCallum and Nigam 1998 (its score); Settles 2009.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.special import xlogy

from algorithms.classification.linear.logistic_regression.logistic_regression import (
    LogisticRegressionStep,
    logistic_regression,
)
from algorithms.core import validate
from algorithms.core.features import PolynomialFeatures, polynomial_features
from algorithms.core.iterate import STOPPED, iterate
from algorithms.core.record import Record, last

RULES = ("margin", "entropy", "committee", "chance")
MEMBERS = 5
PENALTY = 0.01
ROUNDING = 9  # decimals of a score: smaller differences do not choose

Event = Literal["surprise", "every label is known", "stopped at max_iter"]


def active_learning(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    known: Bool[ndarray, " n"],
    *,
    rng: Generator,
    rule: str = "margin",
    degree: int = 1,
    held_out: Bool[ndarray, " n"] | None = None,
    answers: Sequence[int] = (),
    max_iter: int = 30,
    penalty: float = PENALTY,
) -> Iterator["QueryStep"]:
    """Ask for one label after the other, by a rule; those of the `known` points are given.

    The logistic regression has polynomial features of a degree. Points of `held_out` are never
    asked. Query t is answered by `answers[t]` if there are that many, and by `y` otherwise.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes,
    `known` marks points of every class and none that is held out, the rule is one of RULES and
    every answer one of the classes, degree is between 1 and 10, max_iter >= 0 and penalty > 0.
    """
    pool = as_pool(X, y, known, rule, degree, held_out, answers, penalty, rng)
    max_iter = validate.integer("max_iter", max_iter, 0)
    rows = np.flatnonzero(known)
    start = fitted(pool, rows, pool.codes[rows], None)
    return iterate(start, partial(advance, pool), most=max_iter, stopped=STOPPED)


def advance(pool: "Pool", step: "QueryStep") -> "QueryStep":
    """Return the step that follows: the queried point has its label, and the model is fitted."""
    t = len(step.known) - pool.started
    return told(pool, step.query, pool.answer(t, step.query), step)


def told(pool: "Pool", i: int, code: int, step: "QueryStep") -> "QueryStep":
    """Return the step after point i got a label, the index of a class."""
    known, given = np.append(step.known, i), np.append(step.given, code)
    return fitted(pool, known, given, step)


def fitted(
    pool: "Pool", known: Int[ndarray, " k"], given: Int[ndarray, " k"], before: "QueryStep | None"
) -> "QueryStep":
    """Return the model of the labels so far, the scores of the pool, and the next query."""
    model = pool.fit(known, given)
    members: tuple[LogisticRegressionStep, ...] = ()
    if pool.rule == "committee":
        members = tuple(pool.fit(*pool.heard(b, known, given)) for b in range(MEMBERS))
    s = score(pool.rule, pool.F, model, members)
    open_ = pool.allowed.copy()
    open_[known] = False
    query = chosen(s, open_, pool.rank)
    surprised = before is not None and before.model.predict(pool.F[known[-1:]])[0] != given[-1]
    event: Event | None = "surprise" if surprised else None
    if query < 0:
        event = "every label is known"
    return QueryStep(pool.classes, pool.features, known, given, model, members, s, query, event)


def score(
    rule: str,
    F: Float[ndarray, "n p"],
    model: LogisticRegressionStep,
    members: Sequence[LogisticRegressionStep],
) -> Float[ndarray, " n"]:
    """Return s(x) for every row of features: how much the rule wants to know its label."""
    P = model.predict_proba(F)
    if rule == "margin":
        second, most = np.sort(P, axis=1)[:, -2:].T
        return 1 - (most - second)
    if rule == "entropy":
        return H(P)
    if rule == "committee":
        each = [member.predict_proba(F) for member in members]
        return H(np.mean(each, axis=0)) - np.mean([H(P_b) for P_b in each], axis=0)
    return np.zeros(len(F))


def H(p: Float[ndarray, "n k"]) -> Float[ndarray, " n"]:
    """Return the entropy of every row, in bits."""
    return -xlogy(p, p).sum(axis=1) / np.log(2)


def chosen(s: Float[ndarray, " n"], open_: Bool[ndarray, " n"], rank: Int[ndarray, " n"]) -> int:
    """Return the open point with the largest score, in a tie the first in order; or -1."""
    rows = np.flatnonzero(open_)
    if len(rows) == 0:
        return -1
    return int(rows[np.lexsort((rank[rows], -np.round(s[rows], ROUNDING)))[0]])


@dataclass(frozen=True, eq=False)
class Pool(Record):
    """Everything that is the same at all steps. codes : the class of every point, as an index.

    allowed : which points may be asked. F : their features. rank : the place of every point in the
    order drawn ahead. counts : how often a member hears each label. started : the labels known at
    the start. answers : indices of classes.
    """

    classes: Int[ndarray, " c"]
    codes: Int[ndarray, " n"]
    features: PolynomialFeatures
    F: Float[ndarray, "n p"]
    allowed: Bool[ndarray, " n"]
    rank: Int[ndarray, " n"]
    counts: Int[ndarray, "b n"]
    rule: str
    penalty: float
    started: int
    answers: tuple[int, ...]

    def answer(self, t: int, i: int) -> int:
        """Return the answer to query t, about point i."""
        return self.answers[t] if t < len(self.answers) else int(self.codes[i])

    def fit(self, known: Int[ndarray, " k"], given: Int[ndarray, " k"]) -> LogisticRegressionStep:
        """Return the logistic regression of some labels."""
        return last(logistic_regression(self.F[known], given, penalty=self.penalty))

    def heard(
        self, b: int, known: Int[ndarray, " k"], given: Int[ndarray, " k"]
    ) -> tuple[Int[ndarray, " l"], Int[ndarray, " l"]]:
        """Return the labels that member b hears, each as often as was drawn."""
        times = self.counts[b, known]
        return np.repeat(known, times), np.repeat(given, times)


def as_pool(
    X: Any, y: Any, known: Any, rule: str, degree: int, held_out: Any, answers: Sequence[int],
    penalty: float, rng: Generator,
) -> Pool:  # fmt: skip
    """Check the arguments of `active_learning`, and draw the order and the counts."""
    X = validate.points(X)
    n = len(X)
    classes, codes = validate.labels(y, n)
    validate.choice("rule", rule, RULES)
    penalty = validate.number("penalty", penalty, positive=True)
    held_out = np.zeros(n, bool) if held_out is None else np.asarray(held_out, bool)
    known = np.asarray(known, bool)
    for name, mask in (("held_out", held_out), ("known", known)):
        if mask.shape != (n,):
            raise ValueError(f"{name} must have shape (n,) = ({n},), got shape {mask.shape}")
    if (known & held_out).any():
        raise ValueError(f"known must mark no held-out point, got {np.sum(known & held_out)}")
    if len(np.unique(codes[known])) < len(classes):
        raise ValueError(f"known must mark a point of each of {len(classes)} classes")
    strange = set(answers) - set(classes.tolist())
    if strange:
        raise ValueError(f"answers must be classes of y, got {sorted(strange)}")
    features = polynomial_features(X[~held_out], degree)
    order, counts = rng.permutation(n), rng.poisson(1.0, (MEMBERS, n))
    counts[:, known] = np.maximum(counts[:, known], 1)
    rank = np.empty(n, int)
    rank[order] = np.arange(n)
    given = tuple(np.searchsorted(classes, np.asarray(answers, int)).tolist())
    return Pool(
        classes, codes, features, features(X), ~held_out, rank, counts, rule, penalty,
        int(known.sum()), given,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class QueryStep(Record):
    """The model of the labels so far, and the point that is asked next.

    known : the points with a label, in the order in which they got it. given : their labels, as
    indices of classes. model : of the features. members : of the committee, if there is one.
    scores : s(x_i) of every point, also of those that are not asked. query : -1 if none is left.

    Events: "surprise", if the newest label is not what the model had predicted; "every label is
    known" ends the run.
    """

    final_events = ("every label is known",)

    classes: Int[ndarray, " c"]
    features: PolynomialFeatures
    known: Int[ndarray, " k"]
    given: Int[ndarray, " k"]
    model: LogisticRegressionStep
    members: tuple[LogisticRegressionStep, ...]
    scores: Float[ndarray, " n"]
    query: int
    event: Event | None = None

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return P(c | x) of every class for every row of `X`."""
        return self.model.predict_proba(self.features(X))

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the most probable class of every row of `X`."""
        return self.classes[self.model.predict(self.features(X))]

    def certain(self) -> dict[str, Any]:
        """Return which labels are known; the weights come from an iteration."""
        return {"known": self.known, "given": self.given}
