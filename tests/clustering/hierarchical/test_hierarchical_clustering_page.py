"""What the lesson of hierarchical clustering says of its experiments."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy import ndarray

from algorithms.clustering.hierarchical.dendrogram import LINKAGES
from algorithms.clustering.hierarchical.hierarchical_clustering import hierarchical_clustering
from algorithms.clustering.k_means import k_means
from algorithms.core.record import last
from algorithms.data.presets import DATASETS, Dataset
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of

(LAB,) = [lab for lab in LABS if lab.name == "hierarchical_clustering"]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def answer(title: str) -> str:
    return experiment_of(LAB, title).answer


def sample_of(title: str, number: int) -> Dataset:
    """Draw another sample of an experiment's data, as the page does."""
    link = experiment_of(LAB, title).link
    preset = DATASETS[link["data"]]
    knob = {preset.knob.name: int(link[preset.knob.name])} if preset.knob else {}
    n, noise = int(link.get("n", preset.n)), float(link.get("noise", preset.noise))
    return preset.make(n, noise=noise, rng=np.random.default_rng(number), **knob)


def cut(data: Dataset, linkage: str, k: int) -> ndarray:
    return last(hierarchical_clustering(data.X, linkage=linkage)).cut(k)


def agree(a: ndarray, b: ndarray) -> float:
    """Give the share of points on which two divisions into two agree."""
    same = float(np.mean(a == b))
    return max(same, 1 - same)


def test_around_the_bend(session: Session) -> None:
    title = "Around the bend"
    for linkage in LINKAGES:
        found = steps_of(session, LAB, title, linkage=linkage)[-1].cut(2)
        same = agree(found, session.state.board.data.labels)
        assert same == 1 if linkage == "single" else same < 0.9
    single = steps_of(session, LAB, title)[-1]
    moons = session.state.board.data.labels
    assert len(moons) == 150 and agree(single.cut(2), moons) == 1
    medians = {}
    for linkage in LINKAGES:
        samples = [sample_of(title, number) for number in range(1, 11)]
        shares = [agree(cut(data, linkage, 2), data.labels) for data in samples]
        medians[linkage] = np.median(shares)
    assert medians.pop("single") == 1
    assert max(medians.values()) < 0.9


def test_a_chain_of_noise(session: Session) -> None:
    title = "A chain of noise"
    steps = steps_of(session, LAB, title)
    assert sorted(np.bincount(steps[-1].cut(2))) == [1, 149]
    assert (alone(steps), alone(steps_of(session, LAB, title, linkage="complete"))) == (8, 1)
    assert "eight add a single point. With complete linkage it is one." in answer(title)
    found = [cut(sample_of(title, number), "single", 2) for number in range(20)]
    assert np.mean([np.bincount(parts).max() >= 139 for parts in found]) >= 0.75


def alone(steps: Any) -> int:
    """Count the last twenty merges that add a single point."""
    return sum(min(map(len, step.parts)) == 1 for step in steps[-20:])


def test_wide_clusters_are_cut(session: Session) -> None:
    title = "Wide clusters are cut"
    steps = steps_of(session, LAB, title)
    data = session.state.board.data
    assert np.bincount(data.labels)[0] == 120
    assert together(steps[-1].cut(3), data) == 76
    assert together(steps_of(session, LAB, title, linkage="average")[-1].cut(3), data) == 118
    assert "leaves 76 of them together, average linkage 118." in answer(title)
    for number in range(20):
        drawn = sample_of(title, number)
        complete, average = (
            together(cut(drawn, linkage, 3), drawn) for linkage in ("complete", "average")
        )
        assert complete <= 105 < 110 <= average


def together(parts: ndarray, data: Dataset) -> int:
    """Count how many points of the wide class stay together."""
    return int(np.bincount(parts[data.labels == 0]).max())


def test_one_far_point(session: Session) -> None:
    title = "One far point"
    for linkage in ("single", "complete", "average"):
        found = steps_of(session, LAB, title, linkage=linkage)[-1].cut(2)
        X = session.state.board.data.X
        far = int(np.square(X - X.mean(axis=0)).sum(axis=1).argmax())
        assert np.bincount(found)[found[far]] == 1
        for number in range(20):
            parts = cut(sample_of(title, number), linkage, 2)
            assert np.bincount(parts)[parts[far]] == 1
    *_, third, second, _ = steps_of(session, LAB, title, linkage="ward")
    assert sorted(map(len, second.parts)) == [1, 29]
    assert far in min(second.parts, key=len)
    assert sorted(np.bincount(third.labels)) == [1, 29, 30]
    for a, b, weight in re.findall(r"√\(2 · (\d+) · (\d+) / \d+\) ≈ (\d\.\d)", answer(title)):
        assert f"{np.sqrt(2 * int(a) * int(b) / (int(a) + int(b))):.1f}" == weight


def test_what_k_means_finds(session: Session) -> None:
    title, rng = "What k-means finds", np.random.default_rng(0)
    ward = steps_of(session, LAB, title)[-4]
    assert session.value("linkage") == "ward"
    X = session.state.board.data.X
    means = last(k_means(X, 4, rng=rng, init="k-means++"))
    assert f"{ward.inertia:.1f}" == f"{means.inertia:.1f}" == "62.2"
    pairs = set(zip(ward.labels.tolist(), means.labels.tolist(), strict=True))
    assert len(pairs) == 4, "the very same clusters"
    assert "62.2" in answer(title)
    lower = []
    for number in range(20):
        X = sample_of(title, number).X
        *_, merged, _, _, _ = hierarchical_clustering(X, linkage="ward")
        best = min(last(k_means(X, 4, rng=rng, init="k-means++")).inertia for _ in range(10))
        lower.append(1 - best / merged.inertia)
    assert min(lower) > -1e-9
    assert 0.05 < max(lower) <= 1 / 8
