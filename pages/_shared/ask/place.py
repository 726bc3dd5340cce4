"""The ring on the picture: a point that the views explain, or an x at which they read a curve."""

import numpy as np

from algorithms.data.presets import DATASETS
from pages._shared.data import edits
from pages._shared.lab.mode_tools import Lab
from viz.core.scene import Bounds


def picked_place(
    lab: Lab,
    *,
    across: float,
    up: float,
    label: str = "Picked point",
    before: str | None = None,
    bounds: Bounds | None = None,
    snapped: bool = False,
    name: str = "query",
) -> np.ndarray:
    """Return the (2,) place that the user has picked.

    across, up : where the ring is until it is dragged, as shares of the picture from its left and
    bottom edge. Among points from a file it is at their medians. before : the name in old links.
    bounds : the edges of the picture; by default those of the data.
    snapped : the ring begins on the point nearest to this place. name : of the parameter, where
    "query" is another mode's.
    """
    left, right, bottom, top = bounds or lab.plane.bounds
    start = np.array([[(1 - across) * left + across * right, (1 - up) * bottom + up * top]])
    if _from_a_file(lab):
        start = np.median(lab.plane.X, axis=0, keepdims=True)
    if snapped and len(lab.plane.X):
        start = lab.plane.X[[np.square(lab.plane.X - start).sum(axis=1).argmin()]]
    return lab.places(name, label, start, look="query", within=bounds, before=before)[0]


def picked_x(lab: Lab, bounds: Bounds | None = None) -> float:
    """Return the x that the user has picked on the rail at the bottom of the picture.

    bounds : the edges of the picture; by default those of the data.
    """
    left, right, bottom, top = bounds or lab.plane.bounds
    rail = bottom + 0.04 * (top - bottom)
    across = 0.3 * left + 0.7 * right
    if bounds is None and _from_a_file(lab):
        across = float(np.median(lab.plane.X[:, 0]))
    start = np.array([[across, rail]])
    ring = lab.places(
        "query", "Picked x", start, look="query", within=(left, right, rail, rail), along="x"
    )
    return float(ring[0, 0])


def _from_a_file(lab: Lab) -> bool:
    """Return whether the points are neither drawn nor those of a preset, painted on or not.

    The name says so, which a link keeps: a reader who opens it sees the ring at the same place.
    """
    return lab.data.name not in (*DATASETS, edits.DRAWN) and len(lab.data.X) > 0
