import numpy as np
import pytest
from sklearn.manifold import SpectralEmbedding

from algorithms.clustering.spectral_clustering import spectral_clustering
from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from algorithms.reduction.unrolling.laplacian_eigenmaps import laplacian_eigenmaps
from algorithms.reduction.unrolling.short_cuts import yardstick
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

X = np.random.default_rng(0).normal(size=(30, 3)) * [5, 2, 1] + 10
ARGUMENTS = {"X": X, "gamma": 0.1}


def bent(name: str, seed: int, n: int = 150) -> np.ndarray:
    return DATASETS[name].make(n, noise=0.02, rng=np.random.default_rng(seed)).X


SCIKIT_LEARN = Checked(
    "unrolling",
    "scikit-learn's `SpectralEmbedding`, the map of Laplacian eigenmaps",
    24,
    "data sets and widths",
    within=1e-6,
)


@pytest.mark.parametrize("seed", range(SCIKIT_LEARN.cases))
def test_agrees_with_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = bent("spiral", seed) if seed % 2 else rng.normal(size=(40, 4)) * [4, 2, 1, 0.5]
    gamma = (5.0 if seed % 2 else 0.1) * (1 + seed % 5)
    ours = check_steps(laplacian_eigenmaps(points, gamma=gamma))[-1].embedding
    theirs = SpectralEmbedding(2, affinity="rbf", gamma=gamma, random_state=0, eigen_tol=1e-12)
    near = {"rtol": 0, "atol": SCIKIT_LEARN.within}
    Z = theirs.fit_transform(points)
    np.testing.assert_allclose(np.abs(ours), np.abs(Z), **near)


def test_the_axes_are_the_rows_of_spectral_clustering_before_they_get_length_1() -> None:
    steps = check_steps(laplacian_eigenmaps(X, gamma=0.1))
    assert [step.phase for step in steps] == ["graph", "map", "map"]
    rows = last(spectral_clustering(X, 3, gamma=0.1, rng=np.random.default_rng(0))).embedding
    Z, graph = steps[-1].embedding, steps[-1].graph
    length = np.linalg.norm(graph.coordinates[:, :3], axis=1)
    np.testing.assert_allclose(Z, rows[:, 1:] * (length / np.sqrt(graph.degrees))[:, None])
    assert steps[-1].event == "finished"


def test_an_axis_costs_its_eigenvalue() -> None:
    step = last(laplacian_eigenmaps(X, gamma=0.1, n_components=4))
    W, d, Z = step.graph.weights, step.graph.degrees, step.embedding
    for z, value in zip(Z.T, step.errors, strict=True):
        np.testing.assert_allclose((W * (z[:, None] - z) ** 2).sum() / 2, value)
        np.testing.assert_allclose(W @ z / d, (1 - value) * z, atol=1e-9)
    np.testing.assert_allclose(Z.T @ (d[:, None] * Z), np.eye(4), atol=1e-9)
    np.testing.assert_allclose(d @ Z, 0, atol=1e-9)


def test_the_axes_of_an_evenly_dense_line_are_waves() -> None:
    s = (np.arange(200) + 0.5) / 200
    Z = last(laplacian_eigenmaps(np.column_stack([s, 2 * s]), gamma=2000.0)).embedding
    for j, z in enumerate(Z.T, 1):
        assert np.abs(np.corrcoef(np.cos(j * np.pi * s), z)[0, 1]) > 0.999


@pytest.mark.parametrize("name", ["spiral", "s_curve"])
@pytest.mark.parametrize("seed", range(5))
def test_the_first_axis_unrolls_until_the_edges_are_too_long(name: str, seed: int) -> None:
    points = bent(name, seed)
    measure = yardstick(points)
    narrow, wide = (last(laplacian_eigenmaps(points, gamma=g)).embedding for g in (15.0, 0.5))
    assert measure.kept(narrow[:, :1]) > 0.94 > measure.kept(wide[:, :1])
    along = np.arange(len(points))
    assert np.abs(np.corrcoef(narrow[:, 0], along)[0, 1]) > 0.97


def test_the_share_of_short_cuts_is_that_of_their_weights() -> None:
    points = bent("spiral", 0)
    measure, delta = yardstick(points), np.linalg.norm(points[:, None] - points, axis=2)
    shares = []
    for gamma in (15.0, 1.0):
        W = next(laplacian_eigenmaps(points, gamma=gamma)).graph.weights
        cut = [W[i, j] for i, j in np.argwhere(measure.short_cuts(delta)) if i < j]
        shares.append(measure.crossing(delta, W))
        assert shares[-1] == pytest.approx(sum(cut) / np.triu(W).sum())
    assert shares[0] < 1e-4 < 0.05 < shares[1]
    assert measure.crossing(delta, np.zeros_like(delta)) == 0


def test_pieces_and_points_without_edges_do_no_harm() -> None:
    points = np.concatenate([X[:15], X[15:] + 1000])
    steps = check_steps(laplacian_eigenmaps(points, gamma=0.1))
    assert steps[0].event == "in pieces" and steps[0].graph.pieces == 2
    for alone in (np.zeros((6, 2)), np.arange(8.0)[:, None] * [1e6, 0]):
        end = check_steps(laplacian_eigenmaps(alone, gamma=1.0))[-1]
        assert np.isfinite(end.embedding).all() and end.event == "finished"


def test_what_does_not_fit_is_refused_at_the_call() -> None:
    for change, sentence in [
        ({"gamma": 0.0}, "gamma must be positive"),
        ({"n_components": 30}, "n_components must be between 1 and n - 1=29"),
        ({"X": X[:1]}, "X must hold at least two points"),
        ({"X": np.zeros((1001, 2))}, "X must have at most 1,000 rows, got 1,001"),
    ]:
        with AsInTheApp(), pytest.raises(ValueError, match=sentence):
            laplacian_eigenmaps(**(ARGUMENTS | change))
