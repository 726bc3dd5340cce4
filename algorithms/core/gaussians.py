"""Covariances of Gaussians: the inverses of their Cholesky factors, and which are singular.

With the Cholesky factor L of Sigma = L L^T and R = L^-1,

    (x - mu)^T Sigma^-1 (x - mu) = ||R (x - mu)||^2,        ln |Sigma| = -2 ln |R|

so R is all that a density needs. Sigma has no inverse where the points do not fill the space: the
spread of a column is no more than rounding, or an eigenvalue of the correlations is.

Cost: O(K d^3) for K covariances.
"""

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

FAR = 1e140  # standard deviations: beyond, squares could leave the floating-point numbers
DEPENDENT = 1e-13  # an eigenvalue of a correlation matrix that is rounding


def inverse_roots(
    covariances: Float[ndarray, "k d d"], least: Float[ndarray, " d"]
) -> tuple[Float[ndarray, "k d d"], Bool[ndarray, " k"]]:
    """Return the inverses of the Cholesky factors, and which covariances are singular.

    `least` is the standard deviation in each column that is no more than rounding. The root of a
    singular covariance means nothing.
    """
    d = len(least)
    spread = np.sqrt(np.diagonal(covariances, axis1=1, axis2=2))
    singular = (spread <= least).any(axis=1)
    spread[singular] = 1.0
    correlations = covariances / spread[:, None, :] / spread[:, :, None]
    correlations[singular] = np.eye(d)
    slack = d * DEPENDENT + np.square(least / spread).max(axis=1)
    dependent = np.linalg.eigvalsh(correlations)[:, 0] <= slack
    correlations[dependent] = np.eye(d)
    # The inverse of a triangular matrix is triangular; `inv` leaves rounding above the diagonal.
    roots = np.tril(np.linalg.inv(np.linalg.cholesky(correlations))) / spread[:, None, :]
    return roots, singular | dependent
