"""The model that every solver of the support vector machine's dual returns.

With signs y_i = -1 or +1, duals alpha_i and beta_i = alpha_i y_i,

    f(x) = sum_i beta_i k(x_i, x) + b

    primal   P = 1/2 ||w||^2 + C sum_i max(0, 1 - y_i f(x_i)),   ||w||^2 = sum_ij beta_i beta_j K_ij
    dual     D = sum_i alpha_i - 1/2 ||w||^2,   0 <= alpha_i <= C,  sum_i alpha_i y_i = 0

D <= P, with equality where (Karush, Kuhn and Tucker; the optimum, if K is positive semi-definite)

    alpha_i = 0       y_i f(x_i) >= 1        beyond the margin, or on it
    0 < alpha_i < C   y_i f(x_i)  = 1        on the margin
    alpha_i = C       y_i f(x_i) <= 1        inside the margin or on the wrong side

Source: CS725 21.2-21.5 (000:3465; with ||w||^2 / 2, where 000:3410 has ||w||^2), CS337 (003:1080).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.kernels import Kernel, kernel_points
from algorithms.core.scores import highest
from algorithms.kernel_machines.task import Task

OUT, FREE, FULL = 0, 1, 2
"""States of a point: alpha = 0, strictly between, alpha = C."""


@dataclass(frozen=True, eq=False)
class SvmTask(Task):
    """Two classes to separate. The signs are -1 for points of classes[0], +1 for classes[1]."""

    classes: Int[ndarray, " 2"]
    C: float

    @property
    def signs(self) -> Float[ndarray, " n"]:
        """Return -1 or +1 for every point."""
        return self.linear


class KernelMachine(ABC):
    """A machine for two classes, given by its task, the duals and the bias.

    A condition counts as broken if y f(x) is on the wrong side of 1 by more than half of tol.
    """

    __slots__ = ()

    task: SvmTask
    bias: float

    @property
    def points(self) -> Float[ndarray, "n d"]:
        """Return the points of the task."""
        return self.task.points

    @property
    def signs(self) -> Float[ndarray, " n"]:
        """Return -1 or +1 for every point."""
        return self.task.signs

    @property
    def classes(self) -> Int[ndarray, " 2"]:
        """Return the two classes, f > 0 for the second."""
        return self.task.classes

    @property
    def C(self) -> float:
        """Return the largest alpha allowed."""
        return self.task.C

    @property
    def kernel(self) -> Kernel:
        """Return the kernel."""
        return self.task.kernel

    @property
    def tol(self) -> float:
        """Return the largest violation that counts as 0."""
        return self.task.tol

    @property
    def duals(self) -> Float[ndarray, " n"]:
        """Return alpha_i for every point."""
        return np.abs(self.coefficients)

    @property
    @abstractmethod
    def coefficients(self) -> Float[ndarray, " n"]:
        """Return beta_i = alpha_i y_i for every point."""

    @property
    @abstractmethod
    def outputs(self) -> Float[ndarray, " n"]:
        """Return f(x_i) for the points themselves."""

    @property
    def level(self) -> float:
        """Return y f on the edges of the street: 1, or what the machine learns (nu_svm.py)."""
        return 1.0

    @property
    def primal_objective(self) -> float:
        """Return P, which is not below the dual objective of the same duals, whatever K is."""
        hinge = np.maximum(self.level - self.signs * self.outputs, 0).sum()
        return float(self._half_norm + self.C * hinge)

    @property
    def margin(self) -> float:
        """Return half the street's width, 1 / ||w||, in feature space; 0 if w has no length."""
        half_norm = self._half_norm
        return float(self.level / np.sqrt(2 * half_norm)) if half_norm > 0 else 0.0

    @property
    def _half_norm(self) -> float:
        return float(self.coefficients @ (self.outputs - self.bias)) / 2

    @property
    def support(self) -> Int[ndarray, " s"]:
        """Return the indices of the support vectors, the points with alpha > 0."""
        return np.flatnonzero(self.states != OUT)

    @property
    def states(self) -> Int[ndarray, " n"]:
        """Return OUT, FREE or FULL for every point."""
        duals, edge = self.duals, self._edge
        return np.where(duals <= edge, OUT, np.where(duals >= self.C - edge, FULL, FREE))

    @property
    def _edge(self) -> float:
        return 0.0

    @property
    def kkt_violations(self) -> Float[ndarray, " n"]:
        """Return by how much y f(x) of every point is on the wrong side of its edge."""
        short, states = self.level - self.signs * self.outputs, self.states
        return np.where(
            states == FREE, np.abs(short), np.maximum(np.where(states == OUT, short, -short), 0)
        )

    @property
    def violators(self) -> Int[ndarray, " v"]:
        """Return the points whose condition is broken by more than tol / 2."""
        # With b half-way between the extreme errors, none is left once these are tol apart.
        return np.flatnonzero(self.kkt_violations > 0.5 * self.tol * (1 + 1e-9))

    def decision_function(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return f for every row of `X`: positive for the second class, +-1 on the margins."""
        coefficients = self.coefficients
        used = np.flatnonzero(coefficients)
        return coefficients[used] @ self.kernel(self.points[used], X) + self.bias

    def terms(self, x: Float[ndarray, " d"]) -> Float[ndarray, " n"]:
        """Return alpha_i y_i k(x_i, x) for every point: f(x) is their sum and b."""
        return self.coefficients * self.kernel(self.points, x[None])[:, 0]

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class of every row of `X`, the first class where f = 0."""
        return highest(self.decision_function(X), self.classes)


def two_classes(X: Any, y: Any, C: Any, kernel: Any, tol: Any) -> SvmTask:
    """Return the arguments of every solver, checked, as a task."""
    X = kernel_points(kernel, X)
    classes, codes = validate.labels(y, len(X))
    if len(classes) > 2:
        raise ValueError(
            f"y must name two classes, got {len(classes)}: a support vector machine separates "
            "two, use one-versus-rest or one-versus-one"
        )
    C = validate.number("C", C, positive=True)
    signs = 2.0 * codes - 1
    low, high = np.minimum(signs * C, 0), np.maximum(signs * C, 0)
    tol = validate.number("tol", tol)
    return SvmTask(X, kernel, signs, 0.0, low, high, tol, classes, C)
