"""Hierarchical clustering against its definition, point by point, and against SciPy."""

import tracemalloc
from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.cluster import hierarchy
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist
from sklearn.datasets import load_diabetes

from algorithms.clustering.hierarchical_clustering import _distances, _rounds
from algorithms.clustering.hierarchical_clustering.dendrogram import LINKAGES, dendrogram
from algorithms.clustering.hierarchical_clustering.hierarchical_clustering import (
    LAST,
    hierarchical_clustering,
    merge_nearest,
)
from algorithms.clustering.hierarchical_clustering.hierarchical_step import HierarchicalStep
from algorithms.core.record import last
from tests.core.samples import points_of, rng
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

each_linkage = pytest.mark.parametrize("linkage", LINKAGES)


preset = partial(points_of, sample=1)


DATA = {
    **{name: preset(name) for name in ("blobs", "stretched", "unequal", "moons", "circles")},
    "spirals": preset("spirals", 301),
    "one column": rng(2).normal(size=(80, 1)),
    "ten columns": load_diabetes().data,
    "far from the origin": rng(3).normal(size=(150, 2)) + np.array([1e6, -1e7]),
    "heavy tails": rng(4).standard_cauchy(size=(250, 2)),
    "two points": rng(5).normal(size=(2, 2)),
    "three points": rng(6).normal(size=(3, 2)),
}


def distance(A: np.ndarray, B: np.ndarray, linkage: str) -> float:
    """Return the distance between two sets of points as it is defined."""
    if linkage == "ward":
        between = cdist([A.mean(axis=0)], [B.mean(axis=0)])
        return float(between[0, 0] * np.sqrt(2 * len(A) * len(B) / (len(A) + len(B))))
    return float({"single": np.min, "complete": np.max, "average": np.mean}[linkage](cdist(A, B)))


def inertia(X: np.ndarray) -> float:
    return float(((X - X.mean(axis=0)) ** 2).sum())


def members(step: HierarchicalStep, names: Sequence[int]) -> list[list[int]]:
    """Return the points of clusters, as sorted lists."""
    return [sorted(step.dendrogram.members(int(name)).tolist()) for name in names]


def same_partition(a: Sequence[int] | np.ndarray, b: Sequence[int] | np.ndarray) -> bool:
    a, b = list(map(int, a)), list(map(int, b))
    return len(set(zip(a, b, strict=True))) == len(set(a)) == len(set(b))


SCIPY = Checked(
    "hierarchical_clustering",
    "SciPy's `linkage`, every merge, and heights relative to their size",
    48,
    "runs on 12 data sets",
    within=1e-10,
)
assert SCIPY.cases == len(DATA) * len(LINKAGES)


