import json
import re
from base64 import b64decode
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from numpy import ndarray
from PIL import Image
from scipy.spatial.distance import cdist

from algorithms.clustering.k_means.choose_k import choose_k
from algorithms.clustering.k_means.k_means import Event, KMeansStep, k_means
from tests.core.figures import drawn, places, unpacked
from tests.core.samples import board, points_of
from tests.house.check_steps import event_names
from viz.clustering.k_means.choosing_k import elbow, silhouettes
from viz.clustering.k_means.k_means import Lloyd
from viz.core import plane
from viz.core.frames import first_figures, frame
from viz.core.scene import Run
from viz.core.words import vector


def blobs(n: int, seed: int = 0) -> ndarray:
    rng = np.random.default_rng(seed)
    return 2 * rng.integers(-1, 2, size=(n, 2)) + 0.6 * rng.normal(size=(n, 2))


def run(X: ndarray, k: int, **how) -> list[KMeansStep]:
    return list(k_means(X, k, **{"rng": np.random.default_rng(1), "init": "random"} | how))


X = blobs(120)
QUERY = np.array([0.3, -0.4])
STEPS = run(X, 5)


def test_the_picture_shows_the_step() -> None:
    now = len(STEPS) // 2
    box = plane.bounds(X)
    figure = shown(STEPS, X).picture(now)
    regions, border, _, trail, centers, key, start = figure["data"]
    np.testing.assert_allclose(places(figure), X, rtol=1e-6)
    np.testing.assert_array_equal(unpacked(figure["points"]["group"]), STEPS[now].labels)
    owner = cdist(X, STEPS[now].centers).argmin(axis=1)
    old = STEPS[now].phase == "move" and (owner != STEPS[now].labels).any()
    assert (key["text"] == ["points: colours before the move"]) == old
    drawn_centers = np.column_stack([centers["x"], centers["y"]])
    np.testing.assert_allclose(drawn_centers, STEPS[now].centers, rtol=1e-6)

    pixels = np.asarray(Image.open(BytesIO(b64decode(regions["source"].partition(",")[2]))))
    for x, y in X[::7]:
        column, row = int((x - box[0]) / regions["dx"]), int((y - box[2]) / regions["dy"])
        around = pixels[row - 1 : row + 2, column - 1 : column + 2] // plane.SHADES
        nearest = np.hypot(*(STEPS[now].centers - [x, y]).T).argmin()
        assert nearest in around

    ends = np.column_stack([unpacked(border["x"]), unpacked(border["y"])])
    ends = ends[~np.isnan(ends[:, 0])].reshape(-1, 2, 2)
    assert len(ends) >= 4
    for place in ends.mean(axis=1):
        first, second, *_ = np.sort(np.hypot(*(STEPS[now].centers - place).T))
        assert first == pytest.approx(second, rel=1e-4), "two centres are equally near, the nearest"
    assert (ends >= np.array(box[::2]) - 1e-5).all() and (ends <= np.array(box[1::2]) + 1e-5).all()

    path = np.column_stack([unpacked(trail["x"]), unpacked(trail["y"])])
    trails = np.split(path, np.flatnonzero(np.isnan(path[:, 0])) + 1)
    for j, came in enumerate(trails[:5]):
        came = came[~np.isnan(came[:, 0])]
        np.testing.assert_allclose(came[0], STEPS[0].centers[j], rtol=1e-6)
        np.testing.assert_allclose(came[-1], STEPS[now].centers[j], rtol=1e-6)
    if start["text"] == ["start"]:  # there is room
        longest = np.linalg.norm(STEPS[-1].centers - STEPS[0].centers, axis=1).argmax()
        word = [unpacked(start[axis])[0] for axis in "xy"]
        assert cdist([word], STEPS[0].centers).argmin() == longest


def test_inertia_is_drawn_for_every_half_step() -> None:
    scene = shown(STEPS, X).scene()
    curve, now = drawn(scene, 3)[1]["data"]
    np.testing.assert_allclose(unpacked(curve["y"]), [s.inertia for s in STEPS], rtol=1e-6)
    assert (now["x"], now["y"]) == ([3], [pytest.approx(STEPS[3].inertia, rel=1e-6)])


