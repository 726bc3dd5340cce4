"""The perceptron for several classes: one weight vector each, and the highest score wins.

Model, with a row of weights w_c and a bias b_c for every class c:

    s_c = w_c.x + b_c,  class argmax_c s_c

One visit to a sample (x, y) at a time, in passes (epochs) over all samples, from zero weights. Let
r be the class other than y with the highest score:

    if s_y <= s_r, a mistake:   (w_y, b_y) <- (w_y, b_y) + (x, 1)
                                (w_r, b_r) <- (w_r, b_r) - (x, 1)

The vector of the right class moves towards the sample, the vector of the class it was taken for
moves away from it, and the others stay. There is no learning rate: it would scale all weights and
change no decision.

This is stochastic gradient descent on

    E = 1/n sum_i max(0, max over c other than y_i of s_c(x_i) - s_(y_i)(x_i))

Two classes are the perceptron of perceptron.py from zeros with learning rate 2, for
(w_2 - w_1, b_2 - b_1). With one vector per class every place has an answer. With one line for every
class against the rest, some places are claimed by several classes, or by none.

It is the perceptron in disguise (Kesler's construction): write all w_c, b_c as one long vector, and
sample i as one vector for each wrong class r, with (x, 1) in the place of y and -(x, 1) in that of
r. So it converges if weights exist that give every sample's own class the highest score, after at
most 2 (R / gamma)^2 mistakes: R = max ||(x, 1)||, and gamma the largest lead s_y - s_r that weights
of norm 1, all classes together, can give to every sample over every wrong class.

Cost: O(K d) a visit.

Source: CS725 18.2 (000:2867), the discriminant of K functions; Duda and Hart 1973, 5.12 (Kesler);
Collins 2002.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.linear.perceptron._endings import (
    BACK,
    SINGLE,
    STOPPED,
    Event,
    ending,
)
from algorithms.classification.linear.perceptron.samples import Samples, Weights, as_samples
from algorithms.core import validate
from algorithms.core.features import with_ones
from algorithms.core.iterate import iterate
from algorithms.core.record import Record, frozen
from algorithms.core.scores import Scores, highest, one_for_two


def perceptron_multiclass(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    rng: Generator,
    max_epochs: int = 50,
    order: str = "shuffled",
) -> Iterator["PerceptronMulticlassStep"]:
    """Visit the samples until an epoch has no mistake, a cycle closes, or `max_epochs` are over.

    `order` is "shuffled" (again in every epoch) or "cyclic" (as given).

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes
    and max_epochs >= 1.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    samples = as_samples(X, codes, rng, order, max_epochs)
    rows = frozen(np.zeros((len(classes), X.shape[1] + 1)))
    seen = (tuple(rows.ravel().tolist()),) if samples.cyclic else ()
    first = PerceptronMulticlassStep(frozen(classes), 0, 0, -1, -1, 0, rows, True, seen)
    going_on = partial(advance, samples, with_ones(X))
    return iterate(first, going_on, most=len(samples.order), stopped=STOPPED)


def advance(
    samples: Samples, A: Float[ndarray, "n p"], step: "PerceptronMulticlassStep"
) -> "PerceptronMulticlassStep":
    """Return the visit that follows `step`. A : (x, 1) of every sample."""
    i, visit = samples.order[step.visit], step.visit + 1
    rows, mistakes = step.rows, step.mistakes
    rival = taken_for(rows, A[i], own := int(samples.y[i]))
    event: Event | None = None
    if rival >= 0:
        rows, mistakes = update(rows, A[i], own, rival), mistakes + 1
        event = "mistake" if mistakes <= SINGLE else None
    clean, seen, period = step.clean and rival < 0, step.seen, 0
    epoch, left = divmod(visit, len(A))
    if left == 0:
        theta = tuple(rows.ravel().tolist())
        event, period = ending(clean, seen, theta, BACK * np.tile(samples.sizes, len(rows)))
        clean, seen = True, (*seen, theta) if samples.cyclic else ()
    return PerceptronMulticlassStep(
        step.classes, visit, epoch + (left > 0), i, rival, mistakes, rows, clean, seen, event,
        period,
    )  # fmt: skip


def taken_for(rows: Float[ndarray, "k p"], a: Float[ndarray, " p"], own: int) -> int:
    """Return r, the class other than y with the highest score, if s_y <= s_r, and -1 if not."""
    scores = rows @ a
    score, scores[own] = scores[own], -np.inf
    r = int(scores.argmax())
    return r if score <= scores[r] else -1


def update(
    rows: Float[ndarray, "k p"], a: Float[ndarray, " p"], own: int, rival: int
) -> Float[ndarray, "k p"]:
    """(w_y, b_y) <- (w_y, b_y) + (x, 1),  (w_r, b_r) <- (w_r, b_r) - (x, 1). Return all rows."""
    rows = rows.copy()
    rows[own] += a
    rows[rival] -= a
    rows.flags.writeable = False
    return rows


@dataclass(frozen=True, eq=False, slots=True)
class PerceptronMulticlassStep(Record):
    """One visit to a sample; also a model, since `predict` works at every step.

    `visit` counts the visits so far: the first step is the start, visit 0, epoch 0, index -1.
    `rows` holds (w_k, b_k) of every class after the visit. `rival` is the place in `classes` of the
    class that the sample was taken for, -1 where the visit found it right; `mistakes` counts the
    samples that were taken for another class so far. `clean` and `seen`, and the events: see
    `PerceptronStep`.
    """

    final_events: ClassVar = (*Record.final_events, "cycle")

    classes: Int[ndarray, " k"]
    visit: int
    epoch: int
    index: int
    rival: int
    mistakes: int
    rows: Float[ndarray, "k p"]
    clean: bool = True
    seen: tuple[Weights, ...] = ()
    event: Event | None = None
    period: int = 0

    def __post_init__(self) -> None:
        """Copy nothing: there may be many thousands of steps, which share most of their rows."""

    @property
    def mistake(self) -> bool:
        """Return whether the sample visited was taken for another class."""
        return self.rival >= 0

    @property
    def weights(self) -> Float[ndarray, "k d"]:
        """Return a row of weights for every class."""
        return self.rows[:, :-1]

    @property
    def biases(self) -> Float[ndarray, " k"]:
        """Return a bias for every class."""
        return self.rows[:, -1]

    def scores(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return w_k.x + b_k for every class."""
        return X @ self.weights.T + self.biases

    def decision_function(self, X: Float[ndarray, "m d"]) -> Scores:
        """Return the scores; of two classes (m,) the second's minus the first's."""
        return one_for_two(self.scores(X))

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class with the highest score for every row of `X`, the smaller in a tie."""
        return highest(self.decision_function(X), self.classes)

    def errors(self, X: Float[ndarray, "m d"], y: Int[ndarray, " m"]) -> int:
        """Count the points that `predict` gets wrong."""
        return int(np.count_nonzero(self.predict(X) != y))

    def perceptron_loss(self, X: Float[ndarray, "m d"], y: Int[ndarray, " m"]) -> float:
        """Return E, the mean lead of the best wrong class, 0 where it does not lead."""
        scores = self.scores(X)
        place = np.arange(len(X)), np.searchsorted(self.classes, y)
        own = scores[place]
        scores[place] = -np.inf
        return float(np.maximum(0.0, scores.max(axis=1) - own).mean())
