"""The arithmetic of Lloyd's two half-steps, of one run or of many at once."""

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

FEW = 2000  # distances: for more, NumPy's argmin along the first axis is slow


def least(
    values: Float[ndarray, "*runs k m"],
) -> tuple[Int[ndarray, "*runs m"], Float[ndarray, "*runs m"]]:
    """Return where every column is least, the first such row in a tie, and the least values."""
    lowest, k = values.min(axis=-2), values.shape[-2]
    if values.size < FEW:
        return values.argmin(axis=-2), lowest
    ranks = np.arange(k, 0, -1, dtype=np.min_scalar_type(k))[:, None]  # k for the first row
    return k - ((values == lowest[..., None, :]) * ranks).max(axis=-2).astype(int), lowest


def means(
    X: Float[ndarray, "n d"], labels: Int[ndarray, "*runs n"], centers: Float[ndarray, "*runs k d"]
) -> Float[ndarray, "*runs k d"]:
    """Return the mean of every cluster's points; a cluster without points keeps its centre.

    As the old centre plus the mean offset from it: exact for coinciding points, and accurate far
    from the origin.
    """
    k, d = centers.shape[-2:]
    start = centers.reshape(-1, d)
    clusters = labels.reshape(-1, len(X)) + k * np.arange(len(start) // k)[:, None]  # of all runs
    offsets = (X - start.take(clusters, axis=0)).reshape(-1, d)
    clusters, count = clusters.ravel(), len(start)
    sums = np.array([np.bincount(clusters, column, count) for column in offsets.T]).T
    sizes = np.bincount(clusters, minlength=count)
    return (start + sums / np.maximum(sizes, 1)[:, None]).reshape(centers.shape)
