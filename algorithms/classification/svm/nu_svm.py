"""Support vector machine with nu instead of C: nu is a share of the points, not a price.

The street f = 0 has its edges at f = -rho and +rho, and rho is learned, too:

    minimise   P = 1/2 ||w||^2 - nu n rho + sum_i max(0, rho - y_i f(x_i))

Its dual has no linear term. Each class has the same weight, nu n / 2:

    maximise   D = -1/2 sum_ij alpha_i alpha_j y_i y_j K_ij
    subject to  0 <= alpha_i <= 1,  sum_{y_i = +1} alpha_i = sum_{y_i = -1} alpha_i = nu n / 2

(alpha, w, b and rho are n times those of the textbook, as in libsvm.) At the optimum

    alpha_i = 0        y_i f(x_i) >= rho    beyond its edge, or on it
    0 < alpha_i < 1    y_i f(x_i)  = rho    on its edge
    alpha_i = 1        y_i f(x_i) <= rho    a margin error, or on its edge

No alpha is above 1 and they add up to nu n. So at most nu n points are margin errors, and at least
nu n are support vectors: nu bounds the share of margin errors from above and the share of support
vectors from below. A class must hold the weight nu n / 2, so

    nu <= 2 min(n+, n-) / n

Division by rho makes it the machine of another price: f / rho is the f of the SVM with C = 1 / rho,
which is 1 / (n rho) with the textbook's rho, and alpha / rho are its duals.

w is nu n / 2 times the difference of two weighted means, one of each class. So the machine finds
the two nearest means that weights up to 1 can make. With a small nu a few points make up a mean. If
the two can then meet, w = 0 and rho = 0: no street has so few margin errors.

The run starts with the weight of each class on the points nearest to the mean of the other class, 1
on each, and the rest on the next one. Update rule, with beta_i = alpha_i y_i, g = -K beta, and
I_up and I_down the points whose beta_i can rise and fall:

    choose   in each class j = argmin_{I_down} g_j,
             then i in I_up, of those with g_i > g_j, with the largest (g_i - g_j)^2 / eta_ij;
             the pair of the class where this is larger
    move     lambda = (g_i - g_j) / eta_ij,  eta_ij = K_ii + K_jj - 2 K_ij, cut off at 0 and 1
             alpha_i <- alpha_i + y lambda,   alpha_j <- alpha_j - y lambda
             g <- g - lambda (K_i - K_j)

until in both classes max_{I_up} g - min_{I_down} g is at most tol. Half-way between the two is
b - rho in the class with y = +1, and b + rho in the other one. Every move raises D. After some
pairs all free duals, 0 < alpha_i < 1, move at once, in turn with pairs (free_duals.py), if the
kernel is positive semi-definite.

Cost: O(n) a step, and O(n d) once for every point that has or gets weight.

Source: 20APC3316 (002:2969-2990, nu of the one-class machine); Schoelkopf, Smola, Williamson and
Bartlett 2000; Chang and Lin 2001 (the range of nu); Crisp and Burges 1999 (the two means).
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
from algorithms.kernel_machines.ascent import Ascent, extremes, last_argmax, last_argmin, slopes
from algorithms.kernel_machines.free_duals import climb, pairs_before
from algorithms.kernel_machines.moves import PairMove
from algorithms.kernel_machines.pair_step import PairStep

ROUNDING = 1e-9  # of a number of points

Event = Literal[
    "a point reaches 1", "all free duals at once", "converged", "rounding", "stopped at max_iter"
]


def nu_svm(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    nu: float = 0.5,
    kernel: Kernel = DEFAULT,
    tol: float = 1e-5,
    max_iter: int = 10_000,
) -> Iterator["NuSvmStep"]:
    """Move a pair of duals of one class at a time until the violation is at most `tol`.

    The first step is the start, with weight on the points nearest to the other class's mean; at
    most `max_iter` moves follow. f is positive for the second of the two classes.

    Raises ValueError, at the call, unless X is finite and not too large for the kernel, y holds n
    integers of two classes, 0 < nu <= 2 min(n+, n-) / n, tol > 0 and max_iter >= 1.
    """
    plain = two_classes(X, y, 1.0, kernel, tol)
    validate.number("tol", tol, positive=True)
    max_iter = validate.integer("max_iter", max_iter, 1)
    nu, signs = validate.number("nu", nu, positive=True), plain.signs
    largest = largest_nu(signs)
    if nu > largest * (1 + ROUNDING):
        n, fewer = len(signs), int(min((signs < 0).sum(), (signs > 0).sum()))
        raise ValueError(
            f"nu must be at most 2 min(n₊, n₋) / n = 2 · {fewer} / {n} = {largest:.4g}, got "
            f"nu={nu:g}: each class must hold half of the weight nu n, and a point holds at most 1"
        )
    task = NuTask(
        points=plain.points, kernel=kernel, linear=np.zeros(len(signs)), epsilon=0.0,
        low=plain.low, high=plain.high, tol=tol, classes=plain.classes, C=1.0, nu=nu,
    )  # fmt: skip
    run = Ascent(task, facing(task), pairs=pairs_before(len(signs)))
    return iterate(run.first(NuSvmStep), partial(advance, run), most=max_iter)


def advance(run: Ascent, step: "NuSvmStep") -> "NuSvmStep":
    """Return the step that follows: all free duals move if it is their turn, else the best pair."""
    run.go_to(step)
    move = climb(run) or move_pair(run)
    beta = run.record(move)
    event: Event | None = None
    if not isinstance(move, PairMove):
        first = run.moves.first("all free duals at once")
        event = "all free duals at once" if first else None
    elif (1.0 in beta or -1.0 in beta) and run.moves.first("a point reaches 1"):
        event = "a point reaches 1"
    return run.step(step, move, event)


def move_pair(run: Ascent) -> PairMove:
    """Move the pair of one class that promises the largest rise of D by lambda, cut off at the box.

    up is g on I_up and -inf elsewhere, down is g on I_down and +inf elsewhere; beta = alpha y.
    """
    K, beta, up, down = run.K, run.beta, run.up, run.down
    pairs, points = [], np.arange(len(up))
    for group in run.task.groups:
        members = points[group]
        j = members[last_argmin(down[members])].item()  # argmin g_j
        gain = (up[members] - down[j]) / K.root_eta(j)[members]  # signed root of what a pair brings
        best = last_argmax(gain)
        pairs.append((gain.item(best), members[best].item(), j))
    _, i, j = max(pairs)
    slope, eta = up.item(i) - down.item(j), K.eta(i, j)  # g_i - g_j
    wanted = slope / max(eta, K.flattest)
    high, low = run.high[i], run.low[j]
    taken = min(wanted, high - beta[i], beta[j] - low)  # lambda
    run.lower(taken * (K[i] - K[j]))  # g <- g - lambda (K_i - K_j)
    run.set(i, high if taken >= high - beta[i] else beta[i] + taken)
    run.set(j, low if taken >= beta[j] - low else beta[j] - taken)
    return PairMove(i, j, slope, eta, wanted, taken)


def largest_nu(signs: Float[ndarray, " n"]) -> float:
    """Return 2 min(n+, n-) / n, the largest nu that both classes can hold."""
    return float(1 - abs(signs.mean()))


def facing(task: "NuTask") -> Float[ndarray, " n"]:
    """Return the start: each class's weight on the points nearest to the other class's mean."""
    X, beta = task.points, np.zeros(len(task.points))
    for members in task.groups:
        other = np.delete(X, members, axis=0).mean(axis=0)
        away = np.hypot.reduce(X[members] - other, axis=1)
        weight = min(task.nu * len(X) / 2, len(members))
        if abs(weight - round(weight)) < ROUNDING:
            weight = round(weight)  # 0.07 of 200 points are 14, not a little more
        near = members[np.argsort(away, kind="stable")]
        alpha = (weight - np.arange(len(near))).clip(0, 1)
        beta[near] = alpha * task.signs[near]
    return beta


@dataclass(frozen=True, eq=False)
class NuTask(SvmTask):
    """Two classes to separate; the weights of each are from 0 to 1 and add up to nu n / 2."""

    nu: float

    @property
    def signs(self) -> Float[ndarray, " n"]:
        """Return -1 or +1 for every point."""
        return self.low + self.high

    @property
    def groups(self) -> tuple[Int[ndarray, " m"], Int[ndarray, " k"]]:
        """Return the points of both classes: the weight of each stays as it is."""
        return np.flatnonzero(self.high > 0), np.flatnonzero(self.high <= 0)


@dataclass(frozen=True, eq=False, slots=True)
class NuSvmStep(PairStep, KernelMachine):
    """The duals after `index` moves; also a model, since `predict` works at every step.

    Events: "a point reaches 1" (the first that a pair's move takes there), "all free duals at once"
    (for the first time), "converged" (violation at most tol), "rounding" (the violation left is as
    small as rounding errors), "stopped at max_iter".
    """

    task: NuTask  # pyright: ignore[reportIncompatibleVariableOverride]
    event: Event | None

    @property
    def nu(self) -> float:
        """Return the share that bounds the margin errors and the support vectors."""
        return self.task.nu

    @property
    def level(self) -> float:
        """Return rho, which is y f on the edges of the street."""
        g = -self.moves.sums(self.index)
        (top, bottom), (high, low) = extremes(self.task, *slopes(self.task, self.coefficients, g))
        return (high + low - top - bottom) / 4

    @property
    def price(self) -> float:
        """Return C = 1 / rho, the price of the same machine; infinite if there is no street."""
        level = self.level
        return 1 / level if level > self.task.tol else np.inf

    @property
    def primal_objective(self) -> float:
        """Return P of the same duals, with b and rho of this step."""
        hinge = np.maximum(self.level - self.signs * self.outputs, 0).sum()
        total = float(self.duals.sum())  # nu n
        return float(self._half_norm - total * self.level + hinge)

    @property
    def margin_errors(self) -> Int[ndarray, " e"]:
        """Return the points in the street or on its wrong side, at the end nu n of them at most."""
        return np.flatnonzero(self.signs * self.outputs < self.level - self.task.tol / 2)
