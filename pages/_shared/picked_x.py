"""The ring on a rail at the bottom of the picture: an x at which a curve is read off."""

import numpy as np

from pages._shared.lab import Lab
from viz.core.scene import Bounds


def picked_x(lab: Lab, bounds: Bounds | None = None) -> float:
    """Give the x that was picked. bounds : of the picture, if they are not those of the data."""
    left, right, bottom, top = bounds or lab.plane.bounds
    rail = bottom + 0.04 * (top - bottom)
    start = np.array([[0.3 * left + 0.7 * right, rail]])
    ring = lab.places(
        "query", "Picked x", start, look="query", within=(left, right, rail, rail), along="x"
    )
    return float(ring[0, 0])
