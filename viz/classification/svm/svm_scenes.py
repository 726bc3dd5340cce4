"""What the three modes of the lab on support vector machines show."""

from algorithms.classification.svm.kernel_matrix import KernelMatrix
from algorithms.core.features import PolynomialFeatures
from algorithms.core.kernels import Kernel
from viz.classification.svm import kernel_matrix as draw_matrix
from viz.classification.svm import objectives, svm, svm_multiclass, svm_words
from viz.classification.svm.pair_box import pair_box, reached
from viz.core.preparation import preprocessing
from viz.core.scene import Plane, Run, Scene, View


def pairs(
    run: Run,
    data: Plane,
    sides: svm.Sides,
    features: PolynomialFeatures,
    matrix: KernelMatrix,
) -> Scene:
    """Show SMO move by move."""
    steps, top = run.steps, reached(run.steps)
    views = [
        _both_sides(run, data, sides, features),
        View(
            "The box of the pair: ○ before, ● after, ✕ without the box",
            lambda now: pair_box(steps[now], top),
        ),
        _closing(run),
        _matrix(matrix),
    ]
    note = _note(data, features, matrix, steps[0].kernel)
    return Scene(views, lambda now: svm_words.pair_caption(steps, now), note=note)


def all_at_once(
    run: Run,
    data: Plane,
    sides: svm.Sides,
    features: PolynomialFeatures,
    matrix: KernelMatrix,
) -> Scene:
    """Show the quadratic programme Newton step by Newton step."""
    steps = run.steps
    views = [
        _both_sides(run, data, sides, features),
        View("All duals, class by class", lambda now: svm.all_duals(sides, steps[now])),
        _closing(run),
        _matrix(matrix),
    ]
    note = _note(data, features, matrix, steps[0].kernel)
    return Scene(views, lambda now: svm_words.all_caption(steps, now), note=note)


def several_classes(
    run: Run, data: Plane, hatch: bool, features: PolynomialFeatures, matrix: KernelMatrix
) -> Scene:
    """Show the machines one after the other. hatch : whether to show where they disagree."""
    steps, kernel = run.steps, run.steps[0].kernel
    grid = svm.surface(kernel, steps[0].points, features, data.bounds)
    machines = svm_multiclass.machines(steps, grid, data.bounds)
    views = [
        View(
            "The class decided for, every line f = 0, and where the machines disagree",
            lambda now: svm_multiclass.picture(data, machines, steps[now], hatch),
        ),
        View(
            "Support vectors of every machine",
            lambda now: svm_multiclass.work(steps, data.classes, now),
        ),
        _matrix(matrix),
    ]
    note = _note(data, features, matrix, kernel)
    return Scene(views, lambda now: svm_multiclass.caption(steps, data, now), note=note)


def _both_sides(run: Run, data: Plane, sides: svm.Sides, features: PolynomialFeatures) -> View:
    steps = run.steps
    grid = svm.surface(steps[0].kernel, steps[0].points, features, data.bounds)
    return View(
        f"Both sides, the margins f = −1 and +1{_widest(features)}, and the state of every point",
        lambda now: svm.picture(data, sides, grid, steps[now]),
    )


def _widest(features: PolynomialFeatures) -> str:
    """Say in which units the street is the widest, where they are not those of the axes."""
    as_they_are = (features.spread == 1).all() and (features.scale == 1).all()
    return "" if as_they_are else " (widest in standardised units)"


def _closing(run: Run) -> View:
    steps, drawn = run.steps, objectives.lines(run.steps)
    every = objectives.spacing(steps)
    thinned = f", with lines through one step in {every}" if every > 1 else ""
    return View(
        f"Primal and dual objective{thinned}",
        lambda now: objectives.objectives(drawn, steps[now]),
    )


def _matrix(found: KernelMatrix) -> View:
    figure = draw_matrix.matrix(found)
    return View(draw_matrix.title(found), lambda _: figure)


def _note(data: Plane, features: PolynomialFeatures, matrix: KernelMatrix, kernel: Kernel) -> str:
    return f"{preprocessing(features, data.names)} {draw_matrix.verdict(matrix, kernel)}"
