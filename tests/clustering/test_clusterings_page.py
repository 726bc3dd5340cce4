"""What the lesson of all clusterings says of its experiments."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy import ndarray

from algorithms.clustering.clusterings import METHODS, ClusteringStep, clusterings
from algorithms.data.presets import DATASETS
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of
from viz.core import plane

(LAB,) = [lab for lab in LABS if lab.name == "clusterings"]
NAMES = [method.name for method in METHODS]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def said(title: str) -> str:
    return " ".join(experiment_of(LAB, title).answer.split())


def indices(steps: Any) -> dict[str, float]:
    return {step.method.name: step.counts.adjusted_rand_index for step in steps}


def samples(name: str, k: int, *, width: float = 3, **how: Any) -> dict[str, ndarray]:
    """Give every method's index on the samples 0 to 9, set up as the page does."""
    made, found = DATASETS[name], []
    for number in range(10):
        data = made.make(made.n, rng=np.random.default_rng(number), **{"noise": made.noise} | how)
        left, right, bottom, top = plane.bounds(data.X)
        unit = max(right - left, top - bottom) / 100
        told = {"eps": 6 * unit, "min_samples": 5, "gamma": 1 / (2 * (width * unit) ** 2)}
        rng = np.random.default_rng(0)
        found.append(indices(clusterings(data.X, data.labels, k, rng=rng, **told)))
    return {name: np.array([each[name] for each in found]) for name in NAMES}


def test_two_moons(session: Session) -> None:
    title = "Two moons"
    found = indices(steps_of(session, LAB, title))
    finders = {"single", "spectral", "DBSCAN"}
    assert {name for name, index in found.items() if index == 1} == finders
    most = max(index for name, index in found.items() if name not in finders)
    assert f"the others {most:.2f} at most" in said(title)
    exact = {name: int((row == 1).sum()) for name, row in samples("moons", 2, noise=0.1).items()}
    told = f"exactly on {exact['spectral']}, single linkage on {exact['single']}, DBSCAN on "
    assert f"{told}{exact['DBSCAN']}, and no other method on any." in said(title)
    assert not any(count for name, count in exact.items() if name not in finders)


def test_groups_that_touch(session: Session) -> None:
    title = "Groups that touch"
    steps: list[ClusteringStep] = steps_of(session, LAB, title)
    single = steps[NAMES.index("single")]
    assert f"its index is {single.counts.adjusted_rand_index:.2f}." in said(title)
    sizes = np.unique(single.labels, return_counts=True)[1]
    assert f"one cluster holds {sizes.max()} of 200" in said(title)
    found = samples("blobs", 4, width=5, classes=4, noise=0.6)
    assert indices(steps) == pytest.approx({name: row[0] for name, row in found.items()})
    assert f"below 0.01 on {(found['single'] < 0.01).sum()}," in said(title)
    assert "k-means never falls below 0.88" in said(title) and found["k-means"].min() >= 0.88


def test_large_and_small(session: Session) -> None:
    title = "Large and small"
    found = samples("unequal", 3, width=5)
    shown = indices(steps_of(session, LAB, title))
    assert shown == pytest.approx({name: row[0] for name, row in found.items()})
    mean = {name: row.mean() for name, row in found.items()}
    low = f"index of {mean['complete']:.2f}, k-means {mean['k-means']:.2f} and Ward "
    high = f"{mean['Ward']:.2f}, but EM {mean['EM, Gaussians']:.2f}, average linkage "
    assert low + high in said(title)
    rest = f"{mean['average']:.2f} and spectral clustering {mean['spectral']:.2f}."
    assert rest in said(title)


def test_too_many_clusters(session: Session) -> None:
    title = "Too many clusters"
    steps = steps_of(session, LAB, title)
    classes = session.state.board.data.labels
    many, three = indices(steps), indices(steps_of(session, LAB, title, k="3"))
    fall = f"from {three['k-means']:.3g} to {many['k-means']:.2f}"
    assert f"k-means falls {fall}" in said(title)
    assert f"from {three['single']:.2f} to {many['single']:.2f}" in said(title)
    assert [name for name in NAMES if many[name] > three[name]] == ["single"]
    for label in np.unique(steps[0].labels):
        inside = np.bincount(classes[steps[0].labels == label])
        assert inside.max() >= 0.97 * inside.sum(), "every cluster is in one group, or nearly so"


def test_penguins(session: Session) -> None:
    title = "Penguins"
    found = indices(steps_of(session, LAB, title))
    first, second = sorted(found, key=lambda name: -found[name])[:2]
    assert (first, second) == ("EM, Gaussians", "spectral")
    told = f"an index of {found[first]:.3f}; the next is spectral clustering with "
    assert told + f"{found[second]:.3f}." in said(title)
    assert max(found["single"], found["DBSCAN"]) < 0.01
