"""The pictures and words of 100 seeds."""

import numpy as np
from numpy import ndarray

from algorithms.clustering.k_means.many_starts import many_starts
from tests.clustering.k_means.test_viz_k_means import blobs
from tests.core.figures import drawn, line, unpacked
from tests.core.samples import board
from viz.clustering.k_means.many_starts import Seeds
from viz.core.scene import Run, Scene
from viz.core.words import number, rounded

X = blobs(90)


def made(X: ndarray, k: int) -> tuple[list, list, Scene]:
    steps, other = (list(many_starts(X, k, init=init)) for init in ("random", "k-means++"))
    return (
        steps,
        other,
        Seeds(Run("", steps), board(X), Run("", other), "random", "k-means++").scene(),
    )


STEPS, OTHER, SCENE = made(X, 5)
ENDS = np.array([step.inertia for step in STEPS])
RIVALS = np.array([step.inertia for step in OTHER])


def test_the_bars_count_all_seeds_and_the_ring_is_on_the_one_shown() -> None:
    for now in (0, 7, 99):
        own, rival, ring = drawn(SCENE, now)[1]["data"]
        assert sum(own["y"]) == sum(rival["y"]) == 100
        assert (own["name"], rival["name"]) == ("random", "k-means++")
        bar = int(np.abs(np.array(own["x"]) - ENDS[now]).argmin())
        assert abs(ring["x"][0] - ENDS[now]) <= own["width"] / 2 * (1 + 1e-9)
        assert (ring["x"][0], ring["y"][0]) == (own["x"][bar], own["y"][bar] / 2)


def test_every_seed_has_a_dot_and_the_lowest_so_far_a_line() -> None:
    dots, lowest, ring = drawn(SCENE, 4)[2]["data"]
    np.testing.assert_allclose(line(dots)[:, 1], ENDS, rtol=1e-6)
    np.testing.assert_allclose(line(lowest)[:, 1], np.minimum.accumulate(ENDS), rtol=1e-6)
    assert (ring["x"], ring["y"]) == ([4], [ENDS[4]])


def test_the_picture_shows_the_clusters_of_the_seed() -> None:
    for now in (0, 31):
        points = drawn(SCENE, now)[0]["points"]
        np.testing.assert_array_equal(unpacked(points["group"]), STEPS[now].labels)


def test_the_captions_recomputed() -> None:
    lowest = min(ENDS.min(), RIVALS.min())
    far = [int((ends > 1.1 * lowest).sum()) for ends in (ENDS, RIVALS)]
    poor = f"{far[0]} with random and {far[1]} with k-means++"
    seen = set()
    for now in range(100):
        first, second = SCENE.caption(now).split("\n")
        assert first.startswith(f"Seed {now} ends with an inertia of {rounded(ENDS[now])}, ")
        best = ENDS[now] <= lowest * (1 + 1e-6)
        assert (", the lowest of all." in first) == best
        if not best:
            assert f"{number(100 * (ENDS[now] / lowest - 1))} % above the lowest" in first
        new = now > 0 and ENDS[now] < ENDS[:now].min() * (1 - 1e-9)
        assert ("No seed before ended lower" in first) == new
        assert second.endswith(f"Of 100 seeds, {poor} end more than a tenth above it.")
        seen |= {best}
    assert seen == {False, True}
