"""What both modes of convolution draw: tables of cells in greys or with signs, and squares."""

import numpy as np
from numpy import ndarray

from viz.core import plane
from viz.core.scene import Bounds
from viz.core.theme import GREY, PALETTE, rgb

SHADES = 24
SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]], float)  # corners, from a low left one

_GREYS = np.array([rgb(GREY)] * SHADES, np.uint8)
_OPACITY = np.linspace(0, 230, SHADES).astype(np.uint8)
_FULL = 175  # of 255: opacity of the strongest grey, on which numbers are read
_LIGHT = np.linspace(0, _FULL, SHADES).astype(np.uint8)
ONE = f"rgba{(*rgb(GREY), round(_FULL / 255, 2))}"  # the look of a cell that is 1
_SIGNED = np.array([rgb(PALETTE[1])] * SHADES + [rgb(PALETTE[0])] * SHADES, np.uint8)
_STRONG = np.concatenate([_OPACITY[::-1], _OPACITY])


def ink(value: float) -> str:
    """Return the colour of a number: blue above 0, orange below, grey for 0."""
    if value == 0:
        return GREY
    return PALETTE[0] if value > 0 else PALETTE[1]


def greys(cells: ndarray, box: Bounds, name: str) -> dict:
    """Draw a table of numbers from 0 to 1, its first row at the top."""
    shade = np.rint(cells[::-1].clip(0, 1) * (SHADES - 1)).astype(np.uint8)
    return plane.image(shade, _GREYS, _LIGHT, box) | {"name": name, "zsmooth": False}


def signed(cells: ndarray, reach: float, box: Bounds, name: str) -> dict:
    """Draw a table of numbers: blue above 0 and orange below, the first row at the top."""
    share = (cells[::-1] / (reach or 1.0)).clip(-1, 1)
    shade = np.where(
        share >= 0, SHADES + share * (SHADES - 1), SHADES - 1 + share * (SHADES - 1)
    )  # 0 is clear on both sides
    shade = np.rint(shade).astype(np.uint8)
    return plane.image(shade, _SIGNED, _STRONG, box) | {"name": name, "zsmooth": False}


def table_box(shape: tuple[int, ...], room: float = 0.0) -> Bounds:
    """Return a box in which cell (row, column) has its low left corner at (column, -row - 1)."""
    rows, columns = shape
    return (-room, columns + room, -rows - room, room)
