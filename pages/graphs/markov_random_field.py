"""The modes of the lab; its lesson is markov_random_field.md."""

import numpy as np
from numpy import ndarray

from algorithms.graphs.markov_random_field import exact as by_rows
from algorithms.graphs.markov_random_field import gibbs_sampling as sampling
from algorithms.graphs.markov_random_field import iterated_conditional_modes as flipping
from algorithms.graphs.markov_random_field.picture import field_of, original, with_noise
from pages._shared.ask.place import picked_place
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.session.cache import Later
from viz.graphs.markov_random_field.exact import Rows
from viz.graphs.markov_random_field.gibbs_sampling import Draws
from viz.graphs.markov_random_field.iterated_conditional_modes import Flips

CELLS = [8, 10, 12, 16, 20, 24, 32]  # along a side
NARROW = [each for each in CELLS if each <= 12]  # the exact modes take 2^cells states
ABOUT_NARROW = (
    "At most 12, since the work doubles with every column. So this mode has a smaller picture than "
    "the others, and other noise."
)


def flips(lab: Lab) -> Shown:
    """Flip the cells that lower the energy, one by one."""
    drawn, y, _ = pictures(lab, "cells", CELLS, 20, 2.5, seed=8)
    how = weights(lab)
    by = lab.buttons("by", "A step is a", list(flipping.STEPS), flipping.STEPS[0])
    run = lab.run(flipping.iterated_conditional_modes, y, by=by, **how)
    field = lab.later(field_of, y, **how)
    query = picked_cell(lab, 0.475, 0.225)
    return lab.scene(Flips, run, lab.plane, drawn, field, query, by, code=flipping)


def draws(lab: Lab) -> Shown:
    """Draw pictures, and count how often each cell is black."""
    drawn, y, seed = pictures(lab, "cells", CELLS, 20, 2.5, seed=8)
    how = weights(lab)
    T = temperature(lab)
    rng = np.random.default_rng([seed, 1])
    run = lab.run(sampling.gibbs_sampling, y, rng=rng, temperature=T, **how)
    field = lab.later(field_of, y, **how)
    exact = lab.later(shares_if_narrow, y, temperature=T, **how)
    query = picked_cell(lab, 0.625, 0.475)
    return lab.scene(Draws, run, lab.plane, drawn, field, query, T, exact, code=sampling)


def rows(lab: Lab) -> Shown:
    """Find the most probable picture, row by row."""
    drawn, y, _ = pictures(lab, "narrow", NARROW, 12, 2.0, seed=6, help=ABOUT_NARROW)
    how = weights(lab)
    T = temperature(lab)
    run = lab.run(by_rows.most_probable_picture, y, **how)
    flipped = lab.run(flipping.iterated_conditional_modes, y, **how)
    field = lab.later(field_of, y, **how)
    shares = lab.later(by_rows.exact_shares, y, temperature=T, **how)
    query = picked_cell(lab, 0.458, 0.792)
    return lab.scene(Rows, run, lab.plane, drawn, field, query, flipped, shares, code=by_rows)


def pictures(
    lab: Lab, name: str, options: list[int], default: int, width: float, *, seed: int,
    help: str | None = None,
) -> tuple[Later, Later, int]:  # fmt: skip
    """Ask for the drawing and its noise; return the original, the observed picture, the seed."""
    cells = int(lab.log_slider(name, "Cells along a side", options, default, help=help))
    pen = lab.slider("pen", "Width of the pen, in cells", 1.0, 6.0, width, 0.5)
    noise = lab.slider("flipped", "Cells flipped by noise, share", 0.0, 0.5, 0.1, 0.01)
    seed = lab.number("seed", "Seed", 0, 9999, seed, help="Draws the noise, and Gibbs' pictures.")
    drawn = lab.later(original, lab.plane.X, lab.plane.bounds, pen, cells)
    return drawn, lab.later(with_noise, drawn, noise, rng=np.random.default_rng(seed)), seed


def weights(lab: Lab) -> dict[str, float]:
    """Ask for the coupling and the data weight."""
    coupling = lab.slider("coupling", "Coupling β", 0.0, 3.0, 0.6, 0.05)
    return {
        "coupling": coupling,
        "data_weight": lab.slider("h", "Data weight h", 0.0, 3.0, 1.0, 0.1),
    }


def temperature(lab: Lab) -> float:
    """Ask for the temperature of the probabilities."""
    return lab.slider("T", "Temperature T", 0.1, 5.0, 1.0, 0.1)


def picked_cell(lab: Lab, across: float, up: float) -> ndarray:
    """Return the place whose cell the captions explain. across, up : where it is by default."""
    return picked_place(lab, across=across, up=up, label="Picked cell")


def shares_if_narrow(y: ndarray, **how: float) -> ndarray | None:
    """Return the exact probabilities of black, of a picture that is narrow enough."""
    return by_rows.exact_shares(y, **how) if y.shape[1] <= NARROW[-1] else None


MODES = {"iterated conditional modes": flips, "Gibbs sampling": draws, "exact": rows}

if __name__ == "__main__":
    open_lab(__file__, data="s_curve").show(MODES)
