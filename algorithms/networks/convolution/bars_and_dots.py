"""Small drawings of two kinds: a bar of four cells, or four dots that do not touch.

Every drawing has four black cells, so their number tells nothing.
"""

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate

LENGTH = 4  # black cells of a drawing


def kinds(n: int) -> Int[ndarray, " n"]:
    """Return what each of n drawings is: 1 for the bars, which come first, and 0 for the dots."""
    return (np.arange(n) < n // 2).astype(int)


def bars_and_dots(
    n: int, *, both_ways: bool = True, cells: int = 8, rng: Generator
) -> Float[ndarray, "n h h"]:
    """Return n drawings, of the kinds that `kinds` says.

    both_ways : bars lie or stand; otherwise all stand.

    Raises ValueError unless n >= 2 and cells >= 6.
    """
    n, cells = validate.integer("n", n, 2), validate.integer("cells", cells, 6)
    draw = (_dots, _bar)
    images = np.stack([draw[kind](cells, rng) for kind in kinds(n).tolist()])
    if both_ways:
        lying = rng.random(n) < 0.5
        images[lying] = images[lying].transpose(0, 2, 1)
    return images


def _bar(cells: int, rng: Generator) -> ndarray:
    image = np.zeros((cells, cells))
    top, column = rng.integers(cells - LENGTH + 1), rng.integers(cells)
    image[top : top + LENGTH, column] = 1.0
    return image


def _dots(cells: int, rng: Generator) -> ndarray:
    """Draw places until no two of them touch, not even at a corner."""
    while True:
        places = np.stack(np.divmod(rng.choice(cells**2, LENGTH, replace=False), cells))
        apart = np.abs(places[:, :, None] - places[:, None]).max(axis=0)
        if (apart + cells * np.eye(LENGTH) > 1).all():
            image = np.zeros((cells, cells))
            image[tuple(places)] = 1.0
            return image
