from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.manifold import LocallyLinearEmbedding
from sklearn.manifold._locally_linear import barycenter_kneighbors_graph

from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from algorithms.reduction.unrolling.locally_linear_embedding import (
    flattest,
    locally_linear_embedding,
    weights_of,
)
from algorithms.reduction.unrolling.short_cuts import yardstick
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

X = np.random.default_rng(0).normal(size=(30, 3)) * [5, 2, 1] + 10
ARGUMENTS = {"X": X, "n_neighbors": 5}


def bent(name: str, seed: int, n: int = 150) -> np.ndarray:
    return DATASETS[name].make(n, noise=0.02, rng=np.random.default_rng(seed)).X


SCIKIT_LEARN = Checked(
    "unrolling",
    "scikit-learn's `LocallyLinearEmbedding`, the weights and the map",
    24,
    "data sets and numbers of neighbours",
    within=1e-6,
)


@pytest.mark.parametrize("seed", range(SCIKIT_LEARN.cases))
def test_agrees_with_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = bent("spiral", seed) if seed % 2 else rng.normal(size=(40, 4)) * [4, 2, 1, 0.5]
    k = 6 + seed % 8
    steps = check_steps(locally_linear_embedding(points, n_neighbors=k))
    assert steps[0].pieces == 1
    theirs = LocallyLinearEmbedding(n_neighbors=k, n_components=2, eigen_solver="dense")
    near = {"rtol": 0, "atol": SCIKIT_LEARN.within}
    W = barycenter_kneighbors_graph(points, k).toarray()
    np.testing.assert_allclose(steps[1].weights, W, **near)
    Z = theirs.fit_transform(points)
    np.testing.assert_allclose(np.abs(steps[-1].embedding), np.abs(Z), **near)
    np.testing.assert_allclose(steps[-1].errors.sum(), theirs.reconstruction_error_, **near)


def test_the_weights_are_the_best_that_sum_to_one() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        E = rng.normal(size=(4, 6))  # fewer neighbours than columns: nothing to add to C
        w = weights_of(E, 1e-9)
        assert w.sum() == pytest.approx(1)
        least = np.square(w @ E).sum()
        for _ in range(20):
            other = w + 0.1 * (change := rng.normal(size=4)) - 0.1 * change.mean()
            assert np.square(other @ E).sum() > least
        np.testing.assert_allclose(weights_of(1e6 * E @ np.linalg.qr(np.eye(6))[0], 1e-9), w)


def test_a_point_between_two_neighbours_is_rebuilt_by_both() -> None:
    np.testing.assert_allclose(weights_of(np.array([[-1.0], [3]]), 1e-12), [0.75, 0.25])
    np.testing.assert_allclose(weights_of(np.zeros((3, 2)), 1e-3), 1 / 3)


def test_steps_add_weights_and_then_an_axis_each() -> None:
    steps = check_steps(locally_linear_embedding(X, n_neighbors=5, n_components=3))
    assert [step.phase for step in steps] == ["neighbors", "weights", "map", "map", "map"]
    delta = cdist(X, X)
    for i, near in enumerate(steps[0].neighbors):
        np.testing.assert_array_equal(near, delta[i].argsort(kind="stable")[1:6])
        np.testing.assert_array_equal(np.flatnonzero(steps[1].weights[i]), np.sort(near))
    np.testing.assert_allclose(steps[-1].weights.sum(axis=1), 1)
    for before, after in pairwise(steps):
        np.testing.assert_allclose(before.errors[: before.axes], after.errors[: before.axes])
    Z, W = steps[-1].embedding, steps[-1].weights
    np.testing.assert_allclose(np.square(Z - W @ Z).sum(axis=0), steps[-1].errors, rtol=1e-6)
    np.testing.assert_allclose(Z.T @ Z, np.eye(3), atol=1e-9)
    np.testing.assert_allclose(Z.sum(axis=0), 0, atol=1e-9)
    assert steps[-1].event == "finished"


@pytest.mark.parametrize("name", ["spiral", "s_curve"])
@pytest.mark.parametrize("seed", range(5))
def test_the_first_axis_unrolls_and_the_second_is_the_first_one_bent(name: str, seed: int) -> None:
    points = bent(name, seed)
    measure = yardstick(points)
    Z = last(locally_linear_embedding(points, n_neighbors=8)).embedding
    assert measure.kept(Z[:, :1]) > 0.99 and 0.6 < measure.kept(Z) < 0.8
    parabola = np.polyval(np.polyfit(Z[:, 0], Z[:, 1], 2), Z[:, 0])
    assert np.corrcoef(parabola, Z[:, 1])[0, 1] > 0.9


def test_pieces_are_seen_and_each_gets_its_own_spot() -> None:
    points = np.concatenate([X[:15], X[15:] + 1000])
    steps = check_steps(locally_linear_embedding(points, n_neighbors=4, n_components=1))
    assert steps[0].event == "in pieces" and steps[0].pieces == 2
    Z = steps[-1].embedding[:, 0]
    np.testing.assert_allclose(np.abs(Z), 1 / np.sqrt(30), atol=1e-6)
    assert abs(Z[:15].sum() + Z[15:].sum()) < 1e-6 < abs(Z[0] - Z[-1])
    assert steps[-1].errors[0] < 1e-12


def test_the_constant_vector_is_never_an_axis() -> None:
    for n in range(2, 9):
        points = X[:n]
        end = last(locally_linear_embedding(points, n_neighbors=n - 1, n_components=n - 1))
        np.testing.assert_allclose(end.embedding.sum(axis=0), 0, atol=1e-7)
        assert (np.diff(flattest(end.weights, n - 1)[0]) >= 0).all()


def test_points_on_one_spot_do_no_harm() -> None:
    for points in (np.zeros((6, 2)), np.repeat(bent("spiral", 0, 20), 3, axis=0)):
        end = check_steps(locally_linear_embedding(points, n_neighbors=2))[-1]
        assert np.isfinite(end.embedding).all() and end.event == "finished"


def test_what_does_not_fit_is_refused_at_the_call() -> None:
    for change, sentence in [
        ({"n_neighbors": 0}, "n_neighbors"),
        ({"n_neighbors": 30}, "n_neighbors must be between 1 and n - 1=29"),
        ({"n_components": 30}, "n_components must be between 1 and n - 1=29"),
        ({"reg": 0}, "reg must be positive"),
    ]:
        with AsInTheApp(), pytest.raises(ValueError, match=sentence):
            locally_linear_embedding(**(ARGUMENTS | change))
