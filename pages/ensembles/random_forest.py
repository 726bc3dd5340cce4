"""The modes of the lab; its lesson is random_forest.md."""

import numpy as np

from algorithms.core.splits import held_out
from algorithms.ensembles import random_forest as algorithm
from algorithms.ensembles import vote_variance
from pages._shared.ask.place import picked_place
from pages._shared.ask.split import ABOUT_HELD_OUT, split_rng
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.core import plane
from viz.ensembles.random_forest.random_forest import Growing

PLACES = 15  # along each axis, at which the variance of the vote is measured
MOST_LEARNED = 150_000  # points of all bags together: these take three seconds at most


def grow(lab: Lab) -> Shown:
    """Grow one tree in each step, on a resample of the points that are not held out."""
    trees = lab.slider(
        "trees",
        "Trees",
        1,
        100,
        30,
        help=f"Fewer are grown if their bags together had more than {MOST_LEARNED:,} points.",
    )
    tried = lab.buttons(
        "tried", "Features tried at a split", [1, 2], 1,
        help="1: one feature, drawn again at every split. 2: both features, which is bagging.",
    )  # fmt: skip
    depth = lab.slider("depth", "Depth at most", 1, 20, 20)
    share = lab.slider("held", "Held-out points, about %", 0, 60, 30, help=ABOUT_HELD_OUT)
    seed = lab.number(
        "seed", "Seed", 0, 9999, 5, help="Draws the held-out points, the bags and the features."
    )
    measure = lab.toggle(
        "variance", "Measure the variance of the vote", False,
        help="Grows forests of 20 trees on many halves of the points, for 1 and 2 features tried.",
    )  # fmt: skip
    X, y = lab.plane.X, lab.plane.labels
    held = held_out(len(X), share / 100, rng=split_rng(seed), codes=y)
    run = lab.run(
        algorithm.random_forest, X[~held], y[~held],
        n_trees=affordable(trees, int((~held).sum())), max_features=tried, max_depth=depth,
        rng=np.random.default_rng([seed, 2]),
    )  # fmt: skip
    sums = lab.later(algorithm.account, run, X, y, held)
    variances = None
    if measure:
        places = plane.grid(lab.plane.bounds, PLACES)[2]
        variances = lab.later(
            vote_variance.by_features, X[~held], y[~held], places, max_depth=depth,
            rng=np.random.default_rng([seed, 3]),
        )  # fmt: skip
    return lab.scene(
        Growing, run, lab.plane, held, sums, picked_point(lab), tried, variances, code=algorithm
    )


def affordable(trees: int, n: int) -> int:
    """Return how many of the trees there is time for, on n points each."""
    return min(trees, MOST_LEARNED // max(n, 1))


def picked_point(lab: Lab) -> np.ndarray:
    """Return the point on which every tree's vote is shown; by default near the left edge."""
    return picked_place(lab, across=0.12, up=0.44)


MODES = {"grow": grow}

if __name__ == "__main__":
    open_lab(__file__, data="spirals", n=300, noise=0.2).show(MODES)
