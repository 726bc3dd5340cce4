"""The modes of the lab; its lesson is support_vector_regression.md."""

import numpy as np

from algorithms.core.kernels import Kernel
from algorithms.core.pipeline import on_plane
from algorithms.regression import support_vector_regression as algorithm
from pages._shared.ask.kernel import choose_one
from pages._shared.ask.place import picked_x
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.core.scene import Run
from viz.regression.support_vector_regression import Tube, where_it_is_held

EPSILON, WIDEST, BY = 0.3, 1.5, 0.05  # of the tube's half-width: the default, the most, the step
EDGE = "edge"  # the handle on the upper edge
PRICES = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 1000.0]


def tube(lab: Lab) -> Shown:
    """Move the duals, two at a time, until the tube fits."""
    above = lab.within(lab.place.container())
    C = lab.log_slider("C", "Price C of being outside", PRICES, 1.0)
    kernel = choose_one(lab)
    drag_edge(lab, C, kernel)
    epsilon = above.slider(
        "epsilon", "Half-width ε of the tube, in sd of y", 0.0, WIDEST, EPSILON, BY,
        help="Measured in standard deviations of y.",
    )  # fmt: skip
    query = picked_x(lab)
    run = fitted(lab, C, kernel, epsilon)
    if run.steps:
        x, middle, sd = lab.later(where_it_is_held, lab.plane.X, run).value()
        top = min(middle + epsilon * sd, lab.plane.bounds[3])
        place, last = np.array([x, top]), len(run.steps) - 1
        lab.handle(EDGE, "Edge of the tube", place, along="y", at=last)
    return lab.scene(Tube, run, lab.plane, query, code=algorithm)


def fitted(lab: Lab, C: float, kernel: Kernel, epsilon: float) -> Run:
    """Run the regression on the points."""
    svr, how = algorithm.support_vector_regression, {"C": C, "epsilon": epsilon}
    return lab.run(on_plane, svr, lab.plane.X, kernel=kernel, **how)


def drag_edge(lab: Lab, C: float, kernel: Kernel) -> None:
    """Set ε to the height above the shown curve to which the tube's edge has been dragged."""
    put = lab.put_at(EDGE)
    if put is None:
        return
    run = fitted(lab, C, kernel, float(lab.kept.get("epsilon", EPSILON)))
    if run.steps:
        _, middle, sd = lab.later(where_it_is_held, lab.plane.X, run).value()
        half = BY * round((float(put[1]) - middle) / sd / BY)
        lab.kept["epsilon"] = round(min(max(half, 0.0), WIDEST), 2)


MODES = {"tube": tube}

if __name__ == "__main__":
    open_lab(__file__, data="sine").show(MODES)
