"""The modes of the lab; its lesson is linear_paths.md."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from algorithms.data.presets import Dataset
from algorithms.regression.linear_paths import lasso_descent, lasso_path, ridge_path
from algorithms.regression.linear_paths.cross_validation import cross_validation
from algorithms.regression.linear_paths.fit_training_part import (
    descent_on_training,
    lasso_on_training,
    least_squares_on_training,
    ridge_on_training,
)
from algorithms.regression.linear_paths.prepared_table import (
    BASES,
    FeatureChoice,
    prepared_table,
    with_optimum_moved,
)
from pages._shared.ask.split import split_rng
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.session.cache import Later
from pages._shared.stage.handles import places_text, read_places
from viz.core.scene import Bounds, Run
from viz.regression.linear_paths.lasso_descent import Descent
from viz.regression.linear_paths.lasso_path import Lasso
from viz.regression.linear_paths.ridge_path import Ridge
from viz.regression.linear_paths.two_weights import TwoWeights

LEVELS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0]
LEVEL = "Penalty λ / largest useful λ"
BETWEEN = 7  # steps from knot to knot, where the ellipse can be seen to move
ROOM = 1.12  # times the largest diamond: as far as the weights of least squares can be dragged
WINDOW = 1.02  # times the largest diamond: half of the axes of two weights, and a little more
TILTED = "sugar"  # of the patients: it rises with bmi, so that the ellipse is tilted
MIDDLE = 1 / 8  # of the way to least squares: the middle of the axes


@dataclass(frozen=True)
class Prepared:
    """The features that were chosen, and the table made ready with them."""

    choice: FeatureChoice
    made: Later
    seed: int


def paths(lab: Lab) -> Shown:
    """Show all weights while the penalty falls."""
    methods = {"ridge": ridge, "lasso": lasso, "coordinate descent": descent}
    method = lab.choice("mode", "Method", list(methods), "lasso")
    return methods[method](lab, prepare(lab, all_features(lab)))


def two_weights(lab: Lab) -> Shown:
    """Show two weights, and the ball that holds them."""
    methods = {
        "ridge": ridge_of_two,
        "lasso": lasso_of_two,
        "coordinate descent": partial(descent, two=True),
    }
    method = lab.choice("mode", "Method", list(methods), "lasso")
    return methods[method](lab, prepare(lab, two_features(lab)))


def ridge(lab: Lab, data: Prepared) -> Shown:
    """Shrink the weights along every direction at once."""
    run = lab.run(ridge_on_training, data.made)
    folds = judged(lab, data, run)
    return lab.scene(Ridge, run, lab.plane, data.made, data.choice, folds, code=ridge_path)


def lasso(lab: Lab, data: Prepared) -> Shown:
    """Add one variable after the other."""
    run = lab.run(lasso_on_training, data.made)
    folds = judged(lab, data, run)
    return lab.scene(Lasso, run, lab.plane, data.made, data.choice, folds, code=lasso_path)


def descent(lab: Lab, data: Prepared, *, two: bool = False) -> Shown:
    """Change one weight at a time; two weights go down a valley along the axes."""
    run, level = sweep(lab, data)
    return lab.scene(
        Descent, run, lab.plane, data.made, data.choice, level, two=two, code=lasso_descent
    )


def ridge_of_two(lab: Lab, data: Prepared) -> Shown:
    """Show where the error ellipse touches a circle."""
    data, box = with_optimum_dragged(lab, data)
    run = lab.run(ridge_on_training, data.made)
    folds = judged(lab, data, run)
    return lab.scene(
        TwoWeights, run, lab.plane, data.made, data.choice, folds, box, code=ridge_path
    )


def lasso_of_two(lab: Lab, data: Prepared) -> Shown:
    """Show where the error ellipse touches a diamond."""
    data, box = with_optimum_dragged(lab, data)
    run = lab.run(lasso_on_training, data.made, between=BETWEEN)
    folds = judged(lab, data, run)
    return lab.scene(
        TwoWeights, run, lab.plane, data.made, data.choice, folds, box, code=lasso_path
    )


def with_optimum_dragged(lab: Lab, data: Prepared) -> tuple[Prepared, Bounds]:
    """Let the weights of least squares be dragged; return the data, and the ends of the axes.

    The axes hold the whole of the largest diamond, and more on the side of least squares, so that
    its ellipses are seen.
    """
    if not len(lab.data.X):
        return data, (-1.0, 1.0, -1.0, 1.0)
    weights = lab.later(least_squares_on_training, data.made).value()
    most = float(np.abs(weights).sum()) or 1.0
    x, y = (MIDDLE * weights).tolist()
    half = WINDOW * most + max(abs(x), abs(y))
    box = (x - half, x + half, y - half, y + half)
    if not other_columns(lab.data):
        return data, box
    usual = read_places(places_text(weights[None]))
    reach = ROOM * most
    within = (min(box[0], -reach), max(box[1], reach), min(box[2], -reach), max(box[3], reach))
    places = lab.places("optimum", "Least squares", usual, look="line", within=within)
    moved = (places - usual)[0]
    if moved.any():
        data = replace(data, made=lab.later(with_optimum_moved, data.made, moved))
    return data, box


def sweep(lab: Lab, data: Prepared) -> tuple[Run, float]:
    """Run coordinate descent; return also its penalty, as a share of the largest useful one."""
    level = lab.log_slider("level", LEVEL, LEVELS, 0.1)
    sweeps = lab.log_slider("sweeps", "Sweeps at most", [3, 10, 30, 100, 300], 30)
    return lab.run(descent_on_training, data.made, level=level, max_iter=sweeps), level


def judged(lab: Lab, data: Prepared, run: Run) -> Later:
    """Compare the run's penalties by cross-validation, with a random stream of its own."""
    folds = lab.buttons("folds", "Folds of cross-validation", [5, 10], 10)
    return lab.later(
        cross_validation, lab.data, data.choice, data.made, run,
        folds=folds, rng=np.random.default_rng([data.seed, 2]),
    )  # fmt: skip


