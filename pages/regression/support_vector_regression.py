"""The modes of the lab; its lesson is support_vector_regression.md."""

from algorithms.core.pipeline import on_plane
from algorithms.regression import support_vector_regression as algorithm
from pages._shared.ask.kernel import choose_one
from pages._shared.ask.place import picked_x
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.regression.support_vector_regression import Tube

PRICES = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 1000.0]


def tube(lab: Lab) -> Shown:
    """Move the duals, two at a time, until the tube fits."""
    epsilon = lab.slider(
        "epsilon", "Half-width ε of the tube, in sd of y", 0.0, 1.5, 0.3, 0.05,
        help="Measured in standard deviations of y.",
    )  # fmt: skip
    C = lab.log_slider("C", "Price C of being outside", PRICES, 1.0)
    kernel = choose_one(lab)
    query = picked_x(lab)
    svr, how = algorithm.support_vector_regression, {"C": C, "epsilon": epsilon}
    run = lab.run(on_plane, svr, lab.plane.X, kernel=kernel, **how)
    return lab.scene(Tube, run, lab.plane, query, code=algorithm)


MODES = {"tube": tube}

if __name__ == "__main__":
    open_lab(__file__, data="sine").show(MODES)
