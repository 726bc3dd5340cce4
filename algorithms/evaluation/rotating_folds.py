"""Cross-validation of a classifier: the folds take turns at being held out.

The n points are dealt into folds of nearly equal size. For every fold f in turn, a classifier is
fitted to all the other folds, standardised by their own means and standard deviations. It is judged
on the n_f points of fold f, and gets E_f of them wrong:

    e_f = E_f / n_f        mean = 1/m sum_f e_f        sigma = sqrt( sum_f (e_f - mean)² / (m - 1) )

over the m folds so far. When all folds have had their turn, every point has been judged once, by a
model that had not seen it: the mean is the estimate of this deal. Further deals give other
estimates from the same points; their spread shows the luck of the deal.

A stratified deal goes through the classes one after the other, so that every fold gets its share
of each: the counts differ by at most 1. With n folds (leave one out) there is only one way to deal.

Any two models share the points of all folds except two, and each learned from points that the other
is judged on. So the e_f are not independent, and sigma / sqrt(m) is only a rough standard error of
the mean.

Cost: a fit per fold.

Source: CS337 (003:2033), k-fold cross-validation; Kohavi 1995 for stratification.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.classifiers import Classifier
from algorithms.core import validate
from algorithms.core.features import polynomial_features
from algorithms.core.pipeline import Mapped
from algorithms.core.record import Record
from algorithms.core.splits import deal
from algorithms.evaluation.held_out_scores import BY_NAME

MOST = 200_000  # points in all fits of a run together, since steps keep their models
SLOW = ("Perceptron", "Linear SVM", "RBF SVM")  # their fits take long

Event = Literal["every point judged once"]


@dataclass(frozen=True, eq=False)
class RotatingFoldsStep(Record):
    """One fold held out; also a model, which was fitted to the other folds.

    `deal` and `fold` count from 0. `wrong` are the held-out points that the model gets wrong.
    `errors` are those of this deal's folds so far, `estimates` the means of all finished deals.

    Event: "every point judged once", at the last fold of a deal.
    """

    deal: int
    fold: int
    classes: Int[ndarray, " c"]
    model: Mapped
    held_out: Bool[ndarray, " n"]
    wrong: Bool[ndarray, " n"]
    errors: Float[ndarray, " m"]
    estimates: Float[ndarray, " r"]
    event: Event | None = None

    @property
    def error(self) -> float:
        """Return the share of this fold's points that the model gets wrong."""
        return float(self.errors[-1])

    @property
    def mean(self) -> float:
        """Return the mean error of this deal's folds so far."""
        return float(self.errors.mean())

    @property
    def spread(self) -> float:
        """Return the standard deviation of these errors, 0 for a single fold."""
        return spread(self.errors)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class of every row of `X`."""
        return self.model.predict(X)


def rotating_folds(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    rng: Generator,
    folds: int = 5,
    repeats: int = 1,
    stratified: bool = True,
    classifier: str = "LDA",
) -> Iterator[RotatingFoldsStep]:
    """Hold out one fold in each step, in `repeats` deals one after the other.

    classifier : the name of one of `BY_NAME`. folds = n leaves one point out.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes,
    folds is between 2 and n, folds * repeats * n is at most 200,000 (50,000 for support vector
    machines and perceptrons), and every fold leaves two classes to learn from.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    folds = validate.integer("folds", folds, 2, len(X), high_name="n")
    repeats = validate.integer("repeats", repeats, 1)
    chosen = BY_NAME[validate.choice("classifier", classifier, tuple(BY_NAME))]
    most = most_points(classifier)
    if folds * repeats * len(X) > most:
        raise ValueError(
            f"folds * repeats * n must be at most {most} with {classifier}, got {folds} * "
            f"{repeats} * {len(X)}: every fold is a fit of its own"
        )
    deals = [deal(codes, folds, stratified, rng) for _ in range(repeats)]
    for dealt in deals:
        for fold in range(folds):
            if len(left := np.unique(codes[dealt != fold])) < 2:
                raise ValueError(
                    "y must name two classes outside every fold, got a fold that leaves only "
                    f"class {classes[left[0]]}: use fewer folds, or draw more points"
                )
    return _rotate(X, classes, codes, deals, chosen, rng)


def most_points(*classifiers: str) -> int:
    """Return the largest number of points that all fits of these classifiers may have together."""
    return MOST // 4 if set(classifiers) & set(SLOW) else MOST


def spread(values: Float[ndarray, " m"]) -> float:
    """Return the standard deviation, 0 for fewer than two values."""
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0


def _rotate(
    X: Float[ndarray, "n d"],
    classes: Int[ndarray, " c"],
    codes: Int[ndarray, " n"],
    deals: list[Int[ndarray, " n"]],
    classifier: Classifier,
    rng: Generator,
) -> Iterator[RotatingFoldsStep]:
    y, estimates = classes[codes], []
    for r, dealt in enumerate(deals):
        errors, k = [], int(dealt.max()) + 1
        for fold in range(k):
            out = dealt == fold
            features = polynomial_features(X[~out], 1)
            model = Mapped(features, classifier.fit(features(X[~out]), y[~out], rng))
            wrong = out.copy()
            wrong[out] = model.predict(X[out]) != y[out]
            errors.append(wrong.sum() / out.sum())
            last = fold == k - 1
            if last:
                estimates.append(np.mean(errors))
            yield RotatingFoldsStep(
                r, fold, classes, model, out, wrong, np.array(errors), np.array(estimates),
                "every point judged once" if last else None,
            )  # fmt: skip
