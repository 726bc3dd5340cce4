"""The components that power iteration has found so far, and how near the next one is."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core.scaling import Scaling
from algorithms.reduction.pca.projection import eigenvectors

TIED = 1e-9  # relative: eigenvalues as near as this are the same


class Account:
    """The `components`, with their `variances`; and the exact answer, to say how near it is."""

    def __init__(self, S: Float[ndarray, "d d"], scaling: Scaling) -> None:
        self.scaling, self.total = scaling, float(np.trace(S))
        self.components, self.variances = np.empty((0, len(S))), np.empty(0)
        self.eigenvalues, self._eigenvectors = eigenvectors(S)

    def keep(self, u: Float[ndarray, " d"], variance: float) -> None:
        """Add a component."""
        self.components = np.vstack([self.components, u])
        self.variances = np.append(self.variances, variance)

    def orthogonal(self, u: Float[ndarray, " d"]) -> Float[ndarray, " d"]:
        """Return the part of u that is orthogonal to the components."""
        return u - (self.components @ u) @ self.components

    def progress(
        self, u: Float[ndarray, " d"], index: int
    ) -> tuple[float, float, Float[ndarray, " d"]]:
        """Return the angle to the answer in degrees, the rate, the shares along all eigenvectors.

        The rate is the next smaller eigenvalue divided by that of component `index`.
        """
        exact = self.eigenvalues
        shares = (self._eigenvectors @ u) ** 2
        answer = np.abs(exact - exact[index]) <= TIED * exact[0]  # a plane if two are equal
        beyond = exact[(exact < exact[index]) & ~answer]
        rate = float(beyond[0] / exact[index]) if len(beyond) and exact[index] > 0 else 0.0
        away, towards = np.sqrt(shares[~answer].sum()), np.sqrt(shares[answer].sum())
        return float(np.degrees(np.arctan2(away, towards))), rate, shares
