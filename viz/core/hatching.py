"""Stripes over a part of the plane, visible on light and dark paper."""

import numpy as np
from numpy import ndarray

from viz.core import plane
from viz.core.scene import Bounds
from viz.core.theme import GREY, rgb

_FINER, _STRIPE = 3, 12  # dots of the hatching per cell, and from one stripe to the next
_OPACITY, _PALE = np.array([0, 235], np.uint8), np.array([0, 120], np.uint8)


def hatched(
    part: ndarray,
    box: Bounds,
    rising: ndarray | bool = True,
    *,
    outlined: bool = True,
    ink: str = GREY,
) -> dict:
    """Hatch a part of the plane. part : (rows, columns) which cells are in it, from the bottom up.

    rising : whether the stripes rise or fall, for all cells or for each. outlined : with an
    outline and dark stripes; without it they are faint, for a part that has lines around it.
    """
    colors = np.array([rgb(ink)] * 2, np.uint8)
    fine = _fine(part)
    rows, columns = np.indices(fine.shape, np.int16)
    up = _fine(np.broadcast_to(rising, part.shape))
    stripes = np.where(up, rows - columns, rows + columns) % _STRIPE < _FINER
    if not outlined:
        return plane.image((fine & stripes).astype(np.uint8), colors, _PALE, box)
    # An outline, for parts that are small or slanted enough to be between two stripes.
    inside = _eroded(_eroded(fine))
    return plane.image((fine & (stripes | ~inside)).astype(np.uint8), colors, _OPACITY, box)


def _fine(cells: ndarray) -> ndarray:
    return cells.repeat(_FINER, axis=0).repeat(_FINER, axis=1)


def _eroded(part: ndarray) -> ndarray:
    """Return the part without cells that have a neighbour outside; the picture's edge is inside."""
    wide = np.pad(part, 1, constant_values=True)
    return part & wide[:-2, 1:-1] & wide[2:, 1:-1] & wide[1:-1, :-2] & wide[1:-1, 2:]
