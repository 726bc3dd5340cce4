"""Logistic regression, two classes or more (softmax), by gradient descent or Newton's method.

Model, with a row of weights w_k and an intercept b_k per class:

    P(class k | x) = exp(w_k.x + b_k) / sum_l exp(w_l.x + b_l)

With two classes the first row is fixed at zero, which leaves one row: the sigmoid of w.x + b is
the probability of the second class. Objective, the intercepts free:

    f = -1/n sum_i log P(class of i | x_i)  +  penalty/2 ||W||^2

Gradient, with a_i = (x_i, 1) and y_ik = 1 where i is of class k (the penalty spares the intercept):

    g_k = 1/n sum_i (P(k | x_i) - y_ik) a_i  +  penalty (w_k, 0)

Update rules, both from zero weights, (W, b) = t:

    gradient:  t <- t - learning_rate g                        O(n d K) a step
    newton:    t <- t - s H^-1 g,  s = 1, halved until         O(n d^2 K^2 + (d K)^3) a step
               the step does not raise f

The Hessian H is singular for collinear features, for saturated probabilities and, in softmax,
along the flat direction (the same vector added to every class changes no probability). A ridge of
1e-12 of its diagonal keeps the step finite and near the minimum-norm one, so Newton never fails; it
is slow where features are collinear to about that degree (high powers of data far from the origin).

f is convex with curvature at most L = lambda_max / 4 + penalty for two classes and
lambda_max / 2 + penalty for more, lambda_max the largest eigenvalue of A^T A / n (Boehning 1992).
A gradient step with a learning rate below 2/L cannot raise f (descent lemma).

If some weights put every training point strictly on its right side, scaling them up lowers the
loss for ever: without a penalty f has no minimum and the weights grow without bound.

Source: CS725 16.1 (000:2717), CS337 (003:688, which counts the sum over the points and no mean).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import get_args

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.linear._logistic_events import ROUNDING, Ending, Event, Events
from algorithms.classification.linear.softmax_loss import Point, SoftmaxLoss
from algorithms.core import validate
from algorithms.core.features import with_ones
from algorithms.core.moved_points import PointsMoved, moved_points
from algorithms.core.record import Record
from algorithms.core.scores import Scores, highest, probabilities

SMALLEST_STEP = 1e-12  # of Newton's: where halving gives up


def logistic_regression(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    method: str = "newton",
    penalty: float = 0.0,
    learning_rate: float = 1.0,
    max_iter: int = 100,
    tol: float = 1e-8,
    later: tuple[int, float] | None = None,
    points_moved: PointsMoved | None = None,
) -> Iterator["LogisticRegressionStep"]:
    """Lower the loss from zero weights until the Euclidean norm of the gradient is at most `tol`.

    The first step is the start; at most `max_iter` updates follow. `method` is "newton" or
    "gradient", and only the latter uses `learning_rate`. scikit-learn's C is 1 / (n penalty).
    `later` is the number of a step and the learning rate from there on. `points_moved` puts points
    elsewhere from the update of a step on (moved_points.py).

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes,
    penalty >= 0, learning_rate > 0, max_iter >= 1, tol >= 0, later[0] >= 1 and later[1] > 0.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    validate.choice("method", method, ("newton", "gradient"))
    penalty = validate.number("penalty", penalty)
    rate = validate.number("learning_rate", learning_rate, positive=True)
    max_iter = validate.integer("max_iter", max_iter, 1)
    tol = validate.number("tol", tol)
    loss = SoftmaxLoss(X, codes, len(classes), penalty)
    events = Events(loss, max_iter, tol, newton=method == "newton")
    at, other = later or (1, rate)
    validate.integer("later[0]", at, 1)
    validate.number("later[1]", other, positive=True)

    moved = None
    if points_moved is not None:
        begin, places = moved_points(X, points_moved)
        moved = begin, SoftmaxLoss(places, codes, len(classes), penalty)

    def update(loss: SoftmaxLoss, point: Point, index: int) -> tuple[float, Point]:
        if method == "newton":
            return _newton(loss, point)
        return _gradient(loss, point, rate if index < at else other)

    return _descend(loss, classes, update, max_iter, events, moved)


