"""The modes of the lab; its lesson is k_medoids.md."""

import numpy as np

from algorithms.clustering.k_means.many_starts import lowest_inertia
from algorithms.clustering.k_medoids import categories, clara, clarans
from algorithms.clustering.k_medoids import k_medoids as algorithm
from algorithms.clustering.k_medoids import k_modes as by_modes
from algorithms.clustering.k_medoids.categories import ANIMALS, Categories
from algorithms.core.numbering import numbered
from pages._shared.ask.place import picked_place
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.session.values import one_of
from viz.clustering.k_medoids.clara import Samples
from viz.clustering.k_medoids.clarans import Tries
from viz.clustering.k_medoids.k_medoids import Swaps
from viz.clustering.k_medoids.k_modes import Modes
from viz.core.scene import Run

STARTS = ["random", "BUILD"]
TABLES = ["animals", "by chance"]
PICKED = "penguin"  # a row that changes its cluster
SAMPLE = 20  # points: far fewer than all


def swaps(lab: Lab) -> Shown:
    """Choose medoids, and swap them (PAM)."""
    X, k, metric = lab.plane.X, how_many(lab), how_far(lab)
    start = lab.buttons("init", "First medoids", STARTS, STARTS[0])
    rng = seeded(lab, 3)
    how = {"rng": rng, "metric": metric, "max_iter": most(lab)}
    if start == "BUILD":  # which numbers the medoids as they are built
        run = lab.run(algorithm.k_medoids, X, k, **how)
    else:
        run = lab.run(numbered, algorithm.k_medoids, X, k, init="random", **how)
    means = lab.later(lowest_inertia, X, k, rng=np.random.default_rng(0), restarts=10)
    return lab.scene(Swaps, run, lab.plane, means, picked_point(lab), start, code=algorithm)


def drawn_swaps(lab: Lab) -> Shown:
    """Try swaps drawn at random, one by one."""
    X, k, metric = lab.plane.X, how_many(lab), how_far(lab)
    most = lab.slider("failures", "Failures in a row, at most", 10, 500, 50, 10)
    searches = lab.slider("searches", "Searches", 1, 5, 2)
    rng = seeded(lab)
    run = lab.run(
        clarans.clarans, X, k, rng=rng, metric=metric, most_failures=most, searches=searches
    )
    return lab.scene(Tries, run, lab.plane, pam(lab, k, metric), most, code=clarans)


def drawn_samples(lab: Lab) -> Shown:
    """Run PAM on random samples, and judge each result on all points."""
    X, k, metric = lab.plane.X, how_many(lab), how_far(lab)
    samples = lab.slider("samples", "Samples", 1, 20, clara.SAMPLES)
    size = lab.slider(
        "size", "Points of a sample", 10, 200, SAMPLE,
        help="At most all points. Kaufman and Rousseeuw propose 40 + 2k.",
    )  # fmt: skip
    rng = seeded(lab)
    run = lab.run(clara.clara, X, k, rng=rng, metric=metric, samples=samples, size=size)
    return lab.scene(Samples, run, lab.plane, pam(lab, k, metric), code=clara)


def modes(lab: Lab) -> Shown:
    """Cluster a table of categories (k-modes); it does not use the board."""
    name = lab.choice("table", "Table", TABLES, TABLES[0])
    k = lab.slider("modes", "Clusters k", 1, 6, 3)
    rng, drawn = seeded(lab), 0
    if name != TABLES[0]:
        drawn = lab.number("drawn", "Seed of the table", 0, 9999, 0)
    table = ANIMALS if name == TABLES[0] else categories.by_chance(rng=np.random.default_rng(drawn))
    table, row, column = changed(lab, table)
    run = lab.run_apart(by_modes.k_modes, table.rows, k, rng=rng)
    return lab.scene(Modes, run, table, row, column, code=by_modes)


def changed(lab: Lab, table: Categories) -> tuple[Categories, int, int]:
    """Ask for a row, a column and the value in this cell; return the table with all changes."""
    names, columns = list(table.names), list(table.columns)
    first = PICKED if PICKED in names else names[0]
    row = names.index(lab.choice("row", "Picked row", names, first))
    column = columns.index(lab.choice("column", "Column", columns, columns[0]))
    for i, j in np.ndindex(table.rows.shape):
        values, default = table.values[j], table.values[j][table.rows[i, j]]
        own, label = f"{names[i]}.{columns[j]}".replace(" ", ""), f"{columns[j]} of {names[i]}"
        if (i, j) == (row, column):
            value = lab.choice(own, label.capitalize(), list(values), default)
        else:
            value = lab.declare(own, label, default, one_of(values))
        table = table.changed(i, j, values.index(value))
    return table, row, column


def pam(lab: Lab, k: int, metric: str) -> Run:
    """Run PAM on all points, from BUILD, to compare with."""
    rng = np.random.default_rng(0)
    return lab.run(algorithm.k_medoids, lab.plane.X, k, rng=rng, metric=metric, max_iter=most(lab))


def most(lab: Lab) -> int:
    """Return the largest number of swaps PAM may take, so that nobody waits long."""
    return algorithm.affordable_swaps(len(lab.plane.X))


def how_many(lab: Lab) -> int:
    """Ask for the number of clusters."""
    return lab.slider("k", "Clusters k", 1, 8, 3)


def how_far(lab: Lab) -> str:
    """Ask for the distance."""
    return lab.choice("metric", "Distance", algorithm.METRICS, algorithm.METRICS[0])


def seeded(lab: Lab, first: int = 0) -> np.random.Generator:
    """Ask for the seed of the random draws."""
    seed = lab.number("seed", "Seed", 0, 9999, first, help="Draws first medoids, samples, swaps.")
    return np.random.default_rng(seed)


def picked_point(lab: Lab) -> np.ndarray:
    """Return the place whose nearest point is tried as a medoid: by default at the lower right."""
    return picked_place(lab, across=0.9, up=0.21, snapped=True)


MODES = {"PAM": swaps, "CLARA": drawn_samples, "CLARANS": drawn_swaps, "k-modes": modes}

if __name__ == "__main__":
    open_lab(__file__, data="strays").show(MODES)
