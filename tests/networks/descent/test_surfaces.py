import numpy as np
import pytest
from scipy.optimize import rosen, rosen_der

from algorithms.networks.descent.surfaces import NAMES, Surface
from tests.house.checked import Checked

EVERY = pytest.mark.parametrize("name", NAMES)
DERIVATIVES = Checked(
    "descent",
    "Numerical derivatives of all surfaces, relative to 1 + the length of the gradient",
    120,
    "places and angles",
    within=1e-7,
)
ROSENBROCK = Checked(
    "descent",
    "SciPy's Rosenbrock function and its gradient, relative to 1 + their size",
    200,
    "places",
    within=1e-12,
)


@pytest.mark.parametrize("case", range(DERIVATIVES.cases))
def test_the_gradient_is_that_of_the_height(case: int) -> None:
    rng = np.random.default_rng(case)
    name, (curvature, angle) = NAMES[case % len(NAMES)], rng.uniform([0.5, 0], [60, 90])
    surface, at, h = Surface(name, curvature, angle), rng.uniform(-3, 3, 2), 1e-5
    both = [surface.height(at + sign * h * np.eye(2)) for sign in (1, -1)]
    slopes, g = (both[0] - both[1]) / (2 * h), surface.gradient(at)
    near = DERIVATIVES.within * (1 + np.linalg.norm(g))
    np.testing.assert_allclose(g, slopes, rtol=0, atol=near)


def test_rosenbrock_is_scipys() -> None:
    surface, within = Surface("Rosenbrock"), ROSENBROCK.within
    for at in np.random.default_rng(0).uniform(-3, 3, (ROSENBROCK.cases, 2)):
        height, g = rosen(at), rosen_der(at)
        near = within * (1 + height)
        assert surface.height(at[None])[0] == pytest.approx(height, rel=0, abs=near)
        near = within * (1 + np.abs(g).max())
        np.testing.assert_allclose(surface.gradient(at), g, rtol=0, atol=near)


@EVERY
@pytest.mark.parametrize("angle", [0.0, 30.0])
def test_minima_are_level_lowest_and_within_the_window(name, angle) -> None:
    surface = Surface(name, 20.0, angle)
    left, right, bottom, top = surface.window
    for x, y in surface.minima:
        assert left < x < right and bottom < y < top
        np.testing.assert_allclose(surface.gradient(np.array([x, y])), 0, atol=1e-9)
    np.testing.assert_allclose(surface.height(surface.minima), surface.lowest, atol=1e-12)
    cells = np.random.default_rng(0).uniform([left, bottom], [right, top], (4000, 2))
    assert surface.height(cells).min() >= surface.lowest


def test_the_middle_of_a_saddle_is_level_and_no_minimum() -> None:
    saddle = Surface("saddle", angle=20.0)
    assert not saddle.gradient(np.zeros(2)).any()
    across, along = saddle.turn * 0.1
    assert saddle.height(across[None])[0] > 0 > saddle.height(along[None])[0]


def test_only_a_bowl_has_one_curvature() -> None:
    assert [Surface(name, 0.5).steepest for name in NAMES] == [1.0, None, None, None]
    assert Surface("bowl", 50.0).steepest == 50


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"name": "hill"}, "name must be one of"),
        ({"curvature": 0.0}, "curvature"),
        ({"angle": float("nan")}, "angle must be a finite number"),
    ],
)
def test_what_is_no_surface_is_refused(how, words) -> None:
    with pytest.raises(ValueError, match=words):
        Surface(**how)