def test_the_elbow_marks_the_least_cost() -> None:
    choices = list(choose_k(X, range(1, 9), rng=np.random.default_rng(0)))
    gamma = 0.02 * choices[0].inertia
    figure = elbow(choices, gamma, 3)
    json.dumps(figure, allow_nan=False)
    inertia, cost, shortest = figure["data"]
    assert inertia["x"] == cost["x"] == list(range(1, 9))
    assert inertia["y"] == [choice.inertia for choice in choices]
    by_hand = np.array(inertia["y"]) + gamma * np.arange(1, 9)
    np.testing.assert_allclose(cost["y"], by_hand)
    assert shortest["x"] == [int(by_hand.argmin()) + 1]
    assert figure["layout"]["shapes"][0]["x0"] == 3


def test_the_widest_silhouette_is_marked() -> None:
    choices = list(choose_k(X, range(1, 9), rng=np.random.default_rng(0)))
    figure = silhouettes(choices, 3)
    json.dumps(figure, allow_nan=False)
    silhouette, widest = figure["data"]
    assert silhouette["x"] == list(range(2, 9)), "one cluster has no silhouette"
    assert widest["x"] == [int(np.argmax(silhouette["y"])) + 2]
    assert figure["layout"]["shapes"][0]["x0"] == 3


# Captions


def shown(steps: list[KMeansStep], X: ndarray) -> Lloyd:
    return Lloyd(Run("", steps), board(X), Run("", ()), QUERY, "random", 0.04)


def caption(steps: list[KMeansStep], now: int) -> str:
    """Return the first two lines: they do not depend on the picked point."""
    data = np.zeros((len(steps[0].labels), 2))
    return "\n".join(shown(steps, data).caption(now).split("\n")[:2])


