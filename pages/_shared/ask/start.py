"""Where a clustering starts, and where it goes on: by a rule, or dragged on the picture."""

import numpy as np

from pages._shared.lab.mode_tools import Lab
from pages._shared.stage.handles import places_text, read_places

PLACED = "placed by hand"


def moved_to(lab: Lab, step: int, before: np.ndarray) -> np.ndarray:
    """Ask where centres are put by hand at a step; those that are not dragged stay as before."""
    places = lab.places("centers", "Centre", before, at=step)
    stays = (places == read_places(places_text(before))).all(axis=1, keepdims=True)
    return np.where(stays, before, places)


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
