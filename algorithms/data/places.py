"""Things that have distances, but are not points of a table: towns and words.

Towns by latitude and longitude in degrees, rounded to a tenth.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray


class Towns(NamedTuple):
    """Names and places on the globe, latitude before longitude."""

    names: tuple[str, ...]
    degrees: Float[ndarray, "n 2"]


EUROPE = Towns(
    ("Athens", "Berlin", "Dublin", "Helsinki", "Lisbon", "London", "Madrid", "Oslo", "Paris",
     "Rome", "Vienna", "Warsaw"),
    np.array(
        [[38.0, 23.7], [52.5, 13.4], [53.3, -6.3], [60.2, 24.9], [38.7, -9.1], [51.5, -0.1],
         [40.4, -3.7], [59.9, 10.8], [48.9, 2.4], [41.9, 12.5], [48.2, 16.4], [52.2, 21.0]]
    ),
)  # fmt: skip

WORDS = (
    "cat", "cart", "care", "core", "cord", "word", "work", "fork", "for", "far", "car", "bar",
)  # fmt: skip
