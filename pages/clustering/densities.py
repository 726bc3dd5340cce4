"""The modes of the lab; its lesson is densities.md."""

import numpy as np

from algorithms.clustering import histogram as counting
from algorithms.clustering import kernel_density as algorithm
from algorithms.clustering import one_class_svm as one_class
from algorithms.core.kernels import rbf
from pages._shared.ask.place import picked_place
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.clustering.densities.histogram import Shifts
from viz.clustering.densities.kernel_density import Bumps
from viz.clustering.densities.one_class_svm import OneClass
from viz.clustering.densities.widths import Widths

WIDTHS = np.geomspace(0.005, 0.5, 50)  # of the picture


def bumps(lab: Lab) -> Shown:
    """Put a bump on every point."""
    h = width(lab, 4.0)
    run = lab.run(algorithm.kernel_density, lab.plane.X, bandwidth=h)
    return lab.scene(Bumps, run, lab.plane, picked_point(lab), code=algorithm)


def widths(lab: Lab) -> Shown:
    """Try one width after the other."""
    run = lab.run(algorithm.bandwidths, lab.plane.X, WIDTHS * side(lab))
    return lab.scene(Widths, run, lab.plane, picked_point(lab), code=algorithm)


def region(lab: Lab) -> Shown:
    """Find the region that holds all points but a share of them."""
    nu = lab.slider(
        "nu", "Share ν outside, at most", 0.01, 1.0, 0.1, 0.01,
        help="At least this share of the points has weight.",
    )  # fmt: skip
    h = width(lab, 8.0)
    run = lab.run(one_class.one_class_svm, lab.plane.X, nu=nu, kernel=rbf(0.5 / h**2))
    query = picked_place(lab, across=0.4, up=0.5)
    return lab.scene(OneClass, run, lab.plane, query, h, code=one_class)


def histogram(lab: Lab) -> Shown:
    """Count the points in bins, and shift the bins."""
    share = lab.slider("bin", "Width h of a bin, % of the picture", 2, 50, 12)
    shifts = lab.slider(
        "shifts", "Shifts along each axis", 1, 6, 4, help="By equal parts of a bin's width."
    )
    h = share / 100 * side(lab)
    run = lab.run(counting.shifted_histograms, lab.plane.X, width=h, shifts=shifts)
    return lab.scene(Shifts, run, lab.plane, picked_point(lab), code=counting)


def width(lab: Lab, default: float) -> float:
    """Ask for the width of a bump in per cent, and return it in units of the data."""
    share = lab.slider(
        "width", "Width h, % of the picture", 1.0, 30.0, default, 0.5,
        help="The standard deviation of a bump.",
    )  # fmt: skip
    return share / 100 * side(lab)


def side(lab: Lab) -> float:
    """Return the length of the picture's longer side."""
    left, right, bottom, top = lab.plane.bounds
    return max(right - left, top - bottom)


def picked_point(lab: Lab) -> np.ndarray:
    """Return the place whose density is explained; by default near the middle."""
    return picked_place(lab, across=0.4, up=0.6)


MODES = {"bumps": bumps, "width": widths, "one class": region, "histogram": histogram}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.2).show(MODES)
