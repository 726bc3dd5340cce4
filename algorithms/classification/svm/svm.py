"""Support vector machine for two classes by sequential minimal optimisation (SMO).

Objective, with signs y_i = -1 or +1 and a kernel matrix K_ij = k(x_i, x_j): the dual

    maximise  D(alpha) = sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K_ij
    subject to  0 <= alpha_i <= C,  sum_i alpha_i y_i = 0

of the primal 1/2 ||w||^2 + C sum_i max(0, 1 - y_i f(x_i)), f(x) = sum_i alpha_i y_i k(x_i, x) + b.

The sum ties the duals together, so the smallest step moves two. Let g_i = y_i - (f(x_i) - b) be the
errors, I_up the points whose alpha_i y_i can rise and I_down those for which it can fall.
At the optimum g_i <= b for all of I_up and g_j >= b for all of I_down. Update rule:

    choose   j = argmin_{I_down} g_j,
             then i in I_up, of those with g_i > g_j, with the largest (g_i - g_j)^2 / eta_ij
    move     lambda = (g_i - g_j) / eta_ij,  eta_ij = K_ii + K_jj - 2 K_ij, cut off at the box
             alpha_i <- alpha_i + y_i lambda,   alpha_j <- alpha_j - y_j lambda

until the violation max_{I_up} g - min_{I_down} g is at most tol. Every move raises D. b is half-way
between the two extremes, so at the end no condition is broken by more than tol / 2.

With a large C that takes 10^5 moves and more, and after the first few only the same free duals,
0 < alpha_i < C, creep to their places. So after `pairs` moves all of these go there at once, in
turn with pairs that free others (free_duals.py), if the kernel is positive semi-definite.

If the kernel is not, eta can be negative: then D is not concave, the pair
still moves uphill, to its box, and the run ends where every point keeps its condition. Primal and
dual meet there as they do at any such place, but it need not be a maximum: ||w||^2 may be negative
and D above n C.

Cost per step: O(n), and O(n d) once for every point that is chosen. Recording a step costs O(1), as
all share one list of moves (moves.py). How a pair is chosen and moved so fast is in _smo.py.

Source: CS725 21.7 (000:3668), Platt 1998, Fan, Chen and Lin 2005 (the choice of i).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.svm._smo import DualAscent
from algorithms.classification.svm.free_duals import climb, turns
from algorithms.classification.svm.kernel_machine import KernelMachine, Problem, two_classes
from algorithms.classification.svm.moves import Move, MoveEvent, Moves, Together
from algorithms.core import validate
from algorithms.core.kernels import DEFAULT, Kernel

FEWEST_PAIRS = 100  # before all free duals move at once

Event = MoveEvent | Literal["converged", "rounding", "stopped at max_iter"]


def svm(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    C: float = 1.0,
    kernel: Kernel = DEFAULT,
    tol: float = 1e-5,
    max_iter: int = 10_000,
    pairs: int | None = None,
) -> Iterator["SvmStep"]:
    """Move a pair of duals at a time, from alpha = 0, until the violation is at most `tol`.

    The first step is the start; at most `max_iter` moves follow. After `pairs` of them (n / 2, or
    100 if that is more) all free duals move at once, in turn with further pairs, if the kernel is
    positive semi-definite by theory. f is positive for the second of the two classes.

    Raises ValueError, at the call, unless X is finite and not too large for the kernel, y holds n
    integers of two classes, C > 0, tol >= 0, max_iter >= 1 and pairs >= 0.
    """
    problem = two_classes(X, y, C, kernel, tol)
    pairs = max(FEWEST_PAIRS, turns(len(problem.points))) if pairs is None else pairs
    pairs = validate.integer("pairs", pairs, 0)
    max_iter = validate.integer("max_iter", max_iter, 1)
    return _smo(problem, max_iter, pairs if kernel.definite else max_iter)


def _smo(problem: Problem, max_iter: int, pairs: int) -> Iterator["SvmStep"]:
    ascent, moves = DualAscent(problem), Moves(problem)
    objective: float = 0.0
    event: Event | None = None
    climbed: Together | None = None
    for index in range(max_iter + 1):
        if moves.copy_due:
            moves.copy(ascent.beta, ascent.errors)
        i, j, top, bottom = ascent.choose()
        violation, bias = top - bottom, (top + bottom) / 2
        if violation <= problem.tol:
            event = "converged"
        elif climbed and violation <= ascent.rounding:
            event = "rounding"
        elif index == max_iter:
            event = "stopped at max_iter"
        yield SvmStep(problem, bias, objective, index, violation, moves, event)
        if event in ("converged", "rounding", "stopped at max_iter"):
            return
        climbed = climb(ascent) if index >= pairs else None
        if climbed:
            pairs = index + 1 + turns(len(climbed.members))
            objective += climbed.gain
            event = moves.append_all(climbed)
        else:
            move = ascent.move(i, j)
            objective += move.gain
            event = moves.append(i, j, move)


@dataclass(frozen=True, eq=False, slots=True)
class SvmStep(KernelMachine):
    """The duals after `index` moves; also a model, since `predict` works at every step.

    The move to it was that of a `pair` (`move`), of all free duals at once (`together`), or none.

    `violation` is what remains to be done: max g over I_up less min g over I_down. `moves` are
    those of the run, of which this step is made by the first `index`.

    Events: "a point reaches C" (the first that does); "a support vector drops out" (its alpha
    returns to 0); "all free duals at once" (for the first time); "converged" (violation at most
    tol); "rounding" (what violation is left cannot be told from rounding); "stopped at max_iter".
    """

    index: int
    violation: float
    moves: Moves
    event: Event | None = None

    def __post_init__(self) -> None:
        """Copy nothing: there are no arrays, and there may be many thousands of steps."""

    @property
    def pair(self) -> tuple[int, int] | None:
        """Return (i, j), the duals that were moved, if it was a pair."""
        return self.moves.pair(self.index)

    @property
    def move(self) -> Move | None:
        """Return what happened to the pair, if it was one."""
        return self.moves.move(self.index)

    @property
    def together(self) -> Together | None:
        """Return what happened to all free duals, if they moved at once."""
        return self.moves.together(self.index)

    @property
    def coefficients(self) -> Float[ndarray, " n"]:
        """Return beta_i = alpha_i y_i for every point."""
        return self.moves.coefficients(self.index)

    @property
    def outputs(self) -> Float[ndarray, " n"]:
        """Return f(x_i) for the points themselves."""
        return self.moves.scores(self.index) + self.bias
