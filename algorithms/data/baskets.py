"""A small table of shoppers and goods, yes or no, for measures of binary features."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool
from numpy import ndarray


class Baskets(NamedTuple):
    """A table of yes and no with the names of its rows and columns."""

    bought: Bool[ndarray, "n goods"]
    shoppers: tuple[str, ...]
    goods: tuple[str, ...]


BASKETS = Baskets(
    bought=np.array(
        [
            [1, 1, 1, 1, 1, 0, 0, 0, 0, 0],
            [1, 1, 1, 0, 1, 1, 0, 0, 0, 0],
            [1, 1, 0, 0, 0, 0, 0, 1, 1, 0],
            [1, 1, 1, 1, 1, 1, 1, 0, 1, 1],
            [0, 0, 0, 1, 0, 1, 1, 0, 1, 0],
            [1, 1, 0, 1, 0, 0, 0, 0, 0, 1],
            [0, 0, 0, 0, 0, 0, 1, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0, 1, 0, 0],
        ]
    ).astype(bool),
    shoppers=("Ann", "Ben", "Cem", "Dora", "Eli", "Fay", "Gus", "Hal"),
    goods=("bread", "milk", "eggs", "cheese", "apples", "rice", "tea", "beer", "soap", "jam"),
)
"""Eight shoppers and ten goods, made up for this lab."""
