"""All hypotheses vote: each has a weight, its posterior, and every labelled point changes it.

    P(y | h) = 1 - noise  if h says y of this point,  noise  if it does not
    P(h | D, y) is proportional to P(h | D) P(y | h)                    one more point
    q(x) = sum of P(h | D) over the h that say + of x                   the share of the vote for +

Three ways to classify x by these weights:

    Bayes optimal   + if q(x) > 1/2: all hypotheses vote
    MAP             what the hypothesis with the largest weight says; if several tie, any of them
    Gibbs           what one hypothesis says that is drawn by its weight

If the truth is drawn from the prior, it is h with probability P(h | D). So at x the vote is wrong
with probability min(q, 1 - q), and Gibbs with 2 q (1 - q), which is at most twice that. This holds
on average over the truths; in a single run Gibbs may be better than the vote, or far worse.

Cost: O(m) per point for m hypotheses, and O(m) for every x.

Source: 20APC3316, from the brute-force MAP learner to the Gibbs algorithm; Haussler, Kearns and
Schapire 1994.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

Event = Literal["another hypothesis leads", "finished"]

_TIE = 1e-9  # relative difference below which two weights are equal


class Errors(NamedTuple):
    """The error of each way to classify; of MAP the mean over all heaviest hypotheses."""

    vote: float
    most_probable: float
    gibbs: float


@dataclass(frozen=True, eq=False)
class VotesStep(Record):
    """The weights P(h | D) after some points; at step 0 all are equal.

    drawn : the hypothesis that Gibbs has drawn at this step. Events: "another hypothesis leads",
    when none of the heaviest ones is still among the heaviest; "finished", at the last point.
    """

    is_model = False

    weights: Float[ndarray, " m"]
    drawn: int
    seen: int = 0
    event: Event | None = None

    @property
    def heaviest(self) -> Int[ndarray, " h"]:
        """Return the hypotheses with the largest weight: MAP may be any of them."""
        return np.flatnonzero(are_heaviest(self.weights))

    @property
    def most_probable(self) -> int:
        """Return MAP, the hypothesis with the largest weight; the first of equal ones."""
        return int(self.heaviest[0])

    @property
    def half(self) -> int:
        """Return how many hypotheses, the heaviest ones, hold half of the weight."""
        return 1 + int(np.searchsorted(np.cumsum(np.sort(self.weights)[::-1]), 0.5 - 1e-9))

    def shares(self, answers: Bool[ndarray, "q m"]) -> Float[ndarray, " q"]:
        """Return q(x), the share of the vote for +, at places where `answers` say + or not."""
        return answers @ self.weights

    def errors(self, answers: Bool[ndarray, "q m"], truth: Bool[ndarray, " q"]) -> Errors:
        """Return the share of places at which each way is wrong; Gibbs with the drawn one."""
        vote, gibbs = self.shares(answers) > 0.5, answers[:, self.drawn]
        best = self.heaviest_errors(answers, truth).mean()
        return Errors(float((vote != truth).mean()), float(best), float((gibbs != truth).mean()))

    def heaviest_errors(
        self, answers: Bool[ndarray, "q m"], truth: Bool[ndarray, " q"]
    ) -> Float[ndarray, " h"]:
        """Return the share of places at which each of the heaviest hypotheses is wrong."""
        return (answers[:, self.heaviest] != truth[:, None]).mean(axis=0)

    def expected(self, answers: Bool[ndarray, "q m"]) -> Errors:
        """Return the errors to expect if the truth is h with probability P(h | D)."""
        q = self.shares(answers)
        best = np.where(answers[:, self.heaviest], 1 - q[:, None], q[:, None])
        ways = (np.minimum(q, 1 - q), best, 2 * q * (1 - q))
        return Errors(*(float(each.mean()) for each in ways))


def all_hypotheses(
    answers: Bool[ndarray, "n m"], labels: Bool[ndarray, " n"], *, noise: float, rng: Generator
) -> Iterator[VotesStep]:
    """Weigh all hypotheses by one more labelled point in each step.

    answers : what each of m hypotheses says of each point, True for +. labels : what the points
    are. noise : the probability that a label is wrong. rng : draws for Gibbs.

    Raises ValueError, at the call, unless the noise is above 0 and below 1/2.
    """
    n, m = answers.shape
    if not 0 < validate.number("noise", noise) < 0.5:
        raise ValueError(f"noise must be above 0 and below 0.5, got {noise=}")
    chances = rng.random(n + 1)
    equal = np.full(m, 1 / m)
    first = VotesStep(equal, drawn(equal, chances[0]))
    return iterate(first, partial(advance, answers, labels, noise, chances), most=n, stopped=None)


def advance(
    answers: Bool[ndarray, "n m"],
    labels: Bool[ndarray, " n"],
    noise: float,
    chances: Float[ndarray, " draws"],
    step: VotesStep,
) -> VotesStep:
    """Weigh by one more point, and draw again for Gibbs."""
    i = step.seen
    weights = weighed(step.weights, answers[i], bool(labels[i]), noise)
    new = VotesStep(weights, drawn(weights, chances[i + 1]), i + 1)
    moved = not np.isin(new.heaviest, step.heaviest).any()
    event: Event | None = "another hypothesis leads" if moved else None
    return replace(new, event="finished" if i == len(labels) - 1 else event)


def weighed(
    weights: Float[ndarray, " m"], answers: Bool[ndarray, " m"], label: bool, noise: float
) -> Float[ndarray, " m"]:
    """Return P(h | D, y), proportional to P(h | D) P(y | h)."""
    product = weights * np.where(answers == label, 1 - noise, noise)
    return product / product.sum()


def are_heaviest(weights: Float[ndarray, "*others m"]) -> Bool[ndarray, "*others m"]:
    """Return which hypotheses have the largest weight, or one that differs by rounding alone."""
    return weights > (1 - _TIE) * weights.max(axis=-1, keepdims=True)


def drawn(weights: Float[ndarray, " m"], chance: float) -> int:
    """Return a hypothesis drawn by its weight. chance : a random number from 0 to 1."""
    return min(int(np.searchsorted(np.cumsum(weights), chance)), len(weights) - 1)
