"""The random numbers that decide which points are held out."""

import numpy as np

ABOUT_HELD_OUT = "Every point is held out with this probability, so the share varies with the seed."


def split_rng(seed: int) -> np.random.Generator:
    """Return a second stream of the seed.

    The first stream has drawn the points, so its numbers are not independent of their places.
    """
    return np.random.default_rng([seed, 1])
