"""The modes of the lab; its lesson is choosing_features.md."""

import numpy as np

from algorithms.evaluation.choosing_features import selection_in_folds, stepwise_selection
from algorithms.evaluation.choosing_features.samples import SAMPLES
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.evaluation.choosing_features.selection_in_folds import InFolds
from viz.evaluation.choosing_features.stepwise_selection import Moves

FORWARD, BACKWARD = "forward", "backward"
COLUMNS = [5, 10, 20, 50, 100, 200, 500, 1000]
OTHERS = 100  # samples


def moves(lab: Lab) -> Shown:
    """Add or remove one column after the other."""
    names = list(SAMPLES)
    sample = lab.choice("sample", "Data", names, "a proxy")
    direction = lab.buttons("direction", "Search", [FORWARD, BACKWARD], FORWARD)
    n = lab.slider("n", "Rows", 20, 200, 60, 10)
    spread = lab.slider("noise", "Noise in y", 0.1, 3.0, 1.0, 0.1)
    folds = lab.slider("folds", "Folds", 2, 10, 5)
    seed = lab.number("seed", "Seed", 0, 9999, 6, help="Draws the rows and deals the folds.")
    X, y = SAMPLES[sample](n, spread, rng=np.random.default_rng(seed))
    run = lab.run_apart(
        stepwise_selection.stepwise_selection, X, y, direction=direction, folds=folds,
        rng=np.random.default_rng([seed, 1]),
    )  # fmt: skip
    errors = lab.later(
        stepwise_selection.every_error, X, y, folds=folds, rng=np.random.default_rng([seed, 1])
    )
    return lab.scene(Moves, run, errors, direction, sample, code=stepwise_selection)


def in_folds(lab: Lab) -> Shown:
    """Choose among columns of noise, inside or outside the folds."""
    inside = lab.toggle("inside", "Select inside the folds", False)
    d = int(lab.log_slider("columns", "Columns of noise", COLUMNS, 200))
    keep = lab.slider("keep", "Columns chosen", 1, 10, 5)
    n = lab.slider("rows", "Rows", 20, 200, 50, 10)
    parts = lab.slider("parts", "Folds", 2, 10, 5)
    seed = lab.number("draw", "Seed", 0, 9999, 7, help="Draws the noise and deals the folds.")
    X, y = selection_in_folds.noise(n, d, rng=np.random.default_rng(seed))
    run = lab.run_apart(
        selection_in_folds.selection_in_folds, X, y, keep=keep, folds=parts, inside=inside,
        rng=np.random.default_rng([seed, 1]),
    )  # fmt: skip
    reported = lab.later(
        selection_in_folds.reported, n, d, keep=keep, folds=parts, samples=OTHERS,
        rng=np.random.default_rng(1),
    )  # fmt: skip
    return lab.scene(InFolds, run, inside, reported, code=selection_in_folds)


MODES = {"moves": moves, "columns of noise": in_folds}

if __name__ == "__main__":
    open_lab(__file__, data=None).show(MODES)
