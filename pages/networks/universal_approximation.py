"""The modes of the lab; its lesson is universal_approximation.md."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from algorithms.data.truths import TRUTHS, Truth, through
from algorithms.networks.universal_approximation import sigmoid_bumps as by_hand
from algorithms.networks.universal_approximation import trained_sigmoids as by_learning
from pages._shared.ask.place import picked_x
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.session.cache import Later
from viz.core.scene import Plane, Run
from viz.networks.universal_approximation.marks import NUMBERS
from viz.networks.universal_approximation.sigmoid_bumps import Bumps
from viz.networks.universal_approximation.trained_sigmoids import Trained

DRAWN = "through the points"
EMPTY = Plane(np.empty((0, 2)), np.empty(0, int), (), ("x", "y"), (-3.4, 3.4, -3.4, 3.4))
STEEP = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 20.0, 50.0, 100.0]
STEEPNESS = "The weight of a unit times the width of a part."
TRUTH = (
    "The curve that the network should follow, in green: a formula, or drawn through the points on "
    "the board. Where several points are close in x, it goes through their mean."
)
RATES = [0.01, 0.02, 0.05, 0.1, 0.2]


class Source(NamedTuple):
    """A truth, the points shown with it, and how algorithms are run on it."""

    truth: Truth | Later
    data: Plane
    run: Callable[..., Run]


def bumps(lab: Lab) -> Shown:
    """Add bumps side by side, each made of two sigmoids."""
    truth, data, run = choose_truth(lab)
    count = lab.slider("bumps", "Bumps", 1, 60, 10)
    steep = lab.log_slider("steepness", "Steepness", STEEP, 20.0, help=STEEPNESS)
    query = picked_x(lab, data.bounds)
    steps = run(by_hand.sigmoid_bumps, truth, bumps=count, steepness=steep)
    found = lab.later(by_hand.by_number, truth, NUMBERS, steep)
    return lab.scene(Bumps, steps, data, truth, found, query, code=by_hand)


def trained(lab: Lab) -> Shown:
    """Train as many hidden units as the bumps need."""
    truth, data, run = choose_truth(lab)
    count = lab.slider("bumps", "Bumps to match, two units each", 1, 20, 10)
    steep = lab.log_slider("steepness", "Steepness of these bumps", STEEP, 20.0, help=STEEPNESS)
    rate = lab.log_slider("rate", "Learning rate η", RATES, 0.05)
    epochs = lab.slider("epochs", "Epochs", 50, 500, 300, 50)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the start.")
    query = picked_x(lab, data.bounds)
    steps = run(
        by_learning.trained_sigmoids, truth, bumps=count, steepness=steep, learning_rate=rate,
        epochs=epochs, rng=np.random.default_rng(seed),
    )  # fmt: skip
    return lab.scene(Trained, steps, data, truth, query, code=by_learning)


def choose_truth(lab: Lab) -> Source:
    """Ask for the truth: a formula, or a curve through the points on the board."""
    name = lab.choice("truth", "Truth", [DRAWN, *TRUTHS], DRAWN, help=TRUTH)
    if name in TRUTHS:
        return Source(TRUTHS[name], EMPTY, lab.run_apart)
    data = lab.plane
    return Source(lab.later(through, data.X, spare=data.bounds[:2]), data, lab.run)


MODES = {"bumps": bumps, "trained": trained}

if __name__ == "__main__":
    open_lab(__file__, data="sine", n=20, noise=0.0).show(MODES)
