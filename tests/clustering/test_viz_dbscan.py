"""Pictures and captions of DBSCAN, recomputed from the data."""

import json
import re

import numpy as np
import pytest
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.dbscan import NOISE, DBSCANStep, Event, dbscan
from algorithms.clustering.dbscan_by_eps import EpsStep, dbscan_by_eps, density_levels
from algorithms.clustering.dbscan_by_eps import Event as EpsEvent
from tests.clustering.test_dbscan import preset
from tests.core.figures import drawn, line, places, unpacked
from tests.house.check_steps import event_names
from viz.clustering import dbscan as draw
from viz.clustering import dbscan_scenes as scenes
from viz.clustering import dbscan_words as words
from viz.core import plane
from viz.core.scene import Plane, Run

RADII = np.arange(1, 101) / 100
EPS, LEAST = 0.3, 5
CROSS, GREY_DOT = 64, 65  # looks beyond those of the clusters

X = preset("unequal")
NEAR = cdist(X, X) <= EPS
STEPS = list(dbscan(X, eps=EPS, min_samples=LEAST))
GROWING = list(dbscan_by_eps(X, eps=RADII, min_samples=LEAST))
LEVELS = density_levels(X, LEAST)


def board(X: ndarray) -> Plane:
    return Plane(X, np.zeros(len(X), int), ("1",), ("x", "y"), plane.bounds(X))


def walk_scene(X: ndarray, steps: list[DBSCANStep], least: int = LEAST):
    return scenes.visits(Run("", steps), board(X), density_levels(X, least), RADII)


