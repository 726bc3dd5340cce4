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
mistakes than perceptron_bound.py derives. If none does it goes on for ever, but its
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

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from operator import mul
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.record import Record

BACK = 1e-7  # of the largest move: nearer to weights seen before, they are the same
EXACT = 1e-9  # residuals so small are none
LOST = 1e6  # times the scores at the start: the delta rule has diverged

Model = Callable[[ndarray, float], tuple[ndarray, float]]
"""From (w, b) after a visit, the (w, b) to predict with."""

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
    validate.choice("variant", variant, ("plain", "averaged", "pocket"))
    task = _Task(X, y, rng, learning_rate, max_epochs, order, init, delta=False)
    model = {"plain": _latest, "averaged": _averaged, "pocket": _pocket}[variant]
    return _train(task, model(task))


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
    task = _Task(X, y, rng, learning_rate, max_epochs, order, init, delta=True)
    return _train(task, _latest(task))


def largest_stable_rate(X: Float[ndarray, "n d"]) -> float:
    """Return 2 / max ||(x, 1)||^2: below it no visit of the delta rule overshoots its sample."""
    X = validate.points(X)
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
        self.X = validate.points(X)
        self.classes, codes = validate.labels(y, len(self.X))
        if len(self.classes) > 2:
            raise ValueError(
                f"y must name exactly two classes for a perceptron, got {len(self.classes)}: "
                "erase or relabel the points of the others"
            )
        self.classes.flags.writeable = False  # so that steps share it
        self.second, self.signs = codes == 1, np.where(codes == 1, 1.0, -1.0)
        self.rng, self.delta = rng, delta
        self.rate = validate.number("learning_rate", learning_rate, positive=True)
        self.max_epochs = validate.integer("max_epochs", max_epochs, 1)
        self.cyclic = validate.choice("order", order, ("shuffled", "cyclic")) == "cyclic"
        self.bias = float(validate.choice("init", init, ("zeros", "ones")) == "ones")
        self.weights = _fixed([self.bias] * self.X.shape[1])
        self.sizes = np.abs(self.X).max(axis=0)
        self.reach = self.sizes.tolist()
        self.most = LOST * (1 + self.bias * (1 + sum(self.reach)))

    def lost(self, w: list[float], b: float) -> bool:
        """Whether scores may exceed all bounds."""
        return not sum(map(mul, map(abs, w), self.reach)) + abs(b) <= self.most

    def errors(self, weights: Float[ndarray, " d"], bias: float) -> int:
        """Count the points on the wrong side: w.x > -b and w.x + b > 0 are the same, exactly."""
        return int(np.count_nonzero((self.X @ weights > -bias) != self.second))


def _train(task: _Task, model: Model) -> Iterator[PerceptronStep]:
    # Plain floats: NumPy would take longer for these few numbers.
    rows, signs, n = task.X.tolist(), task.signs.tolist(), len(task.X)
    weights, b, mistakes = task.weights, task.bias, 0
    w = weights.tolist()
    step = PerceptronStep(task.classes, 0, -1, 0.0, False, 0, 0.0, weights, b, weights, b)
    yield step
    ends = [step]
    for epoch in range(1, task.max_epochs + 1):
        largest = 0.0
        order = range(n) if task.cyclic else task.rng.permutation(n).tolist()
        for place, i in enumerate(order, 1):
            x, sign = rows[i], signs[i]
            score = sum(map(mul, w, x)) + b
            mistake = sign * score <= 0
            amount = task.rate * (sign - score if task.delta else sign * mistake)
            event: Event | None = "mistake" if mistake else None
            mistakes += mistake
            if amount:
                after = [wj + amount * xj for wj, xj in zip(w, x, strict=True)]
                if task.delta and task.lost(after, b + amount):
                    event, amount = "diverged", 0.0
                else:
                    w, b, weights = after, b + amount, _fixed(after)
                    largest = max(largest, abs(amount))
            model_weights, model_bias = model(weights, b)
            step = PerceptronStep(
                task.classes, epoch, i, score, mistake, mistakes, amount, weights, b,
                model_weights, model_bias, 0, event,
            )  # fmt: skip
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
    for period, end in enumerate(reversed(ends) if task.cyclic else (), 1):
        if abs(step.bias - end.bias) <= near[1] and (
            (np.abs(step.weights - end.weights) <= near[0]).all()
        ):
            if not task.delta:
                return replace(step, event="cycle", period=period)
            if period == 1:
                return replace(step, event="converged")
    stopped = step.epoch == task.max_epochs
    return replace(step, event="stopped at max_epochs") if stopped else step


def _fixed(values: list[float]) -> Float[ndarray, " d"]:
    """Return a read-only array, so that steps share it."""
    array = np.array(values)
    array.flags.writeable = False
    return array


def _latest(_task: _Task) -> Model:
    return lambda weights, bias: (weights, bias)


def _averaged(task: _Task) -> Model:
    visits, mean = 0, [0.0] * (task.X.shape[1] + 1)

    def model(weights: Float[ndarray, " d"], bias: float) -> tuple[Float[ndarray, " d"], float]:
        nonlocal visits, mean
        visits += 1
        now = [*weights.tolist(), bias]
        mean = [m + (v - m) / visits for m, v in zip(mean, now, strict=True)]
        return _fixed(mean[:-1]), mean[-1]

    return model


def _pocket(task: _Task) -> Model:
    best = seen = task.weights, task.bias
    fewest = task.errors(*seen)

    def model(weights: Float[ndarray, " d"], bias: float) -> tuple[Float[ndarray, " d"], float]:
        nonlocal best, seen, fewest
        if weights is not seen[0]:
            seen = weights, bias
            if (errors := task.errors(*seen)) < fewest:
                best, fewest = seen, errors
        return best

    return model
