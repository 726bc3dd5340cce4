"""The ring on the picture: a point that the views explain, or an x at which they read a curve."""

import numpy as np

from pages._shared.lab.mode_tools import Lab
from viz.core.scene import Bounds


def picked_place(
    lab: Lab,
    *,
    across: float,
    up: float,
    label: str = "Picked point",
    before: str | None = None,
) -> np.ndarray:
    """Return the (2,) place that the user has picked.

    across, up : where the ring is until it is dragged, as shares of the picture from its left and
    bottom edge. before : the name in old links.
    """
    left, right, bottom, top = lab.plane.bounds
    start = np.array([[(1 - across) * left + across * right, (1 - up) * bottom + up * top]])
    return lab.places("query", label, start, look="query", before=before)[0]


def picked_x(lab: Lab, bounds: Bounds | None = None) -> float:
    """Return the x that the user has picked on the rail at the bottom of the picture.

    bounds : the edges of the picture; by default those of the data.
    """
    left, right, bottom, top = bounds or lab.plane.bounds
    rail = bottom + 0.04 * (top - bottom)
    start = np.array([[0.3 * left + 0.7 * right, rail]])
    ring = lab.places(
        "query", "Picked x", start, look="query", within=(left, right, rail, rail), along="x"
    )
    return float(ring[0, 0])
