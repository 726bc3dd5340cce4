"""What the mode "histogram" shows and writes, recomputed from the data."""

from base64 import b64decode

import numpy as np
import pytest
from numpy import ndarray

from algorithms.clustering.histogram import shifted_histograms, triangles
from tests.core.figures import drawn, line, read_png
from tests.core.samples import board, points_of
from viz.clustering.densities.histogram import Shifts, borders
from viz.core import plane
from viz.core.scene import Run

X = points_of("moons", 60, sample=3, noise=0.2)
QUERY, H = np.array([-0.5, 0.7]), 0.8
STEPS = list(shifted_histograms(X, width=H, shifts=3))
SCENE = Shifts(Run("", STEPS), board(X), QUERY).scene()
FOUND = [  # by hand: how many points share the picked point's bin, shift after shift
    int((np.floor((X - o) / H) == np.floor((QUERY - o) / H)).all(axis=1).sum())
    for o in (H / 3 * np.array([i, j]) for j in range(3) for i in range(3))
]
P = np.array(FOUND) / (60 * H**2)


def heights(bands: dict) -> ndarray:
    return read_png(b64decode(bands["source"].partition(",")[2]))[0].astype(int)


@pytest.mark.parametrize("now", [0, 4, 8])
def test_the_pictures(now: int) -> None:
    picture, mean, _ = drawn(SCENE, now)
    x, y, _ = plane.grid(board(X).bounds, 200)
    origins = [H / 3 * np.array([i % 3, i // 3]) for i in range(now + 1)]
    each = []
    for o in origins:
        edges = [start + H * np.arange(-20, 21) for start in o]
        counts = np.histogram2d(*X.T, bins=edges)[0].T  # type: ignore
        each.append(
            counts[
                np.ix_(
                    *(
                        np.searchsorted(e, v, "right") - 1
                        for e, v in zip(edges[::-1], (y, x), strict=True)
                    )
                )
            ]
        )
    for figure, wanted in ((picture, each[-1]), (mean, np.mean(each, axis=0))):
        bands = heights(figure["data"][0])
        order = np.argsort(wanted.ravel(), kind="stable")
        assert (np.diff(bands.ravel()[order]) >= 0).all() and bands.max() > bands.min()
    _, between, box = picture["data"]
    assert box["showlegend"] and box["name"] == "bin of the picked point"
    ends = line(between)
    ends = ends[np.isfinite(ends[:, 0])].reshape(-1, 2, 2)
    for axis in (0, 1):
        upright = ends[ends[:, 0, axis] == ends[:, 1, axis]][:, 0, axis]
        np.testing.assert_allclose(np.diff(upright), H, rtol=1e-5)
        parts = (upright - origins[-1][axis]) / H
        np.testing.assert_allclose(parts, parts.round(), atol=1e-5)
    low, high = line(box).min(axis=0), line(box).max(axis=0)
    np.testing.assert_allclose(high - low, H, rtol=1e-5)
    parts = (np.vstack([QUERY, X]) - low) / H
    inside = (np.floor(parts + 1e-6) == 0).all(axis=1)
    assert inside[0] and inside[1:].sum() == FOUND[now]


def test_many_bins_have_no_borders_drawn() -> None:
    data = board(X)
    step = next(shifted_histograms(X, width=0.01))
    assert np.isnan(borders(step, data.bounds)).all()


def test_the_curve_of_the_picked_point() -> None:
    dots, mean, limit, ring = drawn(SCENE, 5)[2]["data"]
    np.testing.assert_allclose(line(dots)[:6, 1], P[:6], rtol=1e-5)
    assert np.isnan(line(dots)[6:, 1]).all(), "shifts to come have no dot"
    np.testing.assert_allclose(line(mean)[:, 1], np.cumsum(P) / np.arange(1, 10), rtol=1e-5)
    assert set(limit["y"]) == {triangles(X, H, QUERY)}
    assert (ring["x"], ring["y"]) == ([6], [pytest.approx(P[5])])


@pytest.mark.parametrize("now", [0, 4, 8])
def test_the_caption(now: int) -> None:
    first, rule, so_far = SCENE.caption(now).split("\n")
    assert first.startswith(
        "All shifts are done, 9 of them" if now == 8 else f"Shift {now + 1} of 9"
    )
    holds = f"the picked point's bin holds {FOUND[now]} of 60."
    assert "cells 1/3 as wide" in first if now == 8 else holds in first
    assert f": {FOUND[now]} of 60 points are in its bin" in rule
    assert rule.endswith(f"p = {FOUND[now]} / (60 · 0.8²) = {P[now]:.3g}.")
    seen = P[: now + 1]
    words = f"p is {seen.min():.3g} to {seen.max():.3g} there, with a mean of {seen.mean():.3g}; "
    assert so_far.startswith(f"Over the shifts so far {words}" if now else "Ever more shifts ")
    assert so_far.endswith(f"give {triangles(X, H, QUERY):.3g}.")
