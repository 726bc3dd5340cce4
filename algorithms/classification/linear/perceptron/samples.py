"""The samples (x, y) as plain floats, and the order in which every epoch visits them.

Plain floats, because NumPy is slower than Python for the few numbers of a sample, and because its
dot products differ in the last digit from machine to machine: whether o is 0 depends on that digit.
"""

from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.features import PolynomialFeatures

Weights = tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Samples:
    """The samples: `rows` and `y` hold one after the other; `order` is the row of every visit.

    y is -1 or +1 where there are two classes, and the index of the class where there are several.
    """

    X: Float[ndarray, "n d"]
    rows: list[list[float]]
    y: list[float] | list[int]
    order: list[int]
    cyclic: bool

    @cached_property
    def reach(self) -> list[float]:
        """Return the largest magnitude in every column of X."""
        return np.abs(self.X).max(axis=0).tolist()

    @property
    def sizes(self) -> Float[ndarray, " p"]:
        """Return the largest magnitude in every column of (x, 1)."""
        return np.array([*self.reach, 1.0])

    @cached_property
    def second(self) -> Bool[ndarray, " n"]:
        """Return whether y is +1."""
        return np.array(self.y) > 0

    def errors(self, w: Weights, b: float) -> int:
        """Count the points on the wrong side: w.x > -b and w.x + b > 0 are the same, exactly."""
        return int(np.count_nonzero((self.X @ np.array(w) > -b) != self.second))


def as_samples(
    X: Float[ndarray, "n d"],
    y: Float[ndarray, " n"] | Int[ndarray, " n"],
    rng: Generator,
    order: str,
    max_epochs: int,
) -> Samples:
    """Return the samples, with the order of the visits in all epochs drawn.

    Raises ValueError for an unknown order, or without an epoch.
    """
    max_epochs = validate.integer("max_epochs", max_epochs, 1)
    cyclic = validate.choice("order", order, ("shuffled", "cyclic")) == "cyclic"
    n = len(X)
    epochs = range(max_epochs)
    if cyclic:
        visits = [i for _ in epochs for i in range(n)]
    else:
        visits = [i for _ in epochs for i in rng.permutation(n).tolist()]
    return Samples(X, X.tolist(), y.tolist(), visits, cyclic)


def mapped_samples(
    features: PolynomialFeatures,
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    rng: Generator,
    order: str,
    max_epochs: int,
) -> Samples:
    """Return the samples of two classes on a map's features, so that a run can go on with them.

    `rng` is in its state at the start of the run, and is not changed.
    """
    signs = validate.two_labels(y, len(X))[1]
    return as_samples(features(X), signs, deepcopy(rng), order, max_epochs)
