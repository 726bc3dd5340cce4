"""The modes of the lab; its lesson is ada_boost.md."""

import numpy as np

from algorithms.core.splits import held_out
from algorithms.ensembles.ada_boost import ada_boost as algorithm
from algorithms.ensembles.ada_boost.summary import boosting_summary
from pages._shared.ask.place import picked_place
from pages._shared.ask.split import split_rng
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.ensembles.ada_boost.ada_boost import Boosting


def boosting(lab: Lab) -> Shown:
    """Grow one tree per round on the training points."""
    rounds = lab.slider("rounds", "Rounds", 1, 200, 50)
    depth = lab.slider("depth", "Depth of the trees", 1, 3, 1, help="Trees of depth 1 are stumps.")
    share = lab.slider("held", "Held-out points, %", 0, 60, 30)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws which points are held out.")
    X, y = lab.plane.X, lab.plane.labels
    held = held_out(len(X), share / 100, rng=split_rng(seed), codes=y)
    run = lab.run(algorithm.ada_boost, X[~held], y[~held], rounds=rounds, max_depth=depth)
    summary = lab.later(boosting_summary, run, X[held], y[held])
    return lab.scene(Boosting, run, lab.plane, held, summary, picked_point(lab), code=algorithm)


def picked_point(lab: Lab) -> np.ndarray:
    """Return the point on which every tree's vote is shown; by default near the top right."""
    return picked_place(lab, across=0.7, up=0.8)


MODES = {"boosting": boosting}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.3).show(MODES, several="random_forest")
