"""The centres that a clustering starts from or goes on from, by a rule or dragged by the user."""

import numpy as np

from pages._shared.lab.mode_tools import Lab
from pages._shared.stage.handles import places_text, read_places

PLACED = "placed by hand"


def moved_to(lab: Lab, step: int, before: np.ndarray) -> np.ndarray:
    """Ask where centres are moved by hand at a step; centres that are not dragged stay."""
    places = lab.places("centers", "Centre", before, at=step)
    stays = (places == read_places(places_text(before))).all(axis=1, keepdims=True)
    return np.where(stays, before, places)


def choose_start(
    lab: Lab, label: str, rule: str, k: int, *, default: str = "random"
) -> tuple[str, str | np.ndarray]:
    """Ask how to start with k centres: by `rule`, at random, or at places that are dragged.

    Return the name of the choice, and the argument for the algorithm.
    """
    name = lab.choice("init", label, [rule, "random", PLACED], default)
    if name != PLACED:
        return name, name
    left, right, bottom, top = lab.plane.bounds
    across = left + (right - left) * (np.arange(k) + 1) / (k + 1)
    middle = np.full(k, (bottom + top) / 2)
    return name, lab.places("centers", "First centre", np.column_stack([across, middle]))
