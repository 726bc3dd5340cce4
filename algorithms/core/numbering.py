"""Numbers that clusters keep from run to run, with another seed, and mostly with another k.

A clustering says which points belong together. Its numbers say no more than the order in which the
first centres were drawn, so they change with the seed. Here they come from the points alone:

    halve:   P_1 = all points;  P_(k+1) = P_k with the part of the most inertia cut in two, across
             its widest direction, so that the inertia along it is least; the smaller half gets the
             number k + 1
    number:  each cluster gets the number of another part of P_k, so that as many points as possible
             have the same number in both      (the assignment problem, solved exactly)

Two runs that end in the same clusters get the same numbers. P_(k+1) keeps all parts of P_k but one,
so most clusters keep their number when k grows.

Where the clustering is given classes, they come first: as many points as possible have the number
of their class, and of all ways to do that, the parts choose one.

Cost: O(n log n) for every part.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.optimize import linear_sum_assignment

S = TypeVar("S")  # a step with `renumbered(order)` and `labels`


def numbered(
    cluster: Callable[..., Iterator[S]], X: Float[ndarray, "n d"], k: int, **how: Any
) -> Iterator[S]:
    """Yield the steps of `cluster(X, k, **how)`, with the numbers of `numbers` from the last one.

    Centres that are given by hand, as an array `init`, keep the numbers that they came with. `y`
    among the arguments are classes, from 0.
    """
    steps: Any = tuple(cluster(X, k, **how))
    if isinstance(how.get("init"), ndarray):
        return iter(steps)
    order = numbers(np.asarray(X), k, steps[-1].labels, how.get("y"))
    return (step.renumbered(order) for step in steps)


def numbers(
    X: Float[ndarray, "n d"],
    k: int,
    labels: Int[ndarray, " n"],
    y: Int[ndarray, " n"] | None = None,
) -> Int[ndarray, " k"]:
    """Return the cluster that gets each of the numbers 0..k-1."""
    shared = np.zeros((k, k))
    np.add.at(shared, (halved(X, k), labels), 1)
    if y is not None:
        known = (y >= 0) & (y < k)
        np.add.at(shared, (y[known], labels[known]), len(X) + 1)  # more than all parts together
    return linear_sum_assignment(shared, maximize=True)[1]


def halved(X: Float[ndarray, "n d"], k: int) -> Int[ndarray, " n"]:
    """Return the part of every point in P_k; points in one place are not parted."""
    part = np.zeros(len(X), int)
    for j in range(1, k):
        parts = (X[part == i] for i in range(j))
        inertia = [float(np.square(P - P.mean(axis=0)).sum()) for P in parts]
        widest = np.flatnonzero(part == np.argmax(inertia))
        if max(inertia) == 0:
            break
        half = _smaller_half(X[widest])
        if not half.any():  # but for rounding errors they are in one place
            break
        part[widest[half]] = j
    return part


def _smaller_half(X: Float[ndarray, "m d"]) -> ndarray:
    """Return which points are in the smaller half; none if all are in one place."""
    centred = X - X.mean(axis=0)
    along = centred @ np.linalg.eigh(centred.T @ centred)[1][:, -1]
    t, m = np.sort(along), np.arange(1, len(X))
    # n values add up to 0, the first m to T: the inertia falls by T²/m + T²/(n-m).
    sums = np.square(np.cumsum(t)[:-1])
    cut = int((sums / m + sums / (len(X) - m)).argmax())
    right = along > t[cut]
    return ~right if 2 * right.sum() > len(X) else right