@pytest.mark.parametrize("name", DATA)
@each_linkage
def test_agrees_with_scipy(name: str, linkage: str) -> None:
    X = DATA[name]
    steps = check_steps(hierarchical_clustering(X, linkage=linkage))
    theirs = hierarchy.linkage(X, linkage)
    ours = steps[-1].linkage_matrix
    np.testing.assert_array_equal(ours[:, [0, 1, 3]], theirs[:, [0, 1, 3]])
    np.testing.assert_allclose(ours[:, 2], theirs[:, 2], rtol=SCIPY.within)
    assert hierarchy.is_valid_linkage(ours, throw=True)
    for k in {*range(1, min(12, len(X)) + 1), len(X) // 2, len(X)}:
        cut = steps[-1].cut(k)
        assert same_partition(cut, hierarchy.fcluster(theirs, k, "maxclust"))
        np.testing.assert_array_equal(cut, steps[len(X) - k].labels)


@pytest.mark.parametrize("n", [100, 700])
@pytest.mark.parametrize("linkage", ["complete", "average"])
@pytest.mark.parametrize("most", [1, 20, 90])
def test_distances_from_the_points_are_those_of_the_matrix(
    monkeypatch: pytest.MonkeyPatch, n: int, linkage: str, most: int
) -> None:
    X = np.repeat(rng(n).normal(size=(n, 2)), rng(1).integers(1, 4, size=n), axis=0)
    expected = last(hierarchical_clustering(X, linkage=linkage)).linkage_matrix
    for module in (_rounds, _distances):
        monkeypatch.setattr(module, "MOST", most)
    monkeypatch.setattr(_distances, "BLOCK", 1000)
    monkeypatch.setattr(_distances, "FEW", 0.0)
    ours = last(hierarchical_clustering(X, linkage=linkage)).linkage_matrix
    np.testing.assert_array_equal(ours[:, [0, 1, 3]], expected[:, [0, 1, 3]])
    np.testing.assert_allclose(ours[:, 2], expected[:, 2], rtol=1e-13)


@pytest.mark.parametrize("name", ["blobs", "moons", "ten columns", "one column", "two points"])
@each_linkage
def test_the_rule_as_it_stands_gives_the_same_merges(name: str, linkage: str) -> None:
    X = DATA[name]
    ours = last(hierarchical_clustering(X, linkage=linkage)).linkage_matrix
    plain = dendrogram(X, linkage, merge_nearest(X, linkage)).linkage_matrix
    np.testing.assert_array_equal(ours[:, [0, 1, 3]], plain[:, [0, 1, 3]])
    np.testing.assert_allclose(ours[:, 2], plain[:, 2], rtol=1e-10)


def check_run(X: np.ndarray, linkage: str) -> None:
    """Check every merge against the definition, ties or not."""
    n = len(X)
    steps = check_steps(hierarchical_clustering(X, linkage=linkage))
    assert (steps[0].parts, steps[0].means) == (None, None)
    assert [step.merges for step in steps] == list(range(n))
    assert [step.clusters for step in steps] == list(range(n, 0, -1))
    assert (steps[0].merged, steps[0].height, steps[0].link) == (None, 0.0, None)
    assert steps[-1].next_height is None
    slack = 1e-12 * (np.abs(X).max() + 1e-300)
    alive = {i: [i] for i in range(n)}
    for before, step in pairwise(steps):
        apart = {
            (i, j): distance(X[alive[i]], X[alive[j]], linkage)
            for i in alive
            for j in alive
            if i < j
        }
        i, j = step.merged.tolist()
        assert i < j
        assert apart[i, j] <= min(apart.values()) + slack, "not the two nearest"
        assert step.height == pytest.approx(apart[i, j], abs=slack)
        assert step.height >= before.height
        assert before.next_height == step.height
        assert members(step, [i, j]) == [sorted(alive[i]), sorted(alive[j])]
        if linkage in ("single", "complete"):
            a, b = step.link
            assert a in step.parts[0]
            assert b in step.parts[1]
            assert np.hypot(*(X[a] - X[b])) == pytest.approx(step.height, abs=slack)
        else:
            assert step.link is None
        A, B = (X[part] for part in step.parts)
        assert sorted(map(len, (A, B))) == sorted([len(alive[i]), len(alive[j])])
        np.testing.assert_allclose(step.means, [A.mean(axis=0), B.mean(axis=0)], atol=slack)
        assert step.means[0][0] <= step.means[1][0] + slack
        larger, smaller = sorted([i, j], key=lambda c: -len(alive[c]))  # of equal ones the first
        others = [p for p in range(n) if p not in alive[smaller]]
        assert step.labels[others].tolist() == before.labels[others].tolist()
        assert step.labels[alive[smaller][0]] == before.labels[alive[larger][0]]
        made = n + step.merges - 1
        alive[made] = alive.pop(i) + alive.pop(j)
        assert step.dendrogram.sizes[made] == len(alive[made])
        names = step.dendrogram.alive(step.merges)
        assert sorted(names.tolist()) == sorted(alive)
        of_each = [np.flatnonzero(step.labels == c).tolist() for c in range(step.clusters)]
        assert members(step, names) == of_each == [sorted(alive[name]) for name in names.tolist()]


COORDINATES = st.floats(-9, 9).map(lambda x: round(x, 9))  # squares of less would vanish, here


@settings(max_examples=60, deadline=None)
@given(
    X=arrays(float, st.tuples(st.integers(1, 12), st.just(2)), elements=COORDINATES),
    linkage=st.sampled_from(LINKAGES),
)
def test_every_merge_is_of_the_two_nearest(X: np.ndarray, linkage: str) -> None:
    check_run(X, linkage)


DEGENERATE = {
    "one point": np.array([[3.0, 4.0]]),
    "two points": np.array([[3.0, 4.0], [0.0, 0.0]]),
    "two that coincide": np.ones((2, 2)),
    "all the same": np.full((9, 2), 0.1),
    "two places": np.repeat([[0.1, 0.2], [0.3, 0.7]], 6, axis=0),
    "places in turn": np.tile([[0.1, 0.2], [0.3, 0.7], [5, 5]], (4, 1)),
    "on a line": np.outer(np.arange(12.0), [1, 2]),
    "on a lattice": np.indices((4, 4)).reshape(2, -1).T.astype(float),
    "on a circle": np.column_stack([np.cos(np.arange(8)), np.sin(np.arange(8))]),
    "equal distances": np.array([[0.0, 0], [1, 0], [0.5, np.sqrt(0.75)]]),
    "signed zeros": np.array([[0.0, 0], [-0.0, 1], [0, -0.0]]),
    "far apart": np.array([[0.0, 0], [1e-8, 0], [1, 0], [1e8, 0], [1e8 + 1, 3]]),
}


@pytest.mark.parametrize("name", DEGENERATE)
@each_linkage
def test_degenerate_data(name: str, linkage: str) -> None:
    check_run(DEGENERATE[name], linkage)


@pytest.mark.parametrize("power", [-1000, -500, -160, 40, 300])
@each_linkage
def test_the_unit_does_not_matter(linkage: str, power: int) -> None:
    X = DATA["blobs"]
    expected = last(hierarchical_clustering(X, linkage=linkage)).linkage_matrix
    ours = last(hierarchical_clustering(np.ldexp(X, power), linkage=linkage)).linkage_matrix
    np.testing.assert_array_equal(ours[:, [0, 1, 3]], expected[:, [0, 1, 3]])
    np.testing.assert_array_equal(ours[:, 2], np.ldexp(expected[:, 2], power))


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e-12, 1e12, 1e98])
@each_linkage
def test_extreme_scales(linkage: str, scale: float) -> None:
    X = DATA["unequal"]
    expected = last(hierarchical_clustering(X, linkage=linkage)).linkage_matrix
    steps = check_steps(hierarchical_clustering(X * scale, linkage=linkage))
    np.testing.assert_allclose(steps[-1].linkage_matrix[:, 2] / scale, expected[:, 2], rtol=1e-11)


