"""Projections: the model of principal components, power iteration and an axis turned by hand.

Points x are centred and, if wanted, every column is divided by its standard deviation s:

    t = (x - m) / s                                         s = 1 for a column that is not scaled

and projected onto q orthonormal rows u_1, ..., u_q, the components; from the scores z they are
reconstructed:

    z_j = u_j.t          x^ = m + s (z_1 u_1 + ... + z_q u_q)

With S the covariance matrix of the t, dividing by n - 1, the scores z_j have variance u_j^T S u_j.
Pythagoras, point by point, and summed over the points, divided by n - 1:

    |t|^2 = |z|^2 + |t - t^|^2               trace S = variances of the z  +  error

so directions that keep more variance lose less in the reconstruction, by the same amount.

Source: 20APC3316 (002:1856), CS337 (003:1892), CIS787 (004:23).
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.core.scaling import ROUNDING, Scaling

FLOOR = 1e-14  # times the total variance: what rounding leaves of it


@dataclass(frozen=True, eq=False)
class Projection(Record):
    """Directions to project onto; a model, since any points can be projected and reconstructed.

    `variances` are those of the scores, `explained` the same as shares of `total`, the variance of
    all columns together. `error` is the mean squared distance (over n - 1) of the points to their
    reconstructions. All of these are measured after `scaling`.
    """

    scaling: Scaling
    components: Float[ndarray, "q d"]
    variances: Float[ndarray, " q"]
    explained: Float[ndarray, " q"]
    error: float
    total: float

    @property
    def mean(self) -> Float[ndarray, " d"]:
        """Return the mean m of the points."""
        return self.scaling.center

    @property
    def scale(self) -> Float[ndarray, " d"]:
        """Return the s that every column was divided by."""
        return self.scaling.spread

    def transform(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m q"]:
        """Return the scores of every row of `X`."""
        return self.scaling.transform(X) @ self.components.T

    def reconstruct(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m d"]:
        """Return the reconstruction of every row of `X` from its scores, in the units of `X`."""
        return self.scaling.back(self.transform(X) @ self.components)


def centred_and_scaled(
    X: Float[ndarray, "n d"], standardize: bool
) -> tuple[Float[ndarray, "n d"], Scaling]:
    """Return the points t after centring and, if wanted, scaling, and the map to them.

    Raises ValueError unless X is finite and holds two different points.
    """
    X = validate.points(X)
    if len(X) < 2:
        raise ValueError("X must hold at least two points, got n=1: one point has no variance")
    columns = X.T.copy()  # each column in one piece of memory, for sums that are much faster
    mean = columns.mean(axis=1)
    columns -= mean[:, None]
    spread = np.abs(columns).max(axis=1)
    constant = spread <= np.maximum(ROUNDING * (np.abs(mean) + spread), 1 / validate.LIMIT)
    if constant.all():
        raise ValueError(
            "X must hold two different points: points on one spot have no variance, and no "
            "direction is better than another"
        )
    columns[constant] = 0.0
    scale = np.ones(len(columns))
    if standardize:
        deviation = np.sqrt((columns * columns).sum(axis=1) / (len(X) - 1))
        scale = np.where(constant, 1.0, deviation)
        columns /= scale[:, None]
    return columns.T, Scaling(mean, scale)


def covariance(Z: Float[ndarray, "n d"]) -> Float[ndarray, "d d"]:
    """Return the covariance matrix of centred points."""
    return Z.T @ Z / (len(Z) - 1)


def eigenvectors(
    S: Float[ndarray, "d d"],
) -> tuple[Float[ndarray, " d"], Float[ndarray, "d d"]]:
    """Return the eigenvalues of a covariance matrix, the largest first, and their rows u.

    The sign of u is arbitrary, so its largest entry is made positive.
    """
    values, vectors = np.linalg.eigh(S)
    values, U = np.maximum(values[::-1], 0.0), vectors.T[::-1]
    return values, with_largest_positive(U)


def with_largest_positive(U: Float[ndarray, "q d"]) -> Float[ndarray, "q d"]:
    """Return the rows, each with the sign that makes its largest entry positive."""
    largest = np.abs(U).argmax(axis=1)
    return U * np.where(U[np.arange(len(U)), largest] < 0, -1.0, 1.0)[:, None]
