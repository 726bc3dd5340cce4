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

The perceptron converges (an epoch without a mistake) if a line separates the classes, after no more
mistakes than algorithms/perceptron_bound.py derives. If none does it goes on for ever, but its
weights stay bounded, so the line that is there when it stops is an accident. Two remedies:

    averaged:  predict with the mean of (w, b) after each visit so far
    pocket:    predict with the (w, b), of all so far, that had the fewest training errors

In cyclic order every epoch is the same function of the weights it starts with, so weights seen at
the end of an earlier epoch mean a cycle. The delta rule approaches the least-squares line, whether
or not the classes can be separated; learning_rate < 2 / max ||(x, 1)||^2 keeps it stable.

Cost: O(d) a visit; O(n d) more for the training errors where the model changed.

Source: CS725 20 (000:3241), which starts at ones; CS337 (003:892), at zeros, where the rule fires
on sign(o) != y with sign(0) = +1: here 0 is a mistake for both classes, as in CS725. 20APC3316
(002:613) for the delta rule. Pocket with ratchet: Gallant 1990. Averaged: Freund, Schapire 1999.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms import _validate
from algorithms._record import Record

BACK = 1e-7  # of the largest move: nearer to weights seen before, they are the same
EXACT = 1e-9  # residuals so small are none
LOST = 1e6  # times the scores at the start: the delta rule has diverged

Event = Literal["mistake", "converged", "cycle", "diverged", "stopped at max_epochs"]


@dataclass(frozen=True, eq=False)
class PerceptronStep(Record):
    """One visit to a sample; also a model, since `predict` works at every step.

    The first step is the start: epoch 0, index -1, no visit. `weights` and `bias` are those after
    the visit, which added `amount` times (x, 1) to them. `score` is o = w.x + b before it, and
    `mistake` says whether that was wrong; `mistakes` counts them so far. `predict` uses
    `model_weights` and `model_bias`: the same, or the average, or what is in the pocket.

    Events: "mistake"; and at the end "converged" (perceptron: an epoch without a mistake; delta
    rule: an epoch brings the weights back to where it started, or every o is y), "cycle" (the
    weights are those of `period` epochs ago), "diverged" (delta rule: the learning rate is too
    high; this visit's update is not made) or "stopped at max_epochs".
    """

    classes: Int[ndarray, " 2"]
    epoch: int
    index: int
    score: float
    mistake: bool
    mistakes: int
    amount: float
    weights: Float[ndarray, " d"]
    bias: float
    model_weights: Float[ndarray, " d"]
    model_bias: float
    period: int = 0
    event: Event | None = None

    def decision_function(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return w.x + b of the model, positive for the second class."""
        return X @ self.model_weights + self.model_bias

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class of every row of `X`, the first class on the line itself."""
        return self.classes[(self.decision_function(X) > 0).astype(int)]

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
) -> Iterator[PerceptronStep]:
    """Visit the samples until an epoch has no mistake, a cycle closes, or `max_epochs` are over.

    `order` is "shuffled" (anew in every epoch) or "cyclic" (as given), `init` is "zeros" or "ones"
    (weights and bias), `variant` is "plain", "averaged" or "pocket".

    Raises ValueError, at the call, unless X is finite, y holds n integers of exactly two classes,
    learning_rate > 0 and max_epochs >= 1.
    """
    _validate.choice("variant", variant, ("plain", "averaged", "pocket"))
    task = _Task(X, y, rng, learning_rate, max_epochs, order, init, delta=False)
    if variant == "averaged":
        return _averaged(_train(task))
    return _pocket(_train(task), task) if variant == "pocket" else _train(task)


def delta_rule(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    rng: Generator,
    learning_rate: float = 0.01,
    max_epochs: int = 50,
    order: str = "shuffled",
    init: str = "zeros",
) -> Iterator[PerceptronStep]:
    """Visit the samples, moving the weights by every sample's y - o, right or wrong.

    Parameters and errors are those of `perceptron`.
    """
    return _train(_Task(X, y, rng, learning_rate, max_epochs, order, init, delta=True))


def largest_stable_rate(X: Float[ndarray, "n d"]) -> float:
    """Return 2 / max ||(x, 1)||^2: below it no visit of the delta rule overshoots its sample."""
    X = _validate.points(X)
    return 2 / (1 + float((X * X).sum(axis=1).max()))


