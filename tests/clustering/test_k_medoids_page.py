"""What the lesson of k-medoids says of its experiments."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.clara import ClaraStep, clara
from algorithms.clustering.clarans import clarans
from algorithms.clustering.k_means import k_means
from algorithms.clustering.k_medoids import k_medoids
from algorithms.clustering.restarts import lowest_inertia
from algorithms.core.record import last
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.clustering.test_dbscan import preset
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of

(LAB,) = [lab for lab in LABS if lab.name == "k_medoids"]
FAR = 3  # the point that the preset "outlier" has far from the others
SQUARED = "squared euclidean"


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def said(title: str) -> str:
    return experiment_of(LAB, title).answer


def outlier(sample: int) -> ndarray:
    return preset("outlier", 60, sample)


def medoids(X: ndarray, k: int, metric: str = "euclidean") -> ndarray:
    return last(k_medoids(X, k, rng=np.random.default_rng(0), metric=metric)).places


def means(X: ndarray, k: int) -> ndarray:
    return lowest_inertia(X, k, rng=np.random.default_rng(0), restarts=10)[0]


def moved(before: ndarray, after: ndarray) -> float:
    """Give how far the centre went that moved farthest; two centres have no order."""
    ways = [np.hypot(*(before - after[order]).T).max() for order in ([0, 1], [1, 0])]
    return float(min(ways))


def test_one_far_point(session: Session) -> None:
    title = "One far point"
    end = steps_of(session, LAB, title)[-1]
    X = session.state.board.data.X
    assert X[FAR].tolist() == [3.0, -2.8]
    without = np.delete(X, FAR, axis=0)
    assert moved(medoids(without, 2), end.places) == 0
    assert f"the mean moves by {moved(means(without, 2), means(X, 2)):.2f}" in said(title)
    shifts = [
        moved(medoids(np.delete(X, FAR, axis=0), 2), medoids(X, 2)) for X in map(outlier, range(20))
    ]
    assert max(shifts) < 0.2 and "no medoid moves by more than 0.2" in said(title)
    assert f"on {sum(shift == 0 for shift in shifts)} of them none moves" in said(title)
    for X in map(outlier, range(20)):
        end = last(k_medoids(X, 3, rng=np.random.default_rng(0)))
        assert FAR in end.medoids and 1 in np.bincount(end.labels)


def test_the_same_squared(session: Session) -> None:
    title = "The same, squared"
    end = steps_of(session, LAB, title)[-1]
    assert FAR in end.medoids and sorted(np.bincount(end.labels)) == [1, 59]
    plain = steps_of(session, LAB, title, metric="euclidean")[-1]
    assert FAR not in plain.medoids
    own = {
        metric: sum([3.0, -2.8] in medoids(X, 2, metric).tolist() for X in map(outlier, range(20)))
        for metric in (SQUARED, "euclidean")
    }
    assert f"on {own[SQUARED]} of the samples 0 to 19" in said(title)
    assert own["euclidean"] == 0 and "with plain distances on none" in said(title)


def test_a_bad_start(session: Session) -> None:
    title = "A bad start"
    steps = steps_of(session, LAB, title)
    data = session.state.board.data
    shared = [np.bincount(data.labels[steps[0].labels == j], minlength=4) for j in range(4)]
    alone = np.array(shared)[[0, 1]].sum(axis=0)
    assert sorted(alone.tolist()) == [0, 0, 0, 50], "two medoids share one cluster"
    assert all((after > 0).sum() == 1 for after in clusters(steps[1].labels, data.labels))
    fall = f"from {steps[0].cost:.0f} to {steps[1].cost:.0f}"
    assert fall in said(title)
    assert f"The end is {steps[-1].cost:.1f}" in said(title)
    failed = 0
    for seed in range(100):
        end = last(k_medoids(data.X, 4, rng=np.random.default_rng(seed), init="random"))
        assert end.cost == pytest.approx(steps[-1].cost)
        rival = last(k_means(data.X, 4, rng=np.random.default_rng(seed), init="random"))
        failed += rival.inertia > 1.5 * lowest_inertia_of(data.X)
    assert f"with {failed} of these seeds" in said(title)


def clusters(labels: ndarray, classes: ndarray) -> list[ndarray]:
    return [np.bincount(classes[labels == j], minlength=4) for j in range(4)]


def lowest_inertia_of(X: ndarray) -> float:
    return lowest_inertia(X, 4, rng=np.random.default_rng(0), restarts=10)[2]


def test_no_swap_helps(session: Session) -> None:
    title = "No swap helps"
    end = steps_of(session, LAB, title)[-1]
    X = session.state.board.data.X
    D = cdist(X, X)
    costs = [D[list(pair)].min(axis=0).sum() for pair in combinations(range(40), 2)]
    best = min(costs)
    assert f"a cost of {end.cost:.1f}" in experiment_of(LAB, title).question
    assert f"the best of all {len(costs)} pairs costs {best:.1f}" in said(title)
    found = [
        last(k_medoids(X, 2, rng=np.random.default_rng(seed), init="random")).cost
        for seed in range(20)
    ]
    assert f"With {sum(cost < best + 1e-9 for cost in found)} of the seeds 0 to 19" in said(title)
    (pair,) = (p for p in combinations(range(40), 2) if D[list(p)].min(axis=0).sum() == best)
    assert not set(pair) & set(end.medoids.tolist()), "both would have to change"


def test_by_chance(session: Session) -> None:
    title = "By chance"
    steps = steps_of(session, LAB, title)
    X = session.state.board.data.X
    pam = last(k_medoids(X, 4, rng=np.random.default_rng(0))).cost
    assert f"ends at {pam:.1f}" in experiment_of(LAB, title).question
    few, many = steps, steps_of(session, LAB, title, failures="250")
    tries = [sum(step.phase == "try" for step in each) for each in (few, many)]
    above = [100 * (each[-1].cost / pam - 1) for each in (few, many)]
    answer = " ".join(said(title).split())
    assert f"ends at {few[-1].cost:.0f}, {above[0]:.0f} % above, after {tries[0]} tries" in answer
    assert f"takes {tries[1]:,} tries and ends {above[1]:.2f} % above" in answer
    near = [
        sum(
            last(clarans(X, 4, rng=np.random.default_rng(seed), most_failures=most)).cost
            < 1.01 * pam
            for seed in range(20)
        )
        for most in (50, 250)
    ]
    assert near[1] == 20 and f"and {near[0]} with 50 failures" in answer


def test_chosen_by_a_few(session: Session) -> None:
    title = "Chosen by a few"
    steps = steps_of(session, LAB, title)
    X = session.state.board.data.X
    pam = last(k_medoids(X, 4, rng=np.random.default_rng(0))).cost
    first, end = steps[0], steps[-1]
    far = cdist(X, X)[first.medoids].min(axis=0)
    assert len(first.sample) == 12 and len(steps) == 6
    words = f"the mean distance of the 12 is {far[first.sample].mean():.2f}."
    assert words in experiment_of(LAB, title).question
    assert said(title).startswith(f"{far.mean():.2f}: ")
    many = steps_of(session, LAB, title, size="48")[-1]
    ends = [100 * (each.cost / pam - 1) for each in (end, many)]
    assert f"costs {end.cost:.1f}, {ends[0]:.0f} % above" in said(title)
    assert len(many.sample) == 48 and f"it is {ends[1]:.0f} %." in said(title)

    def runs(size: int) -> list[list[ClaraStep]]:
        return [list(clara(X, 4, rng=np.random.default_rng(i), size=size)) for i in range(20)]

    few, usual = runs(12), runs(48)
    # Between swaps that are as good as each other rounding decides: the others may differ.
    high, most = (max(100 * (run[-1].cost / pam - 1) for run in each) for each in (few, usual))
    assert f"it is up to {high:.0f} % with 12 points" in said(title)
    assert 3 < most < 5 and "below 5 % with 48" in said(title)
    judged = [step for run in few + usual for step in run[:-1]]
    hopeful = [step.sample_cost / len(step.sample) < step.cost / len(X) for step in judged]
    assert np.mean(hopeful) > 0.9 and "mostly too low" in " ".join(LAB.texts["Maths"].split())
