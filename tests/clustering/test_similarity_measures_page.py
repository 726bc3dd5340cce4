"""What the lesson of similarity measures says of its experiments."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.binary_measures import BinaryStep
from algorithms.clustering.similarity_measures import NeighborStep
from algorithms.data.baskets import BASKETS
from algorithms.data.presets import DATASETS, Dataset
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of
from viz.core import plane

(LAB,) = [lab for lab in LABS if lab.name == "similarity_measures"]
K, SAMPLES = 10, range(20)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def said(title: str) -> str:
    return experiment_of(LAB, title).answer


def sample(name: str, number: int, n: int, noise: float) -> Dataset:
    return DATASETS[name].make(n, noise=noise, rng=np.random.default_rng(number))


def met(steps: Sequence[NeighborStep]) -> list[int]:
    assert len(steps) == K
    return [step.newest for step in steps]


def nearest(distances: ndarray) -> list[int]:
    return np.argsort(distances, kind="stable")[:K].tolist()


def first_query(X: ndarray) -> ndarray:
    left, right, bottom, top = plane.bounds(X)
    return np.array([0.3 * left + 0.7 * right, 0.3 * bottom + 0.7 * top])


def star(A: ndarray, B: ndarray) -> ndarray:
    return cdist(A, B, "minkowski", p=0.5)


def shorter_ways(X: ndarray, query: ndarray) -> int:
    """Count the neighbours with a way round that is shorter, for p = 0.5."""
    D, apart = star(query[None], X)[0], star(X, X)
    return sum((D + apart[:, i]).min() < (1 - 1e-9) * D[i] for i in nearest(D))


def test_a_star(session: Session) -> None:
    title = "A star"
    steps = steps_of(session, LAB, title)
    X = session.state.board.data.X
    now = next(now for now, step in enumerate(steps) if step.event == "a way round is shorter")
    step, query = steps[now], first_query(X)
    straight, by = star(query[None], X[[step.newest]])[0, 0], X[step.via]
    around = star(query[None], by[None])[0, 0] + star(by[None], X[[step.newest]])[0, 0]
    place = f"({by[0]:.3f}, {by[1]:.3f})"
    words = f"To neighbour {now + 1} it is {straight:.3g} straight on, but {around:.3g} by way of"
    assert f"{words} {place}:" in said(title)
    assert f"so for {shorter_ways(X, query)} of the 10 neighbours" in said(title)
    counts = []
    for number in SAMPLES:
        X = sample("stretched", number, 60, 0.25).X
        counts.append(shorter_ways(X, first_query(X)))
    assert f"for {min(counts)} to {max(counts)} of them on the samples 0 to 19" in said(title)
    for p in ("1", "2", "10"):
        assert not any(step.shorter for step in steps_of(session, LAB, title, p=p))


def by_direction(data: Dataset) -> tuple[int, list[int], ndarray]:
    """Count those on the inner ring, by direction; by distance; and give the ranks by distance."""
    query = np.array([[1.0, 0.0]])
    angles, far = cdist(query, data.X, "cosine")[0], cdist(query, data.X)[0]
    inner = [int((data.labels[nearest(D)] == 0).sum()) for D in (angles, far)]
    outer = [i for i in nearest(angles) if data.labels[i] == 1]
    return inner[0], inner, np.argsort(np.argsort(far))[outer] + 1


def test_direction_alone(session: Session) -> None:
    title = "Direction alone"
    steps = steps_of(session, LAB, title)
    data = session.state.board.data
    count, inner, ranks = by_direction(data)
    assert inner == [count, K] and (data.labels[met(steps)] == 0).sum() == count
    assert said(title).startswith(f"{count}. ") and f"the other {K - count} are on" in said(title)
    assert f"the nearest is number {ranks.min()} by ordinary distance" in said(title)
    counts = [by_direction(sample("circles", number, 200, 0.05))[1] for number in SAMPLES]
    assert {far for _, far in counts} == {K}
    low, high = (pick(near for near, _ in counts) for pick in (min, max))
    assert f"it is {low} to {high} by direction, and always ten by distance" in said(title)
    far = steps_of(session, LAB, title, measure="Minkowski", p="2")
    assert (data.labels[met(far)] == 0).all()


def test_a_thousand_times_larger(session: Session) -> None:
    title = "A thousand times larger"
    thin = met(steps_of(session, LAB, title))
    usual = met(steps_of(session, LAB, title, unit="1"))
    assert said(title).startswith(f"{len(set(thin) & set(usual))}, for y alone decides")
    X = session.state.board.data.X
    assert thin == nearest(np.abs(X - first_query(X))[:, 1]), "y alone"
    steps = [
        steps_of(session, LAB, title, unit=unit, measure="Mahalanobis") for unit in ("1000", "1")
    ]
    assert met(steps[0]) == met(steps[1]) and "By Mahalanobis all ten stay" in said(title)
    counts = []
    for number in SAMPLES:
        X = sample("stretched", number, 60, 0.25).X
        away = X - first_query(X)
        plain, larger = (set(nearest(np.hypot(*(away * [1, y]).T))) for y in (1, 1000))
        counts.append(len(plain & larger))
    assert f"it is {min(counts)} to {max(counts)} by ordinary distance" in said(title)


def along(X: ndarray) -> tuple[int, int]:
    """Compare Mahalanobis with the ruler: how many are shared, and the farthest rank."""
    query = np.array([[0.0, 0.3]])
    ours = nearest(cdist(query, X, "mahalanobis", VI=np.linalg.inv(np.cov(X.T)))[0])
    far = cdist(query, X)[0]
    ranks = np.argsort(np.argsort(far))[ours] + 1
    return int((ranks <= K).sum()), int(ranks.max())


def test_along_the_cloud(session: Session) -> None:
    title = "Along the cloud"
    steps = steps_of(session, LAB, title)
    X = session.state.board.data.X
    shared, last = along(X)
    assert steps[-1].shared == shared and said(title).startswith(f"Only {shared} are.")
    assert f"number {last} by the ruler" in said(title)
    assert max(step.other_ranks[step.newest] + 1 for step in steps) == last
    found = np.array([along(sample("line", number, 60, 0.3).X) for number in SAMPLES])
    (low, first), (high, end) = found.min(axis=0), found.max(axis=0)
    assert f"it is {low} to {high} of ten" in said(title)
    assert f"the farthest is number {first} to {end} by the ruler" in said(title)


def test_no_covariance(session: Session) -> None:
    title = "No covariance"
    steps_of(session, LAB, title)
    X = session.state.board.data.X
    assert np.linalg.matrix_rank(X - X.mean(axis=0), tol=1e-9) == 1
    rows = session.figure(0, 1)["layout"]["yaxis"]["ticktext"]
    assert not any("Mahalanobis" in text for text in rows) and len(rows) == 5
    for measure in ("Chebyshev", "cosine"):
        assert met(steps_of(session, LAB, title, measure=measure))
    session.set("selectbox", "measure", "Mahalanobis")
    assert "its covariance matrix has no inverse" in session.stage["error"]
    assert said(title).startswith("Mahalanobis, and the page says why.")


def test_nothing_in_common(session: Session) -> None:
    title = "Nothing in common"
    table, names = BASKETS.bought, BASKETS.shoppers
    tea, beer = (BASKETS.goods.index(good) for good in ("tea", "beer"))
    gus, hal, eli = map(names.index, ("Gus", "Hal", "Eli"))
    assert np.flatnonzero(table[gus]).tolist() == [tea]
    assert np.flatnonzero(table[hal]).tolist() == [beer]

    def end(**changes: str) -> BinaryStep:
        step = steps_of(session, LAB, title, **changes)[-1]
        assert step.row == gus
        return step

    matching = end()
    assert matching.nearest == hal and matching.by[hal] == 0.2
    assert not (table[gus] | table[hal])[[i for i in range(10) if i not in (tea, beer)]].any()
    jaccard = end(binary="Jaccard")
    assert jaccard.nearest == eli and jaccard.by[eli] == 0.75 and table[eli, tea]
    assert jaccard.by[hal] == 1 == jaccard.by.max()
    np.testing.assert_array_equal(jaccard.by == 1, ~table[:, tea])
    assert said(title).startswith("Hal, at 0.2, ") and said(title).endswith("at 0.75.")
