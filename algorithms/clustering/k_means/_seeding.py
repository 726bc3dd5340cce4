"""k-means++: first centres that are far from each other.

The first centre is drawn uniformly from the points, every further one with probability proportional
to D^2, the squared distance to the nearest centre drawn so far (the plain form, with one candidate
a draw). If all points coincide with centres already drawn, the draw is uniform.

Cost: O(n k d).

Source: Arthur and Vassilvitskii 2007.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator


def plus_plus(
    X: Float[ndarray, "n d"], k: int, rng: Generator, runs: int = 1
) -> Float[ndarray, "runs k d"]:
    """Draw k of the points as the start of every run."""
    n = len(X)
    chosen, chance = np.empty((runs, k), int), np.empty((runs, k - 1))
    for run in range(runs):
        chosen[run, 0], chance[run] = rng.integers(n), rng.random(k - 1)
    closest = np.full((runs, n), np.inf)
    uniform = np.arange(1, n + 1) / n
    for j in range(k - 1):
        offsets = X - X[chosen[:, j], None]
        closest = np.minimum(closest, np.einsum("rij,rij->ri", offsets, offsets))
        below = closest.cumsum(axis=1)
        total = below[:, -1:]
        shares = np.where(total > 0, below / np.where(total > 0, total, 1), uniform)
        chosen[:, j + 1] = (shares <= chance[:, j, None]).sum(axis=1)  # as rng.choice(p=...) does
    return X[chosen]
