"""The modes of the lab; its lesson is svm.md."""

from functools import partial

import numpy as np

from algorithms.classification.svm import (
    kernel_weights,
    lift,
    nu_svm,
    street_by_hand,
    svm,
    svm_multiclass,
    svm_qp,
)
from algorithms.classification.svm.each_kernel import each_kernel
from algorithms.classification.svm.error_by_settings import error_by_settings
from algorithms.classification.svm.kernel_matrix import kernel_matrix
from algorithms.classification.svm.shares_by_nu import shares_by_nu
from algorithms.core.features import polynomial_features
from algorithms.core.kernels import RBF, Kernel, OfColumn, linear, polynomial, rbf
from algorithms.core.pipeline import on_features
from pages._shared.ask.kernel import POWERS, choose_kernel
from pages._shared.ask.place import picked_place
from pages._shared.ask.split import split_rng
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.session.cache import Later
from viz.classification.svm.kernel_weights import KernelWeights
from viz.classification.svm.lift import Lift
from viz.classification.svm.nu_svm import NuStreet
from viz.classification.svm.street_by_hand import Street
from viz.classification.svm.svm import Pairs
from viz.classification.svm.svm_multiclass import SeveralClasses
from viz.classification.svm.svm_qp import AllAtOnce

PRICES = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0]
TOLERANCES = [0.00001, 0.0001, 0.001, 0.01, 0.1]
PAIRS = [100, 300, 1000, 3000, 10_000, 30_000]
LARGER = (
    4000  # moves after the pairs that are asked for: of all free duals at once, and further pairs
)
LIFT_HELP = "Bowl: x₁, x₂ and x₁² + x₂². Squares: x₁², √2 x₁x₂ and x₂²."
NOTHING, CROSSES, MATRIX = "nothing more", "✕ broken conditions", "kernel matrix"
ERRORS = "held-out errors by C and γ"  # of the RBF kernel

MIXED = {
    "shapes": (linear(), polynomial(2, 0.0), polynomial(3, 0.0), rbf(1.0)),
    "widths": (rbf(0.1), rbf(1.0), rbf(10.0), rbf(100.0)),
    "columns": (OfColumn(rbf(1.0), 0), OfColumn(rbf(1.0), 1), rbf(1.0)),
}
MIXED_HELP = (
    "Shapes: a·b, its square and its cube, and RBF with γ = 1. Widths: RBF with γ = 0.1, 1, 10 and "
    "100. Columns: RBF of one column, of the other, and of both."
)


def by_hand(lab: Lab) -> Shown:
    """Turn the street by its handles."""
    C = price(lab, 10.0)
    sides, second = two_sides(lab)
    standardize = standardise(lab, usual=False)
    start = lab.later(street_by_hand.between_means, lab.plane.X, second, lab.plane.bounds)
    label = "Two places on the line, one on its edge"
    places = lab.places("street", label, start.value(), look="line", at=0)
    run = lab.run(
        street_by_hand.street_by_hand, lab.plane.X, second, places, C=C, standardize=standardize
    )
    return lab.scene(Street, run, lab.plane, sides, units(lab, standardize), code=street_by_hand)


def pairs(lab: Lab) -> Shown:
    """Move two duals at a time (SMO), then all free ones at once."""
    C, kernel = price(lab), choose_kernel(lab)
    sides, second = two_sides(lab)
    tol = lab.log_slider("tol", "Tolerance", TOLERANCES, TOLERANCES[0])
    moves = lab.log_slider("steps", "Pairs before all at once", PAIRS, 300)
    standardize = standardise(lab)
    also = shown_as_well(lab, with_errors([NOTHING, CROSSES, MATRIX], kernel))
    most = moves + LARGER if kernel.definite else moves
    run = lab.run(
        on_features, svm.svm, lab.plane.X, second, standardize=standardize,
        C=C, kernel=kernel, tol=tol, max_iter=most, pairs=moves,
    )  # fmt: skip
    matrix = matrix_of(lab, kernel, standardize, also)
    return lab.scene(
        Pairs, run, lab.plane, sides, units(lab, standardize), picked_point(lab), matrix,
        errors_of(lab, second, standardize, also), also == CROSSES, code=svm,
    )  # fmt: skip


