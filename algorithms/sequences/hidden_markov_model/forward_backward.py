"""Forward and backward through a hidden Markov model: how likely every state was at every time.

With the tables pi, A and b of model.py and the observations o_1..o_T, a column a step:

    forward:   alpha_1(j) = pi_j b_j(o_1) / c_1
               alpha_t(j) = b_j(o_t) sum_i alpha_(t-1)(i) A_ij / c_t
    backward:  beta_T(i)  = 1
               beta_t(i)  = sum_j A_ij b_j(o_(t+1)) beta_(t+1)(j) / c_(t+1)
    posterior: gamma_t(i) = alpha_t(i) beta_t(i)

Every c_t is the sum that makes its column sum to 1: c_t = P(o_t | o_1..o_(t-1)). So nothing
underflows, however long the sequence, and ln P(o) = sum_t ln c_t.

alpha_t(i) = P(q_t = i | o_1..o_t) knows the past (filtering), gamma_t(i) = P(q_t = i | o_1..o_T)
the future, too (smoothing).

Cost: O(k^2) a step, O(T k^2) in all, where the sum over all paths has k^T terms.

Source: 20APC3316 (002:3237, 002:3300: a chain with messages pi and lambda), Rabiner 1989.
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


def forward_backward(
    observations: Int[ndarray, " T"], start: Any, transitions: Any, emissions: Any
) -> Iterator["ForwardBackwardStep"]:
    """Go forward through the sequence, then back: 2T - 1 steps, the last one with all posteriors.

    `observations` are indices of symbols; the tables are `start` (k,), `transitions` (k, k) and
    `emissions` (k, s).

    Raises ValueError, at the call, if they do not fit together (see model.py), and at the first
    observation that the model says is impossible.
    """
    o, model = checked(observations, start, transitions, emissions)
    first = forward(model, o, None)
    return iterate(first, partial(advance, model, o), most=2 * len(o) - 2)


def advance(
    model: Model, o: Int[ndarray, " T"], step: "ForwardBackwardStep"
) -> "ForwardBackwardStep":
    """Return the next column: forward up to the end, then backward to the beginning."""
    if step.phase == "forward" and step.t + 1 < len(o):
        return forward(model, o, step)
    return backward(model, o, step)


def forward(
    model: Model, o: Int[ndarray, " T"], before: "ForwardBackwardStep | None"
) -> "ForwardBackwardStep":
    """alpha_t(j) = b_j(o_t) sum_i alpha_(t-1)(i) A_ij / c_t."""
    pi, A, B = model
    t = 0 if before is None else before.t + 1
    predicted = pi if before is None else before.column @ A
    alpha = B[:, o[t]] * predicted
    c = float(alpha.sum())
    if c == 0:
        raise ValueError(
            f"observation {t + 1} (symbol {o[t] + 1}) has probability 0 after those before it. "
            "Change it, or a probability of 0 in the tables."
        )
    event = "last observation" if t + 1 == len(o) > 1 else None
    return ForwardBackwardStep("forward", t, alpha / c, c, before, event=event)


def backward(
    model: Model, o: Int[ndarray, " T"], after: "ForwardBackwardStep"
) -> "ForwardBackwardStep":
    """beta_t(i) = sum_j A_ij b_j(o_(t+1)) beta_(t+1)(j) / c_(t+1)."""
    _, A, B = model
    if after.phase == "forward":  # the last column: beta_T = 1
        alphas, scales = after.filtered, after.scales
        beta = np.ones_like(after.column)
    else:
        alphas, scales, beta = after.alphas, after.forward_scales, after.column
    assert alphas is not None and scales is not None
    t = after.t - 1
    beta = A @ (B[:, o[t + 1]] * beta) / scales[t + 1]
    event = "finished" if t == 0 else None
    return ForwardBackwardStep("backward", t, beta, float(scales[t]), after, alphas, scales, event)


def passages(
    model: Model, o: Int[ndarray, " T"], step: "ForwardBackwardStep"
) -> Float[ndarray, "T-1 k k"]:
    """Return P(q_t = i, q_(t+1) = j) for every two times in a row, given what is known by then.

    Where the way back has been, that is all observations: xi_t(i, j) = alpha_t(i) A_ij b_j(o_(t+1))
    beta_(t+1)(j) / c_(t+1). Before, it is those up to t + 1: the same without beta. Times that the
    step has not reached have 0.
    """
    _, A, B = model
    alpha, c, n = step.filtered, step.scales, len(step.filtered)
    seen = B[:, o[1:n]].T / c[1:n, None]
    if step.phase == "backward":
        betas = np.ones_like(seen)
        betas[step.t :] = step.betas[1:]
        seen = seen * betas
    found = np.zeros((len(o) - 1, *A.shape))
    found[: n - 1] = alpha[: n - 1, :, None] * A * seen[:, None, :]
    return found


@dataclass(frozen=True, eq=False)
class ForwardBackwardStep(Record):
    """One column: alpha_t in the phase "forward", beta_t in the phase "backward"; t from 0.

    `scale` is c_t, `before` the step before. `alphas` (T, k) and `forward_scales` (T,) are there in
    the backward phase.
    """

    is_model = False

    phase: Literal["forward", "backward"]
    t: int
    column: Float[ndarray, " k"]
    scale: float
    before: "ForwardBackwardStep | None" = field(default=None, repr=False, compare=False)
    alphas: Float[ndarray, "T k"] | None = None
    forward_scales: Float[ndarray, " T"] | None = None
    event: str | None = None

    @property
    def filtered(self) -> Float[ndarray, "m k"]:
        """Return the alphas found so far: P(q_t | o_1..o_t)."""
        if self.alphas is not None:
            return self.alphas
        return np.array([step.column for step in self._phase()])[::-1]

    @property
    def scales(self) -> Float[ndarray, " m"]:
        """Return the c_t found so far."""
        if self.forward_scales is not None:
            return self.forward_scales
        return np.array([step.scale for step in self._phase()])[::-1]

    @property
    def posteriors(self) -> Float[ndarray, "m k"]:
        """Return the gammas found so far: P(q_t | o_1..o_T) for the last m times."""
        if self.alphas is None:
            return self.column[None]  # alpha_T is gamma_T
        return self.alphas[self.t :] * self.betas

    @property
    def betas(self) -> Float[ndarray, "m k"]:
        """Return the betas found so far, of the last m times; the last one is 1."""
        ones = np.ones_like(self.column)
        return np.array([*(step.column for step in self._phase()), ones])

    @property
    def log_likelihood(self) -> float:
        """ln P(o_1..o_t) of the observations that were read so far."""
        return float(np.log(self.scales).sum())

    def _phase(self) -> Iterator["ForwardBackwardStep"]:
        """Walk back through the steps of this phase."""
        step: ForwardBackwardStep | None = self
        while step and step.phase == self.phase:
            yield step
            step = step.before
