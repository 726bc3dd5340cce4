"""Iterated conditional modes: cell by cell, take the colour with the lower energy.

    f_i = h y_i + beta sum_(j~i) x_j
    x_i <- -x_i   if that lowers E, which it changes by 2 x_i f_i           `next_cell`, `flipped`

The cells are visited row by row, from the top, again and again. x starts as the observed picture y.
A visit that flips nothing changes nothing, so a step is a cell that flips, or a sweep over all of
them. A tie stays as it is. Every flip lowers E, and there are finitely many pictures, so at some
time no single flip lowers E. Other pictures may still have a lower one.

Cost: O(cells) a step.

Source: Besag 1986; 20APC3316, undirected graphs.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.graphs.markov_random_field.picture import Field, field_of

STEPS = ("flip", "sweep")
TIE = 1e-9  # of all weights around a cell: an energy that changes by less is the same
MOST_SWEEPS = 1000

Event = Literal["next sweep", "converged"]


def iterated_conditional_modes(
    image: Any, *, coupling: float, data_weight: float = 1.0, by: str = "flip"
) -> Iterator["FlipStep"]:
    """Lower the energy of a picture of -1 and 1, cell by cell, until no flip of a cell lowers it.

    by : what a step is: "flip", one cell that flips, or "sweep".

    Raises ValueError, at the call, unless the picture is of -1 and 1, and the weights are from 0.
    """
    field = field_of(image, coupling, data_weight)
    validate.choice("by", by, STEPS)
    x = field.observed
    first = FlipStep(x, field.energy(x))
    first = replace(first, event=None if np.any(wants(field, x)) else "converged")
    step = next_flip if by == "flip" else next_sweep
    return iterate(first, partial(step, field), most=MOST_SWEEPS * x.size)


def next_flip(field: Field, step: "FlipStep") -> "FlipStep":
    """Flip the next cell, row by row, whose flip lowers the energy."""
    return flipped(field, step, next_cell(field, step))


def next_sweep(field: Field, step: "FlipStep") -> "FlipStep":
    """Flip cell by cell, until the last row is done or no flip lowers the energy."""
    was, step = step.flips, replace(step, position=0)
    while True:
        step = flipped(field, step, next_cell(field, step))
        if step.event == "converged" or next_cell(field, step) < step.position:
            return replace(step, position=0, in_step=step.flips - was)


def wants(field: Field, x: Int[ndarray, "h w"]) -> ndarray:
    """Return which cells lower the energy if they flip: 2 x_i f_i < 0."""
    least = TIE * (field.data_weight + 4 * field.coupling)
    return x * field.fields(x) < -least


def next_cell(field: Field, step: "FlipStep") -> int:
    """Return the first cell from the step's position on, row by row, that flips."""
    cells = np.flatnonzero(wants(field, step.image))
    return int(cells[np.searchsorted(cells, step.position) % len(cells)])


def flipped(field: Field, step: "FlipStep", cell: int) -> "FlipStep":
    """x_i <- -x_i. The next visit is to the cell after it."""
    x = step.image.copy()
    x.flat[cell] *= -1
    event: Event | None = "next sweep" if cell < step.position else None
    event = event if wants(field, x).any() else "converged"
    return FlipStep(x, field.energy(x), cell, cell + 1, step.flips + 1, 1, event)


@dataclass(frozen=True, eq=False)
class FlipStep(Record):
    """A picture, and the cell that has flipped last.

    cell : its index, row by row. position : the next cell that is visited. flips : so far.
    in_step : in this step. Events: "next sweep", when the visits have begun again on top;
    "converged", when no flip of a single cell lowers the energy.
    """

    is_model = False

    image: Int[ndarray, "h w"]
    energy: float
    cell: int | None = None
    position: int = 0
    flips: int = 0
    in_step: int = 0
    event: Event | None = None
