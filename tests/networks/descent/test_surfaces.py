import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, rosen, rosen_der

from algorithms.networks.descent.surfaces import NAMES, Surface
from tests.house.checked import Checked

PLACES = st.tuples(st.floats(-3, 3), st.floats(-3, 3))
EVERY = pytest.mark.parametrize("name", NAMES)


@EVERY
@given(place=PLACES, angle=st.floats(0, 90), curvature=st.floats(0.5, 60))
def test_the_gradient_is_that_of_the_height(name, place, angle, curvature) -> None:
    surface, at = Surface(name, curvature, angle), np.array(place)
    slopes = approx_fprime(at, lambda p: surface.height(p[None])[0], 1e-7)
    np.testing.assert_allclose(surface.gradient(at), slopes, rtol=1e-4, atol=1e-3)


ROSENBROCK = Checked(
    "descent",
    "SciPy's `rosen_der`, the gradient of Rosenbrock's valley",
    100,
    "random places",
    within=1e-9,
)


@settings(max_examples=ROSENBROCK.cases)
@given(place=PLACES)
def test_rosenbrock_is_scipys(place) -> None:
    at = np.array(place)
    assert Surface("Rosenbrock").height(at[None])[0] == pytest.approx(rosen(at))
    np.testing.assert_allclose(
        Surface("Rosenbrock").gradient(at), rosen_der(at), atol=ROSENBROCK.within
    )


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
