"""Stumps for tests of a vote: at random, or every different one that there is."""

import numpy as np

from algorithms.ensembles.ada_boost.stumps import Stumps, stumps


def at_random(X: np.ndarray, count: int, rng: np.random.Generator) -> Stumps:
    """Return stumps with random cuts within the points, and random sides."""
    feature = rng.integers(X.shape[1], size=count)
    low, high = X.min(axis=0)[feature], X.max(axis=0)[feature]
    return stumps(feature, rng.uniform(low, high), rng.choice([-1, 1], count))


def all_of(X: np.ndarray) -> Stumps:
    """Return the stumps half-way between neighbouring values of every feature, with both sides."""
    placed = []
    for feature, column in enumerate(X.T):
        level = np.unique(column)
        for cut in (level[:-1] + level[1:]) / 2:
            placed += [(feature, cut, 1), (feature, cut, -1)]
    return stumps(*(np.array([each[k] for each in placed]) for k in range(3)))
