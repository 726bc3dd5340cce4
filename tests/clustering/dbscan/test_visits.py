"""What the mode "visits" shows and writes, recomputed from the data."""

import re

import numpy as np
import pytest
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.dbscan.dbscan import NOISE, DBSCANStep, Event, dbscan
from algorithms.clustering.dbscan.dbscan_by_eps import density_levels
from tests.core.figures import line, places, unpacked
from tests.core.samples import board, points_of
from tests.core.told import numbers
from tests.house.check_steps import event_names
from viz.clustering.dbscan.visits import Visits
from viz.core import plane
from viz.core.scene import Run

RADII = np.arange(1, 101) / 100
EPS, LEAST = 0.3, 5
CROSS, GREY_DOT, QUEUE = 64, 65, 66  # looks beyond those of the clusters


def show(X: ndarray, steps: list[DBSCANStep]) -> Visits:
    levels = density_levels(X, steps[0].walk.min_samples)
    return Visits(Run("", steps), board(X), levels, RADII)


X = points_of("unequal")
NEAR = cdist(X, X) <= EPS
STEPS = list(dbscan(X, eps=EPS, min_samples=LEAST))
MODE = show(X, STEPS)


@pytest.mark.parametrize("now", [0, 17, 120, 199])
def test_the_picture_of_a_visit(now: int) -> None:
    step = STEPS[now]
    figure = MODE.picture(now)
    np.testing.assert_allclose(places(figure), X, rtol=1e-6)
    group = unpacked(figure["points"]["group"])
    inside = step.labels != NOISE
    np.testing.assert_array_equal(group[inside] % QUEUE, step.labels[inside])
    np.testing.assert_array_equal(group >= QUEUE, inside & ~step.visited)
    np.testing.assert_array_equal(group == CROSS, step.visited & ~inside)
    np.testing.assert_array_equal(group == GREY_DOT, ~step.visited & ~inside)
    large = unpacked(figure["points"]["size"]) == plane.SIZES
    np.testing.assert_array_equal(large & step.visited, step.visited & (NEAR.sum(axis=1) >= LEAST))
    pale = unpacked(figure["points"]["strength"]) < 255
    np.testing.assert_array_equal(pale, ~step.visited & ~inside)
    circle, center = figure["data"][:2]
    names = [each["text"][0] for each in figure["data"][3:] if np.isfinite(line(each)).all()]
    if step.event == "all visited":
        assert np.isnan(line(circle)).all() and np.isnan(line(center)).all()
        sizes = np.bincount(step.labels[inside]).tolist()
        assert names == [f"cluster {i + 1}: {size}" for i, size in enumerate(sizes)]
        return
    assert names == []
    np.testing.assert_allclose(line(center)[0], X[step.point], rtol=1e-6)
    np.testing.assert_allclose(np.hypot(*(line(circle) - X[step.point]).T), EPS, rtol=1e-5)


@pytest.mark.parametrize("now", [0, 17, 120, 199])
def test_lines_join_points_to_the_core_point_that_found_them(now: int) -> None:
    step = STEPS[now]
    edges = MODE.picture(now)["edges"]
    ends, width = unpacked(edges["places"]).reshape(-1, 4), unpacked(edges["width"])
    np.testing.assert_array_equal(width > 0, step.labels != NOISE)
    np.testing.assert_array_equal(width > 2, np.isin(np.arange(len(X)), step.joined))
    shown = width > 0
    assert (np.hypot(*(ends[shown, :2] - ends[shown, 2:]).T) <= EPS * (1 + 1e-6)).all()
    np.testing.assert_allclose(ends[shown, 2:], X[shown], rtol=1e-6)


@pytest.mark.parametrize(("n", "said"), [(400, []), (401, [400, 401]), (1001, [400, 1001])])
def test_many_points_have_a_thinned_curve_and_very_many_no_lines(n: int, said: list) -> None:
    many = points_of("moons", n)
    mode = show(many, list(dbscan(many, eps=EPS, min_samples=LEAST)))
    assert numbers(mode.note) == said
    assert ("edges" not in mode.picture(0)) == (n > 1000)


