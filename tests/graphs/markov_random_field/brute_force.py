"""All pictures of a small size with their energies, cell by cell and pair by pair."""

from itertools import product

import numpy as np


def energy(x: np.ndarray, y: np.ndarray, coupling: float, data_weight: float) -> float:
    """Return the energy of a picture, as the sum over all cells and all pairs of neighbours."""
    (h, w), found = x.shape, 0.0
    for i, j in product(range(h), range(w)):
        found -= data_weight * x[i, j] * y[i, j]
        found -= coupling * sum(
            x[i, j] * x[k, m] for k, m in ((i + 1, j), (i, j + 1)) if k < h and m < w
        )
    return float(found)


def all_pictures(shape: tuple[int, int]) -> np.ndarray:
    """Return all pictures of a shape."""
    every = np.array(list(product((-1, 1), repeat=shape[0] * shape[1])))
    return every.reshape(-1, *shape)


def shares(y: np.ndarray, coupling: float, data_weight: float, temperature: float) -> np.ndarray:
    """Return the probability that each cell is black."""
    pictures = all_pictures(y.shape)
    E = np.array([energy(x, y, coupling, data_weight) for x in pictures])
    weight = np.exp(-(E - E.min()) / temperature)
    return np.tensordot(weight / weight.sum(), pictures == 1, 1)


def picture(seed: int, shape: tuple[int, int] = (3, 4)) -> tuple[np.ndarray, float, float]:
    """Return a random picture, a coupling and a data weight."""
    rng = np.random.default_rng(seed)
    coupling, data_weight = rng.uniform(0.05, 1.5, 2)
    return rng.choice([-1, 1], shape), float(coupling), float(data_weight)
