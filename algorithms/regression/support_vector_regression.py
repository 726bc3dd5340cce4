"""Support vector regression: a tube of half-width epsilon, and a price for being outside.

Objective, with f(x) = w.phi(x) + b and the loss |r|_eps = max(0, |r| - epsilon), which is 0
inside the tube:

    minimise   P = 1/2 ||w||^2 + C sum_i |y_i - f(x_i)|_eps

Its dual has one number per point, beta_i = alpha_i - alpha*_i: alpha_i holds the curve up, and
alpha*_i holds it down.

    maximise   D = sum_i y_i beta_i - epsilon sum_i |beta_i| - 1/2 sum_ij beta_i beta_j K_ij
    subject to  -C <= beta_i <= C,  sum_i beta_i = 0;        f(x) = sum_i beta_i k(x_i, x) + b

D <= P, with equality at the optimum, where

    beta_i = 0          |y_i - f(x_i)| <= epsilon     in the tube, or on its edge
    0 < |beta_i| < C    |y_i - f(x_i)|  = epsilon     on the edge
    |beta_i| = C        |y_i - f(x_i)| >= epsilon     outside, or on the edge

So the points with beta_i = 0 could be erased without any change. The others are the support
vectors.

Update rule, from beta = 0. With o_i = sum_l beta_l K_il, the slopes of D for a dual that rises and
for one that falls are

    up_i   = y_i - o_i - epsilon   where beta_i >= 0,   y_i - o_i + epsilon   where beta_i < 0
    down_j = y_j - o_j - epsilon   where beta_j > 0,    y_j - o_j + epsilon   where beta_j <= 0

    choose   j of those with beta_j > -C with the smallest down_j, then i of those with beta_i < C
             and up_i > down_j with the largest (up_i - down_j)^2 / eta_ij
    move     lambda = (up_i - down_j) / eta_ij,  eta_ij = K_ii + K_jj - 2 K_ij, cut off at the box
             and where a beta would pass 0, since its slope changes there
             beta_i <- beta_i + lambda,  beta_j <- beta_j - lambda,  o <- o + lambda (K_i - K_j)

until the violation, the largest up minus the smallest down, is at most tol. Every move raises D. b
is half-way between the two. If the kernel is positive semi-definite, then after some pairs all free
duals, those at no bound and not at 0, move at once, in turn with pairs (free_duals.py).

Cost: O(n) a step, and O(n d) once for every point that is moved.

Source: CS725 22 (000:3700-3765), 20APC3316 (002:2971-3045); Smola and Schoelkopf 2004; Platt 1998;
Fan, Chen and Lin 2005 (the choice of i).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.kernels import DEFAULT, Kernel, kernel_points
from algorithms.kernel_machines.ascent import Ascent, last_argmax, last_argmin
from algorithms.kernel_machines.free_duals import climb, pairs_before
from algorithms.kernel_machines.moves import PairMove
from algorithms.kernel_machines.pair_step import PairStep
from algorithms.kernel_machines.task import Task

Event = Literal["a point reaches C", "converged", "rounding", "stopped at max_iter"]


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
    task = TubeTask(X, kernel, y, epsilon, -bound, bound, tol, C)
    run = Ascent(task, np.zeros(len(X)), pairs=pairs_before(len(X)))
    return iterate(run.first(TubeStep), partial(advance, run), most=max_iter)


def advance(run: Ascent, step: "TubeStep") -> "TubeStep":
    """Return the step that follows: all free duals move if it is their turn, else the best pair."""
    run.go_to(step)
    move = climb(run) or move_pair(run, step.C)
    beta = run.record(move)
    reached = (step.C in beta or -step.C in beta) and run.moves.first("a point reaches C")
    return run.step(step, move, "a point reaches C" if reached else None)


def move_pair(run: Ascent, C: float) -> PairMove:
    """Choose the pair that promises the largest rise of D; move it by lambda, cut off as above.

    up is -inf where beta = C, and down +inf where beta = -C.
    """
    K, beta, up, down = run.K, run.beta, run.up, run.down
    j = last_argmin(down)  # argmin down_j
    i = last_argmax((up - down[j]) / K.root_eta(j))  # signed root of (up_i - down_j)^2 / eta_ij
    slope, eta = up.item(i) - down.item(j), K.eta(i, j)  # up_i - down_j
    wanted = slope / max(eta, K.flattest)
    tube = run.task.epsilon > 0  # else no slope changes at 0
    high = 0.0 if tube and beta[i] < 0 else C
    low = 0.0 if tube and beta[j] > 0 else -C
    taken = min(wanted, high - beta[i], beta[j] - low)  # lambda
    run.lower(taken * (K[i] - K[j]))  # o <- o + lambda (K_i - K_j), so up and down fall
    run.set(i, high if taken >= high - beta[i] else beta[i] + taken)
    run.set(j, low if taken >= beta[j] - low else beta[j] - taken)
    return PairMove(i, j, slope, eta, wanted, taken)


@dataclass(frozen=True, eq=False)
class TubeTask(Task):
    """The tube: `linear` is y, `epsilon` its half-width, and C the price of being outside."""

    C: float


@dataclass(frozen=True, eq=False, slots=True)
class TubeStep(PairStep):
    """The duals after `index` moves; also a model, since `predict` works at every step.

    A coefficient is positive where the point holds the curve up, negative where it holds it down.

    Events: "a point reaches C" (the first that does), "converged" (violation at most tol),
    "rounding" (the violation left is as small as rounding errors), "stopped at max_iter".
    """

    task: TubeTask
    event: Event | None

    @property
    def C(self) -> float:
        """Return the largest |beta| allowed."""
        return self.task.C

    @property
    def duals(self) -> Float[ndarray, " n"]:
        """Return alpha_i + alpha*_i, which is |beta_i| because one of the two is 0."""
        return np.abs(self.coefficients)

    @property
    def residuals(self) -> Float[ndarray, " n"]:
        """Return y_i - f(x_i)."""
        return self.task.linear - self.outputs

    @property
    def losses(self) -> Float[ndarray, " n"]:
        """Return |r_i|_eps = max(0, |r_i| - epsilon)."""
        return np.maximum(np.abs(self.residuals) - self.task.epsilon, 0)

    @property
    def primal_objective(self) -> float:
        """Return P of the same duals, with the bias of this step."""
        flat = self.coefficients @ (self.outputs - self.bias) / 2
        return float(flat + self.C * self.losses.sum())

    def predict(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return f for every row of `X`."""
        return self.output(X)
