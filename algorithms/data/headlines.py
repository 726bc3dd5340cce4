"""Short news items as counts of words: a table for mixtures of multinomials."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Int
from numpy import ndarray


class WordCounts(NamedTuple):
    """A table of counts with the names of its rows and columns."""

    counts: Int[ndarray, "n words"]
    documents: tuple[str, ...]
    words: tuple[str, ...]


HEADLINES = WordCounts(
    counts=np.array(
        [
            [5, 3, 2, 0, 0, 1, 0, 0, 0],
            [3, 4, 1, 0, 1, 0, 0, 0, 0],
            [4, 2, 4, 1, 0, 0, 0, 0, 1],
            [2, 1, 3, 0, 0, 0, 1, 0, 0],
            [0, 0, 0, 4, 3, 2, 0, 1, 0],
            [0, 1, 0, 3, 5, 1, 0, 0, 0],
            [1, 0, 0, 2, 4, 3, 1, 0, 0],
            [0, 0, 1, 5, 2, 4, 0, 0, 0],
            [0, 0, 0, 0, 1, 0, 4, 3, 2],
            [0, 0, 1, 0, 0, 0, 2, 5, 3],
            [1, 0, 0, 0, 0, 1, 3, 2, 5],
            [2, 2, 1, 0, 0, 0, 2, 3, 2],
        ]
    ),
    documents=(
        "cup final", "league", "transfer", "training",
        "budget", "election", "reform", "parliament",
        "storm", "heat wave", "forecast", "rained off",
    ),
    words=("goal", "team", "coach", "vote", "tax", "law", "rain", "wind", "sun"),
)  # fmt: skip
"""Twelve short news items, made up for this lab: sport, politics, weather, and one in between."""
