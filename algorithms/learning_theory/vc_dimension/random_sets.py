"""Sets of n random points, one after the other: how many of the 2^n labellings are realised?

The VC dimension asks for one set of n points that is shattered, not for every one:

    VC dimension >= n    iff    the largest number of labellings realised, over all sets, is 2^n

So a set that is not shattered proves nothing, while a single shattered one decides. The points are
independent and uniform in a square, or uniform on a circle, where every point is a corner of the
hull of all.

Cost: that of one run over all labellings for each set, without the regions.

Source: 20APC3316 2.1 ("it is not necessary that we be able to shatter any four points").
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.learning_theory.vc_dimension.hypotheses import HYPOTHESES
from algorithms.learning_theory.vc_dimension.shattering import (
    all_labellings,
    radon_partitions,
    realizable,
)

IN_A_SQUARE, ON_A_CIRCLE = PLACES = ("in a square", "on a circle")
MOST_POINTS, MOST_SETS = 6, 200

Event = Literal["the first shattered set", "finished"]


@dataclass(frozen=True, eq=False)
class RandomSetsStep(Record):
    """One set of points, and which of its labellings are realised.

    `counts` are the numbers of labellings realised for all sets so far.

    Events: "the first shattered set"; "finished" at the last set.
    """

    is_model = False

    X: Float[ndarray, "n 2"]
    realized: Bool[ndarray, " all"]
    counts: Int[ndarray, " sets"]
    event: Event | None = None

    @property
    def shattered(self) -> int:
        """Return how many sets so far are shattered."""
        return int((self.counts == len(self.realized)).sum())


def random_sets(
    hypotheses: str, n: int, *, rng: Generator, sets: int = 50, places: str = IN_A_SQUARE
) -> Iterator[RandomSetsStep]:
    """Draw `sets` sets of n points, one in each step, and count the labellings realised.

    hypotheses : see `shatters`. places : "in a square" or "on a circle".

    Raises ValueError, at the call, unless n is from 1 to 6, sets from 1 to 200, and the names are
    known.
    """
    hypotheses = validate.choice("hypotheses", hypotheses, HYPOTHESES)
    n = validate.integer("n", n, 1, MOST_POINTS)
    sets = validate.integer("sets", sets, 1, MOST_SETS)
    if validate.choice("places", places, PLACES) == IN_A_SQUARE:
        drawn = rng.uniform(-1, 1, (sets, n, 2))
    else:
        angle = rng.uniform(0, 2 * np.pi, (sets, n))
        drawn = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    return _count(drawn, hypotheses)


def _count(drawn: Float[ndarray, "sets n 2"], hypotheses: str) -> Iterator[RandomSetsStep]:
    sets, n, _ = drawn.shape
    labellings, counts = all_labellings(n), np.zeros(sets, int)
    for i, X in enumerate(drawn):
        realized = realizable(X, labellings, hypotheses, radon_partitions(X, hypotheses))
        counts[i] = realized.sum()
        first = counts[i] == 2**n and (counts[:i] < 2**n).all()
        event: Event | None = "the first shattered set" if first else None
        yield RandomSetsStep(X, realized, counts[: i + 1], "finished" if i == sets - 1 else event)
