"""What the lesson of DBSCAN says of its experiments."""

from typing import Any

import numpy as np
import pytest
from numpy import ndarray

from algorithms.clustering.dbscan.dbscan import NOISE, ball, dbscan
from algorithms.clustering.dbscan.dbscan_by_eps import density_levels
from algorithms.clustering.dbscan.sting import sting
from algorithms.clustering.k_means.k_means import k_means
from algorithms.clustering.k_means.many_starts import lowest_inertia
from algorithms.core.record import last
from algorithms.data.presets import Dataset
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.samples import dataset
from tests.house.claims import Numbers, Trial, claims_test

RADII = np.arange(1, 101) / 100
SAMPLES = range(40)


def sizes(labels: ndarray) -> list[int]:
    return np.bincount(labels[labels != NOISE]).tolist()


def at(steps: Any, eps: float) -> Any:
    """Return the step at a radius."""
    (step,) = (step for step in steps if step.eps == eps)
    return step


def finding(data: Dataset, share: float) -> list[float]:
    """Return the radii at which each of two classes has this share in a cluster of its own."""
    levels = density_levels(data.X, 5)
    found = []
    for eps in RADII:
        labels = levels.labels(eps)
        tops = []
        for part in (0, 1):
            names, counts = np.unique(labels[data.labels == part], return_counts=True)
            counts = np.where(names == NOISE, 0, counts)
            tops.append((names[counts.argmax()], counts.max()))
        least = share * np.bincount(data.labels)
        if tops[0][0] != tops[1][0] and tops[0][1] >= least[0] and tops[1][1] >= least[1]:
            found.append(float(eps))
    return found


def around_the_bend(trial: Trial) -> Numbers:
    end, data = trial.steps()[-1], trial.data
    np.testing.assert_array_equal(end.labels, data.labels)
    assert sizes(end.labels) == [100, 100]
    _, centers, _ = lowest_inertia(data.X, 2, rng=np.random.default_rng(0), restarts=10)
    wrong = int(np.count_nonzero(centers != data.labels))
    found = [finding(dataset("moons", sample=i, noise=0.1), 0.95) for i in SAMPLES]
    some = sum(map(bool, found))
    most = max(sum(eps in radii for radii in found) for eps in RADII.tolist())
    return [100, min(wrong, 200 - wrong), some, SAMPLES, 95, most]


def a_little_too_far(trial: Trial) -> Numbers:
    steps = trial.steps()
    moons = trial.data.labels
    for eps in RADII[28:36].tolist():  # 0.29 to 0.36
        step = at(steps, eps)
        inside = step.labels != NOISE
        assert step.clusters == 2
        assert len(set(zip(step.labels[inside], moons[inside], strict=True))) == 2
    assert at(steps, 0.28).clusters > 2
    after = at(steps, 0.37)
    levels = after.levels
    assert (sizes(after.labels), after.event) == ([200], "clusters merge")
    new = (levels.heights > 0.36) & (levels.heights <= 0.37)
    bridges = new & (moons[levels.edges[:, 0]] != moons[levels.edges[:, 1]])
    (length,) = levels.heights[bridges]
    return [0.37, 200, length, levels.cores(0.36), 0.36, levels.cores(0.37), 0.37]


def two_densities(trial: Trial) -> Numbers:
    steps, rings = trial.steps(), trial.data.labels
    assert np.bincount(rings).tolist() == [50, 50]
    inner, outer = (np.linalg.norm(trial.data.X[rings == i], axis=1).mean() for i in (0, 1))
    whole = next(step for step in steps if sizes(step.labels[rings == 0])[:1] == [50])
    noise = int(np.count_nonzero(whole.labels[rings == 1] == NOISE))
    single = next(step for step in steps if step.eps > 0.5 and step.clusters == 1)
    assert (single.labels[rings == 0] == 0).all()
    for step in steps:
        if max(sizes(step.labels[rings == 1]), default=0) >= 45:
            assert step.eps > single.eps, "the outer ring is whole only as a part of that cluster"
    assert not any(finding(dataset("circles", 100, sample=i), 0.9) for i in SAMPLES)
    return [outer / inner, whole.eps, noise, single.eps, SAMPLES, 90]


def test_it_is_the_density_and_not_the_rings() -> None:
    """An outer ring with as many points for its length as the inner one can be found."""
    found = 0
    for i in range(20):
        inner, outer = dataset("circles", 100, sample=i), dataset("circles", 220, sample=i + 100)
        X = np.concatenate([inner.X[inner.labels == 0], outer.X[outer.labels == 1]])
        both = Dataset("rings", X, ("x", "y"), np.repeat([0, 1], [50, 110]), ("1", "2"))
        found += bool(finding(both, 0.9))
    assert found >= 15


