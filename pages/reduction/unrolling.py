"""The modes of the lab; its lesson is unrolling.md."""

import numpy as np
from scipy.spatial.distance import cdist

from algorithms.reduction.unrolling import isomap as algorithm
from algorithms.reduction.unrolling import (
    laplacian_eigenmaps,
    locally_linear_embedding,
    short_cuts,
)
from pages._shared.ask.place import picked_place
from pages._shared.ask.width import ask_gamma
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.session.cache import Later
from viz.reduction.multidimensional_scaling.marks import Given
from viz.reduction.unrolling.isomap import Isomap
from viz.reduction.unrolling.laplacian_eigenmaps import Eigenmaps
from viz.reduction.unrolling.locally_linear_embedding import LocallyLinear

MOST = 200  # points that are used
MOST_NEIGHBORS = 20


def isomap(lab: Lab) -> Shown:
    """Keep the ways along the edges between neighbours."""
    k = ask_neighbors(lab)
    table, things, measure = ask_points(lab)
    k = fewer(k, table)
    run = lab.run(algorithm.isomap, table, n_neighbors=k)
    counts = lab.later(short_cuts.short_cuts_by_neighbors, table, measure, MOST_NEIGHBORS)
    query = ask_picked(lab, things, across=0.29, up=0.67)
    return lab.scene(Isomap, run, things, measure, counts, query, k, code=algorithm)


def locally_linear(lab: Lab) -> Shown:
    """Keep the weights that rebuild every point from its neighbours."""
    k = ask_neighbors(lab)
    table, things, measure = ask_points(lab)
    run = lab.run(
        locally_linear_embedding.locally_linear_embedding, table,
        n_neighbors=fewer(k, table), n_components=axes(table),
    )  # fmt: skip
    query = ask_picked(lab, things, across=0.13, up=0.5)
    return lab.scene(
        LocallyLinear, run, things, measure, query, table, code=locally_linear_embedding
    )


def eigenmaps(lab: Lab) -> Shown:
    """Keep points near that have heavy edges in the graph of spectral clustering."""
    gamma = ask_gamma(lab)
    table, things, measure = ask_points(lab)
    run = lab.run(
        laplacian_eigenmaps.laplacian_eigenmaps, table, gamma=gamma, n_components=axes(table)
    )
    query = ask_picked(lab, things, across=0.13, up=0.5)
    return lab.scene(Eigenmaps, run, things, measure, query, code=laplacian_eigenmaps)


def ask_neighbors(lab: Lab) -> int:
    """Ask for the number of neighbours of every point."""
    return lab.slider("neighbors", "Neighbours k", 2, MOST_NEIGHBORS, 6)


def ask_points(lab: Lab) -> tuple[np.ndarray, Given, Later]:
    """Ask for the columns; return the points that are used, their distances, and the yardstick."""
    every = lab.toggle("all", "Use all columns, not just two", True)
    data, n = lab.data, len(lab.data.X)
    rows = np.unique(np.linspace(0, max(n - 1, 0), min(n, MOST)).round().astype(int))
    table = (data.table if every else data.X)[rows]
    things = Given(cdist(table, table), data=lab.plane, rows=rows)
    return table, things, lab.later(short_cuts.yardstick, table)


def ask_picked(lab: Lab, things: Given, *, across: float, up: float) -> np.ndarray:
    """Ask for a place, and return that of the nearest point that is used: the ring goes there."""
    place, X = picked_place(lab, across=across, up=up), lab.plane.X[things.rows]
    if not len(X):
        return place
    picked = X[np.square(X - place).sum(axis=1).argmin()]
    lab.handles[-1]["places"] = [picked.tolist()]
    return picked


def fewer(k: int, table: np.ndarray) -> int:
    """Return k, or all other points if there are fewer."""
    return min(k, max(len(table) - 1, 1))


def axes(table: np.ndarray) -> int:
    """Return 2, or as many axes as so few points can have."""
    return min(2, max(len(table) - 1, 1))


MODES = {"isomap": isomap, "locally linear": locally_linear, "eigenmaps": eigenmaps}

if __name__ == "__main__":
    open_lab(__file__, data="spiral").show(MODES)
