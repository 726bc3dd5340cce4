from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist
from sklearn.neighbors import KNeighborsClassifier

from algorithms.classification.neighbors.k_nearest_neighbors import k_nearest_neighbors
from algorithms.classification.neighbors.nearest_neighbors import METRICS, WEIGHTS
from algorithms.data.presets import DATASETS
from tests.house.check_steps import AsInTheApp, check_steps

PRESETS = ["blobs", "moons", "outlier", "row", "spirals"]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_every_step_agrees_with_scikit_learn(name: str, metric: str, weights: str) -> None:
    preset = DATASETS[name]
    data = preset.make(preset.n, noise=preset.noise, rng=np.random.default_rng(0))
    query = np.array([0.15, -0.3])
    steps = check_steps(
        k_nearest_neighbors(data.X, data.labels, k=12, metric=metric, weights=weights, query=query)
    )
    how = {"equal": "uniform", "by distance": "distance"}[weights]
    assert [step.met for step in steps] == list(range(1, 13))
    for step in steps:
        theirs = KNeighborsClassifier(step.met, metric=metric, weights=how)
        theirs.fit(data.X, data.labels)
        distances, places = theirs.kneighbors(query[None])
        np.testing.assert_array_equal(step.order[: step.met], places[0])
        np.testing.assert_allclose(step.distances[: step.met], distances[0])
        assert step.radius == pytest.approx(distances[0, -1])
        shares = step.votes / step.votes.sum()
        np.testing.assert_allclose(shares, theirs.predict_proba(query[None])[0])
        assert step.leader == theirs.predict(query[None])[0]
    cells = np.random.default_rng(1).uniform(-3, 3, size=(200, 2))
    theirs = KNeighborsClassifier(12, metric=metric, weights=how).fit(data.X, data.labels)
    np.testing.assert_array_equal(steps[0].predict(cells), theirs.predict(cells))
    assert steps[-1].leader == steps[-1].predict(query[None])[0]


@settings(max_examples=100, deadline=None)
@given(
    X=arrays(float, st.tuples(st.integers(2, 20), st.integers(1, 3)), elements=st.floats(-9, 9)),
    k=st.integers(1, 20),
    seed=st.integers(0, 9),
    weights=st.sampled_from(WEIGHTS),
)
def test_what_holds_for_every_run(X: np.ndarray, k: int, seed: int, weights: str) -> None:
    n, k = len(X), min(k, len(X))
    y = np.random.default_rng(seed).permutation(np.arange(n) % 3)
    query = X[0] + 1
    steps = check_steps(k_nearest_neighbors(X, y, k=k, query=query, weights=weights))
    assert len(steps) == k
    far = cdist(query[None], X)[0]
    for step in steps:
        assert sorted(step.order.tolist()) == list(range(n))
        np.testing.assert_allclose(step.distances, np.sort(far), rtol=1e-12)
        inside = step.order[: step.met]
        for j, votes in zip(step.classes, step.votes, strict=True):
            assert votes == pytest.approx(step.weights[: step.met][y[inside] == j].sum())
    for before, after in pairwise(steps):
        assert after.radius >= before.radius
        assert before.votes.sum() < after.votes.sum() + 1e-300
        if after.met < k:
            assert (after.event == "another class leads") == (after.leader != before.leader)
    assert steps[-1].event == ("tied vote" if steps[-1].tied else "k-th neighbour")
    if weights == "equal":
        assert steps[-1].votes.sum() == k


def test_worked_by_hand() -> None:
    X, y = np.array([[0.0, 3.0], [0.0, 1.0], [4.0, 0.0], [0.0, -2.0]]), np.array([7, 3, 7, 7])
    steps = list(k_nearest_neighbors(X, y, k=4, query=np.zeros(2)))
    assert [step.radius for step in steps] == [1, 2, 3, 4]
    assert [step.votes.tolist() for step in steps] == [[1, 0], [1, 1], [1, 2], [1, 3]]
    assert [step.leader for step in steps] == [3, 3, 7, 7]
    assert [step.event for step in steps] == [None, None, "another class leads", "k-th neighbour"]
    (_, second) = k_nearest_neighbors(X, y, k=2, query=np.zeros(2))
    assert second.event == "tied vote"
    weighted = list(k_nearest_neighbors(X, y, k=4, query=np.zeros(2), weights="by distance"))
    np.testing.assert_allclose(weighted[-1].weights, [1, 1 / 2, 1 / 3, 1 / 4])
    assert weighted[-1].leader == 7 and weighted[-2].leader == 3


def test_a_neighbour_at_the_very_place_decides_alone_by_distance() -> None:
    X, y = np.array([[0.0], [1.0], [1.1]]), np.array([0, 1, 1])
    *_, end = k_nearest_neighbors(X, y, k=3, query=np.zeros(1), weights="by distance")
    assert end.weights.tolist() == [1, 0, 0] and end.leader == 0
    *_, end = k_nearest_neighbors(X, y, k=3, query=np.zeros(1))
    assert end.leader == 1


def test_without_a_query_the_ball_grows_around_the_mean() -> None:
    X = np.random.default_rng(0).normal(size=(9, 2))
    (step,) = k_nearest_neighbors(X, np.arange(9) % 2, k=1)
    np.testing.assert_allclose(step.query, X.mean(axis=0))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 3}, "k must be between 1 and n=2, got k=3"),
        ({"query": np.zeros(3)}, "query must have d=2 columns, got 3"),
        ({"query": np.array([np.nan, 0])}, "query must be finite, got nan"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        k_nearest_neighbors(**{"X": np.eye(2), "y": np.array([0, 1]), "k": 1} | changes)
