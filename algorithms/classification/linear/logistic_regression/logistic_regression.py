"""Logistic regression, two classes or more (softmax), by gradient descent or Newton's method.

Model, with a row of weights w_k and an intercept b_k per class:

    P(class k | x) = exp(w_k.x + b_k) / sum_l exp(w_l.x + b_l)

With two classes the first row is fixed at zero, which leaves one row: the sigmoid of w.x + b is
the probability of the second class. Objective, the intercepts free:

    f = -1/n sum_i log P(class of i | x_i)  +  penalty/2 ||W||^2

Gradient, with a_i = (x_i, 1) and y_ik = 1 where i is of class k (the penalty spares the intercept):

    g_k = 1/n sum_i (P(k | x_i) - y_ik) a_i  +  penalty (w_k, 0)

Update rules, both from zero or from random weights, (W, b) = t:

    gradient:  t <- t - eta g                                  O(n d K) a step
    newton:    t <- t - s H^-1 g,  s = 1, halved until         O(n d^2 K^2 + (d K)^3) a step
               the step does not raise f

The Hessian H (_newton_direction.py) is singular for collinear features, for saturated probabilities
and, in softmax, along the flat direction (the same vector added to every class changes no
probability). A ridge of 1e-12 of its diagonal keeps the step finite and near the minimum-norm one,
so Newton never fails. It is slow where features are collinear to about that degree (high powers of
data far from the origin).

f is convex with curvature at most L = lambda_max / 4 + penalty for two classes and
lambda_max / 2 + penalty for more, lambda_max the largest eigenvalue of A^T A / n (Boehning 1992).
A gradient step with a learning rate below 2/L cannot raise f (descent lemma).

If some weights put every training point strictly on its right side, scaling them up lowers the
loss for ever: without a penalty f has no minimum and the weights grow without bound.

Source: CS725 16.1 (000:2717), CS337 (003:688, which counts the sum over the points and no mean).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.linear.logistic_regression._endings import (
    ROUNDING,
    Event,
    ending,
    rose,
)
from algorithms.classification.linear.logistic_regression._newton_direction import newton_direction
from algorithms.classification.linear.logistic_regression.task import Task, as_task
from algorithms.core import validate
from algorithms.core.features import with_ones
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.core.scores import Scores, highest, probabilities, softmax

TOL = 1e-8
SMALLEST_STEP = 1e-12  # of Newton's: where halving gives up
START_SPREAD = 2.0  # standard deviation of random weights


def logistic_regression(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    method: str = "newton",
    penalty: float = 0.0,
    learning_rate: float = 1.0,
    max_iter: int = 100,
    tol: float = TOL,
    rng: Generator | None = None,
) -> Iterator["LogisticRegressionStep"]:
    """Lower the loss until the Euclidean norm of the gradient is at most `tol`.

    Once the loss has risen at a step, the norm has to be at most TOL: steps that are too long may
    pass near the minimum. The first step is the start: zero weights, or random ones that `rng`
    draws. Those of more than two classes sum to zero, and then they do at every step. At most
    `max_iter` updates follow. `method` is "newton" or "gradient", and only the latter uses
    `learning_rate`. scikit-learn's C is 1 / (n penalty).

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes,
    penalty >= 0, learning_rate > 0, max_iter >= 1 and tol >= 0.
    """
    task = as_task(X, y, penalty)
    method = validate.choice("method", method, ("newton", "gradient"))
    eta = validate.number("learning_rate", learning_rate, positive=True)
    max_iter = validate.integer("max_iter", max_iter, 1)
    tol = validate.number("tol", tol)
    here = objective(task, _start(task, rng))
    first = LogisticRegressionStep(
        0, task.classes, here.t, here.loss, 0.0, here.g, 0.0, _accuracy(task, here), eta, here.loss
    )
    first = _ended(task, max_iter, first, here, flat=first.gradient_norm <= tol)
    advance = newton if method == "newton" else descend
    return iterate(first, partial(advance, task, max_iter, tol), most=max_iter)


def _start(task: Task, rng: Generator | None) -> Float[ndarray, "rows p"]:
    """Return zero weights, or random ones whose rows sum to zero if every class has one."""
    if rng is None:
        return np.zeros(task.shape)
    t = rng.normal(scale=START_SPREAD, size=task.shape)
    return t if len(task.classes) == 2 else t - t.mean(axis=0)


def descend(
    task: Task, max_iter: int, tol: float, step: "LogisticRegressionStep"
) -> "LogisticRegressionStep":
    """Return the step of gradient descent that follows `step`: t <- t - eta g."""
    eta = step.learning_rate
    with np.errstate(over="ignore"):
        there = objective(task, step.t - eta * step.g)
    if not np.isfinite(there.loss):
        stays = {"index": step.index + 1, "fall": 0.0, "step_size": 0.0}
        return replace(step, **stays, event="diverged")
    return _reached(task, max_iter, tol, step, there, eta)


def newton(
    task: Task, max_iter: int, tol: float, step: "LogisticRegressionStep"
) -> "LogisticRegressionStep":
    """Return Newton's step that follows `step`: t <- t - s H^-1 g, s halved until f falls."""
    here = objective(task, step.t)
    direction, s = newton_direction(task, here.P, here.g), 1.0
    while s > SMALLEST_STEP:
        there = objective(task, step.t - s * direction)
        # Near the minimum the loss falls by less than its rounding; the gradient still tells.
        level = there.loss <= here.loss + ROUNDING * (1 + here.loss)
        if there.loss < here.loss or (level and norm(there.g) < norm(here.g)):
            return _reached(task, max_iter, tol, step, there, s)
        s /= 2
    return _reached(task, max_iter, tol, step, here, 0.0)  # no s lowers the loss


