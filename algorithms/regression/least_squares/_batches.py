"""The points that each update of a descent looks at."""

import numpy as np
from jaxtyping import Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.record import frozen


class Batches:
    """All n points in every update, or `size` of them: shuffled in every epoch and taken in turn.

    They are drawn at once, for `updates` of them.
    """

    def __init__(self, n: int, size: int, updates: int, rng: Generator) -> None:
        self._per_epoch = -(-n // size)
        self._nothing = frozen(np.array([], int))
        self._rows: list[Int[ndarray, " b"]] = []
        while size < n and len(self._rows) < updates:
            order = rng.permutation(n)
            self._rows += [order[i : i + size] for i in range(0, n, size)]

    def rows(self, t: int) -> Int[ndarray, " b"] | slice:
        """Return the points of update t = 1, 2, ..."""
        return self._rows[t - 1] if self._rows else slice(None)

    def named(self, t: int) -> Int[ndarray, " b"]:
        """Return the points of update t, and none before the first or where it is always all."""
        return self._rows[t - 1] if self._rows and t else self._nothing

    def epoch(self, t: int) -> int:
        """Return the number of the pass over all points that update t belongs to, 0 before it."""
        return 1 + (t - 1) // self._per_epoch
