"""All classifiers on the same data: one after the other, all judged on the same held-out points.

A share of the points is held out, each with the same probability, but every class keeps at least
one training point. The rest is standardised, u = (x - mean) / standard deviation of those points,
and every classifier is fitted to it. If a classifier gets E points of a set wrong,

    training error = E_training / n_training        test error = E_held out / n_held out

The second is an estimate of the error on new points. It is rough: with m held-out points and an
error p its standard deviation is sqrt(p (1 - p) / m). The lowest of several test errors is also
optimistic, because it was picked on these very points.

The classifiers are listed in classifiers.py. One that refuses the data is left out, and its reason
is kept. If there are very many points, `most` of them, drawn at random, are the training points.

Cost: the sum of theirs.

Source: CS725 18 and 19 (000:2813), the classifiers side by side; 002:955 (evaluating hypotheses).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.classifiers import CLASSIFIERS, Classifier
from algorithms.core import validate
from algorithms.core.features import polynomial_features
from algorithms.core.pipeline import Mapped
from algorithms.core.record import Record, frozen
from algorithms.core.splits import held_out, some_of

MOST = 1000  # training points
BEST = "lowest held-out error so far"


@dataclass(frozen=True)
class Measured:
    """A measured time. No two runs measure the same, so any two count as equal."""

    seconds: float = field(compare=False)


@dataclass(frozen=True, eq=False)
class WallStep(Record):
    """One classifier, fitted; a model of the points as they are given.

    `used` are its training points, `held_out` the held-out points and `wrong` all points that it
    gets wrong. `left_out` are the classifiers that refused the data, each with its reason.

    Event: "lowest held-out error so far", from the second classifier on.
    """

    index: int
    classifier: Classifier
    classes: Int[ndarray, " k"]
    model: Mapped
    used: Bool[ndarray, " n"]
    held_out: Bool[ndarray, " n"]
    wrong: Bool[ndarray, " n"]
    parameters: int
    fit_time: Measured
    left_out: tuple[tuple[str, str], ...] = ()
    event: str | None = None

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class of every row of `X`."""
        return self.model.predict(X)

    def scores(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return a score of every class for every row of `X`; the first of the largest wins."""
        return self.model.scores(X)

    @property
    def train(self) -> tuple[int, int]:
        """Return the training points it gets wrong, and how many there are."""
        return int((self.wrong & self.used).sum()), int(self.used.sum())

    @property
    def test(self) -> tuple[int, int]:
        """Return the held-out points it gets wrong, and how many there are, perhaps none."""
        return int((self.wrong & self.held_out).sum()), int(self.held_out.sum())


def wall(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    rng: Generator,
    test_share: float = 0.3,
    classifiers: Sequence[Classifier] = CLASSIFIERS,
    most: int = MOST,
) -> Iterator[WallStep]:
    """Fit a classifier a step, in the order given.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes,
    test_share is from 0 to below 1 and most >= 1.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    if validate.number("test_share", test_share) >= 1:
        raise ValueError(f"test_share must be below 1, got test_share={test_share!r}")
    most = validate.integer("most", most, 1)
    out = held_out(len(X), test_share, rng=rng, codes=codes)
    rest = frozen(~out)
    used = rest if rest.sum() <= most else some_of(rest, most, rng=rng, codes=codes)
    return _run(X, classes[codes], used, out, rng, classifiers)


def in_order(*parts: Sequence[WallStep]) -> tuple[WallStep, ...]:
    """Join walls of different classifiers on the same points into one.

    The classifiers are in teaching order, and the events are those of one wall of all.
    """
    names = [classifier.name for classifier in CLASSIFIERS]
    steps = [step for part in parts for step in part]
    steps.sort(key=lambda step: names.index(step.classifier.name))
    left_out = tuple(dict.fromkeys(entry for step in steps for entry in step.left_out))
    return _marked([replace(step, left_out=left_out) for step in steps])


def _run(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    used: Bool[ndarray, " n"],
    out: Bool[ndarray, " n"],
    rng: Generator,
    classifiers: Sequence[Classifier],
) -> Iterator[WallStep]:
    classes, features = frozen(np.unique(y)), polynomial_features(X[used], 1)
    F = features(X[used])
    fitted: list[tuple[Classifier, Mapped, float]] = []
    left_out: list[tuple[str, str]] = []
    for classifier in classifiers:
        start = perf_counter()
        try:
            model = Mapped(features, classifier.fit(F, y[used], rng))
        except ValueError as error:
            left_out.append((classifier.name, str(error)))
        else:
            fitted.append((classifier, model, perf_counter() - start))
    steps = [
        WallStep(
            index=index,
            classifier=classifier,
            classes=classes,
            model=model,
            used=used,
            held_out=out,
            wrong=model.predict(X) != y,
            parameters=classifier.parameters(model.model),
            fit_time=Measured(seconds),
            left_out=tuple(left_out),
        )
        for index, (classifier, model, seconds) in enumerate(fitted)
    ]
    yield from _marked(steps)


def _marked(steps: Sequence[WallStep]) -> tuple[WallStep, ...]:
    """Number the steps, and mark those with fewer held-out points wrong than all before."""
    marked: list[WallStep] = []
    best = math.inf
    for index, step in enumerate(steps):
        errors, count = step.test
        event = BEST if index > 0 and count and errors < best else None
        marked.append(replace(step, index=index, event=event))
        best = min(best, errors)
    return tuple(marked)
