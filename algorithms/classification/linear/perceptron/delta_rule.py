"""The delta rule: every sample moves the weights, right or wrong.

Model, for two classes y = -1 (the first) and y = +1 (the second), as the perceptron's:

    o = w.x + b,  class +1 where o > 0

Update rule, at one visit to a sample (x, y) at a time, in passes (epochs) over all samples:

    (w, b) <- (w, b) + eta (y - o) (x, 1)

This is stochastic gradient descent on the squared error

    E = 1/n sum_i (y_i - o_i)^2 / 2

It comes near the least-squares line, whether or not the classes can be separated. A smaller eta
brings it nearer: in cyclic order it settles beside that line, since each sample in turn pulls last.
eta < 2 / max ||(x, 1)||^2 keeps the rule stable: below this rate no visit overshoots its sample.

Cost: O(d) a visit.

Source: 20APC3316 (002:613), CS725 20 (000:3241). Widrow and Hoff 1960.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from operator import mul
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.linear.perceptron._endings import (
    BACK,
    SINGLE,
    STOPPED,
    epochs_back,
)
from algorithms.classification.linear.perceptron.perceptron import score, update
from algorithms.classification.linear.perceptron.samples import Samples, Weights, as_samples
from algorithms.classification.linear.perceptron.visit import Visit
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import frozen

LOST = 1e6  # times the scores at the start: the rule has diverged
EXACT = 1e-9  # a smaller residual counts as 0

Event = Literal["mistake", "end of epoch", "converged", "diverged", "stopped at max_epochs"]


def delta_rule(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    rng: Generator,
    learning_rate: float = 0.01,
    max_epochs: int = 50,
    order: str = "shuffled",
    init: str = "zeros",
) -> Iterator["DeltaRuleStep"]:
    """Visit the samples until an epoch brings the weights back, or `max_epochs` are over.

    Parameters and errors are those of `perceptron`.
    """
    X = validate.points(X)
    classes, signs = validate.two_labels(y, len(X))
    eta = validate.number("learning_rate", learning_rate, positive=True)
    samples = as_samples(X, signs, rng, order, max_epochs)
    b = float(validate.choice("init", init, ("zeros", "ones")) == "ones")
    w = (b,) * X.shape[1]
    began = (*w, b) if samples.cyclic else ()
    first = DeltaRuleStep(
        frozen(classes), 0, 0, -1, 0.0, False, 0, 0.0, w, b, w, b, eta, 0.0, began
    )
    going_on = partial(advance, samples, lost_from(samples, w, b))
    return iterate(first, going_on, most=len(samples.order), stopped=STOPPED)


def advance(samples: Samples, bound: float, step: "DeltaRuleStep") -> "DeltaRuleStep":
    """Return the visit that follows `step`: every sample moves the weights by eta (y - o) (x, 1).

    bound : if a score may exceed it, the rule has diverged, and the update is not made.
    """
    i, visit = samples.order[step.visit], step.visit + 1
    x, y, eta = samples.rows[i], samples.y[i], step.learning_rate
    o = score(step.w, step.bias, x)
    amount = eta * (y - o)
    w, b = update(step.w, step.bias, amount, x)
    mistake = y * o <= 0
    mistakes = step.mistakes + mistake
    event: Event | None = "mistake" if mistake and mistakes <= SINGLE else None
    epoch, left = divmod(visit, len(samples.rows))
    if lost := not highest_score(samples, w, b) <= bound:
        event, amount, w, b = "diverged", 0.0, step.w, step.bias
    largest, began = max(step.largest, abs(amount)), step.began
    if left == 0 and not lost:
        settled = _settled(samples, began, (*w, b), largest)
        event = "converged" if settled else "end of epoch"
        largest, began = 0.0, (*w, b) if samples.cyclic else ()
    return DeltaRuleStep(
        step.classes, visit, epoch + (left > 0), i, o, mistake, mistakes, amount,
        w, b, w, b, eta, largest, began, event,
    )  # fmt: skip


def elsewhere(samples: Samples, bound: float, eta: float, step: "DeltaRuleStep") -> "DeltaRuleStep":
    """Return the visit that follows `step` with another eta, or with samples that were moved."""
    return advance(samples, bound, replace(step, learning_rate=eta, largest=0.0, began=()))


def highest_score(samples: Samples, w: Weights, b: float) -> float:
    """Return a bound on |o| at every sample."""
    return sum(map(mul, map(abs, w), samples.reach)) + abs(b)


def lost_from(samples: Samples, w: Weights, b: float) -> float:
    """Return the score from which on a run that starts at (w, b) has diverged."""
    return LOST * (1 + highest_score(samples, w, b))


def _settled(samples: Samples, began: Weights, theta: Weights, largest: float) -> bool:
    """Return whether the epoch brought the weights back, or the output at every sample is its y."""
    back = epochs_back((began,) if began else (), theta, BACK * largest * samples.sizes)
    *w, b = theta
    return back == 1 or bool(np.abs(samples.y - (samples.X @ np.array(w) + b)).max() <= EXACT)


@dataclass(frozen=True, eq=False, slots=True)
class DeltaRuleStep(Visit):
    """One visit of the delta rule; see `Visit`. The weights that predict are the latest ones.

    `learning_rate` is eta from here on. `largest` is the largest |amount| in this epoch so far, and
    `began` the weights that the epoch began with, in cyclic order; at the last visit of an epoch,
    they are those of the next one.

    Events: "mistake" (one of the first 20) and "end of epoch"; the last one is "converged" (an
    epoch brings the weights back to where it began, or every o is y), "diverged" (eta is too high;
    this visit's update is not made) or "stopped at max_epochs".
    """

    learning_rate: float
    largest: float
    began: Weights
    event: Event | None = None


def largest_stable_rate(X: Float[ndarray, "n d"]) -> float:
    """Return 2 / max ||(x, 1)||^2: below it no visit of the delta rule overshoots its sample."""
    X = validate.points(X)
    return 2 / (1 + float((X * X).sum(axis=1).max()))
