"""Support vector machine for two classes by sequential minimal optimisation (SMO).

Objective, with signs y_i = -1 or +1 and a kernel matrix K_ij = k(x_i, x_j): the dual

    maximise  D(alpha) = sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K_ij
    subject to  0 <= alpha_i <= C,  sum_i alpha_i y_i = 0

of the primal 1/2 ||w||^2 + C sum_i max(0, 1 - y_i f(x_i)), f(x) = sum_i alpha_i y_i k(x_i, x) + b.

The sum ties the duals together, so the smallest step moves two. Let g_i = y_i - (f(x_i) - b) be the
errors, I_up the points whose alpha_i y_i can rise and I_down those for which it can fall.
At the optimum g_i <= b for all of I_up and g_j >= b for all of I_down. Update rule:

    choose   j = argmin_{I_down} g_j,  then i in I_up with the largest (g_i - g_j)^2 / eta_ij
    move     lambda = (g_i - g_j) / eta_ij,  eta_ij = K_ii + K_jj - 2 K_ij, cut off at the box
             alpha_i <- alpha_i + y_i lambda,   alpha_j <- alpha_j - y_j lambda

until the violation max_{I_up} g - min_{I_down} g is at most tol. Every move raises D. b is half-way
between the two extremes, so at the end no condition is broken by more than tol / 2.

If the kernel is not positive semi-definite eta can be negative: then D is not concave, the pair
still moves uphill, to its box, and the run ends where no pair can rise, which need not be the
global maximum.

Cost per step: O(n), and O(n d) once for every point that is chosen. Recording a step costs O(1): it
holds its move and refers to the step before, back to one of every 64 where the duals are copied.

Source: CS725 21.7 (000:3668), Platt 1998, Fan, Chen and Lin 2005 (the choice of i).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.svm._smo import DualAscent, Move
from algorithms.classification.svm.kernel_machine import KernelMachine, Problem, frozen, two_classes
from algorithms.core import validate
from algorithms.core.kernels import DEFAULT, Kernel

SHARED = 64  # steps that share one copy of the duals, and refer back to it

Event = Literal[
    "a point reaches C", "a support vector drops out", "converged", "stopped at max_iter"
]


@dataclass(frozen=True, eq=False)
class SvmStep(KernelMachine):
    """The duals after `index` moves; also a model, since `predict` works at every step.

    `pair` is (i, j) and `move` what happened to it, both None at the start. `violation` is
    what remains to be done: max g over I_up less min g over I_down.

    Events: "a point reaches C" (the first that does); "a support vector drops out" (its alpha
    returns to 0); "converged" (violation at most tol); "stopped at max_iter".
    """

    index: int
    pair: tuple[int, int] | None
    move: Move | None
    violation: float
    start: Float[ndarray, " n"]  # coefficients some steps ago,
    start_outputs: Float[ndarray, " n"]  # f - b then,
    before: "SvmStep | None"  # the step before, unless `start` is of this one
    event: Event | None = None

    def __post_init__(self) -> None:
        """Copy nothing: the arrays are read-only, and there may be thousands of steps."""

    @property
    def coefficients(self) -> Float[ndarray, " n"]:
        """Return beta_i = alpha_i y_i for every point."""
        return self._beta

    @cached_property
    def _beta(self) -> Float[ndarray, " n"]:
        latest: dict[int, float] = {}
        step = self
        while step.before and step.pair and step.move:
            for k, dual in zip(step.pair, step.move.after, strict=True):
                latest.setdefault(k, dual)
            step = step.before
        beta, moved = self.start.copy(), list(latest)
        beta[moved] = self.signs[moved] * list(latest.values())
        return frozen(beta)

    @cached_property
    def outputs(self) -> Float[ndarray, " n"]:
        """Return f(x_i) for the points themselves."""
        change = self.coefficients - self.start
        moved = np.flatnonzero(change)
        rows = self.kernel(self.points[moved], self.points)
        return frozen(self.start_outputs + change[moved] @ rows + self.bias)


def svm(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    C: float = 1.0,
    kernel: Kernel = DEFAULT,
    tol: float = 1e-3,
    max_iter: int = 10_000,
) -> Iterator[SvmStep]:
    """Move a pair of duals at a time, from alpha = 0, until the violation is at most `tol`.

    The first step is the start; at most `max_iter` moves follow. f is positive for the second of
    the two classes.

    Raises ValueError, at the call, unless X is finite and not too large for the kernel, y holds n
    integers of two classes, C > 0, tol >= 0 and max_iter >= 1.
    """
    problem = two_classes(X, y, C, kernel, tol)
    return _run(problem, validate.integer("max_iter", max_iter, 1))


def _run(problem: Problem, max_iter: int) -> Iterator[SvmStep]:
    ascent = DualAscent(problem.kernel, problem.points, problem.signs, problem.C)
    objective, reached = 0.0, False
    pair: tuple[int, int] | None = None
    move: Move | None = None
    start = start_outputs = problem.signs
    step: SvmStep | None = None
    for index in range(max_iter + 1):
        event: Event | None = None
        if pair and move:
            objective += move.gain
            (old_i, old_j), (new_i, new_j) = move.before, move.after
            if new_i == 0 < old_i or new_j == 0 < old_j:
                event = "a support vector drops out"
            if not reached and problem.C in move.after:
                event, reached = "a point reaches C", True
        if index % SHARED == 0:
            start, start_outputs = frozen(ascent.beta), frozen(problem.signs - ascent.errors)
            step = None
        i, j, top, bottom = ascent.choose()
        done = top - bottom <= problem.tol
        if done or index == max_iter:
            event = "converged" if done else "stopped at max_iter"
        step = SvmStep(
            problem=problem,
            bias=(top + bottom) / 2,
            dual_objective=objective,
            index=index,
            pair=pair,
            move=move,
            violation=top - bottom,
            start=start,
            start_outputs=start_outputs,
            before=step,
            event=event,
        )
        yield step
        if done:
            return
        pair, move = (i, j), ascent.move(i, j)