@each_linkage
def test_moved_data_far_from_the_origin_lose_no_digits(linkage: str) -> None:
    X = np.round(DATA["moons"] * 1024) / 1024  # so that moving it is exact
    expected = last(hierarchical_clustering(X, linkage=linkage)).dendrogram.heights
    moved = last(hierarchical_clustering(X + np.array([2.0**30, -(2.0**20)]), linkage=linkage))
    np.testing.assert_allclose(moved.dendrogram.heights, expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(3))
@each_linkage
def test_the_order_of_the_points_does_not_matter(linkage: str, seed: int) -> None:
    X = DATA["stretched"]
    order = rng(seed).permutation(len(X))
    first = last(hierarchical_clustering(X, linkage=linkage))
    second = last(hierarchical_clustering(X[order], linkage=linkage))
    np.testing.assert_allclose(second.dendrogram.heights, first.dendrogram.heights, rtol=1e-12)
    for k in (2, 3, 7, 50):
        assert same_partition(first.cut(k)[order], second.cut(k))


def test_worked_by_hand() -> None:
    X = np.array([[0.0], [1.0], [3.0], [7.0]])
    heights = {
        "single": [1, 2, 4],
        "complete": [1, 3, 7],
        "average": [1, 2.5, 17 / 3],
        "ward": [1, 2.5 * np.sqrt(4 / 3), (7 - 4 / 3) * np.sqrt(3 / 2)],
    }
    for linkage, expected in heights.items():
        steps = list(hierarchical_clustering(X, linkage=linkage))
        assert [step.height for step in steps] == pytest.approx([0, *expected])
        merged = [[0, 1], [2, 4], [3, 5]]
        assert [step.merged.tolist() for step in steps[1:]] == merged
        assert steps[-1].linkage_matrix[:, 3].tolist() == [2, 3, 4]
        labels = [[0, 3, 2, 1], [0, 0, 2, 1], [0, 0, 0, 1], [0, 0, 0, 0]]
        assert [step.labels.tolist() for step in steps] == labels
        assert steps[0].cut(2).tolist() == [0, 0, 0, 1]


