from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.datasets import load_diabetes, load_iris, make_moons

from algorithms.clustering.k_means.k_means import KMeansStep, assign, k_means
from algorithms.clustering.k_means.many_starts import lowest_inertia
from algorithms.core.record import last
from tests.core.samples import rng
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked


def blobs(n: int, seed: int, d: int = 2) -> np.ndarray:
    random = rng(seed)
    return random.normal(size=(4, d))[random.integers(4, size=n)] * 4 + random.normal(size=(n, d))


DATA = {
    "blobs": blobs(300, 1),
    "ten columns": blobs(200, 2, d=10),
    "noise": rng(3).normal(size=(150, 2)),
    "moons": make_moons(200, noise=0.1, random_state=0)[0],
    "iris": load_iris().data,
    "diabetes": load_diabetes().data,
    "far from the origin": blobs(200, 4) + 1e4,
    "one column": blobs(100, 5, d=1),
}


KMEANS = Checked(
    "k_means",
    "scikit-learn's `KMeans` after 1, 2, 3, 7 and all iterations, from the same centres",
    120,
    "runs on 8 data sets",
    within=1e-9,
)
assert KMEANS.cases == 5 * 3 * len(DATA)


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("max_iter", [1, 2, 3, 7, 100])
def test_agrees_with_scikit_learn_after_every_iteration(name: str, k: int, max_iter: int) -> None:
    X = DATA[name]
    init = rng(9).choice(X, size=k, replace=False)
    steps = check_steps(k_means(X, k, rng=rng(), init=init, max_iter=max_iter))
    theirs = KMeans(k, init=init, n_init=1, algorithm="lloyd", tol=0, max_iter=max_iter).fit(X)
    ours = steps[-1]
    assert all(step.sizes.all() for step in steps), (
        "scikit-learn would move an empty cluster's centre"
    )
    # scikit-learn counts the assignment that finds no change as one more iteration.
    moves = len(steps) // 2
    assert min(moves + (ours.event == "converged"), max_iter) == theirs.n_iter_
    np.testing.assert_array_equal(ours.labels, theirs.labels_)
    np.testing.assert_allclose(ours.centers, theirs.cluster_centers_, rtol=0, atol=KMEANS.within)
    assert ours.inertia == pytest.approx(theirs.inertia_, rel=1e-10)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


DEFINITION = Checked(
    "k_means",
    "The definition of labels, means and inertia, at every step, and that the inertia never rises",
    150,
    "random runs",
    within=1e-12,
)


@settings(max_examples=DEFINITION.cases, deadline=None)
@given(
    X=arrays(float, st.tuples(st.integers(1, 25), st.integers(1, 3)), elements=st.floats(-9, 9)),
    k=st.integers(1, 25),
    seed=st.integers(0, 9),
    init=st.sampled_from(["k-means++", "random"]),
)
def test_what_holds_for_every_run(X: np.ndarray, k: int, seed: int, init: str) -> None:
    k = min(k, len(X))
    steps = check_steps(k_means(X, k, rng=rng(seed), init=init))
    slack = 1e-13 * (1 + steps[0].inertia)
    assert [step.phase for step in steps] == [("assign", "move")[i % 2] for i in range(len(steps))]
    assert steps[0].phase == steps[-1].phase == "assign"
    assert steps[-1].event == "converged"
    for step in steps:
        assert step.inertia == pytest.approx(((X - step.centers[step.labels]) ** 2).sum())
        np.testing.assert_array_equal(step.sizes, np.bincount(step.labels, minlength=k))
        if step.phase == "assign":
            np.testing.assert_array_equal(step.predict(X), step.labels)
    for before, after in pairwise(steps):
        assert after.inertia <= before.inertia + slack, "the inertia never rises"
        if after.phase == "assign":
            np.testing.assert_array_equal(after.centers, before.centers)
        else:
            np.testing.assert_array_equal(after.labels, before.labels)
            for j in np.flatnonzero(after.sizes):
                mean = X[after.labels == j].mean(axis=0)
                np.testing.assert_allclose(after.centers[j], mean, rtol=0, atol=DEFINITION.within)
    np.testing.assert_array_equal(steps[-1].labels, steps[max(len(steps) - 3, 0)].labels)


def test_worked_by_hand() -> None:
    X = np.array([[0.0], [2.0], [6.0], [8.0]])
    steps = list(k_means(X, 2, rng=rng(), init=np.array([[0.0], [3.0]])))
    centers = [[0, 3], [0, 16 / 3], [0, 16 / 3], [1, 7], [1, 7]]
    np.testing.assert_allclose([step.centers.ravel() for step in steps], centers, rtol=1e-15)
    assert [step.labels.tolist() for step in steps] == [
        [0, 1, 1, 1],
        [0, 1, 1, 1],
        [0, 0, 1, 1],
        [0, 0, 1, 1],
        [0, 0, 1, 1],
    ]
    assert steps[0].inertia == 35
    assert steps[0].sizes.tolist() == [1, 3]
    assert steps[0].inertia - steps[1].inertia == pytest.approx(3 * (7 / 3) ** 2)  # parallel axes
    assert steps[-1].inertia == 4
    assert [step.event for step in steps] == [None] * 4 + ["converged"]


def test_an_empty_cluster_keeps_its_centre_and_says_so_once() -> None:
    X = blobs(60, 6)
    away = np.array([[1e3, 1e3]])
    steps = list(k_means(X, 3, rng=rng(), init=np.concatenate([X[:2], away])))
    assert [i for i, step in enumerate(steps) if step.event == "empty cluster"] == [0]
    assert all(step.sizes[2] == 0 for step in steps)
    assert all(step.centers[2].tolist() == away[0].tolist() for step in steps)
    assert steps[-1].event == "converged"


