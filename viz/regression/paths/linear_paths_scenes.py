"""What the lab of ridge and lasso paths shows, of every method in either view.

folds : the cross-validation of the run's penalties.
"""

from collections.abc import Sequence
from functools import partial

from algorithms.regression.paths.cross_validation import CrossValidation
from algorithms.regression.paths.penalty_account import descent_account, path_account
from algorithms.regression.paths.regressors import FeatureChoice, Regressors
from viz.core.scene import Plane, Run, Scene, View
from viz.regression.paths import (
    fit,
    fit_words,
    lasso_descent,
    lasso_descent_words,
    linear_paths,
    linear_paths_words,
    weight_geometry,
    weight_geometry_words,
)
from viz.regression.paths import linear_paths_questions as questions
from viz.regression.paths.fit import Fit
from viz.regression.paths.lasso_descent import Sweeps
from viz.regression.paths.linear_paths import Path


def ridge(
    run: Run, data: Plane, made: Regressors, choice: FeatureChoice, folds: CrossValidation
) -> Scene:
    """Show all weights on the path of ridge regression."""
    path = _path(run, made, folds)
    caption = partial(linear_paths_words.ridge_caption, path)
    views = [_fit(run, data, made), *_weights(path)]
    return Scene(views, caption, _judged_note(path, data, choice), ask=questions.ask_path(path))


def lasso(
    run: Run, data: Plane, made: Regressors, choice: FeatureChoice, folds: CrossValidation
) -> Scene:
    """Show all weights on the path of the lasso."""
    path = _path(run, made, folds)
    caption = partial(linear_paths_words.lasso_caption, path)
    views = [_fit(run, data, made), *_weights(path)]
    return Scene(views, caption, _judged_note(path, data, choice), ask=questions.ask_path(path))


def descent(run: Run, data: Plane, made: Regressors, choice: FeatureChoice, level: float) -> Scene:
    """Show all weights in coordinate descent.

    level : the penalty, as a share of the one that keeps all weights at 0.
    """
    sweeps = _swept(run, made)
    threshold = View(
        "The soft threshold; f above its last value",
        partial(lasso_descent.threshold_and_objective, sweeps),
    )
    views = [_fit(run, data, made), threshold, _visits(sweeps)]
    caption = partial(lasso_descent_words.caption, sweeps, level)
    return Scene(views, caption, _note(data, made, choice), ask=questions.ask_visit(sweeps))


def path_of_two(
    run: Run, data: Plane, made: Regressors, choice: FeatureChoice, folds: CrossValidation
) -> Scene:
    """Show two weights on the path of ridge or lasso."""
    path = _path(run, made, folds)
    views = [
        _fit(run, data, made),
        View(
            "Error ellipses, ball of the weights; the prior",
            partial(weight_geometry.geometry_and_prior, path),
        ),
        View(
            weight_geometry_words.path_title(path),
            partial(weight_geometry.path_and_plane, path),
            ahead=True,
        ),
    ]
    caption = partial(weight_geometry_words.caption, path)
    return Scene(views, caption, _judged_note(path, data, choice), ask=questions.ask_path(path))


def descent_of_two(
    run: Run, data: Plane, made: Regressors, choice: FeatureChoice, level: float
) -> Scene:
    """Show two weights in coordinate descent; `level` is that of `descent`."""
    sweeps = _swept(run, made)
    way = View(
        "The way over f, one weight at a time; the soft threshold",
        partial(lasso_descent.contours_and_threshold, sweeps),
    )
    views = [_fit(run, data, made), way, _visits(sweeps)]
    caption = partial(lasso_descent_words.caption, sweeps, level)
    return Scene(views, caption, _note(data, made, choice), ask=questions.ask_visit(sweeps))


def _path(run: Run, made: Regressors, folds: CrossValidation) -> Path:
    return Path(run.steps, path_account(run.steps, made), made, folds)


def _swept(run: Run, made: Regressors) -> Sweeps:
    return Sweeps(run.steps, descent_account(run.steps, made), made.names)


def _fit(run: Run, data: Plane, made: Regressors) -> View:
    return View(fit_words.title(made), partial(fit.picture, Fit(data, made, run.steps)))


def _weights(path: Path) -> Sequence[View]:
    return (
        View("The weights against the penalty", partial(linear_paths.paths, path), ahead=True),
        View(
            linear_paths_words.errors_title(path),
            partial(linear_paths.errors_alone, path),
            ahead=True,
        ),
        View(
            linear_paths_words.prior_title(path),
            partial(linear_paths.norm_and_prior, path),
            ahead=True,
        ),
    )


def _visits(sweeps: Sweeps) -> View:
    title = "The weights at every visit; dotted: the exact solution"
    return View(title, partial(lasso_descent.visits, sweeps), ahead=True)


def _note(data: Plane, made: Regressors, choice: FeatureChoice) -> str:
    return fit_words.preparation(made, choice, data.names[0])


def _judged_note(path: Path, data: Plane, choice: FeatureChoice) -> str:
    return _note(data, path.made, choice) + linear_paths_words.folds_note(path)
