"""The handles and the axis of pictures in which a line is turned by hand."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from viz.core.scene import Bounds

_REACH = 0.9  # of the way from the centre to the edge: where the handles are


def handles(center: ndarray, directions: ndarray, box: Bounds) -> ndarray:
    """Return the (steps, 2, 2) places of the handles at both ends of a line, inside the picture.

    directions : (steps, 2), of any length, in the units of the data.
    """
    left, right, bottom, top = box
    room = np.minimum(center - [left, bottom], [right, top] - center)
    room = _REACH * np.maximum(room, 0.05 * np.array([right - left, top - bottom]))
    share = directions / room
    half = directions / np.hypot(*share.T)[:, None]  # on the ellipse that fits
    return np.stack([center + half, center - half], axis=1)


def across_the_picture(directions: ndarray, box: Bounds) -> ndarray:
    """Return each direction with a length that leads out of the picture."""
    left, right, bottom, top = box
    share = np.abs(directions / [right - left, top - bottom]).max(axis=1, initial=0)
    return directions / np.where(share > 0, share, 1.0)[:, None]


def opening(angles: Sequence[float]) -> int:
    """Return the step at which a line that is turned is shown first: on the way, at 20°."""
    return int(np.abs(np.asarray(angles) - 20).argmin())


def angle_axis() -> dict:
    """Return the axis of a panel against the angle."""
    ticks = list(range(0, 181, 30))
    return {"range": [-4, 184], "tickvals": ticks, "ticktext": [f"{tick}°" for tick in ticks]}
