"""The perceptron, and its averaged and pocket variants.

Model, for two classes y = -1 (the first) and y = +1 (the second):

    o = w.x + b,  class +1 where o > 0

Update rule, at one visit to a sample (x, y) at a time, in passes (epochs) over all samples:

    if y o <= 0, a mistake:  (w, b) <- (w, b) + eta y (x, 1)

A point on the line counts as a mistake. This is stochastic gradient descent on the perceptron loss,
to which only misclassified samples add,

    E = 1/n sum_i max(0, -y_i o_i)

E has its least value, 0, also at (w, b) = 0, where no point has a side. A run leaves this place
because of the = in y o <= 0, not by descent.

The perceptron converges (an epoch without a mistake) if a line separates the classes, after at most
as many mistakes as perceptron_bound.py derives. If no line does, it never stops by itself. Its
weights stay bounded, and the line at the last step is an accident. Two remedies
(_averaged_and_pocket.py):

    averaged:  predict with the mean of (w, b) after each visit so far
    pocket:    predict with the (w, b), of all so far, that had the fewest training errors

In cyclic order every epoch is the same function of the weights it starts with, so weights seen at
the end of an earlier epoch mean a cycle.

Cost: O(d) a visit; O(n d) more for the training errors where the pocket sees new weights.

Source: CS725 20 (000:3241), which starts at ones; CS337 (003:892), at zeros, where the rule fires
on sign(o) != y with sign(0) = +1: here 0 is a mistake for both classes, as in CS725. Pocket with
ratchet: Gallant 1990. Averaged: Freund, Schapire 1999.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from operator import mul

from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.linear.perceptron._averaged_and_pocket import VARIANTS, Predicting
from algorithms.classification.linear.perceptron._endings import (
    BACK,
    SINGLE,
    STOPPED,
    Event,
    ending,
)
from algorithms.classification.linear.perceptron.samples import Samples, Weights, as_samples
from algorithms.classification.linear.perceptron.visit import Visit
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import frozen


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
) -> Iterator["PerceptronStep"]:
    """Visit the samples until an epoch has no mistake, a cycle closes, or `max_epochs` are over.

    `order` is "shuffled" (again in every epoch) or "cyclic" (as given), `init` is "zeros" or "ones"
    (weights and bias), `variant` is "plain", "averaged" or "pocket".

    Raises ValueError, at the call, unless X is finite, y holds n integers of exactly two classes,
    learning_rate > 0 and max_epochs >= 1.
    """
    X = validate.points(X)
    classes, signs = validate.two_labels(y, len(X))
    eta = validate.number("learning_rate", learning_rate, positive=True)
    predicting = VARIANTS[validate.choice("variant", variant, tuple(VARIANTS))]
    samples = as_samples(X, signs, rng, order, max_epochs)
    b = float(validate.choice("init", init, ("zeros", "ones")) == "ones")
    w = (b,) * X.shape[1]
    first = PerceptronStep(
        frozen(classes), 0, 0, -1, 0.0, False, 0, 0.0, w, b, w, b,
        samples.errors(w, b), True, ((*w, b),) if samples.cyclic else (),
    )  # fmt: skip
    going_on = partial(advance, samples, eta, predicting)
    return iterate(first, going_on, most=len(samples.order), stopped=STOPPED)


def advance(
    samples: Samples,
    eta: float,
    predicting: Predicting,
    step: "PerceptronStep",
    *,
    flip: bool = False,
) -> "PerceptronStep":
    """Return the visit that follows `step`. A mistake moves the weights by eta y (x, 1).

    flip : leave out this visit's update, or make one if none is due.
    """
    i, visit = samples.order[step.visit], step.visit + 1
    x, y, w, b = samples.rows[i], samples.y[i], step.w, step.bias
    o, amount = score(w, b, x), 0.0
    mistake = y * o <= 0
    if mistake != flip:
        amount = eta * y
        w, b = update(w, b, amount, x)
    mistakes = step.mistakes + mistake
    model_w, model_bias, fewest = predicting(samples, step, step.fewest, w, b)
    clean, seen, period = step.clean and not mistake, step.seen, 0
    event: Event | None = "mistake" if mistake and mistakes <= SINGLE else None
    epoch, left = divmod(visit, len(samples.rows))
    if left == 0:
        event, period = ending(clean, seen, (*w, b), BACK * eta * samples.sizes)
        clean, seen = True, (*seen, (*w, b)) if samples.cyclic else ()
    return PerceptronStep(
        step.classes, visit, epoch + (left > 0), i, o, mistake, mistakes, amount,
        w, b, model_w, model_bias, fewest, clean, seen, event, period,
    )  # fmt: skip


def score(w: Weights, b: float, x: list[float]) -> float:
    """Return o = w.x + b."""
    return sum(map(mul, w, x)) + b


def update(w: Weights, b: float, amount: float, x: list[float]) -> tuple[Weights, float]:
    """(w, b) <- (w, b) + amount (x, 1). Return the new w and b."""
    return tuple([wj + amount * xj for wj, xj in zip(w, x, strict=True)]), b + amount


def flipped(
    samples: Samples, eta: float, predicting: Predicting, step: "PerceptronStep"
) -> "PerceptronStep":
    """Return the visit that follows `step` with its update skipped, or forced if none is due."""
    after = advance(samples, eta, predicting, disturbed(samples, step), flip=True)
    return replace(after, event="skipped" if after.mistake else "forced")


def elsewhere(
    samples: Samples, eta: float, predicting: Predicting, step: "PerceptronStep"
) -> "PerceptronStep":
    """Return the visit that follows `step` after points were moved to where `samples` has them."""
    return advance(samples, eta, predicting, disturbed(samples, step))


def disturbed(samples: Samples, step: "PerceptronStep") -> "PerceptronStep":
    """Return `step` as a new start: its epoch neither proves convergence nor closes a cycle."""
    fewest = samples.errors(step.model_w, step.model_bias)
    return replace(step, clean=False, seen=(), fewest=fewest)


@dataclass(frozen=True, eq=False, slots=True)
class PerceptronStep(Visit):
    """One visit of a perceptron; see `Visit`.

    `model_weights` and `model_bias` predict: the latest weights, the average, or what is in the
    pocket, with `fewest` training errors. `clean` : no mistake in this epoch so far, at its last
    visit in the next. `seen` : in cyclic order, the weights at the ends of the epochs so far.

    Events: "mistake" (one of the first 20, which are worth a look each), "end of epoch", "skipped"
    and "forced" (this visit's update was left out, or made at a sample that is right); the last one
    is "converged" (an epoch without a mistake), "cycle" (the weights are those of `period` epochs
    ago) or "stopped at max_epochs".
    """

    fewest: int
    clean: bool = True
    seen: tuple[Weights, ...] = ()
    event: Event | None = None
    period: int = 0
