"""The modes of the lab; its lesson is unrolling.md."""

import numpy as np
from scipy.spatial.distance import cdist

from algorithms.reduction.unrolling import isomap as algorithm
from algorithms.reduction.unrolling import short_cuts
from pages._shared.ask.place import picked_place
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.reduction.multidimensional_scaling.marks import Given
from viz.reduction.unrolling.isomap import Isomap

MOST = 200  # points that are used
MOST_NEIGHBORS = 20


def isomap(lab: Lab) -> Shown:
    """Keep the ways along the edges between neighbours."""
    k = lab.slider("neighbors", "Neighbours k", 2, MOST_NEIGHBORS, 6)
    every = lab.toggle("all", "Use all columns, not just two", True)
    data, n = lab.data, len(lab.data.X)
    rows = np.unique(np.linspace(0, max(n - 1, 0), min(n, MOST)).round().astype(int))
    table = (data.table if every else data.X)[rows]
    k = min(k, max(len(rows) - 1, 1))
    run = lab.run(algorithm.isomap, table, n_neighbors=k)
    measure = lab.later(short_cuts.yardstick, table)
    counts = lab.later(short_cuts.short_cuts_by_neighbors, table, measure, MOST_NEIGHBORS)
    things = Given(cdist(table, table), data=lab.plane, rows=rows)
    query = picked_place(lab, across=0.37, up=0.55)
    return lab.scene(Isomap, run, things, measure, counts, query, k, code=algorithm)


MODES = {"isomap": isomap}

if __name__ == "__main__":
    open_lab(__file__, data="spiral").show(MODES)
