"""The modes of the lab; its lesson is vc_dimension.md."""

import numpy as np

from algorithms.learning_theory.vc_dimension import random_sets, shattering, sine_waves
from algorithms.learning_theory.vc_dimension.hypotheses import BOXES, HYPOTHESES
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.learning_theory.vc_dimension.marks import BOX
from viz.learning_theory.vc_dimension.random_sets import RandomSets
from viz.learning_theory.vc_dimension.shattering import Labellings
from viz.learning_theory.vc_dimension.sine_waves import SineWaves

INTERVALS = "intervals on a line"
MOST = 5  # points that are dragged
PLACES = np.array([[-1.2, -0.9], [1.0, -1.1], [1.3, 0.9], [-0.9, 1.2], [0.1, 0.2]])
ON_A_LINE = np.array([[-1.4, 0.0], [-0.6, 0.0], [0.2, 0.0], [0.9, 0.0], [1.5, 0.0]])


def labellings(lab: Lab) -> Shown:
    """Try all labellings of points that can be dragged."""
    asked = lab.choice("hypotheses", "Hypotheses", [*HYPOTHESES, INTERVALS], HYPOTHESES[0])
    n = lab.slider("n", "Points", 1, MOST, 4)
    line = asked == INTERVALS
    default, along = (ON_A_LINE, "x") if line else (PLACES, "xy")
    name = "on_a_line" if line else "places"
    X = lab.places(name, "Point", default[:n], within=BOX, look="line", along=along)
    X, hypotheses = (X[:, :1], BOXES) if line else (X, asked)
    run = lab.run_apart(shattering.shatters, X, hypotheses)
    return lab.scene(Labellings, run, X, hypotheses, code=shattering)


def sets(lab: Lab) -> Shown:
    """Draw random sets of points, and see whether one is shattered."""
    hypotheses = lab.choice("regions", "Hypotheses", HYPOTHESES, HYPOTHESES[1])
    n = lab.slider("size", "Points in a set", 1, random_sets.MOST_POINTS, 4)
    places = lab.buttons("drawn", "Points drawn", random_sets.PLACES, random_sets.PLACES[0])
    count = lab.slider("sets", "Sets", 10, 100, 50, 10)
    seed = lab.number("seed", "Seed", 0, 9999, 0)
    run = lab.run_apart(
        random_sets.random_sets, hypotheses, n,
        rng=np.random.default_rng(seed), sets=count, places=places,
    )  # fmt: skip
    return lab.scene(RandomSets, run, hypotheses, code=random_sets)


def sine(lab: Lab) -> Shown:
    """Realise every labelling by a sine wave, with one parameter."""
    n = lab.slider("waves", "Points", 1, sine_waves.MOST_POINTS, 5)
    run = lab.run_apart(sine_waves.sine_waves, n)
    return lab.scene(SineWaves, run, code=sine_waves)


MODES = {"labellings": labellings, "random sets": sets, "one number": sine}

if __name__ == "__main__":
    open_lab(__file__, data=None).show(MODES)
