"""The pictures and words of k-medoids, recomputed from the data."""

import json
import re

import numpy as np
import pytest
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.k_medoids import Event, KMedoidsStep, k_medoids
from algorithms.clustering.restarts import lowest_inertia
from tests.clustering.test_dbscan import preset
from tests.clustering.test_viz_dbscan import board
from tests.core.figures import drawn, line, places, unpacked
from tests.house.check_steps import event_names
from viz.clustering import k_medoids as draw
from viz.core.scene import Run, Scene
from viz.core.words import added, number, vector

X = preset("blobs")
D = cdist(X, X)
QUERY = np.array([0.3, -0.2])
PICKED = int(np.square(X - QUERY).sum(axis=1).argmin())


def run(X: ndarray, k: int, **how) -> list[KMedoidsStep]:
    return list(k_medoids(X, k, rng=np.random.default_rng(3), **how))


def show(X: ndarray, steps: list[KMedoidsStep], query: ndarray = QUERY) -> Scene:
    k = len(steps[-1].medoids)
    means = lowest_inertia(X, k, rng=np.random.default_rng(0), restarts=10)
    return draw.swaps(Run("", steps), board(X), means, query, "BUILD")


STEPS = run(X, 4)
RANDOM = run(X, 4, init="random")
SCENE, FROM_RANDOM = show(X, STEPS), show(X, RANDOM)


@pytest.mark.parametrize(
    ("X", "k"), [(X, 1), (X, 8), (X[:1], 1), (np.zeros((5, 2)), 3), (preset("moons", 1001), 2)]
)
@pytest.mark.parametrize("init", [None, "random"])
def test_every_step_has_the_same_traces(X: ndarray, k: int, init: str | None) -> None:
    steps = run(X, k, init=init)
    scene = show(X, steps)
    for now in range(len(steps)):
        for figure in drawn(scene, now):
            json.dumps(figure, allow_nan=False)
        assert not re.search(r"\b(nan|inf)\b", scene.caption(now))
    assert ("edges" in drawn(scene, 0)[0]) == (len(X) <= 1000) == ("A line joins" in scene.note)


@pytest.mark.parametrize("now", range(len(RANDOM)))
def test_lines_join_every_point_to_its_medoid(now: int) -> None:
    step = RANDOM[now]
    figure = drawn(FROM_RANDOM, now)[0]
    np.testing.assert_allclose(places(figure), X, rtol=1e-6)
    np.testing.assert_array_equal(unpacked(figure["points"]["group"]), step.labels)
    ends = unpacked(figure["edges"]["places"]).reshape(-1, 4)
    assert np.hypot(*(ends[:, :2] - ends[:, 2:]).T).sum() == pytest.approx(step.cost, rel=1e-5)
    way, means, ring, centers = figure["data"]
    np.testing.assert_allclose(np.column_stack([centers["x"], centers["y"]]), X[step.medoids])
    assert len(line(means)) == 4
    if step.taken >= 0:
        np.testing.assert_allclose(line(ring), X[[step.taken]], rtol=1e-6)
        np.testing.assert_allclose(line(way), X[[step.gone, step.taken]], rtol=1e-6)
    else:
        assert np.isnan(line(way)).all()


def test_the_columns_hold_what_the_options_cost() -> None:
    bottom, top = drawn(SCENE, 0)[1]["layout"]["yaxis"]["range"]
    for now, step in enumerate(STEPS):
        curve, level, diamonds, ring = drawn(SCENE, now)[1]["data"]
        before = STEPS[max(now - 1, 0)]
        columns = [len(before.medoids) + 1 if now else 1] if step.phase == "build" else [1, 2, 3, 4]
        path = line(curve)
        for column, row in zip(columns, step.costs, strict=True):
            here = path[np.abs(path[:, 0] - column) <= 0.4001]
            assert here[0, 1] == pytest.approx(row.min(), rel=1e-5)
            assert (np.diff(here[:, 1]) >= 0).all() and len(here) <= 60
        assert np.nanmax(path[:, 1]) <= top and bottom < step.cost < top
        if now:
            np.testing.assert_allclose(line(level)[:, 1], before.cost, rtol=1e-6)
        mine = [cost for cost in step.costs[:, PICKED] if cost <= top]
        np.testing.assert_allclose(line(diamonds)[:, 1], mine, rtol=1e-5)
        for x, y in line(diamonds):
            column = round(float(x))
            row = step.costs[columns.index(column)]
            assert x == pytest.approx(column - 0.4 + 0.8 * np.mean(row < y * (1 - 1e-5)), abs=0.01)
        assert ring["visible"] == (step.taken >= 0)
        if step.taken >= 0:
            assert ring["y"] == [step.cost]
            assert ring["x"] == [columns[step.place if step.phase == "swap" else 0] - 0.4]


