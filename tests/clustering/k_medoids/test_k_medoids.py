"""PAM against its definition, on presets and on data of any kind."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import ndarray
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances, pairwise_distances_argmin_min

from algorithms.clustering.k_medoids._medoid_costs import costs_of_adding, costs_of_swapping
from algorithms.clustering.k_medoids.k_medoids import (
    METRICS,
    KMedoidsStep,
    affordable_swaps,
    k_medoids,
    swapping,
)
from algorithms.core.record import last
from tests.clustering.dbscan.test_dbscan import LATTICE, PRESETS
from tests.core.samples import points_of, rng
from tests.core.told import numbers
from tests.house.check_steps import AsInTheApp, check_steps, measured
from tests.house.checked import Checked
from viz.clustering.k_medoids.marks import few_swaps

THEIRS = {"euclidean": "euclidean", "manhattan": "manhattan", "squared euclidean": "sqeuclidean"}


def cost(D: ndarray, medoids: list[int]) -> float:
    return float(D[medoids].min(axis=0).sum())


def by_definition(D: ndarray, k: int, medoids: list[int]) -> list[list[int]]:
    """Run PAM as in the textbook, one candidate after the other; return its medoids."""
    n, chosen = len(D), [list(medoids)] if medoids else []
    while len(medoids) < k:
        free = [c for c in range(n) if c not in medoids]
        medoids = [*medoids, min(free, key=lambda c: cost(D, [*medoids, c]))]
        chosen.append(medoids)
    while True:
        swaps = [
            [*medoids[:j], c, *medoids[j + 1 :]]
            for j in range(k)
            for c in range(n)
            if c not in medoids
        ]
        best = min(swaps, key=lambda swap: cost(D, swap), default=medoids)
        if cost(D, best) >= cost(D, medoids) * (1 - 1e-11):
            return chosen
        medoids = best
        chosen.append(medoids)


TEXTBOOK = Checked(
    "k_medoids",
    "PAM as the textbook has it, one candidate after the other, every medoid of every step",
    72,
    "runs",
)
assert TEXTBOOK.cases == 4 * len(PRESETS) * len(METRICS)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("metric", METRICS)
def test_every_choice_is_that_of_the_textbook(name: str, metric: str) -> None:
    X = points_of(name, 30)
    D = pairwise_distances(X, metric=THEIRS[metric])
    for k in (1, 3):
        for init in (None, "random"):
            steps = check_steps(k_medoids(X, k, rng=rng(1), init=init, metric=metric))
            start = [] if init is None else steps[0].medoids.tolist()
            chosen = by_definition(D, k, start)
            assert [step.medoids.tolist() for step in steps] == [*chosen, chosen[-1]]


SCIKIT_LEARN = Checked(
    "k_medoids",
    "scikit-learn's nearest of the medoids, for labels, distances and cost of every step",
    18,
    "runs on 200 points",
    within=1e-6,
)
assert SCIKIT_LEARN.cases == len(PRESETS) * len(METRICS)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("metric", METRICS)
def test_labels_and_cost_are_those_of_scikit_learn(name: str, metric: str) -> None:
    X = points_of(name)
    for step in k_medoids(X, 4, rng=rng(), metric=metric):
        places = X[step.medoids]
        labels, nearest = pairwise_distances_argmin_min(X, places, metric=THEIRS[metric])
        np.testing.assert_array_equal(step.labels, labels)
        np.testing.assert_allclose(step.distances, nearest, rtol=0, atol=SCIKIT_LEARN.within)
        assert step.cost == pytest.approx(nearest.sum())
        np.testing.assert_array_equal(step.places, places)
        np.testing.assert_array_equal(step.predict(X), labels)


@pytest.mark.parametrize("metric", METRICS)
def test_what_every_option_would_cost(metric: str) -> None:
    X = points_of("unequal", 40)
    D = pairwise_distances(X, metric=THEIRS[metric])
    before: list[int] = []
    for step in k_medoids(X, 3, rng=rng(), metric=metric):
        if step.phase == "build":
            options = [[[*before, c] for c in range(40)]]
        else:
            options = [
                [[*before[:j], c, *before[j + 1 :]] for c in range(40)] for j in range(len(before))
            ]
        expected = [[cost(D, option) for option in row] for row in options]
        np.testing.assert_allclose(step.costs, expected)
        if step.taken >= 0:
            row = step.place if step.phase == "swap" else 0
            assert step.cost == pytest.approx(step.costs[row, step.taken])
        before = step.medoids.tolist()


@pytest.mark.parametrize("k", [1, 2, 7])
def test_the_rule_that_is_shown_gives_the_costs_that_are_computed(k: int) -> None:
    for name in ("unequal", "moons", "outlier"):
        X = points_of(name, 40)
        D, medoids = cdist(X, X), rng(k).choice(40, k, replace=False)
        tuned = costs_of_swapping(X, D[medoids], "euclidean")
        np.testing.assert_allclose(swapping(D, medoids), tuned, rtol=1e-12)


def test_distances_in_blocks_are_no_different(monkeypatch: pytest.MonkeyPatch) -> None:
    X = points_of("moons")
    to_medoids = cdist(X[:3], X)
    whole = costs_of_adding(X, to_medoids[0], "euclidean")
    swaps = costs_of_swapping(X, to_medoids, "euclidean")
    monkeypatch.setattr("algorithms.clustering.k_medoids._medoid_costs.BLOCK", 1100)
    np.testing.assert_allclose(costs_of_adding(X, to_medoids[0], "euclidean"), whole)
    np.testing.assert_allclose(costs_of_swapping(X, to_medoids, "euclidean"), swaps)


def test_of_many_points_few_swaps_are_taken_and_the_page_says_so() -> None:
    assert [affordable_swaps(n) for n in (1, 1000, 5000)] == [100, 100, 8]
    assert few_swaps(1000) == []
    (said,) = few_swaps(5000)
    assert numbers(said) == [5000, 8]


@settings(max_examples=60, deadline=None)
@given(
    X=LATTICE,
    k=st.integers(1, 5),
    metric=st.sampled_from(METRICS),
    seed=st.integers(0, 9),
    random=st.booleans(),
)
def test_what_holds_for_all_data(X: ndarray, k: int, metric: str, seed: int, random: bool) -> None:
    k = min(k, len(X))
    init = "random" if random else None
    steps = check_steps(k_medoids(X, k, rng=rng(seed), init=init, metric=metric))
    for before, after in pairwise(steps):
        assert after.cost <= before.cost, "the cost rises"
        if after.gone >= 0:
            assert after.cost < before.cost, "a swap that is of no use"
            assert before.medoids[after.place] == after.gone
            assert after.medoids[after.place] == after.taken
            assert after.taken not in before.medoids
    for step in steps:
        assert len(set(step.medoids.tolist())) == len(step.medoids)
    end = steps[-1]
    assert (end.event, end.taken, len(end.medoids)) == ("converged", -1, k)
    D = pairwise_distances(X, metric=THEIRS[metric])
    best = cost(D, end.medoids.tolist()) * (1 - 1e-10)
    for j in range(k):
        others = np.delete(end.medoids, j).tolist()
        assert all(cost(D, [*others, c]) >= best for c in range(len(X)))


def test_worked_by_hand() -> None:
    """Five points on a line: BUILD takes 2, then 10; then 1 comes in the place of 2."""
    X = np.array([[0.0], [1.0], [2.0], [10.0], [11.5]])
    steps = list(k_medoids(X, 2, rng=rng()))
    assert [step.phase for step in steps] == ["build", "build", "swap", "swap"]
    assert [step.medoids.tolist() for step in steps] == [[2], [2, 3], [1, 3], [1, 3]]
    assert [step.cost for step in steps] == [20.5, 4.5, 3.5, 3.5]
    np.testing.assert_allclose(steps[0].costs, [[24.5, 21.5, 20.5, 28.5, 33.0]])
    np.testing.assert_allclose(
        steps[2].costs, [[4.5, 3.5, 4.5, 28.5, 27.0], [18.5, 18.5, 20.5, 4.5, 4.5]]
    )
    assert [step.event for step in steps] == [None, "built", None, "converged"]
    assert [step.gone for step in steps] == [-1, -1, 2, -1]


def test_the_notes_count_the_swaps() -> None:
    """A step looks at k (n - 1) swaps, says CS725 13.4; k (k - 1) of them are among the medoids."""
    X, k = points_of("blobs"), 4
    step = last(k_medoids(X, k, rng=rng()))
    n = len(X)
    real = np.delete(step.costs, step.medoids, axis=1)
    assert real.size == k * (n - k) == k * (n - 1) - k * (k - 1)
    assert (real >= step.cost).all()


@pytest.mark.parametrize("name", ("blobs", "unequal", "moons"))
def test_never_below_the_best_of_all_choices(name: str) -> None:
    X = points_of(name, 24)
    D = cdist(X, X)
    best = min(cost(D, list(choice)) for choice in combinations(range(24), 3))
    end = last(k_medoids(X, 3, rng=rng()))
    assert best <= end.cost * (1 + 1e-12) <= 1.1 * best


@pytest.mark.parametrize("factor", [2.0**-40, 0.125, 2.0**30])
def test_the_unit_of_the_data_plays_no_part(factor: float) -> None:
    X = points_of("unequal")
    ours, scaled = list(k_medoids(X, 3, rng=rng())), list(k_medoids(factor * X, 3, rng=rng()))
    assert [step.medoids.tolist() for step in ours] == [step.medoids.tolist() for step in scaled]
    np.testing.assert_array_equal(ours[-1].cost * factor, scaled[-1].cost)


def test_given_medoids_and_the_end_of_the_swaps_allowed() -> None:
    X = points_of("blobs")
    steps = list(k_medoids(X, 3, rng=rng(), init=np.array([0, 3, 6]), max_iter=1))
    assert steps[0].medoids.tolist() == [0, 3, 6]
    assert [(step.phase, step.event) for step in steps] == [
        ("start", None),
        ("swap", "stopped at max_iter"),
    ]


def test_every_point_may_be_a_medoid() -> None:
    X = points_of("blobs", 5)
    end = last(k_medoids(X, 5, rng=rng()))
    assert (end.cost, end.event, sorted(end.medoids.tolist())) == (0, "converged", list(range(5)))


def test_many_points_take_little_memory() -> None:
    X = points_of("blobs", 2500)
    steps, size = measured(lambda: list(k_medoids(X, 3, rng=rng())))
    assert isinstance(steps[-1], KMedoidsStep) and steps[-1].event == "converged"
    assert size < 5_000_000


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 0}, "k must be between 1 and n=3, got k=0"),
        ({"k": 4}, "k must be between 1 and n=3, got k=4"),
        ({"init": "k-means++"}, "init must be one of 'random'"),
        ({"init": [0, 0]}, "init must name k=2 different points by their indices, 0 to 2"),
        ({"init": [0, 3]}, "init must name k=2 different points"),
        ({"init": [-1, 0]}, "init must name k=2 different points"),
        ({"init": [0]}, "init must name k=2 different points"),
        ({"init": [0.0, 1.0]}, "init must name k=2 different points"),
        ({"metric": "cosine"}, "metric must be one of 'euclidean'"),
        ({"max_iter": 0}, "max_iter must be at least 1"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        k_medoids(**{"X": np.eye(3), "k": 2, "rng": rng()} | changes)
