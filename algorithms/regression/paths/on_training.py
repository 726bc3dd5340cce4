"""Ridge, the lasso path and coordinate descent on the training points of a table (regressors.py).

    ridge      51 penalties, from nearly no weights to nearly least squares
    lasso      its path from no weights to least squares
    descent    the lasso for one penalty, `level` times the one that keeps all weights at 0

The steps are those of `ridge_path`, `lasso_path` and `lasso`, and so is the cost.
"""

from collections.abc import Iterator

from algorithms.regression.paths.lasso_descent import LassoStep, lasso
from algorithms.regression.paths.lasso_homotopy import LassoPathStep, lasso_path
from algorithms.regression.paths.linear_paths import RidgeStep, ridge_path, ridge_penalties
from algorithms.regression.paths.regressors import Regressors


def ridge_on_training(data: Regressors, *, count: int = 51) -> Iterator[RidgeStep]:
    """Run `ridge_path` for `count` penalties. Raises ValueError unless count >= 2."""
    X, y = data.training
    return ridge_path(X, y, ridge_penalties(X, count))


def lasso_on_training(data: Regressors, *, between: int = 0) -> Iterator[LassoPathStep]:
    """Run `lasso_path`, with `between` steps between two knots. Raises ValueError if it is < 0."""
    X, y = data.training
    return lasso_path(X, y, between=between)


def descent_on_training(data: Regressors, *, level: float, max_iter: int) -> Iterator[LassoStep]:
    """Run `lasso` with `level` times the largest penalty that matters, `max_iter` sweeps at most.

    Raises ValueError unless level >= 0 and max_iter >= 1.
    """
    X, y = data.training
    return lasso(X, y, level * next(lasso_path(X, y)).penalty, max_iter=max_iter)
