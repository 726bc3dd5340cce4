"""Version spaces of conjunctions over a table of attributes.

A conjunction asks for a value of some attributes and takes any value of the others: (?, ?, N) holds
the rows whose third attribute is N. One more conjunction, the empty one, holds no row. All of them
are a lattice: a conjunction is more general than another if it asks for less. After some rows

    left = conjunctions that hold every positive row and no negative one
    S    = those left with no more specific one left
    G    = those left with no more general one left

There are (k_1 + 1) ... (k_a + 1) + 1 conjunctions over a attributes with k_j values, few enough
here to look at each. What they cannot say is the bias of this language: a class list that no
conjunction describes leaves nothing.

Cost: O(h a) per row for h conjunctions.

Source: CS725 1.2-1.5 (table 1, the class list); Mitchell 1997, chapter 2.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Literal

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

ANY, NONE = -1, -2  # instead of a value: any will do, or no row is held
MOST = 5_000  # conjunctions

Event = Literal["nothing is left", "all rows seen"]


@dataclass(frozen=True, eq=False)
class ConjunctionsStep(Record):
    """Which conjunctions are left after `seen` rows; `specific` and `general` are S and G.

    Events: "nothing is left" and "all rows seen" end the run.
    """

    is_model = False
    final_events = ("nothing is left", "all rows seen")

    seen: int
    left: Bool[ndarray, " h"]
    specific: Bool[ndarray, " h"]
    general: Bool[ndarray, " h"]
    event: Event | None = None


def conjunction_elimination(
    rows: Int[ndarray, "n a"], y: Int[ndarray, " n"], *, values: Sequence[int]
) -> Iterator[ConjunctionsStep]:
    """Go through the rows of a table; 1 is the positive label, all others are negative.

    values : how many values each attribute has; rows hold their indices.

    Raises ValueError, at the call, unless rows are such indices, y holds n integers, and there are
    at most 5,000 conjunctions.
    """
    rows = np.asarray(rows)
    positive = validate.integers(y, len(rows)) == 1
    if rows.ndim != 2 or rows.shape[1] != len(values) or np.prod(np.add(values, 1)) >= MOST:
        raise ValueError(f"rows must have {len(values)} attributes, fewer than {MOST} conjunctions")
    if (rows < 0).any() or (rows >= values).any():
        raise ValueError("rows must hold indices of values")
    H = conjunctions(values)
    above = more_general(H)
    everything = np.ones(len(H), bool)
    first = bordered(ConjunctionsStep(0, everything, everything, everything), above)
    return iterate(first, partial(advance, H, above, rows, positive), most=len(rows), stopped=None)


def advance(
    H: Int[ndarray, "h a"],
    above: Bool[ndarray, "h h"],
    rows: Int[ndarray, "n a"],
    positive: Bool[ndarray, " n"],
    step: ConjunctionsStep,
) -> ConjunctionsStep:
    """Return what is left after the next row."""
    left = step.left & (held(H, rows[step.seen]) == positive[step.seen])
    event: Event | None = "all rows seen" if step.seen + 1 == len(rows) else None
    if not left.any():
        event = "nothing is left"
    return bordered(replace(step, seen=step.seen + 1, left=left, event=event), above)


def bordered(step: ConjunctionsStep, above: Bool[ndarray, "h h"]) -> ConjunctionsStep:
    """Return the step with S and G, the borders of what is left."""
    general = step.left & ~(above & step.left).any(axis=1)
    specific = step.left & ~(above.T & step.left).any(axis=1)
    return replace(step, specific=specific, general=general)


def conjunctions(values: Sequence[int]) -> Int[ndarray, "h a"]:
    """Return all conjunctions, the most general first and the empty one last."""
    every = np.array(list(product(*(range(-1, k) for k in values))))
    order = np.argsort((every != ANY).sum(axis=1), kind="stable")
    return np.vstack([every[order], np.full(len(values), NONE)])


def held(H: Int[ndarray, "h a"], row: Int[ndarray, " a"]) -> Bool[ndarray, " h"]:
    """Return which conjunctions hold a row."""
    return np.all((H == ANY) | (row == H), axis=1)


def more_general(H: Int[ndarray, "h a"]) -> Bool[ndarray, "h h"]:
    """Return, in row i, which conjunctions are more general than conjunction i."""
    asks_less = np.all((H[None] == ANY) | (H[None] == H[:, None]), axis=2)
    empty = np.all(H == NONE, axis=1)
    asks_less |= empty[:, None]
    return asks_less & ~np.eye(len(H), dtype=bool)
