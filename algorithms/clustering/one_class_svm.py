"""One-class support vector machine: a region that holds most points and leaves a share outside.

With f(x) = sum_i alpha_i k(x_i, x) + b, where -b is the level rho that the sum has to reach:

    maximise   D = -1/2 sum_ij alpha_i alpha_j K_ij
    subject to  0 <= alpha_i <= 1,  sum_i alpha_i = nu n

(all duals and b are nu n times those of the textbook, as in libsvm.) At the optimum

    alpha_i = 0        f(x_i) >= 0      inside, or on the border
    0 < alpha_i < 1    f(x_i)  = 0      on the border
    alpha_i = 1        f(x_i) <= 0      outside, or on the border

So at most nu n points are outside, and at least nu n are support vectors: nu bounds the share of
outliers from above and the share of support vectors from below.

The run starts from a guess: the weight nu n is on the points farthest from the mean, 1 on each, and
the rest on the next one. If all points weighed the same at the start, it would take n moves to
relieve those inside. Update rule, with o_i = sum_l alpha_l K_il:

    choose   j of those with alpha_j > 0 with the largest o_j,
             then i of those with alpha_i < 1 and o_i < o_j with the largest (o_j - o_i)^2 / eta_ij
    move     lambda = (o_j - o_i) / eta_ij,  eta_ij = K_ii + K_jj - 2 K_ij, cut off at 0 and 1
             alpha_i <- alpha_i + lambda,  alpha_j <- alpha_j - lambda
             o <- o + lambda (K_i - K_j)

until no such difference o_j - o_i is above tol. Every move raises D.

Cost: O(n) a step, and O(n d) once for every point that has or gets weight.

Source: 20APC3316 (002:2969-2990); Schoelkopf, Platt, Shawe-Taylor, Smola and Williamson 2001.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import ceil, isclose
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.kernels import DEFAULT, Kernel, kernel_points
from algorithms.kernel_machines.ascent import Ascent, last_argmax, last_argmin
from algorithms.kernel_machines.moves import PairMove
from algorithms.kernel_machines.pair_step import PairStep
from algorithms.kernel_machines.task import Task

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
    nothing, one = np.zeros(len(X)), np.ones(len(X))
    task = OneClassTask(X, kernel, nothing, 0.0, nothing, one, tol, nu)
    run = Ascent(task, farthest(X, nu), pairs=None)
    return iterate(run.first(OneClassStep), partial(advance, run), most=max_iter)


def advance(run: Ascent, step: "OneClassStep") -> "OneClassStep":
    """Return the step that follows: the pair that gains most has moved."""
    run.go_to(step)
    move = move_pair(run)
    reached = 1.0 in run.record(move) and run.moves.first("a point reaches 1")
    return run.step(step, move, "a point reaches 1" if reached else None)


def move_pair(run: Ascent) -> PairMove:
    """Choose the pair that promises most, and move weight lambda from j to i.

    up is -o where alpha < 1 and -inf elsewhere, down is -o where alpha > 0 and +inf elsewhere.
    """
    K, alpha, up, down = run.K, run.beta, run.up, run.down
    j = last_argmin(down)  # argmax o_j
    i = last_argmax((up - down[j]) / K.root_eta(j))  # the signed root of (o_j - o_i)^2 / eta_ij
    slope, eta = up.item(i) - down.item(j), K.eta(i, j)  # o_j - o_i
    wanted = slope / max(eta, K.flattest)
    taken = min(wanted, 1 - alpha[i], alpha[j])  # lambda
    run.lower(taken * (K[i] - K[j]))  # o <- o + lambda (K_i - K_j), and up and down are -o
    run.set(i, 1.0 if taken >= 1 - alpha[i] else alpha[i] + taken)
    run.set(j, alpha[j] - taken)
    return PairMove(i, j, slope, eta, wanted, taken)


def farthest(X: Float[ndarray, "n d"], nu: float) -> Float[ndarray, " n"]:
    """Return the start: a weight of nu n on the points farthest from the mean, 1 on each."""
    duals, total = np.zeros(len(X)), nu * len(X)
    if isclose(total, round(total)):
        total = round(total)  # 0.07 of 100 points are 7, not a little more
    away = np.hypot.reduce(X - X.mean(axis=0), axis=1)
    ranks = np.arange(ceil(total))
    duals[np.argsort(-away, kind="stable")[ranks]] = np.minimum(total - ranks, 1)
    return duals


@dataclass(frozen=True, eq=False)
class OneClassTask(Task):
    """The weights of the points, which are from 0 to 1 and add up to nu n."""

    nu: float


@dataclass(frozen=True, eq=False, slots=True)
class OneClassStep(PairStep):
    """The duals after `index` moves; also a model: `predict` says 1 inside and -1 outside.

    b is -rho.

    Events: "a point reaches 1" (the first that a move takes there), "converged" (violation at most
    tol), "stopped at max_iter".
    """

    task: OneClassTask
    event: Event | None

    @property
    def nu(self) -> float:
        """Return the share that bounds the outliers and the support vectors."""
        return self.task.nu

    @property
    def duals(self) -> Float[ndarray, " n"]:
        """Return alpha_i for every point."""
        return self.coefficients

    @property
    def outside(self) -> Int[ndarray, " o"]:
        """Return the indices of the points that are outside, at the end nu n of them at most."""
        return np.flatnonzero(self.predict(self.task.points) < 0)

    def evenly(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return f - b for every row of `X` if all points weighed nu.

        For the RBF kernel this is the kernel density times nu n (2 pi h^2)^(d/2).
        """
        return self.nu * self.task.kernel(X, self.task.points).sum(axis=1)

    def sums(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return o = sum_i alpha_i k(x_i, x), which is f - b, for every row of `X`."""
        return self.decision_function(X) - self.bias

    def decision_function(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return f for every row of `X`: positive inside."""
        return self.output(X)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return 1 for every row of `X` that is inside or on the border, -1 for the others.

        At the end the points on the border have an f within tol / 2 of 0.
        """
        return np.where(self.decision_function(X) >= -self.task.tol / 2, 1, -1)
