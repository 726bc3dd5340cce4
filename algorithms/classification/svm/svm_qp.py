"""Support vector machine by quadratic programming: all duals at once, by an interior-point method.

Objective, with Q_ij = y_i y_j K_ij, as a quadratic program (what `quadprog` is given in CPSC340):

    minimise  1/2 alpha.Q alpha - sum_i alpha_i   subject to  y.alpha = 0,  0 <= alpha_i <= C

Let z_i >= 0 and s_i >= 0 be the multipliers of alpha_i >= 0 and of alpha_i <= C, and b that of the
sum. The conditions of the optimum, with the products of the last line at mu instead of 0,

    Q alpha + b y - 1 - z + s = 0,   y.alpha = 0,   alpha_i z_i = mu,  (C - alpha_i) s_i = mu

describe a path through the inside of the box that ends at the optimum as mu -> 0. Update rule: one
Newton step towards the point of the path with mu <- sigma mu, cut off inside the box,

    (Q + D) dalpha + y db = r,  y.dalpha = 0,   D = diag(z_i / alpha_i + s_i / (C - alpha_i))
    alpha <- alpha + t dalpha,  and so b, z, s

where a first solution with sigma = 0 says how far one may go (sigma = (mu reached / mu)^3) and
corrects the second one (Mehrotra). alpha starts inside with y.alpha = 0 and so stays feasible. b is
the bias of the machine, so nothing has to be averaged; CPSC340 averages y_i - (f(x_i) - b) over all
support vectors, which is right only for those with alpha_i < C, the ones on the margin.

Cost per step: O(n^3), against O(n) of a pair in SMO; but there are only 10 to 30 steps.

Source: CPSC340 (001:30), Mehrotra 1992, Fine and Scheinberg 2001.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.linalg import cho_factor, cho_solve

from algorithms.classification.svm.kernel_machine import KernelMachine, Problem, two_classes
from algorithms.classification.svm.kernel_matrix import kernel_matrix
from algorithms.core import validate
from algorithms.core.kernels import DEFAULT, Kernel
from algorithms.core.record import frozen

MOST_POINTS = 1000
NEAR = 1e-4  # of C: nearer to a bound than this is at it
BROKEN = 1e-3  # more than half of this, and a point breaks its condition, as in SMO
STOP = 0.99  # of the way to the nearest bound
ROUNDING = 1e-13  # of the largest K_ii, added to the diagonal: K is singular for duplicates

Event = Literal["converged", "rounding", "stopped at max_iter"]


@dataclass(frozen=True, eq=False)
class SvmQpStep(KernelMachine):
    """The duals after `index` Newton steps; also a model, since `predict` works at every step.

    `gap` is primal less dual objective, `mu` the mean of the products that should vanish,
    `centering` the sigma of this step and `step_length` its t (both 0 at the start).

    Events: "converged" (gap at most tol (1 + |dual|)); "rounding" (no step can be taken any more in
    floating point, so this one is the one before again); "stopped at max_iter".
    """

    index: int
    signed: Float[ndarray, " n"]  # alpha_i y_i
    gap: float
    mu: float
    centering: float
    step_length: float
    event: Event | None = None

    @property
    def coefficients(self) -> Float[ndarray, " n"]:
        """Return beta_i = alpha_i y_i for every point."""
        return self.signed

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


def svm_qp(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    C: float = 1.0,
    kernel: Kernel = DEFAULT,
    tol: float = 1e-8,
    max_iter: int = 100,
) -> Iterator[SvmQpStep]:
    """Take Newton steps on all duals until primal and dual objective meet.

    The first step is the start; at most `max_iter` Newton steps follow. f is positive for the
    second of the two classes.

    Raises ValueError, at the call, unless X is finite, not too large for the kernel and of at most
    1000 rows, y holds n integers of two classes, C > 0, tol >= 0, max_iter >= 1 and the
    kernel matrix is positive semi-definite (else the program is not convex).
    """
    problem = two_classes(X, y, C, kernel, BROKEN)
    X, signs = problem.points, problem.signs
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
    return _run(problem, tol, max_iter)


class _InteriorPoint:
    """The state in units of C: u = alpha / C in (0, 1), and the multipliers as they are."""

    def __init__(self, K: Float[ndarray, "n n"], signs: Float[ndarray, " n"], C: float) -> None:
        self.y = signs
        self.Q = C * (signs[:, None] * K * signs)
        self.Q.flat[:: len(signs) + 1] += C * ROUNDING * float(np.abs(K.diagonal()).max())
        positive = float((signs > 0).mean())
        share = np.where(signs > 0, 1 - positive, positive)
        self.u = 0.5 * share / max(positive, 1 - positive)
        self.v = 1 - self.u  # kept beside u: it may be much smaller than the rounding of 1 - u
        self.Qu = self.Q @ self.u
        self.b = 0.0
        # Multipliers that satisfy the first condition exactly: alpha is then all there is to mend.
        rest = self.Qu - 1
        self.z, self.s = np.maximum(rest, 0) + 1.0, np.maximum(-rest, 0) + 1.0

    @property
    def mu(self) -> float:
        return float(self.u @ self.z + self.v @ self.s) / (2 * len(self.u))

    def step(self) -> tuple[float, float]:
        """Take one Newton step; return sigma and t. LinAlgError where rounding forbids it."""
        u, v, z, s, mu = self.u, self.v, self.z, self.s, self.mu
        matrix = self.Q.copy()
        matrix.flat[:: len(u) + 1] += z / u + s / v
        factor = cho_factor(matrix, overwrite_a=True, check_finite=False)
        across = cho_solve(factor, self.y, check_finite=False)
        residual = self.Qu + self.b * self.y - 1 - z + s

        def direction(low: ndarray, high: ndarray) -> tuple[ndarray, float, ndarray, ndarray]:
            """Solve for the products u z + low and v s + high to vanish."""
            du = cho_solve(factor, high / v - low / u - residual - z + s, check_finite=False)
            db = float(self.y @ du + self.y @ u) / float(self.y @ across)
            du -= db * across
            return du, db, -(low + z * du) / u - z, (s * du - high) / v - s

        du, db, dz, ds = direction(np.zeros_like(u), np.zeros_like(u))
        t = _longest(u, du, v, z, dz, s, ds)
        reached = (u + t * du) @ (z + t * dz) + (v - t * du) @ (s + t * ds)
        sigma = min((float(reached) / (2 * len(u) * mu)) ** 3, 1.0)
        du, db, dz, ds = direction(du * dz - sigma * mu, -du * ds - sigma * mu)
        t = min(1.0, STOP * _longest(u, du, v, z, dz, s, ds))
        self.u, self.v, self.b = u + t * du, v - t * du, self.b + t * db
        self.z, self.s = z + t * dz, s + t * ds
        self.Qu = self.Q @ self.u
        return sigma, t


def _longest(
    u: ndarray, du: ndarray, v: ndarray, z: ndarray, dz: ndarray, s: ndarray, ds: ndarray
) -> float:
    """Return the largest t up to 1 / STOP that keeps u, v, z and s from becoming negative."""
    steepest = min((du / u).min(), (-du / v).min(), (dz / z).min(), (ds / s).min())
    return min(1 / STOP, -1 / float(steepest)) if steepest < 0 else 1 / STOP


def _run(problem: Problem, tol: float, max_iter: int) -> Iterator[SvmQpStep]:
    X, signs, C = problem.points, problem.signs, problem.C
    K = problem.kernel(X, X)
    state = _InteriorPoint(K, signs, C)
    sigma, t, exhausted = 0.0, 0.0, False
    for index in range(max_iter + 1):
        outputs = signs * state.Qu + state.b
        half_norm = C * float(state.u @ state.Qu) / 2
        dual = C * float(state.u.sum()) - half_norm
        gap = half_norm + C * float(np.maximum(1 - signs * outputs, 0).sum()) - dual
        done = gap <= tol * (1 + abs(dual))
        event: Event | None = None
        if done or exhausted or index == max_iter:
            event = "converged" if done else "rounding" if exhausted else "stopped at max_iter"
        yield SvmQpStep(
            problem=problem,
            bias=state.b,
            dual_objective=dual,
            index=index,
            signed=C * state.u * signs,
            gap=gap,
            mu=state.mu,
            centering=sigma,
            step_length=t,
            event=event,
        )
        if event:
            return
        try:
            sigma, t = state.step()
        except np.linalg.LinAlgError:
            sigma, t, exhausted = 0.0, 0.0, True
