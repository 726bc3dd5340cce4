"""All clusterings side by side: each is what its own algorithm finds; pictures and words."""

from base64 import b64decode
from functools import partial
from io import BytesIO

import numpy as np
import pytest
from numpy import ndarray
from PIL import Image
from sklearn.cluster import DBSCAN as Theirs
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import adjusted_rand_score

from algorithms.clustering import clusterings as module
from algorithms.clustering.clusterings import (
    BEST,
    METHODS,
    ClusteringStep,
    Method,
    Settings,
    clusterings,
)
from algorithms.clustering.dbscan.dbscan import NOISE
from algorithms.clustering.k_means.many_starts import lowest_inertia
from algorithms.data.presets import Dataset
from pages._shared.lab.catalogue import LABS
from tests.core.figures import line, places, unpacked
from tests.core.samples import board_of, dataset
from tests.core.told import numbers
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked
from viz.clustering.clusterings import Methods
from viz.clustering.dbscan.marks import NOISE_LOOK
from viz.core import plane, tiles
from viz.core.scene import Run
from viz.core.theme import GREY, RGB, rgb
from viz.core.words import number

TOLD = {"eps": 0.35, "min_samples": 5, "gamma": 8.0}
ARGUMENTS = TOLD
PRESETS = ("blobs", "moons", "circles", "unequal", "stretched")


preset = partial(dataset, n=150)


def run(data: Dataset, k: int, **changes) -> list[ClusteringStep]:
    how = TOLD | changes
    return check_steps(clusterings(data.X, data.labels, k, rng=np.random.default_rng(0), **how))


