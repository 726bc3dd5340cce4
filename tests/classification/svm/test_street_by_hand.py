"""A street turned by hand, the best one of its direction, and the best of all."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.svm import SVC

from algorithms.classification.svm.street_by_hand import between_means, street_by_hand
from algorithms.core.features import polynomial_features
from tests.classification.svm.test_svm import preset
from tests.core.samples import board
from tests.core.told import numbers
from tests.house.check_steps import POINTS, AsInTheApp
from viz.classification.svm.street_by_hand import Street
from viz.core.scene import Run

ARGUMENTS = {"plane": POINTS, "places": np.array([[-1.0, 1.0], [1.0, -1.0], [0.5, 0.5]])}
UNITS = polynomial_features(np.zeros((1, 2)), 1, standardize=False)


def cost(w: np.ndarray, b: float, X: np.ndarray, signs: np.ndarray, C: float) -> float:
    return w @ w / 2 + C * np.maximum(1 - signs * (X @ w + b), 0).sum()


@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
@pytest.mark.parametrize("standardize", [False, True])
def test_three_streets(C: float, standardize: bool) -> None:
    X, y = preset("moons", 80)
    X = X * [3.0, 0.5] + 1
    signs = 2.0 * (y == y.max()) - 1
    places = np.array([[0.0, 0.5], [2.0, 1.6], [2.0, 0.9]])
    hand, turned, best = street_by_hand(X, y, places, C=C, standardize=standardize)
    units = (X - X.mean(axis=0)) / X.std(axis=0) if standardize else X
    in_units = (places - X.mean(axis=0)) / X.std(axis=0) if standardize else places
    np.testing.assert_allclose(hand.decision_function(in_units), [0, 0, 1], atol=1e-9)
    for step in (hand, turned, best):
        assert step.objective == pytest.approx(cost(step.weights, step.bias, units, signs, C))
        assert step.width * np.linalg.norm(step.weights) == pytest.approx(2)
        margins = signs * (units @ step.weights + step.bias)
        np.testing.assert_allclose(step.margins, margins)
        np.testing.assert_allclose(step.hinges, np.maximum(1 - margins, 0), atol=1e-12)
    normal = hand.weights / hand.length
    assert abs(turned.weights @ normal) == pytest.approx(turned.length)
    assert best.objective <= turned.objective * (1 + 1e-9)
    assert turned.objective <= hand.objective * (1 + 1e-9)
    found = minimize(
        lambda p: cost(p[0] * normal, p[1], units, signs, C),
        [turned.weights @ normal, turned.bias],
        method="Nelder-Mead",
        options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 5000},
    )
    assert turned.objective <= found.fun * (1 + 1e-7)
    theirs = SVC(C=C, kernel="linear", tol=1e-8).fit(units, y)
    least = cost(theirs.coef_[0], theirs.intercept_[0], units, signs, C)
    assert least * (1 - 1e-4) <= best.objective <= least * (1 + 1e-6)
    assert [step.event for step in (hand, turned, best)] == [
        None, "best of this direction", "best of all"
    ]  # fmt: skip


def test_the_edge_says_where_the_second_class_is() -> None:
    X, y = preset("separable", 40)
    line = [[-1.0, 0.0], [1.0, 0.0]]
    above = next(street_by_hand(X, y, np.array([*line, [0.3, 0.5]])))
    below = next(street_by_hand(X, y, np.array([*line, [0.3, -0.25]])))
    assert above.weights.tolist() == [0, 2]
    assert below.weights.tolist() == [0, -4]
    assert (above.width, below.width) == (1, 0.5)


@pytest.mark.parametrize(
    "places",
    [[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], [[0.0, 0.0], [0.0, 0.0], [2.0, 1.0]], np.zeros((3, 2))],
)
def test_places_on_one_line_are_refused_at_the_call(places) -> None:
    X, y = preset("moons")
    with AsInTheApp(), pytest.raises(ValueError, match="must not be on one line"):
        street_by_hand(X, y, np.array(places))


def test_points_of_one_column_are_refused() -> None:
    with AsInTheApp(), pytest.raises(ValueError, match="plane must have two columns, got d=3"):
        street_by_hand(np.eye(3), np.array([0, 1, 1]), np.eye(3))


def test_places_to_begin_with_stand_between_the_means() -> None:
    X, y = preset("separable", 40)
    box = (-4.0, 4.0, -4.0, 4.0)
    first, second, edge = between_means(X, y, box)
    low, high = X[y == 0].mean(axis=0), X[y == 1].mean(axis=0)
    assert (first - second) @ (high - low) == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(
        (first + second) / 2, np.clip((low + high) / 2, -1.2, 1.2), atol=1e-9
    )
    assert (edge - first) @ (high - low) > 0
    for nobody in (np.zeros(40, int), np.ones(40, int)):
        assert np.isfinite(between_means(X, nobody, box)).all()
    assert np.isfinite(between_means(X[:0], y[:0], box)).all()


def test_a_street_without_a_direction_has_no_width() -> None:
    X = np.array([[1.0, 1], [-1, -1], [1, -1], [-1, 1]])
    places = np.array([[0.0, 0], [0, 1], [1, 0]])
    steps = list(street_by_hand(X, np.array([0, 0, 1, 1]), places))
    assert [step.length for step in steps] == [1, 0, 0]
    np.testing.assert_array_equal(steps[2].ways_back(np.ones(2)), 0)
    mode = Street(Run("", steps), board(X, np.array([0, 0, 1, 1]), ("a", "b")), (0, 1), UNITS)
    plainly, rule, width = mode.caption(2).split("\n")
    assert "w = 0" in plainly
    assert numbers(rule)[-1] == 4
    assert "no width" in width


@pytest.mark.parametrize("standardize", [False, True])
def test_a_class_draws_streets_that_the_objective_judges(standardize: bool) -> None:
    X, y = preset("moons", 80)
    data = board(X * [3.0, 0.5] + 1, y - y.min(), ("1", "2"))
    places = between_means(data.X, data.labels, data.bounds)
    steps = list(street_by_hand(data.X, data.labels, places, C=2.0, standardize=standardize))
    units = polynomial_features(data.X, 1, standardize=standardize)
    drawing = Street(Run("", steps), data, (0, 1), units).to_draw()
    assert drawing is not None and drawing.start.shape == drawing.best.shape == (3, 2)
    np.testing.assert_allclose(drawing.start, places)
    assert drawing.judge(drawing.start) == pytest.approx(steps[0].objective)
    assert drawing.judge(drawing.best) == pytest.approx(steps[-1].objective)
    assert drawing.judge(np.zeros((3, 2))) is None, "three places on one line"


def test_a_street_whose_sides_have_swapped_says_so() -> None:
    X, y = np.array([[-2.0, 0], [-3, 1], [2, 0], [3, 1]]), np.array([0, 0, 1, 1])
    for edge, swapped in ((0.004, False), (-0.004, True)):
        places = np.array([[0.0, -1], [0, 1], [edge, 0]])
        steps = list(street_by_hand(X, y, places, C=10.0))
        mode = Street(Run("", steps), board(X, y, ("a", "b")), (0, 1), UNITS)
        plainly, rule, width = mode.caption(0).split("\n")
        assert plainly.startswith("The street's sides have swapped. ") == swapped
        assert ("swap the sides back" in width) == swapped
        cost = numbers(rule)[-1]
        assert cost == round(steps[0].objective)
        assert f"costs about {float(f'{cost:.3g}'):.0f}; " in plainly
        assert all("swapped" not in mode.caption(now) for now in (1, 2))
