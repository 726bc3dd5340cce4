"""A cell with gates (long short-term memory, one unit), forward and back through time.

With z_t = (inputs at t, h_(t-1), 1) and a row of weights for each gate, a time a step:

    f_t = s(w_f z_t)        forget gate: 0 forgets, 1 keeps       s(a) = 1 / (1 + exp(-a))
    i_t = s(w_i z_t)        input gate
    m_t = tanh(w_m z_t)     modified state, which the input gate lets in
    c_t = f_t c_(t-1) + i_t m_t                                   the cell state
    o_t = s(w_o z_t)        output gate
    h_t = o_t tanh(c_t)                                           the state that is seen

Back from the last time, with d_t = dh_T / dh_t and g_t = dh_T / dc_t, starting with d_T = 1:

    g_t = d_t o_t (1 - tanh(c_t)^2) + g_(t+1) f_(t+1)             (no second term at t = T)
    r_f = g_t c_(t-1) f_t (1 - f_t)       r_i = g_t m_t i_t (1 - i_t)
    r_m = g_t i_t (1 - m_t^2)             r_o = d_t tanh(c_t) o_t (1 - o_t)
    d_(t-1) = sum of r times the weight of h,                     dh_T/dw += r z_t

The cell's own line is kept: along it the gradient is a product of forget gates. The way through h
adds to it. Cost: O(d) a step.

Source: CS337, long short-term memory (003:1591). There the output gate looks at c_t as well, which
is a variant (peepholes); here it has the inputs of the other gates, as in Gers, Schmidhuber and
Cummins 2000. The notes call m_t the modified state, with a tilde over c.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.special import expit

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record


def lstm_cell(inputs: Float[ndarray, "T d"], weights: Any) -> Iterator["CellStep"]:
    """Go forward through the inputs, then back: 2T steps. c_0 = h_0 = 0.

    Parameters
    ----------
    weights : (4, d + 2), rows for f, i, m and o; columns for the inputs, h and the bias

    Raises
    ------
    ValueError
        If there is no input, a number is not finite, or the weights do not fit the inputs.
    """
    x, W = validate.points(inputs, name="inputs"), validate.points(weights, name="weights")
    T, d = x.shape
    if W.shape != (4, d + 2):
        raise ValueError(f"weights must have shape (4, d + 2) = (4, {d + 2}), got {W.shape}")
    cells = np.zeros(T + 1)
    cells[0] = 0.0
    none, gates = np.zeros(T + 1), np.zeros((T, 4))
    start = CellStep("forward", 0, cells, cells, gates, none, none, np.zeros_like(W))
    return iterate(forward(x, W, start), partial(advance, x, W), most=2 * T - 1)


def advance(x: Float[ndarray, "T d"], W: Float[ndarray, "4 k"], step: "CellStep") -> "CellStep":
    """Return the next state, or the gradients one time further back."""
    if step.phase == "forward" and step.t < len(x):
        return forward(x, W, step)
    return back(x, W, step)


def forward(x: Float[ndarray, "T d"], W: Float[ndarray, "4 k"], step: "CellStep") -> "CellStep":
    """c_t = f_t c_(t-1) + i_t m_t and h_t = o_t tanh(c_t), with the gates of time t."""
    t, c, h, gates = step.t + 1, step.cells.copy(), step.states.copy(), step.gates.copy()
    a = W @ np.append(x[t - 1], [h[t - 1], 1.0])
    f, i, m, o = gates[t - 1] = expit(a[0]), expit(a[1]), np.tanh(a[2]), expit(a[3])
    c[t] = f * c[t - 1] + i * m
    h[t] = o * np.tanh(c[t])
    return replace(step, t=t, cells=c, states=h, gates=gates)


def back(x: Float[ndarray, "T d"], W: Float[ndarray, "4 k"], step: "CellStep") -> "CellStep":
    """Return the gradients by c_(t-1) and h_(t-1), and what time t adds to those of the weights."""
    T = len(x)
    t, d, g = (T if step.phase == "forward" else step.t - 1), step.dh.copy(), step.dc.copy()
    f, i, m, o = step.gates[t - 1]
    c, h = step.cells, step.states
    if t == T:
        d[T], g[T] = 1.0, o * (1 - np.tanh(c[T]) ** 2)
    r = np.array([
        g[t] * c[t - 1] * f * (1 - f),
        g[t] * m * i * (1 - i),
        g[t] * i * (1 - m**2),
        d[t] * np.tanh(c[t]) * o * (1 - o),
    ])  # fmt: skip
    d[t - 1] = r @ W[:, -2]
    before = step.gates[t - 2, 3] * (1 - np.tanh(c[t - 1]) ** 2) if t > 1 else 0.0  # h_0 is fixed
    g[t - 1] = g[t] * f + d[t - 1] * before
    z = np.append(x[t - 1], [h[t - 1], 1.0])
    return replace(
        step, phase="back", t=t, dh=d, dc=g, dw=step.dw + np.outer(r, z),
        event="finished" if t == 1 else None,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class CellStep(Record):
    """One time forward, or one time on the way back; t from 1 to T.

    `cells` are c_0..c_T, `states` h_0..h_T, M = T + 1 of each, and `gates` has a row f, i, m, o for
    each of the times 1..T. `dc` and `dh` are the derivatives of h_T by c_0..c_T and h_0..h_T. 0
    stands where nothing is computed yet. `dw` sums those by the weights over the times from t to T.
    """

    is_model = False

    phase: Literal["forward", "back"]
    t: int
    cells: Float[ndarray, " M"]
    states: Float[ndarray, " M"]
    gates: Float[ndarray, "T 4"]
    dc: Float[ndarray, " M"]
    dh: Float[ndarray, " M"]
    dw: Float[ndarray, "4 k"]
    event: str | None = None
