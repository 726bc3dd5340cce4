import numpy as np
import pytest

from algorithms.core.features import polynomial_features
from algorithms.data.presets import DATASETS
from algorithms.regression.least_squares.gradient_descent import gradient_descent
from algorithms.regression.least_squares.on_plane import (
    descend_on_plane,
    line_through,
    near_one,
    point_at,
    pull_on_plane,
)
from algorithms.regression.least_squares.optimizers import Rule
from tests.house.check_steps import AsInTheApp, check_steps


def board(name: str = "line", n: int = 60) -> np.ndarray:
    preset = DATASETS[name]
    return preset.make(n, noise=preset.noise, rng=np.random.default_rng(0)).X


ARGUMENTS = {"plane": board(), "rule": Rule(0.1), "end": "right", "low": -3.0, "high": 3.0}


@pytest.mark.parametrize("standardize", [True, False])
def test_it_is_gradient_descent_on_both_columns(standardize: bool) -> None:
    plane, rng = board("diabetes") / 100, np.random.default_rng
    x, y = polynomial_features(plane, 1, standardize=standardize)(plane).T
    how = {"batch": 16, "max_iter": 12}
    ours = check_steps(
        descend_on_plane(plane, Rule(0.01), rng=rng(5), standardize=standardize, **how)
    )
    theirs = gradient_descent(x[:, None], y, Rule(0.01), rng=rng(5), **how)
    for found, expected in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(found.weights, expected.weights)
        assert found.intercept == expected.intercept


@pytest.mark.parametrize("standardize", [True, False])
def test_it_starts_at_the_line_through_two_places(standardize: bool) -> None:
    plane, places = board(), np.array([[-2.0, 3.0], [1.0, -1.0]])
    step = next(
        descend_on_plane(
            plane, Rule(0.1), rng=np.random.default_rng(0), places=places, standardize=standardize
        )
    )
    units = polynomial_features(plane, 1, standardize=standardize)
    x, y = units(places).T
    np.testing.assert_allclose(step.predict(x[:, None]), y)


def test_a_line_through_two_places() -> None:
    np.testing.assert_allclose(line_through(np.array([[1.0, 2.0], [3.0, 6.0]])), [2, 0])
    with pytest.raises(ValueError, match="exactly above each other"):
        line_through(np.array([[1.0, 2.0], [1.0, 6.0]]))


def test_bad_points_and_places_are_refused_at_the_call() -> None:
    upright = np.array([[1.0, 2.0], [1.0, 6.0]])
    rng = np.random.default_rng(0)
    with AsInTheApp():
        with pytest.raises(ValueError, match="exactly above each other"):
            descend_on_plane(board(), Rule(0.1), rng=rng, places=upright)
        with pytest.raises(ValueError, match="X must"):
            descend_on_plane(board() * np.nan, Rule(0.1), rng=rng)


def test_points_near_one() -> None:
    assert near_one(board()) and near_one(board()[:1]) and near_one(np.empty((0, 2)))
    assert not near_one(board("diabetes", 100))
    assert not near_one(board() * [1, 0.01])


def test_the_point_at_an_end_is_pulled() -> None:
    plane = np.array([[2.0, 1], [-1, 0], [0, 3], [7, 2], [1, 1]])
    for end, point in (("left", 1), ("middle", 4), ("right", 3)):
        assert point_at(plane, end) == point
        steps = list(pull_on_plane(plane, end, low=-1.0, high=4.0))
        assert (steps[0].height, steps[-1].height) == (-1, 4)
        (own,) = (step for step in steps if step.event)
        assert own.height == plane[point, 1]
    with pytest.raises(ValueError, match="end must be one of"):
        point_at(plane, "top")
