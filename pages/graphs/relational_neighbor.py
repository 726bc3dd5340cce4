"""The mode of the lab; its lesson is relational_neighbor.md."""

import numpy as np
from numpy import ndarray

from algorithms.graphs import relational_neighbor as algorithm
from pages._shared.ask.place import picked_place
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.graphs.relational_neighbor import Rounds

TOLERANCES = [0.01, 0.005, 0.001, 0.0001]


def rounds(lab: Lab) -> Shown:
    """Spread a few known labels over the graph of near points."""
    X, y = lab.plane.X, lab.plane.labels
    most = max(1, min(30, len(X) - 1))
    k = lab.slider("k", "Neighbours k", 1, 30, 7)
    weights = lab.buttons("weights", "Edges weigh", list(algorithm.WEIGHTS), algorithm.WEIGHTS[0])
    count = lab.slider("count", "Known points", 1, 12, 4)
    seed = lab.number(
        "seed", "Seed", 0, 9999, 61, help="Draws the points that are known by default."
    )
    tol = lab.log_slider(
        "tol", "Tolerance", TOLERANCES, 0.001,
        help="The run ends when no share changes by more than this in a round. With a larger "
        "tolerance it ends earlier, and labels that would still change stay wrong.",
    )  # fmt: skip
    known = known_points(lab, drawn(y, count, seed))
    run = lab.run(
        algorithm.relational_neighbor, X, y, known,
        n_neighbors=min(k, most), weights=weights, tol=tol,
    )  # fmt: skip
    graph = lab.later(algorithm.graph, X, min(k, most), weights)
    picked = picked_point(lab)
    return lab.scene(Rounds, run, lab.plane, known, graph, picked, code=algorithm)


def drawn(y: ndarray, count: int, seed: int) -> ndarray:
    """Draw points, of one class after the other, as long as there are any.

    Every point has a random number of its own: a new point does not change the others'.
    """
    order = np.random.default_rng(seed).random(len(y)).argsort()
    turn = np.array([np.count_nonzero(y[order[:i]] == y[j]) for i, j in enumerate(order)], int)
    return order[np.lexsort((y[order], turn))][:count]


def known_points(lab: Lab, rows: ndarray) -> ndarray:
    """Return which points are known: those nearest to the handles, at first the drawn ones."""
    X, known = lab.plane.X, np.zeros(len(lab.plane.X), bool)
    if len(rows):
        left, right, bottom, top = lab.plane.bounds
        places = lab.places("known", "Known point", X[rows], look="line")
        apart = np.square((places[:, None] - X) / [right - left, top - bottom])
        nearest = apart.sum(axis=2).argmin(axis=1)
        lab.handles[-1]["places"] = X[nearest].tolist()
        known[nearest] = True
    return known


def picked_point(lab: Lab) -> int:
    """Ask for a point whose vote is shown; by default one that changes its label.

    Return its index, or 0 if there are no points.
    """
    X, place = lab.plane.X, picked_place(lab, across=0.803, up=0.692)
    if not len(X):
        return 0
    picked = int(np.square(X - place).sum(axis=1).argmin())
    lab.handles[-1]["places"] = X[[picked]].tolist()
    return picked


MODES = {"rounds": rounds}

if __name__ == "__main__":
    open_lab(__file__, data="circles", noise=0.15).show(MODES)
