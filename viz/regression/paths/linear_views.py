"""Which views and which words belong to a run of ridge, lasso or coordinate descent."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from algorithms.regression.paths.linear_paths import RidgeStep
from algorithms.regression.paths.penalty_account import DescentAccount, PathAccount
from algorithms.regression.paths.regressors import Regressors
from viz.regression.paths import lasso_descent, linear_paths, linear_words, weight_geometry


def linked(
    account: PathAccount | DescentAccount, data: Regressors, steps: Sequence[Any], *, two: bool
) -> dict[str, Callable[[int], dict]]:
    """Give the views beside the picture, by title; with `two`, those for exactly two weights."""
    if isinstance(account, DescentAccount):
        return _descent(account, data, steps, two)
    curve, order = account.curve, account.order
    if two:
        return {
            "Error ellipses and the ball of the weights; the prior": partial(
                weight_geometry.geometry_and_prior, account, data, steps
            ),
            f"The weights against the penalty; {weight_geometry.beside(data)}": partial(
                weight_geometry.path_and_surface, data, curve, steps
            ),
        }
    return {
        "The weights against the penalty, and against their norm": partial(
            linear_paths.paths, curve, data.names, order, steps
        ),
        linear_paths.errors_title(curve, order): partial(
            linear_paths.errors_and_prior, curve, account.variance, order, steps
        ),
    }


def _descent(
    account: DescentAccount, data: Regressors, steps: Sequence[Any], two: bool
) -> dict[str, Callable[[int], dict]]:
    course = lasso_descent.course(steps)
    if two:
        title = "The way over f, one weight at a time; the soft threshold"
        first = partial(lasso_descent.contours_and_threshold, account, data.names, course, steps)
    else:
        title = "The soft threshold; f at every visit, above its last value"
        first = partial(lasso_descent.threshold_and_objective, course, steps)
    visits = partial(lasso_descent.visits, data.names, account.exact, course, steps)
    return {title: first, "The weights at every visit; dotted: the exact solution": visits}


def caption(
    account: PathAccount | DescentAccount,
    data: Regressors,
    steps: Sequence[Any],
    *,
    two: bool,
    level: float,
) -> Callable[[int], str]:
    """Give the caption of every step. level : the share of the largest penalty, for descent."""
    if isinstance(account, DescentAccount):
        return partial(linear_words.descent_caption, data.names, level, steps)
    if two:
        return partial(linear_words.geometry_caption, account, data, steps)
    ridge = isinstance(steps[0], RidgeStep)
    say = linear_words.ridge_caption if ridge else linear_words.lasso_caption
    return partial(say, data.names, account.measured, steps)
