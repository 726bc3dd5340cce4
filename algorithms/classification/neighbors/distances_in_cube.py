"""The curse of dimension: in a cube of many dimensions all points are about equally far apart.

n points and a query are drawn evenly from the unit cube of d dimensions, every coordinate by
itself. The squared euclidean distance of two of them is a sum of d independent terms with

    mean  d / 6            standard deviation  sqrt(7 d / 180)

Relative to the mean the spread falls like 1 / sqrt(d), so the ratio of the farthest to the nearest
distance from the query goes to 1: "near" means less and less. Two more views of the same:

    ball    the share of the cube in the round ball that touches its faces, whatever the metric:
            (pi/4)^(d/2) / Gamma(d/2 + 1)
    side    of a cube that holds 1 % of the points on average:  0.01^(1/d)

The d columns are the first d of one draw, so a step adds columns and keeps the others.

Cost: O(n^2 d) per step.

Source: CIS787 (004:13, distances in high dimension), CS725 11.2; Beyer et al. 1999.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, lgamma, log, pi
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator
from scipy.spatial.distance import cdist, pdist

from algorithms.classification.neighbors.nearest_neighbors import METRICS, SCIPY, SciPyName
from algorithms.core import validate
from algorithms.core.record import Record

DIMENSIONS = (1, 2, 3, 5, 10, 20, 50, 100)
EDGES = np.linspace(0, 3, 61)  # of the histogram, in parts of the mean distance
FEW = 0.01  # the share of the points in the cube whose side is asked

Event = Literal["farthest within twice the nearest"]


@dataclass(frozen=True, eq=False)
class DistancesStep(Record):
    """The distances in d dimensions: of all pairs, and from the query to every point.

    `heights` are the shares of the pairs between `EDGES`, in parts of the mean; the last bin takes
    those beyond. `spread` is the standard deviation of the pairs' distances.
    """

    is_model = False

    d: int
    mean: float
    spread: float
    heights: Float[ndarray, " bins"]
    nearest: float
    farthest: float
    ball: float
    side: float
    event: Event | None = None

    @property
    def ratio(self) -> float:
        """Return farthest / nearest."""
        return self.farthest / self.nearest


def distances_in_cube(
    n: int, *, rng: Generator, metric: str = "euclidean"
) -> Iterator[DistancesStep]:
    """Measure the distances of all pairs and from a query, for every d of `DIMENSIONS`.

    Raises ValueError, at the call, unless n >= 2.
    """
    n = validate.integer("n", n, 2)
    validate.choice("metric", metric, METRICS)
    return _run(rng.uniform(size=(n + 1, DIMENSIONS[-1])), SCIPY[metric])


def _run(points: Float[ndarray, "m d"], metric: SciPyName) -> Iterator[DistancesStep]:
    close = False
    for d in DIMENSIONS:
        columns = points[:, :d]
        pairs = pdist(columns[1:], metric)
        far = cdist(columns[:1], columns[1:], metric)
        mean, nearest, farthest = float(pairs.mean()), float(far.min()), float(far.max())
        shares = np.minimum(pairs / mean, EDGES[-1])
        first = not close and farthest < 2 * nearest
        close |= first
        yield DistancesStep(
            d=d,
            mean=mean,
            spread=float(pairs.std()),
            heights=np.histogram(shares, EDGES)[0] / len(pairs),
            nearest=nearest,
            farthest=farthest,
            ball=exp(d / 2 * log(pi / 4) - lgamma(d / 2 + 1)),
            side=FEW ** (1 / d),
            event="farthest within twice the nearest" if first else None,
        )