def who_comes_first(trial: Trial) -> Numbers:
    given, turned = (trial.steps(order=f"{way}")[-1] for way in ("first to last", "last to first"))
    X, core = trial.data.X, given.core
    np.testing.assert_array_equal(core, turned.core)
    np.testing.assert_array_equal(given.labels == NOISE, turned.labels == NOISE)
    named = dict(zip(turned.labels[core].tolist(), given.labels[core].tolist(), strict=True))
    assert len(named) == 3
    again = np.array([named.get(label, NOISE) for label in turned.labels.tolist()])
    (i,) = np.flatnonzero(again != given.labels)
    near = ball(X, int(i), 0.5)
    assert not core[i]
    assert len(set(given.labels[near[core[near]]].tolist())) == 2
    assert sizes(given.labels)[given.labels[i]] == max(sizes(given.labels)), "the large one"
    assert sizes(turned.labels)[turned.labels[i]] == 20, "a small one"
    noise = int(np.count_nonzero(given.labels == NOISE))
    return [len(X), *X[i].tolist(), len(near), noise]


def a_far_point(trial: Trial) -> Numbers:
    end, X = trial.steps()[-1], trial.data.X
    far = int(np.square(X - X.mean(axis=0)).sum(axis=1).argmax())
    assert np.flatnonzero(end.labels == NOISE).tolist() == [far]
    assert end.walk.sizes[far] == 1
    wide = trial.steps(eps="1")[-1]
    most = trial.session.widget("slider", "eps").max
    assert sizes(wide.labels) == [59] and wide.labels[far] == NOISE
    alone = 0
    for seed in range(20):
        step = last(k_means(X, 2, rng=np.random.default_rng(seed)))
        center = step.centers[step.labels[far]]
        others = (step.labels == step.labels[far]) & (np.arange(60) != far)
        alone += not others.any()
        if others.any():
            assert others.sum() in (29, 30)
            assert (center - X[others].mean(axis=0)) @ (X[far] - center) > 0
    assert 0 < alone < 20
    return [*sizes(end.labels), most]


def cells(trial: Trial) -> Numbers:
    end, samples = trial.steps()[-1], range(20)
    left = int((end.labels == NOISE).sum())
    for sample in samples:
        data = dataset("moons", 1000, sample=sample, noise=0.1)
        found = last(sting(data.X, levels=4, min_samples=2)).labels
        share = [np.bincount(found[(data.labels == c) & (found >= 0)]).max() for c in (0, 1)]
        assert len(sizes(found)) == 2 and min(share) >= 450
    few = trial.steps(levels="3")[-1].labels
    assert len(set(few.tolist()) - {NOISE}) == 1
    many = trial.steps(levels="6")[-1]
    survey = many.survey
    lowest = survey.cells[survey.cells[:, 0] == 6, 3]
    assert (lowest <= 2).mean() > 0.5
    return [*sizes(end.labels), left, samples, 90, 3, 6, 1, 2, len(sizes(many.labels))]


def on_average(trial: Trial) -> Numbers:
    end, exact = trial.steps()[-1], trial.steps(rule="may hold a dense cell")[-1]
    left = [int((step.labels == NOISE).sum()) for step in (end, exact)]
    looked = [len(step.survey.cells) for step in (end, exact)]
    return [left[0], len(trial.data.X), left[1], *looked]


test_the_answers = claims_test(
    "dbscan",
    {
        "Around the bend": around_the_bend,
        "A little too far": a_little_too_far,
        "Two densities": two_densities,
        "Who comes first": who_comes_first,
        "A far point": a_far_point,
        "256 cells for 1,000 points": cells,
        "Dense on average": on_average,
    },
)


@pytest.mark.parametrize("min_samples", range(1, 7))
def test_a_chain_ties_clusters_only_if_its_points_are_core_points(min_samples: int) -> None:
    """The lesson: with min_samples up to 3, every inner point of a chain is a core point."""
    heap = 0.1 * np.random.default_rng(0).normal(size=(40, 2))
    chain = np.column_stack([np.arange(0.25, 2.01, 0.25), np.zeros(8)])
    X = np.concatenate([heap, heap + np.array([2.25, 0.0]), chain])
    end = last(dbscan(X, eps=0.3, min_samples=min_samples))
    tied = min_samples <= 3
    assert end.core[-6:-2].all() == tied
    assert end.labels.max() + 1 == (1 if tied else 2)


def test_the_radius_has_the_scale_of_the_data(session: Session) -> None:
    (lab,) = (lab for lab in LABS if lab.name == "dbscan")
    for preset, most in (("moons", 1.0), ("penguins", 5.0), ("diabetes", 50.0)):
        session.open(lab, data=preset)
        assert session.widget("slider", "eps").max == most
        assert session.value("eps") == pytest.approx(0.3 * most)
        assert session.state.refused == []


def test_curves_stand_over_the_radii_of_the_slider(session: Session) -> None:
    (lab,) = (lab for lab in LABS if lab.name == "dbscan")
    session.open(lab, eps="0.29")
    assert session.value("eps") in RADII.tolist()
    (now,) = session.figure(view=2)["data"][1]["x"]
    assert now == 0.29
