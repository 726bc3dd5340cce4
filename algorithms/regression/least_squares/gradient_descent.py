"""Gradient descent on the mean squared error of a linear model: full, mini-batch or stochastic.

With θ = (w, b), a_i = (x_i, 1) and a batch of B of the n points, the gradient and the step are

    g = -2/B sum_(i in batch) (y_i - θ.a_i) a_i                   θ <- θ + rule(g)

with a rule of optimizers.py (the plain one adds -η g). The points are shuffled in every epoch and
taken in turn, B at a time: B = n is full-batch, B = 1 stochastic gradient descent. The error f of
all points is a bowl whose curvatures are the eigenvalues of H = 2/n A^T A (squared_loss.py). With
all points and the plain rule, a step multiplies the error along a direction of curvature c by
1 - η c, so that with the largest curvature L

    η much below 1/L   the error falls slowly, and along the flattest direction slowest: it creeps
    η < 2/L            f never rises, and the run converges
    η > 2/L            |1 - η L| > 1: every step jumps over the valley, and lands higher

Mini-batches see another bowl in every step. At a constant rate they come near the minimum quickly
and then wander about it, at a distance that grows with η and falls with B.

Cost: O(B d) a step, and O(n d) here, where the loss of all points is looked at as well.

Source: CS337 (003:358-460), 20APC3316 (002:690-780, the delta rule).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.regression.least_squares.linear_model import LinearModel
from algorithms.regression.least_squares.optimizers import DescentStep, Rule, descend
from algorithms.regression.least_squares.squared_loss import SquaredLoss, squared_loss

LOST = 1000.0  # times the loss at the start: it has diverged
NEAR = 0.01  # of the excess at the start: the minimum is near
GETS_ON = 0.3  # of the distance walked: it still goes somewhere

Event = Literal["overshoot", "converged", "diverged", "creeps", "wanders", "stopped at max_iter"]


@dataclass(frozen=True, eq=False)
class GradientDescentStep(LinearModel):
    """The parameters after `index` updates; all vectors end with the entry of the intercept.

    The latest update used `gradient`, of the points `batch` (none are named where it is all), and
    added `change`. `loss` is that of all points, `excess` how far it is above the minimum, `fall`
    by how much the update lowered it, `slope` the length of the gradient of all points here.

    Events: "overshoot" (all points, and the loss rose for the first time), and at the end
    "converged" (all points, and the slope was at most tol times the first one twice running);
    "diverged" (the loss is 1000 times the one at the start, or higher than there after max_iter, or
    the next update is not finite); and after max_iter "creeps" (it is not near the minimum, and
    still gets on), "wanders" (it goes to and fro), or else "stopped at max_iter".
    """

    index: int
    epoch: int
    batch: Int[ndarray, " b"]
    gradient: Float[ndarray, " p"]
    change: Float[ndarray, " p"]
    velocity: Float[ndarray, " p"]
    squares: Float[ndarray, " p"]
    loss: float
    excess: float
    fall: float
    slope: float
    event: Event | None = None


def gradient_descent(
    X: Float[ndarray, "n d"],
    y: Float[ndarray, " n"],
    rule: Rule,
    *,
    rng: Generator,
    batch: int | None = None,
    start: Float[ndarray, " p"] | None = None,
    max_iter: int = 100,
    tol: float = 1e-5,
) -> Iterator[GradientDescentStep]:
    """Lower the mean squared error step by step, from `start` (zeros), with `batch` points a step.

    Without `batch` every step uses all points; then, and only then, the run can converge. `start`
    is (w, b). The first step is the start; at most `max_iter` updates follow.

    Raises ValueError, at the call, unless X, y and start are finite and fit together, batch is
    from 1 to n, max_iter >= 1 and tol >= 0.
    """
    loss = squared_loss(X, y)
    n, p = loss.A.shape
    size = n if batch is None else validate.integer("batch", batch, 1, n, high_name="n")
    first = np.zeros(p) if start is None else np.asarray(start, float)
    if first.shape != (p,):
        raise ValueError(f"start must have shape (d + 1,) = ({p},), got shape {first.shape}")
    batches = _batches(n, size, validate.integer("max_iter", max_iter, 1), rng)

    def gradient(theta: Float[ndarray, " p"], t: int) -> Float[ndarray, " p"]:
        return loss.gradient(theta, batches[t] if batches else slice(None))

    points = descend(gradient, first, rule, max_iter=max_iter)
    return _run(loss, points, batches, -(-n // size), validate.number("tol", tol))


def _batches(n: int, size: int, count: int, rng: Generator) -> list[ndarray]:
    """Return the points of update 1, 2, ..., `count` (and of none at 0); nothing if it is all."""
    if size == n:
        return []
    batches = [np.array([], int)]
    while len(batches) <= count:
        order = rng.permutation(n)
        batches += [order[i : i + size] for i in range(0, n, size)]
    return batches


def _run(
    loss: SquaredLoss,
    points: Iterator[DescentStep],
    batches: list[ndarray],
    per_epoch: int,
    tol: float,
) -> Iterator[GradientDescentStep]:
    trail: list[Float[ndarray, " p"]] = []
    everything = np.array([], int)
    before = start = _look(loss, next(points), everything, 0, None)
    level = _length(loss.gradient(np.zeros(len(loss.minimum))))
    enough = tol * max(start.slope, level)
    lost = LOST * max(start.loss, float(loss.y @ loss.y) / len(loss.y))
    if start.slope <= enough and not batches:
        yield replace(start, event="converged")
        return
    yield start
    overshot = False
    for point in points:
        rows = batches[point.index] if batches else everything
        step = _look(loss, point, rows, 1 + (point.index - 1) // per_epoch, before)
        trail.append(point.point)
        event: Event | None = None
        rose = step.fall < -1e-12 * step.loss
        if point.event == "diverged" or not step.loss <= lost:
            event = "diverged"
        elif not batches and max(step.slope, before.slope) <= enough:
            event = "converged"
        elif point.event:
            event = _ending(start, step, np.array(trail), noisy=bool(batches))
        elif rose and not batches and not overshot:
            event, overshot = "overshoot", True
        if not np.isfinite(step.loss):  # too far out to be shown
            still = np.zeros_like(step.change)
            step = replace(before, index=point.index, gradient=still, change=still, fall=0.0)
        before = replace(step, event=event) if event else step
        yield before
        if event in ("diverged", "converged"):
            return


def _look(
    loss: SquaredLoss,
    point: DescentStep,
    batch: Int[ndarray, " b"],
    epoch: int,
    before: GradientDescentStep | None,
) -> GradientDescentStep:
    """Look at the loss of all points at a point of the descent."""
    theta = point.point
    with np.errstate(over="ignore", invalid="ignore"):
        excess = loss.excess(theta)
        slope = _length(loss.gradient(theta))
    usable = np.isfinite(excess) and np.isfinite(slope)
    value = loss.floor + excess if usable else np.inf
    return GradientDescentStep(
        weights=theta[:-1],
        intercept=float(theta[-1]),
        index=point.index,
        epoch=epoch,
        batch=batch,
        gradient=point.gradient,
        change=point.change,
        velocity=point.velocity,
        squares=point.squares,
        loss=value,
        excess=excess,
        fall=0.0 if before is None else before.excess - excess,
        slope=slope,
    )


def _length(vector: Float[ndarray, " p"]) -> float:
    """Return the norm of a vector whose squares may be out of range."""
    largest = float(np.abs(vector).max())
    usable = 0 < largest < np.inf
    return largest * float(np.linalg.norm(vector / largest)) if usable else largest


def _ending(
    start: GradientDescentStep,
    step: GradientDescentStep,
    trail: Float[ndarray, "t p"],
    *,
    noisy: bool,
) -> Event:
    """Name the state in which max_iter updates leave the run, by its second half."""
    if step.loss > start.loss and step.excess > start.excess:
        return "diverged"
    half, far = trail[len(trail) // 2 :], step.excess > NEAR * start.excess
    walked = np.linalg.norm(np.diff(half, axis=0), axis=1).sum()
    if (far or noisy) and np.linalg.norm(half[-1] - half[0]) < GETS_ON * walked:
        return "wanders"
    return "creeps" if far else "stopped at max_iter"
