"""The Baum-Welch algorithm: learn the tables of a hidden Markov model from observations alone.

It is expectation-maximisation. With alpha, beta and c of forward_backward.py:

    expectation:   gamma_t(i) = alpha_t(i) beta_t(i)
                   xi_ij      = sum_(t<T) alpha_t(i) A_ij b_j(o_(t+1)) beta_(t+1)(j) / c_(t+1)
    maximization:  pi_i <- gamma_1(i)
                   A_ij <- xi_ij / sum_j xi_ij
                   b_i(o) <- sum_(t: o_t = o) gamma_t(i) / sum_t gamma_t(i)

until ln P(o) rises by less than tol. It never falls; a run ends in a local maximum that depends on
its start. States that start equal stay equal, so the start must not be even. A state that is never
expected keeps its rows.

Cost of both half-steps: O(T k^2).

Source: 20APC3316 (002:3237), Baum et al. 1970, Rabiner 1989.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.optimize import linear_sum_assignment

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.core.work import spend
from algorithms.sequences.hidden_markov_model.model import Model, checked

MAX_ITER = 200


def baum_welch(
    observations: Int[ndarray, " T"],
    start: Any,
    transitions: Any,
    emissions: Any,
    *,
    max_iter: int = MAX_ITER,
    tol: float = 1e-6,
) -> Iterator["BaumWelchStep"]:
    """Alternate expectation and maximization from the given tables until ln P(o) stops rising.

    The first step is an expectation; at most `max_iter` pairs of a maximization and an expectation
    follow.

    Raises ValueError, at the call, if the tables and the observations do not fit together, if the
    observations are impossible, or unless max_iter >= 1 and tol >= 0.
    """
    o, model = checked(observations, start, transitions, emissions)
    max_iter = validate.integer("max_iter", max_iter, 1)
    tol = validate.number("tol", tol)
    first = expectation(o, tol, *model, before=-np.inf)
    return iterate(first, partial(advance, o, tol), most=2 * max_iter)


def advance(o: Int[ndarray, " T"], tol: float, step: "BaumWelchStep") -> "BaumWelchStep":
    """Return the half-step that follows."""
    if step.phase == "expectation":
        return maximization(o, step)
    tables = step.start, step.transitions, step.emissions
    return expectation(o, tol, *tables, before=step.log_likelihood)


def expectation(
    o: Int[ndarray, " T"],
    tol: float,
    pi: Float[ndarray, " k"],
    A: Float[ndarray, "k k"],
    B: Float[ndarray, "k s"],
    *,
    before: float,
) -> "BaumWelchStep":
    """Return gamma and xi under these tables. before : the log-likelihood before."""
    alpha, c = _forward(o, Model(pi, A, B))
    beta = _backward(o, Model(pi, A, B), c)
    gamma = alpha * beta
    xi = A * (alpha[:-1].T @ (B[:, o[1:]].T * beta[1:] / c[1:, None]))
    likelihood = float(np.log(c).sum())
    event = "converged" if likelihood - before < tol else None
    return BaumWelchStep("expectation", pi, A, B, likelihood, gamma, xi, event)


def maximization(o: Int[ndarray, " T"], step: "BaumWelchStep") -> "BaumWelchStep":
    """Return the step with the tables that are most likely under the expected counts."""
    gamma, xi = step.posteriors, step.expected_transitions
    symbols = np.arange(step.emissions.shape[1]) == o[:, None]  # (T, s)
    return replace(
        step,
        phase="maximization",
        start=gamma[0] / gamma[0].sum(),
        transitions=_shares(xi, step.transitions),
        emissions=_shares(gamma.T @ symbols, step.emissions),
        event=None,
    )


def _shares(counts: Float[ndarray, "k m"], old: Float[ndarray, "k m"]) -> Float[ndarray, "k m"]:
    """Return every row of counts as shares; the old row where nothing was counted."""
    sums = counts.sum(axis=1, keepdims=True)
    return np.where(sums > 0, counts / np.where(sums > 0, sums, 1), old)


def _forward(
    o: Int[ndarray, " T"], model: Model
) -> tuple[Float[ndarray, "T k"], Float[ndarray, " T"]]:
    """Return all alpha_t and c_t, as forward_backward.py has them."""
    pi, A, B = model
    spend(2.0 * len(o) * A.size)
    seen, predicted = B[:, o].T, pi
    alpha, c = np.empty_like(seen), np.empty(len(o))
    for t in range(len(o)):
        alpha[t] = seen[t] * predicted
        c[t] = alpha[t].sum()
        if c[t] == 0:
            raise ValueError(f"observation {t + 1} has probability 0 after those before it")
        alpha[t] /= c[t]
        predicted = alpha[t] @ A
    return alpha, c


def _backward(
    o: Int[ndarray, " T"], model: Model, c: Float[ndarray, " T"]
) -> Float[ndarray, "T k"]:
    """Return all beta_t."""
    _, A, B = model
    beta = np.ones((len(o), len(A)))
    for t in range(len(o) - 2, -1, -1):
        beta[t] = A @ (B[:, o[t + 1]] * beta[t + 1]) / c[t + 1]
    return beta


@dataclass(frozen=True, eq=False)
class BaumWelchStep(Record):
    """The tables after a half-step, which are a model.

    `posteriors` (gamma) and `expected_transitions` (xi) are those of the latest expectation, and
    so is `log_likelihood`, ln P(o).
    """

    is_model = False

    phase: Literal["expectation", "maximization"]
    start: Float[ndarray, " k"]
    transitions: Float[ndarray, "k k"]
    emissions: Float[ndarray, "k s"]
    log_likelihood: float
    posteriors: Float[ndarray, "T k"]
    expected_transitions: Float[ndarray, "k k"]
    event: str | None = None


def matched(emissions: Float[ndarray, "k s"], truth: Float[ndarray, "k s"]) -> Int[ndarray, " k"]:
    """Return the index of the true state that matches each learned state.

    A run can find the states in any order. Every true state is used once, and the squared
    differences of the emissions have the least sum.
    """
    far = np.square(emissions[:, None] - truth).sum(axis=2)
    return linear_sum_assignment(far)[1]


def first_tables(k: int, s: int, stay: float, *, rng: Generator) -> Model:
    """Draw tables to start from; they are random, so no two states start alike.

    stay : a row has the weight 1 + stay for its own state and 1 for each other one, on average.
    """
    transitions = [rng.dirichlet(4.0 * (1 + stay * (np.arange(k) == i))) for i in range(k)]
    emissions = rng.dirichlet(np.full(s, 8.0), size=k)
    return Model(np.full(k, 1 / k), np.array(transitions), emissions)
