"""What the modes of the lab on support vector machines show."""

from numpy import ndarray

from algorithms.classification.svm.kernel_matrix import KernelMatrix
from algorithms.classification.svm.svm import SvmStep
from algorithms.core.features import PolynomialFeatures
from algorithms.core.kernels import Kernel
from viz.classification.svm import kernel_matrix as draw_matrix
from viz.classification.svm import (
    lift,
    objectives,
    street_by_hand,
    svm,
    svm_multiclass,
    svm_questions,
    svm_words,
)
from viz.classification.svm.pair_box import pair_box, reached
from viz.core import panels
from viz.core.preparation import preprocessing
from viz.core.scene import Plane, Run, Scene, View


def by_hand(run: Run, data: Plane, sides: svm.Sides, features: PolynomialFeatures) -> Scene:
    """Show a street turned by hand, the best one of its direction, and the best of all."""
    steps = run.steps
    views = [
        View(
            "Your street, and the way of every point with a loss back to its edge",
            lambda now: street_by_hand.picture(data, sides, features, steps, now),
        ),
        View(
            "Losses by margin: every point on the hinge",
            lambda now: street_by_hand.losses(sides, steps, now),
        ),
        View("What the streets cost", lambda now: street_by_hand.costs(steps, now), ahead=True),
    ]
    return Scene(
        views,
        lambda now: street_by_hand.caption(steps, now),
        note=f"{preprocessing(features, data.names)} {street_by_hand.NOTE}",
        ask=svm_questions.ask_street(steps),
    )


def pairs(
    run: Run,
    data: Plane,
    sides: svm.Sides,
    features: PolynomialFeatures,
    place: ndarray,
    matrix: KernelMatrix | None,
    crossed: bool,
) -> Scene:
    """Show SMO move by move. matrix : to be shown, or None."""
    steps, top = run.steps, reached(run.steps)
    spot = svm.picked(place, features)
    views = [
        _both_sides(run, data, sides, features, spot, crossed),
        View(
            "Pair in its box: ○ from, ● to, ✕ uncut; all duals",
            lambda now: pair_box(sides, steps[now], top),
        ),
        _closing(run),
        *_matrix(matrix),
    ]

    def caption(now: int) -> str:
        told = svm_words.pair_caption(steps, now)
        return f"{told}\n{svm_words.at_picked(steps[now], data, sides, spot)}"

    note = _note(data, features, matrix, steps[0].kernel)
    return Scene(views, caption, note=note, ask=svm_questions.ask_pairs(data, steps))


def all_at_once(
    run: Run,
    data: Plane,
    sides: svm.Sides,
    features: PolynomialFeatures,
    place: ndarray,
    matrix: KernelMatrix | None,
) -> Scene:
    """Show the quadratic programme Newton step by Newton step. matrix : to be shown, or None."""
    steps, spot = run.steps, svm.picked(place, features)
    views = [
        _both_sides(run, data, sides, features, spot, False),
        View("All duals", lambda now: panels.alone(svm.all_duals(sides, steps[now]))),
        _closing(run),
        *_matrix(matrix),
    ]

    def caption(now: int) -> str:
        told = svm_words.all_caption(steps, now)
        return f"{told}\n{svm_words.at_picked(steps[now], data, sides, spot)}"

    note = _note(data, features, matrix, steps[0].kernel)
    return Scene(views, caption, note=note, ask=svm_questions.ask_all_at_once(data, steps))


def lifting(
    run: Run, data: Plane, sides: svm.Sides, features: PolynomialFeatures, query: ndarray
) -> Scene:
    """Show points that are lifted, and the view of them turning. query : a picked place."""
    shown = lift.Lift(data, sides, features, run.steps, query)
    border = lift.picture(shown)
    views = [
        View("Both sides of the border, and the edges f = −1 and +1", lambda _: border),
        View("The lifted points and the plane f = 0", lambda now: lift.lifted(shown, now), 1.6),
    ]
    note = f"{preprocessing(features, data.names)} {lift.note()}"
    return Scene(views, lambda now: lift.caption(shown, now), note=note)


def several_classes(
    run: Run, data: Plane, hatch: bool, features: PolynomialFeatures, matrix: KernelMatrix | None
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
        *_matrix(matrix),
    ]
    note = _note(data, features, matrix, kernel)
    return Scene(
        views,
        lambda now: svm_multiclass.caption(steps, data, now),
        note=note,
        ask=svm_questions.ask_machines(data, steps),
    )


def _both_sides(
    run: Run,
    data: Plane,
    sides: svm.Sides,
    features: PolynomialFeatures,
    spot: svm.Picked,
    crossed: bool,
) -> View:
    steps = run.steps
    grid = svm.surface(steps[0].kernel, steps[0].points, features, data.bounds)
    ring = "the state of every point" if isinstance(steps[0], SvmStep) else "every dual as a ring"
    return View(
        f"Both sides, the edges f = −1 and +1{_widest(features)}, and {ring}",
        lambda now: svm.picture(data, sides, grid, steps[now], spot, crossed),
    )


def _widest(features: PolynomialFeatures) -> str:
    """Say in which units the street is the widest, where they are not those of the axes."""
    as_they_are = (features.spread == 1).all() and (features.scale == 1).all()
    return "" if as_they_are else " (widest in standardised units)"


def _closing(run: Run) -> View:
    steps, drawn = run.steps, objectives.lines(run.steps)
    every = objectives.spacing(steps)
    thinned = f" (lines: one step in {every})" if every > 1 else ""
    return View(
        f"Primal and dual objective{thinned}",
        lambda now: objectives.objectives(drawn, steps[now]),
        ahead=True,
    )


def _matrix(found: KernelMatrix | None) -> list[View]:
    if found is None:
        return []
    figure = draw_matrix.matrix(found)
    return [View(draw_matrix.title(found), lambda _: figure)]


def _note(
    data: Plane, features: PolynomialFeatures, matrix: KernelMatrix | None, kernel: Kernel
) -> str:
    """Say what was done to the columns, and of a kernel that may be none whether it is one."""
    done = preprocessing(features, data.names)
    return f"{done} {draw_matrix.verdict(matrix, kernel)}" if matrix else done
