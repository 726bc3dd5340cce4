"""The perceptron, its averaged and pocket variants, and the delta rule for contrast.

Model, for two classes y = -1 (the first) and y = +1 (the second):

    o = w.x + b,  class +1 where o > 0

One visit to a sample (x, y) at a time, in passes (epochs) over all samples:

    perceptron:  if y o <= 0, a mistake:  (w, b) <- (w, b) + learning_rate y (x, 1)
    delta rule:                           (w, b) <- (w, b) + learning_rate (y - o) (x, 1)

A point on the line counts as a mistake. Each rule is stochastic gradient descent, one on the
perceptron loss, which only misclassified samples add to, the other on squared error:

    perceptron:  E = 1/n sum_i max(0, -y_i o_i)
    delta rule:  E = 1/n sum_i (y_i - o_i)^2 / 2

The first is 0, its least, at (w, b) = 0 too, where no point has a side; what makes the rule leave
that place is the = in y o <= 0, no descent.

The perceptron converges (an epoch without a mistake) if a line separates the classes, after no more
mistakes than perceptron_bound.py derives. If none does it goes on for ever, but its
weights stay bounded, so the line that is there when it stops is an accident. Two remedies:

    averaged:  predict with the mean of (w, b) after each visit so far
    pocket:    predict with the (w, b), of all so far, that had the fewest training errors

In cyclic order every epoch is the same function of the weights it starts with, so weights seen at
the end of an earlier epoch mean a cycle. The delta rule comes near the least-squares line, whether
or not the classes can be separated, and the nearer the smaller the learning rate: in cyclic order
it settles beside that line. learning_rate < 2 / max ||(x, 1)||^2 keeps it stable.

Cost: O(d) a visit; O(n d) more for the training errors where the model changed.

Source: CS725 20 (000:3241), which starts at ones; CS337 (003:892), at zeros, where the rule fires
on sign(o) != y with sign(0) = +1: here 0 is a mistake for both classes, as in CS725. 20APC3316
(002:613) for the delta rule. Pocket with ratchet: Gallant 1990. Averaged: Freund, Schapire 1999.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import mul

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.linear._epoch_ends import ENDINGS, SINGLE, EpochEnds, Event
from algorithms.classification.linear._perceptron_task import Task
from algorithms.classification.linear._predicting_weights import (
    Predicting,
    averaged,
    latest,
    pocket,
)
from algorithms.core import validate
from algorithms.core.moved_points import PointsMoved, moved_points
from algorithms.core.record import Record
from algorithms.core.scores import highest


def perceptron(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    rng: Generator,
    learning_rate: float = 1.0,
    max_epochs: int = 50,
    order: str = "shuffled",
    init: str = "zeros",
    variant: str = "plain",
    flipped: int = 0,
    points_moved: PointsMoved | None = None,
) -> Iterator["PerceptronStep"]:
    """Visit the samples until an epoch has no mistake, a cycle closes, or `max_epochs` are over.

    `order` is "shuffled" (anew in every epoch) or "cyclic" (as given), `init` is "zeros" or "ones"
    (weights and bias), `variant` is "plain", "averaged" or "pocket". `flipped` is the number of a
    visit, 0 for none: its update is skipped if the sample is a mistake, and made if it is none.
    `points_moved` puts samples elsewhere from a visit on (moved_points.py).

    Raises ValueError, at the call, unless X is finite, y holds n integers of exactly two classes,
    learning_rate > 0, max_epochs >= 1 and flipped >= 0.
    """
    validate.choice("variant", variant, ("plain", "averaged", "pocket"))
    task = Task(X, y, rng, learning_rate, max_epochs, order, init, delta=False)
    predicting = {"plain": latest, "averaged": averaged, "pocket": pocket}[variant]
    moved = moved_points(task.X, points_moved) if points_moved else (0, task.X)
    return _train(task, predicting(task), validate.integer("flipped", flipped, 0), moved)


def delta_rule(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    rng: Generator,
    learning_rate: float = 0.01,
    max_epochs: int = 50,
    order: str = "shuffled",
    init: str = "zeros",
) -> Iterator["PerceptronStep"]:
    """Visit the samples, moving the weights by every sample's y - o, right or wrong.

    Parameters and errors are those of `perceptron`.
    """
    task = Task(X, y, rng, learning_rate, max_epochs, order, init, delta=True)
    return _train(task, latest(task), 0, (0, task.X))


def _train(
    task: Task,
    predicting: Predicting,
    flipped: int,
    moved: tuple[int, Float[ndarray, "n d"]],
) -> Iterator["PerceptronStep"]:
    """Visit the samples. moved : the number of a visit, and the samples from there on."""
    w, b, mistakes, visits = task.weights, task.bias, 0, 0
    ends = EpochEnds(task, (*w, b), task.exact if task.delta else None)
    yield PerceptronStep(task.classes, 0, -1, 0.0, False, 0, 0.0, w, b, w, b)
    for epoch in range(1, task.max_epochs + 1):
        order = task.order()
        for i in order:
            visits += 1
            flip = visits == flipped
            if visits == moved[0]:
                task.move(moved[1])
                ends.disturb()
            x, y = task.rows[i], task.signs[i]
            o: float = sum(map(mul, w, x)) + b
            mistake = y * o <= 0
            amount = task.rate * (y - o if task.delta else y * (mistake != flip))
            mistakes += mistake
            event: Event | None = "mistake" if mistake and mistakes <= SINGLE else None
            period = 0
            if flip:
                ends.disturb()
            if amount:
                after = tuple([wj + amount * xj for wj, xj in zip(w, x, strict=True)]), b + amount
                if task.lost(*after):
                    event, amount = "diverged", 0.0
                else:
                    w, b = after
                    ends.moved(amount)
            if i == order[-1] and event != "diverged":
                event, period = ends.judge(epoch, mistakes, (*w, b))
            if flip and event not in ENDINGS:
                event = "skipped" if mistake else "forced"
            yield PerceptronStep(
                task.classes, epoch, i, o, mistake, mistakes, amount, w, b,
                *predicting(w, b), event, period,
            )  # fmt: skip
            if event in ENDINGS:
                return


@dataclass(frozen=True, eq=False, slots=True)
class PerceptronStep(Record):
    """One visit to a sample; also a model, since `predict` works at every step.

    The first step is the start: epoch 0, index -1, no visit. `weights` and `bias` are those after
    the visit, which added `amount` times (x, 1) to them. `score` is o = w.x + b before it, and
    `mistake` says whether that was wrong; `mistakes` counts them so far. `predict` uses
    `model_weights` and `model_bias`: the same, or the average, or what is in the pocket.

    Events: "mistake" (one of the first 20, which are worth a look each), "skipped" and "forced"
    (this visit's update was left out, or made at a sample that is right) and "end of epoch"; the
    last one is "converged" (perceptron: an epoch without a mistake; delta rule: an epoch brings the
    weights back to where it started, or every o is y), "cycle" (the weights are those of `period`
    epochs ago), "diverged" (delta rule: the learning rate is too high; this visit's update is not
    made) or "stopped at max_epochs".
    """

    classes: Int[ndarray, " 2"]
    epoch: int
    index: int
    score: float
    mistake: bool
    mistakes: int
    amount: float
    w: tuple[float, ...]
    bias: float
    model_w: tuple[float, ...]
    model_bias: float
    event: Event | None = None
    period: int = 0

    def __post_init__(self) -> None:
        """Copy nothing: there may be many thousands of steps, and few arrays."""

    @property
    def weights(self) -> Float[ndarray, " d"]:
        """The weights after the visit."""
        return np.array(self.w)

    @property
    def model_weights(self) -> Float[ndarray, " d"]:
        """The weights to predict with."""
        return np.array(self.model_w)

    def decision_function(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return w.x + b of the model, positive for the second class."""
        return X @ self.model_weights + self.model_bias

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class of every row of `X`, the first class on the line itself."""
        return highest(self.decision_function(X), self.classes)

    def errors(self, X: Float[ndarray, "m d"], y: Int[ndarray, " m"]) -> int:
        """Count the points that `predict` gets wrong."""
        return int(np.count_nonzero(self.predict(X) != y))

    def perceptron_loss(self, X: Float[ndarray, "m d"], y: Int[ndarray, " m"]) -> float:
        """Return the perceptron's E at `weights` and `bias`."""
        return float(np.mean(np.maximum(0.0, -self._signs(y) * (X @ self.weights + self.bias))))

    def squared_error(self, X: Float[ndarray, "m d"], y: Int[ndarray, " m"]) -> float:
        """Return the delta rule's E at `weights` and `bias`."""
        return float(np.mean((self._signs(y) - X @ self.weights - self.bias) ** 2) / 2)

    def _signs(self, y: Int[ndarray, " m"]) -> Float[ndarray, " m"]:
        return np.where(y == self.classes[1], 1.0, -1.0)


def largest_stable_rate(X: Float[ndarray, "n d"]) -> float:
    """Return 2 / max ||(x, 1)||^2: below it no visit of the delta rule overshoots its sample."""
    X = validate.points(X)
    return 2 / (1 + float((X * X).sum(axis=1).max()))