class _Task:
    """The arguments of a run, checked."""

    def __init__(
        self,
        X: Float[ndarray, "n d"],
        y: Int[ndarray, " n"],
        rng: Generator,
        learning_rate: float,
        max_epochs: int,
        order: str,
        init: str,
        *,
        delta: bool,
    ) -> None:
        self.X = _validate.points(X)
        self.classes, codes = _validate.labels(y, len(self.X))
        if len(self.classes) > 2:
            raise ValueError(
                f"y must name exactly two classes for a perceptron, got {len(self.classes)}: "
                "erase or relabel the points of the others"
            )
        self.y, self.signs = self.classes[codes], np.where(codes == 1, 1.0, -1.0)
        self.rng, self.delta = rng, delta
        self.rate = _validate.number("learning_rate", learning_rate, positive=True)
        self.max_epochs = _validate.integer("max_epochs", max_epochs, 1)
        self.cyclic = _validate.choice("order", order, ("shuffled", "cyclic")) == "cyclic"
        self.start = float(_validate.choice("init", init, ("zeros", "ones")) == "ones")
        self.sizes = np.abs(self.X).max(axis=0)
        self.most = LOST * (1 + self.start * (1 + float(self.sizes.sum())))

    def lost(self, w: Float[ndarray, " d"], b: float) -> bool:
        """Whether scores may exceed all bounds."""
        with np.errstate(over="ignore"):
            return not float(np.abs(w) @ self.sizes) + abs(b) <= self.most


def _train(task: _Task) -> Iterator[PerceptronStep]:
    rows, signs, n = list(task.X), task.signs.tolist(), len(task.X)
    w, b, mistakes = _fixed(np.full(task.X.shape[1], task.start)), task.start, 0
    step = PerceptronStep(task.classes, 0, -1, 0.0, False, 0, 0.0, w, b, w, b)
    yield step
    ends = [step]
    for epoch in range(1, task.max_epochs + 1):
        largest = 0.0
        order = range(n) if task.cyclic else task.rng.permutation(n).tolist()
        for place, i in enumerate(order, 1):
            score = float(rows[i] @ w) + b
            mistake = signs[i] * score <= 0
            amount = task.rate * (signs[i] - score if task.delta else signs[i] * mistake)
            event: Event | None = "mistake" if mistake else None
            mistakes += mistake
            if amount:
                after = _fixed(w + amount * rows[i])
                if task.delta and task.lost(after, b + amount):
                    event, amount = "diverged", 0.0
                else:
                    w, b = after, b + amount
            step = PerceptronStep(
                task.classes, epoch, i, score, mistake, mistakes, amount, w, b, w, b, event=event
            )
            largest = max(largest, abs(amount))
            if place == n and event != "diverged":
                step = _judged(task, step, ends, largest)
            yield step
            if step.event not in (None, "mistake"):
                return
        ends.append(step)


def _judged(
    task: _Task, step: PerceptronStep, ends: list[PerceptronStep], largest: float
) -> PerceptronStep:
    """Name what ends the run with this epoch, if anything does.

    ends : the start and the last step of each epoch before; largest : of this epoch's amounts.
    """
    if not task.delta and step.mistakes == ends[-1].mistakes:
        return replace(step, event="converged")
    if task.delta and np.abs(task.signs - step.decision_function(task.X)).max() <= EXACT:
        return replace(step, event="converged")
    near = BACK * largest * task.sizes, BACK * largest
    for period, end in enumerate(reversed(ends), 1):
        moved = np.abs(step.weights - end.weights), abs(step.bias - end.bias)
        if task.cyclic and (moved[0] <= near[0]).all() and moved[1] <= near[1]:
            if not task.delta:
                return replace(step, event="cycle", period=period)
            if period == 1:
                return replace(step, event="converged")
    stopped = step.epoch == task.max_epochs
    return replace(step, event="stopped at max_epochs") if stopped else step


def _fixed(values: Float[ndarray, " d"]) -> Float[ndarray, " d"]:
    """Make an array read-only, so that steps share it."""
    values.flags.writeable = False
    return values


def _averaged(steps: Iterator[PerceptronStep]) -> Iterator[PerceptronStep]:
    yield (mean := next(steps))
    for visits, step in enumerate(steps, 1):
        w = mean.model_weights + (step.weights - mean.model_weights) / visits
        b = mean.model_bias + (step.bias - mean.model_bias) / visits
        yield (mean := replace(step, model_weights=w, model_bias=b))


def _pocket(steps: Iterator[PerceptronStep], task: _Task) -> Iterator[PerceptronStep]:
    best = next(steps)
    fewest = best.errors(task.X, task.y)
    yield best
    for step in steps:
        if step.amount and (errors := step.errors(task.X, task.y)) < fewest:
            best, fewest = step, errors
        yield replace(step, model_weights=best.weights, model_bias=best.bias)
