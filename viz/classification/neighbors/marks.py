"""Shared parts of two modes of k nearest neighbours: the regions of the vote, and the units."""

import numpy as np
from numpy import ndarray

from algorithms.classification.neighbors.nearest_neighbors import NearestNeighborsStep
from viz.core import plane
from viz.core.found import Regions
from viz.core.scene import Bounds, Plane
from viz.core.words import listed, number

_BORDER = "line: the winner of the vote changes here"
_CORNER = 0.7  # of a cell: a border bends less than this, so that cells' corners do not show
_PALE = 0.6  # the shade where all votes agree, so that points stand out from it


def vote_regions(model: NearestNeighborsStep, box: Bounds, cells: int) -> dict:
    """Draw the winner of the vote over the plane, fainter where it has fewer votes."""
    shares = _shares(model, box, cells)
    sure = plane.certainty(shares.max(axis=2), len(model.classes))
    return plane.regions(model.classes[shares.argmax(axis=2)], _PALE * np.clip(sure, 0, 1), box)


def border(model: NearestNeighborsStep, box: Bounds, cells: int) -> dict:
    """Draw the line on which the winner of the vote changes."""
    x, y, _ = plane.grid(box, cells)
    winner = _shares(model, box, cells).argmax(axis=2)
    each = np.unique(winner)
    look = {"line": {"width": 2}, "name": _BORDER}
    if len(each) < 2:
        return plane.line(plane.GAP, **look)
    scores = (winner == each[:, None, None]).astype(float)
    return plane.borders(x, y, scores, tolerance=_CORNER / cells, **look)


def found(model: NearestNeighborsStep, box: Bounds, cells: int) -> Regions:
    """Return the winner of the vote in every cell."""
    return Regions(model.classes[_shares(model, box, cells).argmax(axis=2)])


def units(model: NearestNeighborsStep, data: Plane) -> str:
    """Write the units in which distances are measured."""
    if (model.spread == 1).all():
        return "Distances are in the units of the data."
    return f"Distances are taken after {scaled(model, data)}."


def scaled(model: NearestNeighborsStep, data: Plane) -> str:
    """Write what is done to the columns first: one is multiplied, or each is divided."""
    across, up = model.spread.tolist()
    if across == 1:
        return f"multiplying {data.names[1]} by {number(1 / up)}"
    parts = zip(data.names, model.spread, strict=True)
    return f"dividing {listed([f'{name} by {number(float(spread))}' for name, spread in parts])}"


def _shares(model: NearestNeighborsStep, box: Bounds, cells: int) -> ndarray:
    """Return every class's share of the votes, (cells, cells, c), row 0 at the bottom."""
    return model.predict_proba(plane.grid(box, cells)[2]).reshape(cells, cells, -1)
