"""The modes of the lab; its lesson is k_nearest_neighbors.md."""

import numpy as np

from algorithms.classification.neighbors import (
    distances_in_cube,
    k_nearest_neighbors,
    leave_one_out,
)
from algorithms.classification.neighbors.nearest_neighbors import METRICS, WEIGHTS
from pages._shared.ask.place import picked_place
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.classification.neighbors.distances_in_cube import DistancesInCube
from viz.classification.neighbors.k_nearest_neighbors import GrowingBall
from viz.classification.neighbors.leave_one_out import LeaveOneOut

UNITS = [0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]


def neighbours(lab: Lab) -> Shown:
    """Let a ball grow around the picked point."""
    k = lab.slider(
        "k", "Neighbours k", 1, leave_one_out.MOST, 7, help="At most as many as there are points."
    )
    k, query = min(k, max(1, len(lab.plane.X))), picked_point(lab)
    how, (X, y) = what_is_near(lab), (lab.plane.X, lab.plane.labels)
    run = lab.run(k_nearest_neighbors.k_nearest_neighbors, X, y, k=k, query=query, **how)
    return lab.scene(GrowingBall, run, lab.plane, code=k_nearest_neighbors)


def choosing_k(lab: Lab) -> Shown:
    """Leave out one point after the other, for every k."""
    run = lab.run(leave_one_out.leave_one_out, lab.plane.X, lab.plane.labels, **what_is_near(lab))
    return lab.scene(LeaveOneOut, run, lab.plane, picked_point(lab), code=leave_one_out)


def many_features(lab: Lab) -> Shown:
    """Look at distances in more and more dimensions."""
    n, metric = lab.slider("points_drawn", "Points in the cube", 20, 400, 200, 10), how_far(lab)
    rng = np.random.default_rng(
        lab.number("seed", "Seed", 0, 9999, 0, help="Which points are drawn.")
    )
    run = lab.run_apart(distances_in_cube.distances_in_cube, n, rng=rng, metric=metric)
    return lab.scene(DistancesInCube, run, n, code=distances_in_cube)


def what_is_near(lab: Lab) -> dict:
    """Ask for the settings of the distance and of the vote."""
    metric = how_far(lab)
    weights = lab.buttons("weights", "Votes", WEIGHTS, WEIGHTS[0])
    unit = lab.log_slider(
        "unit", "Multiply y by", UNITS, 1.0,
        help="The distances see the numbers of the vertical column multiplied by this.",
    )  # fmt: skip
    standardize = lab.toggle("standardize", "Standardise the columns", False)
    units = np.array([1.0, 1 / unit])
    return {"metric": metric, "weights": weights, "standardize": standardize, "units": units}


def how_far(lab: Lab) -> str:
    """Ask for the metric."""
    return lab.choice("metric", "Metric", METRICS, METRICS[0])


def picked_point(lab: Lab) -> np.ndarray:
    """Return the point whose neighbours are found; by default at the end of a moon."""
    return picked_place(lab, across=0.24, up=0.36)


MODES = {"neighbours": neighbours, "choosing k": choosing_k, "many features": many_features}

MOONS = {"data": "moons", "noise": 0.3}
OPENS_ON = {"neighbours": MOONS | {"n": 80}, "choosing k": MOONS}  # few points: the ball is large

if __name__ == "__main__":
    open_lab(__file__, data=OPENS_ON).show(MODES)
