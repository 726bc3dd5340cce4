import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.metrics import root_mean_squared_error

from algorithms.regression.linear_paths.lasso_path import lasso_path, weights_at
from algorithms.regression.linear_paths.penalty_curve import curve_of, lasso_curve
from algorithms.regression.linear_paths.ridge_path import ridge_path, ridge_penalties
from tests.regression.linear_paths.test_ridge_path import DATA

X, Y = DATA["all of diabetes"]
TRAINING, VALIDATION = (X[:300], Y[:300]), (X[300:], Y[300:])
NONE = (X[:0], Y[:0])


def test_ridge_errors_agree_with_scikit_learn() -> None:
    steps = list(ridge_path(*TRAINING, ridge_penalties(TRAINING[0], 9)))
    curve = curve_of(steps, TRAINING, VALIDATION, order=2)
    for i, penalty in enumerate(curve.penalties):
        theirs = Ridge(penalty, solver="svd").fit(*TRAINING)
        for ours, (points, y) in ((curve.training, TRAINING), (curve.validation, VALIDATION)):
            assert ours[i] == pytest.approx(root_mean_squared_error(y, theirs.predict(points)))
        assert curve.norms[i] == pytest.approx(np.linalg.norm(theirs.coef_))
    assert curve.best == int(np.argmin(curve.validation))
    assert (np.diff(curve.training) <= 1e-9).all(), "the training error falls with the penalty"


def test_a_lasso_curve_holds_the_knots_and_lies_on_the_path() -> None:
    path = list(lasso_path(*TRAINING))
    curve = lasso_curve(path, TRAINING, VALIDATION)
    assert (np.diff(curve.penalties) < 0).all()
    for step in path[:-1]:
        (i,) = np.flatnonzero(curve.penalties == step.penalty)
        np.testing.assert_allclose(curve.weights[i], step.weights, atol=1e-9)
        error = root_mean_squared_error(TRAINING[1], step.predict(TRAINING[0]))
        assert curve.training[i] == pytest.approx(error)
        assert curve.norms[i] == pytest.approx(np.abs(step.weights).sum())
    np.testing.assert_allclose(curve.weights, weights_at(path, curve.penalties))


def test_without_held_out_points_there_is_no_best_penalty() -> None:
    curve = lasso_curve(list(lasso_path(*TRAINING)), TRAINING, NONE)
    assert curve.best is None and len(curve.validation) == 0


def test_a_path_without_anything_to_fit() -> None:
    path = list(lasso_path(np.ones((4, 2)), np.arange(4.0)))
    curve = lasso_curve(path, (np.ones((4, 2)), np.arange(4.0)), (np.ones((1, 2)), np.ones(1)))
    assert np.isfinite(curve.penalties).all() and not curve.weights.any()
    assert curve.training == pytest.approx(np.std(np.arange(4)))
