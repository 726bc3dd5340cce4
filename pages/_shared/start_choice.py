"""Where a clustering starts: found by a rule, or dragged on the picture."""

import numpy as np

from pages._shared.lab import Lab
from pages._shared.stage.handles import places_text

PLACED = "placed by hand"


def placed_at(centers: np.ndarray) -> dict[str, str]:
    """Give the parameters that place the centres, to four digits."""
    return {"init": PLACED, "centers": places_text(centers)}


def choose_start(lab: Lab, label: str, rule: str, k: int) -> tuple[str, str | np.ndarray]:
    """Show the ways to start with k centres: `rule`, random ones, or places that are dragged.

    Returns the way's name, and what the algorithm is given.
    """
    name = lab.choice("init", label, [rule, "random", PLACED], "random")
    if name != PLACED:
        return name, name
    left, right, bottom, top = lab.plane.bounds
    across = left + (right - left) * (np.arange(k) + 1) / (k + 1)
    middle = np.full(k, (bottom + top) / 2)
    return name, lab.places("centers", "Their places", np.column_stack([across, middle]))
