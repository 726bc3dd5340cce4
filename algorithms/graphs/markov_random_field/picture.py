"""A picture of black and white cells as a Markov random field, given a picture with noise.

    E(x) = -h sum_i x_i y_i - beta sum_(i~j) x_i x_j,       p(x | y) = exp(-E(x) / T) / Z

x_i is 1 for a black cell and -1 for a white one, y is the observed picture, and i~j are neighbours:
cells that share a side. The data weight h pulls a cell to what was observed, and the coupling beta
to its neighbours. A cell depends on all others through its neighbours only, by its field:

    f_i = h y_i + beta sum_(j~i) x_j                                        `fields`
    flipping x_i changes E by 2 x_i f_i
    p(x_i = 1 | all other cells) = 1 / (1 + exp(-2 f_i / T))                `black_probability`

The cliques of the notes are the pairs i~j and the pairs of x_i and y_i; their potentials are
exp(beta x_i x_j / T) and exp(h x_i y_i / T). Row 0 is on top.

Cost: O(cells) for all fields.

Source: 20APC3316, undirected graphs; Geman and Geman 1984.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator
from scipy.special import expit

from algorithms.core import validate
from algorithms.core.drawing import drawing


@dataclass(frozen=True, eq=False)
class Field:
    """What an energy is made of: the observed picture y, the coupling beta, the data weight h."""

    observed: Int[ndarray, "h w"]
    coupling: float
    data_weight: float

    def energy(self, x: Int[ndarray, "h w"]) -> float:
        """E(x) = -h sum_i x_i y_i - beta sum_(i~j) x_i x_j."""
        return -self.data_weight * self.agreement(x) - self.coupling * self.pairs(x)

    def agreement(self, x: Int[ndarray, "h w"]) -> int:
        """sum_i x_i y_i."""
        return int((x * self.observed).sum())

    def pairs(self, x: Int[ndarray, "h w"]) -> int:
        """sum_(i~j) x_i x_j."""
        return int((x[1:] * x[:-1]).sum() + (x[:, 1:] * x[:, :-1]).sum())

    def changed(self, x: Int[ndarray, "h w"]) -> int:
        """Return how many cells are not as observed; those that are 0 are not found yet."""
        return int(np.count_nonzero(x * self.observed < 0))

    def unlike(self, x: Int[ndarray, "h w"]) -> int:
        """Return how many pairs of neighbours differ, of those that are found."""
        down, across = x[1:] * x[:-1], x[:, 1:] * x[:, :-1]
        return int(np.count_nonzero(down < 0) + np.count_nonzero(across < 0))

    def fields(self, x: Int[ndarray, "h w"]) -> Float[ndarray, "h w"]:
        """f_i = h y_i + beta sum_(j~i) x_j."""
        return self.data_weight * self.observed + self.coupling * neighbour_sums(x)

    def black_probability(
        self, x: Int[ndarray, "h w"], temperature: float
    ) -> Float[ndarray, "h w"]:
        """p(x_i = 1 | all other cells) = 1 / (1 + exp(-2 f_i / T))."""
        return expit(2 * self.fields(x) / temperature)


def neighbour_sums(x: Int[ndarray, "h w"]) -> Int[ndarray, "h w"]:
    """Return the sum of x_j over the neighbours of every cell: four, or fewer at an edge."""
    padded = np.pad(x, 1)
    return padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]


def field_of(image: Any, coupling: float, data_weight: float) -> Field:
    """Return the field of an observed picture.

    Raises ValueError unless the picture is of -1 and 1, and both weights are numbers from 0.
    """
    y = validate.points(image, name="image")
    if not np.isin(y, (-1, 1)).all():
        raise ValueError(f"image must hold -1 and 1, got {y[~np.isin(y, (-1, 1))][0]:g}")
    coupling = validate.number("coupling", coupling)
    return Field(y.astype(int), coupling, validate.number("data_weight", data_weight))


def original(
    X: Float[ndarray, "n 2"], box: tuple[float, float, float, float], pen: float, cells: int
) -> Int[ndarray, "h w"]:
    """Return the picture that points draw: black, 1, near a point, and otherwise white, -1."""
    return 2 * drawing(X, box, pen, cells=cells)[::-1].astype(int) - 1


def with_noise(x: Int[ndarray, "h w"], noise: float, *, rng: Generator) -> Int[ndarray, "h w"]:
    """Return the picture with each cell flipped with the probability `noise`."""
    return np.where(rng.random(x.shape) < noise, -x, x)
