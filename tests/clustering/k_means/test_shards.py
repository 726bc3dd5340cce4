"""k-means on shards against k-means on all points, and what the shards send."""

from itertools import pairwise

import numpy as np
import pytest
from numpy import ndarray
from sklearn.datasets import load_diabetes

from algorithms.clustering.k_means.k_means import k_means
from algorithms.clustering.k_means.shards import DEALT, Event, ShardsStep, k_means_on_shards
from tests.core.figures import line, places, unpacked
from tests.core.samples import board, points_of
from tests.core.told import numbers
from tests.house.check_steps import AsInTheApp, check_steps, event_names
from tests.house.checked import Checked
from viz.clustering.k_means.shards import Shards
from viz.core.scene import Run

PRESETS = ("blobs", "moons", "circles", "unequal", "spirals", "stretched")
DATA = {
    **{name: points_of(name, 100) for name in PRESETS},
    "far away": points_of("blobs", 100) + 1e5,
    "ten columns": 20 * load_diabetes(return_X_y=True)[0],
}
LLOYD = Checked(
    "k_means",
    "k-means on all points at once, for the centres and labels of every half-step on shards",
    192,
    "runs on 8 data sets",
    1e-9,
)
assert LLOYD.cases == len(DATA) * 2 * 3 * 4


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("dealt", DEALT)
@pytest.mark.parametrize("shards", [1, 3, 6])
@pytest.mark.parametrize("k", [1, 2, 4, 7])
def test_every_half_step_is_that_of_k_means(name: str, dealt: str, shards: int, k: int) -> None:
    X = DATA[name]
    rng = np.random.default_rng
    steps = check_steps(k_means_on_shards(X, k, rng=rng(5), shards=shards, dealt=dealt))
    lloyd = list(k_means(X, k, rng=rng(5)))
    within = LLOYD.within * np.abs(X).max()
    for step, whole in zip(steps, lloyd, strict=True):
        assert {"map": "assign", "reduce": "move"}[step.phase] == whole.phase
        np.testing.assert_array_equal(step.labels, whole.labels)
        np.testing.assert_allclose(step.centers, whole.centers, rtol=0, atol=within)
        assert step.inertia == pytest.approx(whole.inertia, rel=1e-6)
        assert step.event == whole.event
        check_pairs(X, step, steps)


def check_pairs(X: ndarray, step: ShardsStep, steps: list[ShardsStep]) -> None:
    S, k = step.counts.shape
    assert np.ptp(np.bincount(step.shard, minlength=S)) <= 1
    for s in range(S):
        for j in range(k):
            mine = X[(step.shard == s) & (step.labels == j)]
            assert step.counts[s, j] == len(mine)
            np.testing.assert_allclose(step.sums[s, j], mine.sum(axis=0), rtol=1e-9, atol=1e-6)
    pairs = {(s, j) for s, j in zip(step.shard.tolist(), step.labels.tolist(), strict=True)}
    assert step.pairs == len(pairs) <= S * k


def test_dealt_by_place_a_shard_is_a_strip() -> None:
    X = DATA["blobs"]
    (step, *_) = k_means_on_shards(X, 3, rng=np.random.default_rng(0), dealt="by place")
    ends = [(X[step.shard == s, 0].min(), X[step.shard == s, 0].max()) for s in range(4)]
    assert all(a[1] <= b[0] for a, b in pairwise(ends))