def test_complete_and_single_linkage_disagree_where_a_chain_ends() -> None:
    X = np.array([[0.0], [2.0], [4.1], [6.3]])  # gaps 2, 2.1, 2.2
    chain = last(hierarchical_clustering(X, linkage="single"))
    pairs = last(hierarchical_clustering(X, linkage="complete"))
    assert chain.cut(2).tolist() == [0, 0, 0, 1]
    assert pairs.cut(2).tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("name", ["blobs", "circles", "ten columns"])
def test_wards_merges_add_up_to_the_inertia(name: str) -> None:
    X = DATA[name]
    for step in list(hierarchical_clustering(X, linkage="ward"))[:: len(X) // 7]:
        clusters = [X[step.labels == c] for c in range(step.clusters)]
        added = np.square(step.dendrogram.heights[: step.merges]).sum() / 2
        assert added == pytest.approx(sum(map(inertia, clusters)), rel=1e-10)
        assert step.inertia == pytest.approx(sum(map(inertia, clusters)), rel=1e-10)


SIZES = (2, 60, 1001)
SPANNING_TREE = Checked(
    "hierarchical_clustering",
    "SciPy's minimum spanning tree, whose edges are the heights of single linkage",
    3,
    "data sets of 2, 60 and 1,001 points",
    within=1e-10,
)
assert SPANNING_TREE.cases == len(SIZES)


@pytest.mark.parametrize("n", SIZES)
def test_single_linkage_is_a_minimum_spanning_tree(n: int) -> None:
    X = rng(n).normal(size=(n, 2))
    heights = last(hierarchical_clustering(X, linkage="single")).dendrogram.heights
    edges = minimum_spanning_tree(cdist(X, X)).data
    np.testing.assert_allclose(heights, np.sort(edges), atol=SPANNING_TREE.within)


@pytest.mark.parametrize("name", ["blobs", "moons", "two points"])
@each_linkage
def test_branches_do_not_cross_and_left_is_left(name: str, linkage: str) -> None:
    X = DATA[name]
    tree = last(hierarchical_clustering(X, linkage=linkage)).dendrogram
    order, starts, _ = tree.layout
    assert sorted(order) == list(range(len(X)))
    for made, (a, b) in enumerate(tree.merged, len(X)):
        left, right = sorted((a, b), key=lambda c: starts[c])
        assert starts[left] == starts[made]
        assert starts[right] == starts[left] + tree.sizes[left]
        means = [X[tree.members(int(c)), 0].mean() for c in (left, right)]
        assert means[0] <= means[1] + 1e-12
    assert tree.parents[tree.merged].tolist() == [[c, c] for c in range(len(X), 2 * len(X) - 1)]


@pytest.mark.parametrize("name", ["moons", "spirals", "two points", "one column"])
@each_linkage
def test_bridges_join_the_nearest_points_of_the_parts(name: str, linkage: str) -> None:
    X = DATA[name]
    steps = list(hierarchical_clustering(X, linkage=linkage))
    bridges = steps[-1].dendrogram.bridges
    assert bridges.shape == (len(X) - 1, 2)
    for step, (a, b) in zip(steps[1:], bridges.tolist(), strict=True):
        A, B = step.parts
        assert a in A
        assert b in B
        assert np.linalg.norm(X[a] - X[b]) == pytest.approx(cdist(X[A], X[B]).min())
        if linkage == "single":
            assert step.link == (a, b)


@pytest.mark.parametrize("most", [1, 10, 200, 999])
def test_distances_stand_in_the_order_of_the_leaves(most: int) -> None:
    X = DATA["unequal"]
    tree = last(hierarchical_clustering(X)).dendrogram
    places, distances = tree.distances(most)
    assert len(places) == min(most, len(X))
    assert sorted({*places.tolist()}) == places.tolist()
    assert places[0] == 0
    assert most == 1 or places[-1] == len(X) - 1
    shown = X[tree.layout.order[places]]
    np.testing.assert_allclose(distances, cdist(shown, shown))


@each_linkage
def test_a_height_says_how_many_merges(linkage: str) -> None:
    tree = last(hierarchical_clustering(DATA["moons"], linkage=linkage)).dendrogram
    theirs = hierarchy.linkage(DATA["moons"], linkage)
    between = tree.heights[[20, 100, 190]] * (1 + 1e-9)
    for height in (0.0, *between, 2 * tree.heights[-1]):
        ours = tree.labels(int((tree.heights <= height).sum()))
        assert same_partition(ours, hierarchy.fcluster(theirs, height, "distance"))


@pytest.mark.parametrize("name", DATA)
@each_linkage
def test_events(name: str, linkage: str) -> None:
    steps = list(hierarchical_clustering(DATA[name], linkage=linkage))
    heights = [step.height for step in steps]
    for t, step in enumerate(steps):
        if t == len(steps) - 1:
            assert step.event == "one cluster"
        elif step.event == "largest gap":
            gaps = np.diff(heights)[1:]
            assert t >= 1
            assert gaps[t - 1] == gaps.max()
        elif 1 <= t >= len(steps) - LAST:
            alone = min(map(len, step.parts)) == 1
            expected = "a single point joins" if alone else "one of the last merges"
            assert step.event == expected
        else:
            assert step.event is None
    assert [step.event for step in steps].count("largest gap") == (len(steps) > 2)


def test_equal_heights_have_no_largest_gap() -> None:
    X = np.indices((5, 5)).reshape(2, -1).T * 0.1
    steps = list(hierarchical_clustering(X, linkage="single"))
    assert "largest gap" not in {step.event for step in steps}


def test_the_largest_gap_is_before_the_blobs_are_joined() -> None:
    X = np.repeat([[0.0, 0], [9, 0], [0, 9]], 20, axis=0) + rng(1).normal(size=(60, 2))
    for linkage in LINKAGES:
        steps = list(hierarchical_clustering(X, linkage=linkage))
        cut = next(step for step in steps if step.event == "largest gap")
        assert same_partition(cut.labels, np.repeat([0, 1, 2], 20))


@each_linkage
def test_five_thousand_points_fit_into_memory(linkage: str) -> None:
    X = preset("blobs", 5000)
    tracemalloc.start()
    steps = list(hierarchical_clustering(X, linkage=linkage))
    kept, peak = tracemalloc.get_traced_memory()
    for step in (steps[0], steps[2500], steps[-1]):
        assert len(step.labels) == 5000
    assert len(steps[-1].linkage_matrix) == 4999
    looked_at, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 5e6
    assert looked_at < 6e6
    assert peak < 80e6


def test_steps_share_one_read_only_tree() -> None:
    steps = list(hierarchical_clustering(DATA["blobs"]))
    assert len({id(step.dendrogram) for step in steps}) == 1
    assert {step.dendrogram.linkage for step in steps} == {"ward"}
    tree = steps[-1].dendrogram
    shown = [steps[3].merged, steps[3].linkage_matrix, tree.parents, *tree.layout, tree.points]
    for array in shown:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"linkage": "centroid"},
            "linkage must be one of 'single', 'complete', 'average', 'ward', "
            "got linkage='centroid'",
        ),
        (
            {"X": np.zeros((0, 2))},
            "X must have shape (n, d) with n and d at least 1, got shape (0, 2)",
        ),
        ({"X": [[0.0, np.nan]]}, "X must be finite, got nan"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        hierarchical_clustering(**{"X": np.arange(10.0).reshape(5, 2)} | changes)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("k", [0, 6, 2.0])
def test_a_cut_needs_a_number_of_clusters(k: int) -> None:
    step = next(hierarchical_clustering(np.arange(10.0).reshape(5, 2)))
    with AsInTheApp(), pytest.raises(ValueError, match=r"^k must be"):
        step.cut(k)
