"""Least squares and logistic regression on the same points, while some far points go farther out.

Both models have a row of weights and an intercept per class, and a straight border:

    least squares   y_k(x) = w_k.x + b_k           f = 1/2 sum_i sum_k (y_k(x_i) - t_ik)²
    logistic        P(k | x) = softmax of scores   f = mean of -log P(class of i | x_i) + penalty

with t_ik = 1 for the class of i and 0 for others. A few points are added to one class and moved in
equal steps from its mean to a place far out on its own side:

    place <- place + (far - mean) / moves          then both models are fitted again

With the weights as they are, the output y_k of a far point grows in proportion to its distance.
Above 1 it costs (y_k - 1)², so the weights turn to bring it down, and the border turns with them.
In logistic regression the point costs -log P, which goes to 0, so the border hardly moves.

Along a row of classes, y_k is a straight line. That of a middle class is level, because its targets
are 0, 1, 0: where it is nowhere the largest, the class is masked. P can rise and fall again.

Cost: O(n d²) for least squares, and a few Newton steps for the other, at every place.

Source: CS725 18.3 (000:2926, figures 25 and 26) and 19.4 (000:3137, figures 32 and 33).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.linear.least_squares_classifier import (
    LeastSquaresClassifierStep,
    least_squares_classifier,
)
from algorithms.classification.linear.logistic_regression.logistic_regression import (
    LogisticRegressionStep,
    logistic_regression,
)
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record, last
from algorithms.core.scaling import Scaling, standard

MOVES = 12
CLOSE = 0.15  # of a standard deviation: how far the added points are from their place

Event = Literal["a class is masked", "more wrong points"]


@dataclass(frozen=True, eq=False)
class Row(Record):
    """The line through the two class means that are farthest apart, in standard units."""

    start: Float[ndarray, " d"]
    end: Float[ndarray, " d"]
    group: int  # the class at its end, as an index: its points go out

    def at(self, s: Float[ndarray, " m"]) -> Float[ndarray, "m d"]:
        """Return the places where the row is 0 at the first mean and 1 at the second."""
        return self.start + s[:, None] * (self.end - self.start)


def row_of(X: Float[ndarray, "n d"], y: Int[ndarray, " n"]) -> Row:
    """Return the row of the classes. Raises ValueError unless there are two or more classes."""
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    means = np.array([X[codes == k].mean(axis=0) for k in range(len(classes))])
    U = standard(X).transform(means)
    apart = np.square(U[:, None] - U).sum(axis=2)
    first, second = sorted(divmod(int(apart.argmax()), len(classes)))
    return Row(means[first], means[second], second)


def far_points(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    far: Float[ndarray, " d"] | None = None,
    *,
    count: int = 8,
    penalty: float = 0.001,
) -> Iterator["FarPointsStep"]:
    """Fit both models to the points, then with `count` points that go out to `far` in 12 moves.

    They are added to the class at the end of the row; without `far` they go as far beyond its mean
    as the row is long. penalty : on the logistic weights, for standardised columns.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes,
    far is a place and count >= 1.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    count = validate.integer("count", count, 1)
    penalty = validate.number("penalty", penalty)
    row = row_of(X, y)
    end = 2 * row.end - row.start if far is None else np.asarray(far, float)
    if end.shape != row.end.shape:
        raise ValueError(f"far must have shape (d,) = {row.end.shape}, got shape {end.shape}")
    validate.within(end, name="far")
    group = int(classes[row.group])
    task = Task(X, classes[codes], group, row.end, end, count, penalty, standard(X))
    return iterate(fitted(task, 0, None), partial(advance, task), most=MOVES, stopped=None)


@dataclass(frozen=True, eq=False)
class Task(Record):
    """What stays the same: the points, the class that gets more, and where these go."""

    X: Float[ndarray, "n d"]
    y: Int[ndarray, " n"]
    group: int
    mean: Float[ndarray, " d"]
    far: Float[ndarray, " d"]
    count: int
    penalty: float
    scaling: Scaling


def advance(task: Task, step: "FarPointsStep") -> "FarPointsStep":
    """Return the step that follows: the far points one move farther out."""
    return fitted(task, step.move + 1, step)


def added(task: Task, place: Float[ndarray, " d"]) -> Float[ndarray, "c d"]:
    """Return the added points, on a small circle about their place in the first two columns."""
    turn = 2 * np.pi * np.arange(task.count) / task.count
    around = np.zeros((task.count, len(place)))
    around[:, 0] = np.cos(turn)
    around[:, 1:2] = np.sin(turn)[:, None]
    return place + CLOSE * task.scaling.spread * around


@dataclass(frozen=True, eq=False)
class FarPointsStep(Record):
    """Both models after `move` moves; the added points, at move 0 none, are about `place`.

    `wrong` and `wrong_logistic` count the original points that the models get wrong. `masked` are
    the classes that least squares predicts for none of them.

    Events: "a class is masked" that was not; "more wrong points" of least squares than before.
    """

    is_model = False

    move: int
    place: Float[ndarray, " d"]
    added: Float[ndarray, "c d"]
    group: int
    least_squares: LeastSquaresClassifierStep
    logistic: LogisticRegressionStep
    scaling: Scaling
    wrong: int
    wrong_logistic: int
    masked: tuple[int, ...]
    event: Event | None = None

    def outputs(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the outputs y_k of least squares."""
        return self.least_squares.outputs(X)

    def probabilities(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return P(k | x) of logistic regression."""
        return self.logistic.predict_proba(self.scaling.transform(X))

    @property
    def column(self) -> int:
        """Return the index of the class that gets the added points."""
        return int(np.searchsorted(self.least_squares.classes, self.group))


def fitted(task: Task, move: int, before: FarPointsStep | None) -> FarPointsStep:
    """Fit both models to the points and, after the first step, to those that go out."""
    place = task.mean + move / MOVES * (task.far - task.mean)
    new = added(task, place)[: task.count if move else 0]
    X = np.concatenate([task.X, new])
    y = np.concatenate([task.y, np.full(len(new), task.group)])
    squares = last(least_squares_classifier(X, y))
    logistic = last(logistic_regression(task.scaling.transform(X), y, penalty=task.penalty))
    predicted = squares.predict(task.X)
    wrong = int((predicted != task.y).sum())
    masked = tuple(int(k) for k in np.setdiff1d(squares.classes, predicted))
    event: Event | None = None
    if set(masked) - set(before.masked if before else ()):
        event = "a class is masked"
    elif before and wrong > before.wrong:
        event = "more wrong points"
    return FarPointsStep(
        move=move,
        place=place,
        added=new,
        group=task.group,
        least_squares=squares,
        logistic=logistic,
        scaling=task.scaling,
        wrong=wrong,
        wrong_logistic=int((logistic.predict(task.scaling.transform(task.X)) != task.y).sum()),
        masked=masked,
        event=event,
    )
