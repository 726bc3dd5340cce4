"""CLARANS, try by try, against the definition of its cost; its pictures and words."""

import json
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import ndarray
from sklearn.metrics import pairwise_distances

from algorithms.clustering.clarans import ClaransStep, Event, clarans
from algorithms.clustering.k_medoids import METRICS, k_medoids
from algorithms.core.record import last
from tests.clustering.test_dbscan import LATTICE, PRESETS, preset
from tests.clustering.test_k_medoids import THEIRS, cost
from tests.clustering.test_viz_dbscan import board
from tests.core.figures import drawn, line, unpacked
from tests.house.check_steps import AsInTheApp, check_steps, event_names
from viz.clustering import clarans as draw
from viz.core.scene import Run, Scene
from viz.core.words import number, vector


def run(X: ndarray, k: int, seed: int = 0, **how) -> list[ClaransStep]:
    return check_steps(clarans(X, k, rng=np.random.default_rng(seed), **how))


def check_tries(steps: list[ClaransStep], D: ndarray, most_failures: int) -> None:
    """Check every step against the one before, with the costs as the definition has them."""
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
    X = preset(name, 40)
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
    X = preset(name, 40)
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

X = preset("blobs")
D = pairwise_distances(X)
STEPS = run(X, 4)
PAM = list(k_medoids(X, 4, rng=np.random.default_rng(0)))


def show(X: ndarray, steps: list[ClaransStep], pam: list) -> Scene:
    return draw.tries(Run("", steps), board(X), Run("", pam), 50)


SCENE = show(X, STEPS, PAM)


@pytest.mark.parametrize(("n", "k"), [(200, 1), (1, 1), (3, 3), (1001, 2)])
def test_every_step_has_the_same_traces(n: int, k: int) -> None:
    X = preset("moons", n)
    steps = run(X, k, most_failures=5)
    scene = show(X, steps, list(k_medoids(X, k, rng=np.random.default_rng(0))))
    for now in range(len(steps)):
        for figure in drawn(scene, now):
            json.dumps(figure, allow_nan=False)
        assert not re.search(r"\b(nan|inf)\b", scene.caption(now))
    assert ("edges" in drawn(scene, 0)[0]) == (n <= 1000)


def test_the_picture_shows_what_is_tried() -> None:
    for now in (0, 1, 2, 30, len(STEPS) - 1):
        step = STEPS[now]
        figure = drawn(SCENE, now)[0]
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


def test_the_costs_are_drawn_over_the_steps() -> None:
    dots, curve, level, ring = drawn(SCENE, 7)[1]["data"]
    np.testing.assert_allclose(line(curve)[:, 1], [step.cost for step in STEPS], rtol=1e-5)
    np.testing.assert_allclose(line(level)[:, 1], PAM[-1].cost, rtol=1e-6)
    assert (ring["x"], ring["y"]) == ([7], [STEPS[7].cost])
    top = drawn(SCENE, 7)[1]["layout"]["yaxis"]["range"][1]
    tried = [(now, step.tried_cost) for now, step in enumerate(STEPS) if step.tried_cost <= top]
    np.testing.assert_allclose(line(dots), tried, rtol=1e-5)


def test_the_captions() -> None:
    seen = set()
    for now, step in enumerate(STEPS):
        first, rule = SCENE.caption(now).split("\n")
        seen.add((step.phase, step.taken))
        if step.phase == "start":
            assert first.startswith(f"Search {step.search + 1} of 2 starts from 4 medoids")
            assert f"= {number(step.cost, 4)}. PAM ends at {number(PAM[-1].cost, 4)}." in rule
        elif step.phase == "end":
            assert f"the lowest cost is {number(step.cost, 4)}, of search " in first
            tries = [each for each in STEPS if each.phase == "try"]
            taken = sum(each.taken for each in tries)
            assert f"Of {len(tries)} swaps that were tried {taken} lowered the cost." in rule
            assert "k (n − k) = 784 swaps" in rule
        else:
            before = STEPS[now - 1]
            medoids = before.medoids.tolist()
            medoids[step.place] = step.tried
            priced = number(cost(D, medoids), 4)
            sign = "<" if step.taken else "≥"
            assert f"other medoid)) = {priced} {sign} {number(before.cost, 4)}." in rule
            assert f"The point {vector(X[step.tried])} " in first
            assert ("refused." in first) != step.taken
            assert f"Failures in a row: {step.failures}" in rule
    assert seen == {("start", False), ("try", False), ("try", True), ("end", False)}


@pytest.mark.parametrize("event", event_names(Event))
def test_every_event_has_its_words(event: str) -> None:
    wanted = {
        "swap": "takes the place of medoid",
        "search ends": "ends here.",
        "all searches end": "All searches have ended",
    }[event]
    found = [now for now, step in enumerate(STEPS) if step.event == event]
    assert found and all(wanted in SCENE.caption(now) for now in found)
