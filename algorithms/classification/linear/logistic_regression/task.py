"""The points and labels of a run, in the form that the sums over all points need."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.features import PolynomialFeatures, with_ones
from algorithms.core.record import frozen


@dataclass(frozen=True, eq=False)
class Task:
    """The data of a run: a_i = (x_i, 1) as the rows of `A`, y_ik as `target`, the penalty.

    With two classes, the first class's row of weights stays at zero; `free` are the rows that are
    learned. `own` holds, for every point, the index of its own class's score in scores.ravel().
    `ridge` is the penalty of every column of a row (w_k, b_k); the intercept has none.
    """

    classes: Int[ndarray, " k"]
    A: Float[ndarray, "n p"]
    AT: Float[ndarray, "p n"]
    codes: Int[ndarray, " n"]
    own: Int[ndarray, " n"]
    target: Float[ndarray, "k n"]
    free: slice
    penalty: float
    ridge: Float[ndarray, " p"]

    @property
    def shape(self) -> tuple[int, int]:
        """Return how many rows are learned, and how many numbers are in each."""
        k = len(self.classes)
        return (1 if k == 2 else k), self.A.shape[1]

    def right(self, scores: Float[ndarray, "k n"]) -> Bool[ndarray, " n"]:
        """Return which points have the highest score for their own class."""
        return scores.argmax(axis=0) == self.codes

    def separated(self, scores: Float[ndarray, "k n"]) -> bool:
        """Return whether every point is strictly on its right side and there is no penalty."""
        if self.penalty > 0:
            return False
        others = np.where(self.target > 0, -np.inf, scores).max(axis=0)
        return bool((scores.take(self.own) > others).all())


def as_task(X: Float[ndarray, "n d"], y: Int[ndarray, " n"], penalty: float) -> Task:
    """Return the task of points and labels. Raises ValueError as `logistic_regression` does."""
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    penalty = validate.number("penalty", penalty)
    k = len(classes)
    A = with_ones(X)
    return Task(
        classes=frozen(classes),
        A=A,
        AT=np.ascontiguousarray(A.T),
        codes=codes,
        own=codes * len(X) + np.arange(len(X)),
        target=(codes == np.arange(k)[:, None]).astype(float),
        free=slice(1 if k == 2 else 0, None),
        penalty=penalty,
        ridge=np.append(np.full(X.shape[1], penalty), 0.0),
    )


def mapped_task(
    features: PolynomialFeatures, X: Float[ndarray, "n d"], y: Int[ndarray, " n"], penalty: float
) -> Task:
    """Return the task on a map's features, so that a run can go on with other points."""
    return as_task(features(X), y, penalty)
