"""Gradient descent on the mean squared error of a linear model: full, mini-batch or stochastic.

With θ = (w, b), a_i = (x_i, 1) and a batch of B of the n points, the gradient and the step are

    g = -2/B sum_(i in batch) (y_i - θ.a_i) a_i                   θ <- θ + rule(g)

with a rule of optimizers.py (the plain one adds -η g). The points are shuffled in every epoch and
taken in turn, B at a time: B = n is full-batch, B = 1 stochastic gradient descent. The error f of
all points is a bowl whose curvatures are the eigenvalues of H = 2/n A^T A (squared_loss.py). With
all points and the plain rule, a step multiplies the distance to the minimum, along a direction of
curvature c, by 1 - η c, so that with the largest curvature L

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

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.moved_points import PointsMoved, moved_points
from algorithms.regression.least_squares._batches import Batches
from algorithms.regression.least_squares._descent_events import Event, Events, View, view
from algorithms.regression.least_squares.linear_model import LinearModel
from algorithms.regression.least_squares.optimizers import DescentStep, Rule, descend
from algorithms.regression.least_squares.squared_loss import SquaredLoss, squared_loss


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
    later: tuple[int, Rule] | None = None,
    points_moved: PointsMoved | None = None,
) -> Iterator["GradientDescentStep"]:
    """Lower the mean squared error step by step, from `start` (zeros), with `batch` points a step.

    Without `batch` every step uses all points; then, and only then, the run can converge. `start`
    is (w, b). The first step is the start; at most `max_iter` updates follow. `later` is the number
    of a step and the rule that is followed from there on, with the memory of the one before.
    `points_moved` puts points elsewhere from the update of a step on (moved_points.py); its places
    are (x, y).

    Raises ValueError, at the call, unless X, y and start are finite and fit together, batch is
    from 1 to n, max_iter >= 1, tol >= 0 and later[0] >= 1.
    """
    loss = squared_loss(X, y)
    n, p = loss.A.shape
    size = n if batch is None else validate.integer("batch", batch, 1, n, high_name="n")
    theta = np.zeros(p) if start is None else np.asarray(start, float)
    if theta.shape != (p,):
        raise ValueError(f"start must have shape (d + 1,) = ({p},), got shape {theta.shape}")
    theta = validate.points(theta[None], name="start")[0]
    max_iter = validate.integer("max_iter", max_iter, 1)
    events = Events(loss, validate.number("tol", tol), noisy=size < n)
    batches = Batches(n, size, max_iter, rng)

    moved = None
    if points_moved is not None:
        begin, places = moved_points(np.column_stack([loss.A[:, :-1], loss.y]), points_moved)
        moved = begin, squared_loss(places[:, :-1], places[:, -1])

    def g(theta: Float[ndarray, " p"], t: int) -> Float[ndarray, " p"]:
        now = moved[1] if moved and t >= moved[0] else loss
        return now.gradient(theta, batches.rows(t))

    points = descend(g, theta, rule, max_iter=max_iter, later=later)  # θ <- θ + rule(g)
    return _descend(points, loss, batches, events, moved)


def _descend(
    points: Iterator[DescentStep],
    loss: SquaredLoss,
    batches: Batches,
    events: Events,
    moved: tuple[int, SquaredLoss] | None,
) -> Iterator["GradientDescentStep"]:
    """Look at the points of a descent. moved : the number of a step, and the loss from there on."""
    before: GradientDescentStep | None = None
    for point in points:
        if moved and before and point.index == moved[0]:
            loss = moved[1]
            last = view(loss, np.append(before.weights, before.intercept))
            before = replace(before, loss=last.loss, excess=last.excess, slope=last.slope)
            events.go_on(last)
        seen = view(loss, point.point)
        step = _step(point, seen, batches, before)
        event = events.at(point, seen)
        if before and not np.isfinite(step.loss):  # too far out to be shown
            still = np.zeros_like(step.change)
            step = replace(before, index=point.index, gradient=still, change=still, fall=0.0)
        before = replace(step, event=event) if event else step
        yield before
        if event in ("converged", "diverged"):
            return


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


def _step(
    point: DescentStep, seen: View, batches: Batches, before: GradientDescentStep | None
) -> GradientDescentStep:
    return GradientDescentStep(
        weights=point.point[:-1],
        intercept=float(point.point[-1]),
        index=point.index,
        epoch=batches.epoch(point.index),
        batch=batches.named(point.index),
        gradient=point.gradient,
        change=point.change,
        velocity=point.velocity,
        squares=point.squares,
        loss=seen.loss,
        excess=seen.excess,
        fall=0.0 if before is None else before.excess - seen.excess,
        slope=seen.slope,
    )