def all_features(lab: Lab) -> FeatureChoice:
    """Take all columns but the target, or functions of the only one."""
    if others := other_columns(lab.data):
        return FeatureChoice(others)
    basis = choose_basis(lab)
    return FeatureChoice(basis=basis, count=lab.slider("count", "How many features", 1, 10, 9))


def two_features(lab: Lab) -> FeatureChoice:
    """Take the column on the x axis and another one, or two functions of the only one."""
    if not (others := other_columns(lab.data)):
        return FeatureChoice(basis=choose_basis(lab), count=2)
    names = [lab.data.columns[j] for j in others]
    usual = TILTED if TILTED in names else names[0]
    second = lab.choice("feature", "Second feature", names, usual, before="second")
    return FeatureChoice((others[names.index(second)],))


def other_columns(data: Dataset) -> tuple[int, ...]:
    """Return the columns that are not on the plane."""
    return tuple(j for j in range(data.table.shape[1]) if j not in (data.x, data.y))


def choose_basis(lab: Lab) -> str:
    """Ask for the functions that are the features of a single column."""
    return lab.choice("basis", "Features of x", list(BASES), "polynomial")


def prepare(lab: Lab, choice: FeatureChoice) -> Prepared:
    """Draw the held-out points from a stream of their own, and make the features."""
    share = lab.slider("test_share", "Held-out points, about %", 0, 60, 30, 5)
    seed = lab.number(
        "seed", "Seed", 0, 9999, 0, help="Draws which points are held out, and the folds."
    )
    standardize = lab.toggle("standardize", "Standardise the features", True)
    choice = replace(choice, standardize=standardize)
    made = lab.later(
        prepared_table, lab.data, choice, share=share / 100, rng=split_rng(seed),
        window=lab.plane.bounds[:2],
    )  # fmt: skip
    return Prepared(choice, made, seed)


ON_BOARD = {"data": "sine"}  # of a table the picture is the path, which has no points

MODES = {"paths": paths, "two weights": two_weights}

if __name__ == "__main__":
    open_lab(__file__, data="diabetes").show(MODES)
