"""Fisher's discriminant: a projection with means far apart and tight classes.

With the means m_k of the classes and m of all points, the scatter within and between classes is

    S_W = sum_k sum_(i of k) (x_i - m_k)(x_i - m_k)^T        S_B = sum_k n_k (m_k - m)(m_k - m)^T

Objective: the direction w with the largest J(w) = w^T S_B w / w^T S_W w. The update rule adds one
direction after the other, each the best among those uncorrelated with the ones before:

    S_B w = J S_W w,   J the largest eigenvalue left,   w^T S_W w = n

There are at most min(d, K - 1) of them with J > 0. For two classes it is one,

    w  proportional to  S_W^-1 (m_2 - m_1)

and a point goes to the class with the nearest projected mean, so the border is half-way between the
two. The border of any two classes is therefore a plane, tilted against the bisector of the means to
follow the spread of the points. With classes of equal size this is linear discriminant analysis.

If S_W is singular (too few points, or points on a line) J has no maximum. Then 1e-9 of the variance
of all points is added to that within, and almost only the directions without spread count.

Cost: O(n d^2 + d^3), and O(d p + K p) to predict with p directions.

Source: CS725 19.5 (000:3200), two classes; Rao 1948 for more.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.linalg import eigh

from algorithms.core import validate
from algorithms.core.groups import group_sums
from algorithms.core.record import Record
from algorithms.core.scaling import standard
from algorithms.core.scores import Scores, highest, one_for_two

SINGULAR = 1e-12  # of the total variance: less spread within the classes counts as 0
RIDGE = 1e-9

Event = Literal["singular scatter within the classes"]


@dataclass(frozen=True, eq=False)
class FisherStep(Record):
    """The directions found so far; also a model, since `predict` works at every step.

    `ratios` are their J. Projected means, and points, are offsets from `center`.
    """

    index: int
    classes: Int[ndarray, " k"]
    center: Float[ndarray, " d"]
    directions: Float[ndarray, "p d"]
    ratios: Float[ndarray, " p"]
    projected_means: Float[ndarray, "k p"]
    event: Event | None = None

    def transform(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m p"]:
        """Return the projection of every row of `X`."""
        return (X - self.center) @ self.directions.T

    def decision_function(self, X: Float[ndarray, "m d"]) -> Scores:
        """Return z.u_k - |u_k|^2 / 2 for projections z and projected means u_k.

        Its largest one belongs to the nearest u_k. For two classes (m,) the difference, positive
        for the second.
        """
        u = self.projected_means
        return one_for_two(self.transform(X) @ u.T - (u * u).sum(axis=1) / 2)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class of the nearest projected mean, the smaller one in a tie."""
        return highest(self.decision_function(X), self.classes)


def fisher(X: Float[ndarray, "n d"], y: Int[ndarray, " n"]) -> Iterator[FisherStep]:
    """Add one direction per step, until there are min(d, K - 1).

    Raises ValueError, at the call, unless X is finite and y holds n integers of two or more
    classes.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    return _run(X, classes, codes)


def _run(
    X: Float[ndarray, "n d"], classes: Int[ndarray, " k"], codes: Int[ndarray, " n"]
) -> Iterator[FisherStep]:
    k, (n, d) = len(classes), X.shape
    scaling = standard(X)
    Z = scaling.transform(X)  # no direction changes with the units of the columns
    sizes = np.bincount(codes)
    means = group_sums(Z, codes, k) / sizes[:, None]
    residuals = Z - means[codes]
    within = residuals.T @ residuals / n
    between = (means.T * sizes) @ means / n
    singular = np.linalg.eigvalsh(within)[0] <= SINGULAR
    if singular:
        within += RIDGE * np.eye(d)
    ratios, vectors = eigh(between, within)  # ascending, w^T S_W w / n = 1
    best = np.argsort(-ratios, kind="stable")[: min(d, k - 1)]
    W, J = vectors[:, best].T, np.maximum(ratios[best], 0.0)
    # The sign is free: let every direction point to the last class.
    W *= np.where(W @ means[-1] < 0, -1.0, 1.0)[:, None]
    for index in range(len(best)):
        used = W[: index + 1]
        yield FisherStep(
            index=index,
            classes=classes,
            center=scaling.center,
            directions=used / scaling.spread,
            ratios=J[: index + 1],
            projected_means=means @ used.T,
            event="singular scatter within the classes" if singular else None,
        )
