"""What the lesson of spectral clustering says of its experiments."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from numpy import ndarray

from algorithms.clustering.restarts import lowest_inertia
from algorithms.clustering.spectral_clustering import similarity_graph, spectral_clustering
from algorithms.core.record import last
from algorithms.data.presets import DATASETS, Dataset
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of
from viz.core import plane

(LAB,) = [lab for lab in LABS if lab.name == "spectral_clustering"]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def said(title: str) -> str:
    return experiment_of(LAB, title).answer


def sample(name: str, number: int, **how: Any) -> Dataset:
    made = DATASETS[name]
    how = {"noise": made.noise} | how
    return made.make(made.n, rng=np.random.default_rng(number), **how)


def gamma(data: Dataset, width: float) -> float:
    """Give what the page makes of a width in per cent."""
    left, right, bottom, top = plane.bounds(data.X)
    return 1 / (2 * (width / 100 * max(right - left, top - bottom)) ** 2)


def clusters(data: Dataset, k: int, width: float) -> ndarray:
    rng = np.random.default_rng(0)
    return last(spectral_clustering(data.X, k, gamma=gamma(data, width), rng=rng)).labels


def by_k_means(data: Dataset, k: int) -> ndarray:
    return lowest_inertia(data.X, k, rng=np.random.default_rng(0), restarts=10)[1]


def wrong(labels: ndarray, data: Dataset) -> int:
    """Count the points in the wrong cluster, the clusters being named as well as they can."""
    names = permutations(range(len(data.classes)))
    return min(int(np.sum(np.array(name)[labels] != data.labels)) for name in names)


def test_around_the_bend(session: Session) -> None:
    title = "Around the bend"
    end = steps_of(session, LAB, title)[-1]
    data = session.state.board.data
    assert wrong(end.labels, data) == 0 and np.bincount(end.labels).tolist() == [100, 100]
    assert f"has {wrong(by_k_means(data, 2), data)} in the wrong half" in said(title)
    samples = (sample("moons", number, noise=0.1) for number in range(20))
    errors = [wrong(clusters(data, 2, 3), data) for data in samples]
    assert f"On {errors.count(0)} of the samples" in said(title)
    assert f"on one there are {max(errors)}" in said(title) and errors.count(0) == 19


def test_everybody_is_near(session: Session) -> None:
    title = "Everybody is near"
    end = steps_of(session, LAB, title)[-1]
    data = session.state.board.data
    count = wrong(end.labels, data)
    assert count == wrong(by_k_means(data, 2), data) and f"{count} points are in" in said(title)
    samples = [sample("moons", number, noise=0.1) for number in range(20)]
    apart = [abs(wrong(clusters(d, 2, 30), d) - wrong(by_k_means(d, 2), d)) for d in samples]
    assert f"differ by {max(apart)} at most" in said(title)
    assert all(wrong(clusters(data, 2, width), data) == 0 for width in np.arange(1, 3.6, 0.5))
    assert wrong(clusters(data, 2, 4), data) > 0 and "From 3.5 % down to 1 %" in said(title)


def test_the_eigengap(session: Session) -> None:
    title = "The eigengap"
    steps = steps_of(session, LAB, title)
    assert len(np.unique(steps[-1].labels)) == 4
    values = steps[0].eigenvalues
    assert f"from {values[3]:.3g} to {values[4]:.3g}" in said(title)
    for number in range(20):
        data = sample("blobs", number, noise=0.6, classes=4)
        assert similarity_graph(data.X, 4, gamma(data, 10)).widest_gap == 4
    moons = [sample("moons", number, noise=0.1) for number in range(20)]
    gaps = [similarity_graph(data.X, 2, gamma(data, 3)).widest_gap for data in moons]
    assert f"after {min(gaps)} to {max(gaps)} on these samples, never after 2" in said(title)


def test_large_and_small(session: Session) -> None:
    title = "Large and small"
    end = steps_of(session, LAB, title)[-1]
    data = session.state.board.data
    assert end.graph.gamma == pytest.approx(gamma(data, 5))
    assert (
        sorted(np.bincount(end.labels).tolist()) == [20, 21, 159] and wrong(end.labels, data) == 1
    )
    samples = [sample("unequal", number) for number in range(20)]
    ours = [wrong(clusters(data, 3, 5), data) for data in samples]
    theirs = [wrong(by_k_means(data, 3), data) for data in samples]
    assert max(ours) == 6 and "at most 6 are" in " ".join(said(title).split())
    told = f"never below {min(theirs)} and above 90 on {sum(count > 90 for count in theirs)} of"
    assert told in said(title)


def test_a_lonely_point(session: Session) -> None:
    title = "A lonely point"
    steps = steps_of(session, LAB, title)
    assert steps[0].graph.pieces == 2 and np.bincount(steps[-1].labels).min() == 1
    samples = [sample("outlier", number) for number in range(20)]
    pieces = [similarity_graph(data.X, 2, gamma(data, 1.5)).pieces for data in samples]
    assert set(pieces) == {2, 3} and f"on {pieces.count(3)} of them there is a third" in said(title)
    for data in samples:
        alone = clusters(data, 2, 1.5)
        assert np.count_nonzero(alone == alone[3]) == 1, "the far point is a cluster"
        assert wrong(clusters(data, 2, 3), data) <= 2
