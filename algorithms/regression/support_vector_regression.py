"""Support vector regression: a tube of half-width epsilon, and a price for what lies outside.

Objective, with f(x) = w.phi(x) + b and the loss |r|_eps = max(0, |r| - epsilon), which is nothing
inside the tube:

    minimise   P = 1/2 ||w||^2 + C sum_i |y_i - f(x_i)|_eps

Its dual has one number a point, beta_i = alpha_i - alpha*_i, of which the one holds the curve up
and the other holds it down:

    maximise   D = sum_i y_i beta_i - epsilon sum_i |beta_i| - 1/2 sum_ij beta_i beta_j K_ij
    subject to  -C <= beta_i <= C,  sum_i beta_i = 0;        f(x) = sum_i beta_i k(x_i, x) + b

D <= P, with equality at the optimum, where

    beta_i = 0          |y_i - f(x_i)| <= epsilon     in the tube, or on its edge
    0 < |beta_i| < C    |y_i - f(x_i)|  = epsilon     on the edge
    |beta_i| = C        |y_i - f(x_i)| >= epsilon     outside, or on the edge

So the points inside the tube could be erased without any change: the others are the support
vectors. Update rule: two duals at a time, from beta = 0, and later all free ones at once; see
pair_ascent.py.

Cost: O(n) a step, and O(n d) once for every point that is moved.

Source: CS725 22 (000:3700-3765), 20APC3316 (002:2971-3045); Smola and Schoelkopf 2004.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.kernels import DEFAULT, Kernel, kernel_points
from algorithms.core.pair_ascent import PairLog, PairStep, Task, ascend

FEWEST_PAIRS = 100  # before all free duals move at once

Event = Literal["a point reaches C", "converged", "stopped at max_iter"]


def support_vector_regression(
    X: Float[ndarray, "n d"],
    y: Float[ndarray, " n"],
    *,
    C: float = 1.0,
    epsilon: float = 0.1,
    kernel: Kernel = DEFAULT,
    tol: float = 1e-4,
    max_iter: int = 5000,
) -> Iterator["TubeStep"]:
    """Move a pair of duals at a time until no condition is broken by more than tol / 2.

    The first step is the start, beta = 0; at most `max_iter` moves follow.

    Raises ValueError, at the call, unless X is finite and not too large for the kernel, y holds n
    finite numbers, C > 0, epsilon >= 0, tol > 0 and max_iter >= 1.
    """
    X = kernel_points(kernel, X)
    y = validate.targets(y, len(X))
    C = validate.number("C", C, positive=True)
    epsilon = validate.number("epsilon", epsilon)
    tol = validate.number("tol", tol, positive=True)
    max_iter = validate.integer("max_iter", max_iter, 1)
    bound = np.full(len(X), C)
    task = Task(X, kernel, y, epsilon, -bound, bound)
    return _climb(task, C, tol, max_iter)


def _climb(task: Task, C: float, tol: float, max_iter: int) -> Iterator["TubeStep"]:
    log, at_bound = PairLog(np.zeros(len(task.points))), False
    pairs = max(FEWEST_PAIRS, len(task.points) // 2)
    for state in ascend(task, log, tol=tol, max_iter=max_iter, pairs=pairs):
        event: Event | None = None
        if state.violation <= tol:
            event = "converged"
        elif state.moves == max_iter:
            event = "stopped at max_iter"
        elif not at_bound and state.moves:
            at_bound = max(map(abs, log.landed(state.moves))) >= C
            event = "a point reaches C" if at_bound else None
        yield TubeStep(task, log, state, C, event)


@dataclass(frozen=True, eq=False)
class TubeStep(PairStep):
    """The duals after so many moves; also a model, since `predict` works at every step.

    A coefficient is positive where the point holds the curve up, negative where down.

    Events: "a point reaches C" (the first that does), "converged" (violation at most tol),
    "stopped at max_iter".
    """

    C: float
    event: Event | None = None

    @property
    def duals(self) -> Float[ndarray, " n"]:
        """Return alpha_i + alpha*_i = |beta_i|, as one of the two is 0."""
        return np.abs(self.coefficients)

    @property
    def residuals(self) -> Float[ndarray, " n"]:
        """Return y_i - f(x_i)."""
        return self.task.linear - self.predict(self.task.points)

    @property
    def primal_objective(self) -> float:
        """Return P of the same duals, with the bias of this step."""
        f = self.predict(self.task.points)
        outside = np.maximum(np.abs(self.task.linear - f) - self.task.epsilon, 0).sum()
        return float(self.coefficients @ (f - self.bias) / 2 + self.C * outside)

    def predict(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return f for every row of `X`."""
        return self.output(X)
