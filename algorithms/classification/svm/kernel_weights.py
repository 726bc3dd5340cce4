"""Multiple kernel learning: the weights of several kernels, learned with the machine.

    K = sum_m eta_m K_m,   eta_m >= 0,  sum_m eta_m = 1

Each kernel has a part of f of its own, f(x) = sum_m w_m.phi_m(x) + b. Objective, over w, b and eta:

    minimise   P = 1/2 sum_m ||w_m||^2 / eta_m + C sum_i max(0, 1 - y_i f(x_i))

For fixed eta this is the SVM with K, and J(eta) is its optimum. For fixed w the best eta is known
in closed form. J is convex in eta. Update rule, from eta_m = 1 / M:

    machine   alpha, b <- the SVM with K = sum_m eta_m K_m,   beta_i = alpha_i y_i
    lengths   ||w_m|| = eta_m sqrt(q_m),   q_m = sum_ij beta_i beta_j K_m,ij
    weights   eta_m <- ||w_m|| / sum_l ||w_l||

No step raises J. For any alpha in the box, no eta can have a J below

    bound     sum_i alpha_i - 1/2 max_m q_m

so the gap, J - bound = (max_m q_m - sum_m eta_m q_m) / 2, says how far J can still fall. At the
optimum q_m is the same for all kernels with weight and not larger for the others. The run ends when
the gap is at most tol J.

Every kernel is divided by the variance of the points in its space of features, mean_i K_ii -
mean_ij K_ij, so that their weights compare.

Cost per step: one SVM, which starts from the duals of the step before, and O(M s n) for s support
vectors.

Source: 20APC3316 (002:2909-2945); Rakotomamonjy, Bach, Canu and Grandvalet 2008 (the objective);
Xu, Jin, Yang, King and Lyu 2010 (the closed form).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.svm import svm as pairs
from algorithms.classification.svm.kernel_machine import two_classes
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.kernels import Kernel, WeightedSum, kernel_points
from algorithms.core.record import Record, Within, frozen, last
from algorithms.core.scores import highest
from algorithms.core.work import spend
from algorithms.kernel_machines.ascent import Ascent
from algorithms.kernel_machines.free_duals import pairs_before

MOST_POINTS = 1000
MOVES = 10_000  # of duals by one machine
TOL = 0.01
EXACT = 1e-5  # tolerance of the conditions of a machine

Event = Literal["converged", "stopped at max_iter"]


def kernel_weights(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    kernels: Sequence[Kernel],
    C: float = 1.0,
    tol: float = TOL,
    max_iter: int = 100,
) -> Iterator["KernelWeightsStep"]:
    """Learn the weights of the kernels until the gap is at most `tol` J.

    The first step is the machine of equal weights; at most `max_iter` updates follow. f is positive
    for the second of the two classes.

    Raises ValueError, at the call, unless X is finite, of at most 1000 rows and not too large for
    the kernels, y holds n integers of two classes, there is a kernel and each is positive
    semi-definite and not constant on the points, C > 0, tol >= 0 and max_iter >= 1.
    """
    kernels = tuple(kernels)
    if not kernels:
        raise ValueError("kernels must name at least one kernel, got none")
    machine = two_classes(X, y, C, kernels[0], EXACT)
    X, y = machine.points, machine.classes[(machine.signs > 0).astype(int)]
    if len(X) > MOST_POINTS:
        raise ValueError(
            f"X must have at most {MOST_POINTS} rows to learn the weights of kernels, got {len(X)}:"
            " every step trains a machine"
        )
    for kernel in kernels:
        kernel_points(kernel, X)
        if not kernel.definite:
            raise ValueError(f"kernels must be positive semi-definite, got {kernel}")
    scales = tuple(spread(kernel, X) for kernel in kernels)
    flat = [kernel for kernel, scale in zip(kernels, scales, strict=True) if scale <= 0]
    if flat:
        raise ValueError(
            f"kernels must tell some of the points apart, but {flat[0]} is the same for all of them"
        )
    equal = np.full(len(kernels), 1 / len(kernels))
    task = Mixture(X, y, kernels, scales, machine.C, validate.number("tol", tol))
    max_iter = validate.integer("max_iter", max_iter, 1)
    first = measured(task, 0, equal, np.zeros(len(X)))
    return iterate(first, advance, most=max_iter)


def advance(step: "KernelWeightsStep") -> "KernelWeightsStep":
    """Return the step that follows: new weights from the lengths, then the machine with these."""
    weights = step.lengths / step.lengths.sum()  # eta_m <- ||w_m|| / sum_l ||w_l||
    return measured(step.task, step.index + 1, weights, step.coefficients)


def measured(
    task: "Mixture", index: int, weights: Float[ndarray, " m"], duals: Float[ndarray, " n"]
) -> "KernelWeightsStep":
    """Return the step of the weights: its machine, which starts from the duals given, and the q."""
    machine = trained(task, weights, duals)
    beta, used = machine.coefficients, machine.support
    own = [
        kernel(task.points[used], task.points[used]) / scale
        for kernel, scale in zip(task.kernels, task.scales, strict=True)
    ]
    q = np.array([max(float(beta[used] @ K @ beta[used]), 0.0) for K in own])
    spend(20.0 * len(own) * len(used) ** 2)
    objective = float(np.abs(beta).sum() - weights @ q / 2)
    gap = float(q.max() - weights @ q) / 2
    stuck = not q.any()  # all f are constant: no kernel has a part to weigh
    event: Event | None = "converged" if gap <= task.tol * abs(objective) or stuck else None
    return KernelWeightsStep(task, index, weights, q, beta, machine.bias, objective, gap, event)


def trained(
    task: "Mixture", weights: Float[ndarray, " m"], duals: Float[ndarray, " n"]
) -> pairs.SvmStep:
    """Return the SVM with K = sum_m eta_m K_m; its run starts from the duals given."""
    kernel = task.kernel(weights)
    own = two_classes(task.points, task.labels, task.C, kernel, EXACT)
    run = Ascent(own, duals, pairs=pairs_before(len(duals)))
    first = run.first(pairs.SvmStep)
    return last(iterate(first, partial(pairs.advance, run), most=MOVES))


def spread(kernel: Kernel, X: Float[ndarray, "n d"]) -> float:
    """Return the variance of the points in the kernel's space of features."""
    K = kernel(X, X)
    variance = float(K.diagonal().mean() - K.mean())
    return variance if variance > 1e-12 * float(np.abs(K).max()) else 0.0


