"""One-class support vector machine: a region that holds most of the points, and leaves a share out.

With f(x) = sum_i alpha_i k(x_i, x) + b, where -b is the level rho that f of the sums has to reach:

    maximise   D = -1/2 sum_ij alpha_i alpha_j K_ij
    subject to  0 <= alpha_i <= 1,  sum_i alpha_i = nu n

(all duals and b are nu n times those of the textbook, as in libsvm.) At the optimum

    alpha_i = 0        f(x_i) >= 0      inside, or on the border
    0 < alpha_i < 1    f(x_i)  = 0      on the border
    alpha_i = 1        f(x_i) <= 0      outside, or on it

so that at most nu n points are outside, and at least nu n are support vectors: nu is a bound on the
share of the outliers from above, and on that of the support vectors from below.

The run starts from a guess: the weight, nu n, is on the points that are farthest from the mean, 1
on each, and what is left on the next one. Then it moves to where the sum of the bumps is lower, two
duals at a time (pair_ascent.py), as long as that lowers the sum on average over the weights. From a
start at which all points weigh the same it would take n moves to relieve those inside.

Cost: O(n) a step, and O(n d) once for every point that has or gets weight.

Source: 20APC3316 (002:2969-2990); Schoelkopf, Platt, Shawe-Taylor, Smola and Williamson 2001.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, isclose
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.kernels import DEFAULT, Kernel, kernel_points
from algorithms.core.pair_ascent import PairLog, PairStep, Task, ascend

Event = Literal["a point reaches 1", "converged", "stopped at max_iter"]


def one_class_svm(
    X: Float[ndarray, "n d"],
    *,
    nu: float = 0.1,
    kernel: Kernel = DEFAULT,
    tol: float = 1e-4,
    max_iter: int = 5000,
) -> Iterator["OneClassStep"]:
    """Move a pair of duals at a time until no condition is broken by more than tol / 2.

    The first step is the start, with weight on the points farthest from the mean; at most
    `max_iter` moves follow.

    Raises ValueError, at the call, unless X is finite and not too large for the kernel, nu is above
    0 and at most 1, tol > 0 and max_iter >= 1.
    """
    X = kernel_points(kernel, X)
    nu = validate.number("nu", nu, positive=True)
    if nu > 1:
        raise ValueError(f"nu must be at most 1, got nu={nu}")
    tol = validate.number("tol", tol, positive=True)
    max_iter = validate.integer("max_iter", max_iter, 1)
    n = len(X)
    task = Task(X, kernel, np.zeros(n), 0.0, np.zeros(n), np.ones(n))
    return _climb(task, nu, tol, max_iter)


def _climb(task: Task, nu: float, tol: float, max_iter: int) -> Iterator["OneClassStep"]:
    log, at_bound = PairLog(_farthest(task.points, nu)), False
    for state in ascend(task, log, tol=tol, max_iter=max_iter, pairs=max_iter):
        event: Event | None = None
        if state.violation <= tol:
            event = "converged"
        elif state.moves == max_iter:
            event = "stopped at max_iter"
        elif not at_bound and state.moves:
            at_bound = max(log.landed(state.moves)) >= 1
            event = "a point reaches 1" if at_bound else None
        yield OneClassStep(task, log, state, nu, tol, event)


def _farthest(X: Float[ndarray, "n d"], nu: float) -> Float[ndarray, " n"]:
    """Share a weight of nu n out to the points farthest from the mean, 1 to each."""
    duals, total = np.zeros(len(X)), nu * len(X)
    if isclose(total, round(total)):
        total = round(total)  # 0.07 of 100 points are 7, not a little more
    away = np.hypot.reduce(X - X.mean(axis=0), axis=1)
    ranks = np.arange(ceil(total))
    duals[np.argsort(-away, kind="stable")[ranks]] = np.minimum(total - ranks, 1)
    return duals


@dataclass(frozen=True, eq=False)
class OneClassStep(PairStep):
    """The duals after so many moves; also a model: `predict` says 1 inside and -1 outside.

    b is -rho.

    Events: "a point reaches 1" (the first that a move takes there), "converged" (violation at most
    tol), "stopped at max_iter".
    """

    nu: float
    tol: float
    event: Event | None = None

    @property
    def duals(self) -> Float[ndarray, " n"]:
        """Return alpha_i for every point."""
        return self.coefficients

    @property
    def outside(self) -> Int[ndarray, " o"]:
        """Return the indices of the points that are outside, at the end nu n of them at most."""
        return np.flatnonzero(self.predict(self.task.points) < 0)

    def evenly(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return f - b for every row of `X` if all points weighed nu: a density, but for a factor.

        For the RBF kernel it is a kernel density times nu n (2 pi h^2)^(d/2).
        """
        return self.nu * self.task.kernel(X, self.task.points).sum(axis=1)

    def decision_function(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return f for every row of `X`: positive inside."""
        return self.output(X)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return 1 for every row of `X` that is inside or on the border, -1 for the others.

        At the end the points on the border have an f within half of tol about 0.
        """
        return np.where(self.decision_function(X) >= -self.tol / 2, 1, -1)
