"""A hidden Markov model: states that nobody sees, and the symbols that each of them shows.

With states i = 1..k and symbols 1..s:

    pi_i = P(q_1 = i)        A_ij = P(q_(t+1) = j | q_t = i)        b_i(o) = P(o_t = o | q_t = i)

    P(q, o) = pi_(q_1) b_(q_1)(o_1) prod_(t>1) A_(q_(t-1) q_t) b_(q_t)(o_t)

Source: 20APC3316 (002:3237), Rabiner 1989.
"""

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate

SUM = 1e-6  # by which a row of probabilities may miss 1


class Model(NamedTuple):
    """The three tables. start : pi. transitions : A. emissions : b, a row of symbols per state."""

    start: Float[ndarray, " k"]
    transitions: Float[ndarray, "k k"]
    emissions: Float[ndarray, "k s"]


def checked(
    observations: Any, start: Any, transitions: Any, emissions: Any
) -> tuple[Int[ndarray, " T"], Model]:
    """Return the observations and the model as arrays.

    Raises ValueError unless there is an observation, every row of the tables holds probabilities
    that sum to 1, the shapes fit together and every observation is the index of a symbol.
    """
    pi = _probabilities("start", np.atleast_2d(np.asarray(start)))[0]
    A, B = _probabilities("transitions", transitions), _probabilities("emissions", emissions)
    k = len(pi)
    if A.shape != (k, k) or len(B) != k:
        raise ValueError(
            f"transitions must have shape (k, k) and emissions (k, s) with k = {k} as start, got "
            f"{A.shape} and {B.shape}"
        )
    o = validate.integers(observations, len(observations))
    if len(o) == 0:
        raise ValueError("observations must hold at least one symbol, got none")
    if o.min() < 0 or o.max() >= B.shape[1]:
        raise ValueError(
            f"observations must be between 0 and s - 1 = {B.shape[1] - 1}, got {o.min()} to "
            f"{o.max()}"
        )
    return o, Model(pi, A, B)


def _probabilities(name: str, rows: Any) -> Float[ndarray, "r c"]:
    """Return the rows, each divided by its sum; raises ValueError unless all are distributions."""
    rows = validate.points(rows, name=name)
    sums = rows.sum(axis=1, keepdims=True)
    if rows.min() < 0 or np.abs(sums - 1).max() > SUM:
        raise ValueError(f"{name} must hold probabilities, every row with the sum 1, got {rows}")
    return rows / sums


def sample(
    model: Model, length: int, *, rng: Generator
) -> tuple[Int[ndarray, " T"], Int[ndarray, " T"]]:
    """Draw a sequence of states and the observations they give."""
    pi, A, B = model
    states = np.empty(length, int)
    lots = rng.random((length, 2))
    for t in range(length):
        states[t] = _drawn(A[states[t - 1]] if t else pi, lots[t, 0])
    observations = [_drawn(B[state], lot) for state, lot in zip(states, lots[:, 1], strict=True)]
    return states, np.array(observations, int)


def _drawn(chances: Float[ndarray, " k"], lot: float) -> int:
    return int(min((chances.cumsum() <= lot).sum(), np.flatnonzero(chances)[-1]))
