"""One recurrent unit, forward through time, and backpropagation through time.

With the inputs x_1..x_T and the first state h_0, a time a step:

    forward:   h_t = tanh(w h_(t-1) + u x_t + b)
    slope:     dh_t / dh_(t-1) = w (1 - h_t^2)

Back from the last time, with g_t = dh_T / dh_t and g_T = 1:

    g_(t-1) = g_t w (1 - h_t^2)
    dh_T/dw += g_t (1 - h_t^2) h_(t-1),  dh_T/du += g_t (1 - h_t^2) x_t,  dh_T/db += g_t (1 - h_t^2)

So g_t is a product of T - t slopes. It vanishes where they are below 1 and explodes where they are
above. A loss of h_T multiplies all of them by its own slope. Cost: O(1) a step.

Source: CS337, recurrent networks (003:1591); Bengio, Simard and Frasconi 1994.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record


def recurrent_unit(
    x: Float[ndarray, " T"], *, w: float, u: float = 1.0, b: float = 0.0, start: float = 0.0
) -> Iterator["UnitStep"]:
    """Go forward through the inputs, then back: 2T steps.

    Parameters
    ----------
    w, u, b : weight of the state, weight of the input, bias
    start : the state h_0, from -1 to 1

    Raises
    ------
    ValueError
        If there is no input, a number is not finite, or the first state is not from -1 to 1.
    """
    x = validate.points(np.asarray(x, float)[:, None], name="x")[:, 0]
    for name, value in (("w", w), ("u", u), ("b", b)):
        validate.within(np.array(value, float), name=name)
    validate.within(np.array(start, float), name="start", limit=1.0)
    T = len(x)
    states, gradients = np.zeros(T + 1), np.zeros(T + 1)
    states[0] = start
    first = forward(x, w, u, b, UnitStep("forward", 0, states, gradients))
    return iterate(first, partial(advance, x, w, u, b), most=2 * T - 1)


def advance(x: Float[ndarray, " T"], w: float, u: float, b: float, step: "UnitStep") -> "UnitStep":
    """Return the next state, or the gradient one time further back."""
    if step.phase == "forward" and step.t < len(x):
        return forward(x, w, u, b, step)
    return back(x, w, step)


def forward(x: Float[ndarray, " T"], w: float, u: float, b: float, step: "UnitStep") -> "UnitStep":
    """h_t = tanh(w h_(t-1) + u x_t + b)."""
    t, h = step.t + 1, step.states.copy()
    h[t] = np.tanh(w * h[t - 1] + u * x[t - 1] + b)
    return UnitStep("forward", t, h, step.gradients)


def back(x: Float[ndarray, " T"], w: float, step: "UnitStep") -> "UnitStep":
    """g_(t-1) = g_t w (1 - h_t^2), and what time t adds to the gradients of w, u and b."""
    t = len(x) if step.phase == "forward" else step.t - 1
    h, g = step.states, step.gradients.copy()
    g[len(x)] = 1.0
    bent = g[t] * (1 - h[t] ** 2)
    g[t - 1] = w * bent
    return replace(
        step, phase="back", t=t, gradients=g, dw=step.dw + bent * h[t - 1],
        du=step.du + bent * x[t - 1], db=step.db + bent, event="finished" if t == 1 else None,
    )  # fmt: skip


def fixed_points(w: float, b: float) -> Float[ndarray, " m"]:
    """Return the states with h = tanh(w h + b), in ascending order: those that silence keeps.

    Between two places with slope 1 the map crosses the diagonal at most once, so halving finds
    every fixed point.
    """
    # Slope 1: w (1 - tanh(w h + b)^2) = 1. Such places exist only with w > 1.
    steep = np.arctanh(np.sqrt(1 - 1 / w)) if w > 1 else 0.0
    turns = [(-steep - b) / w, (steep - b) / w] if w > 1 else []
    ends = np.clip([-1.0, *turns, 1.0], -1, 1)

    def above(h: Any) -> Any:
        return np.tanh(w * h + b) - h

    low, high = ends[:-1].copy(), ends[1:].copy()
    crosses = np.sign(above(low)) != np.sign(above(high))
    low, high = low[crosses], high[crosses]
    sign = np.sign(above(low))
    for _ in range(60):
        mid = (low + high) / 2
        before = np.sign(above(mid)) == sign
        low, high = np.where(before, mid, low), np.where(before, high, mid)
    return (low + high) / 2


@dataclass(frozen=True, eq=False)
class UnitStep(Record):
    """One time forward, or the factor of one time on the way back; t from 1 to T.

    `states` are h_0..h_T and `gradients` dh_T/dh_0..dh_T/dh_T, m = T + 1 of each, 0 where not
    computed yet. On the way back dw, du and db hold the sums over the times from t to T.
    """

    is_model = False

    phase: Literal["forward", "back"]
    t: int
    states: Float[ndarray, " m"]
    gradients: Float[ndarray, " m"]
    dw: float = 0.0
    du: float = 0.0
    db: float = 0.0
    event: str | None = None
