"""Words in a picture, beside the marks and lines that they name."""

import numpy as np
from numpy import ndarray

from viz.core import plane
from viz.core.scene import Bounds


def words(at: ndarray, text: str, side: str, **font) -> dict:
    """Write a few words beside a place, to name a mark. side : Plotly's, such as "top left"."""
    look = {"shadow": "auto"} | font
    return plane.line(at.reshape(1, 2), mode="text", text=[text], textposition=side, textfont=look)


def word_at_end(border: dict, box: Bounds, word: str, **style) -> dict:
    """Write a word beside an end of a `straight_border`, inside the picture.

    The end is the right one of a flat line, and the upper one of a steep line.
    """
    ends = np.column_stack([plane.unpacked(border[axis]) for axis in "xy"]).astype(float)
    ends = ends[np.isfinite(ends[:, 0])]
    where, place = "top left", plane.GAP
    if len(ends):
        size = np.array([box[1] - box[0], box[3] - box[2]])
        across, up = (ends[-1] - ends[0]) / size
        flat, rising = abs(across) >= abs(up), across * up > 0
        end = ends[ends[:, 0 if flat else 1].argmax()]
        middle = (ends[0] + ends[-1]) / 2
        place = (end + 0.04 * (middle - end))[None]
        where = ("top left" if flat else "bottom right") if rising else "bottom left"
    font = {"size": 15, "shadow": "auto"} | style.pop("textfont", {})
    return plane.line(place, mode="text", text=[word], textposition=where, textfont=font, **style)
