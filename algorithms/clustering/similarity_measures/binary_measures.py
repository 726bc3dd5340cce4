"""Distances of yes and no: how far are two rows of a binary table from each other?

The n columns of two rows are counted by how the rows agree:

                     other: yes    other: no
    this: yes             p            q
    this: no              r            s            p + q + r + s = n

    simple matching distance    (q + r) / n              symmetric: shared no counts as shared yes
    Jaccard distance            (q + r) / (p + q + r)    asymmetric: leaves out what both have not
    shared yes                  1 - p / n                asymmetric; seldom 0 from a row to itself
    shared no                   1 - s / n                the same for no

(The simple matching coefficient and the Jaccard index are 1 minus these distances: the shares in
which two rows agree.)

The Jaccard distance is 0 between two rows without any yes. It is the one to take where a no means
little: of thousands of goods two shoppers both leave nearly all on the shelf. A step compares one
more row.

Cost: O(n) for two rows.

Source: CS725 13.1 (000:2266), with "1 - p / (p + q + r)" for Jaccard, which is the same. Its odds,
(q + r) / (p + s), order rows as simple matching does, and are left out. Features of several values
become columns of yes and no, one for each value.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record, frozen

MEASURES = ("simple matching", "Jaccard", "shared yes", "shared no")

Event = Literal["the nearest so far", "all compared"]


@dataclass(frozen=True, eq=False)
class BinaryStep(Record):
    """Row `row` compared with row `other`, the last of those `compared` so far.

    `counts` are p, q, r and s of every row against `row`; `distances` has a line for each of
    `MEASURES`. `nearest` is the nearest row of `compared` by the measure, the first one in a tie.
    """

    is_model = False

    table: Bool[ndarray, "rows n"]
    row: int
    measure: str
    counts: Int[ndarray, "rows 4"]
    distances: Float[ndarray, "4 rows"]
    compared: Int[ndarray, " c"]
    nearest: int
    event: Event | None = None

    @property
    def other(self) -> int:
        """Return the row that is compared now."""
        return int(self.compared[-1])

    @property
    def by(self) -> Float[ndarray, " rows"]:
        """Return the distance of every row by the measure."""
        return self.distances[MEASURES.index(self.measure)]


def compare_binary(
    table: Bool[ndarray, "rows n"], *, row: int = 0, measure: str = "simple matching"
) -> Iterator[BinaryStep]:
    """Compare a row of a table with all others, one a step.

    Raises ValueError, at the call, unless the table holds True and False in two rows or more, and
    `row` is one of them.
    """
    table = np.asarray(table)
    if table.dtype != bool or table.ndim != 2 or len(table) < 2 or table.shape[1] == 0:
        raise ValueError(
            f"table must hold True and False, in two rows or more, got {table.dtype} of shape "
            f"{table.shape}"
        )
    row = validate.integer("row", row, 0, len(table) - 1)
    validate.choice("measure", measure, MEASURES)
    return _compare(frozen(table), row, measure)


def _compare(table: Bool[ndarray, "rows n"], row: int, measure: str) -> Iterator[BinaryStep]:
    counts = frozen(contingency(table, row))
    distances = frozen(all_distances(counts))
    others = np.delete(np.arange(len(table)), row)
    far = distances[MEASURES.index(measure)]
    nearest = -1
    for c in range(1, len(others) + 1):
        other = int(others[c - 1])
        nearer = nearest < 0 or far[other] < far[nearest]
        nearest = other if nearer else nearest
        event = "all compared" if c == len(others) else "the nearest so far" if nearer else None
        yield BinaryStep(table, row, measure, counts, distances, others[:c], nearest, event)


def contingency(table: Bool[ndarray, "rows n"], row: int) -> Int[ndarray, "rows 4"]:
    """Return p, q, r and s of every row against one of them."""
    this = table[row]
    pairs = (table & this, ~table & this, table & ~this, ~table & ~this)
    return np.stack([pair.sum(axis=1) for pair in pairs], axis=1)


def all_distances(counts: Int[ndarray, "rows 4"]) -> Float[ndarray, "4 rows"]:
    """Return the distances by all measures, from p, q, r and s."""
    p, q, r, s = counts.T
    n, some = p + q + r + s, p + q + r
    return np.stack([(q + r) / n, (q + r) / np.maximum(some, 1), 1 - p / n, 1 - s / n])
