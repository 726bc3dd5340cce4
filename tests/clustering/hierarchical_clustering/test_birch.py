"""BIRCH against scikit-learn's, against the points that an entry took, and step by step."""

from itertools import pairwise
from typing import Any, get_args

import numpy as np
import pytest
from numpy import ndarray
from sklearn.cluster import Birch
from sklearn.datasets import load_diabetes

from algorithms.clustering.hierarchical_clustering.birch import (
    BirchStep,
    Entry,
    Event,
    Node,
    birch,
    nodes,
)
from algorithms.core.record import last
from tests.core.samples import points_of
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

ARGUMENTS: dict[str, Any] = {"threshold": 0.4}

PRESETS = ("blobs", "moons", "circles", "unequal", "spirals", "stretched")
DATA = {
    **{name: points_of(name, 80) for name in PRESETS},
    "far away": points_of("blobs", 80) + 1e6,
    "one column": np.random.default_rng(2).normal(size=(80, 1)),
    "ten columns": 20 * load_diabetes(return_X_y=True)[0],
    "two points": np.array([[1.0, 2.0], [1.25, 2.0]]),
}
SCIKIT_LEARN = Checked(
    "hierarchical_clustering",
    "scikit-learn's `Birch`, entries and clusters",
    120,
    "runs on 10 data sets",
    1e-9,
)
assert SCIKIT_LEARN.cases == len(DATA) * 3 * 2 * 2


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.8])
@pytest.mark.parametrize("branching_factor", [3, 8])
@pytest.mark.parametrize("shuffled", [False, True])
def test_agrees_with_scikit_learn(
    name: str, threshold: float, branching_factor: int, shuffled: bool
) -> None:
    X = DATA[name]
    order = np.random.default_rng(0).permutation(len(X)) if shuffled else np.arange(len(X))
    k = min(3, len(X))
    how: dict[str, Any] = {"threshold": threshold, "branching_factor": branching_factor}
    end = last(birch(X, k, order=order, **how))
    # Theirs takes the sums about the origin: far away they lose their digits.
    shifted = X - X[order[0]]
    theirs = Birch(n_clusters=None, **how).fit(shifted[order])
    found = in_order(end.centers - X[order[0]])
    wanted = in_order(theirs.subcluster_centers_)
    within = SCIKIT_LEARN.within * max(1, np.abs(X).max())
    np.testing.assert_allclose(found, wanted, rtol=0, atol=within)
    if len(wanted) >= k:
        labels = Birch(n_clusters=k, **how).fit(shifted[order]).predict(shifted)
        pairs = set(zip(end.predict(X).tolist(), labels.tolist(), strict=True))
        assert len(pairs) == k


def in_order(centers: ndarray) -> ndarray:
    return centers[np.lexsort(centers.T.round(6))]


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("threshold", [0.05, 0.5])
def test_an_entry_summarises_the_points_that_it_took(name: str, threshold: float) -> None:
    X = DATA[name]
    steps = check_steps(birch(X, 1, threshold=threshold, branching_factor=4))
    owner = np.array([step.entry for step in steps[:-1]])
    for step in (*steps[:: max(1, len(X) // 7)], steps[-1]):
        arrived = owner[: step.arrived]
        assert [entry.number for entry in step.leaf_entries] == list(range(arrived.max() + 1))
        for entry, center in zip(step.leaf_entries, step.centers, strict=True):
            mine = X[: step.arrived][arrived == entry.number]
            assert entry.n == len(mine)
            np.testing.assert_allclose(center, mine.mean(axis=0), rtol=1e-9, atol=1e-9)
            off = np.square(mine - mine.mean(axis=0)).sum(axis=1)
            assert entry.radius == pytest.approx(np.sqrt(off.mean()), abs=1e-6)
            assert entry.radius <= threshold
        for node in nodes(step.root):
            assert len(node) <= 4
            for entry in node:
                check_sums(entry)
        assert len({depth(entry) for entry in step.root}) == 1
        assert sum(entry.n for entry in step.root) == step.arrived


def check_sums(entry: Entry) -> None:
    if entry.child:
        assert entry.n == sum(each.n for each in entry.child)
        np.testing.assert_allclose(entry.linear, sum(each.linear for each in entry.child))
        assert entry.square == pytest.approx(sum(each.square for each in entry.child))


def depth(entry: Entry) -> int:
    return 1 + depth(entry.child[0]) if entry.child else 0


def test_a_step_says_what_it_did() -> None:
    steps = list(birch(points_of("blobs"), 3, threshold=0.2, branching_factor=3))
    assert {step.event for step in steps} == {None, *get_args(Event)}
    assert steps[-1].event == "finished" and len(steps) == len(points_of("blobs")) + 1
    for before, after in pairwise(steps[:-1]):
        parts = [len(nodes(step.root)) for step in (before, after)]
        levels = [depth(step.root[0]) for step in (before, after)]
        new = len(after.leaf_entries) - len(before.leaf_entries)
        assert after.entries == len(after.leaf_entries)
        assert (after.event == "new level") == (levels[1] > levels[0])
        assert (after.event == "split") == (parts[1] > parts[0] and levels[1] == levels[0])
        assert new == (after.event is not None) == (after.tried > 0.2)
        assert len(after.path) == levels[0] + 1


def test_the_order_in_which_points_arrive_matters() -> None:
    X = points_of("moons")
    ways = np.arange(200), np.arange(200)[::-1]
    ends = [last(birch(X, 2, threshold=0.3, order=order)) for order in ways]
    assert len({in_order(end.centers).tobytes() for end in ends}) == 2


def sums(root: Node) -> list[Entry]:
    return [entry for node in nodes(root) for entry in node]


def test_equal_points_are_one_entry() -> None:
    end: BirchStep = last(birch(np.full((30, 2), 7.5), 1, threshold=1e-3, branching_factor=2))
    assert len(sums(end.root)) == 1 and end.root[0].n == 30


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 4}, "k must be between 1 and n=3, got k=4"),
        ({"threshold": 0.0}, "threshold must be positive"),
        ({"branching_factor": 1}, "branching_factor must be at least 2"),
        ({"order": np.array([0, 0, 1])}, "order must have every row from 0 to 2 once"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        birch(**{"X": np.eye(3), "k": 2, "threshold": 1.0} | changes)
