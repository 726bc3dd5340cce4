"""The error of three Gaussian classifiers on new points, against the number of training points.

For K classes and m = 2 K, ..., n / 2, many times over: draw m of the n points at random, at least
two of each class; estimate shared, separate and diagonal covariances from them (see
gaussian_discriminant.py); and count the mistakes on the other n - m points:

    error(kind, m) = mean over the draws of  mistakes on the others / (n - m)

The draws for every m are the first m points of the same random orders.

With many points, a description that is nearer the truth has a lower error. With few points its
error can be higher, because its additional numbers are guessed from hardly anything.

Cost: for every m and draw that of three discriminants, O(m d^2 + K d^3 + (n - m) K d^2).

Source: Ng and Jordan 2001 compare two classifiers by such curves.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.gaussian_discriminant.gaussian_discriminant import (
    COVARIANCES,
    GaussianDiscriminantStep,
    gaussian_discriminant,
)
from algorithms.core import validate
from algorithms.core.record import Record, last

SIZES = 8  # at most

Event = Literal["another is best"]


def learning_curves(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    rng: Generator,
    draws: int = 30,
    ridge: float = 0.01,
) -> Iterator["LearningCurvesStep"]:
    """Learn from more and more points, `draws` times each. `ridge` as in `gaussian_discriminant`.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes,
    n is more than twice the number of classes, draws >= 1 and ridge >= 0.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    draws = validate.integer("draws", draws, 1)
    ridge = validate.number("ridge", ridge)
    least = 2 * len(classes)
    if len(X) <= least:
        raise ValueError(
            f"X must hold more than two points for each of {len(classes)} classes, to learn from "
            f"two and test on the others, got n={len(X)}"
        )
    orders = [_order(codes, rng) for _ in range(draws)]
    sizes = np.unique(np.geomspace(least, max(len(X) // 2, least), SIZES).astype(int)).tolist()
    return _run(X, classes[codes], orders, sizes, ridge)


def _order(codes: Int[ndarray, " n"], rng: Generator) -> Int[ndarray, " n"]:
    """Draw an order of the points that begins with two of each class, or the one there is."""
    order = rng.permutation(len(codes))
    first = [order[codes[order] == k][:2] for k in range(codes.max() + 1)]
    front = np.isin(order, np.concatenate(first))
    return np.concatenate([order[front], order[~front]])


def _run(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    orders: list[Int[ndarray, " n"]],
    sizes: list[int],
    ridge: float,
) -> Iterator["LearningCurvesStep"]:
    best: int | None = None
    for size in sizes:
        fits = [_fits(X[order[:size]], y[order[:size]], ridge) for order in orders]
        errors = [
            [model.mistakes(X[order[size:]], y[order[size:]]) / (len(X) - size) for model in models]
            for order, models in zip(orders, fits, strict=True)
        ]
        shared, separate, diagonal = fits[0]
        step = LearningCurvesStep(
            size=size,
            errors=np.array(errors),
            learned=np.sort(orders[0][:size]),
            shared=shared,
            separate=separate,
            diagonal=diagonal,
        )
        event: Event | None = "another is best" if best not in (None, step.best) else None
        best = step.best
        yield replace(step, event=event)


def _fits(
    X: Float[ndarray, "m d"], y: Int[ndarray, " m"], ridge: float
) -> tuple[GaussianDiscriminantStep, ...]:
    """Fit a model with each kind of covariance."""
    kinds = (gaussian_discriminant(X, y, covariance=kind, ridge=ridge) for kind in COVARIANCES)
    return tuple(map(last, kinds))


@dataclass(frozen=True, eq=False)
class LearningCurvesStep(Record):
    """The models learned from `size` points, in all draws.

    `errors` has a row per draw and a column per kind of covariance, in the order of COVARIANCES:
    the share of the other points that are on the wrong side. `learned` are the points of the first
    draw; `shared`, `separate` and `diagonal` are what was estimated from them.

    Events: "another is best" (the kind with the least mean error is not that of the step before).
    """

    is_model = False

    size: int
    errors: Float[ndarray, "draws kinds"]
    learned: Int[ndarray, " m"]
    shared: GaussianDiscriminantStep
    separate: GaussianDiscriminantStep
    diagonal: GaussianDiscriminantStep
    event: Event | None = None

    @property
    def models(self) -> tuple[GaussianDiscriminantStep, ...]:
        """Return the models of the first draw, in the order of COVARIANCES."""
        return self.shared, self.separate, self.diagonal

    @property
    def mean_errors(self) -> Float[ndarray, " kinds"]:
        """Return the mean error of every kind over the draws."""
        return self.errors.mean(axis=0)

    @property
    def best(self) -> int:
        """Return the kind with the least mean error."""
        return int(self.mean_errors.argmin())

    @property
    def alike(self) -> list[int]:
        """Return the best kind, and those whose mean is within two standard errors of its mean.

        The standard error is that of the mean difference over the draws.
        """
        behind = self.errors - self.errors[:, [self.best]]
        error = behind.std(axis=0) / np.sqrt(max(len(behind) - 1, 1))
        return np.flatnonzero(behind.mean(axis=0) <= 2 * error).tolist()

    def draws_won(self, first: str, second: str) -> tuple[int, int]:
        """Return in how many draws one kind has fewer errors than another, and in how many more."""
        gain = self.errors[:, COVARIANCES.index(second)] - self.errors[:, COVARIANCES.index(first)]
        return int((gain > 0).sum()), int((gain < 0).sum())
