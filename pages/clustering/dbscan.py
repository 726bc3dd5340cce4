"""The modes of the lab; its lesson is dbscan.md."""

import numpy as np

from algorithms.clustering.dbscan import dbscan as algorithm
from algorithms.clustering.dbscan import dbscan_by_eps as by_eps
from algorithms.clustering.dbscan import optics
from algorithms.clustering.dbscan import sting as by_cells
from pages._shared.ask.width import unit_of
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.clustering.dbscan.by_eps import ByEps
from viz.clustering.dbscan.sting import Cells
from viz.clustering.dbscan.visits import Visits

RADII = 100  # of the slider, and on the x-axis of the curves
ORDERS = ("first to last", "last to first")


def visits(lab: Lab) -> Shown:
    """Visit every point."""
    X, unit = lab.plane.X, unit_of(lab)
    eps, min_samples = ball(lab), how_many(lab)
    order = np.arange(len(X))
    if lab.buttons("order", "Take the points", ORDERS, ORDERS[0]) == ORDERS[1]:
        order = order[::-1]
    run = lab.run(algorithm.dbscan, X, eps=eps, min_samples=min_samples, order=order)
    levels = lab.later(by_eps.density_levels, X, min_samples)
    return lab.scene(Visits, run, lab.plane, levels, radii(unit), code=algorithm)


def radius(lab: Lab) -> Shown:
    """Let the radius grow."""
    X, min_samples = lab.plane.X, how_many(lab)
    run = lab.run(by_eps.dbscan_by_eps, X, eps=radii(unit_of(lab)), min_samples=min_samples)
    found = lab.later(optics.reachability, X, min_samples)
    return lab.scene(ByEps, run, lab.plane, found, code=by_eps)


def cells(lab: Lab) -> Shown:
    """Look at cells from coarse to fine, and join those that are dense (STING)."""
    X = lab.plane.X
    levels = lab.slider("levels", "Levels L of halving", 1, 6, 4)
    dense = lab.slider("dense", "Points of a dense cell (m)", 1, 20, 2)
    rule = lab.choice("rule", "A cell is relevant if it", by_cells.RULES, by_cells.RULES[0])
    eps, min_samples = ball(lab), how_many(lab)
    run = lab.run(by_cells.sting, X, levels=levels, min_samples=dense, rule=rule)
    rival = lab.run(algorithm.dbscan, X, eps=eps, min_samples=min_samples)
    return lab.scene(Cells, run, lab.plane, rival, eps, code=by_cells)


def ball(lab: Lab) -> float:
    """Ask for the radius of the ball."""
    unit = unit_of(lab)
    return lab.slider(
        "eps", "Radius ε of the ball", unit / RADII, unit, 0.3 * unit, unit / RADII, format="%.3g"
    )


def how_many(lab: Lab) -> int:
    """Ask for the number of points that the ball of a core point holds at least."""
    return lab.slider(
        "least", "Points for a core point (min_samples)", 1, 20, 5,
        help="A core point has at least this many points in its ball, counting itself.",
    )  # fmt: skip


def radii(unit: float) -> np.ndarray:
    """Return the radii of the slider."""
    return unit * np.arange(1, RADII + 1) / RADII


MODES = {"visits": visits, "eps by eps": radius, "STING": cells}

if __name__ == "__main__":
    open_lab(__file__, data="scattered", sample=82).show(MODES)
