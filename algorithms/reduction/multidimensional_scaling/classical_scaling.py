"""Classical scaling: a map from distances, by eigenvectors.

If the distances delta_ij are those of points with mean 0, their scalar products b_ij = z_i . z_j
follow from the distances alone:

    B = -1/2 J D J,   D_ij = delta_ij^2,   J = I - 1 1^T / n
    B = V diag(lambda) V^T,   lambda_1 >= lambda_2 >= ...
    Z = V_c diag(lambda_c)^(1/2)        (the first c columns)

A step adds one axis, the eigenvector of the next eigenvalue. Distances of points in m columns give
m positive eigenvalues, and Z has the points again, perhaps turned or mirrored: distances do not say
where north is. Then Z are the scores of principal component analysis, and lambda_j is n - 1 times
the variance of component j. Other distances, such as those along roads, can have negative
eigenvalues. No map can show these, and their axes stay 0.

Cost: O(n^3).

Source: 20APC3316 (002:1927), Torgerson 1952.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.linalg import eigh

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record, frozen
from algorithms.core.signs import signed
from algorithms.core.work import spend
from algorithms.reduction.multidimensional_scaling.distances import checked


def classical_scaling(
    distances: Float[ndarray, "n n"], *, n_components: int = 2
) -> Iterator["ClassicalScalingStep"]:
    """Add one axis after the other to a map of `n_components` axes, from none.

    Raises ValueError, at the call, unless `distances` are distances (see distances.py) and
    1 <= n_components <= n.
    """
    delta = checked(distances)
    n = len(delta)
    c = validate.integer("n_components", n_components, 1, n, high_name="n")
    spend(10.0 * n**3)
    eigenvalues, V = spectrum(scalar_products(delta))
    first = ClassicalScalingStep(0, frozen(eigenvalues), np.zeros((n, c)))
    return iterate(first, partial(advance, V), most=c, stopped="finished")


def advance(V: Float[ndarray, "n n"], step: "ClassicalScalingStep") -> "ClassicalScalingStep":
    """Z gets the column v_j sqrt(lambda_j), or 0 if lambda_j is negative."""
    j, Z = step.axes, step.embedding.copy()
    Z[:, j] = V[:, j] * np.sqrt(max(step.eigenvalues[j], 0.0))
    return ClassicalScalingStep(j + 1, step.eigenvalues, Z)


def scalar_products(delta: Float[ndarray, "n n"]) -> Float[ndarray, "n n"]:
    """B = -1/2 J D J: from the squares, the means of rows and columns are subtracted."""
    D = np.square(delta)
    rows = D.mean(axis=1, keepdims=True)
    return -0.5 * (D - rows - rows.T + D.mean())


def spectrum(B: Any) -> tuple[Float[ndarray, " n"], Float[ndarray, "n n"]]:
    """B = V diag(lambda) V^T, descending; the largest entry of every eigenvector is positive."""
    eigenvalues, V = eigh(B)
    return eigenvalues[::-1], signed(V[:, ::-1])


@dataclass(frozen=True, eq=False)
class ClassicalScalingStep(Record):
    """The map with its first `axes` axes; further columns are 0. All eigenvalues, descending."""

    is_model = False

    axes: int
    eigenvalues: Float[ndarray, " n"]
    embedding: Float[ndarray, "n c"]
    event: str | None = None

    @property
    def kept(self) -> float:
        """Return the share of the positive eigenvalues that the axes so far have."""
        positive = self.eigenvalues.clip(0)
        return float(positive[: self.axes].sum() / (positive.sum() or 1.0))
