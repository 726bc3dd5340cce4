"""What the lesson of similarity measures says of its experiments."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.similarity_measures.similarity_measures import NeighborStep
from algorithms.data.baskets import BASKETS
from algorithms.data.presets import Dataset
from tests.core.samples import dataset
from tests.house.claims import Numbers, Trial, claims_test

K, SAMPLES = 10, range(20)
QUERY = np.array([1.079, 1.15])  # in the links


def sample(name: str, number: int, n: int, noise: float) -> Dataset:
    return dataset(name, n, sample=number, noise=noise)


def met(steps: Sequence[NeighborStep]) -> list[int]:
    assert len(steps) == K
    return [step.newest for step in steps]


def nearest(distances: ndarray) -> list[int]:
    return np.argsort(distances, kind="stable")[:K].tolist()


def star(A: ndarray, B: ndarray) -> ndarray:
    return cdist(A, B, "minkowski", p=0.5)


def shorter_ways(X: ndarray, query: ndarray) -> int:
    """Count the neighbours to which a detour is shorter, for p = 0.5."""
    D, apart = star(query[None], X)[0], star(X, X)
    return sum((D + apart[:, i]).min() < (1 - 1e-9) * D[i] for i in nearest(D))


def a_star(trial: Trial) -> Numbers:
    steps, X = trial.steps(), trial.data.X
    now = next(now for now, step in enumerate(steps) if step.event == "a way round is shorter")
    step, query = steps[now], QUERY
    straight, by = star(query[None], X[[step.newest]])[0, 0], X[step.via]
    around = star(query[None], by[None])[0, 0] + star(by[None], X[[step.newest]])[0, 0]
    samples = (sample("stretched", number, 60, 0.25).X for number in SAMPLES)
    counts = [shorter_ways(X, QUERY) for X in samples]
    for p in ("1", "2", "10"):
        assert not any(step.shorter for step in trial.steps(p=p))
    rank = nearest(star(query[None], X)[0]).index(step.via) + 1
    here = [now + 1, straight, around, rank, shorter_ways(X, query), K]
    return [*here, min(counts), max(counts), SAMPLES, 1]


def by_direction(data: Dataset) -> tuple[int, list[int], ndarray]:
    """Count neighbours on the inner ring, by direction and distance; return distance ranks."""
    query = np.array([[1.0, 0.0]])
    angles, far = cdist(query, data.X, "cosine")[0], cdist(query, data.X)[0]
    inner = [int((data.labels[nearest(D)] == 0).sum()) for D in (angles, far)]
    outer = [i for i in nearest(angles) if data.labels[i] == 1]
    return inner[0], inner, np.argsort(np.argsort(far))[outer] + 1


def direction_alone(trial: Trial) -> Numbers:
    steps, data = trial.steps(), trial.data
    count, inner, ranks = by_direction(data)
    assert inner == [count, K] and (data.labels[met(steps)] == 0).sum() == count
    counts = [by_direction(sample("circles", number, 200, 0.05))[1] for number in SAMPLES]
    assert {far for _, far in counts} == {K}
    low, high = (pick(near for near, _ in counts) for pick in (min, max))
    assert (data.labels[met(trial.steps(measure="Minkowski", p="2"))] == 0).all()
    return [count, K - count, ranks.min(), SAMPLES, low, high]


def a_thousand_times(trial: Trial) -> Numbers:
    thin, usual = met(trial.steps()), met(trial.steps(unit="1"))
    X = trial.data.X
    assert thin == nearest(np.abs(X - QUERY)[:, 1]), "y alone"
    ways = []
    for unit in ("1000", "1"):
        trial.steps(unit=unit)
        trial.session.set("selectbox", "measure", "Mahalanobis")
        assert trial.session.run_shown
        ways.append(met(trial.session.run_shown.steps))
    assert ways[0] == ways[1]
    counts = []
    for number in SAMPLES:
        X = sample("stretched", number, 60, 0.25).X
        away = X - QUERY
        plain, larger = (set(nearest(np.hypot(*(away * [1, y]).T))) for y in (1, 1000))
        counts.append(len(plain & larger))
    return [len(set(thin) & set(usual)), SAMPLES, min(counts), max(counts)]


def along(X: ndarray) -> tuple[int, int]:
    """Compare Mahalanobis with the Euclidean distance: shared neighbours, and the farthest rank."""
    query = np.array([[0.0, 0.3]])
    ours = nearest(cdist(query, X, "mahalanobis", VI=np.linalg.inv(np.cov(X.T)))[0])
    far = cdist(query, X)[0]
    ranks = np.argsort(np.argsort(far))[ours] + 1
    return int((ranks <= K).sum()), int(ranks.max())


def along_the_cloud(trial: Trial) -> Numbers:
    steps = trial.steps()
    shared, last = along(trial.data.X)
    assert steps[-1].shared == shared
    assert max(step.other_ranks[step.newest] + 1 for step in steps) == last
    found = np.array([along(sample("line", number, 60, 0.3).X) for number in SAMPLES])
    (low, first), (high, end) = found.min(axis=0), found.max(axis=0)
    return [shared, last, SAMPLES, low, high, first, end]


def no_covariance(trial: Trial) -> Numbers:
    trial.steps()
    X = trial.data.X
    assert np.linalg.matrix_rank(X - X.mean(axis=0), tol=1e-9) == 1
    rows = trial.session.figure(0, 1)["layout"]["yaxis"]["ticktext"]
    assert not any("Mahalanobis" in text for text in rows) and len(rows) == 5
    for measure in ("Chebyshev", "cosine"):
        assert met(trial.steps(measure=measure, k="10"))
    trial.session.set("selectbox", "measure", "Mahalanobis")
    assert "its covariance matrix has no inverse" in trial.session.stage["error"]
    return []


def nothing_in_common(trial: Trial) -> Numbers:
    table, names = BASKETS.bought, BASKETS.shoppers
    tea, beer = (BASKETS.goods.index(good) for good in ("tea", "beer"))
    gus, hal, eli = map(names.index, ("Gus", "Hal", "Eli"))
    assert np.flatnonzero(table[gus]).tolist() == [tea]
    assert np.flatnonzero(table[hal]).tolist() == [beer]
    matching, jaccard = trial.steps()[-1], trial.steps(binary="Jaccard")[-1]
    assert matching.row == jaccard.row == gus
    assert matching.nearest == hal and jaccard.nearest == eli and table[eli, tea]
    neither = int((~table[gus] & ~table[hal]).sum())
    assert jaccard.by[hal] == jaccard.by.max()
    np.testing.assert_array_equal(jaccard.by == 1, ~table[:, tea])
    return [matching.by[hal], neither, jaccard.by[hal], jaccard.by[eli]]


test_the_answers = claims_test(
    "similarity_measures",
    {
        "A star": a_star,
        "Direction alone": direction_alone,
        "A thousand times larger": a_thousand_times,
        "Along the cloud": along_the_cloud,
        "No covariance": no_covariance,
        "Nothing in common": nothing_in_common,
    },
)
