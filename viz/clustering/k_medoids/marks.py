"""Shared parts of k-medoids' modes: lines to the medoids, the limit on swaps."""

import numpy as np
from numpy import ndarray

from algorithms.clustering.k_medoids.k_medoids import MAX_ITER, affordable_swaps
from viz.core import plane
from viz.core.scene import Figure, Plane
from viz.core.words import counted

MOST_LINKED = 1_000  # points that are joined to their medoids by lines; among more these hide them
DISTANCE = {"euclidean": "d", "manhattan": "d₁", "squared euclidean": "d²"}
SUMMED = {  # what the cost adds up
    "euclidean": "distances",
    "manhattan": "Manhattan distances",
    "squared euclidean": "squared distances",
}
SWAP = "from the point that was the medoid to the one that replaces it"
_THIN, _THICK = 0.75, 2.0  # widths of the lines, in pixels
_SIGNS = {"points": "point, in the colour of its cluster", "edges": "a point and its medoid"}
_SIZE = {"size": "large: a point of the sample"}


def clusters(
    data: Plane,
    traces: list[dict],
    places: ndarray,
    labels: ndarray,
    size: ndarray | None = None,
    moved: tuple[ndarray, ndarray] | None = None,
) -> Figure:
    """Draw every point joined to its medoid, with further traces above.

    size : of the points, if those of a sample are large. moved : which points come nearer to their
    medoid in this step, so that their lines are thick, and which go farther: their lines are left
    to the traces.
    """
    points = plane.points(data.X, labels, size=size)
    few = len(data.X) <= MOST_LINKED
    width = _THIN if moved is None else np.select(moved, (_THICK, 0.0), _THIN)
    edges = plane.edges(places[labels], data.X, width=width) if few else None
    signs = _SIGNS if size is None else _SIGNS | _SIZE
    if moved is not None:
        signs = signs | {"edges": "a point and its medoid; thick: nearer than before this step"}
    return plane.figure(traces, data.bounds, data.names, points=points, edges=edges, signs=signs)


def medoids(places: ndarray) -> dict:
    """Draw the medoids, numbered and small, so that they hide few of the points around them."""
    drawn = plane.centers(places)
    small = {
        "name": "medoid, one of the points",
        "textfont": drawn["textfont"] | {"size": 14},
        "marker": drawn["marker"] | {"size": 21, "line": {"width": 2, "color": "#ffffff"}},
    }
    return drawn | small


def lines_join(n: int) -> list[str]:
    """Write that lines join the points to their medoids, if they do."""
    return ["A line joins every point to its medoid."] if n <= MOST_LINKED else []


def few_swaps(n: int) -> list[str]:
    """Write the limit on PAM's swaps for large data sets."""
    swaps = affordable_swaps(n)
    few = f"With {n:,} points PAM takes {counted(swaps, 'swap')} at most, to keep it quick."
    return [few] if swaps < MAX_ITER else []
