"""The lasso for one penalty by coordinate descent: one weight at a time, the others held.

Objective, b never penalised:

    f(w, b) = 1/2 ||y - X w - b||^2 + penalty ||w||_1

With columns and targets about their means, f as a function of w_j alone is a parabola plus a corner
at 0. With r = y - X w,

    rho_j = x_j.r + ||x_j||^2 w_j              (the product of x_j and the residuals without j)
    w_j  <-  S(rho_j, penalty) / ||x_j||^2     S(z, p) = sign(z) max(|z| - p, 0)

minimises it: the soft threshold S moves rho_j towards 0 by the penalty, and to 0 if it is
nearer. A sweep visits every coordinate once, in the order of the columns. f falls at every visit
that changes something, and since the corners belong to single coordinates, where no coordinate can
lower f nothing can (Tseng 2001).

Stopped when, after a sweep, no column breaks the conditions for a minimum by more than tol times
the largest penalty that matters, max_j |x_j.y|:

    x_j.r = penalty sign(w_j)  where w_j is not 0,        |x_j.r| <= penalty  where it is.

Cost: O(d) a visit, after O(n d^2) once for X^T X. A column that does not vary is left out.

Source: CS337 (003:338, "iterative optimization"); Friedman, Hastie and Tibshirani 2010.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import copysign
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.regression.least_squares.linear_model import LinearModel
from algorithms.regression.paths._residual_products import ResidualProducts
from algorithms.regression.paths.about_means import AboutMeans, about_means

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
    data = about_means(X, y)
    penalty = validate.number("penalty", penalty)
    max_iter = validate.integer("max_iter", max_iter, 1)
    return _sweeps(data, penalty, max_iter, validate.number("tol", tol))


def _sweeps(data: AboutMeans, penalty: float, max_iter: int, tol: float) -> Iterator["LassoStep"]:
    w, f = np.zeros(data.X.shape[1]), ResidualProducts(data, penalty)
    yield _step(data, f, w, event=None if f.columns else "converged")
    for sweep in range(1, max_iter + 1) if f.columns else ():
        for j in f.columns:
            before, square = float(w[j]), f.squares[j]
            rho = float(f.products[j]) + square * before
            after = _S(rho, penalty) / square
            fall = f.change(j, before, after)
            w[j] = after
            event: Event | None = None
            if (before == 0) != (after == 0):
                event = "variable enters" if before == 0 else "variable leaves"
            if j == f.columns[-1]:
                violation = f.check(w)
                if violation <= tol * f.largest or sweep == max_iter:
                    event = "converged" if violation <= tol * f.largest else "stopped at max_iter"
            yield _step(data, f, w, sweep, j, before, rho, fall, event)
            if event in ("converged", "stopped at max_iter"):
                return


def _S(z: float, threshold: float) -> float:
    """Return the soft threshold of a number, never -0."""
    return copysign(max(abs(z) - threshold, 0.0), z) + 0.0


@dataclass(frozen=True, eq=False)
class LassoStep(LinearModel):
    """The weights after one coordinate was visited; also a model.

    In sweep `sweep` (from 1) coordinate `variable` went from `before` to its new weight;
    `correlation` is its rho and `curvature` its ||x_j||^2. The start has sweep 0, variable -1 and
    zeros. `objective` is f, lower by `fall` than before. `violation` is by how much the weights
    break the conditions for a minimum, at the end of the last full sweep (at the start: now).

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
    objective: float
    fall: float
    violation: float
    event: Event | None = None


def _step(
    data: AboutMeans,
    f: ResidualProducts,
    w: Float[ndarray, " d"],
    sweep: int = 0,
    j: int = -1,
    before: float = 0.0,
    rho: float = 0.0,
    fall: float = 0.0,
    event: Event | None = None,
) -> LassoStep:
    return LassoStep(
        weights=w,
        intercept=data.intercept(w),
        penalty=f.penalty,
        active=np.flatnonzero(w),
        sweep=sweep,
        variable=j,
        before=before,
        correlation=rho,
        curvature=f.squares[j] if j >= 0 else 0.0,
        objective=f.objective,
        fall=fall,
        violation=f.violation,
        event=event,
    )


def soft_threshold(z: Float[ndarray, "..."], threshold: float) -> Float[ndarray, "..."]:
    """Return `z` moved towards 0 by the threshold, and 0 where it is nearer than that."""
    return np.sign(z) * np.maximum(np.abs(z) - threshold, 0.0)


def lasso_objective(
    X: Float[ndarray, "n 2"],
    y: Float[ndarray, " n"],
    penalty: float,
    first: Float[ndarray, " p"],
    second: Float[ndarray, " q"],
) -> Float[ndarray, "q p"]:
    """Return f for all pairs of two weights, each with the best b."""
    data = about_means(X, y)
    u, v = first[None], second[:, None]
    (a, h), (_, c) = data.X.T @ data.X
    p, q = data.X.T @ data.y
    squares = a * u * u + 2 * h * u * v + c * v * v - 2 * (p * u + q * v) + data.y @ data.y
    return squares / 2 + penalty * (np.abs(u) + np.abs(v))
