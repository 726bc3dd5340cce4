"""Gibbs sampling: draw every cell again and again, given its neighbours.

    x_i <- 1 with p(x_i = 1 | all other cells) = 1 / (1 + exp(-2 f_i / T)), otherwise -1
    f_i = h y_i + beta sum_(j~i) x_j

In the long run a picture x comes up with p(x | y) = exp(-E(x) / T) / Z, so the share of sweeps in
which a cell was black tends to its probability. Two cells of the same colour of a chequerboard are
no neighbours, so all cells of one colour are drawn at once, and then those of the other: a sweep.
A low temperature T nearly always takes the lower energy, a high one draws by chance.

Cost: O(cells) a sweep.

Source: Geman and Geman 1984; 20APC3316, undirected graphs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.graphs.markov_random_field.picture import Field, field_of


def gibbs_sampling(
    image: Any,
    *,
    coupling: float,
    rng: Generator,
    data_weight: float = 1.0,
    temperature: float = 1.0,
    sweeps: int = 200,
) -> Iterator["SweepStep"]:
    """Draw pictures from p(x | y), one more in each sweep, from the observed picture y of -1 and 1.

    Raises ValueError, at the call, unless the picture is of -1 and 1, the weights are from 0, and
    the temperature is above 0.
    """
    field = field_of(image, coupling, data_weight)
    temperature = validate.number("temperature", temperature, positive=True)
    sweeps = validate.integer("sweeps", sweeps, 1)
    x = field.observed
    chances = rng.random((sweeps, *x.shape))
    first = SweepStep(x, field.energy(x), np.zeros_like(x))
    sweep = partial(advance, field, temperature, chances)
    return iterate(first, sweep, most=sweeps, stopped=None)


def advance(
    field: Field, temperature: float, chances: Float[ndarray, "t h w"], step: "SweepStep"
) -> "SweepStep":
    """Draw all cells once: first one colour of a chequerboard, then the other."""
    x, chance = step.image, chances[step.sweep]
    for colour in (0, 1):
        black = chance < field.black_probability(x, temperature)
        x = np.where(chequerboard(x.shape) == colour, np.where(black, 1, -1), x)
    event = "finished" if step.sweep + 1 == len(chances) else None
    return SweepStep(x, field.energy(x), step.black + (x == 1), step.sweep + 1, event)


def chequerboard(shape: tuple[int, ...]) -> Int[ndarray, "h w"]:
    """Return the colour of every cell: 0 for the first one, 1 for its neighbours, and so on."""
    rows, columns = np.indices(shape)
    return (rows + columns) % 2


@dataclass(frozen=True, eq=False)
class SweepStep(Record):
    """A drawn picture, and in how many sweeps every cell was black. Step 0 is no sweep."""

    is_model = False

    image: Int[ndarray, "h w"]
    energy: float
    black: Int[ndarray, "h w"]
    sweep: int = 0
    event: Literal["finished"] | None = None

    @property
    def share(self) -> Float[ndarray, "h w"]:
        """Return the share of sweeps in which a cell was black; before the first, as observed."""
        return self.black / self.sweep if self.sweep else (self.image + 1) / 2
