"""The Parzen window: a density from a bump on every point, and Bayes' rule on top.

With a Gaussian kernel of width h on each of the n_j points of class j, in d dimensions,

    p(x | j) = 1/n_j sum_(i of j) K(x, x_i)
    K(x, x_i) = (2 pi h^2)^(-d/2) exp(-||x - x_i||^2 / (2 h^2))

and P(j) = n_j / n, so that n_j cancels in Bayes' rule. Decision rule:

    j(x) = argmax_j  1/n sum_(i of j) K(x, x_i)

Nothing is fitted: all points are kept, and every prediction asks all of them. A small h follows
every point (far from all of them the nearest one decides); a large h compares little more than the
numbers and the means of the classes. A support vector machine with the same kernel keeps only some
of the points, with weights.

Cost: nothing to fit; O(n d) to predict a point, in blocks of bounded memory.

Source: CS725 15.3 (000:2663), whose constant 1 / (h sqrt(2 pi)) is that of one dimension.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.core.scores import Scores, highest, one_for_two, softmax

BLOCK = 1 << 17  # kernel values at a time: they stay in the processor's cache
NOTHING = -700.0  # e to the power of less is slow to compute, and lost in a sum of 1 or more
SMALLEST = 1e-50  # of h: its square, and 1e100 squared over it, stay floating-point numbers


@dataclass(frozen=True, eq=False)
class ParzenStep(Record):
    """The points remembered, sorted by class: those of class j end before `ends[j]`."""

    classes: Int[ndarray, " k"]
    points: Float[ndarray, "n d"]
    ends: Int[ndarray, " k"]
    h: float
    event: str | None = None

    def scores(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return ln(1/n sum K) of every class for every row of `X`."""
        rows = max(1, BLOCK // len(self.points))
        scores = np.empty((len(self.classes), len(X)))  # a row a class: sums over columns are fast
        for first in range(0, len(X), rows):
            scores[:, first : first + rows] = self._log_sums(X[first : first + rows])
        d = self.points.shape[1]
        constant = np.log(len(self.points)) + d * (np.log(2 * np.pi) / 2 + np.log(self.h))
        scores -= constant
        return scores.T

    def decision_function(self, X: Float[ndarray, "m d"]) -> Scores:
        """Return the scores; for two classes (m,) log-odds, positive for the second."""
        return one_for_two(self.scores(X))

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the probability of every class for every row of `X`."""
        return softmax(self.scores(X).T)[0].T

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class with the highest score for every row of `X`, the smaller in a tie."""
        return highest(self.scores(X), self.classes)

    def _log_sums(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "k m"]:
        """Return the logarithm of the sum of the bumps of every class, each of height 1."""
        exponents = cdist(self.points, X, "sqeuclidean")
        exponents *= -0.5 / self.h / self.h
        sums = np.empty((len(self.classes), len(X)))
        for j, values in enumerate(np.split(exponents, self.ends[:-1])):
            nearest = values.max(axis=0)  # taken out, so that not all bumps vanish far away
            values -= nearest
            np.maximum(values, NOTHING, out=values)
            sums[j] = nearest + np.log(np.exp(values, out=values).sum(axis=0))
        return sums


def parzen(
    X: Float[ndarray, "n d"], y: Int[ndarray, " n"], *, h: float = 0.3
) -> Iterator[ParzenStep]:
    """Remember the points, in a single step; `h` is the width of a bump, in units of the data.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes
    and h >= 1e-50.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    h = validate.number("h", h, positive=True)
    if h < SMALLEST:
        raise ValueError(f"h must be at least {SMALLEST:g}, got h={h!r}")
    order = np.argsort(codes, kind="stable")
    return iter([ParzenStep(classes, X[order], np.cumsum(np.bincount(codes)), h)])
