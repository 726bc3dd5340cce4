"""How much of the variance along a component is between the classes.

For scores z, with n_g points in class g, their mean zbar_g and the mean zbar of all, this share of
the variance is between the classes:

    share = sum_g n_g (zbar_g - zbar)² / sum_i (z_i - zbar)²

from 0 (all classes have the same mean) to 1 (every class is one place). Fisher's ratio, between
over within, is share / (1 - share). Principal components know nothing of it: they are found
without the classes, and the one with most variance can be the one with the smallest share.

Cost: O(n) a component.

Source: CS337 (Fisher's discriminant), CS725 19.5.
"""

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray


def class_share(Z: Float[ndarray, "n q"], labels: Int[ndarray, " n"]) -> Float[ndarray, " q"]:
    """Return the share for every column of scores; 0 for one that does not vary."""
    _, codes, counts = np.unique(labels, return_inverse=True, return_counts=True)
    offsets = Z - Z.mean(axis=0)
    sums = np.zeros((len(counts), Z.shape[1]))
    np.add.at(sums, codes, offsets)
    between, whole = (sums**2 / counts[:, None]).sum(axis=0), (offsets**2).sum(axis=0)
    return np.divide(between, whole, out=np.zeros(len(whole)), where=whole > 0)
