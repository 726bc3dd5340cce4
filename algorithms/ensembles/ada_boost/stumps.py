"""Decision stumps that somebody has placed: each is one cut, and a class on either side of it.

A stump j cuts one feature f_j at the threshold t_j. Its side s_j is the class y = -1 or y = +1 that
it predicts above the threshold; below, it predicts the other one:

    h_j(x) = s_j where x_(f_j) > t_j,   -s_j elsewhere

A simulated voter looks at few points, because a voter who looked at all of them would place the
same stump as everybody else. It draws a feature, and `sees` points of each class. Among all cuts
half-way between two of their values, with either side, it takes the stump that gets fewest of these
points wrong. In a tie it takes the lowest cut, and s = +1 before s = -1.

Cost: O(sees log sees) for a simulated voter, O(V m) for the predictions of V stumps for m points.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.record import Record


@dataclass(frozen=True, eq=False)
class Stumps(Record):
    """V stumps: the feature, the threshold and the side of each."""

    feature: Int[ndarray, " V"]
    threshold: Float[ndarray, " V"]
    side: Int[ndarray, " V"]  # -1 or +1: what is predicted above the threshold

    def __len__(self) -> int:
        """Return the number of stumps."""
        return len(self.side)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, "V m"]:
        """Return h_j(x), -1 or +1, of every stump for every row of `X`."""
        above = X.T[self.feature] > self.threshold[:, None]
        return np.where(above, self.side[:, None], -self.side[:, None])

    def surface(
        self,
        alphas: Float[ndarray, " V"],
        x: Float[ndarray, " columns"],
        y: Float[ndarray, " rows"],
    ) -> Float[ndarray, "rows columns"]:
        """Return sum_j alpha_j h_j at all cells (x, y) of a grid on the plane; row 0 is y[0].

        Every stump depends on one feature, so the sum is one function of x and one of y.
        """
        along = [
            (alphas * self.side)[axis] @ np.where(cells > self.threshold[axis, None], 1.0, -1.0)
            for cells, axis in ((x, self.feature == 0), (y, self.feature == 1))
        ]
        return along[1][:, None] + along[0]


Numbers = Sequence[Any] | ndarray


def stumps(feature: Numbers, threshold: Numbers, side: Numbers) -> Stumps:
    """Return stumps with these features, thresholds and sides."""
    return Stumps(np.asarray(feature, int), np.asarray(threshold, float), np.asarray(side, int))


def joined(first: Stumps, second: Stumps) -> Stumps:
    """Return the stumps of both, the first ones first."""
    pairs = zip(vars(first).values(), vars(second).values(), strict=True)
    return Stumps(*(np.concatenate(pair) for pair in pairs))


def simulated_stumps(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    count: int,
    sees: int,
    rng: Generator,
) -> Stumps:
    """Return the stumps of `count` simulated voters.

    Raises ValueError unless X is finite, y holds n integers of exactly two classes, count >= 0 and
    sees >= 1.
    """
    X = validate.points(X)
    _, signs = validate.two_labels(y, len(X))
    count, sees = validate.integer("count", count, 0), validate.integer("sees", sees, 1)
    groups = [np.flatnonzero(signs == sign) for sign in (-1, 1)]
    placed = []
    for _ in range(count):
        feature = int(rng.integers(X.shape[1]))
        drawn = [rng.choice(group, min(sees, len(group)), replace=False) for group in groups]
        seen = np.concatenate(drawn)
        placed.append((feature, *best_cut(X[seen, feature], signs[seen])))
    return stumps(*([each[k] for each in placed] for k in range(3)))


def best_cut(values: Float[ndarray, " m"], signs: Float[ndarray, " m"]) -> tuple[float, int]:
    """Return the threshold and the side with which fewest of the points are wrong."""
    level, at = np.unique(values, return_inverse=True)
    cuts = level[:-1] / 2 + level[1:] / 2 if len(level) > 1 else level
    # Right minus wrong with s = +1: the signs above the cut minus those up to it.
    agreement = signs.sum() - 2 * np.bincount(at, signs).cumsum()[: len(cuts)]
    best = int(np.abs(agreement).argmax())
    return float(cuts[best]), 1 if agreement[best] >= 0 else -1


def take(X: Float[ndarray, "n d"], y: Int[ndarray, " n"], given: Stumps, *, count: int, sees: int,
         rng: Generator) -> Stumps:  # fmt: skip
    """Return the given stumps, and those of `count` simulated voters after them."""
    return joined(given, simulated_stumps(X, y, count=count, sees=sees, rng=rng))
