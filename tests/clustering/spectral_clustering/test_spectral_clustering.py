"""Spectral clustering against SciPy's Laplacian and scikit-learn's clusters, and by definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import ndarray
from scipy.linalg import eigh, subspace_angles
from scipy.sparse.csgraph import connected_components, laplacian
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel

from algorithms.clustering.spectral_clustering import (
    SpectralStep,
    smoothed,
    spectral_clustering,
)
from algorithms.core import similarity_graph as module
from algorithms.core.record import last
from algorithms.core.similarity_graph import decomposed, similarity_graph
from tests.clustering.dbscan.test_dbscan import LATTICE, PRESETS
from tests.core.samples import points_of, rng
from tests.house.check_steps import AsInTheApp, check_steps, measured
from tests.house.checked import Checked

ARGUMENTS = {"gamma": 1.5}
# By preset: noise, how many clusters, and a width with which the graph has weak ties between them.
CLEAR = {
    "blobs": (0.5, 3, 0.4),
    "moons": (0.1, 2, 0.2),
    "circles": (0.1, 2, 0.15),
    "unequal": (0.7, 3, 0.4),
    "stretched": (0.2, 3, 0.3),
}


def gamma_of(width: float) -> float:
    return 1 / (2 * width**2)


LAPLACIAN = Checked(
    "spectral_clustering",
    "SciPy's Laplacian and its eigenvalues and eigenvectors",
    18,
    "graphs of 200 points",
    within=1e-9,
)
assert LAPLACIAN.cases == 3 * len(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("width", [0.1, 0.3, 2.0])
def test_the_laplacian_is_that_of_scipy(name: str, width: float) -> None:
    X, gamma = points_of(name), gamma_of(width)
    graph = similarity_graph(X, 3, gamma)
    W = rbf_kernel(X, gamma=gamma)
    np.testing.assert_allclose(graph.weights, W - np.eye(200), atol=1e-12)
    theirs, root = laplacian(W, normed=True, return_diag=True)  # leaves the diagonal of W out
    np.testing.assert_allclose(np.sqrt(graph.degrees), root, rtol=1e-9)
    values = eigh(theirs, eigvals_only=True)
    np.testing.assert_allclose(graph.eigenvalues, values[:12].clip(0), atol=LAPLACIAN.within)
    U = graph.coordinates
    np.testing.assert_allclose(theirs @ U, U * graph.eigenvalues, atol=LAPLACIAN.within)
    np.testing.assert_allclose(U.T @ U, np.eye(12), atol=1e-9)


@pytest.mark.parametrize("name", CLEAR)
def test_clusters_are_those_of_scikit_learn(name: str) -> None:
    noise, k, width = CLEAR[name]
    X = points_of(name, 300, noise=noise)
    ours = last(spectral_clustering(X, k, gamma=gamma_of(width), rng=rng()))
    theirs = SpectralClustering(k, gamma=gamma_of(width), random_state=0).fit(X)
    assert adjusted_rand_score(ours.labels, theirs.labels_) > 0.97


@pytest.mark.parametrize("name", PRESETS)
def test_the_rows_are_as_long_as_1_and_clustered_by_k_means(name: str) -> None:
    X = points_of(name)
    end = last(spectral_clustering(X, 3, gamma=gamma_of(0.5), rng=rng()))
    np.testing.assert_allclose(np.hypot.reduce(end.embedding, axis=1), 1)
    U = end.graph.coordinates[:, :3]
    np.testing.assert_allclose(end.embedding, U / np.hypot.reduce(U, axis=1)[:, None], rtol=1e-9)
    theirs = KMeans(3, n_init=20, random_state=0)  # type: ignore
    theirs = theirs.fit(end.embedding)
    assert end.half_step and end.half_step.inertia == pytest.approx(theirs.inertia_, rel=1e-3)
    np.testing.assert_array_equal(end.labels, end.half_step.labels)


def test_worked_by_hand() -> None:
    """Three points on a line, 1 apart: e^-1 between neighbours, e^-4 between the ends."""
    a, b = np.exp(-1), np.exp(-4)
    graph = similarity_graph(np.array([[0.0], [1.0], [2.0]]), 2, 1.0)
    np.testing.assert_allclose(graph.weights, [[0, a, b], [a, 0, a], [b, a, 0]])
    np.testing.assert_allclose(graph.degrees, [a + b, 2 * a, a + b])
    # u = (1, 0, -1) / sqrt 2 is an eigenvector: L u = (1 + b / (a + b)) u.
    np.testing.assert_allclose(graph.eigenvalues[:2], [0, 1 + b / (a + b)], atol=1e-12)
    assert graph.eigenvalues.sum() == pytest.approx(3), "the trace of L"
    u = np.sqrt(graph.degrees) / np.sqrt(graph.degrees.sum())
    np.testing.assert_allclose(graph.coordinates[:, 0], u)


def edge_sum(step: SpectralStep, j: int) -> float:
    """Return the sum over all edges in the module's docstring, for eigenvector j."""
    z = step.graph.coordinates[:, j] / np.sqrt(step.graph.degrees)
    return float((step.graph.weights * np.square(z[:, None] - z)).sum() / 2)


EDGES = Checked(
    "spectral_clustering",
    "The sum over all edges that equals an eigenvalue",
    12,
    "eigenvalues",
    within=1e-9,
)


