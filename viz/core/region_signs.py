"""A sign in every region of a class, where there is most room: colour is not the only one."""

import numpy as np
from numpy import ndarray
from scipy import ndimage

from viz.core.scene import Bounds

_LEAST = 0.02  # of the picture: a smaller region of a class that has a larger one gets no sign
_ROOM = 3.5  # cells from a sign's middle to the next region, point, or edge: else there is none


def places(classes: ndarray, box: Bounds, X: ndarray) -> tuple[ndarray, ndarray]:
    """Return where the signs are, (m, 2), and the class of each, (m,).

    classes : (rows, columns) of the cells of the picture, row 0 at the bottom; below 0 for none.
    X : (n, 2) points that are drawn, which a sign should not cover.
    """
    rows, columns = classes.shape
    left, right, bottom, top = box
    corner = np.array([left, bottom])
    pitch = np.array([(right - left) / columns, (top - bottom) / rows])
    free = np.ones(classes.shape, bool)
    if len(X):
        column, row = np.floor((X - corner) / pitch).astype(int).T
        inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        free[row[inside], column[inside]] = False
    found, shown = [], []
    for k in np.unique(classes[classes >= 0]).tolist():
        parts, count = ndimage.label(classes == k)  # type: ignore
        index = np.arange(1, count + 1)
        area = ndimage.sum_labels(np.ones(classes.shape), parts, index) / classes.size
        bare: ndarray = np.pad((parts > 0) & free, 1)
        room = ndimage.distance_transform_edt(bare)[1:-1, 1:-1]  # type: ignore
        middles = np.array(ndimage.maximum_position(room, parts, index))
        wide = room[tuple(middles.T)] >= _ROOM
        for middle in middles[wide & ((area >= _LEAST) | (area == area.max()))]:
            found.append(corner + (middle[::-1] + 0.5) * pitch)
            shown.append(k)
    return np.array(found).reshape(-1, 2), np.array(shown, int)