OTHERS = Checked(
    "clusterings",
    "scikit-learn's `AgglomerativeClustering` (four linkages) and `DBSCAN`, the clusters",
    5,
    "data sets",
)
assert OTHERS.cases == len(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_every_method_finds_what_its_own_algorithm_finds(name: str) -> None:
    data = preset(name)
    steps = {step.method.name: step for step in run(data, 3)}
    theirs = {
        linkage: AgglomerativeClustering(3, linkage=linkage).fit(data.X).labels_
        for linkage in ("complete", "average", "single", "ward")
    }
    theirs["DBSCAN"] = Theirs(eps=0.35, min_samples=5).fit(data.X).labels_
    theirs["Ward"] = theirs.pop("ward")
    theirs["k-means"] = lowest_inertia(data.X, 3, rng=np.random.default_rng(0), restarts=10)[1]
    for method, labels in theirs.items():
        assert adjusted_rand_score(labels, steps[method].labels) == 1, method
    assert list(steps) == [method.name for method in METHODS]


@pytest.mark.parametrize("name", PRESETS)
def test_the_index_is_that_of_scikit_learn_and_marks_the_best(name: str) -> None:
    data = preset(name)
    best = -1.0
    for i, step in enumerate(run(data, len(data.classes))):
        index = adjusted_rand_score(data.labels, step.labels)
        assert step.counts.adjusted_rand_index == pytest.approx(index)
        assert (step.event == BEST) == (i > 0 and step.counts.adjusted_rand_index > best)
        best = max(best, step.counts.adjusted_rand_index)
        assert step.noise == np.count_nonzero(step.labels == NOISE)
        assert step.clusters == len(set(step.labels.tolist()) - {NOISE})


def test_clusters_have_the_numbers_of_their_classes() -> None:
    data = preset("blobs")
    for step in run(data, 3)[:3]:
        assert np.count_nonzero(step.labels != data.labels) <= 3


def test_a_method_that_refuses_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(X: ndarray, how: Settings, rng: np.random.Generator) -> ndarray:
        raise ValueError("it wants more")

    shy = Method("Shy", refuse, "k_means", "nothing")
    monkeypatch.setattr(module, "METHODS", (METHODS[0], shy, METHODS[1]))
    steps = run(preset("blobs"), 3)
    assert [step.method.name for step in steps] == ["k-means", "k-medoids"]
    assert steps[0].left_out == (("Shy", "it wants more"),)
    assert "Shy is left out: it wants more." in show(preset("blobs"), steps).note


def test_every_method_names_a_lab() -> None:
    assert {method.lab for method in METHODS} <= {lab.name for lab in LABS}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 0}, "k must be between 1 and n=3"),
        ({"eps": 0}, "eps must be positive"),
        ({"gamma": 0}, "gamma must be positive"),
        ({"min_samples": 0}, "min_samples must be at least 1"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": np.eye(3), "y": np.arange(3), "k": 2, "rng": np.random.default_rng(0)}
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        clusterings(**given | TOLD | changes)


# Pictures and words

DATA = preset("unequal", n=200)
STEPS = run(DATA, 3)


def show(data: Dataset, steps: list[ClusteringStep]) -> Methods:
    return Methods(Run("", steps), board_of(data))


MODE = show(DATA, STEPS)


def test_the_picture_has_thick_rims_around_what_is_not_with_its_class() -> None:
    for now, step in enumerate(STEPS):
        figure = MODE.picture(now)
        np.testing.assert_allclose(places(figure), DATA.X, rtol=1e-6)
        group = unpacked(figure["points"]["group"])
        np.testing.assert_array_equal(group == NOISE_LOOK, step.labels == NOISE)
        inside = step.labels != NOISE
        np.testing.assert_array_equal(group[inside], step.labels[inside])
        wrong, size = step.labels != DATA.labels, unpacked(figure["points"]["size"])
        assert len(set(size[inside].tolist())) == 1
        np.testing.assert_array_equal(unpacked(figure["points"]["wrong"]).astype(bool), wrong)
        key = figure["data"][1]["text"]
        assert key == ["thick rim: wrong" if wrong.any() else ""]


def test_points_that_are_not_with_their_class_are_large_on_a_tile() -> None:
    for now, step in enumerate(STEPS):
        clear = len(RGB) + 1
        alike = tiles.dotted(DATA.X, MODE._look(now), MODE.box, clear)
        tile, wrong = MODE.found_by[now + 1], step.labels != DATA.labels
        assert (np.count_nonzero(tile != clear) > np.count_nonzero(alike != clear)) == wrong.any()
        for (x, y), look in zip(DATA.X[wrong], MODE._look(now)[wrong], strict=True):
            column = int(100 * (x - MODE.box[0]) / (MODE.box[1] - MODE.box[0]))
            row = int(100 * (y - MODE.box[2]) / (MODE.box[3] - MODE.box[2]))
            near = tile[max(row - 3, 0) : row + 4, max(column - 3, 0) : column + 4]
            assert (near == look).any()


def tiles_of(image: dict) -> list[ndarray]:
    """Return the colours of the dots on each tile of a wall that are not pale."""
    with Image.open(BytesIO(b64decode(image["source"].partition(",")[2]))) as picture:
        dots = np.asarray(picture.convert("RGBA"))
    rows = np.array_split(dots, 3)[::-1]  # the lowest row comes first
    tiles = [tile for row in rows for tile in np.array_split(row, 4, axis=1)]
    return [np.unique(tile[tile[..., 3] == 255][:, :3], axis=0) for tile in tiles]


def test_the_wall_has_a_tile_for_every_method_and_one_for_the_classes() -> None:
    image, words, digits, frame, _key = MODE.wall(4)["data"]
    indices = [step.counts.adjusted_rand_index for step in STEPS]
    for now in range(len(STEPS)):
        texts = MODE.wall(now)["data"][1]["text"][1:]
        told = [numbers(text.partition("<br>")[2]) for text in texts]
        assert not any(told[now + 1 :]), "of the methods to come there is only the name"
        np.testing.assert_allclose(np.ravel(told[: now + 1]), indices[: now + 1], atol=0.00051)
    assert words["text"][5].startswith("5 complete link<br>")
    assert words["text"][0] == "<b>truth</b>" and len(digits["text"]) == 0
    inks = tiles_of(image)
    assert all(len(ink) > 1 for ink in inks[:6]), "the classes and the methods so far"
    grey = np.array([rgb(GREY)])
    assert all(np.array_equal(ink, grey) for ink in inks[6:10]), "the methods to come"
    assert not any(map(len, inks[10:]))
    left, top = line(frame)[0]
    assert 1 < left < 2 and -2 < top < -1, "the second tile of the second row"
    left, right, bottom, top = box = tiles.close(DATA.X, plane.bounds(DATA.X), 1.5)
    assert box == MODE.box
    least, most = DATA.X.min(axis=0), DATA.X.max(axis=0)
    assert left < least[0] and bottom < least[1] and right > most[0] and top > most[1]
    assert max((most[0] - least[0]) / (right - left), (most[1] - least[1]) / (top - bottom)) > 0.9
    dots = tiles.dotted(DATA.X, DATA.labels, box, 9)
    for (x, y), label in zip(DATA.X, DATA.labels, strict=True):
        column = int(100 * (x - box[0]) / (box[1] - box[0]))
        row = int(100 * (y - box[2]) / (box[3] - box[2]))
        assert (dots[max(row - 3, 0) : row + 4, max(column - 3, 0) : column + 4] == label).any()


def test_the_captions_recomputed() -> None:
    for now, step in enumerate(STEPS):
        first, last, rule = map(numbers, MODE.caption(now).split("\n"))
        index = adjusted_rand_score(DATA.labels, step.labels)
        noise = [step.noise] * (step.noise > 0)
        wrong = int(np.count_nonzero(step.labels != DATA.labels))
        assert first == [step.clusters, *noise, *([wrong, 200] if wrong else [])]
        total, chance, *full, T, E, most, again, told = rule
        pairs = 200 * 199 / 2
        classes, clusters = (
            np.unique(y, return_counts=True)[1] for y in (DATA.labels, step.labels)
        )
        A, B = (sum(m * (m - 1) // 2 for m in sizes) for sizes in (classes, clusters))
        assert full == ([A, B, 2, most] if A != B else [A])
        assert most == pytest.approx((A + B) / 2, abs=0.6) and chance == E
        assert pytest.approx(A * B / pairs, rel=1e-3) == E and again == E and total == T
        assert (T - E) / (most - E) == pytest.approx(index, abs=2e-3)
        assert told == pytest.approx(index, abs=6e-4)
        assert last == []


def test_it_ends_with_the_nearest_methods_and_marks_the_highest_index_so_far() -> None:
    indices = [adjusted_rand_score(DATA.labels, step.labels) for step in STEPS]
    best = STEPS[int(np.argmax(indices))].method.name.partition(",")[0]
    assert MODE.caption(len(STEPS) - 1).partition(" nearest to ")[0].startswith(best)
    for now in range(len(STEPS)):
        texts = MODE.wall(now)["data"][1]["text"][1 : now + 2]
        assert "<b>" in texts[int(np.argmax(indices[: now + 1]))]


def test_points_of_one_class_have_nothing_to_compare_with() -> None:
    one = Dataset("one", DATA.table, DATA.columns, np.zeros(200, int), ("1",))
    steps = run(one, 3)
    mode = show(one, steps)
    assert not any(step.event for step in steps)
    assert not any("agreement" in mode.caption(now).lower() for now in range(len(steps)))
    assert len(set(unpacked(mode.picture(0)["points"]["size"]).tolist())) == 1


def test_the_counts_of_few_points_are_exact() -> None:
    few = Dataset("few", DATA.table[:3], DATA.columns, np.arange(3), ("1", "2", "3"))
    assert [numbers(said) for said in show(few, run(few, 3)).caption(0).split("\n")[2:]] == [[]]
    ten = Dataset("ten", DATA.table[:10], DATA.columns, np.repeat([0, 1], 5), ("1", "2"))
    *_, T, E, most, chance, index = numbers(show(ten, run(ten, 3)).caption(0).split("\n")[2])
    assert chance == E != round(E) and (T - E) / (most - E) == pytest.approx(index, abs=2e-3)


def test_methods_that_come_equally_near_are_all_named() -> None:
    steps = run(DATA, 1, eps=100.0)
    assert {number(adjusted_rand_score(DATA.labels, step.labels)) for step in steps} == {"0"}
    end = show(DATA, steps).caption(len(steps) - 1)
    assert end.startswith(f"All {len(steps)} methods come equally near to the classes.")
