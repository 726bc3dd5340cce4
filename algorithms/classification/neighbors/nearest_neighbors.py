"""k nearest neighbours: the points around decide by majority.

Model: the training points themselves. Let A be the smallest ball around x that holds k of the n
points, k_j of them of class j (n_j points in all). Its size tells the densities

    p(x) = k / (n |A|)        p(x | j) = k_j / (n_j |A|)        P(j) = n_j / n

and Bayes' rule leaves P(j | x) = p(x | j) P(j) / p(x) = k_j / k. Decision rule:

    j(x) = argmax_j k_j

in a tie the smaller class. For k = 1 every point owns its cell of the Voronoi diagram, and each
training point is right about itself; a larger k smooths the border, k = n predicts the commonest
class everywhere. Nothing is fitted and no probability changes gradually: a lazy, rough classifier.
The distance is Euclidean, so the units of the columns matter.

Cost: O(n log n) for the k-d tree; to predict about O(k + log n) per point in few dimensions.

Source: CS725 15.2 (000:2621), where (25) multiplies k_j / k, which contains the prior already, by
Pr(C_j) once more.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.spatial import KDTree

from algorithms.core import validate
from algorithms.core.record import Record


@dataclass(frozen=True, eq=False)
class NearestNeighborsStep(Record):
    """The points remembered, the class of each as a place in `classes`, and k."""

    classes: Int[ndarray, " c"]
    points: Float[ndarray, "n d"]
    codes: Int[ndarray, " n"]
    k: int
    event: str | None = None

    @cached_property
    def _tree(self) -> KDTree:
        return KDTree(self.points)

    def neighbors(self, X: Float[ndarray, "m d"]) -> Int[ndarray, "m k"]:
        """Return the numbers of the k nearest points for every row of `X`, nearest first."""
        return np.asarray(self._tree.query(X, k=self.k)[1]).reshape(len(X), self.k)

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m c"]:
        """Return k_j / k of every class for every row of `X`."""
        return self._votes(X) / self.k

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class with the most of the k neighbours, the smaller one in a tie."""
        return self.classes[self._votes(X).argmax(axis=1)]

    def _votes(self, X: Float[ndarray, "m d"]) -> Int[ndarray, "m c"]:
        m, c = len(X), len(self.classes)
        places = self.codes[self.neighbors(X)] + c * np.arange(m)[:, None]
        return np.bincount(places.ravel(), minlength=m * c).reshape(m, c)


def nearest_neighbors(
    X: Float[ndarray, "n d"], y: Int[ndarray, " n"], *, k: int = 5
) -> Iterator[NearestNeighborsStep]:
    """Remember the points, in a single step.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes
    and k is between 1 and n.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    k = validate.integer("k", k, 1, len(X), high_name="n")
    return iter([NearestNeighborsStep(classes, X, codes, k)])
