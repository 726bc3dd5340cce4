"""Bayes' rule, counted out on a thousand people who take a test.

    p = P(ill): the prevalence;  s = P(positive | ill): the sensitivity;
    f = P(positive | healthy): the false positive rate

    P(ill | positive) = p s / (p s + (1 - p) f)

Of n people, n p s are ill and test positive, and n (1 - p) f are healthy and test positive: the
rule is the share of the first among both. For the next test of the same people, the result is the
new p. If the tests are independent given the illness, s and f stay. If a share r of the results
only repeats the first one, the rates of a further positive are s' = r + (1 - r) s for the ill and
f' = r + (1 - r) f for the healthy.

Cost: O(1) per step.

Source: CS725 4.3 and 4.7 (the worked number 2/3).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeVar

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

PEOPLE = 1000
MOST_TESTS = 3

Phase = Literal["everyone", "ill", "tested", "positive"]
Event = Literal["finished"]
Share = TypeVar("Share", float, ndarray)


@dataclass(frozen=True, eq=False)
class BayesStep(Record):
    """What is known of the people who tested positive so far.

    phase : "everyone" stands together; then the "ill" are sorted out; they are "tested"; only the
    "positive" stay. results : positive results so far. rates : s and f of the newest test, for
    those who took it. prior, posterior : P(ill) without and with the newest result. expected : how
    many of a thousand people, on average, are ill (row 0) and healthy (row 1), with only positive
    results (column 0) and without (column 1).

    Event: "finished", at the last step.
    """

    is_model = False

    phase: Phase
    results: int
    rates: Float[ndarray, " 2"]
    prior: float
    posterior: float
    expected: Float[ndarray, "2 2"]
    event: Event | None = None

    @property
    def counts(self) -> Int[ndarray, "2 2"]:
        """Return the expected numbers as whole people, who are a thousand in all."""
        ill = _whole(self.expected.sum(axis=1))[0]
        groups = np.array([ill, PEOPLE - ill])
        positive = np.minimum(_whole(self.expected[:, 0]), groups)
        return np.column_stack([positive, groups - positive])


def thousand_people(
    prevalence: float,
    sensitivity: float,
    false_positive_rate: float,
    *,
    tests: int = 1,
    repeat: float = 0.0,
) -> Iterator[BayesStep]:
    """Sort a thousand people by illness and by one test after the other.

    repeat : the share of the results that only repeat the first one, from 0 to 1.

    Raises ValueError, at the call, unless 0 < prevalence < 1, 0 < sensitivity <= 1, the other
    shares are from 0 to 1, and tests is from 1 to 3.
    """
    p = _share("prevalence", prevalence, positive=True)
    if p == 1:
        raise ValueError("prevalence must be below 1, got prevalence=1")
    s = _share("sensitivity", sensitivity, positive=True)
    f = _share("false_positive_rate", false_positive_rate)
    r = _share("repeat", repeat)
    tests = validate.integer("tests", tests, 1, MOST_TESTS)
    rates = np.array([s, f])
    expected = PEOPLE * np.array([[0.0, p], [0.0, 1 - p]])
    first = BayesStep("everyone", 0, rates, p, p, expected)
    return iterate(first, partial(advance, rates=rates, tests=tests, r=r), most=1 + 2 * tests)


def advance(step: BayesStep, *, rates: Float[ndarray, " 2"], tests: int, r: float) -> BayesStep:
    """Sort the ill out, give everyone who is left a test, or let only the positive stay."""
    if step.phase == "everyone":
        return replace(step, phase="ill")
    if step.phase == "tested":
        end: Event | None = "finished" if step.results == tests else None
        return replace(step, phase="positive", event=end)
    groups, first = step.expected.sum(axis=1), step.results == 0
    taken = groups if first else step.expected[:, 0]
    now = rates if first else r + (1 - r) * rates
    positive = taken * now
    expected = np.column_stack([positive, groups - positive])
    posterior = bayes_rule(step.posterior, *now.tolist())
    return BayesStep("tested", step.results + 1, now, step.posterior, posterior, expected)


def bayes_rule(p: Share, s: float, f: float) -> Share:
    """Return P(ill | positive) = p s / (p s + (1 - p) f)."""
    return p * s / (p * s + (1 - p) * f)


def after_positives(
    p: Float[ndarray, " m"], rates: Float[ndarray, " 2"], results: int, r: float
) -> Float[ndarray, " m"]:
    """Return P(ill) after a number of positive results, for every prevalence of `p`."""
    s, f = rates * (r + (1 - r) * rates) ** (results - 1)
    return bayes_rule(p, s, f)


def _whole(expected: Float[ndarray, " 2"]) -> Int[ndarray, " 2"]:
    """Round to whole people; a half, which may be off by rounding errors, counts as one."""
    return np.floor(np.round(expected, 6) + 0.5).astype(int)


def _share(name: str, value: float, *, positive: bool = False) -> float:
    value = validate.number(name, value, positive=positive)
    if value > 1:
        raise ValueError(f"{name} must be at most 1, got {name}={value!r}")
    return value