def test_a_cluster_that_becomes_empty_later_is_an_event() -> None:
    found = 0
    for seed in range(200):
        X = np.round(rng(seed).normal(size=(12, 2)), 1)
        steps = list(k_means(X, 6, rng=rng(seed), init=rng(seed).normal(size=(6, 2))))
        for before, after in pairwise(steps):
            emptied = bool(((after.sizes == 0) & (before.sizes > 0)).any())
            if after.event in (None, "empty cluster"):
                assert (after.event == "empty cluster") == emptied
                found += emptied
    assert found > 0


def test_stopped_at_max_iter_is_an_event() -> None:
    steps = list(k_means(DATA["noise"], 5, rng=rng(), max_iter=1))
    assert len(steps) == 3
    assert steps[-1].event == "stopped at max_iter"


def test_plus_plus_draws_in_proportion_to_the_squared_distance() -> None:
    X = np.array([[0.0], [1.0], [3.0]])
    firsts, seconds = np.zeros(3), np.zeros((3, 3))
    random = rng(0)
    for _ in range(6000):
        first, second = next(k_means(X, 2, rng=random)).centers.ravel()
        i, j = (int(np.flatnonzero(X.ravel() == c)[0]) for c in (first, second))
        firsts[i] += 1
        seconds[i, j] += 1
    np.testing.assert_allclose(firsts / 6000, 1 / 3, atol=0.03)
    expected = np.array([[0, 0.1, 0.9], [0.2, 0, 0.8], [9 / 13, 4 / 13, 0]])
    np.testing.assert_allclose(seconds / firsts[:, None], expected, atol=0.04)


@pytest.mark.parametrize("init", ["k-means++", "random"])
def test_initial_centres_are_points_and_depend_on_the_seed(init: str) -> None:
    X = DATA["noise"]
    starts = [next(k_means(X, 4, rng=rng(seed), init=init)).centers for seed in (0, 0, 1)]
    np.testing.assert_array_equal(starts[0], starts[1])
    assert not np.array_equal(starts[0], starts[2])
    for start in starts:
        assert len({tuple(center) for center in start}) == 4
        assert all((center == X).all(axis=1).any() for center in start)


HOSTILE = {
    "one point": (np.array([[3.0, 4.0]]), 1),
    "k = n": (blobs(12, 7), 12),
    "all the same": (np.full((20, 2), 0.1), 3),
    "two places": (np.repeat([[0.1, 0.2], [0.3, 0.7]], 10, axis=0), 5),
    "on a line": (np.outer(np.arange(30.0), [1, 2]), 4),
    "constant column": (np.stack([np.arange(30.0), np.zeros(30)], axis=1), 3),
    "huge": (blobs(50, 8) * 1e98, 3),
    "tiny": (blobs(50, 8) * 1e-100, 3),
    "vanishing": (blobs(50, 8) * 1e-300, 3),
    "huge and tiny": (blobs(50, 8) * [1e98, 1e-200], 3),
    "far away": (blobs(50, 8) + 1e15, 3),
    "an outlier": (np.concatenate([blobs(50, 8), [[1e99, -1e99]]]), 3),
    "grid of ties": (np.indices((6, 6)).reshape(2, -1).T.astype(float), 4),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("init", ["k-means++", "random"])
def test_hostile_data(name: str, init: str) -> None:
    X, k = HOSTILE[name]
    for seed in range(5):
        steps = check_steps(k_means(X, k, rng=rng(seed), init=init))
        assert steps[-1].event == "converged"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 8}, "k must be between 1 and n=5, got k=8"),
        ({"k": 0}, "k must be between 1 and n=5, got k=0"),
        ({"max_iter": 0}, "max_iter must be at least 1, got max_iter=0"),
        ({"init": "best"}, "init must be one of 'k-means++', 'random', got init='best'"),
        ({"init": np.zeros((3, 2))}, r"init must have shape (k, d) = (2, 2), got shape (3, 2)"),
        ({"init": np.full((2, 2), np.nan)}, "init must be finite, got nan"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        k_means(**{"X": np.arange(10.0).reshape(5, 2), "k": 2, "rng": rng()} | changes)
    assert str(caught.value) == sentence


def test_the_last_step_is_the_model() -> None:
    model = last(k_means(DATA["blobs"], 4, rng=rng()))
    assert isinstance(model, KMeansStep)
    assert model.predict(model.centers).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("name", ["noise", "moons", "far from the origin"])
def test_the_lowest_inertia_is_that_of_the_best_run(name: str) -> None:
    X, again = DATA[name], rng(1)
    best = min((last(k_means(X, 5, rng=again)) for _ in range(10)), key=lambda step: step.inertia)
    centers, labels, inertia = lowest_inertia(X, 5, rng=rng(1), restarts=10)
    np.testing.assert_allclose(centers, best.centers, rtol=1e-12)
    np.testing.assert_array_equal(labels, best.labels)
    assert inertia == pytest.approx(best.inertia, rel=1e-12)


@pytest.mark.parametrize(("m", "k"), [(1, 1), (7, 3), (4000, 1), (4000, 3), (300, 300)])
def test_the_nearest_centre_is_the_first_in_a_tie(m: int, k: int) -> None:
    X, centers = rng(1).integers(4, size=(m, 2)) / 1.0, rng(2).integers(4, size=(k, 2)) / 1.0
    np.testing.assert_array_equal(
        assign(X, centers)[0], cdist(X, centers, "sqeuclidean").argmin(axis=1)
    )


def test_no_point_has_a_nearest_centre() -> None:
    assert assign(np.zeros((0, 2)), np.zeros((3, 2)))[0].shape == (0,)