def lloyd(steps: int) -> tuple[ndarray, ndarray, list[float], list[ndarray]]:
    """Return centres, labels, and every half-step's inertia and labels, by plain NumPy."""
    centers = STEPS[0].centers.copy()
    labels = ((X[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
    inertias, history = [((X - centers[labels]) ** 2).sum()], [labels]
    for step in range(1, steps + 1):
        if step % 2:
            centers = np.array([X[labels == j].mean(axis=0) for j in range(5)])
        else:
            labels = ((X[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
        inertias.append(((X - centers[labels]) ** 2).sum())
        history.append(labels)
    return centers, labels, inertias, history


def test_the_caption_of_the_start() -> None:
    _, _, inertias, _ = lloyd(0)
    words = caption(STEPS, 0)
    assert "5 centres (random)" in words
    assert "120 points" in words
    assert f"of all points to their centres, is {inertias[0]:.4g}." in words


def test_the_caption_of_an_assign_step() -> None:
    _, _, inertias, history = lloyd(2)
    changed = np.count_nonzero(history[2] != history[1])
    assert 1 < changed < 120
    words = caption(STEPS, 2)
    first, second = words.split("\n")
    falls = f"the inertia falls to {inertias[2]:.3g}."
    assert first == f"Assign: {changed} points change their cluster; {falls}"
    assert second.startswith("Ringed points go ")
    listed = [int(many) for many in re.findall(r"(\d+) from \d to \d", second)]
    others = re.findall(r"; the other (\d+|one) go", second)
    assert sum(listed) + sum(1 if many == "one" else int(many) for many in others) == changed
    words = caption(STEPS, len(STEPS) - 1)
    assert words.endswith(f"of all points to their centres, is {STEPS[-1].inertia:.5g}.")


def test_the_caption_of_a_move_step() -> None:
    centers, labels, inertias, _ = lloyd(3)
    moved = np.hypot(*(centers - lloyd(1)[0]).T)
    j = int(moved.argmax())
    size = np.count_nonzero(labels == j)
    words = caption(STEPS, 3)
    first, words = words.split("\n")
    assert first.startswith("Move: ")
    assert first.endswith(f"the inertia falls to {inertias[3]:.4g}.")
    place = vector(centers[j])
    how = f"by {moved[j]:.3g} (dotted), to the mean of its {size} points: {place}."
    assert f"Centre {j + 1} moves farthest, {how}" in words


def test_one_centre_is_no_centres() -> None:
    words = caption(run(X, 1), 0)
    assert words.startswith("Start: 1 centre (random), and each of the 120 points joins ")
    words = caption(run(X[:1], 1), 0)
    assert words.startswith("Start: 1 centre (random), and the only point joins ")


def test_what_stays_does_not_fall_or_move() -> None:
    steps = run(X[:5], 5)
    first, _ = caption(steps, 1).split("\n")
    assert first.endswith("; the inertia stays at 0.")


def test_a_cluster_of_one_point_has_no_points() -> None:
    three, start = np.array([[0.0, 0], [0.1, 0], [5, 0]]), np.array([[0.05, 0], [4, 0]])
    words = caption(run(three, 2, init=start), 1)
    assert "to the mean of its 1 point: (5.000, 0.000)." in words


def test_a_distance_of_rounding_is_none() -> None:
    step = STEPS[-1]
    for j, center in enumerate(step.centers):
        scene = Lloyd(Run("", [step]), board(X), Run("", ()), center + 2e-16, "random", 0.04)
        words = scene.caption(0).split("\n")[-1]
        assert words.startswith(f"Picked point: centre {j + 1} is the nearest, at a distance of 0;")


def test_the_picked_point_is_compared_with_the_centres() -> None:
    scene = shown(STEPS, X).scene()
    for now in (0, 3, len(STEPS) - 1):
        far = np.hypot(*(STEPS[now].centers - QUERY).T)
        first, second = np.argsort(far)[:2]
        said = f"Picked point: centre {first + 1} is the nearest, at a distance of {far[first]:.3g}"
        rest = f"the next is centre {second + 1}, at {far[second]:.3g}."
        assert scene.caption(now).split("\n")[-1] == f"{said}; {rest}"


@pytest.mark.parametrize("event", event_names(Event))
def test_every_event_has_its_words(event: str) -> None:
    labels = STEPS[1].labels if event == "converged" else STEPS[2].labels
    step = replace(STEPS[2], event=event, labels=labels)
    words = caption([*STEPS[:2], step], 2)
    without = caption([*STEPS[:2], replace(step, event=None)], 2)
    assert words.split("\n")[0] not in without
    assert event != "converged" or "converged" in words
    assert words.count("\n") == without.count("\n") == 1


def test_one_point_changes_and_many_change() -> None:
    for count, words in ((1, "1 point changes its cluster"), (2, "2 points change their ")):
        labels = STEPS[1].labels.copy()
        labels[:count] = (labels[:count] + 1) % 5
        step = replace(STEPS[2], labels=labels)
        assert words in caption([*STEPS[:2], step], 2)


@pytest.mark.parametrize("n", [1, 2, 120])
def test_numbers_in_captions_are_finite(n: int) -> None:
    steps = run(X[:n], min(n, 5))
    for now in range(len(steps)):
        words = caption(steps, now)
        assert "nan" not in words and "inf " not in words


# What is sent to the browser


def test_frames_of_long_runs_with_long_trails_are_small() -> None:
    """The trail grows with every step, and every frame holds all of it."""
    X = points_of("sine", 1000, noise=0.1)
    steps = run(X, 8, rng=np.random.default_rng(2))
    assert len(steps) == 163
    scene = shown(steps, X).scene()
    first = first_figures(scene)
    sizes = [len(json.dumps(frame(scene, first, now))) for now in range(len(steps))]
    assert max(sizes) < 8000


def test_points_that_changed_are_ringed_and_counted_by_where_they_went() -> None:
    X = blobs(300)
    steps = run(X, 4)
    now = next(
        i for i in range(2, len(steps), 2) if (steps[i].labels != steps[i - 1].labels).sum() > 1
    )
    changed = np.flatnonzero(steps[now].labels != steps[now - 1].labels)
    figure = shown(steps, X).picture(now)
    ring = next(trace for trace in figure["data"] if trace.get("marker", {}).get("symbol") == 100)
    np.testing.assert_array_equal(unpacked(ring["x"]), X[changed, 0].astype(np.float32))
    words = caption(steps, now).split("\n")[1]
    named = [tuple(map(int, found)) for found in re.findall(r"(\d+) from (\d) to (\d)", words)]
    for size, before, after in named:
        went = (steps[now - 1].labels == before - 1) & (steps[now].labels == after - 1)
        assert size == went.sum()
    assert sum(size for size, *_ in named) == len(changed) or len(named) == 4


def test_a_class_places_centers_that_the_inertia_judges() -> None:
    choices = list(choose_k(X, [1, 5], rng=np.random.default_rng(0)))
    drawing = Lloyd(Run("", STEPS), board(X), Run("", choices), QUERY, "random", 0.04).to_draw()
    assert drawing is not None and len(drawing.names) == 5
    assert drawing.judge(drawing.best) == pytest.approx(choices[1].inertia)
    squares = np.square(X[:, None] - drawing.start).sum(axis=2)
    assert drawing.judge(drawing.start) == pytest.approx(squares.min(axis=1).sum())
    assert shown(STEPS, X).to_draw() is None, "without the algorithm's own choice"