def test_the_curve_of_distances_and_its_line() -> None:
    by_hand = np.sort(np.sort(cdist(X, X), axis=1)[:, LEAST - 1])
    figure = MODE.distances(7)
    curve, eps, ring = figure["data"]
    np.testing.assert_allclose(line(curve)[:, 1], by_hand, rtol=1e-6)
    np.testing.assert_array_equal(line(curve)[:, 0], np.arange(1, 201))
    assert eps["y"] == [EPS, EPS]
    (place,) = line(ring)
    assert by_hand[int(place[0]) - 1] == pytest.approx(place[1], rel=1e-5)
    assert place[1] == pytest.approx(np.sort(cdist(X[[STEPS[7].point]], X)[0])[LEAST - 1], rel=1e-5)
    (note,) = figure["layout"]["annotations"]
    assert note["text"] == f"ε = 0.3: {np.count_nonzero(by_hand <= EPS)} core points"


def test_a_ring_beyond_the_curve_stands_at_its_upper_edge() -> None:
    far = np.concatenate([X, [[50.0, 50.0]]])
    figure = show(far, list(dbscan(far, eps=EPS, min_samples=LEAST))).distances(200)
    assert line(figure["data"][2])[0, 1] == pytest.approx(1.05)
    assert figure["layout"]["yaxis"]["range"][1] == pytest.approx(1.05)


@pytest.mark.parametrize("now", [0, 7, len(STEPS) - 1])
def test_the_points_in_the_queue(now: int) -> None:
    queue, dot = MODE.views()[3].draw(now)["data"]
    step = STEPS[now]
    waiting = np.count_nonzero((step.labels != NOISE) & ~step.visited)
    assert unpacked(queue["y"])[now] == dot["y"][0] == waiting


def test_the_counts_against_eps() -> None:
    figure = MODE.views()[2].draw(0)
    clusters, now, noise, now_noise = figure["data"]
    end = STEPS[-1].labels
    assert (now["x"], now["y"]) == ([EPS], [end.max() + 1])
    assert (now_noise["x"], now_noise["y"]) == ([EPS], [np.count_nonzero(end == NOISE)])
    assert unpacked(clusters["y"])[29] == now["y"][0]
    assert unpacked(noise["y"])[29] == now_noise["y"][0]
    np.testing.assert_allclose(unpacked(clusters["x"]), RADII, rtol=1e-6)


def test_the_caption_of_every_visit() -> None:
    kinds = set()
    for now, step in enumerate(STEPS):
        i, inside = step.point, step.labels == step.labels[step.point]
        size, label = int(NEAR[i].sum()), int(step.labels[i])
        lines = MODE.caption(now).split("\n")
        found = lines[:1] if lines[0].startswith("All points are visited") else []
        first, *rest = lines[len(found) :]
        rule = " ".join(rest)
        assert first.startswith("The last point visited: ") == bool(found)
        first = first.removeprefix("The last point visited: ")
        first = first[0].upper() + first[1:]
        points = f"{size} point{'s' * (size != 1)}"
        assert f"its ball holds {points}" in first
        least = "at least" if size >= 5 else "fewer than"
        assert rule.startswith("With its centre, the ball of radius ε = 0.3 holds")
        assert f" holds {size}, {least} the 5 (min_samples)" in rule
        assert (f"{step.visit + 1} of 200 points are visited" in rule) == (not found)
        assert len(lines) <= 3
        late = step.visited[step.joined] & (step.joined != i)
        assert (f"{late.sum()} of them had been called noise" in first) == late.any()
        waiting = int((~step.visited & (step.labels != NOISE)).sum())
        if label == NOISE:
            kinds.add("noise")
            assert size < 5 and first.startswith("Noise" if found else "Noise, for now: ")
            assert not NEAR[i][step.core].any()
        elif size < 5:
            kinds.add("border")
            assert first.startswith(f"A border point of cluster {label + 1}: ")
        elif i in step.joined:
            kinds.add("begins")
            assert first.startswith(f"Cluster {label + 1} begins with a core point: ")
            others = len(step.joined) - 1
            assert (f"and {others} more join" if others else "and no other joins") in first
        else:
            kinds.add("core")
            assert first.startswith(f"A core point of cluster {label + 1}: ")
            joined = len(step.joined)
            said = "all of them had been found before"
            assert (f"; {joined} point" if joined else said) in first
        if label != NOISE:
            assert (f", {waiting} in the queue." in rule) == (waiting > 0)
            assert (f"cluster {label + 1} is complete" in rule) == (waiting == 0)
        if "complete" in rule:
            (sums,) = re.findall(r"(\d+) core points? \+ (\d+) border points? = (\d+)", rule)
            core, border, total = map(int, sums)
            assert (core, total) == ((step.core & inside).sum(), inside.sum())
            assert border == total - core
        assert len(found) == (step is STEPS[-1])
    assert kinds == {"noise", "border", "begins", "core"}