def by_share(lab: Lab) -> Shown:
    """Give the share ν of margin errors instead of the price C."""
    nu = lab.slider(
        "nu", "Share ν of margin errors, at most", 0.01, 1.0, 0.3, 0.01,
        help="At least this share of the points are support vectors.",
    )  # fmt: skip
    kernel = choose_kernel(lab)
    sides, second = two_sides(lab)
    standardize = standardise(lab)
    also = shown_as_well(lab, [NOTHING, MATRIX])
    run = lab.run(
        on_features, nu_svm.nu_svm, lab.plane.X, second, standardize=standardize,
        nu=nu, kernel=kernel,
    )  # fmt: skip
    by_nu = lab.later(
        on_features, partial(shares_by_nu, kernel=kernel, rng=split_rng(0)), lab.plane.X, second,
        standardize=standardize,
    )  # fmt: skip
    matrix = matrix_of(lab, kernel, standardize, also)
    return lab.scene(
        NuStreet, run, lab.plane, sides, units(lab, standardize), picked_point(lab), matrix,
        by_nu, code=nu_svm,
    )  # fmt: skip


def all_at_once(lab: Lab) -> Shown:
    """Move all duals in every step, by quadratic programming."""
    C, kernel = price(lab), choose_kernel(lab)
    sides, second = two_sides(lab)
    standardize = standardise(lab)
    also = shown_as_well(lab, with_errors([NOTHING, MATRIX], kernel))
    run = lab.run(
        on_features, svm_qp.svm_qp, lab.plane.X, second, standardize=standardize,
        C=C, kernel=kernel,
    )  # fmt: skip
    matrix = matrix_of(lab, kernel, standardize, also)
    return lab.scene(
        AllAtOnce, run, lab.plane, sides, units(lab, standardize), picked_point(lab),
        matrix, errors_of(lab, second, standardize, also), code=svm_qp,
    )  # fmt: skip


def lifted(lab: Lab) -> Shown:
    """Lift the points to three features, and turn the view."""
    C = price(lab)
    to = lab.buttons("lift", "Lift to", ["bowl", "squares"], "bowl", help=LIFT_HELP)
    sides, second = two_sides(lab)
    standardize = standardise(lab)
    run = lab.run(on_features, lift.lift, lab.plane.X, second, standardize=standardize, to=to, C=C)
    return lab.scene(
        Lift, run, lab.plane, sides, units(lab, standardize), picked_point(lab), code=lift
    )


def mixed(lab: Lab) -> Shown:
    """Learn the weights of several kernels, with the machine."""
    C = price(lab)
    names = list(MIXED)
    kernels = MIXED[lab.buttons("mixed", "Kernels to mix", names, names[0], help=MIXED_HELP)]
    sides, second = two_sides(lab)
    standardize = standardise(lab)
    run = lab.run(
        on_features, kernel_weights.kernel_weights, lab.plane.X, second, standardize=standardize,
        kernels=kernels, C=C,
    )  # fmt: skip
    each = lab.later(
        on_features, partial(each_kernel, kernels=kernels, C=C, rng=split_rng(0)), lab.plane.X,
        second, standardize=standardize,
    )  # fmt: skip
    return lab.scene(
        KernelWeights, run, lab.plane, sides, units(lab, standardize), each, code=kernel_weights
    )


