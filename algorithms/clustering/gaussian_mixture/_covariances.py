"""Covariances of a mixture: their shapes, the floor, and those that are singular or collapsed.

The shape asked for maximises the likelihood among the covariances of that shape, where S_k is the
weighted scatter of component k:

    full       Sigma_k = S_k                        tied       Sigma_k = sum_l pi_l S_l
    diagonal   Sigma_k = the diagonal of S_k        spherical  Sigma_k = (tr S_k / d) I

The floor is a share of s^2, the mean of the columns' variances, so no result depends on the unit of
the data. (scikit-learn's reg_covar is floor s^2.) Where the points coincide there is no unit, and
s^2 stands for 1.

A density needs R_k, the inverse of the Cholesky factor: R_k^T R_k = Sigma_k^-1. A covariance is
singular if a standard deviation is below 1e-7 of the largest coordinate (measured from the mean),
which is rounding, or if its columns depend on each other. A tiny variance is then added to it.

Cost: O(n d + k d^3).
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from algorithms.core.gaussians import inverse_roots
from algorithms.core.record import Record
from algorithms.core.scaling import TINY, mean_and_variance, rounding

SHAPES = ("full", "tied", "diagonal", "spherical")

ROUNDING = 1e-7  # of the largest centred coordinate: its square is the rounding of a variance
LIFT = 1e-9  # of the data's variance: what stands in for a variance of 0
COLLAPSED = 0.01  # of the data's standard deviation


@dataclass(frozen=True, eq=False)
class Family(Record):
    """The covariances that a mixture may have on some data.

    `share` is the floor as a share of s^2, and `floor` the variance itself. `variance` has the
    columns' variances, `least` the standard deviations that are rounding.
    """

    shape: str
    share: float
    floor: float
    variance: Float[ndarray, " d"]
    least: Float[ndarray, " d"]

    def nearest(
        self, S: Float[ndarray, "k d d"], weights: Float[ndarray, " k"]
    ) -> Float[ndarray, "k d d"]:
        """Return the most likely covariances of this shape for the scatters, plus the floor."""
        d = S.shape[-1]
        if self.shape == "tied":
            S = np.repeat(np.tensordot(weights / weights.sum(), S, 1)[None], len(S), axis=0)
        elif self.shape == "diagonal":
            S = S * np.eye(d)
        elif self.shape == "spherical":
            S = np.trace(S, axis1=1, axis2=2)[:, None, None] / d * np.eye(d)
        return S + self.floor * np.eye(d)

    def with_inverse_roots(
        self, covariances: Float[ndarray, "k d d"]
    ) -> tuple[Float[ndarray, "k d d"], Float[ndarray, "k d d"], Bool[ndarray, " k"]]:
        """Return the covariances, their R, and which are singular; those are lifted a little."""
        roots, singular = _inverse_roots(covariances, self.least)
        if singular.any():
            lift = np.diag(LIFT * self.variance + (10 * self.least) ** 2)
            covariances = covariances + singular[:, None, None] * lift
            roots, _ = _inverse_roots(covariances, self.least)
        return covariances, roots, singular

    def collapsed(self, roots: Float[ndarray, "k d d"]) -> Bool[ndarray, " k"]:
        """Return which components have a standard deviation below about 1 % of the data's."""
        scaled = roots * np.sqrt(self.variance)
        # The trace of the inverse covariance is its largest eigenvalue at least.
        return np.einsum("kij,kij->k", scaled, scaled) > COLLAPSED**-2


def family(X: Float[ndarray, "n d"], shape: str, share: float) -> Family:
    """Return the family of covariances of a shape; the floor is a share of s^2."""
    center, variance = mean_and_variance(X)
    least = ROUNDING * np.abs(X - center).max(axis=0) + TINY
    variances = X.var(axis=0)
    varies = (np.sqrt(variances) > rounding(X)).any()
    s2 = float(variances.mean()) if varies else 1.0
    return Family(shape, share, share * s2, variance, least)


def _inverse_roots(
    covariances: Float[ndarray, "k d d"], least: Float[ndarray, " d"]
) -> tuple[Float[ndarray, "k d d"], Bool[ndarray, " k"]]:
    """Return the inverses of the Cholesky factors, and which covariances are singular."""
    variances = covariances.diagonal(0, 1, 2)
    try:
        factors = np.linalg.cholesky(covariances)
    except np.linalg.LinAlgError:
        factors = np.zeros_like(covariances)
    pivots = factors.diagonal(0, 1, 2)  # the pivot is the spread left over by the columns before
    if (pivots > np.maximum(least, 10 * ROUNDING * np.sqrt(np.abs(variances)))).all():
        return np.linalg.inv(factors), np.zeros(len(covariances), bool)
    # Slower, but it finds which ones are singular. Rounding can make a variance negative.
    positive = np.where(np.eye(len(least)) > 0, np.maximum(variances, 0.0)[:, None], covariances)
    return inverse_roots(positive, least)
