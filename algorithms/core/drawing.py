"""A drawing of cells, black where a point is near and white elsewhere.

    A_ij = 1 if some point is within `pen` / 2 cells of the middle of cell ij, otherwise 0

A point always fills the cell that it is in. Row 0 is at the bottom.

Cost: O(n h w).
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.spatial.distance import cdist


def drawing(
    X: Float[ndarray, "n 2"], box: tuple[float, float, float, float], pen: float, *, cells: int = 32
) -> Float[ndarray, "h w"]:
    """Return the drawing of the points inside a box: left, right, bottom, top.

    cells : along either side.
    """
    left, right, bottom, top = box
    places = cells * (X - [left, bottom]) / [right - left, top - bottom]
    along = np.arange(cells) + 0.5
    middles = np.column_stack([np.tile(along, cells), np.repeat(along, cells)])
    A = (cdist(middles, places) <= pen / 2).any(axis=1).reshape(cells, cells)
    columns, rows = np.floor(places[((places >= 0) & (places < cells)).all(axis=1)]).astype(int).T
    A[rows, columns] = True
    return A.astype(float)
