"""The largest gap of evenly drawn points, against SciPy's heights."""

import numpy as np
import pytest
from numpy import ndarray
from scipy.cluster import hierarchy

from algorithms.clustering.hierarchical_clustering.dendrogram import LINKAGES
from algorithms.clustering.hierarchical_clustering.gap_by_chance import (
    LAST_HEIGHTS,
    MOST,
    SETS,
    gap_by_chance,
)
from algorithms.clustering.hierarchical_clustering.hierarchical_clustering import (
    hierarchical_clustering,
)
from algorithms.core.record import last
from tests.core.samples import points_of, rng
from tests.house.check_steps import AsInTheApp

each_linkage = pytest.mark.parametrize("linkage", LINKAGES)


def largest_gap(X: ndarray, linkage: str) -> float:
    """Return the largest gap as a share of the last height, by SciPy."""
    heights = hierarchy.linkage(X, linkage)[:, 2]
    return float(np.diff(heights).max() / heights[-1])


@each_linkage
def test_the_gaps_are_those_of_evenly_drawn_points(linkage: str) -> None:
    X = points_of("stretched", 80)
    chance, draw = gap_by_chance(X, linkage, rng=rng(3)), rng(3)
    low, high = X.min(axis=0), X.max(axis=0)
    sets = [low + (high - low) * draw.random((80, 2)) for _ in range(SETS)]
    np.testing.assert_allclose(chance.gaps, [largest_gap(each, linkage) for each in sets])
    heights = [hierarchy.linkage(each, linkage)[:, 2][-LAST_HEIGHTS:] for each in sets]
    median = np.median([each / each[-1] for each in heights], axis=0)
    np.testing.assert_allclose(chance.heights, median)
    assert last(hierarchical_clustering(X, linkage=linkage)).dendrogram.gap == pytest.approx(
        largest_gap(X, linkage)
    )


@each_linkage
def test_points_without_clusters_seldom_have_a_larger_gap(linkage: str) -> None:
    """Every one of these samples has a largest gap, which alone would say 'cut here'."""
    beyond = 0
    for sample in range(40):
        X = rng(sample).random((100, 2))
        tree = last(hierarchical_clustering(X, linkage=linkage)).dendrogram
        assert tree.largest_gap
        beyond += gap_by_chance(X, linkage, rng=rng(1000 + sample)).as_large(tree.gap) == 0
    assert beyond <= 6  # 2 are expected; more than 6 have a probability below 0.4 %


@pytest.mark.parametrize(("linkage", "least"), [("single", 28), ("average", 40), ("ward", 40)])
def test_separate_blobs_have_a_larger_gap(linkage: str, least: int) -> None:
    beyond = 0
    for sample in range(40):
        X = points_of("blobs", 60, sample=sample, noise=0.5)
        tree = last(hierarchical_clustering(X, linkage=linkage)).dendrogram
        beyond += gap_by_chance(X, linkage, rng=rng()).as_large(tree.gap) == 0
    assert beyond >= least


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_points_have_no_gap_or_a_small_set(n: int) -> None:
    chance = gap_by_chance(np.arange(2.0 * n).reshape(n, 2), "ward", rng=rng())
    assert (chance.n, len(chance.gaps), len(chance.heights)) == (n, SETS, n - 1)
    assert (chance.gaps > 0).all() == (n > 2)


def test_coinciding_points_have_none_and_many_points_a_set_of_fewer() -> None:
    chance = gap_by_chance(np.ones((9, 2)), "ward", rng=rng())
    assert not chance.gaps.any() and not chance.heights.any()
    assert gap_by_chance(points_of("moons", 500), "single", rng=rng()).n == MOST


def test_points_that_are_not_finite_are_refused() -> None:
    with AsInTheApp(), pytest.raises(ValueError, match="X must be finite"):
        gap_by_chance(np.array([[0.0, np.inf]]), "ward", rng=rng())
