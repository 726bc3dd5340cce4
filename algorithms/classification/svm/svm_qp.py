"""Support vector machine by quadratic programming: all duals at once, by an interior-point method.

Objective, with Q_ij = y_i y_j K_ij, as a quadratic program (as CPSC340 hands it to `quadprog`):

    minimise  1/2 alpha.Q alpha - sum_i alpha_i   subject to  y.alpha = 0,  0 <= alpha_i <= C

Let z_i >= 0 and s_i >= 0 be the multipliers of alpha_i >= 0 and of alpha_i <= C, and b that of the
sum. The conditions of the optimum, with the products of the last line at mu instead of 0,

    Q alpha + b y - 1 - z + s = 0,   y.alpha = 0,   alpha_i z_i = mu,  (C - alpha_i) s_i = mu

describe a path through the inside of the box that ends at the optimum as mu -> 0. Update rule: one
Newton step towards the point of the path with mu <- sigma mu, cut off inside the box,

    (Q + D) dalpha + y db = r,  y.dalpha = 0,   D = diag(z_i / alpha_i + s_i / (C - alpha_i))
    alpha <- alpha + t dalpha,  and so b, z, s

where a first solution with sigma = 0 shows how far the step can go (sigma = (mu reached / mu)^3)
and corrects the second one (Mehrotra). alpha starts inside with y.alpha = 0 and so stays feasible.
b is the bias of the machine, so nothing has to be averaged. CPSC340 averages y_i - (f(x_i) - b)
over all support vectors. That is right only for those with alpha_i < C, the ones on the margin.

Cost per step: O(n^3), against O(n) of a pair in SMO; but there are only 10 to 30 steps.

Source: CPSC340 (001:30), Mehrotra 1992, Fine and Scheinberg 2001.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import ClassVar, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.linalg import cho_factor, cho_solve

from algorithms.classification.svm.kernel_machine import KernelMachine, SvmTask, two_classes
from algorithms.classification.svm.kernel_matrix import kernel_matrix
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.kernels import DEFAULT, Kernel
from algorithms.core.record import Record, frozen
from algorithms.core.work import spend

MOST_POINTS = 1000
NEAR = 1e-4  # of C: a dual nearer to a bound than this counts as there
BROKEN = 1e-3  # a point off by more than half of this breaks its condition, as in SMO
STOP = 0.99  # of the way to the nearest bound
ROUNDING = 1e-13  # of the largest K_ii, added to the diagonal: K is singular for duplicates

Event = Literal["converged", "rounding", "stopped at max_iter"]


def svm_qp(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    C: float = 1.0,
    kernel: Kernel = DEFAULT,
    tol: float = 1e-8,
    max_iter: int = 100,
) -> Iterator["SvmQpStep"]:
    """Take Newton steps on all duals until primal and dual objective meet.

    The first step is the start; at most `max_iter` Newton steps follow. f is positive for the
    second of the two classes.

    Raises ValueError, at the call, unless X is finite, not too large for the kernel and of at most
    1000 rows, y holds n integers of two classes, C > 0, tol >= 0, max_iter >= 1 and the
    kernel matrix is positive semi-definite (else the program is not convex).
    """
    task = two_classes(X, y, C, kernel, BROKEN)
    X, signs = task.points, task.signs
    tol = validate.number("tol", tol)
    max_iter = validate.integer("max_iter", max_iter, 1)
    if len(X) > MOST_POINTS:
        raise ValueError(
            f"X must have at most {MOST_POINTS} rows for the quadratic program, got {len(X)}: "
            "its matrix has n x n entries. SMO needs only rows of it"
        )
    if not kernel.definite:
        matrix = kernel_matrix(kernel, X, signs.astype(int), most=MOST_POINTS)
        if not matrix.definite:
            raise ValueError(
                "kernel must be positive semi-definite on X for the quadratic program, got an "
                f"eigenvalue of {matrix.eigenvalues[-1]:.3g}: the program is not convex. SMO "
                "can still climb"
            )
    Q = task.C * (signs[:, None] * kernel(X, X) * signs)
    Q.flat[:: len(X) + 1] += ROUNDING * float(np.abs(Q.diagonal()).max())
    first = measured(task, tol, 0, start(Q, signs), 0.0, 0.0)
    return iterate(first, partial(advance, Q, tol), most=max_iter)


def start(Q: Float[ndarray, "n n"], y: Float[ndarray, " n"]) -> "Inside":
    """Return a place in the middle of the box with y.alpha = 0."""
    positive = float((y > 0).mean())
    share = np.where(y > 0, 1 - positive, positive)
    u = 0.5 * share / max(positive, 1 - positive)
    # These multipliers satisfy the first condition exactly, so only alpha has to improve.
    rest = Q @ u - 1
    return Inside(u, 1 - u, 0.0, np.maximum(rest, 0) + 1.0, np.maximum(-rest, 0) + 1.0, Q @ u)


def advance(Q: Float[ndarray, "n n"], tol: float, step: "SvmQpStep") -> "SvmQpStep":
    """Return the step that follows, or the same place again if rounding forbids a Newton step."""
    spend(len(Q) ** 3 / 3)
    try:
        place, sigma, t = newton_step(Q, step.signs, step.place)
    except np.linalg.LinAlgError:
        changes = {"centering": 0.0, "step_length": 0.0, "event": "rounding"}
        return replace(step, index=step.index + 1, **changes)
    return measured(step.task, tol, step.index + 1, place, sigma, t)


def newton_step(
    Q: Float[ndarray, "n n"], y: Float[ndarray, " n"], place: "Inside"
) -> tuple["Inside", float, float]:
    """Take one Newton step; return the new place, sigma and t."""
    u, v, b, z, s, Qu = place.u, place.v, place.b, place.z, place.s, place.Qu
    matrix = Q.copy()
    matrix.flat[:: len(u) + 1] += z / u + s / v  # Q + D
    factor = cho_factor(matrix, overwrite_a=True, check_finite=False)
    across = cho_solve(factor, y, check_finite=False)
    residual = Qu + b * y - 1 - z + s

    def direction(low: ndarray, high: ndarray) -> tuple[ndarray, float, ndarray, ndarray]:
        """Solve for the products u z + low and v s + high to vanish."""
        du = cho_solve(factor, high / v - low / u - residual - z + s, check_finite=False)
        db = float(y @ du + y @ u) / float(y @ across)
        du -= db * across
        return du, db, -(low + z * du) / u - z, (s * du - high) / v - s

    du, db, dz, ds = direction(np.zeros_like(u), np.zeros_like(u))
    t = longest((u, du), (v, -du), (z, dz), (s, ds))
    reached = (u + t * du) @ (z + t * dz) + (v - t * du) @ (s + t * ds)
    sigma = min((float(reached) / (2 * len(u) * place.mu)) ** 3, 1.0)
    du, db, dz, ds = direction(du * dz - sigma * place.mu, -du * ds - sigma * place.mu)
    t = min(1.0, STOP * longest((u, du), (v, -du), (z, dz), (s, ds)))
    u = u + t * du
    return Inside(u, v - t * du, b + t * db, z + t * dz, s + t * ds, Q @ u), sigma, t


def longest(*moves: tuple[ndarray, ndarray]) -> float:
    """Return the largest t up to 1 / STOP that keeps every x + t dx from becoming negative."""
    steepest = min(float((dx / x).min()) for x, dx in moves)
    return min(1 / STOP, -1 / steepest) if steepest < 0 else 1 / STOP


def measured(
    task: SvmTask, tol: float, index: int, place: "Inside", sigma: float, t: float
) -> "SvmQpStep":
    """Return the step of a place, with both objectives there."""
    signs, C, u = task.signs, task.C, place.u
    half_norm = C * float(u @ place.Qu) / 2
    dual = C * float(u.sum()) - half_norm
    hinges = np.maximum(1 - signs * (signs * place.Qu + place.b), 0)
    gap = half_norm + C * float(hinges.sum()) - dual
    event: Event | None = "converged" if gap <= tol * (1 + abs(dual)) else None
    return SvmQpStep(task, place, place.b, index, dual, gap, sigma, t, event)


@dataclass(frozen=True, eq=False)
class Inside(Record):
    """A place inside the box: u = alpha / C and v = 1 - u; b, z and s are not scaled."""

    u: Float[ndarray, " n"]
    v: Float[ndarray, " n"]  # kept beside u: it may be much smaller than the rounding of 1 - u
    b: float
    z: Float[ndarray, " n"]
    s: Float[ndarray, " n"]
    Qu: Float[ndarray, " n"]

    @property
    def mu(self) -> float:
        """Return the mean of the products that should vanish."""
        return float(self.u @ self.z + self.v @ self.s) / (2 * len(self.u))


@dataclass(frozen=True, eq=False)
class SvmQpStep(Record, KernelMachine):
    """The duals after `index` Newton steps; also a model, since `predict` works at every step.

    `gap` is the primal minus the dual objective, `centering` the sigma of this step and
    `step_length` its t (both 0 at the start).

    Events: "converged" (gap at most tol (1 + |dual|)); "rounding" (no further step can be taken in
    floating point, so this one is the one before again); "stopped at max_iter".
    """

    final_events: ClassVar = (*Record.final_events, "rounding")

    task: SvmTask
    place: Inside
    bias: float
    index: int
    dual_objective: float
    gap: float
    centering: float
    step_length: float
    event: Event | None = None

    @property
    def mu(self) -> float:
        """Return the mean of the products that should vanish."""
        return self.place.mu

    @property
    def coefficients(self) -> Float[ndarray, " n"]:
        """Return beta_i = alpha_i y_i for every point."""
        return self.C * self.place.u * self.signs

    @property
    def outputs(self) -> Float[ndarray, " n"]:
        """Return f(x_i) for the points themselves."""
        return self._outputs

    @cached_property
    def _outputs(self) -> Float[ndarray, " n"]:
        return frozen(self.decision_function(self.points))

    @property
    def _edge(self) -> float:
        return NEAR * self.C