def _descend(
    loss: SoftmaxLoss,
    classes: Int[ndarray, " k"],
    update: Callable[[SoftmaxLoss, Point, int], tuple[float, Point]],
    max_iter: int,
    events: Events,
    moved: tuple[int, SoftmaxLoss] | None,
) -> Iterator["LogisticRegressionStep"]:
    """Update until the end. moved : the number of a step, and the loss from its update on."""
    before = point = loss.start()
    step_size = 0.0
    for index in range(max_iter + 1):
        if moved and index == moved[0]:
            loss = moved[1]
            point = loss.at(point.theta)
            events.go_on(loss, point)
        if index > 0:
            before = point
            step_size, point = update(loss, before, index)
        accuracy = loss.accuracy(point)
        event = events.at(index, before, point, accuracy)
        yield LogisticRegressionStep(
            index=index,
            classes=classes,
            weights=point.theta[:, :-1],
            intercepts=point.theta[:, -1],
            loss=point.loss,
            fall=before.loss - point.loss,
            gradient=point.gradient[:, :-1],
            gradient_intercepts=point.gradient[:, -1],
            gradient_norm=point.gradient_norm,
            step_size=step_size,
            accuracy=accuracy,
            event=event,
        )
        if event in get_args(Ending):
            return


def _gradient(loss: SoftmaxLoss, point: Point, rate: float) -> tuple[float, Point]:
    """Return the rate and t - rate g; 0 and the same point where that would not be finite."""
    with np.errstate(over="ignore"):
        after = loss.at(point.theta - rate * point.gradient)
    return (rate, after) if np.isfinite(after.loss) else (0.0, point)


def _newton(loss: SoftmaxLoss, point: Point) -> tuple[float, Point]:
    """Return s and t - s H^-1 g; 0 and the same point where no s lowers the loss."""
    direction, s = loss.newton_direction(point), 1.0
    while s > SMALLEST_STEP:
        after = loss.at(point.theta - s * direction)
        # Near the minimum the loss falls by less than its rounding; the gradient still tells.
        level = after.loss <= point.loss + ROUNDING * (1 + point.loss)
        if after.loss < point.loss or (level and after.gradient_norm < point.gradient_norm):
            return s, after
        s /= 2
    return 0.0, point


@dataclass(frozen=True, eq=False)
class LogisticRegressionStep(Record):
    """The weights after `index` updates; also a model, since `predict` works at every step.

    `weights` and `gradient` have a row per class, a single one (for the second class) if there are
    two. `step_size` is what this update multiplied its direction by: the learning rate, or
    Newton's 1, 1/2, 1/4, ... (0 at the start). `fall` is by how much it lowered the loss (negative
    if the loss rose). `accuracy` is the share of training points on the right side.

    Events: "converged" (gradient norm at most tol, or Newton cannot lower the loss any more in
    floating point); "separated" (the first step with every training point strictly on the right
    side, if there is no penalty) and at the end, instead of "converged" or "stopped at max_iter",
    "weights grow without bound" (also where only a part of the weights does: one class of three
    stands apart, or points of both classes lie on the boundary alone); "overshoot" (the loss
    rose); where the learning rate is too high, at the end, "diverged" (the loss is over 1000 times
    that at the start, or the next update is not finite) or, if the loss rose in one of the last ten
    steps before max_iter, "diverged" (it is above that at the start) or "oscillates" (it is not);
    "stopped at max_iter".
    """

    index: int
    classes: Int[ndarray, " k"]
    weights: Float[ndarray, "rows d"]
    intercepts: Float[ndarray, " rows"]
    loss: float
    fall: float
    gradient: Float[ndarray, "rows d"]
    gradient_intercepts: Float[ndarray, " rows"]
    gradient_norm: float
    step_size: float
    accuracy: float
    event: Event | None = None

    def decision_function(self, X: Float[ndarray, "m d"]) -> Scores:
        """Return w.x + b: (m,) for two classes, positive for the second, else (m, K)."""
        scores = X @ self.weights.T + self.intercepts
        return scores[:, 0] if len(self.classes) == 2 else scores

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the probability of every class for every row of `X`."""
        return probabilities(self.decision_function(X))

    def losses(self, X: Float[ndarray, "m d"], y: Int[ndarray, " m"]) -> Float[ndarray, " m"]:
        """Return -log P(class of i | x_i) for every row of `X`: what a point adds to the loss."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            scores = np.stack([np.zeros_like(scores), scores], axis=1)
        own = scores[np.arange(len(X)), np.searchsorted(self.classes, y)]
        return np.logaddexp.reduce(scores, axis=1) - own

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the most probable class of every row of `X`, the smaller one in a tie."""
        return highest(self.decision_function(X), self.classes)


def largest_stable_rate(X: Float[ndarray, "n d"], penalty: float, n_classes: int) -> float:
    """Return 2/L: below this learning rate gradient descent never raises the loss."""
    X = validate.points(X)
    penalty = validate.number("penalty", penalty)
    n_classes = validate.integer("n_classes", n_classes, 2)
    A = with_ones(X)
    largest = float(np.linalg.eigvalsh(A.T @ A / len(A))[-1])
    return 2 / (largest / (4 if n_classes == 2 else 2) + penalty)
