"""The mode of the lab; its lesson is singular_values.md."""

from algorithms.core.drawing import drawing
from algorithms.reduction.singular_values import low_rank as algorithm
from pages._shared.ask.place import picked_place
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.reduction.singular_values.low_rank import LowRank


def terms(lab: Lab) -> Shown:
    """Rebuild the drawing on the board from one term after the other."""
    pen = lab.slider("pen", "Width of the pen, in cells", 1.0, 8.0, 2.5, 0.5)
    A = lab.later(drawing, lab.plane.X, lab.plane.bounds, pen)
    run = lab.run(algorithm.low_rank, A)
    query = picked_place(lab, across=0.5, up=0.5)
    return lab.scene(LowRank, run, lab.plane, A, query, code=algorithm)


MODES = {"terms": terms}

if __name__ == "__main__":
    open_lab(__file__, data="s_curve").show(MODES)