def test_the_last_visit_says_what_was_found() -> None:
    end = STEPS[-1].labels
    sizes = [np.count_nonzero(end == label) for label in range(3)]
    said = "3 clusters of {}, {} and {} points".format(*sizes)
    noise = np.count_nonzero(end == NOISE)
    first = MODE.caption(len(STEPS) - 1).split("\n")[0]
    assert first == f"All points are visited: {said}; {noise} points are noise."


def test_border_points_of_an_earlier_cluster_are_counted() -> None:
    """The point at 2 lies in the balls of the core points at 1 and 3, its own holds only three."""
    X = np.array([[0.0, 0.0], [1, 0], [0, 1], [0.5, 0.5], [2, 0], [3, 0], [4, 0], [4, 1], [3.5, 0]])
    steps = list(dbscan(X, eps=1.0, min_samples=4))
    (now,) = (now for now, step in enumerate(steps) if step.point == 5)
    assert steps[now].labels[[1, 4, 5]].tolist() == [0, 0, 1]
    mode = show(X, steps)
    said = "1 border point in the ball belongs to an earlier cluster."
    assert [i for i in range(len(steps)) if said in mode.caption(i)] == [now]


@pytest.mark.parametrize("event", event_names(Event))
def test_every_event_has_its_words(event: str) -> None:
    wanted = {
        "first noise": "Noise, for now",
        "cluster complete": "is complete",
        "noise becomes border": "had been called noise",
        "new cluster": "begins with a core point",
        "all visited": "All points are visited",
    }[event]
    spirals = points_of("spirals")
    mode = show(spirals, list(dbscan(spirals, eps=EPS, min_samples=LEAST)))
    found = [now for now, step in enumerate(mode.steps) if step.event == event]
    assert found
    assert all(wanted in mode.caption(now) for now in found)


@pytest.mark.parametrize("now", [0, 60, 199])
def test_compared_are_the_clusters_and_noise_and_what_is_not_visited(now: int) -> None:
    step, found = STEPS[now], MODE.found(now).labels
    outside = step.labels == NOISE
    np.testing.assert_array_equal(found[~outside], step.labels[~outside])
    assert set(found[outside & step.visited].tolist()) <= {NOISE}
    assert not set(found[outside & ~step.visited].tolist()) & {NOISE, *range(3)}


def test_it_opens_where_most_points_join_a_cluster_that_has_begun() -> None:
    finder = STEPS[0].walk.finder
    joined = [len(step.joined) * (finder[step.point] != step.point) for step in STEPS]
    n = len(STEPS)
    assert n // 2 <= MODE.opens < 3 * n // 4
    assert joined[MODE.opens] == max(joined[n // 2 : 3 * n // 4]) > 0
