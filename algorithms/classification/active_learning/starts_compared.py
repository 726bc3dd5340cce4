"""Active learning from many starts: the mean errors of a rule, and those of chance.

One run proves little, because the first labels are drawn at random. So the run is repeated: start s
draws its own first labels, and from these both the rule and chance ask for q labels. After q
labels

    errors(s, q) = the number of judged points whose prediction is wrong,   mean over the starts

The judged points are those held out; all points, if none is.

Cost: that of two runs a start.

Source: Settles 2009, section 6; CS725 14.3 (000:2592).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.active_learning.active_learning import QueryStep, active_learning
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

STARTS = 20


def starts_compared(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    held_out: Bool[ndarray, " n"],
    *,
    rule: str,
    degree: int,
    per_class: int,
    max_iter: int,
    starts: int = STARTS,
) -> Iterator["StartStep"]:
    """Run the rule and chance from one start after the other.

    Raises ValueError, at the call, for what `active_learning` does, and unless starts >= 1.
    """
    starts = validate.integer("starts", starts, 1)
    X = validate.points(X)
    validate.labels(y, len(X))
    contest = Contest(X, y, held_out, degree, per_class, max_iter)
    first = both(contest, rule, 0)
    return iterate(
        StartStep(first[:1], first[1:]),
        partial(advance, contest, rule),
        most=starts - 1,
        stopped=None,
    )


@dataclass(frozen=True, eq=False)
class Contest(Record):
    """What is the same at every start. max_iter : labels asked for, after the first ones."""

    X: Float[ndarray, "n d"]
    y: Int[ndarray, " n"]
    held_out: Bool[ndarray, " n"]
    degree: int
    per_class: int
    max_iter: int


def advance(contest: Contest, rule: str, step: "StartStep") -> "StartStep":
    """Return the step with one start more."""
    errors = both(contest, rule, len(step.by_rule))
    return StartStep(np.vstack([step.by_rule, errors[0]]), np.vstack([step.by_chance, errors[1]]))


def both(contest: Contest, rule: str, seed: int) -> Int[ndarray, "2 q"]:
    """Return the errors of the rule and of chance, after 0, 1, ... labels."""
    return np.array([errors_from(contest, name, seed) for name in (rule, "chance")])


def errors_from(contest: Contest, rule: str, seed: int) -> Int[ndarray, " q"]:
    """Return the errors of one run after 0, 1, ... labels asked for."""
    X, y, held_out = contest.X, contest.y, contest.held_out
    run = active_learning(
        X, y, first_labels(y, held_out, contest.per_class, seed), rng=asking_rng(seed), rule=rule,
        degree=contest.degree, held_out=held_out, max_iter=contest.max_iter,
    )  # fmt: skip
    return np.array([int(wrong(step, X, y, held_out).sum()) for step in run])


def by_chance(contest: Contest, starts: int = STARTS) -> Float[ndarray, " q"]:
    """Return the mean errors of chance, over many starts, after 0, 1, ... labels."""
    return np.mean([errors_from(contest, "chance", seed) for seed in range(starts)], axis=0)


def means(contest: Contest, rule: str) -> Float[ndarray, "2 q"]:
    """Return the mean errors of a rule and of chance, over many starts, after 0, 1, ... labels."""
    if rule == "chance":
        return np.array(2 * [by_chance(contest)])
    return np.mean([both(contest, rule, seed) for seed in range(STARTS)], axis=0)


def first_labels(
    y: Int[ndarray, " n"], held_out: Bool[ndarray, " n"], per_class: int, seed: int
) -> Bool[ndarray, " n"]:
    """Draw `per_class` points of every class that are not held out, or all if there are fewer."""
    order = np.random.default_rng(seed).permutation(np.flatnonzero(~held_out))
    known = np.zeros(len(y), bool)
    for c in np.unique(y):
        known[order[y[order] == c][:per_class]] = True
    return known


def asking_rng(seed: int) -> Generator:
    """Return the generator that draws the order of chance and the committee of a start."""
    return np.random.default_rng([seed, 1])


def wrong(
    step: QueryStep, X: Float[ndarray, "n d"], y: Int[ndarray, " n"], held_out: Bool[ndarray, " n"]
) -> Bool[ndarray, " n"]:
    """Return which judged points are predicted wrong."""
    return (step.predict(X) != y) & judged(held_out)


def judged(held_out: Bool[ndarray, " n"]) -> Bool[ndarray, " n"]:
    """Return which points count: those held out, or all if none is."""
    return held_out if held_out.any() else ~held_out


@dataclass(frozen=True, eq=False)
class StartStep(Record):
    """The errors of every start so far, after 0, 1, ... labels, by the rule and by chance."""

    is_model = False

    by_rule: Int[ndarray, "s q"]
    by_chance: Int[ndarray, "s q"]
    event: str | None = None
