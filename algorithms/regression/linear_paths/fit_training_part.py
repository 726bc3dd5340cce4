"""Ridge, the lasso path and coordinate descent on the training points (prepared_table.py).

    ridge      51 penalties, from nearly no weights to nearly least squares
    lasso      its path from no weights to least squares
    descent    the lasso for one penalty, `level` times the one that keeps all weights at 0

The steps are those of `ridge_path`, `lasso_path` and `lasso`, and so is the cost.
"""

from collections.abc import Iterator

from jaxtyping import Float
from numpy import ndarray

from algorithms.regression.linear_paths.lasso_descent import LassoStep, lasso
from algorithms.regression.linear_paths.lasso_path import LassoPathStep, lasso_path
from algorithms.regression.linear_paths.prepared_table import PreparedTable
from algorithms.regression.linear_paths.ridge_path import RidgeStep, ridge_path, ridge_penalties


def ridge_on_training(data: PreparedTable, *, count: int = 51) -> Iterator[RidgeStep]:
    """Run `ridge_path` for `count` penalties. Raises ValueError unless count >= 2."""
    X, y = data.training
    return ridge_path(X, y, ridge_penalties(X, count))


def lasso_on_training(data: PreparedTable, *, between: int = 0) -> Iterator[LassoPathStep]:
    """Run `lasso_path`, with `between` steps between two knots. Raises ValueError if it is < 0."""
    X, y = data.training
    return lasso_path(X, y, between=between)


def least_squares_on_training(data: PreparedTable) -> Float[ndarray, " d"]:
    """Return the weights without a penalty, of all that fit equally well the shortest."""
    X, y = data.training
    return next(ridge_path(X, y, [0.0])).weights


def descent_on_training(data: PreparedTable, *, level: float, max_iter: int) -> Iterator[LassoStep]:
    """Run `lasso` with `level` times the largest penalty that matters, `max_iter` sweeps at most.

    Raises ValueError unless level >= 0 and max_iter >= 1.
    """
    X, y = data.training
    return lasso(X, y, level * next(lasso_path(X, y)).penalty, max_iter=max_iter)