def test_every_event_occurs_and_an_empty_cluster_keeps_its_centre() -> None:
    rng = np.random.default_rng
    found = set()
    for case in range(60):
        X = rng(case).integers(0, 2, size=(9, 2)).astype(float)
        steps = list(k_means_on_shards(X, 5, rng=rng(case), shards=2))
        found |= {step.event for step in steps}
        for before, step in pairwise(steps):
            empty = step.counts.sum(axis=0) == 0
            if step.phase == "reduce":
                np.testing.assert_array_equal(step.centers[empty], before.centers[empty])
    X = points_of("moons", 200)
    found |= {step.event for step in k_means_on_shards(X, 6, rng=rng(0), max_iter=1)}
    assert found == {None, *event_names(Event)}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 4}, "k must be between 1 and n=3, got k=4"),
        ({"shards": 0}, "shards must be at least 1"),
        ({"dealt": "by name"}, "dealt must be one of 'by chance'"),
        ({"max_iter": 0}, "max_iter must be at least 1"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": np.eye(3), "k": 2, "rng": np.random.default_rng(0)}
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        k_means_on_shards(**given | changes)


# Pictures and words

X = points_of("blobs", 90)
STEPS = list(k_means_on_shards(X, 3, rng=np.random.default_rng(3), shards=3, dealt="by place"))
MODE = Shards(Run("", STEPS), board(X), True, 1)
WITHOUT = Shards(Run("", STEPS), board(X), False, 1)


@pytest.mark.parametrize("now", range(len(STEPS)))
def test_the_picture_has_the_shards_means_and_their_ways_to_the_centres(now: int) -> None:
    step, figure = STEPS[now], MODE.picture(now)
    np.testing.assert_allclose(places(figure), X, rtol=1e-6)
    group = unpacked(figure["points"]["group"])
    np.testing.assert_array_equal(group // 3, step.labels)
    np.testing.assert_array_equal(group % 3, step.shard)
    *_, ways, means, centers, _ = figure["data"]
    wanted = [
        X[(step.shard == s) & (step.labels == j)].mean(axis=0)
        for s, j in np.argwhere(step.counts > 0)
    ]
    np.testing.assert_allclose(line(means), wanted, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(np.column_stack([centers["x"], centers["y"]]), step.centers)
    if step.phase == "map":
        assert np.isnan(line(ways)).all()
    else:
        ends = line(ways).reshape(-1, 3, 2)
        np.testing.assert_allclose(ends[:, 0], wanted, rtol=1e-5, atol=1e-6)
        at = step.centers[np.argwhere(step.counts > 0)[:, 1]]
        np.testing.assert_allclose(ends[:, 1], at, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("now", [0, 1, len(STEPS) - 1])
def test_the_table_recomputed(now: int) -> None:
    step = STEPS[now]
    words = np.array(MODE.table(now)["data"][-1]["text"]).reshape(-1, 4)
    mine = step.labels == 1
    for s in range(3):
        own = X[mine & (step.shard == s)]
        found = numbers(" ".join(words[s + 1]))
        np.testing.assert_allclose(found, [s + 1, len(own), *own.sum(axis=0)], rtol=6e-3)
    total, mean = (numbers(" ".join(row).replace("<b>", " ")) for row in words[-2:])
    np.testing.assert_allclose(total, [mine.sum(), *X[mine].sum(axis=0)], rtol=6e-3)
    np.testing.assert_allclose(mean, X[mine].mean(axis=0), rtol=6e-3)


def test_what_travels() -> None:
    (bars,) = MODE.travels(0)["data"]
    assert bars["y"] == [180, 360, 4 * STEPS[0].pairs, 18]
    said = numbers(MODE.caption(0).split("\n")[1].replace("(x, 1)", ""))
    assert said == [STEPS[0].pairs, 4, 4 * STEPS[0].pairs, 90, 360]
    said = numbers(WITHOUT.caption(0).split("\n")[1].replace("(x, 1)", ""))
    assert said == [4, 360, 4 * STEPS[0].pairs]


def test_the_captions_recomputed() -> None:
    for now in range(1, len(STEPS)):
        step, before = STEPS[now], STEPS[now - 1]
        first, rule = MODE.caption(now).split("\n")
        if step.phase == "reduce":
            assert numbers(first)[-1] == pytest.approx(step.inertia, rel=6e-3)
            mine = step.labels == 1
            found = numbers(rule)
            np.testing.assert_allclose(found[-2:], X[mine].mean(axis=0), atol=1e-3)
            assert [int(n) for n in found[-5:-2]] == step.counts[:, 1].tolist()
        elif step.event != "converged":
            assert numbers(first)[-1] == (step.labels != before.labels).sum()
