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

from algorithms.clustering.mixtures._weighted_gaussians import normalized
from algorithms.core import validate
from algorithms.core.record import Record

TINY = 1e-300  # stands for a probability of 0, whose logarithm there is none of
RULED_OUT = 1e-6  # a probability of a word that is nearly 0


class WordCounts(NamedTuple):
    """A table of counts with the names of its rows and columns."""

    counts: Int[ndarray, "n words"]
    documents: tuple[str, ...]
    words: tuple[str, ...]


HEADLINES = WordCounts(
    counts=np.array(
        [
            [5, 3, 2, 0, 0, 1, 0, 0, 0],
            [3, 4, 1, 0, 1, 0, 0, 0, 0],
            [4, 2, 4, 1, 0, 0, 0, 0, 1],
            [2, 1, 3, 0, 0, 0, 1, 0, 0],
            [0, 0, 0, 4, 3, 2, 0, 1, 0],
            [0, 1, 0, 3, 5, 1, 0, 0, 0],
            [1, 0, 0, 2, 4, 3, 1, 0, 0],
            [0, 0, 1, 5, 2, 4, 0, 0, 0],
            [0, 0, 0, 0, 1, 0, 4, 3, 2],
            [0, 0, 1, 0, 0, 0, 2, 5, 3],
            [1, 0, 0, 0, 0, 1, 3, 2, 5],
            [2, 2, 1, 0, 0, 0, 2, 3, 2],
        ]
    ),
    documents=(
        "cup final", "league", "transfer", "training",
        "budget", "election", "reform", "parliament",
        "storm", "heat wave", "forecast", "rained off",
    ),
    words=("goal", "team", "coach", "vote", "tax", "law", "rain", "wind", "sun"),
)  # fmt: skip
"""Twelve short news items, made up for this lab: sport, politics, weather, and one in between."""

Event = Literal["word ruled out", "converged", "stopped at max_iter"]


@dataclass(frozen=True, eq=False)
class MultinomialMixtureStep(Record):
    """One half-step of EM; also a model, since `predict` works at every step.

    `words` are the topics' distributions delta. `responsibilities` are q of the bound: after an
    expectation they belong to the parameters and `lower_bound` = `log_likelihood`; after a
    maximization they are still those before it.

    Events: "word ruled out" (one more topic gives some word a probability of 0, or nearly),
    "converged", "stopped at max_iter".
    """

    phase: Literal["expectation", "maximization"]
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


def multinomial_mixture(
    counts: Int[ndarray, "n words"],
    k: int,
    *,
    rng: Generator,
    max_iter: int = 100,
    tol: float = 1e-6,
) -> Iterator[MultinomialMixtureStep]:
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
    return _run(table, np.full(k, 1 / k), words, max_iter, tol * len(table))


def _table(counts: Any) -> Float[ndarray, "n words"]:
    table = validate.points(counts, name="counts")
    if (table < 0).any() or (table != np.rint(table)).any():
        raise ValueError("counts must be whole numbers from 0")
    if (empty := table.sum(axis=1) == 0).any():
        raise ValueError(f"every row of counts needs a word, got none in row {empty.argmax()}")
    return table


def _run(
    table: Float[ndarray, "n words"],
    weights: Float[ndarray, " k"],
    words: Float[ndarray, "k words"],
    max_iter: int,
    slack: float,
) -> Iterator[MultinomialMixtureStep]:
    scores = _scores(table, weights, words)
    shares, log_densities = normalized(scores)
    likelihood = float(log_densities.sum())
    step = MultinomialMixtureStep(
        phase="expectation",
        weights=weights,
        words=words,
        responsibilities=shares.T,
        log_likelihood=likelihood,
        lower_bound=likelihood,
    )
    yield step
    for iteration in range(1, max_iter + 1):
        before, likelihood = scores, step.log_likelihood
        weights, words = _maximized(table, shares, words)
        scores = _scores(table, weights, words)
        rise = np.vdot(shares, scores - before)  # of the bound: the responsibilities stay
        shares, log_densities = normalized(scores)
        step = replace(
            step,
            phase="maximization",
            weights=weights,
            words=words,
            log_likelihood=float(log_densities.sum()),
            lower_bound=likelihood + float(rise),
            event="word ruled out" if _ruled_out(words) > _ruled_out(step.words) else None,
        )
        yield step
        end: Event | None = "stopped at max_iter" if iteration == max_iter else None
        if abs(step.log_likelihood - likelihood) < slack:
            end = "converged"
        step = replace(
            step,
            phase="expectation",
            responsibilities=shares.T,
            lower_bound=step.log_likelihood,
            event=end,
        )
        yield step
        if end:
            return


def _maximized(
    table: Float[ndarray, "n words"],
    shares: Float[ndarray, "k n"],
    words: Float[ndarray, "k words"],
) -> tuple[Float[ndarray, " k"], Float[ndarray, "k words"]]:
    drawn = shares @ table
    totals = drawn.sum(axis=1, keepdims=True)
    return shares.mean(axis=1), np.where(totals > 0, drawn / np.maximum(totals, TINY), words)


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
