"""The modes of the lab; its lesson is factor_analysis.md."""

import numpy as np

from algorithms.reduction.factor_analysis import factor_analysis as algorithm
from algorithms.reduction.factor_analysis import own_noise
from algorithms.reduction.factor_analysis import rotation as rotation_algorithm
from pages._shared.ask.place import picked_place
from pages._shared.ask.split import split_rng
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.text import plain
from viz.reduction.factor_analysis.factor_analysis import Columns, FactorAnalysis
from viz.reduction.factor_analysis.more_noise import MoreNoise
from viz.reduction.factor_analysis.rotation import Rotation

AXES = ("on x", "on y")
UNITS = (0.1, 0.3, 1.0, 3.0, 10.0, 100.0)
MAX_ITER, TOL = 500, 1e-3
MOST = 1.5  # deviations of noise in the mode noise: with more, the points would be small


def noise(lab: Lab) -> Shown:
    """Add more and more noise to one column."""
    data = lab.data
    j, seed = ask_column(lab), ask_seed(lab)
    seen = (data.x, data.y)
    run = lab.run(own_noise.more_noise, data.table, j, seen=seen, most=MOST, rng=split_rng(seed))
    return lab.scene(MoreNoise, run, lab.plane, data.columns, seen, j, code=own_noise)


def ask_column(lab: Lab) -> int:
    """Ask which of the two columns on the plane gets noise, and return its index."""
    columns = dict(zip(AXES, (lab.data.x, lab.data.y), strict=True))
    axis = lab.buttons(
        "column", "Column to change", list(AXES), "on y",
        format_func=lambda axis: plain(lab.data.columns[columns[axis]]),
    )  # fmt: skip
    return columns[axis]


def ask_seed(lab: Lab) -> int:
    """Ask for the seed of the noise."""
    return lab.number("seed", "Seed", 0, 9999, 0, help="Draws the added noise.")


def factors(lab: Lab) -> Shown:
    """Find the factors by EM, and give one column noise or other units."""
    data = lab.data
    d = data.table.shape[1]
    c = min(ask_factors(lab), d)
    j = ask_column(lab)
    name = plain(data.columns[j])
    amount = lab.slider("own", f"Noise added to “{name}” (deviations)", 0.0, 3.0, 1.5, 0.25)
    unit = lab.log_slider("unit", f"“{name}” is multiplied by", UNITS, 1.0)
    seed = ask_seed(lab)
    table = lab.later(own_noise.with_noise, data.table, j, amount, unit, rng=split_rng(seed))
    start = lab.later(own_noise.component_loadings, table, j, unit, c)
    run = lab.run(
        algorithm.factor_analysis, table, n_components=c, max_iter=MAX_ITER, tol=TOL, loadings=start
    )
    without = lab.later(own_noise.with_noise, data.table, j, 0.0, unit, rng=split_rng(seed))
    first, before = (lab.later(own_noise.first_component, each) for each in (table, without))
    seen = (data.x, data.y) if c == 1 else None  # two factors fill the picture
    turned = lab.later(own_noise.turns, data.table, j, unit, c, seen=seen, rng=split_rng(seed))
    query = picked_place(lab, across=0.39, up=0.54)
    columns = lab.later(
        Columns,
        table,
        np.where(np.arange(d) == j, unit, 1.0),
        data.columns,
        (data.x, data.y),
        j,
        amount,
    )
    return lab.scene(
        FactorAnalysis, run, lab.plane, columns, first, before, turned, query, code=algorithm
    )


def ask_factors(lab: Lab) -> int:
    """Ask for the number of factors."""
    return lab.slider("factors", "Factors", 1, 3, 1)


def rotation(lab: Lab) -> Shown:
    """Turn the axes of two factors by hand; the likelihood stays."""
    data = lab.data
    c = min(lab.slider("fitted", "Factors", 2, 3, 2), data.table.shape[1])
    run = lab.run(
        rotation_algorithm.rotation, data.table, n_components=c, max_iter=MAX_ITER, tol=TOL
    )
    return lab.scene(Rotation, run, data.columns, data.y, code=rotation_algorithm)


MODES = {"noise": noise, "factors": factors, "rotation": rotation}

if __name__ == "__main__":
    open_lab(
        __file__, data={"noise": "gauges", "factors": "gauges", "rotation": "correlated"}
    ).show(MODES)
