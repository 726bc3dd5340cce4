"""The modes of the lab; its lesson is singular_values.md."""

import numpy as np

from algorithms.core.drawing import drawing
from algorithms.reduction.singular_values import low_rank as algorithm
from algorithms.reduction.singular_values import turn_stretch_turn as circle_algorithm
from pages._shared.ask.place import picked_place
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.reduction.singular_values.low_rank import LowRank
from viz.reduction.singular_values.turn_stretch_turn import Cloud, TurnStretchTurn

COLUMNS = np.array([[1.2, -0.4], [1.0, 1.4]])  # of the matrix, until they are dragged
REACH = 2.9


def terms(lab: Lab) -> Shown:
    """Rebuild the drawing on the board from one term after the other."""
    pen = lab.slider("pen", "Width of the pen, in cells", 1.0, 8.0, 2.5, 0.5)
    A = lab.later(drawing, lab.plane.X, lab.plane.bounds, pen)
    run = lab.run(algorithm.low_rank, A)
    query = picked_place(lab, across=0.714, up=0.73)
    return lab.scene(LowRank, run, lab.plane, A, query, code=algorithm)


def circle(lab: Lab) -> Shown:
    """Turn, stretch and turn the unit circle, by a matrix whose columns are dragged."""
    columns = lab.places(
        "columns", "Columns of the matrix", COLUMNS, within=(-REACH, REACH, -REACH, REACH)
    )
    run = lab.run_apart(circle_algorithm.turn_stretch_turn, columns.T.copy())
    return lab.scene(TurnStretchTurn, run, code=circle_algorithm)


def components(lab: Lab) -> Shown:
    """Stretch and turn points of variance 1 onto the data: PCA."""
    standardize = lab.toggle("standardize", "Standardise the columns", False)
    run = lab.run(circle_algorithm.onto_the_points, lab.plane.X, standardize=standardize)
    places = lab.later(circle_algorithm.round_cloud, lab.plane.X, standardize=standardize)
    cloud = lab.later(Cloud, places, lab.plane, standardize)
    return lab.scene(TurnStretchTurn, run, cloud, code=circle_algorithm)


MODES = {"terms": terms, "circle": circle, "PCA": components}

if __name__ == "__main__":
    open_lab(__file__, data="s_curve").show(MODES)
