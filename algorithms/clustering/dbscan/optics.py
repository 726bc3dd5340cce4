"""OPTICS: the points in the order in which a cluster grows, with how far each is from it.

The core distance c_i of point i is the distance to the `min_samples`-th point of its ball, where i
itself is the first. Point j is reachable from i at

    reach(j | i) = max(c_i, || x_i - x_j ||)

Begin with any point. In every turn take the point that is not taken yet and has the least reach
from all that are taken:

    reach_j = min over taken i of reach(j | i)

In this order a cluster is a valley: its points have a small reach each, and the next cluster begins
with a large one. Cut at any eps: stretches of points with reach <= eps, each with the core point
before it, are the clusters of DBSCAN at this eps, apart from border points. So one plot shows the
clusters for every eps, and valleys inside valleys.

Cost: O(n^2 d), once for all eps. Memory: O(n).

Source: CS725 13.7 (density); Ankerst, Breunig, Kriegel and Sander 1999.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.clustering.dbscan.dbscan_by_eps import core_distances
from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.core.work import spend


@dataclass(frozen=True, eq=False)
class Reachability(Record):
    """The points in their `order`, and the reach of every point; infinite for the first one.

    `reach` is by point, not by place in the order.
    """

    order: Int[ndarray, " n"]
    reach: Float[ndarray, " n"]


def reachability(X: Float[ndarray, "n d"], min_samples: int) -> Reachability:
    """Return the order of OPTICS and the reach of every point.

    Raises ValueError unless X is finite and min_samples >= 1.
    """
    X = validate.points(X)
    min_samples = validate.integer("min_samples", min_samples, 1)
    core, n = core_distances(X, min_samples), len(X)
    order, reach, left = np.empty(n, int), np.full(n, np.inf), np.ones(n, bool)
    for turn in range(n):
        spend(float(X.size))
        i = int(np.where(left, reach, np.inf).argmin()) if turn else 0
        if not left[i]:  # nothing that is left can be reached
            i = int(left.argmax())
        order[turn], left[i] = i, False
        from_i = np.maximum(core[i], np.linalg.norm(X - X[i], axis=1))
        reach = np.where(left, np.minimum(reach, from_i), reach)
    return Reachability(order, reach)
