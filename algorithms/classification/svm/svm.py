"""Support vector machine for two classes by sequential minimal optimisation (SMO).

Objective, with signs y_i = -1 or +1 and a kernel matrix K_ij = k(x_i, x_j): the dual

    maximise  D(alpha) = sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K_ij
    subject to  0 <= alpha_i <= C,  sum_i alpha_i y_i = 0

of the primal 1/2 ||w||^2 + C sum_i max(0, 1 - y_i f(x_i)), f(x) = sum_i alpha_i y_i k(x_i, x) + b.

The sum ties the duals together, so the smallest step moves two. Let g_i = y_i - (f(x_i) - b), I_up
the points whose beta_i = alpha_i y_i can rise, and I_down those whose beta_i can fall. At the
optimum g_i <= b for all of I_up and g_j >= b for all of I_down. Update rule:

    choose   j = argmin_{I_down} g_j,
             then i in I_up, of those with g_i > g_j, with the largest (g_i - g_j)^2 / eta_ij
    move     lambda = (g_i - g_j) / eta_ij,  eta_ij = K_ii + K_jj - 2 K_ij, cut off at the box
             alpha_i <- alpha_i + y_i lambda,   alpha_j <- alpha_j - y_j lambda
             g <- g - lambda (K_i - K_j)

until the violation max_{I_up} g - min_{I_down} g is at most tol. Every move raises D. b is half-way
between the two extremes, so at the end no condition is broken by more than tol / 2.

With a large C this takes 10^5 moves and more. After the first few, the same free duals,
0 < alpha_i < C, creep to their values. So after `pairs` moves all of these move at once,
alternating with pairs that free others (free_duals.py), if the kernel is positive semi-definite.

If the kernel is not, eta can be negative. Then D bends up along the pair, the pair moves uphill to
its box, and the run ends where every point keeps its condition. Primal and dual meet there, but
this need not be a maximum: ||w||^2 may be negative and D above n C.

Cost per step: O(n), and O(n d) once for every point that is chosen.

Source: CS725 21.7 (000:3668), Platt 1998, Fan, Chen and Lin 2005 (the choice of i).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.svm.kernel_machine import KernelMachine, SvmTask, two_classes
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.kernels import DEFAULT, Kernel
from algorithms.kernel_machines.ascent import Ascent, last_argmax, last_argmin
from algorithms.kernel_machines.free_duals import climb, pairs_before
from algorithms.kernel_machines.moves import Move, PairMove
from algorithms.kernel_machines.pair_step import PairStep

Event = Literal[
    "a point reaches C",
    "a support vector drops out",
    "all free duals at once",
    "converged",
    "rounding",
    "stopped at max_iter",
]


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
    task = two_classes(X, y, C, kernel, tol)
    pairs = validate.integer("pairs", pairs_before(len(X)) if pairs is None else pairs, 0)
    max_iter = validate.integer("max_iter", max_iter, 1)
    run = Ascent(task, np.zeros(len(task.points)), pairs=pairs)
    return iterate(run.first(SvmStep), partial(advance, run), most=max_iter)


def advance(run: Ascent, step: "SvmStep") -> "SvmStep":
    """Return the step that follows: all free duals move if it is their turn, else the best pair."""
    run.go_to(step)
    move = climb(run) or move_pair(run)
    return run.step(step, move, event(run, move, step.C))


def move_pair(run: Ascent) -> PairMove:
    """Move the pair that promises the largest rise of D by lambda, cut off at the box.

    up is g on I_up and -inf elsewhere, down is g on I_down and +inf elsewhere; beta = alpha y.
    """
    K, beta, up, down = run.K, run.beta, run.up, run.down
    j = last_argmin(down)  # argmin g_j
    i = last_argmax((up - down[j]) / K.root_eta(j))  # the signed root of (g_i - g_j)^2 / eta_ij
    slope, eta = up.item(i) - down.item(j), K.eta(i, j)  # g_i - g_j
    wanted = slope / max(eta, K.flattest)
    high, low = run.high[i], run.low[j]
    taken = min(wanted, high - beta[i], beta[j] - low)  # lambda
    run.lower(taken * (K[i] - K[j]))  # g <- g - lambda (K_i - K_j)
    run.set(i, high if taken >= high - beta[i] else beta[i] + taken)
    run.set(j, low if taken >= beta[j] - low else beta[j] - taken)
    return PairMove(i, j, slope, eta, wanted, taken)


def event(run: Ascent, move: Move, C: float) -> Event | None:
    """Record the move, and return its event."""
    beta = run.record(move)
    reached = (C in beta or -C in beta) and run.moves.first("a point reaches C")
    if not isinstance(move, PairMove):
        return "all free duals at once" if run.moves.first("all free duals at once") else None
    if reached:
        return "a point reaches C"
    return "a support vector drops out" if 0.0 in beta and move.taken > 0 else None


@dataclass(frozen=True, eq=False, slots=True)
class SvmStep(PairStep, KernelMachine):
    """The duals after `index` moves; also a model, since `predict` works at every step.

    `violation` is max g over I_up minus min g over I_down.

    Events: "a point reaches C" (the first that does); "a support vector drops out" (its alpha
    returns to 0); "all free duals at once" (for the first time); "converged" (violation at most
    tol); "rounding" (the violation left is as small as rounding errors); "stopped at max_iter".
    """

    task: SvmTask
    event: Event | None
