"""The lasso for one penalty by coordinate descent: one weight at a time, the others held.

Objective, b never penalised:

    f(w, b) = 1/2 ||y - X w - b||^2 + penalty ||w||_1

With columns and targets about their means, f as a function of w_j alone is a parabola plus a corner
at 0. With r = y - X w,

    rho_j = x_j.r + ||x_j||^2 w_j              (the product of x_j and the residuals without j)
    w_j  <-  S(rho_j, penalty) / ||x_j||^2     S(z, t) = sign(z) max(|z| - t, 0)

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

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.centred import Centred, centred
from algorithms.core.record import Record

Event = Literal["variable enters", "variable leaves", "converged", "stopped at max_iter"]


@dataclass(frozen=True, eq=False)
class LassoStep(Record):
    """The weights after one coordinate was visited; also a model.

    In sweep `sweep` (from 1) coordinate `variable` went from `before` to its new weight;
    `correlation` is its rho and `curvature` its ||x_j||^2. The start has sweep 0, variable -1 and
    zeros. `objective` is f, lower by `fall` than before. `violation` is by how much the weights
    break the conditions for a minimum, at the end of the last full sweep (at the start: now).

    Events: "variable enters" (its weight was 0), "variable leaves" (it is 0 now), and at the end,
    instead, "converged" or "stopped at max_iter".
    """

    penalty: float
    weights: Float[ndarray, " d"]
    intercept: float
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

    def predict(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return w.x + b for every row of `X`."""
        return X @ self.weights + self.intercept


def lasso(
    X: Float[ndarray, "n d"],
    y: Float[ndarray, " n"],
    penalty: float,
    *,
    max_iter: int = 1000,
    tol: float = 1e-8,
) -> Iterator[LassoStep]:
    """Minimise 1/2 ||y - X w - b||^2 + penalty ||w||_1 from w = 0, a step for every coordinate.

    The first step is the start; at most `max_iter` sweeps follow. scikit-learn's alpha is
    penalty / n.

    Raises ValueError, at the call, unless X and y are finite, penalty >= 0, max_iter >= 1 and
    tol >= 0.
    """
    data = centred(X, y)
    penalty = validate.number("penalty", penalty)
    max_iter = validate.integer("max_iter", max_iter, 1)
    return _sweeps(data, penalty, max_iter, validate.number("tol", tol))


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
    data = centred(X, y)
    u, v = first[None], second[:, None]
    (a, h), (_, c) = data.X.T @ data.X
    p, q = data.X.T @ data.y
    squares = a * u * u + 2 * h * u * v + c * v * v - 2 * (p * u + q * v) + data.y @ data.y
    return squares / 2 + penalty * (np.abs(u) + np.abs(v))


def _sweeps(data: Centred, penalty: float, max_iter: int, tol: float) -> Iterator[LassoStep]:
    gram, products = data.X.T @ data.X, data.X.T @ data.y
    squares, w = float(data.y @ data.y), np.zeros(len(products))
    curvatures, visited = gram.diagonal().tolist(), np.flatnonzero(gram.diagonal()).tolist()
    c = products.copy()  # x_j.r for every column
    objective = squares / 2
    violation = _violation(w, c, penalty)
    enough = tol * float(np.abs(products).max())

    def step(sweep: int, j: int, before: float, rho: float, fall: float, event: Event | None):
        return LassoStep(
            penalty=penalty,
            weights=w,
            intercept=data.intercept(w),
            active=np.flatnonzero(w),
            sweep=sweep,
            variable=j,
            before=before,
            correlation=rho,
            curvature=curvatures[j] if j >= 0 else 0.0,
            objective=objective,
            fall=fall,
            violation=violation,
            event=event,
        )

    yield step(0, -1, 0.0, 0.0, 0.0, None if visited else "converged")
    for sweep in range(1, max_iter + 1) if visited else ():
        for j in visited:
            before = float(w[j])
            rho, after, fall = _visit(before, float(c[j]), curvatures[j], penalty)
            w[j] = after
            c -= (after - before) * gram[j]
            objective -= fall
            event: Event | None = None
            if (before == 0) != (after == 0):
                event = "variable enters" if before == 0 else "variable leaves"
            if j == visited[-1]:
                c = products - gram @ w
                violation = _violation(w, c, penalty)
                if violation <= enough:
                    event = "converged"
                elif sweep == max_iter:
                    event = "stopped at max_iter"
            yield step(sweep, j, before, rho, fall, event)
            if event in ("converged", "stopped at max_iter"):
                return


def _visit(w: float, c: float, curvature: float, penalty: float) -> tuple[float, float, float]:
    """Return rho, the best weight, and by how much f falls, for a column with x_j.r = c."""
    rho = c + curvature * w
    best = math.copysign(max(abs(rho) - penalty, 0.0), rho) / curvature + 0.0  # never -0
    change = best - w
    fall = change * c - curvature * change * change / 2 - penalty * (abs(best) - abs(w))
    return rho, best, fall


def _violation(w: Float[ndarray, " d"], c: Float[ndarray, " d"], penalty: float) -> float:
    """Return by how much the conditions for a minimum are broken, at the worst column."""
    broken = np.where(w != 0, np.abs(c - penalty * np.sign(w)), np.abs(c) - penalty)
    return max(0.0, float(broken.max()))