@dataclass(frozen=True, eq=False)
class Mixture(Record):
    """Two classes, the kernels, what each is divided by, the price of the machines, and tol."""

    points: Float[ndarray, "n d"]
    labels: Int[ndarray, " n"]
    kernels: tuple[Kernel, ...]
    scales: tuple[float, ...]
    C: float
    tol: float = TOL

    def kernel(self, weights: Float[ndarray, " m"]) -> WeightedSum:
        """Return the kernel of these weights."""
        factors = weights / np.array(self.scales)
        return WeightedSum(self.kernels, tuple(factors.tolist()))


@dataclass(frozen=True, eq=False)
class KernelWeightsStep(Record):
    """The weights eta and their machine after `index` updates; also a model.

    `forms` are the q_m, `objective` is J(eta), and `gap` says how far J can still fall at most.

    Events: "converged" (gap at most tol J); "stopped at max_iter".
    """

    task: Mixture
    index: int
    weights: Float[ndarray, " m"]
    forms: Float[ndarray, " m"]
    coefficients: Float[ndarray, " n"]
    bias: float
    objective: float
    gap: float
    event: Event | None = None

    @property
    def determined(self) -> bool:
        """Return whether every run has as many steps: the machines are exact to EXACT only."""
        return self.event == "stopped at max_iter"

    def certain(self) -> dict[str, Any]:
        """Return J, which a converged run determines up to tol J."""
        if self.event != "converged":
            return {"index": self.index}
        return {"objective": Within(self.objective, self.task.tol * abs(self.objective))}

    @property
    def lengths(self) -> Float[ndarray, " m"]:
        """Return ||w_m|| = eta_m sqrt(q_m) for every kernel."""
        return self.weights * np.sqrt(self.forms)

    @property
    def kernel(self) -> WeightedSum:
        """Return the kernel of this step's weights."""
        return self.task.kernel(self.weights)

    @property
    def classes(self) -> Int[ndarray, " 2"]:
        """Return the two classes, f > 0 for the second."""
        return frozen(np.unique(self.task.labels))

    def decision_function(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return f for every row of `X`: positive for the second class."""
        used = np.flatnonzero(self.coefficients)
        kernel = self.kernel(self.task.points[used], X)
        return self.coefficients[used] @ kernel + self.bias

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class of every row of `X`, the first class where f = 0."""
        return highest(self.decision_function(X), self.classes)
