"""What all linear models of one target share: what they predict, and the scale they are found on.

Nothing about least squares depends on the units of the features or on where their origin is, but
floating point does: the solvers work on features from -1 to 1 and give the weights for the others.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record

ROUNDING = 1e-14  # relative: less spread than this is no spread


@dataclass(frozen=True, eq=False)
class LinearModel(Record):
    """The model y = w.x + b."""

    weights: Float[ndarray, " d"]
    intercept: float

    def predict(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return w.x + b for every row of `X`."""
        return X @ self.weights + self.intercept


def rescaled(
    X: Float[ndarray, "n d"],
) -> tuple[Float[ndarray, "n d"], Float[ndarray, " d"], Float[ndarray, " d"]]:
    """Return (X - center) / spread with a largest entry of 1 in each column, and both.

    A column that does not vary, beyond rounding, is 0 throughout, with a spread of 1.
    """
    center = X.mean(axis=0)
    offsets = X - center
    spread = np.abs(offsets).max(axis=0)
    constant = spread <= np.maximum(ROUNDING * np.abs(X).max(axis=0), 1 / validate.LIMIT)
    spread[constant] = 1.0
    return np.where(constant, 0.0, offsets / spread), center, spread
