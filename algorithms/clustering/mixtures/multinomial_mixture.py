"""Mixtures of multinomials by EM: documents as counts of words, clustered by what they talk about.

A table T has a row for every document and a column for every word. Model: a document comes from
topic k with probability pi_k, and then every one of its words is drawn from the topic's own
distribution delta_k, independently of the others:

    p(T_i) = sum_k pi_k prod_w delta_kw^T_iw

up to the number of orders the words can stand in, which is the same for every topic. The objective,
the log-likelihood l = sum_i ln p(T_i), is the lower bound B plus KL as for any EM:

    B  = sum_ik q_ik ln( pi_k prod_w delta_kw^T_iw / q_ik ),       KL = l - B >= 0

Update rule, alternately:

    expectation:   q_ik <- pi_k prod_w delta_kw^T_iw / (the same, summed over the topics)
    maximization:  pi_k <- sum_i q_ik / n,
                   delta_kw <- sum_i q_ik T_iw / sum_iw q_ik T_iw

Neither can lower B, and l = B after an expectation. A word that no document of a topic has gets
probability 0 there: the topic then rules out every document with that word.

Start: every topic takes the words of one document, drawn at random, mixed half and half with those
of all documents, so that no word starts with probability 0. A topic that loses all its documents
keeps its words.

Cost of one of each: O(n k L) for L words.

Source: CPSC340, EM for categorical data (001:268).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.mixtures._em import Ending, ending, lower_bound, normalized
from algorithms.core import validate
from algorithms.core.record import Record, frozen

TINY = 1e-300  # stands for a probability of 0, whose logarithm there is none of
RULED_OUT = 1e-6  # a probability of a word that is nearly 0

Phase = Literal["expectation", "maximization"]
Event = Literal["word ruled out"] | Ending


def multinomial_mixture(
    counts: Int[ndarray, "n words"],
    k: int,
    *,
    rng: Generator,
    max_iter: int = 100,
    tol: float = 1e-6,
) -> Iterator["MultinomialMixtureStep"]:
    """Alternate expectation and maximization until the log-likelihood changes by less than `tol`.

    The first step is the expectation at the start; at most `max_iter` pairs follow. `tol` counts
    per document.

    Raises ValueError, at the call, unless counts holds whole numbers of 0 or more in n rows with a
    word each, and 1 <= k <= n.
    """
    table = _table(counts)
    k = validate.integer("k", k, 1, len(table), high_name="n")
    max_iter = validate.integer("max_iter", max_iter, 1)
    tol = validate.number("tol", tol)
    chosen = table[rng.choice(len(table), size=k, replace=False)]
    overall = table.sum(axis=0) / table.sum()
    words = (chosen / chosen.sum(axis=1, keepdims=True) + overall) / 2
    start = _expectation(table, np.full(k, 1 / k), words)
    return _em(table, start, max_iter, tol * len(table))


def _em(
    table: Float[ndarray, "n words"], fit: "Fit", max_iter: int, slack: float
) -> Iterator["MultinomialMixtureStep"]:
    q = frozen(fit.responsibilities.T)
    yield _step("expectation", fit, q, fit.log_likelihood, None)
    for left in reversed(range(max_iter)):
        before = fit
        pi, delta = _maximization(table, before)
        fit = _expectation(table, pi, delta)
        ruled_out = _ruled_out(fit.words) > _ruled_out(before.words)
        event = "word ruled out" if ruled_out else None
        yield (step := _step("maximization", fit, q, lower_bound(before, fit), event))
        q, bound = frozen(fit.responsibilities.T), fit.log_likelihood
        end = ending(before, fit, slack, left)
        yield replace(step, phase="expectation", responsibilities=q, lower_bound=bound, event=end)
        if end:
            return


def _expectation(
    table: Float[ndarray, "n words"],
    weights: Float[ndarray, " k"],
    words: Float[ndarray, "k words"],
) -> "Fit":
    """Return the q_ik of these parameters."""
    scores = _scores(table, weights, words)
    q, log_densities = normalized(scores)
    return Fit(weights, words, scores, q, float(log_densities.sum()))


def _maximization(
    table: Float[ndarray, "n words"], before: "Fit"
) -> tuple[Float[ndarray, " k"], Float[ndarray, "k words"]]:
    """Return the pi_k and delta_kw of the responsibilities; a topic without documents stays."""
    q = before.responsibilities
    drawn = q @ table  # sum_i q_ik T_iw
    total = drawn.sum(axis=1, keepdims=True)
    return q.mean(axis=1), np.where(total > 0, drawn / np.maximum(total, TINY), before.words)


class Fit(NamedTuple):
    """The parameters at one moment, and the expectation; a row a topic."""

    weights: Float[ndarray, " k"]
    words: Float[ndarray, "k words"]
    scores: Float[ndarray, "k n"]
    responsibilities: Float[ndarray, "k n"]
    log_likelihood: float


@dataclass(frozen=True, eq=False)
class MultinomialMixtureStep(Record):
    """One half-step of EM; also a model, since `predict` works at every step.

    `words` are the topics' distributions delta. `responsibilities` are q of the bound: after an
    expectation they belong to the parameters and `lower_bound` = `log_likelihood`; after a
    maximization they are still those before it.

    Events: "word ruled out" (one more topic gives some word a probability of 0, or nearly),
    "converged", "stopped at max_iter".
    """

    phase: Phase
    weights: Float[ndarray, " k"]
    words: Float[ndarray, "k words"]
    responsibilities: Float[ndarray, "n k"]
    log_likelihood: float
    lower_bound: float
    event: Event | None = None

    @property
    def gap(self) -> float:
        """KL: by how much the bound is below the log-likelihood."""
        return self.log_likelihood - self.lower_bound

    def scores(self, counts: Int[ndarray, "m words"]) -> Float[ndarray, "m k"]:
        """Return ln pi_k + ln prod_w delta_kw^T_w for every row of counts."""
        return _scores(counts.astype(float), self.weights, self.words).T

    def score_samples(self, counts: Int[ndarray, "m words"]) -> Float[ndarray, " m"]:
        """Return ln p(T) for every row of counts."""
        return normalized(self.scores(counts).T)[1]

    def predict(self, counts: Int[ndarray, "m words"]) -> Int[ndarray, " m"]:
        """Return the most probable topic of every row of counts."""
        return self.scores(counts).argmax(axis=1)


def _step(
    phase: Phase, fit: Fit, q: Float[ndarray, "n k"], bound: float, event: Event | None
) -> MultinomialMixtureStep:
    return MultinomialMixtureStep(
        phase=phase,
        weights=fit.weights,
        words=fit.words,
        responsibilities=q,
        log_likelihood=fit.log_likelihood,
        lower_bound=bound,
        event=event,
    )


def _table(counts: Any) -> Float[ndarray, "n words"]:
    table = validate.points(counts, name="counts")
    if (table < 0).any() or (table != np.rint(table)).any():
        raise ValueError("counts must be whole numbers from 0")
    if (empty := table.sum(axis=1) == 0).any():
        raise ValueError(f"every row of counts needs a word, got none in row {empty.argmax()}")
    return table


def _ruled_out(words: Float[ndarray, "k words"]) -> int:
    """Count the topics that give some word a probability of nearly 0."""
    return int((words < RULED_OUT).any(axis=1).sum())


def _scores(
    table: Float[ndarray, "n words"],
    weights: Float[ndarray, " k"],
    words: Float[ndarray, "k words"],
) -> Float[ndarray, "k n"]:
    return (_log(words) @ table.T) + _log(weights)[:, None]


def _log(probabilities: ndarray) -> ndarray:
    return np.log(np.maximum(probabilities, TINY))
