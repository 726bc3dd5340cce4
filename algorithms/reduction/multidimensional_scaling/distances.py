"""Tables of distances: checks, distances on the globe, and distances between words."""

from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate

EARTH = 6371.0  # km, the mean radius


def checked(distances: Any) -> Float[ndarray, "n n"]:
    """Return `distances` as a table.

    Raises ValueError unless it is square, symmetric, finite, nowhere negative and 0 on its
    diagonal.
    """
    D = validate.points(distances, name="distances")
    if D.shape[0] != D.shape[1]:
        raise ValueError(f"distances must be a square table, got shape {D.shape}")
    if D.min() < 0 or np.diagonal(D).any() or not np.allclose(D, D.T, rtol=1e-9, atol=0):
        raise ValueError("distances must be symmetric and not negative, with 0 on the diagonal")
    return (D + D.T) / 2


def on_the_globe(degrees: Float[ndarray, "n 2"]) -> Float[ndarray, "n n"]:
    """Return the great-circle distances in km between places given by latitude and longitude."""
    lat, lon = np.radians(degrees).T
    half = np.sin((lat[:, None] - lat) / 2) ** 2
    half += np.cos(lat[:, None]) * np.cos(lat) * np.sin((lon[:, None] - lon) / 2) ** 2
    return 2 * EARTH * np.arcsin(np.sqrt(half.clip(0, 1)))


def edit_distances(words: tuple[str, ...]) -> Float[ndarray, "n n"]:
    """Return the number of letters to insert, delete or change between every two words."""
    return np.array([[float(_edits(a, b)) for b in words] for a in words])


def _edits(a: str, b: str) -> int:
    """Return the edit distance of two words, by Levenshtein's table, row by row."""
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        before, row = row, [i]
        for j, other in enumerate(b, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other)))
    return row[-1]
