"""The loop that every iterative algorithm shares, and a run that goes on from a changed step.

The next step is a function of the step: `advance(step)` needs only the step, and the data that are
bound to it. So one loop runs all algorithms, and a run can go on from any of its steps, changed or
not, with the same points or with others.

    iterate:   s_0 = first,   s_(t+1) = advance(s_t),   until s_t ends the run
    resumed:   s_0, ..., s_(at-1) as they were,  s_at = change(s_(at-1)),  s_(t+1) = advance(s_t)
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate

S = TypeVar("S")  # a frozen step with a field `event`; one of its `final_events` ends a run

STOPPED = "stopped at max_iter"


def iterate(
    first: S, advance: Callable[[S], S], *, most: int, stopped: str | None = STOPPED
) -> Iterator[S]:
    """Yield `first` and the steps that follow from it, until one ends the run.

    At most `most` steps follow. If the last of them does not end the run itself, its event becomes
    `stopped`, unless `stopped` is None.
    """
    step: Any = first
    yield step
    for left in reversed(range(most)):
        if step.event and step.event in step.final_events:
            return
        step = advance(step)
        if left == 0 and stopped and step.event not in step.final_events:
            step = replace(step, event=stopped)
        yield step


def resumed(
    steps: Sequence[S],
    at: int,
    change: Callable[[S], S],
    advance: Callable[[S], S],
    *,
    most: int,
    stopped: str | None = STOPPED,
) -> Iterator[S]:
    """Yield the steps before `at` as they were, then `change(steps[at - 1])` and what follows.

    `at` may be len(steps): then the run goes on after its last step. At most `most` steps follow
    the changed one; `stopped` as in `iterate`.

    Raises ValueError, at the call, unless 1 <= at <= len(steps).
    """
    at = validate.integer("at", at, 1, len(steps), high_name="the number of steps")
    return _resumed(steps, at, change, advance, most, stopped)


def _resumed(
    steps: Sequence[S],
    at: int,
    change: Callable[[S], S],
    advance: Callable[[S], S],
    most: int,
    stopped: str | None,
) -> Iterator[S]:
    yield from steps[:at]
    yield from iterate(change(steps[at - 1]), advance, most=most, stopped=stopped)


def moved(
    X: Float[ndarray, "n d"], rows: Int[ndarray, " m"], places: Float[ndarray, "m _"]
) -> Float[ndarray, "n d"]:
    """Return the points with those of `rows` at other places.

    Raises ValueError unless the rows are different rows of `X` and there is a finite place for
    each.
    """
    places = validate.points(places, name="places")
    rows = validate.integers(rows, len(places))
    n, d = X.shape
    if rows.min() < 0 or rows.max() >= n or len(np.unique(rows)) < len(rows):
        raise ValueError(f"rows must be different rows from 0 to {n - 1}, got {rows}")
    if places.shape[1] != d:
        raise ValueError(f"places must have d={d} columns, got {places.shape[1]}")
    X = X.copy()
    X[rows] = places
    return X
