"""Clusters keep their numbers: against all permutations, and from seed to seed and k to k."""

from functools import partial
from itertools import pairwise, permutations

import numpy as np
import pytest
from numpy import ndarray

from algorithms.clustering.gaussian_mixture.gaussian_mixture import gaussian_mixture
from algorithms.clustering.gaussian_mixture.soft_k_means import soft_k_means
from algorithms.clustering.k_means.k_means import k_means
from algorithms.clustering.k_medoids.k_medoids import k_medoids
from algorithms.clustering.spectral_clustering import spectral_clustering
from algorithms.core.agreement import renumbered, renumbering
from algorithms.core.numbering import halved, numbered, numbers
from tests.core.samples import dataset, rng

PRESETS = ("blobs", "moons", "circles", "stretched")
CLUSTERINGS = [
    k_means,
    gaussian_mixture,
    partial(soft_k_means, stiffness=20.0),
    partial(k_medoids, init="random"),
    partial(spectral_clustering, gamma=2.0),
]


def points(name: str, sample: int) -> ndarray:
    return dataset(name, 150, sample=sample).table[:, :2]


@pytest.mark.parametrize("k", [2, 3, 5])
def test_no_other_numbers_share_more_points(k: int) -> None:
    for seed in range(20):
        X, labels = rng(seed).normal(size=(40, 2)), rng(seed + 100).integers(k, size=40)
        part = halved(X, k)
        shared = [np.sum(labels == np.array(order)[part]) for order in permutations(range(k))]
        assert np.sum(labels == numbers(X, k, labels)[part]) == max(shared)


@pytest.mark.parametrize("name", PRESETS)
def test_a_half_is_cut_where_the_inertia_along_its_widest_direction_is_least(name: str) -> None:
    X = points(name, 11)
    for k in range(2, 7):
        before, after = halved(X, k - 1), halved(X, k)
        (cut,) = np.unique(before[after == k - 1])
        kept = before != cut
        np.testing.assert_array_equal(before[kept], after[kept])
        P, new = X[before == cut], (after == k - 1)[before == cut]
        spread = [
            np.square(X[before == j] - X[before == j].mean(axis=0)).sum() for j in range(k - 1)
        ]
        assert spread[cut] == pytest.approx(max(spread))
        assert 2 * new.sum() <= len(P)
        along = np.sort((P - P.mean(axis=0)) @ np.linalg.svd(P - P.mean(axis=0))[2][0])
        inertia = [
            sum(np.square(half - half.mean()).sum() for half in (along[:m], along[m:]))
            for m in range(1, len(P))
        ]
        assert int(np.argmin(inertia)) + 1 in (new.sum(), len(P) - new.sum())


@pytest.mark.parametrize("cluster", CLUSTERINGS)
def test_another_seed_with_the_same_clusters_has_the_same_numbers(cluster) -> None:
    again = 0
    for name in PRESETS:
        X = points(name, 23)
        ends = [tuple(numbered(cluster, X, 3, rng=rng(seed)))[-1].labels for seed in range(8)]
        for labels in ends[1:]:
            together = labels[:, None] == labels
            if (together == (ends[0][:, None] == ends[0])).all():
                again += 1
                np.testing.assert_array_equal(labels, ends[0])
    assert again > 0


@pytest.mark.parametrize("cluster", CLUSTERINGS)
def test_a_run_with_other_numbers_is_the_same_run(cluster) -> None:
    X = points("blobs", 31)
    plain = tuple(cluster(X, 4, rng=rng(3)))
    run = tuple(numbered(cluster, X, 4, rng=rng(3)))
    order = numbers(X, 4, plain[-1].labels)
    assert len(run) == len(plain)
    for step, before in zip(run, plain, strict=True):
        if hasattr(step, "predict"):
            np.testing.assert_array_equal(order[step.predict(X)], before.predict(X))
        if getattr(step, "half_step", True) is not None:
            np.testing.assert_array_equal(order[step.labels], before.labels)
        assert step.event == before.event


def test_most_points_that_can_keep_their_number_do_when_k_grows() -> None:
    kept, possible = 0, 0
    for name in PRESETS:
        X = points(name, 47)
        ends = [tuple(numbered(k_means, X, k, rng=rng(5)))[-1].labels for k in range(2, 9)]
        for labels, after in pairwise(ends):
            kept += np.sum(labels == after)
            possible += np.sum(labels == renumbered(after, renumbering(labels, after)))
    assert kept > 0.8 * possible


def test_centres_that_are_given_keep_their_numbers() -> None:
    X = points("blobs", 3)
    start = X[[5, 1, 9]]
    for step, before in zip(
        numbered(k_means, X, 3, rng=rng(0), init=start),
        k_means(X, 3, rng=rng(0), init=start),
        strict=True,
    ):
        np.testing.assert_array_equal(step.centers, before.centers)


@pytest.mark.parametrize("seed", range(12))
def test_classes_come_first_and_the_parts_choose_among_the_ways_that_are_left(seed: int) -> None:
    chance, k = rng(seed), 4
    X, y = chance.normal(size=(40, 2)), chance.integers(2, 7, size=40)  # 2 to 6, of 4 numbers
    labels = chance.integers(k, size=40)
    part, order = halved(X, k), numbers(X, k, labels, y)

    def agreeing(order: tuple[int, ...]) -> tuple[int, int]:
        named = np.argsort(order)[labels]
        return int((named == y).sum()), int((named == part).sum())

    assert agreeing(tuple(order.tolist())) == max(map(agreeing, permutations(range(k))))


def test_points_in_one_place_are_not_parted() -> None:
    assert halved(np.ones((5, 2)), 3).tolist() == [0] * 5
    assert sorted(numbers(np.ones((5, 2)), 3, np.zeros(5, int)).tolist()) == [0, 1, 2]
    for seed in range(20):
        two = np.random.default_rng(seed).normal(size=(2, 2))[np.arange(20) % 2]
        assert sorted(numbers(two, 5, np.arange(20) % 2).tolist()) == [0, 1, 2, 3, 4]