class Place(NamedTuple):
    """Weights t, with the loss f, its gradient g, the scores and the probabilities P there."""

    t: Float[ndarray, "rows p"]
    loss: float
    g: Float[ndarray, "rows p"]
    scores: Float[ndarray, "k n"]
    P: Float[ndarray, "k n"]


def objective(task: Task, t: Float[ndarray, "rows p"]) -> Place:
    """Return f and g at t; the loss is inf where it is not finite or t is out of range.

    f   = -1/n sum_i log P(class of i | x_i)  +  penalty/2 ||W||^2
    g_k =  1/n sum_i (P(k | x_i) - y_ik) a_i  +  penalty (w_k, 0)
    """
    n = len(task.codes)
    with np.errstate(over="ignore", invalid="ignore"):
        scores = t @ task.AT
        if len(task.classes) == 2:
            scores = np.concatenate([np.zeros_like(scores), scores])
        P, top, total = softmax(scores)
        shrinkage = task.ridge * t
        losses = top - scores.take(task.own) + np.log(total)  # -log P(class of i | x_i)
        f = float(losses.sum() / n + np.vdot(shrinkage, t) / 2)
        g = (P - task.target)[task.free] @ task.A / n + shrinkage
        usable = np.abs(t).max() <= validate.LIMIT and np.isfinite(norm(g)) and np.isfinite(f)
    return Place(t, f if usable else np.inf, g, scores, P)


def norm(g: Float[ndarray, "rows p"]) -> float:
    """Return ||g||."""
    return float(np.sqrt(np.vdot(g, g)))


def at_rate(
    task: Task, max_iter: int, tol: float, eta: float, step: "LogisticRegressionStep"
) -> "LogisticRegressionStep":
    """Return the step of gradient descent that follows `step` with another learning rate."""
    return descend(task, max_iter, tol, replace(step, learning_rate=eta))


def elsewhere(
    task: Task, max_iter: int, tol: float, eta: float, step: "LogisticRegressionStep"
) -> "LogisticRegressionStep":
    """Return the step that follows `step` after points were moved to where `task` has them."""
    here = objective(task, step.t)
    started = max(step.started, here.loss)
    there = replace(step, loss=here.loss, g=here.g, started=started, separated=False)
    return at_rate(task, max_iter, tol, eta, there)


def _reached(
    task: Task, max_iter: int, tol: float, step: "LogisticRegressionStep", there: Place, s: float
) -> "LogisticRegressionStep":
    """Return the step with the weights that the update of `step` leads to, and its event."""
    index, accuracy = step.index + 1, _accuracy(task, there)
    risen = rose(step.loss, there.loss)
    separated = step.separated or (accuracy == 1 and task.separated(there.scores))
    event: Event | None = "overshoot" if risen else None
    if separated and not step.separated:
        event = "separated"
    made = LogisticRegressionStep(
        index, task.classes, there.t, there.loss, step.loss - there.loss, there.g, s, accuracy,
        step.learning_rate, step.started, separated, index if risen else step.last_rise, event,
    )  # fmt: skip
    small = tol if made.last_rise == 0 else min(tol, TOL)  # no rise so far
    flat = s == 0 or made.gradient_norm <= small
    return _ended(task, max_iter, made, there, flat=flat)


