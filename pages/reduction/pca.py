"""The modes of the lab; its lesson is pca.md."""

import numpy as np

from algorithms.reduction.pca import kernel_pca as kernel_algorithm
from algorithms.reduction.pca import pca as algorithm
from algorithms.reduction.pca import power_iteration as power_algorithm
from algorithms.reduction.pca import projection_axis as axis_algorithm
from algorithms.reduction.pca import three_lines as line_algorithm
from algorithms.reduction.pca.denoising import denoising
from algorithms.reduction.pca.pca import compare_scaling
from pages._shared.ask.kernel import choose_kernel
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.reduction.pca.eigenvectors import Eigenvectors
from viz.reduction.pca.kernel_pca import KernelPca
from viz.reduction.pca.marks import Columns
from viz.reduction.pca.power_iteration import PowerIteration
from viz.reduction.pca.projection_axis import ByHand
from viz.reduction.pca.three_lines import SIDES, ThreeLines

KERNEL_COMPONENTS = 8


def by_hand(lab: Lab) -> Shown:
    """Turn an axis through the two columns on the plane."""
    columns = on_the_plane(lab, scaled(lab))
    left, right, bottom, top = lab.plane.bounds
    run = lab.run(
        axis_algorithm.projection_axis, columns.table,
        standardize=columns.standardize, units=(right - left, top - bottom),
    )  # fmt: skip
    both = lab.later(compare_scaling, columns.table)
    return lab.scene(ByHand, run, columns, both, code=axis_algorithm)


def three_lines(lab: Lab) -> Shown:
    """Turn a line through the two columns; two regressions and the principal axis are named."""
    columns = on_the_plane(lab, scaled(lab))
    side = lab.buttons("side", "Distances drawn", list(SIDES), "up")
    left, right, bottom, top = lab.plane.bounds
    run = lab.run(
        line_algorithm.three_lines, columns.table,
        standardize=columns.standardize, units=(right - left, top - bottom),
    )  # fmt: skip
    return lab.scene(ThreeLines, run, columns, side, code=line_algorithm)


def power_iteration(lab: Lab) -> Shown:
    """Find one component after the other."""
    columns = chosen_columns(lab)
    most = lab.slider("components", "Components to find", 1, 6, 2)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the directions to start from.")
    run = lab.run(
        power_algorithm.power_iteration, columns.table, rng=np.random.default_rng(seed),
        n_components=min(most, len(columns.names)), standardize=columns.standardize,
    )  # fmt: skip
    both = lab.later(compare_scaling, columns.table)
    return lab.scene(PowerIteration, run, columns, both, code=power_algorithm)


def eigenvectors(lab: Lab) -> Shown:
    """Find all components at once, and keep as many as are needed."""
    columns = chosen_columns(lab)
    keep = lab.slider("keep", "Variance to keep, in %", 50, 99, 90)
    jitter = lab.slider("jitter", "Added noise (deviations)", 0.0, 1.0, 0.0, 0.05)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the added noise.")
    run = lab.run(
        denoising, columns.table, jitter, rng=np.random.default_rng(seed),
        standardize=columns.standardize, target=keep / 100,
    )  # fmt: skip
    both = lab.later(compare_scaling, columns.table)
    return lab.scene(Eigenvectors, run, columns, both, keep, jitter > 0, code=algorithm)


def kernel_pca(lab: Lab) -> Shown:
    """Find components in a kernel's space of features."""
    standardize = scaled(lab)
    run = lab.run(
        kernel_algorithm.kernel_pca, lab.plane.X, kernel=choose_kernel(lab),
        n_components=KERNEL_COMPONENTS, standardize=standardize,
    )  # fmt: skip
    return lab.scene(KernelPca, run, lab.plane, standardize, code=kernel_algorithm)


def chosen_columns(lab: Lab) -> Columns:
    """Ask for the scaling, and whether all columns are used."""
    standardize, data = scaled(lab), lab.data
    if not lab.toggle("all", "Use all columns, not just two", True):
        return on_the_plane(lab, standardize)
    return Columns(data.table, data.columns, (data.x, data.y), standardize, lab.plane)


def on_the_plane(lab: Lab, standardize: bool) -> Columns:
    """Use the two columns on the plane."""
    return Columns(lab.plane.X, lab.plane.names, (0, 1), standardize, lab.plane)


def scaled(lab: Lab) -> bool:
    """Ask whether the columns are scaled."""
    # Old links call it "scale", like a parameter of one of the kernels.
    label = "Scale the columns (deviation 1)"
    return lab.toggle("standardize", label, False, before="scale")


OPENS_ON = {
    "by hand": "parallel",
    "power iteration": "iris",
    "eigenvectors": "iris",
    "kernel PCA": "circles",
}

MODES = {
    "by hand": by_hand,
    "three lines": three_lines,
    "power iteration": power_iteration,
    "eigenvectors": eigenvectors,
    "kernel PCA": kernel_pca,
}

if __name__ == "__main__":
    open_lab(__file__, data=OPENS_ON).show(MODES)
