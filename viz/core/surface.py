"""A height over the plane, such as a loss over two weights, as bands of blue."""

import numpy as np
from numpy import ndarray

from viz.core import plane
from viz.core.scene import Bounds
from viz.core.theme import RGB

_BANDS = 14
_FAINT, _STRONG = 10, 110  # opacity of 255 of the lowest and of the highest band


def bands(
    first: ndarray,
    second: ndarray,
    height: ndarray,
    ends: tuple[float, float] | None = None,
    *,
    strong: int = _STRONG,
    ink: int = 0,
) -> tuple[dict, Bounds]:
    """Return an image trace of (len(second), len(first)) heights, and the box that it covers.

    first, second : the weights across and up, evenly spaced, at the middles of the cells. All bands
    are equally high: take a root or a logarithm of a loss to see more of its valley. ends : the
    heights of the lowest and the highest band, by default those of these heights. strong : the
    opacity of the highest band, of 255. ink : their colour, as an index into the palette.
    """
    low, high = ends or (float(height.min()), float(height.max()))
    band = ((height - low) / (high - low or 1.0) * _BANDS).clip(0, _BANDS - 1).astype(np.uint8)
    colors = np.tile(np.array([RGB[ink]], np.uint8), (_BANDS, 1))
    opacity = np.linspace(_FAINT, strong, _BANDS).astype(np.uint8)
    box = (*_ends(first), *_ends(second))
    return plane.image(band, colors, opacity, box) | {
        "name": "height of the surface: deeper is higher"
    }, box


def _ends(middles: ndarray) -> tuple[float, float]:
    half = (middles[1] - middles[0]) / 2
    return float(middles[0] - half), float(middles[-1] + half)
