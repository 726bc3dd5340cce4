"""DBSCAN against its definition, against scikit-learn, and step by step."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray
from scipy.spatial.distance import cdist
from sklearn.cluster import DBSCAN
from sklearn.datasets import load_diabetes

from algorithms.clustering.dbscan.dbscan import NOISE, DBSCANStep, dbscan
from algorithms.core.record import last
from tests.core.samples import points_of
from tests.house.check_steps import AsInTheApp, check_steps, measured
from tests.house.checked import Checked

ARGUMENTS = {"eps": 0.6, "min_samples": 4}

PRESETS = ("blobs", "moons", "circles", "unequal", "spirals", "stretched")


DATA = {
    **{name: points_of(name) for name in PRESETS},
    "one column": np.random.default_rng(2).normal(size=(80, 1)),
    "ten columns": 20 * load_diabetes(return_X_y=True)[0],
    "on one place": np.zeros((6, 2)),
    "one point": np.ones((1, 2)),
}


SCIKIT_LEARN = Checked(
    "dbscan", "scikit-learn's `DBSCAN`, labels and core points", 200, "runs on 10 data sets"
)
assert SCIKIT_LEARN.cases == 5 * 4 * len(DATA)


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("eps", [0.01, 0.15, 0.3, 0.5, 2.0])
@pytest.mark.parametrize("min_samples", [1, 2, 5, 12])
def test_agrees_with_scikit_learn(name: str, eps: float, min_samples: int) -> None:
    X = DATA[name]
    steps = check_steps(dbscan(X, eps=eps, min_samples=min_samples))
    theirs = DBSCAN(eps=eps, min_samples=min_samples).fit(X)
    np.testing.assert_array_equal(steps[-1].labels, theirs.labels_)
    np.testing.assert_array_equal(np.flatnonzero(steps[-1].core), theirs.core_sample_indices_)


def by_definition(X: ndarray, eps: float, least: int) -> tuple[list[bool], list[set[int]], ndarray]:
    """Return the core points, their clusters as sets, and which points are within eps of which."""
    near = cdist(X, X) <= eps
    core = near.sum(axis=1) >= least
    clusters: list[set[int]] = []
    for i in np.flatnonzero(core).tolist():
        touched = [c for c in clusters if any(near[i, j] for j in c)]
        clusters = [c for c in clusters if c not in touched] + [{i}.union(*touched)]
    return core.tolist(), clusters, near


def core_clusters(step: DBSCANStep) -> set[frozenset[int]]:
    """Return the clusters as sets of their core points."""
    labels, core = step.labels, step.core
    return {
        frozenset(np.flatnonzero(core & (labels == label)).tolist())
        for label in range(labels.max() + 1)
    }


# On a lattice many distances are equal, and many are exactly eps.
LATTICE = arrays(
    int, st.tuples(st.integers(1, 30), st.integers(1, 2)), elements=st.integers(-4, 4)
).map(lambda X: X.astype(float))


DEFINITION = Checked(
    "dbscan",
    "The definition, with clusters joined pair by pair, on lattices where many distances are equal",
    150,
    "random runs in random order",
)


@settings(max_examples=DEFINITION.cases, deadline=None)
@given(
    X=LATTICE, eps=st.sampled_from([0.5, 1.0, 1.5, 2.0]), least=st.integers(1, 7), data=st.data()
)
def test_what_holds_for_every_order(X: ndarray, eps: float, least: int, data) -> None:
    order = np.array(data.draw(st.permutations(range(len(X)))), dtype=int)
    steps = check_steps(dbscan(X, eps=eps, min_samples=least, order=order))
    core, clusters, near = by_definition(X, eps, least)
    end = steps[-1]
    assert end.core.tolist() == core
    assert core_clusters(end) == set(map(frozenset, clusters))
    for i, label in enumerate(end.labels.tolist()):
        of_cores = end.labels[near[i] & end.core]
        assert label in of_cores if len(of_cores) else label == NOISE
    # The first cluster to begin takes a border point of several.
    border = ~end.core & (end.labels != NOISE)
    for i in np.flatnonzero(border):
        assert end.labels[i] == end.labels[near[i] & end.core].min()
    check_walk(steps, near)


def check_walk(steps: Sequence[DBSCANStep], near: ndarray) -> None:
    """Check every step against the one before."""
    n = len(near)
    least = steps[0].walk.min_samples
    assert len(steps) == n
    labels, visited = np.full(n, NOISE), np.zeros(n, bool)
    for t, step in enumerate(steps):
        i = step.point
        assert not visited[i]
        waiting = ~visited & (labels != NOISE)
        assert waiting[i] or not waiting.any(), "a queue is emptied before another point is taken"
        visited[i] = True
        np.testing.assert_array_equal(step.neighbors, np.flatnonzero(near[i]))
        begins = near[i].sum() >= least and labels[i] == NOISE
        if near[i].sum() >= least:
            joined = np.flatnonzero(near[i] & (labels == NOISE))
            label = labels.max() + 1 if begins else labels[i]
        else:
            joined, label = np.array([], int), NOISE
        late = visited[joined] & (joined != i)
        labels[joined] = label
        np.testing.assert_array_equal(step.joined, joined)
        np.testing.assert_array_equal(step.labels, labels)
        np.testing.assert_array_equal(step.visited, visited)
        np.testing.assert_array_equal(step.core, visited & (near.sum(axis=1) >= least))
        np.testing.assert_array_equal(step.waiting, ~visited & (labels != NOISE))
        assert (step.walk.finder[joined] == i).all()
        complete = labels[i] != NOISE and not step.waiting.any()
        noise_before = any(s.labels[s.point] == NOISE for s in steps[:t])
        happened = {
            "first noise": labels[i] == NOISE and not noise_before,
            "cluster complete": complete,
            "noise becomes border": late.any(),
            "new cluster": begins,
            "all visited": t == n - 1,
        }
        assert step.event == next((name for name in reversed(happened) if happened[name]), None)


@pytest.mark.parametrize("name", PRESETS)
def test_only_border_points_depend_on_the_order(name: str) -> None:
    X = points_of(name)
    given = last(dbscan(X, eps=0.3, min_samples=5))
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(X))
        other = last(dbscan(X, eps=0.3, min_samples=5, order=order))
        np.testing.assert_array_equal(other.core, given.core)
        assert core_clusters(other) == core_clusters(given)
        np.testing.assert_array_equal(other.labels == NOISE, given.labels == NOISE)


@pytest.mark.parametrize("factor", [2.0**-40, 0.125, 2.0**30])
@pytest.mark.parametrize("name", PRESETS)
def test_the_unit_of_the_data_plays_no_part(name: str, factor: float) -> None:
    X = points_of(name)
    ours = last(dbscan(X, eps=0.3, min_samples=5))
    scaled = last(dbscan(factor * X, eps=factor * 0.3, min_samples=5))
    np.testing.assert_array_equal(scaled.labels, ours.labels)
    np.testing.assert_array_equal(scaled.core, ours.core)


def test_worked_by_hand() -> None:
    """Point 2 is called noise, and taken by point 1 when the cluster begins; point 4 is alone."""
    X = np.array([[0.0], [1.0], [2.0], [0.5], [9.0]])
    steps = list(dbscan(X, eps=1.0, min_samples=3, order=np.array([2, 4, 0, 1, 3])))
    assert [step.point for step in steps] == [2, 4, 0, 1, 3]
    assert [step.walk.sizes[step.point] for step in steps] == [2, 1, 3, 4, 3]
    assert [step.labels.tolist() for step in steps] == [
        [-1, -1, -1, -1, -1],
        [-1, -1, -1, -1, -1],
        [0, 0, -1, 0, -1],
        [0, 0, 0, 0, -1],
        [0, 0, 0, 0, -1],
    ]
    assert [step.event for step in steps] == [
        "first noise",
        None,
        "new cluster",
        "noise becomes border",
        "all visited",
    ]
    assert steps[-1].core.tolist() == [True, True, False, True, False]


@pytest.mark.thorough
def test_five_thousand_points_take_little_memory() -> None:
    X = points_of("blobs", 5000)
    steps, size = measured(lambda: list(dbscan(X, eps=0.5, min_samples=5)))
    assert len(steps) == 5000
    assert size < 3_000_000
    np.testing.assert_array_equal(steps[-1].labels, DBSCAN(eps=0.5, min_samples=5).fit(X).labels_)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"eps": 0}, "eps must be positive, got eps=0"),
        ({"eps": -1.0}, "eps must be a number from 0"),
        ({"eps": np.nan}, "eps must be a number from 0"),
        ({"min_samples": 0}, "min_samples must be at least 1, got min_samples=0"),
        ({"min_samples": 2.5}, "min_samples must be a whole number"),
        ({"order": np.array([0, 1, 1])}, "order must name each of the n=3 points once"),
        ({"order": np.array([0, 1])}, "order must name each of the n=3 points once"),
        ({"order": np.array([0.0, 1.0, 2.0])}, "order must name each of the n=3 points once"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        dbscan(np.eye(3), **{"eps": 1.0, "min_samples": 2} | changes)
