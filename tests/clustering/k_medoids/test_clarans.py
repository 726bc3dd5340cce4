"""CLARANS, try by try, against the definition of its cost; its pictures and words."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import ndarray
from sklearn.metrics import pairwise_distances

from algorithms.clustering.k_medoids.clarans import ClaransStep, Event, clarans
from algorithms.clustering.k_medoids.k_medoids import METRICS, k_medoids
from algorithms.core.record import last
from tests.clustering.dbscan.test_dbscan import LATTICE, PRESETS
from tests.clustering.k_medoids.test_k_medoids import THEIRS, cost
from tests.core.figures import line, unpacked
from tests.core.samples import board, points_of
from tests.core.told import numbers
from tests.house.check_steps import AsInTheApp, check_steps, event_names
from viz.clustering.k_medoids.clarans import Tries
from viz.core.scene import Run


def run(X: ndarray, k: int, seed: int = 0, **how) -> list[ClaransStep]:
    return check_steps(clarans(X, k, rng=np.random.default_rng(seed), **how))


def check_tries(steps: list[ClaransStep], D: ndarray, most_failures: int) -> None:
    """Check every step against the one before, with the costs by definition."""
    failures, ends = 0, []
    for before, step in pairwise(steps):
        medoids = before.medoids.tolist()
        assert step.cost == pytest.approx(cost(D, step.medoids.tolist()))
        np.testing.assert_array_equal(step.labels, D[step.medoids].argmin(axis=0))
        if step.phase != "try":
            assert before.event == "search ends" or len(medoids) == len(D)
            ends.append(before.cost)
            failures = 0
            continue
        assert step.tried not in medoids and medoids[step.place] == step.gone
        medoids[step.place] = step.tried
        assert step.tried_cost == pytest.approx(cost(D, medoids))
        assert step.taken == (step.tried_cost < before.cost * (1 - 1e-11))
        failures = 0 if step.taken else failures + 1
        assert step.failures == failures
        assert (step.event == "search ends") == (failures == most_failures)
        assert (step.event == "swap") == step.taken
        assert step.medoids.tolist() == (medoids if step.taken else before.medoids.tolist())
    assert steps[-1].event == "all searches end" and steps[-1].cost == min(ends)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("metric", METRICS)
def test_every_try_is_priced_and_judged_as_defined(name: str, metric: str) -> None:
    X = points_of(name, 40)
    D = pairwise_distances(X, metric=THEIRS[metric])
    for k in (1, 3):
        check_tries(run(X, k, metric=metric, most_failures=20), D, 20)


@settings(max_examples=40, deadline=None)
@given(X=LATTICE, k=st.integers(1, 5), most=st.integers(1, 8), searches=st.integers(1, 3))
def test_what_holds_for_all_data(X: ndarray, k: int, most: int, searches: int) -> None:
    steps = run(X, min(k, len(X)), most_failures=most, searches=searches)
    check_tries(steps, pairwise_distances(X), most)
    assert [step.search for step in steps if step.phase == "start"] == list(range(searches))


@pytest.mark.parametrize("name", ("blobs", "unequal"))
def test_with_many_failures_allowed_it_ends_where_no_swap_helps(name: str) -> None:
    X = points_of(name, 40)
    for seed in range(2):
        end = last(clarans(X, 3, rng=np.random.default_rng(seed), most_failures=800, searches=1))
        again = list(k_medoids(X, 3, rng=np.random.default_rng(0), init=end.medoids))
        assert [step.event for step in again] == [None, "converged"], "PAM finds a swap that helps"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 4}, "k must be between 1 and n=3, got k=4"),
        ({"most_failures": 0}, "most_failures must be at least 1"),
        ({"searches": 0}, "searches must be at least 1"),
        ({"metric": "cosine"}, "metric must be one of 'euclidean'"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        clarans(**{"X": np.eye(3), "k": 2, "rng": np.random.default_rng(0)} | changes)


# Pictures and words

X = points_of("blobs")
D = pairwise_distances(X)
STEPS = run(X, 4)
PAM = list(k_medoids(X, 4, rng=np.random.default_rng(0)))


def show(X: ndarray, steps: list[ClaransStep], pam: list) -> Tries:
    return Tries(Run("", steps), board(X), Run("", pam), 50)


MODE = show(X, STEPS, PAM)


def test_the_picture_shows_what_is_tried() -> None:
    for now in (0, 1, 2, 30, len(STEPS) - 1):
        step = STEPS[now]
        figure = MODE.picture(now)
        np.testing.assert_array_equal(unpacked(figure["points"]["group"]), step.labels)
        ends = unpacked(figure["edges"]["places"]).reshape(-1, 4)
        assert np.hypot(*(ends[:, :2] - ends[:, 2:]).T).sum() == pytest.approx(step.cost, rel=1e-5)
        way, ring, centers = figure["data"]
        np.testing.assert_allclose(np.column_stack([centers["x"], centers["y"]]), X[step.medoids])
        if step.phase == "try":
            np.testing.assert_allclose(line(way), X[[step.gone, step.tried]], rtol=1e-6)
            np.testing.assert_allclose(line(ring), X[[step.tried]], rtol=1e-6)
        else:
            assert np.isnan(line(way)).all() and np.isnan(line(ring)).all()


@pytest.mark.parametrize("n", [1, 1000, 1001])
def test_up_to_1000_points_are_joined_with_their_medoids(n: int) -> None:
    X = points_of("moons", n)
    steps = run(X, 1, most_failures=5)
    scene = show(X, steps, list(k_medoids(X, 1, rng=np.random.default_rng(0))))
    assert ("edges" in scene.picture(0)) == (n <= 1000)


def test_the_costs_are_drawn_over_the_steps() -> None:
    dots, curve, level, ring = MODE.costs(7)["data"]
    path = line(curve)
    gaps = np.isnan(path[:, 1])
    np.testing.assert_allclose(path[~gaps, 1], [step.cost for step in STEPS], rtol=1e-5)
    begins = [now for now, step in enumerate(STEPS) if step.phase != "try"][1:]
    assert path[np.flatnonzero(gaps) + 1, 0].tolist() == begins
    np.testing.assert_allclose(line(level)[:, 1], PAM[-1].cost, rtol=1e-6)
    assert (ring["x"], ring["y"]) == ([7], [STEPS[7].cost])
    top = MODE.costs(7)["layout"]["yaxis"]["range"][1]
    tried = [(now, step.tried_cost) for now, step in enumerate(STEPS) if step.tried_cost <= top]
    np.testing.assert_allclose(line(dots), tried, rtol=1e-5)


def test_the_captions_recomputed() -> None:
    tries = [each for each in STEPS if each.phase == "try"]
    for now, step in enumerate(STEPS):
        first, rule = MODE.caption(now).split("\n")
        if step.phase == "start":
            expected = [[step.search + 1, 2, 4], [step.cost, PAM[-1].cost]]
        elif step.phase == "end":
            taken = sum(each.taken for each in tries)
            counts = [taken, len(tries), 784]
            expected = [[step.cost, step.search + 1], [step.cost, *counts, PAM[-1].cost]]
        else:
            before = STEPS[now - 1]
            medoids = before.medoids.tolist()
            medoids[step.place] = step.tried
            place = [*X[step.tried], step.place + 1]
            costs = [before.cost - step.cost, step.cost] if step.taken else []
            ends = [step.search + 1] if step.event == "search ends" else []
            failures = [step.failures, 50][: 1 if step.taken else 2]
            expected = [place + costs + ends, [cost(D, medoids), before.cost, *failures]]
            assert ("<" in rule) == step.taken
        for text, wanted, error in zip((first, rule), expected, (6e-3, 6e-4), strict=True):
            np.testing.assert_allclose(numbers(text), wanted, rtol=error, atol=6e-4)


@pytest.mark.parametrize("event", event_names(Event))
def test_every_event_occurs(event: str) -> None:
    assert any(step.event == event for step in STEPS)
