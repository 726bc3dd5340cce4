"""The lasso for one penalty by coordinate descent: one weight at a time, the others held.

Objective, b never penalised:

    f(w, b) = 1/2 ||y - X w - b||^2 + penalty ||w||_1

With columns and targets about their means, f as a function of w_j alone is a parabola plus a corner
at 0. Update rule, with r = y - X w:

    rho_j = x_j.r + ||x_j||^2 w_j              (the product of x_j and the residuals without j)
    w_j  <-  S(rho_j, penalty) / ||x_j||^2     S(z, p) = sign(z) max(|z| - p, 0)

minimises it: the soft threshold S moves rho_j towards 0 by the penalty, and to 0 if it is nearer
than that. A sweep visits every coordinate once, in the order of the columns. f falls at every visit
that changes something. Every corner of f belongs to a single coordinate; so where no coordinate can
lower f, nothing can (Tseng 2001).

Stopped when, after a sweep, no column breaks the conditions for a minimum by more than tol times
the largest penalty that matters, max_j |x_j.y|:

    x_j.r = penalty sign(w_j)  where w_j is not 0,        |x_j.r| <= penalty  where it is.

Cost: O(d) a visit, since all x_j.r change by a row of X^T X, after O(n d^2) once for X^T X. A
column that does not vary is left out.

Source: CS337 (003:338, "iterative optimization"); Friedman, Hastie and Tibshirani 2010.
"""

from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import copysign
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.regression.linear_model import LinearModel
from algorithms.regression.linear_paths.centred import Centred, centred

Event = Literal["variable enters", "variable leaves", "converged", "stopped at max_iter"]


def lasso(
    X: Float[ndarray, "n d"],
    y: Float[ndarray, " n"],
    penalty: float,
    *,
    max_iter: int = 1000,
    tol: float = 1e-8,
) -> Iterator["LassoStep"]:
    """Minimise 1/2 ||y - X w - b||^2 + penalty ||w||_1 from w = 0, a step for every coordinate.

    The first step is the start; at most `max_iter` sweeps follow. scikit-learn's alpha is
    penalty / n.

    Raises ValueError, at the call, unless X and y are finite, penalty >= 0, max_iter >= 1 and
    tol >= 0.
    """
    data = centred(X, y)
    penalty = validate.number("penalty", penalty)
    max_iter = validate.integer("max_iter", max_iter, 1)
    problem = _problem(data, penalty, validate.number("tol", tol))
    most = max_iter * len(problem.columns)
    return iterate(_start(problem), partial(advance, problem), most=most)


def advance(problem: "Problem", step: "LassoStep") -> "LassoStep":
    """Return the step that follows: the next coordinate is visited."""
    columns, w = problem.columns, step.weights.copy()
    place = bisect(columns, step.variable) % len(columns)
    j = columns[place]
    before, square = float(w[j]), float(problem.gram[j, j])
    rho = float(step.products[j]) + square * before  # x_j.r + ||x_j||^2 w_j
    w[j] = copysign(max(abs(rho) - problem.penalty, 0.0), rho) / square + 0.0  # never -0
    after, ends = float(w[j]), place == len(columns) - 1
    fall = _fall(problem, float(step.products[j]), square, before, after)
    products = step.products - (after - before) * problem.gram[j]
    if ends:  # from w itself, so that rounding does not add up from sweep to sweep
        products = problem.of_y - problem.gram @ w
    violation = problem.violation(w, products) if ends else step.violation
    event: Event | None = None
    if (before == 0) != (after == 0):
        event = "variable enters" if before == 0 else "variable leaves"
    if ends and violation <= problem.enough:
        event = "converged"
    return LassoStep(
        weights=w,
        intercept=problem.data.intercept(w),
        penalty=problem.penalty,
        active=np.flatnonzero(w),
        sweep=step.sweep + (place == 0),
        variable=j,
        before=before,
        correlation=rho,
        curvature=square,
        products=products,
        objective=step.objective - fall,
        fall=fall,
        violation=violation,
        event=event,
    )


def soft_threshold(z: Float[ndarray, "..."], threshold: float) -> Float[ndarray, "..."]:
    """Return S(z, p) = sign(z) max(|z| - p, 0) of many numbers."""
    return np.sign(z) * np.maximum(np.abs(z) - threshold, 0.0)


def _fall(problem: "Problem", product: float, square: float, before: float, after: float) -> float:
    """Return by how much f falls when w_j changes. product : x_j.r. square : ||x_j||^2."""
    z = after - before
    return z * product - square * z * z / 2 - problem.penalty * (abs(after) - abs(before))


@dataclass(frozen=True, eq=False)
class LassoStep(LinearModel):
    """The weights after one coordinate was visited; also a model.

    In sweep `sweep` (from 1) coordinate `variable` went from `before` to its new weight;
    `correlation` is its rho and `curvature` its ||x_j||^2; `products` are the x_j.r of all columns.
    The start has sweep 0, variable -1 and zeros. `objective` is f, lower by `fall` than before.
    `violation` is by how much the weights break the conditions for a minimum, at the end of the
    last full sweep (at the start: now).

    Events: "variable enters" (its weight was 0), "variable leaves" (it is 0 now), and at the end,
    instead, "converged" or "stopped at max_iter".
    """

    penalty: float
    active: Int[ndarray, " a"]
    sweep: int
    variable: int
    before: float
    correlation: float
    curvature: float
    products: Float[ndarray, " d"]
    objective: float
    fall: float
    violation: float
    event: Event | None = None


@dataclass(frozen=True, eq=False)
class Problem(Record):
    """What the visits need: X^T X, X^T y, and the indices of the `columns` that vary.

    enough : the violation of the conditions at which a run has converged.
    """

    data: Centred
    gram: Float[ndarray, "d d"]
    of_y: Float[ndarray, " d"]
    columns: tuple[int, ...]
    penalty: float
    enough: float

    def violation(self, w: Float[ndarray, " d"], c: Float[ndarray, " d"]) -> float:
        """Return by how much the conditions for a minimum are broken at the worst column."""
        broken = np.where(w != 0, np.abs(c - self.penalty * np.sign(w)), np.abs(c) - self.penalty)
        return max(0.0, float(broken.max()))


def _problem(data: Centred, penalty: float, tol: float) -> Problem:
    gram, of_y = data.X.T @ data.X, data.X.T @ data.y
    enough = tol * float(np.abs(of_y).max())
    return Problem(
        data, gram, of_y, tuple(np.flatnonzero(gram.diagonal()).tolist()), penalty, enough
    )


def _start(problem: Problem) -> LassoStep:
    """Return the step with all weights at 0."""
    w = np.zeros(len(problem.of_y))
    return LassoStep(
        weights=w,
        intercept=problem.data.intercept(w),
        penalty=problem.penalty,
        active=np.array([], int),
        sweep=0,
        variable=-1,
        before=0.0,
        correlation=0.0,
        curvature=0.0,
        products=problem.of_y,
        objective=float(problem.data.y @ problem.data.y) / 2,
        fall=0.0,
        violation=problem.violation(w, problem.of_y),
        event=None if len(problem.columns) else "converged",
    )
