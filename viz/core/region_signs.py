"""A sign in every region that its points do not show to be that of its class.

Colour is not the only sign of a class: its points have its symbol, and so has a region without
them, where there is most room.
"""

import numpy as np
from numpy import ndarray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree

from viz.core.scene import Bounds

_CELLS = 50  # across and up, in which places are looked for
_ROOM = 0.05  # of the picture from a sign's middle to the region's edge and to a point: else none


def places(
    classes: ndarray, box: Bounds, X: ndarray, y: ndarray, query: ndarray | None = None
) -> tuple[ndarray, ndarray]:
    """Return where the signs are, (m, 2), and the class of each, (m,).

    classes : (rows, columns) of the cells of the picture, row 0 at the bottom; below 0 for none.
    X, y : (n, 2) points that are drawn, which a sign should not cover, and (n,) their classes. A
    region has no sign if most of the points in it are of its class. query : (2,) the picked point,
    from which signs keep as far away as from a point.
    """
    classes = classes[tuple(slice(None, None, max(1, size // _CELLS)) for size in classes.shape)]
    rows, columns = classes.shape
    left, right, bottom, top = box
    corner = np.array([left, bottom])
    pitch = np.array([(right - left) / columns, (top - bottom) / rows])
    across, up = classes[:, 1:] == classes[:, :-1], classes[1:] == classes[:-1]

    taken = np.ones(classes.shape, bool)  # by an edge or a point
    taken[1:-1, 1:-1] = ~(across[1:-1, 1:] & across[1:-1, :-1] & up[1:, 1:-1] & up[:-1, 1:-1])
    column, row = np.floor((X - corner) / pitch).astype(int).T
    inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
    column, row = column[inside], row[inside]
    own = y[inside] == classes[row, column]
    taken[row, column] = True
    if query is not None:
        at = np.floor((query - corner) / pitch).astype(int).clip(0, [columns - 1, rows - 1])
        taken[at[1], at[0]] = True
    cells = np.indices(classes.shape).reshape(2, -1).T
    room = KDTree(cells[taken.ravel()]).query(cells)[0]

    number = np.arange(classes.size).reshape(classes.shape)
    pairs = [(number[:, 1:][across], number[:, :-1][across]), (number[1:][up], number[:-1][up])]
    joined = np.concatenate(pairs, axis=1)
    links = coo_array((np.ones(joined.shape[1]), joined), (classes.size, classes.size))
    count, region = connected_components(links, directed=False)

    order = np.argsort(room, kind="stable")
    middles = np.zeros(count, int)
    middles[region[order]] = order  # the last of a region has the most room
    shown = classes.ravel()[middles]
    others = np.bincount(region[number[row, column]], 1 - 2 * own, count)  # less those of the class
    kept = (room[middles] >= _ROOM * rows) & (shown >= 0) & (others >= 0)
    return corner + (cells[middles[kept]][:, ::-1] + 0.5) * pitch, shown[kept]
