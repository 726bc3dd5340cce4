"""What the lesson of DBSCAN says of its experiments."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy import ndarray

from algorithms.clustering.dbscan import NOISE, ball
from algorithms.clustering.dbscan_by_eps import density_levels
from algorithms.clustering.k_means import k_means
from algorithms.data.presets import DATASETS, Dataset
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of

(LAB,) = [lab for lab in LABS if lab.name == "dbscan"]
RADII = np.arange(1, 101) / 100


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def said(title: str) -> str:
    return experiment_of(LAB, title).answer


def data_of(session: Session) -> Dataset:
    return session.state.board.data


def at(steps: Any, eps: float) -> Any:
    """Give the step at a radius."""
    (step,) = (step for step in steps if step.eps == eps)
    return step


def sizes(labels: ndarray) -> list[int]:
    return np.bincount(labels[labels != NOISE]).tolist()


def sample(name: str, number: int, **how: float) -> Dataset:
    made = DATASETS[name]
    how = {"n": made.n, "noise": made.noise} | how
    return made.make(int(how.pop("n")), rng=np.random.default_rng(number), **how)


def finding(data: Dataset, share: float) -> list[float]:
    """Give the radii at which a cluster of its own holds such a share of each of two classes."""
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


def test_around_the_bend(session: Session) -> None:
    title = "Around the bend"
    end = steps_of(session, LAB, title)[-1]
    data = data_of(session)
    np.testing.assert_array_equal(end.labels, data.labels)
    assert sizes(end.labels) == [100, 100]
    assert "two clusters of 100 points, exactly the moons, and no noise" in said(title)
    runs = (list(k_means(data.X, 2, rng=np.random.default_rng(seed)))[-1] for seed in range(10))
    centers = min(runs, key=lambda step: step.inertia)
    wrong = np.count_nonzero(centers.labels != data.labels)
    assert f"k-means has {min(wrong, 200 - wrong)} points in the wrong half" in said(title)
    found = [finding(sample("moons", number, noise=0.1), 0.95) for number in range(20)]
    some = sum(map(bool, found))
    most = max(sum(eps in radii for radii in found) for eps in RADII.tolist())
    assert f"on {some} of the samples 0 to 19 some ε finds 95 % of both" in said(title)
    assert f"no ε does so on more than {most}." in said(title)


def test_a_little_too_far(session: Session) -> None:
    title = "A little too far"
    steps = steps_of(session, LAB, title)
    moons = data_of(session).labels
    for eps in RADII[28:36].tolist():  # 0.29 to 0.36
        step = at(steps, eps)
        assert step.clusters == 2
        inside = step.labels != NOISE
        assert len(set(zip(step.labels[inside], moons[inside], strict=True))) == 2
    assert at(steps, 0.28).clusters > 2
    after = at(steps, 0.37)
    assert (sizes(after.labels), after.event) == ([200], "clusters merge")
    levels = after.levels
    new = (levels.heights > 0.36) & (levels.heights <= 0.37)
    bridges = new & (moons[levels.edges[:, 0]] != moons[levels.edges[:, 1]])
    (length,) = levels.heights[bridges]
    assert f"of length {length:.3f}" in said(title)
    assert "at 0.37 there is one cluster of 200 points" in said(title)
    cores = f"{levels.cores(0.36)} core points at 0.36, {levels.cores(0.37)} at 0.37"
    assert cores in said(title)


def test_two_densities(session: Session) -> None:
    title = "Two densities"
    steps = steps_of(session, LAB, title)
    data = data_of(session)
    rings = data.labels
    assert np.bincount(rings).tolist() == [50, 50]
    inner, outer = (np.linalg.norm(data.X[rings == ring], axis=1).mean() for ring in (0, 1))
    assert f"{outer / inner:.1f} times as long" in experiment_of(LAB, title).question
    whole = next(step for step in steps if sizes(step.labels[rings == 0])[:1] == [50])
    noise = np.count_nonzero(whole.labels[rings == 1] == NOISE)
    assert f"at {whole.eps:.2f} the inner ring is whole, but {noise} of the outer" in said(title)
    single = next(step for step in steps if step.eps > 0.5 and step.clusters == 1)
    assert f"at {single.eps:.2f} there is a single cluster" in said(title)
    assert (single.labels[rings == 0] == 0).all()
    for step in steps:
        outer = step.labels[rings == 1]
        if max(sizes(outer), default=0) >= 45:
            assert step.eps > single.eps, "the outer ring is whole only as a part of that cluster"
    assert not any(finding(sample("circles", number, n=100), 0.9) for number in range(20))
    assert "On none of the samples 0 to 19" in said(title)


def test_it_is_the_density_and_not_the_rings() -> None:
    """An outer ring with as many points for its length as the inner one can be found."""
    found = 0
    for number in range(20):
        inner, outer = sample("circles", number, n=100), sample("circles", number + 100, n=220)
        X = np.concatenate([inner.X[inner.labels == 0], outer.X[outer.labels == 1]])
        labels = np.repeat([0, 1], [50, 110])
        both = Dataset("rings", X, ("x", "y"), labels, ("1", "2"))
        found += bool(finding(both, 0.9))
    assert found >= 15


def test_who_comes_first(session: Session) -> None:
    title = "Who comes first"
    given = steps_of(session, LAB, title)[-1]
    turned = steps_of(session, LAB, title, order="last to first")[-1]
    X = data_of(session).X
    np.testing.assert_array_equal(given.core, turned.core)
    assert np.count_nonzero(given.labels == NOISE) == np.count_nonzero(turned.labels == NOISE) == 18
    np.testing.assert_array_equal(given.labels == NOISE, turned.labels == NOISE)
    core = given.core
    named = dict(zip(turned.labels[core].tolist(), given.labels[core].tolist(), strict=True))
    assert len(named) == 3
    again = np.array([named.get(label, NOISE) for label in turned.labels.tolist()])
    (i,) = np.flatnonzero(again != given.labels)
    x, y = X[i]
    assert f"the border point at ({x:.3f}, −{-y:.3f})" in said(title)
    near = ball(X, int(i), 0.5)
    assert len(near) == 4 and not core[i] and "Its ball holds 4 points" in said(title)
    assert len(set(given.labels[near[core[near]]].tolist())) == 2
    assert sizes(given.labels)[given.labels[i]] == max(sizes(given.labels)), "the large one"
    assert sizes(turned.labels)[turned.labels[i]] == 20, "a small one"


def test_a_far_point(session: Session) -> None:
    title = "A far point"
    end = steps_of(session, LAB, title)[-1]
    data = data_of(session)
    far = int(np.square(data.X - data.X.mean(axis=0)).sum(axis=1).argmax())
    assert sizes(end.labels) == [30, 29] and np.flatnonzero(end.labels == NOISE).tolist() == [far]
    assert end.walk.sizes[far] == 1
    wide = steps_of(session, LAB, title, eps="1")[-1]
    assert sizes(wide.labels) == [59] and wide.labels[far] == NOISE
    assert session.widget("slider", "eps").max == 1, "as large as it goes"
    alone = 0
    for seed in range(20):
        step = list(k_means(data.X, 2, rng=np.random.default_rng(seed)))[-1]
        center = step.centers[step.labels[far]]
        others = (step.labels == step.labels[far]) & (np.arange(60) != far)
        alone += not others.any()
        if others.any():
            assert others.sum() in (29, 30)
            assert (center - data.X[others].mean(axis=0)) @ (data.X[far] - center) > 0
    assert 0 < alone < 20


def test_the_radius_has_the_scale_of_the_data(session: Session) -> None:
    for preset, most in (("moons", 1.0), ("penguins", 5.0), ("diabetes", 50.0)):
        session.open(LAB, data=preset)
        assert session.widget("slider", "eps").max == most
        assert session.value("eps") == pytest.approx(0.3 * most)
        assert session.state.refused == []


def test_curves_stand_over_the_radii_of_the_slider(session: Session) -> None:
    session.open(LAB, eps="0.29")
    assert session.value("eps") in RADII.tolist()
    (now,) = session.figure(view=2)["data"][1]["x"]
    assert now == 0.29
