"""The signs of eigenvectors, which the equations leave open."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray


def signed(V: Float[ndarray, "n c"]) -> Float[ndarray, "n c"]:
    """Return the columns with the signs that make the largest entry of each positive."""
    heaviest = np.abs(V).argmax(axis=0)
    return V * np.sign(V[heaviest, np.arange(V.shape[1])])
