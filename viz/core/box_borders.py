"""Where a function that is constant in boxes, such as a tree's class, changes its value."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy import ndarray

from viz.core.scene import Bounds


def box_borders(
    predict: Callable[[ndarray], ndarray], cuts: Iterable[tuple[int, float]], box: Bounds
) -> tuple[ndarray, ndarray, ndarray]:
    """Return the borders as (m, 2, 2) ends of upright and level lines, and the values beside them.

    cuts : (axis, place) of all lines on which the value may change. The values are (m,) to the left
    of an upright line or below a level one, and (m,) on the other side.
    """
    left, right, bottom, top = box
    cuts = list(cuts)
    stops = [
        np.unique([low, high, *(t for axis, t in cuts if axis == j and low < t < high)])
        for j, (low, high) in enumerate(((left, right), (bottom, top)))
    ]
    x, y = ((ends[1:] + ends[:-1]) / 2 for ends in stops)
    cells = np.column_stack([np.tile(x, len(y)), np.repeat(y, len(x))])
    says = predict(cells).reshape(len(y), len(x))
    level, upright = _runs(says, stops[1], stops[0]), _runs(says.T, stops[0], stops[1])
    ends, before, after = (np.concatenate(parts) for parts in zip(upright, level, strict=True))
    ends[len(upright[0]) :] = ends[len(upright[0]) :, :, ::-1]
    return ends, before, after


def _runs(says: ndarray, across: ndarray, along: ndarray) -> tuple[ndarray, ndarray, ndarray]:
    """Return the borders between neighbouring rows of `says`, joined where they are in one line.

    across, along : the edges of the rows and of the columns.
    """
    i, j = np.nonzero(says[1:] != says[:-1])
    before, after = says[i, j], says[i + 1, j]
    goes_on = (i[1:] == i[:-1]) & (j[1:] == j[:-1] + 1)
    goes_on &= (before[1:] == before[:-1]) & (after[1:] == after[:-1])
    first = np.flatnonzero(np.concatenate([np.ones(min(len(i), 1), bool), ~goes_on]))
    last = np.append(first[1:] - 1, len(i) - 1)[: len(first)]
    place = across[i[first] + 1]
    ends = [[place, along[j[first]]], [place, along[j[last] + 1]]]
    return np.array(ends).transpose(2, 0, 1), before[first], after[first]