@pytest.mark.parametrize(
    "X", [X, X[:1], X[:3], np.zeros((5, 2)), preset("moons", 1001)], ids=lambda X: str(len(X))
)
def test_every_step_has_the_same_traces(X: ndarray) -> None:
    walk = walk_scene(X, list(dbscan(X, eps=EPS, min_samples=LEAST)))
    grow = scenes.radius(Run("", list(dbscan_by_eps(X, eps=RADII, min_samples=5))), board(X))
    for scene, total in ((walk, len(X)), (grow, len(RADII))):
        for now in {*range(0, total, 1 + total // 40), total - 1}:
            for figure in drawn(scene, now):
                json.dumps(figure, allow_nan=False)
            assert not re.search(r"\b(nan|inf)\b", scene.caption(now))


@pytest.mark.parametrize("now", [0, 17, 120, 199])
def test_the_picture_of_a_visit(now: int) -> None:
    step = STEPS[now]
    figure = draw.walk_picture(board(X), step)
    np.testing.assert_allclose(places(figure), X, rtol=1e-6)
    group = unpacked(figure["points"]["group"])
    inside = step.labels != NOISE
    np.testing.assert_array_equal(group[inside], step.labels[inside])
    np.testing.assert_array_equal(group == CROSS, step.visited & ~inside)
    np.testing.assert_array_equal(group == GREY_DOT, ~step.visited & ~inside)
    large = unpacked(figure["points"]["size"]) > plane.SIZES
    np.testing.assert_array_equal(large, step.visited & (NEAR.sum(axis=1) >= LEAST))
    np.testing.assert_array_equal(unpacked(figure["marks"]["kind"]), inside & ~step.visited)
    circle, center = figure["data"]
    np.testing.assert_allclose(line(center)[0], X[step.point], rtol=1e-6)
    np.testing.assert_allclose(np.hypot(*(line(circle) - X[step.point]).T), EPS, rtol=1e-5)


@pytest.mark.parametrize("now", [0, 17, 120, 199])
def test_lines_join_points_to_the_core_point_that_found_them(now: int) -> None:
    step = STEPS[now]
    edges = draw.walk_picture(board(X), step)["edges"]
    ends, width = unpacked(edges["places"]).reshape(-1, 4), unpacked(edges["width"])
    np.testing.assert_array_equal(width > 0, step.labels != NOISE)
    np.testing.assert_array_equal(width > 2, np.isin(np.arange(len(X)), step.joined))
    shown = width > 0
    assert (np.hypot(*(ends[shown, :2] - ends[shown, 2:]).T) <= EPS * (1 + 1e-6)).all()
    np.testing.assert_allclose(ends[shown, 2:], X[shown], rtol=1e-6)


def test_among_many_points_there_are_no_lines_and_rings() -> None:
    many = preset("moons", 1001)
    figure = draw.walk_picture(board(many), next(dbscan(many, eps=EPS, min_samples=LEAST)))
    assert not {"edges", "marks"} & figure.keys()
    assert "Ring" not in words.walk_note(1001) and "Ring" in words.walk_note(1000)
    assert "shows 400 of its" not in words.walk_note(400)
    assert "shows 400 of 1,001 points" in words.walk_note(1001)


@pytest.mark.parametrize("now", [5, 29, 60, 99])
def test_the_picture_at_a_radius(now: int) -> None:
    step = GROWING[now]
    figure = draw.radius_picture(board(X), GROWING, now)
    group, inside = unpacked(figure["points"]["group"]), step.labels != NOISE
    np.testing.assert_array_equal(group[inside], step.labels[inside] % 64)
    assert (group[~inside] == CROSS).all()
    width = unpacked(figure["edges"]["width"])
    np.testing.assert_array_equal(width > 0, LEVELS.heights <= step.eps)
    new = (LEVELS.heights <= step.eps) & (LEVELS.heights > GROWING[now - 1].eps)
    np.testing.assert_array_equal(width > 2, new)
    (circle,) = figure["data"]
    center = X[LEVELS.core_distances.argmin()]
    np.testing.assert_allclose(np.hypot(*(line(circle) - center).T), step.eps, rtol=1e-5)


def test_the_curve_of_distances_and_its_line() -> None:
    curves = draw.curves_over(LEVELS, RADII)
    by_hand = np.sort(np.sort(cdist(X, X), axis=1)[:, LEAST - 1])
    figure = draw.distances(curves, EPS, 7)
    curve, eps, ring = figure["data"]
    np.testing.assert_allclose(line(curve)[:, 1], by_hand, rtol=1e-6)
    np.testing.assert_array_equal(line(curve)[:, 0], np.arange(1, 201))
    assert eps["y"] == [EPS, EPS]
    (place,) = line(ring)
    assert by_hand[int(place[0]) - 1] == pytest.approx(place[1], rel=1e-5)
    assert place[1] == pytest.approx(np.sort(cdist(X[7:8], X)[0])[LEAST - 1], rel=1e-5)
    (note,) = figure["layout"]["annotations"]
    assert note["text"] == f"ε = 0.3: {np.count_nonzero(by_hand <= EPS)} core points"


def test_a_ring_beyond_the_curve_stands_at_its_upper_edge() -> None:
    far = np.concatenate([X, [[50.0, 50.0]]])
    figure = draw.distances(draw.curves_over(density_levels(far, LEAST), RADII), EPS, 200)
    assert line(figure["data"][2])[0, 1] == pytest.approx(1.05)
    assert figure["layout"]["yaxis"]["range"][1] == pytest.approx(1.05)


def test_the_counts_against_eps() -> None:
    figure = draw.against_eps(draw.curves_over(LEVELS, RADII), EPS)
    clusters, now, noise, now_noise = figure["data"]
    end = STEPS[-1].labels
    assert (now["x"], now["y"]) == ([EPS], [end.max() + 1])
    assert (now_noise["x"], now_noise["y"]) == ([EPS], [np.count_nonzero(end == NOISE)])
    assert unpacked(clusters["y"])[29] == now["y"][0]
    assert unpacked(noise["y"])[29] == now_noise["y"][0]
    np.testing.assert_allclose(unpacked(clusters["x"]), RADII, rtol=1e-6)


def test_the_line_of_eps_goes_with_the_steps() -> None:
    scene = scenes.radius(Run("", GROWING), board(X))
    track = scene.views[1].track
    assert track is not None and track.along == "y"
    np.testing.assert_array_equal(track.places[:, 0, 1], RADII)


# Captions


def test_the_caption_of_every_visit() -> None:
    kinds = set()
    for step in STEPS:
        i, inside = step.point, step.labels == step.labels[step.point]
        size, label = int(NEAR[i].sum()), int(step.labels[i])
        *found, first, rule = words.walk_caption(step).split("\n")
        points = f"{size} point{'s' * (size != 1)}"
        assert f"its ball holds {points}" in first
        sign = "≥ 5" if size >= 5 else "< 5"
        assert rule.startswith(f"|{{j : ‖xⱼ − xᵢ‖ ≤ 0.3}}| = {size} {sign} = min_samples ")
        assert f"Visited: {step.visit + 1} of 200." in rule
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
            said = "all of them have been found before"
            assert (f"; {joined} point" if joined else said) in first
        if label != NOISE:
            assert (f"In the queue: {waiting}." in rule) == (waiting > 0)
            assert (f"cluster {label + 1} is complete" in rule) == (waiting == 0)
        if "complete" in rule:
            (sums,) = re.findall(r"(\d+) core points \+ (\d+) border points = (\d+)", rule)
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
    first = words.walk_caption(STEPS[-1]).split("\n")[0]
    assert first == f"All points are visited: {said}; {noise} points are noise."


def test_border_points_of_an_earlier_cluster_are_counted() -> None:
    """The point at 2 lies in the balls of the core points at 1 and 3, its own holds only three."""
    X = np.array([[0.0, 0.0], [1, 0], [0, 1], [0.5, 0.5], [2, 0], [3, 0], [4, 0], [4, 1], [3.5, 0]])
    steps = list(dbscan(X, eps=1.0, min_samples=4))
    (step,) = (step for step in steps if step.point == 5)
    assert step.labels[[1, 4, 5]].tolist() == [0, 0, 1]
    assert "1 border point in the ball belongs to an earlier cluster." in words.walk_caption(step)
    assert sum("earlier cluster" in words.walk_caption(step) for step in steps) == 1


@pytest.mark.parametrize("now", range(0, 100, 7))
def test_the_caption_at_a_radius(now: int) -> None:
    step = GROWING[now]
    run = list(dbscan(X, eps=step.eps, min_samples=LEAST))[-1]
    first, rule = words.radius_caption(GROWING, now).split("\n")
    clusters, cores = int(run.labels.max()) + 1, int(run.core.sum())
    noise = int(np.count_nonzero(run.labels == NOISE))
    assert first.startswith(f"ε = {step.eps:g}: {clusters or 'no'} cluster")
    assert f"; {noise} point" in first
    assert f"{cores} of 200; border points: {200 - cores - noise}. " in rule
    assert rule.endswith(f" = {cores} − {cores - clusters} = {clusters}.")


def test_merges_are_said_and_are_so() -> None:
    said = 0
    for now in range(1, len(GROWING)):
        before, after = GROWING[now - 1], GROWING[now]
        gone = set(before.labels.tolist()) - set(after.labels.tolist()) - {NOISE}
        counted = f" {len(gone)} cluster{'s are' if len(gone) > 1 else ' is'} now part of another."
        assert (counted in words.radius_caption(GROWING, now)) == bool(gone)
        said += bool(gone)
    assert said


@pytest.mark.parametrize("event", event_names(Event) + event_names(EpsEvent))
def test_every_event_has_its_words(event: str) -> None:
    wanted = {
        "first noise": "Noise, for now",
        "cluster complete": "is complete",
        "noise becomes border": "had been called noise",
        "new cluster": "begins with a core point",
        "all visited": "All points are visited",
        "first cluster": "1 cluster",
        "clusters merge": "now part of another",
        "no noise left": "0 points are noise",
    }[event]
    moons = preset("spirals")
    walks = [*STEPS, *dbscan(moons, eps=EPS, min_samples=LEAST)]
    growing = list(dbscan_by_eps(moons, eps=RADII, min_samples=LEAST))
    captions = [words.walk_caption(step) for step in walks if step.event == event]
    captions += [
        words.radius_caption(growing, now)
        for now, step in enumerate(growing)
        if isinstance(step, EpsStep) and step.event == event
    ]
    assert captions
    assert all(wanted in caption for caption in captions)


@pytest.mark.parametrize(
    ("place", "written"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (5, "5th"), (11, "11th"), (13, "13th")],
)
def test_places_are_written_out(place: int, written: str) -> None:
    scene = walk_scene(X, STEPS, place)
    assert scene.views[1].title == f"Distance to the {written} point of the ball"
