"""The regions of a vote of neighbours."""

import numpy as np

from algorithms.classification.neighbors.nearest_neighbors import NearestNeighborsStep
from viz.core import plane
from viz.core.scene import Bounds

CELLS = 80  # of a surface, both ways


def surface(model: NearestNeighborsStep, box: Bounds, cells: int = CELLS) -> dict:
    """Fill the plane with the winner of the vote: the paler, the fewer votes it has."""
    shares = model.predict_proba(plane.grid(box, cells)[2])
    winner = model.classes[shares.argmax(axis=1)].reshape(cells, cells)
    sure = plane.certainty(shares.max(axis=1), len(model.classes)).reshape(cells, cells)
    return plane.regions(winner, np.clip(sure, 0, 1), box)
