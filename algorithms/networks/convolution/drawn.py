"""The drawing of the board's points as rows of cells from the top, and moved to the side."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core.drawing import drawing


def drawn(
    X: Float[ndarray, "n 2"],
    box: tuple[float, float, float, float],
    pen: float,
    *,
    cells: int = 16,
    shift: int = 0,
) -> Float[ndarray, "h w"]:
    """Return the drawing of the points in a box, its first row at the top.

    shift : columns by which it is moved to the right, or to the left if it is below 0.

    Raises ValueError if there are no points.
    """
    if len(X) == 0:
        raise ValueError("There is no drawing yet. Choose Point or Brush and draw some points.")
    return shifted(drawing(X, box, pen, cells=cells)[::-1], shift)


def shifted(image: Float[ndarray, "h w"], columns: int) -> Float[ndarray, "h w"]:
    """Return the image moved to the right, or to the left if `columns` < 0; zeros come in."""
    moved, w = np.zeros_like(image), image.shape[1]
    kept = image[:, max(-columns, 0) : w - max(columns, 0)]
    moved[:, max(columns, 0) : w + min(columns, 0)] = kept
    return moved
