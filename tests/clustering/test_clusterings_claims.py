"""What the lesson of all clusterings says of its experiments."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy import ndarray

from algorithms.clustering.clusterings import METHODS, ClusteringStep, clusterings
from algorithms.data.presets import DATASETS
from tests.house.claims import Numbers, Trial, claims_test
from viz.core import plane

NAMES = [method.name for method in METHODS]
SAMPLES = range(10)


def indices(steps: Sequence[ClusteringStep]) -> dict[str, float]:
    return {step.method.name: step.counts.adjusted_rand_index for step in steps}


def samples(name: str, k: int, *, width: float = 3, **how: Any) -> dict[str, ndarray]:
    """Return every method's index on the samples 0 to 9, set up as the page does."""
    made, found = DATASETS[name], []
    for number in SAMPLES:
        data = made.make(made.n, rng=np.random.default_rng(number), **{"noise": made.noise} | how)
        left, right, bottom, top = plane.bounds(data.X)
        unit = max(right - left, top - bottom) / 100
        told = {"eps": 6 * unit, "min_samples": 5, "gamma": 1 / (2 * (width * unit) ** 2)}
        rng = np.random.default_rng(0)
        found.append(indices(list(clusterings(data.X, data.labels, k, rng=rng, **told))))
    return {name: np.array([each[name] for each in found]) for name in NAMES}


def two_moons(trial: Trial) -> Numbers:
    found = indices(trial.steps())
    finders = {"single", "spectral", "DBSCAN"}
    assert {name for name, index in found.items() if index == 1} == finders
    most = max(index for name, index in found.items() if name not in finders)
    exact = {name: int((row == 1).sum()) for name, row in samples("moons", 2, noise=0.1).items()}
    assert not any(count for name, count in exact.items() if name not in finders)
    counts = [exact[name] for name in ("spectral", "single", "DBSCAN")]
    return [1, most, len(SAMPLES), SAMPLES, *counts]


def groups_that_touch(trial: Trial) -> Numbers:
    steps = trial.steps()
    single = steps[NAMES.index("single")]
    sizes = np.unique(single.labels, return_counts=True)[1]
    found = samples("blobs", 4, width=5, classes=4, noise=0.6)
    assert indices(steps) == pytest.approx({name: row[0] for name, row in found.items()})
    low, below = 0.01, found["single"]
    here = [single.counts.adjusted_rand_index, sizes.max(), sizes.sum(), SAMPLES]
    return [*here, low, (below < low).sum(), found["k-means"].min()]


def large_and_small(trial: Trial) -> Numbers:
    found = samples("unequal", 3, width=5)
    assert indices(trial.steps()) == pytest.approx({name: row[0] for name, row in found.items()})
    order = ("complete", "k-means", "Ward", "EM, Gaussians", "average", "spectral")
    return [SAMPLES, *(found[name].mean() for name in order)]


def too_many(trial: Trial) -> Numbers:
    steps = trial.steps()
    classes = trial.data.labels
    many, three = indices(steps), indices(trial.steps(k="3"))
    assert [name for name in NAMES if many[name] > three[name]] == ["single"]
    for label in np.unique(steps[0].labels):
        inside = np.bincount(classes[steps[0].labels == label])
        assert inside.max() >= 0.97 * inside.sum(), "every cluster is in one group, or nearly so"
    return [three["k-means"], many["k-means"], three["single"], many["single"]]


def penguins(trial: Trial) -> Numbers:
    found = indices(trial.steps())
    first, second = sorted(found, key=lambda name: -found[name])[:2]
    assert (first, second) == ("EM, Gaussians", "spectral")
    assert max(found["single"], found["DBSCAN"]) < 0.01
    return [found[first], found[second]]


test_the_answers = claims_test(
    "clusterings",
    {
        "Two moons": two_moons,
        "Groups that touch": groups_that_touch,
        "Large and small": large_and_small,
        "Too many clusters": too_many,
        "Penguins": penguins,
    },
)
