from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path
from scipy.spatial.distance import cdist
from sklearn.manifold import Isomap

from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from algorithms.reduction.unrolling.isomap import isomap, neighbor_graph, shorter
from algorithms.reduction.unrolling.short_cuts import (
    kept,
    short_cuts_by_neighbors,
    shortest_ways,
    yardstick,
)
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

X = np.random.default_rng(0).normal(size=(30, 3)) * [5, 2, 1] + 10
ARGUMENTS = {"X": X, "n_neighbors": 5}


def spiral(n: int = 150, noise: float = 0.02, seed: int = 0) -> np.ndarray:
    return DATASETS["spiral"].make(n, noise=noise, rng=np.random.default_rng(seed)).X


SCIKIT_LEARN = Checked(
    "unrolling",
    "scikit-learn's `Isomap`, the map and all ways",
    24,
    "data sets and numbers of neighbours",
    within=1e-6,
)


@pytest.mark.parametrize("seed", range(SCIKIT_LEARN.cases))
def test_agrees_with_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = spiral(60, 0.05, seed) if seed % 2 else rng.normal(size=(40, 4)) * [4, 2, 1, 0.5]
    k = 4 + seed % 8
    ours = check_steps(isomap(points, n_neighbors=k))[-1]
    theirs = Isomap(n_neighbors=k, n_components=2, eigen_solver="dense").fit(points)
    near = {"rtol": 0, "atol": SCIKIT_LEARN.within}
    np.testing.assert_allclose(ours.geodesics, theirs.dist_matrix_, **near)
    np.testing.assert_allclose(np.abs(ours.embedding), np.abs(theirs.embedding_), **near)


DIJKSTRA = Checked(
    "unrolling",
    "Dijkstra's algorithm, the ways after all rounds",
    40,
    "random graphs",
    within=1e-9,
)


@pytest.mark.parametrize("seed", range(DIJKSTRA.cases))
def test_the_ways_are_those_of_dijkstra(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(5 + seed, 2))
    k = 1 + seed % 4
    end = last(isomap(points, n_neighbors=k))
    graph, _ = neighbor_graph(cdist(points, points), k)
    theirs = shortest_path(np.where(np.isfinite(graph), graph, 0), method="D", directed=False)
    for ours in (end.geodesics, shortest_ways(graph)):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=DIJKSTRA.within)


def test_a_round_doubles_the_edges_of_a_way() -> None:
    row = np.arange(20.0)[:, None] * [1, 0]  # each is joined to the next
    steps = check_steps(isomap(row, n_neighbors=1))
    assert [step.phase for step in steps] == ["graph", *["ways"] * 5, *["map"] * 10]
    for t, step in enumerate(steps[:6]):
        far = step.reached[0].sum() - 1
        assert far == min(2**t, 19)
    np.testing.assert_allclose(steps[-1].geodesics, cdist(row, row))
    assert steps[-1].event == "finished" and steps[-1].axes == 2


def test_the_map_grows_from_that_of_principal_components_to_that_of_the_ways() -> None:
    points = spiral()
    stages = [step for step in isomap(points, n_neighbors=6) if step.phase == "map"]
    straight, ways = cdist(points, points), stages[-1].geodesics
    assert [step.share for step in stages] == pytest.approx(np.linspace(0.1, 1, 10))
    for step in stages:
        spread = step.eigenvalues.clip(0)
        assert step.pressed == pytest.approx(spread[2] / spread.sum())
        # Classical scaling of a mixture of distances has the scalar products of the mixture.
        between = (1 - step.share) * straight + step.share * ways
        J = np.eye(150) - 1 / 150
        values, V = np.linalg.eigh(-J @ between**2 @ J / 2)
        np.testing.assert_allclose(step.eigenvalues, values[::-1], atol=1e-6)
        theirs = V[:, -2:] * np.sqrt(values[-2:])
        np.testing.assert_allclose(cdist(*[step.embedding] * 2), cdist(theirs, theirs), atol=1e-6)
    grown = [kept(ways, step.embedding) for step in stages]
    assert (np.diff(grown) > 0).all() and grown[-1] > 0.999


def test_no_round_makes_a_way_longer_and_the_last_one_nothing_shorter() -> None:
    steps = list(isomap(spiral(), n_neighbors=6))
    for before, after in pairwise(steps):
        assert (after.ways <= before.ways).all()
    np.testing.assert_allclose(shorter(steps[-1].geodesics), steps[-1].geodesics)


def test_pieces_are_joined_by_their_shortest_edge() -> None:
    left = np.array([[0, 0], [0, 1], [0, 2.0]])
    points = np.concatenate([left, left + np.array([5, 2])])
    step = next(isomap(points, n_neighbors=1))
    assert step.event == "pieces joined"
    assert {frozenset(pair) for pair in step.bridges.tolist()} == {frozenset((2, 3))}
    assert step.geodesics[2, 3] == step.geodesics[3, 2] == 5 and [2, 3] in step.edges.tolist()


def test_points_on_one_spot_do_no_harm() -> None:
    for points in (np.zeros((6, 2)), np.repeat(spiral(20), 3, axis=0)):
        end = check_steps(isomap(points, n_neighbors=2))[-1]
        assert np.isfinite(end.embedding).all() and end.event == "finished"


@pytest.mark.parametrize("seed", range(5))
def test_a_spiral_is_unrolled_until_an_edge_crosses(seed: int) -> None:
    points = spiral(seed=seed)
    measure = yardstick(points)
    counts = short_cuts_by_neighbors(points, measure, 20)
    good = last(isomap(points, n_neighbors=6))
    assert counts[5] == 0 and measure.kept(good.embedding) > 0.999
    assert measure.pca < 0.2 and measure.mds < 0.2
    first = measure.neighbors + int((counts[measure.neighbors :] > 0).argmax()) + 1
    assert measure.kept(last(isomap(points, n_neighbors=first)).embedding) < 0.6
    along = np.arange(len(points))
    assert np.abs(np.corrcoef(good.embedding[:, 0], along)[0, 1]) > 0.999


def test_the_yardstick_is_the_first_graph_in_one_piece() -> None:
    points = spiral()
    measure, delta = yardstick(points), cdist(points, points)
    assert len(neighbor_graph(delta, measure.neighbors - 1)[1])
    graph, bridges = neighbor_graph(delta, measure.neighbors)
    assert not len(bridges) and not (measure.short_cuts(delta) & np.isfinite(graph)).any()
    assert measure.longest == graph[np.isfinite(graph)].max()


def test_kept_is_a_squared_correlation() -> None:
    ways = cdist(X, X)
    assert kept(ways, X) == pytest.approx(1) == kept(ways, -3 * X)
    flat = X[:, 1:2]
    upper = np.triu_indices(len(X), 1)
    r = np.corrcoef(ways[upper], cdist(flat, flat)[upper])[0, 1]
    assert kept(ways, flat) == pytest.approx(r**2)
    assert kept(ways, np.zeros((30, 2))) == 0


def test_what_does_not_fit_is_refused_at_the_call() -> None:
    for change, sentence in [
        ({"n_neighbors": 0}, "n_neighbors"),
        ({"n_neighbors": 30}, "n_neighbors must be between 1 and n - 1=29"),
        ({"n_components": 31}, "n_components"),
    ]:
        with AsInTheApp(), pytest.raises(ValueError, match=sentence):
            isomap(**(ARGUMENTS | change))
