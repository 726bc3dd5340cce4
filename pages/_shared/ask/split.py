"""The random numbers that decide which points are learned from, and which are held out."""

import numpy as np


def split_rng(seed: int) -> np.random.Generator:
    """Give a second stream of the seed.

    The first one has drawn the points: it would hold out a part of their shape.
    """
    return np.random.default_rng([seed, 1])
