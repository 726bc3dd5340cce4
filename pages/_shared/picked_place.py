"""The ring on the picture: a place that the views tell of."""

import numpy as np

from pages._shared.lab import Lab


def picked_place(
    lab: Lab,
    *,
    across: float,
    up: float,
    label: str = "Picked point",
    before: str | None = None,
) -> np.ndarray:
    """Give the place, (2,), that was picked.

    across, up : where the ring is until it is dragged, as shares of the picture from its left and
    from its bottom. before : the name in links of old.
    """
    left, right, bottom, top = lab.plane.bounds
    start = np.array([[(1 - across) * left + across * right, (1 - up) * bottom + up * top]])
    return lab.places("query", label, start, look="query", before=before)[0]
