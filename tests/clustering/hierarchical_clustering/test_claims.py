"""What the lesson of hierarchical clustering says of its experiments."""

from typing import Any

import numpy as np
from numpy import ndarray
from scipy.optimize import linear_sum_assignment

from algorithms.clustering.hierarchical_clustering.birch import BirchStep
from algorithms.clustering.hierarchical_clustering.dendrogram import LINKAGES
from algorithms.clustering.hierarchical_clustering.gap_by_chance import gap_by_chance
from algorithms.clustering.hierarchical_clustering.hierarchical_clustering import (
    hierarchical_clustering,
)
from algorithms.clustering.hierarchical_clustering.hierarchical_step import Linkage
from algorithms.clustering.k_means.many_starts import lowest_inertia
from algorithms.core.record import last
from algorithms.data.presets import Dataset
from tests.core.samples import dataset, rng
from tests.house.claims import Numbers, Trial, claims_test

SAMPLES = range(40)


def cut(data: Dataset, linkage: Linkage, k: int) -> ndarray:
    return last(hierarchical_clustering(data.X, linkage=linkage)).cut(k)


def agree(a: ndarray, b: ndarray) -> float:
    """Return the share of points on which two divisions into two agree."""
    same = float(np.mean(a == b))
    return max(same, 1 - same)


def around_the_bend(trial: Trial) -> Numbers:
    for linkage in LINKAGES:
        found = trial.steps(linkage=linkage)[-1].cut(2)
        assert (agree(found, trial.data.labels) == 1) == (linkage == "single")
    drawn = [dataset("moons", 150, sample=i, noise=0.1) for i in SAMPLES]
    exact = {each: sum(agree(cut(d, each, 2), d.labels) == 1 for d in drawn) for each in LINKAGES}
    single = exact.pop("single")
    assert not any(exact.values())
    return [single, SAMPLES]


def a_chain_of_noise(trial: Trial) -> Numbers:
    steps = trial.steps()
    one, others = sorted(np.bincount(steps[-1].cut(2)).tolist())
    assert one == 1
    blurred = [dataset("moons", 150, sample=i, noise=0.2) for i in SAMPLES]
    chained = sum(np.bincount(cut(data, "single", 2)).min() == 1 for data in blurred)
    few = alone(steps), alone(trial.steps(linkage="complete"))
    return [others, chained, SAMPLES, 20, *few]


def alone(steps: Any) -> int:
    """Count the last 20 merges that add a single point."""
    return sum(min(map(len, step.parts)) == 1 for step in steps[-20:])


def wide_clusters_are_cut(trial: Trial) -> Numbers:
    complete, average = (trial.steps(linkage=each)[-1].cut(3) for each in ("complete", "average"))
    data = trial.data
    assert np.bincount(data.labels)[0] == 120
    drawn = [dataset("unequal", 150, sample=i) for i in SAMPLES]
    most = max(together(cut(each, "complete", 3), each) for each in drawn)
    least = min(together(cut(each, "average", 3), each) for each in drawn)
    return [together(complete, data), together(average, data), SAMPLES, most, least]


def together(parts: ndarray, data: Dataset) -> int:
    """Count the points of the wide class that stay together."""
    return int(np.bincount(parts[data.labels == 0]).max())


def one_far_point(trial: Trial) -> Numbers:
    linkages: list[Linkage] = ["single", "complete", "average"]
    X = dataset("outlier").X
    far = int(np.square(X - X.mean(axis=0)).sum(axis=1).argmax())
    for linkage in linkages:
        found = trial.steps(linkage=linkage)[-1].cut(2)
        np.testing.assert_array_equal(trial.data.X, X)
        assert np.bincount(found)[found[far]] == 1
        for i in SAMPLES:
            parts = cut(dataset("outlier", 60, sample=i), linkage, 2)
            assert np.bincount(parts)[parts[far]] == 1
    *_, third, second, _ = trial.steps(linkage="ward")
    assert far in min(second.parts, key=len)
    one, small, large = sorted(np.bincount(third.labels).tolist())
    assert sorted(map(len, second.parts)) == [one, small]
    first, weight = [2, small, one, small + one], np.sqrt(2 * small * one / (small + one))
    second = [large, small, 2, large, small, large + small]
    return [small, *first, weight, *second, np.sqrt(2 * large * small / (large + small))]


def what_k_means_finds(trial: Trial) -> Numbers:
    steps, X = trial.steps(), trial.data.X
    ward = steps[-4]
    assert ward.dendrogram.linkage == "ward"
    _, labels, inertia = lowest_inertia(X, 4, rng=rng(), restarts=10)
    np.testing.assert_allclose(inertia, ward.inertia)
    assert len(set(zip(ward.labels.tolist(), labels.tolist(), strict=True))) == 4
    lower = []
    for i in SAMPLES:
        X = dataset("blobs", 100, sample=i, classes=4, noise=0.6).X
        *_, merged, _, _, _ = hierarchical_clustering(X, linkage="ward")
        lower.append(1 - lowest_inertia(X, 4, rng=rng(), restarts=10)[2] / merged.inertia)
    assert min(lower) > -1e-9
    often, much = (sum(each > least for each in lower) for least in (1e-9, 1 / 8))
    return [ward.inertia, 10, often, SAMPLES, 100 * float(np.median(lower)), much]


def is_the_gap_a_sign(trial: Trial) -> Numbers:
    numbers = []
    for linkage in ("ward", "single"):
        tree = trial.steps(linkage=linkage)[0].dendrogram
        assert 150 - tree.largest_gap == 2
        chance = gap_by_chance(trial.data.X, tree.linkage, rng=rng())
        same = agree(tree.cut(2), trial.data.labels)
        assert (same == 1) == (linkage == "single") == (chance.as_large(tree.gap) == 0)
        if linkage == "ward":
            numbers += [100 * tree.gap, chance.as_large(tree.gap), len(chance.gaps)]
        else:
            numbers += [100 * tree.gap, len(chance.gaps), 100 * chance.gaps.max()]
    return numbers


def another_order(trial: Trial) -> Numbers:
    seeds = range(20)
    ends = [trial.steps(seed=str(seed))[-1] for seed in seeds]
    data = trial.data
    outside = [misplaced(end, data) for end in ends]
    entries = [end.entries for end in ends]
    assert outside[0] == 0
    found = [seeds, min(entries), max(entries), outside.count(0), max(outside)]
    return [*found, 0, entries[0], 4 * entries[0], data.X.size]


def misplaced(end: BirchStep, data: Dataset) -> int:
    """Count the points that are not in the cluster of their class."""
    shared = np.zeros((4, 4), int)
    np.add.at(shared, (data.labels, end.predict(data.X)), 1)
    rows, columns = linear_sum_assignment(shared, maximize=True)
    return len(data.X) - int(shared[rows, columns].sum())


test_the_answers = claims_test(
    "hierarchical_clustering",
    {
        "Around the bend": around_the_bend,
        "A chain of noise": a_chain_of_noise,
        "Wide clusters are cut": wide_clusters_are_cut,
        "One far point": one_far_point,
        "What k-means finds": what_k_means_finds,
        "Is the gap a sign?": is_the_gap_a_sign,
        "Another order, another tree": another_order,
    },
)
