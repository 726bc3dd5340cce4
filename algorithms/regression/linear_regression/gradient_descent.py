"""Gradient descent on the mean squared error of a linear model: full, mini-batch or stochastic.

Objective, with θ = (w, b) and a_i = (x_i, 1), the rows of A:

    f(θ) = 1/n sum_i (y_i - θ.a_i)²

Update rule, with a batch of B of the n points:

    g = -2/B sum_(i in batch) (y_i - θ.a_i) a_i                     θ <- θ - η g

The other rules (momentum, AdaGrad, RMSProp, Adam) turn g into another step: core/optimizers.py. The
points are shuffled before every epoch and taken in turn, B at a time. B = n is full-batch descent,
B = 1 is stochastic gradient descent. f is a bowl whose curvatures are the eigenvalues of
H = 2/n A^T A (squared_loss.py). With all points and the plain rule, a step multiplies the distance
to the minimum, along a direction of curvature c, by 1 - η c. So with L the largest curvature

    η much below 1/L   f falls slowly, and along the flattest direction slowest: it creeps
    η < 2/L            f never rises, and the run converges
    η > 2/L            |1 - η L| > 1: every step jumps over the valley, and lands higher

Every mini-batch has a bowl of its own. At a constant rate the run soon comes near the minimum, and
then wanders about it, at a distance that grows with η and falls with B.

Cost of a step: O(B d), and here O(n d), since f of all points is computed as well.

Orders drawn ahead, and when a run has converged or diverged: _problem.py. Names of other events:
_endings.py.

Source: CS337 (003:358-460), 20APC3316 (002:690-780, the delta rule).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.optimizers import Memory, Rule, usable
from algorithms.regression.linear_model import LinearModel
from algorithms.regression.linear_regression._endings import named
from algorithms.regression.linear_regression._problem import (
    Problem,
    drawn_batches,
    problem_of,
    starting_at,
)
from algorithms.regression.linear_regression.squared_loss import gradient, squared_loss

MAX_ITER, TOL = 100, 1e-3

Event = Literal["overshoot", "converged", "diverged", "creeps", "wanders", "stopped at max_iter"]


def gradient_descent(
    X: Float[ndarray, "n d"],
    y: Float[ndarray, " n"],
    rule: Rule,
    *,
    rng: Generator,
    batch: int | None = None,
    start: Float[ndarray, " p"] | None = None,
    max_iter: int = MAX_ITER,
    tol: float = TOL,
) -> Iterator["GradientDescentStep"]:
    """Lower the mean squared error step by step, from `start` (zeros), with `batch` points a step.

    Without `batch` every step uses all points; then, and only then, the run can converge. `start`
    is (w, b). The first step is the start; at most `max_iter` updates follow.

    Raises ValueError, at the call, unless X, y and start are finite and fit together, batch is
    from 1 to n, max_iter >= 1 and tol >= 0.
    """
    bowl = squared_loss(X, y)
    theta = starting_at(start, len(bowl.minimum))
    max_iter = validate.integer("max_iter", max_iter, 1)
    batches = drawn_batches(len(bowl.y), batch, max_iter, rng)
    problem = problem_of(bowl, rule, batches, theta, tol)
    first = _start(problem, theta)
    return named(iterate(first, partial(advance, problem), most=max_iter), max_iter)


def advance(problem: Problem, step: "GradientDescentStep") -> "GradientDescentStep":
    """Return the step that follows: θ <- θ - η g, or what another rule makes of g."""
    t, A, y = step.index + 1, problem.bowl.A, problem.bowl.y
    batch = problem.batches.rows(t)  # empty where the update looks at all points
    rows = batch if len(batch) else slice(None)
    with np.errstate(over="ignore", invalid="ignore"):
        g = gradient(A[rows], y[rows], step.theta)  # -2/B sum_i (y_i - θ.a_i) a_i
        change, memory = problem.rule.update(g, step.memory)  # the plain rule: -η g
        theta = step.theta + change
        loss, excess, slope = problem.look(theta)
    if not usable(theta, g, memory) or not np.isfinite(loss):
        still = np.zeros_like(change)
        return replace(step, index=t, gradient=still, change=still, fall=0.0, event="diverged")
    return GradientDescentStep(
        weights=theta[:-1],
        intercept=float(theta[-1]),
        index=t,
        epoch=problem.batches.epoch(t),
        batch=batch,
        learning_rate=problem.rule.learning_rate,
        gradient=g,
        change=change,
        velocity=memory.velocity,
        squares=memory.squares,
        loss=loss,
        excess=excess,
        fall=step.excess - excess,
        slope=slope,
        event=problem.end(loss, slope, step.slope),
    )


@dataclass(frozen=True, eq=False)
class GradientDescentStep(LinearModel):
    """The parameters after `index` updates; all vectors end with the entry of the intercept.

    The latest update used `gradient`, of the points `batch` (empty: of all points), and added
    `change`; `velocity` and `squares` are what the rule keeps. `loss` is f of all points, `excess`
    is how far it is above the minimum, `fall` is by how much the update lowered it, and `slope` is
    the length of the gradient of all points.

    Events: "overshoot" (all points, and the loss rose for the first time), and at the end
    "converged" (all points, and the slope was at most tol times the first one twice in a row);
    "diverged" (the loss is 1000 times that at the start, or above it after max_iter, or the next
    update is not finite); and after max_iter "creeps" (it is not near the minimum, but still gets
    nearer), "wanders" (it goes to and fro), or else "stopped at max_iter".
    """

    index: int
    epoch: int
    batch: Int[ndarray, " b"]
    learning_rate: float
    gradient: Float[ndarray, " p"]
    change: Float[ndarray, " p"]
    velocity: Float[ndarray, " p"]
    squares: Float[ndarray, " p"]
    loss: float
    excess: float
    fall: float
    slope: float
    event: Event | None = None

    @property
    def theta(self) -> Float[ndarray, " p"]:
        """(w, b)."""
        return np.append(self.weights, self.intercept)

    @property
    def memory(self) -> Memory:
        """Return what the rule keeps for the next update."""
        return Memory(self.index, self.velocity, self.squares)


def _start(problem: Problem, theta: Float[ndarray, " p"]) -> GradientDescentStep:
    """Return the step before the first update."""
    memory, still = problem.rule.init(len(theta)), np.zeros(len(theta))
    loss, excess, slope = problem.look(theta)
    return GradientDescentStep(
        weights=theta[:-1],
        intercept=float(theta[-1]),
        index=0,
        epoch=0,
        batch=np.array([], int),
        learning_rate=problem.rule.learning_rate,
        gradient=still,
        change=still,
        velocity=memory.velocity,
        squares=memory.squares,
        loss=loss,
        excess=excess,
        fall=0.0,
        slope=slope,
        event="converged" if problem.end(loss, slope, slope) == "converged" else None,
    )
