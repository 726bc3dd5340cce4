"""Sums over groups of points, all groups at once."""

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray


def group_sums(
    values: Float[ndarray, "n d"], codes: Int[ndarray, " n"], k: int
) -> Float[ndarray, "k d"]:
    """Return the sum of the rows of each of k groups; `codes` says which group a row is in."""
    return np.array([np.bincount(codes, column, k) for column in values.T]).T
