"""Histograms against NumPy's, and the limit of their mean."""

from functools import partial

import numpy as np
import pytest
from numpy import ndarray

from algorithms.clustering.histogram import HistogramStep, shifted_histograms, triangles
from tests.core.samples import points_of
from tests.house.check_steps import AsInTheApp, check_steps

PRESETS = ("blobs", "moons", "circles", "stretched", "outlier")
ARGUMENTS = {"width": 0.7}
PLACES = np.linspace(-3.03, 3.01, 37)


preset = partial(points_of, n=50, sample=2, noise=0.2)


def run(X: ndarray, width: float, shifts: int) -> list[HistogramStep]:
    return check_steps(shifted_histograms(X, width=width, shifts=shifts))


@pytest.mark.parametrize("name", PRESETS)
def test_every_step_is_the_histogram_of_numpy(name: str) -> None:
    X, h, m = preset(name), 0.45, 3
    total = np.zeros((len(PLACES), len(PLACES)))
    for number, step in enumerate(run(X, h, m)):
        origin = h * np.array([number % m, number // m]) / m
        np.testing.assert_allclose(step.origin, origin)
        edges = [start + h * np.arange(-30, 31) for start in origin]
        theirs, _, _ = np.histogram2d(*X.T, bins=edges, density=True)  # type: ignore
        across, up = (np.searchsorted(each, PLACES, "right") - 1 for each in edges)
        wanted = theirs.T[np.ix_(up, across)]
        np.testing.assert_allclose(step.on_grid(PLACES, PLACES), wanted)
        total += wanted
        np.testing.assert_allclose(step.mean_on_grid(PLACES, PLACES), total / (number + 1))
        at = np.array([PLACES[12], PLACES[20]])
        assert step.counts(at)[-1] * step.height == pytest.approx(wanted[20, 12])
        assert len(step.counts(at)) == number + 1
        assert step.event == ("all shifts" if number == m * m - 1 else None)


def test_each_of_them_and_their_mean_is_a_density() -> None:
    h, m = 0.5, 2
    middles = np.arange(-6, 6, h / m) + h / m / 2
    for step in run(preset("moons"), h, m):
        for p in (step.on_grid(middles, middles), step.mean_on_grid(middles, middles)):
            assert p.sum() * (h / m) ** 2 == pytest.approx(1)


@pytest.mark.parametrize("m", [2, 5])
def test_the_mean_counts_points_by_how_often_they_share_the_bin(m: int) -> None:
    """Scott's formula: fine cells of side h/m, weighted by (1 - |i|/m)(1 - |j|/m)."""
    X, h = preset("blobs"), 0.9
    cells = np.floor(X / (h / m))
    end = run(X, h, m)[-1]
    for at in np.random.default_rng(0).uniform(-3, 3, (20, 2)):
        apart = np.abs(cells - np.floor(at / (h / m)))
        weights = np.maximum(0, 1 - apart / m).prod(axis=1)
        wanted = weights.sum() / (len(X) * h * h)
        assert end.mean_on_grid(at[:1], at[1:])[0, 0] == pytest.approx(wanted)
        assert end.counts(at).mean() * end.height == pytest.approx(wanted)


def test_with_more_shifts_the_mean_goes_to_bumps_that_are_triangles() -> None:
    X, h = preset("moons"), 0.9
    at = np.random.default_rng(1).uniform(-1, 1, (15, 2))
    limit = np.array([triangles(X, h, each) for each in at])
    far = []
    for m in (2, 8, 32):
        end = list(shifted_histograms(X, width=h, shifts=m))[-1]
        means = np.array([end.counts(each).mean() * end.height for each in at])
        far.append(np.abs(means - limit).max())
    assert far[2] < far[1] < far[0] and far[2] < 0.02


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"width": 0.0}, "width must be positive"),
        ({"width": 1e-60}, "width must be at least 1e-50"),
        ({"shifts": 0}, "shifts must be at least 1"),
        ({"X": np.eye(3)}, "X must have two columns, got 3"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        shifted_histograms(**{"X": np.eye(2), "width": 1.0} | changes)