def several_classes(lab: Lab) -> Shown:
    """Train a machine for every class, or for every pair of classes."""
    C, kernel = price(lab), choose_kernel(lab)
    schemes = svm_multiclass.SCHEMES
    scheme = lab.buttons("scheme", "Machines", schemes, schemes[0])
    hatch = lab.toggle("ambiguous", "Hatch where they disagree", True)
    standardize, also = standardise(lab), shown_as_well(lab, [NOTHING, MATRIX])
    run = lab.run(
        on_features, svm_multiclass.svm_multiclass, lab.plane.X, lab.plane.labels,
        standardize=standardize, C=C, kernel=kernel, scheme=scheme,
    )  # fmt: skip
    matrix = matrix_of(lab, kernel, standardize, also)
    return lab.scene(
        SeveralClasses, run, lab.plane, hatch, units(lab, standardize), matrix,
        code=svm_multiclass,
    )  # fmt: skip


def price(lab: Lab, usual: float = 1.0) -> float:
    """Choose C. usual : what it is by default in the mode."""
    return lab.log_slider("C", "Penalty C for margin violations", PRICES, usual)


def standardise(lab: Lab, usual: bool = True) -> bool:
    """Choose whether the columns are standardised. usual : whether they are by default."""
    return lab.toggle("standardize", "Standardise the columns", usual)


def shown_as_well(lab: Lab, options: list[str]) -> str:
    """Ask what else the views should show."""
    return lab.choice("also", "Show as well", options, NOTHING)


def two_sides(lab: Lab) -> tuple[tuple[int, int], np.ndarray]:
    """Return the classes of both sides, and for every point whether it is of the second."""
    labels, names = lab.plane.labels, lab.plane.classes
    present = np.unique(labels).tolist()
    first, second = present[0] if present else 0, present[-1] if present else 0
    if len(present) > 2:
        options = [names[k] for k in present]
        side = lab.choice("side", "Class against the rest", options, options[0])
        first, second = svm_multiclass.REST, present[options.index(side)]
    return (first, second), (labels == second).astype(int)


def picked_point(lab: Lab) -> np.ndarray:
    """Return the place where f is explained; by default below the middle, to the left."""
    return picked_place(lab, across=0.3, up=0.25)


def units(lab: Lab, standardize: bool) -> Later:
    """Return the map from places on the plane to the kernel's inputs."""
    return lab.later(
        polynomial_features, lab.plane.X, 1, standardize=standardize, columns=lab.plane.names
    )


def with_errors(options: list[str], kernel: Kernel) -> list[str]:
    """Return the options, with the held-out errors if the kernel has a gamma and nothing else."""
    return [*options, ERRORS] if isinstance(kernel, RBF) else options


def errors_of(lab: Lab, second: np.ndarray, standardize: bool, also: str) -> Later | None:
    """Return the held-out errors of all C and gamma on offer if they are asked for."""
    if also != ERRORS:
        return None
    return lab.later(
        error_by_settings, lab.plane.X, second, prices=PRICES, gammas=POWERS,
        standardize=standardize, rng=split_rng(0),
    )  # fmt: skip


def matrix_of(lab: Lab, kernel: Kernel, standardize: bool, also: str) -> Later | None:
    """Return the kernel matrix if it is asked for, or if the formula may not be a kernel."""
    if also != MATRIX and kernel.definite:
        return None
    of_kernel = partial(kernel_matrix, kernel)
    return lab.later(on_features, of_kernel, lab.plane.X, lab.plane.labels, standardize=standardize)


MODES = {
    "by hand": by_hand,
    "pairs": pairs,
    "ν": by_share,
    "all at once": all_at_once,
    "lift": lifted,
    "mix": mixed,
    "classes": several_classes,
}

NAMES = {"ν": "share ν", "all at once": "all weights", "mix": "mix kernels"}

OPENS_ON = {
    "by hand": {"data": "separable", "n": 60, "sample": 17}, "pairs": "moons", "ν": "moons",
    "all at once": "moons", "lift": "circles", "mix": "moons", "classes": "blobs",
}  # fmt: skip

if __name__ == "__main__":
    open_lab(__file__, data=OPENS_ON).show(MODES, before="pairs", names=NAMES)
