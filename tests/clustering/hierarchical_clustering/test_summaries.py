"""What the mode BIRCH shows and writes, recomputed from the points."""

import numpy as np
import pytest

from algorithms.clustering.hierarchical_clustering.birch import birch
from tests.core.figures import line, places, unpacked
from tests.core.samples import board, points_of
from tests.core.told import numbers
from viz.clustering.hierarchical_clustering.birch import MOST_DRAWN, Summaries
from viz.core.scene import Run

T, B = 0.4, 3
X = points_of("blobs", 80)
ORDER = np.random.default_rng(1).permutation(80)
STEPS = list(birch(X, 3, threshold=T, branching_factor=B, order=ORDER))
MODE = Summaries(Run("", STEPS), board(X), T, B)
ENTRY = np.array([step.entry for step in STEPS[:-1]])  # of the points as they arrive
SOME = [0, 1, 7, 30, 79, 80]


def members(now: int) -> list[np.ndarray]:
    """Return the points of every entry after a step."""
    arrived = ENTRY[: now + 1]
    return [X[ORDER[: now + 1]][arrived == j] for j in range(arrived.max() + 1)]


@pytest.mark.parametrize("now", SOME)
def test_discs_are_the_means_and_radii_of_the_points_that_entries_took(now: int) -> None:
    figure = MODE.picture(now)
    np.testing.assert_allclose(places(figure), X, rtol=1e-6)
    discs, _, newest, centers, ring = map(line, figure["data"][:5])
    own = members(now)
    circles = discs.reshape(len(own), -1, 2)[:, :-1]
    means = np.array([points.mean(axis=0) for points in own])
    for circle, points, mean in zip(circles, own, means, strict=True):
        radius = np.sqrt(np.square(points - mean).sum(axis=1).mean())
        np.testing.assert_allclose(np.hypot(*(circle - mean).T), radius, atol=1e-5)
    several = np.array([len(points) > 1 for points in own])
    if several.any():
        np.testing.assert_allclose(centers, means[several], atol=1e-5)
    small = unpacked(figure["points"]["size"]) < 32
    np.testing.assert_array_equal(np.flatnonzero(small), np.sort(ORDER[now + 1 :]))
    if now < 80:
        np.testing.assert_allclose(ring, X[ORDER[now : now + 1]], rtol=1e-6)
        np.testing.assert_allclose(newest[:-1], circles[ENTRY[now]], atol=1e-6)
    else:
        assert np.isnan(ring).all() and np.isnan(newest).all()
    (key,) = figure["data"][5]["text"]
    assert ("thick circle: the entry of the newest point" in key) == (now < 80)
    assert ("colours: clusters" in key) == (now == 80)


@pytest.mark.parametrize("now", SOME)
def test_the_tree_has_the_counts_of_the_entries_in_its_leaves(now: int) -> None:
    figure = MODE.tree(now)
    texts = figure["data"][-1]["text"]
    depth = places(figure)[:, 1]
    lowest = depth == depth.min()
    counts = sorted(len(points) for points in members(now))
    assert lowest.sum() == len(counts)
    if any(np.array(texts)[lowest] != ""):
        assert sorted(map(int, np.array(texts)[lowest])) == counts
    assert sum(int(text) for text in np.array(texts)[depth == 0]) == min(now + 1, 80)
    path = line(figure["data"][2])
    if now < 80 and depth.min() < 0:
        assert len(path) == 1 - depth.min()


def test_levels_of_many_entries_are_left_out() -> None:
    many = points_of("blobs", 200)
    steps = list(birch(many, 3, threshold=0.05, branching_factor=3))
    mode = Summaries(Run("", steps), board(many), 0.05, 3)
    assert MOST_DRAWN in numbers(mode.note)
    depth = places(mode.tree(200))[:, 1]
    assert np.bincount((-depth).astype(int)).max() <= MOST_DRAWN < steps[-1].entries


@pytest.mark.parametrize("now", SOME[1:-1])
def test_the_captions_recomputed(now: int) -> None:
    step, before = STEPS[now], members(now - 1)
    first, rule, kept = MODE.caption(now).split("\n")
    assert numbers(first)[0] == now + 1
    written = numbers(rule)
    squares, n, radius = written[:3]
    assert radius == pytest.approx(step.tried, rel=6e-3) and written[3] == T
    assert (step.tried <= T) == (step.event is None) == ("≤" in rule)
    reached = min(before, key=lambda own: abs(radius_with(own, X[ORDER[now]]) - step.tried))
    assert n == len(reached) + 1
    together = np.concatenate([reached, X[ORDER[now]][None]])
    own = np.square(together - together.mean(axis=0)).sum()
    assert squares == pytest.approx(own, rel=6e-4, abs=1e-9)
    m = len(members(now))
    assert numbers(kept) == [m, 4, 4 * m, now + 1, 2 * now + 2]


def radius_with(own: np.ndarray, x: np.ndarray) -> float:
    together = np.concatenate([own, x[None]])
    return float(np.sqrt(np.square(together - together.mean(axis=0)).sum(axis=1).mean()))


def test_groups_are_entries_and_at_the_end_clusters() -> None:
    found = MODE.found(10).labels
    np.testing.assert_array_equal(found[ORDER[:11]], ENTRY[:11])
    assert (found[ORDER[11:]] == -1).all()
    np.testing.assert_array_equal(MODE.found(80).labels, STEPS[-1].predict(X))
