"""Mixtures of multinomials by EM: documents as counts of words, clustered by what they talk about.

A table T has a row for every document and a column for every word. Model: a document comes from
topic k with probability pi_k, and then every one of its words is drawn from the topic's own
distribution delta_k, independently of the others:

    p(T_i) = sum_k pi_k prod_w delta_kw^T_iw

up to the number of orders the words can have, which is the same for every topic. The objective, the
log-likelihood l = sum_i ln p(T_i), is the lower bound B plus KL as for any EM:

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
from functools import partial
from typing import Any, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.gaussian_mixture.gaussian_mixture import expectation, lower_bound
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

TINY = 1e-300  # stands in for a probability of 0, which has no logarithm
RULED_OUT = 1e-6  # a probability of a word that is nearly 0

Event = Literal["word ruled out", "converged", "stopped at max_iter"]


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
    first = _expected(table, np.full(k, 1 / k), words)
    return iterate(first, partial(advance, table, tol=tol), most=2 * max_iter)


def advance(
    table: Float[ndarray, "n words"], step: "MultinomialMixtureStep", *, tol: float = 1e-6
) -> "MultinomialMixtureStep":
    """Return the half-step that follows `step`."""
    if step.phase == "maximization":
        after = _expected(table, step.weights, step.words)
        event = "converged" if abs(step.rise) < tol * len(table) else None
        return replace(after, rise=step.rise, event=event)
    q = step.responsibilities.T
    pi, delta = maximization(table, q, step.words)
    s = scores(table, pi, delta)
    likelihood = float(expectation(s)[1].sum())
    return replace(
        step,
        phase="maximization",
        weights=pi,
        words=delta,
        log_likelihood=likelihood,
        lower_bound=lower_bound(q, s),
        rise=likelihood - step.log_likelihood,
        event="word ruled out" if _ruled_out(delta) > _ruled_out(step.words) else None,
    )


def scores(
    table: Float[ndarray, "n words"],
    pi: Float[ndarray, " k"],
    delta: Float[ndarray, "k words"],
) -> Float[ndarray, "k n"]:
    """s_ik = ln( pi_k prod_w delta_kw^T_iw ) = ln pi_k + sum_w T_iw ln delta_kw."""
    return _log(pi)[:, None] + _log(delta) @ table.T


def maximization(
    table: Float[ndarray, "n words"], q: Float[ndarray, "k n"], before: Float[ndarray, "k words"]
) -> tuple[Float[ndarray, " k"], Float[ndarray, "k words"]]:
    """pi_k <- sum_i q_ik / n, delta_kw <- sum_i q_ik T_iw / (the same, summed over the words).

    A topic without documents keeps its words.
    """
    drawn = q @ table  # sum_i q_ik T_iw
    total = drawn.sum(axis=1, keepdims=True)
    return q.mean(axis=1), np.where(total > 0, drawn / np.maximum(total, TINY), before)


@dataclass(frozen=True, eq=False)
class MultinomialMixtureStep(Record):
    """One half-step of EM; also a model, since `predict` works at every step.

    `words` are the topics' distributions delta. `responsibilities` are q of the bound: after an
    expectation they belong to the parameters and `lower_bound` = `log_likelihood`; after a
    maximization they are still those before it. `rise` is by how much the last maximization raised
    l.

    Events: "word ruled out" (one more topic gives some word a probability of 0, or nearly),
    "converged", "stopped at max_iter".
    """

    phase: Literal["expectation", "maximization"]
    weights: Float[ndarray, " k"]
    words: Float[ndarray, "k words"]
    responsibilities: Float[ndarray, "n k"]
    log_likelihood: float
    lower_bound: float
    rise: float = 0.0
    event: Event | None = None

    @property
    def gap(self) -> float:
        """Return KL, the gap between the log-likelihood and the bound."""
        return self.log_likelihood - self.lower_bound

    def scores(self, counts: Int[ndarray, "m words"]) -> Float[ndarray, "m k"]:
        """Return ln pi_k + ln prod_w delta_kw^T_w for every row of counts."""
        return scores(counts.astype(float), self.weights, self.words).T

    def score_samples(self, counts: Int[ndarray, "m words"]) -> Float[ndarray, " m"]:
        """Return ln p(T) for every row of counts."""
        return expectation(self.scores(counts).T)[1]

    def predict(self, counts: Int[ndarray, "m words"]) -> Int[ndarray, " m"]:
        """Return the most probable topic of every row of counts."""
        return self.scores(counts).argmax(axis=1)


def _expected(
    table: Float[ndarray, "n words"], pi: Float[ndarray, " k"], delta: Float[ndarray, "k words"]
) -> MultinomialMixtureStep:
    r, ln_p = expectation(scores(table, pi, delta))
    likelihood = float(ln_p.sum())
    return MultinomialMixtureStep("expectation", pi, delta, r.T, likelihood, likelihood)


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


def _log(probabilities: ndarray) -> ndarray:
    return np.log(np.maximum(probabilities, TINY))