def test_an_eigenvalue_is_a_sum_over_the_edges() -> None:
    step = last(spectral_clustering(points_of("blobs"), 3, gamma=2.0, rng=rng()))
    for j in range(EDGES.cases):
        assert edge_sum(step, j) == pytest.approx(step.eigenvalues[j], abs=EDGES.within)


@settings(max_examples=60, deadline=None)
@given(X=LATTICE, k=st.integers(1, 5), gamma=st.sampled_from([0.1, 1.0, 40.0, 1000.0]))
def test_what_holds_for_all_data(X: ndarray, k: int, gamma: float) -> None:
    k = min(k, len(X))
    steps = check_steps(spectral_clustering(X, k, gamma=gamma, rng=rng()))
    graph, end = steps[0].graph, steps[-1]
    rounds = [step.t for step in steps if step.t is not None]
    assert rounds == [0, *(2**i for i in range(len(rounds) - 1))]
    assert steps[len(rounds)].phase == "eigenvectors" and end.event == "converged"
    assert (np.diff(graph.eigenvalues) >= 0).all()
    assert graph.eigenvalues.min() >= 0 and graph.eigenvalues.max() <= 2
    pieces = connected_components(graph.weights > 1e-6)[0]
    if graph.gamma in (0.1, 1000.0):  # there all weights are far from 0, or nothing
        assert graph.pieces == min(pieces, len(graph.eigenvalues))
    assert (steps[0].event == "more pieces than clusters") == (graph.pieces > k)
    for step in steps:
        assert step.embedding.shape == (len(X), k)
    assert end.labels.max() < k


@pytest.mark.parametrize("t", [1, 2, 8])
def test_a_round_gives_half_of_the_neighbours_mean(t: int) -> None:
    """Averaged one round after the other, the columns span the same space as those in one go."""
    X, gamma = points_of("moons"), gamma_of(0.3)
    graph, eigenvalues, U = decomposed(X, 3, gamma)
    root, V = np.sqrt(graph.degrees)[:, None], rng().normal(size=(len(X), 3))
    means = graph.weights / graph.degrees[:, None]
    numbers = V / root
    for _ in range(t):
        numbers = numbers / 2 + means @ numbers / 2
    ours = smoothed(V, t, eigenvalues, U)
    np.testing.assert_allclose(ours.T @ ours, np.eye(3), atol=1e-9)
    assert np.cos(subspace_angles(ours, root * numbers)).min() == pytest.approx(1, abs=1e-9)
    nearest = ours.T @ graph.coordinates[:, :3]  # symmetric: no further turn comes nearer
    np.testing.assert_allclose(nearest, nearest.T, atol=1e-9)
    assert np.linalg.eigvalsh(nearest).min() > -1e-9


def test_after_the_rounds_the_first_eigenvectors_are_left() -> None:
    X = points_of("blobs", noise=0.5)
    steps = list(spectral_clustering(X, 3, gamma=gamma_of(0.4), rng=rng()))
    last_round = [step for step in steps if step.phase == "smoothing"][-1]
    assert last_round.left[3] <= 0.01 * last_round.left[2]
    missed = np.hypot.reduce(last_round.embedding - steps[-1].embedding, axis=1)
    assert np.median(missed) < 0.1


@pytest.mark.parametrize("factor", [2.0**-40, 2.0**30])
def test_the_unit_of_the_data_plays_no_part(factor: float) -> None:
    X = points_of("unequal")
    ours = last(spectral_clustering(X, 3, gamma=4.0, rng=rng()))
    scaled = last(spectral_clustering(factor * X, 3, gamma=4.0 / factor**2, rng=rng()))
    np.testing.assert_array_equal(ours.labels, scaled.labels)


def test_of_many_points_some_make_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    X = points_of("moons", 400, noise=0.1)
    whole = last(spectral_clustering(X, 2, gamma=gamma_of(0.3), rng=rng()))
    monkeypatch.setattr(module, "MOST", 200)
    part = last(spectral_clustering(X, 2, gamma=gamma_of(0.3), rng=rng()))
    assert part.graph.weights.shape == (200, 200) and part.embedding.shape == (400, 2)
    assert part.graph.learned.tolist() == np.linspace(0, 399, 200).round().tolist()
    assert adjusted_rand_score(whole.labels, part.labels) > 0.95
    # A point that stands where a point of the graph does gets nearly its row.
    near = similarity_graph(np.repeat(X[:200], 2, axis=0), 2, gamma_of(0.3)).coordinates
    apart = np.abs(near[0::2] - near[1::2]).max(axis=0)
    assert apart[:2].max() < 0.02


def test_five_thousand_points_take_little_memory() -> None:
    X = points_of("blobs", 5000)
    steps, size = measured(lambda: list(spectral_clustering(X, 3, gamma=4.0, rng=rng())))
    assert steps[-1].event == "converged"
    assert size < 12_000_000


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 0}, "k must be between 1 and n=3, got k=0"),
        ({"k": 4}, "k must be between 1 and n=3, got k=4"),
        ({"gamma": 0}, "gamma must be positive, got gamma=0"),
        ({"gamma": -1.0}, "gamma must be a number from 0"),
        ({"gamma": np.nan}, "gamma must be a number from 0"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        spectral_clustering(**{"X": np.eye(3), "k": 2, "gamma": 1.0, "rng": rng()} | changes)
