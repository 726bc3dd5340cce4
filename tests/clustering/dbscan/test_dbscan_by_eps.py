"""All radii at once, against DBSCAN at each of them."""

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import ndarray
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist
from sklearn.cluster import DBSCAN
from sklearn.neighbors import NearestNeighbors

from algorithms.clustering.dbscan.dbscan import NOISE, dbscan
from algorithms.clustering.dbscan.dbscan_by_eps import (
    LONG_LIVED,
    EpsStep,
    core_distances,
    dbscan_by_eps,
    density_levels,
)
from algorithms.core.record import last
from tests.clustering.dbscan.test_dbscan import LATTICE, PRESETS
from tests.core.samples import points_of
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

RADII = np.arange(1, 51) / 50
ARGUMENTS = {"eps": RADII, "min_samples": 4}


def check_step(step: EpsStep, X: ndarray) -> None:
    """Compare a step with the run of DBSCAN at its radius."""
    run = last(dbscan(X, eps=step.eps, min_samples=step.levels.min_samples))
    labels, core = step.labels, run.core
    np.testing.assert_array_equal(step.core, core)
    np.testing.assert_array_equal(labels == NOISE, run.labels == NOISE)
    pairs = set(zip(labels[core].tolist(), run.labels[core].tolist(), strict=True))
    assert len(pairs) == len(set(labels[core])) == step.clusters == run.labels.max() + 1
    assert step.noise == np.count_nonzero(run.labels == NOISE)
    far = cdist(X, X)
    for i in np.flatnonzero(~core & (labels != NOISE)):
        apart = np.where(core, far[i], np.inf)
        assert labels[i] in labels[apart <= apart.min() * (1 + 1e-12)], "not the nearest"


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("least", [1, 5])
def test_every_radius_is_a_run_of_dbscan(name: str, least: int) -> None:
    X = points_of(name, 120)
    steps = check_steps(dbscan_by_eps(X, eps=RADII, min_samples=least))
    assert [step.eps for step in steps] == RADII.tolist()
    for step in steps[::3]:
        check_step(step, X)


@settings(max_examples=80, deadline=None)
@given(X=LATTICE, least=st.integers(1, 7))
def test_where_distances_tie(X: ndarray, least: int) -> None:
    radii = np.array([0.5, 1.0, 1.4, 1.5, 2.0, 3.0, 20.0])
    for step in check_steps(dbscan_by_eps(X, eps=radii, min_samples=least)):
        check_step(step, X)


EVERY_RADIUS = Checked(
    "dbscan", "scikit-learn's `DBSCAN` at every radius of eps by eps, the counts", 300, "runs"
)
assert EVERY_RADIUS.cases == len(PRESETS) * len(RADII)


@pytest.mark.parametrize("name", PRESETS)
def test_the_counts_are_those_of_scikit_learn(name: str) -> None:
    X = points_of(name)
    levels = density_levels(X, 5)
    for eps in RADII:
        labels = DBSCAN(eps=eps, min_samples=5).fit(X).labels_
        assert levels.clusters(eps) == labels.max() + 1
        assert levels.noise(eps) == np.count_nonzero(labels == NOISE)


@pytest.mark.parametrize("least", [1, 2, 5, 200])
def test_core_distances_and_the_tree(least: int) -> None:
    X = points_of("unequal")
    levels = density_levels(X, least)
    theirs = NearestNeighbors(n_neighbors=least).fit(X).kneighbors(X)[0][:, -1]
    np.testing.assert_allclose(levels.core_distances, theirs, atol=1e-12)
    reachable = cdist(X, X)
    for core in (theirs, theirs[:, None]):
        reachable = np.maximum(reachable, core)
    np.fill_diagonal(reachable, 0)
    assert levels.heights.sum() == pytest.approx(minimum_spanning_tree(reachable).sum())
    assert (np.diff(levels.heights) >= 0).all()
    np.testing.assert_allclose(levels.heights, reachable[tuple(levels.edges.T)])


def test_blocks_of_rows_are_no_different(monkeypatch: pytest.MonkeyPatch) -> None:
    X = points_of("moons")
    whole = core_distances(X, 5)
    monkeypatch.setattr("algorithms.clustering.dbscan.dbscan_by_eps.BLOCK", 1000)
    np.testing.assert_array_equal(core_distances(X, 5), whole)


def test_core_distances_hold_a_block_of_distances_at_a_time() -> None:
    X = np.random.default_rng(0).normal(size=(3_000, 2))
    tracemalloc.start()
    core_distances(X, 5)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < len(X) ** 2 * X.itemsize / 4  # of all distances


@pytest.mark.parametrize("name", PRESETS)
def test_clusters_keep_their_numbers_until_they_merge(name: str) -> None:
    X = points_of(name)
    steps = list(dbscan_by_eps(X, eps=np.arange(1, 101) / 100, min_samples=5))
    for before, after in pairwise(steps):
        for label in set(before.labels[before.core].tolist()):
            inside = before.core & (before.labels == label)
            (now,) = set(after.labels[inside].tolist())
            assert now <= label, "of two that merge the one that lives longer goes on"
        gone = set(before.labels[before.core].tolist()) - set(after.labels.tolist())
        merged = sorted(after.levels.merged(before.eps, after.eps).tolist())
        assert merged == sorted(gone)
        if after.event in (None, "clusters merge"):
            assert (after.event is not None) == (min(merged, default=LONG_LIVED) < LONG_LIVED)
    events = [step.event for step in steps if step.event]
    assert events.count("first cluster") == 1
    (first,) = (step for step in steps if step.event == "first cluster")
    assert first.clusters > 0 == steps[steps.index(first) - 1].clusters
    for step in steps:
        if step.event == "no noise left":
            assert step.noise == 0 < steps[steps.index(step) - 1].noise


def test_fewer_points_than_fill_a_ball_are_noise_at_every_radius() -> None:
    for step in check_steps(dbscan_by_eps(np.eye(3), eps=RADII, min_samples=4)):
        assert (step.clusters, step.noise, step.event) == (0, 3, None)
        assert (step.labels == NOISE).all()


@pytest.mark.parametrize("eps", [[], [0.2, 0.1], [0.1, 0.1], [0.0, 0.1], [-1.0, 1.0]])
def test_bad_radii_are_refused_at_the_call(eps: list[float]) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=r"\beps must\b"):
        dbscan_by_eps(np.eye(3), eps=np.array(eps), min_samples=2)