def _accuracy(task: Task, place: Place) -> float:
    return float(np.count_nonzero(task.right(place.scores)) / len(task.codes))


def _ended(
    task: Task, max_iter: int, step: "LogisticRegressionStep", place: Place, *, flat: bool
) -> "LogisticRegressionStep":
    event = ending(task, max_iter, step, flat=flat, P=place.P, g=place.g)
    return replace(step, event=event) if event else step


@dataclass(frozen=True, eq=False)
class LogisticRegressionStep(Record):
    """The weights after `index` updates; also a model, since `predict` works at every step.

    `t` holds a row (w_k, b_k) per class, a single one (for the second class) if there are two, and
    `g` the gradient there. `step_size` is what this update multiplied its direction by: the
    learning rate, or Newton's 1, 1/2, 1/4, ... (0 at the start). `fall` is by how much it lowered
    the loss (negative if the loss rose). `accuracy` is the share of training points on the right
    side. The next steps also need: `learning_rate`, the rate of the next update; `started`, the
    loss at the start; `separated`, whether every point has been on its right side; and `last_rise`,
    the last step that raised the loss.

    Events: "converged" (gradient norm at most tol, or Newton cannot lower the loss any more in
    floating point); "separated" (the first step with every training point strictly on the right
    side, if there is no penalty) and at the end, instead of "converged" or "stopped at max_iter",
    "weights grow without bound" (also where only a part of the weights does: one class of three
    stands apart, or points of both classes are on the boundary alone); "overshoot" (the loss
    rose). If the learning rate is too high, a run ends with "diverged" (the loss is over 1000 times
    that at the start, or the next update is not finite). If the loss rose in one of the last ten
    steps before max_iter, it ends with "diverged" (the loss is above that at the start) or
    "oscillates" (it is not). All others end with "stopped at max_iter".
    """

    final_events: ClassVar = (*Record.final_events, "oscillates", "weights grow without bound")

    index: int
    classes: Int[ndarray, " k"]
    t: Float[ndarray, "rows p"]
    loss: float
    fall: float
    g: Float[ndarray, "rows p"]
    step_size: float
    accuracy: float
    learning_rate: float
    started: float
    separated: bool = False
    last_rise: int = 0
    event: Event | None = None

    @property
    def determined(self) -> bool:
        """Return whether every run has as many steps; see `certain`."""
        return self.last_rise == 0

    def certain(self) -> dict[str, Any]:
        """Return everything, or the rate and the start if the rate is so high that the loss rose.

        Above 2/L, every step magnifies rounding errors.
        """
        if self.determined:
            return super().certain()
        return {"learning_rate": self.learning_rate, "started": self.started}

    @property
    def weights(self) -> Float[ndarray, "rows d"]:
        """Return the weights, a row per class."""
        return self.t[:, :-1]

    @property
    def intercepts(self) -> Float[ndarray, " rows"]:
        """Return the intercepts, one per class."""
        return self.t[:, -1]

    @property
    def gradient(self) -> Float[ndarray, "rows d"]:
        """Return the gradient with respect to the weights."""
        return self.g[:, :-1]

    @property
    def gradient_norm(self) -> float:
        """Return the norm of the whole gradient."""
        return norm(self.g)

    def decision_function(self, X: Float[ndarray, "m d"]) -> Scores:
        """Return w.x + b: (m,) for two classes, positive for the second, else (m, K)."""
        scores = X @ self.weights.T + self.intercepts
        return scores[:, 0] if len(self.classes) == 2 else scores

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the probability of every class for every row of `X`."""
        return probabilities(self.decision_function(X))

    def losses(self, X: Float[ndarray, "m d"], y: Int[ndarray, " m"]) -> Float[ndarray, " m"]:
        """Return -log P(class of i | x_i) for every row of `X`: the loss of each point."""
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
