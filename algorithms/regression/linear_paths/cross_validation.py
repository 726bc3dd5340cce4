"""Cross-validation of a penalty: every point is predicted once by a model that never saw it.

The n training points are dealt into k folds. For every fold q of n_q points, everything is learned
again from the other n - n_q points: what standardises the features, where basis functions stand,
and the weights for every penalty. The error of a fold is that on the points left out,

    e_q(penalty) = mean over fold q of (y_i - w_q.x_i - b_q)²

    mean = 1/k sum_q e_q              standard error = sqrt( sum_q (e_q - mean)² / (k - 1) / k )

The error is a sum over the points, so with fewer of them the penalty weighs more: fold q is learned
with penalty (n - n_q) / n, which keeps the balance of all n.

    best         the penalty of least mean error
    simplest     the largest penalty whose mean error is at most that of the best one, plus its
                 standard error: the strongest penalty that is as good as the best up to chance

The folds have much of their data in common, so the standard error is only a rough one.

Cost: k times that of the path.

Source: CS337 (003:2033); Breiman et al. 1984 for the rule of one standard error.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.data.presets import Dataset
from algorithms.regression.linear_paths.lasso_path import lasso_path, weights_at
from algorithms.regression.linear_paths.penalty_curve import lasso_penalties
from algorithms.regression.linear_paths.prepared_table import (
    FeatureChoice,
    PreparedTable,
    features_of,
)
from algorithms.regression.linear_paths.ridge_path import RidgeStep, ridge_path

LEAST = 2  # points in a fold

Weights = Callable[
    [Float[ndarray, "n d"], Float[ndarray, " n"], Float[ndarray, " m"]], Float[ndarray, "m d"]
]


@dataclass(frozen=True, eq=False)
class CrossValidation(Record):
    """The mean squared error of every fold (a row) for every penalty, large to small.

    There are no rows where there are too few points for two folds.
    """

    penalties: Float[ndarray, " m"]
    errors: Float[ndarray, "k m"]

    @property
    def mean(self) -> Float[ndarray, " m"]:
        """Return the mean error of the folds."""
        return self.errors.mean(axis=0)

    @property
    def standard_error(self) -> Float[ndarray, " m"]:
        """Return the standard error of that mean."""
        return self.errors.std(axis=0, ddof=1) / np.sqrt(len(self.errors))

    @property
    def best(self) -> int:
        """Return the index of the penalty with the least mean error; the larger one in a tie."""
        return int(self.mean.argmin())

    @property
    def simplest(self) -> int:
        """Return the index of the largest penalty within one standard error of the best."""
        limit = self.mean[self.best] + self.standard_error[self.best]
        return int(np.argmax(self.mean <= limit))


def cross_validation(
    data: Dataset,
    choice: FeatureChoice,
    made: PreparedTable,
    steps: Sequence[Any],
    *,
    folds: int,
    rng: Generator,
) -> CrossValidation:
    """Judge the penalties of a run of `ridge_path` or `lasso_path` on the points it learned from.

    `made` are the features that `choice` makes of `data`; points it holds out stay out. Raises
    ValueError unless folds >= 2.
    """
    ridge = isinstance(steps[0], RidgeStep)
    penalties = np.array([step.penalty for step in steps]) if ridge else lasso_penalties(steps)
    learning = np.flatnonzero(~made.held_out)
    fold = deal(len(learning), folds, rng=rng)
    solve = ridge_weights if ridge else lasso_weights
    errors = [
        _fold_errors(
            features_of(data, choice, _also(made.held_out, left_out), made.line_x),
            left_out, solve, penalties,
        )
        for left_out in (learning[fold == f] for f in range(fold.max(initial=-1) + 1))
    ]  # fmt: skip
    return CrossValidation(penalties, np.array(errors).reshape(-1, len(penalties)))


def deal(n: int, folds: int, *, rng: Generator) -> Int[ndarray, " n"]:
    """Return a random fold for every point: sizes differ by at most 1, each has at least 2 points.

    Few points have fewer folds; fewer than 4 points have none, an empty array.
    """
    folds = min(validate.integer("folds", folds, 2), n // LEAST)
    return rng.permutation(np.arange(n) % folds) if folds > 1 else np.empty(0, int)


def ridge_weights(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"], penalties: Float[ndarray, " m"]
) -> Float[ndarray, "m d"]:
    """Return the ridge solution for every penalty."""
    return np.array([step.weights for step in ridge_path(X, y, penalties)])


def lasso_weights(
    X: Float[ndarray, "n d"], y: Float[ndarray, " n"], penalties: Float[ndarray, " m"]
) -> Float[ndarray, "m d"]:
    """Return the lasso solution for every penalty."""
    return weights_at(list(lasso_path(X, y)), penalties)


def _also(out: Bool[ndarray, " n"], fold: Int[ndarray, " f"]) -> Bool[ndarray, " n"]:
    """Return which points are held out: a fold, and those that were out before."""
    both = out.copy()
    both[fold] = True
    return both


def _fold_errors(
    part: PreparedTable,
    fold: Int[ndarray, " f"],
    solve: Weights,
    penalties: Float[ndarray, " m"],
) -> Float[ndarray, " m"]:
    """Return the mean squared error on a fold for every penalty, learned from the rest."""
    X, y = part.training
    share = len(y) / (len(y) + len(fold))
    weights = solve(X, y, share * penalties)
    intercepts = y.mean() - weights @ X.mean(axis=0)
    fitted = weights @ part.X[fold].T + intercepts[:, None]
    return np.square(part.y[fold] - fitted).mean(axis=1)
