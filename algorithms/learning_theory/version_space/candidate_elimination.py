"""Candidate elimination: all boxes that agree with the samples so far, by their two borders.

A box holds the points with low_j <= x_j <= high_j on every axis j. The version space is the set of
all boxes that hold every positive sample and no negative one. It is bounded by

    S    the most specific box: the smallest one that holds the positives (none before the first)
    G    the most general boxes: the largest ones that hold S and no negative inside

A box agrees with all samples iff it holds S and is within one of G. Every sample x moves a border:

    positive    S <- the smallest box around S and x;   G loses the boxes that do not hold x inside
    negative    if x is in S, nothing is left; else every box of G that holds x inside is replaced
                by its parts left of x, right of x, below x and above x, as far as they hold S and
                are in no other box of G

A side of G is at a negative sample, which is outside: the sides of a box may come as near to it as
you like. Between S and G there is doubt: some boxes that are left hold the point, others do not.

Cost per step: O(g d) for the general boxes, O(g² d) to drop those within others.

Source: CS725 1.2-1.5 (version space, bias); 20APC3316 2 (boxes, S, G, doubt); Mitchell 1982.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

MOST = 200  # samples
Boxes = tuple[Float[ndarray, "d 2"], ...]

Event = Literal["nothing is left", "all samples seen"]


@dataclass(frozen=True, eq=False)
class VersionSpaceStep(Record):
    """The borders of the version space after `seen` samples; each box is (d, 2), low and high.

    `most_specific` is None before the first positive sample. `most_general` is empty if nothing is
    left; infinite sides are where no negative sample is.

    Events: "nothing is left" and "all samples seen" end the run.
    """

    is_model = False
    final_events = ("nothing is left", "all samples seen")

    seen: int
    most_specific: Float[ndarray, "d 2"] | None
    most_general: Boxes
    event: Event | None = None

    def surely_in(self, X: Float[ndarray, "m d"]) -> Bool[ndarray, " m"]:
        """Return which points every box that is left holds."""
        if self.most_specific is None:
            return np.zeros(len(X), bool)
        return holds(self.most_specific, X)

    def surely_out(self, X: Float[ndarray, "m d"]) -> Bool[ndarray, " m"]:
        """Return which points no box that is left holds."""
        some = [holds_inside(box, X) for box in self.most_general]
        return ~np.any(some, axis=0) if some else np.ones(len(X), bool)


def candidate_elimination(
    X: Float[ndarray, "n d"], y: Int[ndarray, " n"]
) -> Iterator[VersionSpaceStep]:
    """Go through the samples in their order; 1 is the positive label, all others are negative.

    Raises ValueError, at the call, unless X is finite with at most 200 rows and y holds n integers.
    """
    X = validate.points(X)
    positive = validate.integers(y, len(X)) == 1
    if len(X) > MOST:
        raise ValueError(f"X must have at most {MOST} rows, got n={len(X)}")
    everything = np.tile([-np.inf, np.inf], (X.shape[1], 1))
    first = VersionSpaceStep(0, None, (everything,))
    return iterate(first, partial(advance, X, positive), most=len(X), stopped=None)


def advance(
    X: Float[ndarray, "n d"], positive: Bool[ndarray, " n"], step: VersionSpaceStep
) -> VersionSpaceStep:
    """Return the version space after the next sample."""
    x, seen = X[step.seen], step.seen + 1
    if positive[step.seen]:
        S = grown(step.most_specific, x)
        G = tuple(box for box in step.most_general if holds_inside(box, x[None])[0])
    else:
        S, G = step.most_specific, without(step.most_general, step.most_specific, x)
    event: Event | None = "all samples seen" if seen == len(X) else None
    # A positive sample may grow S over a negative one; then no general box holds S.
    if S is not None:
        G = tuple(box for box in G if holds_inside(box, S.T).all())
    return replace(
        step, seen=seen, most_specific=S, most_general=G, event=event if G else "nothing is left"
    )


def grown(S: Float[ndarray, "d 2"] | None, x: Float[ndarray, " d"]) -> Float[ndarray, "d 2"]:
    """Return the smallest box around a box and a point."""
    if S is None:
        return np.column_stack([x, x])
    return np.column_stack([np.minimum(S[:, 0], x), np.maximum(S[:, 1], x)])


def without(G: Boxes, S: Float[ndarray, "d 2"] | None, x: Float[ndarray, " d"]) -> Boxes:
    """Return the largest boxes within those of G that do not hold x inside, and hold S."""
    kept = [box for box in G if not holds_inside(box, x[None])[0]]
    cut = [
        part
        for box in G
        if holds_inside(box, x[None])[0]
        for part in parts(box, x)
        if S is None or holds_inside(part, S.T).all()
    ]
    largest = [box for box in cut if not any(is_within(box, other) for other in kept)]
    for i, box in enumerate(largest):
        others = (other for j, other in enumerate(largest) if j != i)
        if not any(is_within(box, other) for other in others):
            kept.append(box)
    return tuple(kept)


def parts(box: Float[ndarray, "d 2"], x: Float[ndarray, " d"]) -> list[Float[ndarray, "d 2"]]:
    """Return the largest parts of a box without a point inside it: two on every axis."""
    found = []
    for j in range(len(x)):
        for side in (1, 0):  # the high side moves down to the point, or the low side up
            part = box.copy()
            part[j, side] = x[j]
            found.append(part)
    return found


def holds(box: Float[ndarray, "d 2"], X: Float[ndarray, "m d"]) -> Bool[ndarray, " m"]:
    """Return which points are in a box, its sides included."""
    return np.all((box[:, 0] <= X) & (box[:, 1] >= X), axis=1)


def holds_inside(box: Float[ndarray, "d 2"], X: Float[ndarray, "m d"]) -> Bool[ndarray, " m"]:
    """Return which points are in a box and on none of its sides."""
    return np.all((box[:, 0] < X) & (box[:, 1] > X), axis=1)


def is_within(box: Float[ndarray, "d 2"], other: Float[ndarray, "d 2"]) -> bool:
    """Return whether a box is within another one, or equal to it."""
    return bool((box[:, 0] >= other[:, 0]).all() and (box[:, 1] <= other[:, 1]).all())
