"""k nearest neighbours: the points around decide by majority.

Model: the training points themselves. Let A be the smallest ball around x that holds k of the n
points, k_j of them of class j (n_j points in all). Its size estimates the densities

    p(x) = k / (n |A|)        p(x | j) = k_j / (n_j |A|)        P(j) = n_j / n

and Bayes' rule gives P(j | x) = p(x | j) P(j) / p(x) = k_j / k. Decision rule:

    j(x) = argmax_j k_j        (in a tie the smaller class)
 For k = 1 every point owns its cell of the Voronoi diagram, and each
training point is right about itself; a larger k smooths the border, k = n predicts the commonest
class everywhere. Nothing is fitted: the classifier is lazy, and its probabilities jump.

What is near depends on the metric, and on the unit s_c of every column c:

    euclidean    d(x, z) = sqrt(sum_c ((x_c - z_c) / s_c)^2)
    manhattan    d(x, z) = sum_c |x_c - z_c| / s_c
    chebyshev    d(x, z) = max_c |x_c - z_c| / s_c

with s_c = 1, another unit, or the column's standard deviation, which undoes any unit. If points are
equally far, the first in the data count. Weighted by distance, neighbour i has not one vote but

    w_i = r_1 / r_i           with r_i its distance, r_1 that of the nearest; 1 where r_i = 0

Cost: O(n log n) for the k-d tree; to predict about O(k + log n) per point in few dimensions.

Source: CS725 15.2 (000:2621), where (25) multiplies k_j / k, which contains the prior already, by
Pr(C_j) once more; CIS787 (004:196). Weights: 1 / r as in scikit-learn, in units of 1 / r_1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.core.scaling import standard

Metric = Literal["euclidean", "manhattan", "chebyshev"]
Weights = Literal["equal", "by distance"]
SciPyName = Literal["euclidean", "cityblock", "chebyshev"]

METRICS: tuple[Metric, ...] = ("euclidean", "manhattan", "chebyshev")
WEIGHTS: tuple[Weights, ...] = ("equal", "by distance")
BLOCK = 1 << 20  # distances at a time
POWERS = {"euclidean": 2.0, "manhattan": 1.0, "chebyshev": np.inf}
SCIPY: dict[str, SciPyName] = {
    "euclidean": "euclidean",
    "manhattan": "cityblock",
    "chebyshev": "chebyshev",
}


@dataclass(frozen=True, eq=False)
class NearestNeighborsStep(Record):
    """The points remembered, the class of each as a place in `classes`, the columns' units, and k.

    `spread` holds the unit of every column: distances are between points divided by it.
    """

    classes: Int[ndarray, " c"]
    points: Float[ndarray, "n d"]
    codes: Int[ndarray, " n"]
    spread: Float[ndarray, " d"]
    k: int
    metric: Metric = "euclidean"
    weights: Weights = "equal"
    event: str | None = None

    @cached_property
    def _tree(self) -> KDTree:
        return KDTree(self.points / self.spread)

    def nearest(
        self, X: Float[ndarray, "m d"]
    ) -> tuple[Float[ndarray, "m k"], Int[ndarray, "m k"]]:
        """Return distances and indices of the k nearest points of every row of `X`, in order.

        Of points equally far from a row those that come first in the data are taken.
        """
        n, k = self.points.shape[0], self.k
        ranks = np.arange(1, min(k + 1, n) + 1)
        found: Any = self._tree.query(X / self.spread, k=ranks, p=POWERS[self.metric])  # type: ignore
        distances, places = found
        if k < n:
            tied = np.flatnonzero(distances[:, k - 1] == distances[:, k])
            for rows in np.array_split(tied, 1 + len(tied) * n // BLOCK):
                distances[rows, :k], places[rows, :k] = self._first_of_equals(X[rows])
        return distances[:, :k], places[:, :k]

    def neighbors(self, X: Float[ndarray, "m d"]) -> Int[ndarray, "m k"]:
        """Return the indices of the k nearest points for every row of `X`, nearest first."""
        return self.nearest(X)[1]

    def votes(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m c"]:
        """Return the votes of the k neighbours for every class, for every row of `X`."""
        m, c = len(X), len(self.classes)
        distances, neighbors = self.nearest(X)
        places = self.codes[neighbors] + c * np.arange(m)[:, None]
        votes = vote(distances, self.weights)
        return np.bincount(places.ravel(), votes.ravel(), m * c).reshape(m, c)

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m c"]:
        """Return the share of the votes, k_j / k, of every class for every row of `X`."""
        votes = self.votes(X)
        return votes / votes.sum(axis=1, keepdims=True)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class with the most of the k neighbours, the smaller one in a tie."""
        return self.classes[self.votes(X).argmax(axis=1)]

    def _first_of_equals(self, X: Float[ndarray, "m d"]) -> tuple[ndarray, ndarray]:
        """Return what `nearest` does, for rows that have equals at rank k."""
        far = cdist(X / self.spread, self._tree.data, SCIPY[self.metric])
        last = np.partition(far, self.k - 1, axis=1)[:, self.k - 1 : self.k]
        nearer, equal = far < last, far == last
        places_left = self.k - nearer.sum(axis=1, keepdims=True)
        taken = nearer | (equal & (equal.cumsum(axis=1) <= places_left))
        places = np.nonzero(taken)[1].reshape(len(X), self.k)
        distances = np.take_along_axis(far, places, axis=1)
        order = distances.argsort(axis=1, kind="stable")
        sort = np.take_along_axis
        return sort(distances, order, axis=1), sort(places, order, axis=1)


def vote(distances: Float[ndarray, "m k"], weights: Weights) -> Float[ndarray, "m k"]:
    """Return the vote of every neighbour: 1, or r_1 / r_i. Rows are in ascending order."""
    ones = np.ones(distances.shape)
    if weights == "equal":
        return ones
    return np.divide(distances[:, :1], distances, out=ones, where=distances > 0)


def nearest_neighbors(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    k: int = 5,
    metric: str = "euclidean",
    weights: str = "equal",
    standardize: bool = False,
    units: Float[ndarray, " d"] | None = None,
) -> Iterator[NearestNeighborsStep]:
    """Remember the points, in a single step.

    `metric` is "euclidean", "manhattan" or "chebyshev", `weights` "equal" or "by distance". The
    `units` of the columns are 1 unless given; with `standardize` every column is then divided by
    its standard deviation.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes, k
    is between 1 and n and the units are positive.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    k = validate.integer("k", k, 1, len(X), high_name="n")
    validate.choice("metric", metric, METRICS)
    validate.choice("weights", weights, WEIGHTS)
    units = np.ones(X.shape[1]) if units is None else _positive(units, X.shape[1])
    spread = standard(X / units).spread * units if standardize else units
    step = NearestNeighborsStep(classes, X, codes, spread, k, metric, weights)  # type: ignore
    return iter([step])


def _positive(units: Float[ndarray, " d"], d: int) -> Float[ndarray, " d"]:
    units = validate.points(np.asarray(units)[None], name="units")[0]
    if len(units) != d or units.min() <= 0:
        raise ValueError(f"units must hold d={d} positive numbers, got {units.tolist()}")
    return units
