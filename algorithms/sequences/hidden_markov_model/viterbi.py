"""Viterbi's algorithm: the most probable path through a hidden Markov model.

With the tables pi, A and b of model.py and the observations o_1..o_T, a column a step, in
logarithms (so nothing underflows):

    delta_1(j) = ln pi_j + ln b_j(o_1)
    delta_t(j) = ln b_j(o_t) + max_i [ delta_(t-1)(i) + ln A_ij ]      psi_t(j) = the i of the max
    back:        q_T = argmax_j delta_T(j),    q_t = psi_(t+1)(q_(t+1))

delta_t(j) is the log-probability of the best path that ends in j at t. The states that are most
probable one by one (forward_backward.py) need not be a path at all.

Ties go to the first state. Cost: O(k^2) a step.

Source: 20APC3316 (002:3237), Viterbi 1967, Rabiner 1989.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.sequences.hidden_markov_model.model import Model, checked


def viterbi(
    observations: Int[ndarray, " T"], start: Any, transitions: Any, emissions: Any
) -> Iterator["ViterbiStep"]:
    """Go forward through the sequence, then back along the best predecessors: 2T steps.

    Parameters and errors are those of `forward_backward`; an observation that no path can give
    raises ValueError at its step.
    """
    o, model = checked(observations, start, transitions, emissions)
    with np.errstate(divide="ignore"):
        logs = Model(*map(np.log, model))
    return iterate(forward(logs, o, None), partial(advance, logs, o), most=2 * len(o) - 1)


def advance(logs: Model, o: Int[ndarray, " T"], step: "ViterbiStep") -> "ViterbiStep":
    """Return the next column, or the next state of the path. logs : the model in logarithms."""
    if step.phase == "forward" and step.t + 1 < len(o):
        return forward(logs, o, step)
    return back(step)


def forward(logs: Model, o: Int[ndarray, " T"], before: "ViterbiStep | None") -> "ViterbiStep":
    """delta_t(j) = ln b_j(o_t) + max_i [ delta_(t-1)(i) + ln A_ij ]."""
    pi, A, B = logs
    t = 0 if before is None else before.t + 1
    if before is None:
        psi, best = np.full(len(pi), -1), pi
    else:
        ways = before.column[:, None] + A  # from i to j
        psi, best = ways.argmax(axis=0), ways.max(axis=0)
    delta = B[:, o[t]] + best
    if np.isneginf(delta).all():
        raise ValueError(
            f"no path can give observation {t + 1} (symbol {o[t] + 1}) after those before it. "
            "Change it, or a probability of 0 in the tables."
        )
    return ViterbiStep("forward", t, delta, psi, before=before)


def back(after: "ViterbiStep") -> "ViterbiStep":
    """q_T = argmax_j delta_T(j), then q_t = psi_(t+1)(q_(t+1))."""
    if after.phase == "forward":
        top, state = after, int(after.column.argmax())
    else:
        assert after.top and after.top.before
        top, state = after.top.before, int(after.top.predecessors[after.state])
    event = "finished" if top.t == 0 else None
    return ViterbiStep(
        "back", top.t, top.column, top.predecessors, state, top, before=after, event=event
    )


@dataclass(frozen=True, eq=False)
class ViterbiStep(Record):
    """One column of the forward phase, or one state of the path on the way back; t from 0.

    `column` is delta_t, `predecessors` psi_t (-1 at t = 0). On the way back `state` is q_t and
    `top` the forward step of the same t; `before` is the step before.
    """

    is_model = False

    phase: Literal["forward", "back"]
    t: int
    column: Float[ndarray, " k"]
    predecessors: Int[ndarray, " k"]
    state: int = -1
    top: "ViterbiStep | None" = field(default=None, repr=False, compare=False)
    before: "ViterbiStep | None" = field(default=None, repr=False, compare=False)
    event: str | None = None

    @property
    def path(self) -> Int[ndarray, " m"]:
        """Return the states of the path found so far, those of the last m times."""
        found, step = [], self
        while step and step.phase == "back":
            found.append(step.state)
            step = step.before
        return np.array(found, int)

    @property
    def log_probability(self) -> float:
        """ln P(q, o) of the best path for the observations that were read so far."""
        step = self
        while step.phase == "back" and step.before:
            step = step.before
        return float(step.column.max())
