"""Points lifted to three features: the plane, its cut in two dimensions, and the turning view."""

import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from sklearn.svm import SVC

from algorithms.classification.svm.lift import TURNS, LiftStep, edge_on, lift, raised
from algorithms.core.features import polynomial_features
from algorithms.data.presets import DATASETS
from tests.core.figures import line, places, unpacked
from tests.house.check_steps import POINTS, AsInTheApp
from viz.classification.svm.lift import Lift
from viz.core import plane
from viz.core.scene import Plane, Run, Scene

ARGUMENTS = {"plane": POINTS}
TO = pytest.mark.parametrize("to", ["bowl", "squares"])


def points(name: str, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    preset = DATASETS[name]
    data = preset.make(preset.n, noise=preset.noise, rng=np.random.default_rng(seed))
    return data.X, data.labels


def shown(name: str, **how: Any) -> tuple[list[LiftStep], Scene, Plane]:
    X, y = points(name)
    features = polynomial_features(X, 1)
    steps = list(lift(features(X), y, **how))
    data = Plane(X, y, ("one", "two"), ("x", "y"), plane.bounds(X))
    mode = Lift(Run("", steps), data, (0, 1), features, np.array([0.4, -0.3]))
    return steps, mode.scene(), data


@TO
def test_products_of_the_features_are_those_of_the_kernel(to: Any) -> None:
    A, B = np.random.default_rng(0).normal(size=(2, 20, 2))
    product = A @ B.T
    if to == "bowl":
        squares = np.outer((A**2).sum(axis=1), (B**2).sum(axis=1))
        expected = product + squares
    else:
        expected = product**2
    np.testing.assert_allclose(raised(A, to) @ raised(B, to).T, expected, atol=1e-12)


@pytest.mark.parametrize("name", ["circles", "xor", "moons"])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_the_squares_are_the_machine_of_the_polynomial_kernel(name: str, C: float) -> None:
    X, y = points(name)
    theirs = SVC(C=C, kernel="poly", degree=2, gamma=1, coef0=0, tol=1e-8).fit(X, y)
    (*_, step) = lift(X, y, to="squares", C=C)
    places = np.random.default_rng(1).uniform(-3, 3, size=(200, 2))
    expected = theirs.decision_function(places)
    np.testing.assert_allclose(step.decision_function(places), expected, rtol=1e-3, atol=1e-3)


@TO
@pytest.mark.parametrize("name", ["circles", "xor", "moons", "outlier"])
def test_at_the_end_the_height_is_the_distance_from_the_plane(to: Any, name: str) -> None:
    X, y = points(name)
    first, *_, end = lift(X, y, to=to, C=10.0)
    across, up = first.seen(first.lifted.points).T
    features = raised(X, to)
    np.testing.assert_array_equal(across, features[:, 0])
    np.testing.assert_array_equal(up, features[:, 1 if to == "bowl" else 2])
    height = end.seen(features)[:, 1]
    f = end.decision_function(X) / end.lifted.length
    sign = np.sign(np.ptp(height) * np.corrcoef(height, f)[0, 1])
    np.testing.assert_allclose(height - height[0], sign * (f - f[0]), atol=1e-9)
    assert end.event == "edge-on"


@TO
def test_every_view_is_a_rotation_and_turns_by_equal_parts(to: Any) -> None:
    steps = list(lift(*points("circles"), to=to))
    assert len(steps) == TURNS + 1
    angles = []
    for before, step in pairwise(steps):
        np.testing.assert_allclose(step.frame @ step.frame.T, np.eye(3), atol=1e-12)
        assert np.linalg.det(step.frame) == pytest.approx(1)
        turn = step.frame @ before.frame.T
        angles.append(np.arccos((np.trace(turn) - 1) / 2))
    np.testing.assert_allclose(angles, angles[0], rtol=1e-6)
    assert angles[0] > 0.01


@TO
@pytest.mark.parametrize("weights", [np.zeros(3), *np.eye(3), *-np.eye(3), np.array([1.0, 0, 1])])
def test_any_plane_can_be_seen_edge_on(to: Any, weights: np.ndarray) -> None:
    frame = edge_on(weights, to)
    np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(frame[[0, 2]] @ weights, 0, atol=1e-12)


def test_the_circle_is_where_f_is_0() -> None:
    (step, *_) = lift(*points("circles"), C=10.0)
    assert step.lifted.circle is not None
    center, radius = step.lifted.circle
    angle = np.linspace(0, 6, 20)
    edge = center + radius * np.column_stack([np.cos(angle), np.sin(angle)])
    np.testing.assert_allclose(step.decision_function(edge), 0, atol=1e-9)
    (step, *_) = lift(*points("circles"), to="squares")
    assert step.lifted.circle is None


@pytest.mark.parametrize(
    ("X", "to", "said"),
    [
        (np.eye(3)[:2], "bowl", "plane must have two columns, got d=3"),
        (np.eye(2), "cone", "to must be"),
        (1e30 * np.eye(2), "bowl", "plane must stay within"),
    ],
)
def test_what_cannot_be_lifted_is_refused_at_the_call(X: np.ndarray, to: Any, said: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=said):
        lift(X, np.array([0, 1]), to=to)


@TO
@pytest.mark.parametrize("name", ["circles", "xor"])
def test_the_picture_of_the_lifted_points(to: Any, name: str) -> None:
    steps, scene, data = shown(name, to=to, C=10.0)
    features = polynomial_features(data.X, 1)
    end = len(steps) - 1
    border = line(scene.views[0].draw(end)["data"][1])
    border = border[np.isfinite(border).all(axis=1)]
    f = steps[0].decision_function(features(border))
    assert np.abs(f).max() < 0.1, "the border is where f is 0"
    for now in (0, 10, end):
        figure = scene.views[1].draw(now)
        spots = places(figure)
        F = raised(features(data.X), to)
        moved = spots - steps[now].seen(F)
        np.testing.assert_allclose(moved, np.broadcast_to(moved[0], moved.shape), atol=1e-4)
        for axis, drawn in zip(("xaxis", "yaxis"), spots.T, strict=True):
            low, high = figure["layout"][axis]["range"]
            assert (np.abs(drawn) < high).all() and low == -high
        wrong = steps[0].predict(features(data.X)) != data.labels
        np.testing.assert_array_equal(unpacked(figure["points"]["wrong"]), wrong)
    cut, sheet = (line(scene.views[1].draw(end)["data"][i])[:, 1] for i in (3, 1))
    assert np.nanmax(np.abs(cut - np.nanmean(cut))) < 0.05, "edge-on the cut is a level line"
    assert np.ptp(sheet) < 1e-4, "and so is the plane"


def test_the_captions_recomputed() -> None:
    steps, scene, data = shown("circles", C=10.0)
    fixed, features = steps[0].lifted, polynomial_features(data.X, 1)
    first, rule, picked = scene.caption(0).replace("−", "-").split("\n")
    assert first.startswith("Seen from above")
    assert "Turned by 46" in scene.caption(15)
    assert "none of 200 points are on its wrong side" in scene.caption(len(steps) - 1)
    found = re.findall(
        r"(-|\+|=) (\d[\d.e-]*) ?(x₁ |x₂ |\(x₁²|)", rule.split(";")[0].replace("= -", "- ")
    )
    numbers = [float(size) * (-1 if sign == "-" else 1) for sign, size, _ in found]
    assert numbers == pytest.approx([*fixed.weights, fixed.bias], rel=0.01)
    assert fixed.circle is not None
    assert f"a circle of radius {fixed.circle[1]:.3g} about" in rule
    f = float(steps[0].decision_function(features(np.array([[0.4, -0.3]])))[0])
    assert f"f = {f:.3g}, |f| / ‖w‖ = {abs(f) / fixed.length:.3g} away" in picked
    assert picked.endswith("class one.") == (f < 0)
