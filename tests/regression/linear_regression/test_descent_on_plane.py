import numpy as np
import pytest
from numpy import ndarray

from algorithms.core.features import polynomial_features
from algorithms.core.iterate import moved
from algorithms.core.optimizers import Adam, Momentum, Plain, Rule
from algorithms.regression.linear_regression.descent_on_plane import (
    descend_on_plane,
    line_through,
    near_one,
    resumed_on_plane,
)
from algorithms.regression.linear_regression.gradient_descent import gradient_descent
from tests.core.samples import points_of, rng
from tests.house.check_steps import AsInTheApp, check_steps, same


def board(name: str = "line", n: int = 60) -> ndarray:
    return points_of(name, n)


ARGUMENTS = {
    "plane": board(),
    "moved": board(),
    "rule": Plain(0.1),
    "steps": list(descend_on_plane(board(), Plain(0.1), rng=rng(7), max_iter=20)),
    "at": 5,
}


@pytest.mark.parametrize("standardize", [True, False])
def test_it_is_gradient_descent_on_both_columns(standardize: bool) -> None:
    plane = board("diabetes") / 100
    x, y = polynomial_features(plane, 1, standardize=standardize)(plane).T
    how = {"batch": 16, "max_iter": 12}
    ours = check_steps(
        descend_on_plane(plane, Plain(0.01), rng=rng(5), standardize=standardize, **how)
    )
    theirs = gradient_descent(x[:, None], y, Plain(0.01), rng=rng(5), **how)
    for found, expected in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(found.weights, expected.weights)
        assert found.intercept == expected.intercept


@pytest.mark.parametrize("standardize", [True, False])
def test_it_starts_at_the_line_through_two_places(standardize: bool) -> None:
    plane, places = board(), np.array([[-2.0, 3.0], [1.0, -1.0]])
    step = next(
        descend_on_plane(plane, Plain(0.1), rng=rng(0), places=places, standardize=standardize)
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
    with AsInTheApp():
        with pytest.raises(ValueError, match="exactly above each other"):
            descend_on_plane(board(), Plain(0.1), rng=rng(0), places=upright)
        with pytest.raises(ValueError, match="plane must"):
            descend_on_plane(board() * np.nan, Plain(0.1), rng=rng(0))


def test_points_near_one() -> None:
    assert near_one(board()) and near_one(board()[:1]) and near_one(np.empty((0, 2)))
    assert not near_one(board("diabetes", 100))
    assert not near_one(board() * [1, 0.01])


AT, ROWS, THERE = 5, np.array([7, 8]), np.array([[2.5, -1.5], [0.0, 3.0]])


@pytest.mark.parametrize("rule", [Plain(0.1), Momentum(0.1), Adam(0.1)])
@pytest.mark.parametrize("batch", [None, 7])
@pytest.mark.parametrize("standardize", [True, False])
def test_a_run_goes_on_with_another_rate_or_other_points(
    rule: Rule, batch: int | None, standardize: bool
) -> None:
    plane = board()
    how = {"standardize": standardize, "batch": batch, "max_iter": 40}
    was = list(descend_on_plane(plane, rule, rng=rng(2), **how))
    for there, then in (
        (plane, type(rule)(0.01)),
        (moved(plane, ROWS, THERE), rule),
        (moved(plane, ROWS, THERE), type(rule)(0.01)),
    ):
        steps = check_steps(resumed_on_plane(was, AT, plane, there, then, rng=rng(2), **how))
        assert all(same(a, b) for a, b in zip(was[:AT], steps[:AT], strict=True))
        assert not same(was[AT], steps[AT])
        check_by_the_book(steps, plane, there, then, was, standardize=standardize)
    same_rule = list(resumed_on_plane(was, AT, plane, plane, rule, rng=rng(2), **how))
    assert all(same(a, b) for a, b in zip(was, same_rule, strict=True))


def check_by_the_book(
    steps: list, plane: ndarray, there: ndarray, rule: Rule, was: list, *, standardize: bool
) -> None:
    """Check every step from AT on by the rule, on the new points and in the old units."""
    u, v = polynomial_features(plane, 1, standardize=standardize)(there).T
    A = np.column_stack([u, np.ones(len(u))])
    memory, theta = was[AT - 1].memory, was[AT - 1].theta
    for step, before in zip(steps[AT:], was[AT:], strict=False):
        rows = np.arange(len(u)) if len(step.batch) == 0 else step.batch
        np.testing.assert_array_equal(step.batch, before.batch)
        g = -2 / len(rows) * A[rows].T @ (v[rows] - A[rows] @ theta)
        g[np.abs(g) < 1e-13] = 0.0  # rounding, which Adam would divide by its own size
        change, memory = rule.update(g, memory)
        losses = [((v - A @ at) ** 2).mean() for at in (theta, theta + change)]
        theta = theta + change
        np.testing.assert_allclose(step.theta, theta, rtol=1e-6, atol=1e-9)
        assert step.loss == pytest.approx(losses[1])
        assert step.fall == pytest.approx(losses[0] - losses[1], abs=1e-9)
        assert step.learning_rate == rule.learning_rate


def test_it_goes_on_from_steps_of_the_run_only() -> None:
    was = list(descend_on_plane(board(), Plain(0.1), rng=rng(2), max_iter=9))
    for at in (0, len(was) + 1):
        with pytest.raises(ValueError, match="at must be between 1 and the number of steps"):
            resumed_on_plane(was, at, board(), board(), Plain(0.1), rng=rng(2), max_iter=9)
    with AsInTheApp(), pytest.raises(ValueError, match="moved must be finite"):
        resumed_on_plane(was, 1, board(), board() * np.nan, Plain(0.1), rng=rng(2))
