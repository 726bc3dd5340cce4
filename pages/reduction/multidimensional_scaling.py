"""The modes of the lab; its lesson is multidimensional_scaling.md."""

from functools import partial
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from algorithms.core.iterate import resumed
from algorithms.data.places import EUROPE, WORDS
from algorithms.reduction.multidimensional_scaling import classical_scaling, smacof
from algorithms.reduction.multidimensional_scaling.distances import edit_distances, on_the_globe
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.lab.what_if import Ways, what_if
from viz.core.scene import Plane, Run
from viz.reduction.multidimensional_scaling.classical_scaling import Classical
from viz.reduction.multidimensional_scaling.marks import Given
from viz.reduction.multidimensional_scaling.smacof import Springs

MOST = 150  # points whose distances are used
MOST_AXES = 5
TOWNS, STRINGS, BOARD = "towns in Europe", "words", "the points on the board"
STARTS = ("random", "eigenvectors")
TOL = 1e-6


def springs(lab: Lab) -> Shown:
    """Find the map by springs between all places."""
    things = ask_things(lab)
    delta = things.distances
    start = lab.buttons("start", "First map", STARTS, STARTS[0])
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws a random first map.")
    if start == STARTS[0]:
        Z = lab.later(smacof.random_map, delta, 2, rng=np.random.default_rng(seed))
    else:
        Z = lab.later(smacof.eigenvector_map, delta, 2)
    find = runner(lab, things)
    run = find(smacof.smacof, delta, start=Z)
    stresses = lab.later(smacof.stress_by_axes, delta, MOST_AXES)

    def show(run: Run, _: Plane) -> Shown:
        return lab.scene(Springs, run, things, stresses, code=smacof)

    def move(ways: Ways, step: int) -> Run:
        reach = 2 * float(delta.max())
        places = ways.places(
            "places", "Place", run.steps[step - 1].embedding,
            within=(-reach, reach, -reach, reach), at=step,
        )  # fmt: skip
        put = partial(smacof.put, delta, places)
        advance = partial(smacof.advance, delta, TOL)
        return find(resumed, run, step, put, advance, most=smacof.MAX_ITER)

    if things.data is None:
        return what_if(lab, run, show, move, after=True)
    return show(run, lab.plane)


def eigenvectors(lab: Lab) -> Shown:
    """Find the map by eigenvectors."""
    things = ask_things(lab)
    axes = min(lab.slider("axes", "Axes", 1, 6, 3), len(things.distances) or 1)
    find = runner(lab, things)
    run = find(classical_scaling.classical_scaling, things.distances, n_components=axes)
    return lab.scene(Classical, run, things, code=classical_scaling)


def ask_things(lab: Lab) -> Given:
    """Ask for the things whose distances are mapped."""
    sources = [TOWNS, STRINGS, BOARD]
    source = lab.choice("between", "Distances between", sources, TOWNS)
    if source == TOWNS:
        narrow = np.cos(np.radians(EUROPE.degrees[:, 0].mean()))  # of a degree of longitude
        places = EUROPE.degrees[:, ::-1] * [narrow, 1.0]
        return Given(on_the_globe(EUROPE.degrees), EUROPE.names, "km", "town", places=places)
    if source == STRINGS:
        return Given(edit_distances(WORDS), WORDS, "letters", "word")
    every = lab.toggle("all", "Use all columns, not just two", True)
    data, n = lab.data, len(lab.data.X)
    rows = np.unique(np.linspace(0, max(n - 1, 0), min(n, MOST)).round().astype(int))
    table = (data.table if every else data.X)[rows]
    return Given(cdist(table, table), data=lab.plane, rows=rows)


def runner(lab: Lab, things: Given) -> Any:
    """Return the method that runs an algorithm: on the points of the board, or without them."""
    return lab.run if things.data else lab.run_apart


MODES = {"springs": springs, "eigenvectors": eigenvectors}
ON_BOARD = {"between": BOARD}

if __name__ == "__main__":
    open_lab(__file__, data="iris").show(MODES)