def cost(medoids: list[int]) -> float:
    return float(D[medoids].min(axis=0).sum())


def test_the_captions_while_building() -> None:
    for now, step in enumerate(STEPS[:4]):
        first, rule, mine = SCENE.caption(now).split("\n")
        medoids = step.medoids.tolist()
        assert first.startswith(f"Medoid {now + 1} is the point {vector(X[medoids[-1]])}: ")
        if now:
            told = f"from {number(cost(medoids[:-1]), 4)} to {number(cost(medoids), 4)}"
            assert told in first
        assert ("All are chosen" in first) == (now == 3)
        total = number(cost(medoids), 4)
        assert rule.startswith(
            f"Cost = Σ d(x, its medoid) = {total}, the lowest of {200 - now} candidates."
        )
        would = number(cost([*medoids[:-1], PICKED]), 4)
        assert mine == f"Picked point: with it as medoid {now + 1} the cost would be {would}."


def test_the_captions_of_the_swaps() -> None:
    assert FROM_RANDOM.caption(0).startswith("Start: 4 medoids (BUILD)")
    swaps = 0
    for before, step, now in zip(RANDOM, RANDOM[1:], range(1, 99), strict=False):
        first, rule, mine = FROM_RANDOM.caption(now).split("\n")
        medoids = before.medoids.tolist()
        options = np.array(
            [[cost([*medoids[:j], c, *medoids[j + 1 :]]) for c in range(200)] for j in range(4)]
        )
        real = np.delete(options, medoids, axis=1)
        told = "k (n − k) = 4 · 196 = 784 swaps"
        if step.taken < 0:
            swaps += 100
            assert f"converged, at {number(step.cost, 4)} after {now - 1} swaps." in first
            best = real.min()
            assert f"{told} would make it {number(best, 5)} ({added(best - step.cost)})." in rule
        else:
            swaps += 1
            place = f"{vector(X[step.taken])} takes the place of medoid {step.place + 1}"
            assert place in first
            fall = f"from {number(before.cost, 4)} to {number(step.cost, 4)}"
            assert fall in first
            better = np.count_nonzero(real < before.cost * (1 - 1e-12))
            assert f"{told} {better} would lower the cost" in rule
            assert f"by {number(before.cost - real.min())}" in rule
        if PICKED not in medoids:
            said = ", ".join(f"{j + 1}: {number(row[PICKED], 4)}" for j, row in enumerate(options))
            assert f"in the place of medoid {said}; without" in mine
    assert swaps > 101


def test_the_sizes_are_those_of_the_clusters() -> None:
    for scene, steps in ((SCENE, STEPS), (FROM_RANDOM, RANDOM)):
        for now, step in enumerate(steps):
            if said := re.search(r"Clusters of (.*?)\.", scene.caption(now)):
                sizes = [int(size) for size in re.findall(r"\d+", said[1])]
                assert sizes == np.bincount(step.labels).tolist()


def test_a_picked_point_that_is_a_medoid_is_told() -> None:
    end = STEPS[-1]
    scene = show(X, STEPS, X[end.medoids[2]])
    assert scene.caption(len(STEPS) - 1).endswith("Picked point: it was medoid 3 already.")


@pytest.mark.parametrize("event", event_names(Event))
def test_every_event_has_its_words(event: str) -> None:
    wanted = {
        "built": "All are chosen; now come swaps.",
        "converged": "No swap lowers the cost any more",
        "stopped at max_iter": "the swaps allowed are used up",
    }[event]
    steps = run(X, 4, init="random", max_iter=1) if event.startswith("stopped") else STEPS
    scene = show(X, steps)
    (now,) = (i for i, step in enumerate(steps) if step.event == event)
    assert wanted in scene.caption(now)
