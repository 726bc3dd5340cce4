"""What the pictures of locally linear embedding and of eigenmaps show, recomputed from the data."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from algorithms.data.presets import DATASETS
from algorithms.reduction.unrolling.bend import bend
from algorithms.reduction.unrolling.isomap import isomap
from algorithms.reduction.unrolling.laplacian_eigenmaps import laplacian_eigenmaps
from algorithms.reduction.unrolling.locally_linear_embedding import locally_linear_embedding
from algorithms.reduction.unrolling.short_cuts import yardstick
from tests.core.figures import line, places, unpacked
from tests.core.samples import board
from tests.core.told import numbers
from viz.core.scene import Run
from viz.reduction.multidimensional_scaling.marks import Given
from viz.reduction.unrolling.isomap import Isomap
from viz.reduction.unrolling.laplacian_eigenmaps import Eigenmaps
from viz.reduction.unrolling.locally_linear_embedding import LocallyLinear

X = DATASETS["spiral"].make(150, noise=0.02, rng=np.random.default_rng(0)).X
DELTA = cdist(X, X)
MEASURE = yardstick(X)
THINGS = Given(DELTA, data=board(X), rows=np.arange(len(X)))
PICKED = 60


def locally_linear(k: int) -> LocallyLinear:
    run = Run("", list(locally_linear_embedding(X, n_neighbors=k)))
    return LocallyLinear(run, THINGS, MEASURE, X[PICKED] + 1e-3, X)


def eigenmaps(gamma: float) -> Eigenmaps:
    run = Run("", list(laplacian_eigenmaps(X, gamma=gamma)))
    return Eigenmaps(run, THINGS, MEASURE, X[PICKED] + 1e-3)


def test_the_weights_of_the_picked_point_are_edges_bars_and_a_sum() -> None:
    mode = locally_linear(6)
    weights = mode.steps[-1].weights[PICKED]
    near = DELTA[PICKED].argsort()[1:7]
    for now in (0, 1, 3):
        figure, found = mode.picture(now), now > 0
        (bars,) = mode.bars(now)["data"]
        np.testing.assert_allclose(bars["y"], weights[near] * found)
        assert bars["x"] == [str(i + 1) for i in near]
        ends = unpacked(figure["edges"]["places"]).reshape(-1, 4)
        width = unpacked(figure["edges"]["width"])
        own = np.isclose(ends[:, :2], X[PICKED], atol=1e-5).all(axis=1)
        assert own.sum() == 6 and np.ptp(width[~own]) == 0
        if found:
            assert np.corrcoef(width[own], np.abs(weights[near]))[0, 1] > 0.999
            np.testing.assert_allclose(line(figure["data"][-1])[0], weights @ X, rtol=1e-5)
    missed = np.linalg.norm(mode.steps[-1].weights @ X - X, axis=1)
    told = numbers(mode.caption(1))
    assert np.isclose(told[0], missed.mean(), rtol=5e-3)
    assert np.isclose(told[-1], missed[PICKED], rtol=5e-3)


def test_the_straight_line_on_the_map_grows_to_the_length_of_the_way() -> None:
    run = Run("", list(isomap(X, n_neighbors=6)))
    mode = Isomap(run, THINGS, MEASURE, np.zeros(20), X[0], 6)
    told = []
    for now, step in enumerate(run.steps):
        there = np.isclose(step.geodesics[0], run.steps[-1].geodesics[0])
        there &= step.reached[0]
        bright = unpacked(mode.map(now)["points"]["strength"]) == 255
        np.testing.assert_array_equal(bright, there)
        if step.axes:
            *_, straight, name = mode.map(now)["data"]
            a, b = line(straight)
            told += numbers(name["text"][0])
            assert told[-1] == pytest.approx(np.linalg.norm(a - b), rel=5e-3)
            edges = mode.map(now)["edges"]
            path = unpacked(edges["places"]).reshape(-1, 4)
            lengths = np.linalg.norm(
                mode.X[mode.longest[now]][1:] - mode.X[mode.longest[now]][:-1], axis=1
            )
            assert lengths.sum() == pytest.approx(step.geodesics[0].max())
            np.testing.assert_allclose(
                path[:, :2], places(mode.map(now))[mode.longest[now][:-1]], rtol=1e-5
            )
    assert np.diff(told).min() > 0
    assert told[-1] == pytest.approx(run.steps[-1].geodesics[0].max(), rel=0.02)


def test_the_map_is_as_large_as_that_of_pca() -> None:
    for mode in (locally_linear(6), eigenmaps(15.0)):
        Z = mode.steps[-1].embedding
        drawn = places(mode.map(len(mode.steps) - 1))
        np.testing.assert_allclose(np.ptp(drawn, axis=0).max(), np.ptp(MEASURE.flat, axis=0).max())
        np.testing.assert_allclose(np.corrcoef(drawn.T, Z.T)[[0, 1], [2, 3]], 1)
        np.testing.assert_allclose(places(mode.map(0)), MEASURE.flat, rtol=1e-5)
        (bars,) = mode.kept(len(mode.steps) - 1)["data"]
        np.testing.assert_allclose(bars["y"], [MEASURE.kept(Z), MEASURE.pca])


def test_short_cuts_are_drawn_and_named() -> None:
    crossing = MEASURE.ways > 3 * np.maximum(DELTA, MEASURE.longest)
    for k in (6, 13):
        mode = locally_linear(k)
        near = mode.steps[0].neighbors
        cuts = {frozenset((i, j)) for i in range(len(X)) for j in near[i] if crossing[i, j]}
        assert {frozenset(pair) for pair in mode.short_cuts.tolist()} == cuts
        assert ("No edge is a short-cut" in mode.caption(0)) == (not cuts)
    wide = eigenmaps(2.0)
    W = wide.steps[0].graph.weights
    i, j = np.unravel_index(np.where(crossing, W, 0).argmax(), W.shape)
    np.testing.assert_allclose(line(wide.picture(0)["data"][0]), X[[i, j]], rtol=1e-5)
    share = 100 * W[crossing].sum() / W.sum()
    assert any(np.isclose(told, share, rtol=5e-3) for told in numbers(wide.caption(0)))
    assert np.isnan(line(eigenmaps(15.0).picture(0)["data"][0])).all()


def test_the_axes_are_drawn_over_the_way_from_one_end() -> None:
    mode = eigenmaps(15.0)
    far = MEASURE.ways.max(axis=1).argmax()
    for now in range(3):
        for j, trace in enumerate(mode.waves(now)["data"]):
            path = line(trace)
            np.testing.assert_allclose(path[:, 0], np.sort(MEASURE.ways[far]), rtol=1e-5)
            wanted = mode.steps[-1].embedding[MEASURE.ways[far].argsort(kind="stable"), j]
            if j < now:
                np.testing.assert_allclose(path[:, 1], wanted, atol=1e-6)
            else:
                assert np.isnan(path[:, 1]).all()


def test_bend_is_the_share_that_a_parabola_explains() -> None:
    rng = np.random.default_rng(0)
    x, noise = rng.normal(size=(2, 200))
    assert np.isclose(bend(np.column_stack([x, 3 - x + 2 * x**2])), 1)
    z = x**2 + noise
    fit = np.polyval(np.polyfit(x, z, 2), x)
    share = 1 - np.square(z - fit).sum() / np.square(z - z.mean()).sum()
    assert np.isclose(bend(np.column_stack([x, z])), share)
    assert bend(x[:, None]) == 0 == bend(np.column_stack([x, 0 * x]))


def test_edges_between_pieces_are_dotted_and_counted() -> None:
    run = Run("", list(isomap(X, n_neighbors=2)))
    mode = Isomap(run, THINGS, MEASURE, np.zeros(20), X[0], 2)
    bridges = run.steps[0].bridges
    dotted = line(mode.picture(0)["data"][1]).reshape(-1, 3, 2)
    np.testing.assert_allclose(dotted[:, :2], X[bridges], rtol=1e-5, atol=1e-6)
    lengths = DELTA[tuple(bridges.T)]
    assert "the graph is in 6 pieces" in mode.caption(0)
    assert (
        f"6 · 5 / 2 = {len(bridges)} edges, the longest {lengths.max():.2f} long" in mode.caption(0)
    )
    long, cuts = lengths > MEASURE.longest, MEASURE.short_cuts(DELTA)[tuple(bridges.T)]
    said = f"by {long.sum()} long edges between pieces, {(long & cuts).sum()} of them short-cuts."
    assert said in mode.caption(len(run.steps) - 1)
    whole = Isomap(Run("", list(isomap(X, n_neighbors=6))), THINGS, MEASURE, np.zeros(20), X[0], 6)
    assert np.isnan(line(whole.picture(0)["data"][1])).all()
