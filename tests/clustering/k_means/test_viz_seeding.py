"""The pictures and words of k-means++, one draw after the other."""

import numpy as np
import pytest
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.k_means.k_means_plus_plus import PlusPlusStep, k_means_plus_plus
from tests.clustering.k_means.test_viz_k_means import blobs
from tests.core.figures import drawn, unpacked
from tests.core.samples import board
from viz.clustering.k_means import k_means, marks
from viz.clustering.k_means.k_means_plus_plus import Seeding
from viz.core.plane import SIZES
from viz.core.scene import Run
from viz.core.words import number, rounded, vector

X = blobs(90)


def run(X: ndarray, k: int) -> list[PlusPlusStep]:
    return list(k_means_plus_plus(X, k, rng=np.random.default_rng(2)))


STEPS = run(X, 4)
SCENE = Seeding(Run("", STEPS), board(X)).scene()


@pytest.mark.parametrize("now", range(4))
def test_at_a_draw_points_are_as_large_as_their_distance(now: int) -> None:
    figure = drawn(SCENE, now)[0]
    D = cdist(X, X[[step.drawn for step in STEPS[: now + 1]]]).min(axis=1)
    size = unpacked(figure["points"]["size"]) / SIZES
    np.testing.assert_allclose(size, np.maximum(0.35, 2.2 * D / D.max()), atol=0.5 / SIZES)
    _, _, ring, _, centers, *_ = figure["data"]
    assert len(centers["x"]) == now + 1
    assert unpacked(ring["x"])[0] == pytest.approx(X[STEPS[now].drawn, 0])
    assert ring["marker"]["size"] > centers["marker"]["size"]


def test_the_bars_are_the_shares_of_the_clusters() -> None:
    for now in (0, 2, 3, 5):
        squared, labels = STEPS[now].squared, STEPS[now].state.labels
        shares = [squared[labels == j].sum() / squared.sum() for j in range(4)]
        np.testing.assert_allclose(drawn(SCENE, now)[1]["data"][0]["y"], shares, atol=1e-4)


def test_a_share_is_a_chance_only_while_centres_are_drawn() -> None:
    for now in range(len(STEPS)):
        text = drawn(SCENE, now)[1]["layout"]["xaxis"]["title"]["text"]
        assert ("chance of the next" in text) == (now < 3)
        assert ("all are drawn" in text) == (now >= 3)


def test_equal_points_have_no_share_that_is_a_chance() -> None:
    same = np.ones((5, 2))
    scene = Seeding(Run("", run(same, 3)), board(same)).scene()
    text = drawn(scene, 0)[1]["layout"]["xaxis"]["title"]["text"]
    assert text == "nearest centre so far"


def test_the_captions_of_the_draws() -> None:
    assert SCENE.caption(0).startswith("Centre 1 is drawn: each of the 90 points")
    for now in (1, 2, 3):
        before = cdist(X, X[[step.drawn for step in STEPS[:now]]])
        D2 = np.square(before.min(axis=1))
        i = STEPS[now].drawn
        after = np.minimum(D2, np.square(X - X[i]).sum(axis=1)).sum()
        first, second = SCENE.caption(now).split("\n")
        near = before[i].argmin() + 1
        assert f"Centre {now + 1} is drawn, at a distance of {number(before[i].min())} " in first
        assert f"from centre {near}; the inertia Σ D² falls to {rounded(after)}." in first
        chance = f"{number(D2[i])} / {number(D2.sum(), 4)} = {number(100 * D2[i] / D2.sum())} %"
        assert (
            f"The chance of the point {vector(X[i])}, its D² over the sum of all: {chance}"
            in second
        )
        assert ("All 4 centres are drawn" in first) == (now == 3)


def test_the_half_steps_have_the_captions_and_pictures_of_k_means() -> None:
    states = [step.state for step in STEPS[3:]]
    for now in range(4, len(STEPS)):
        assert SCENE.caption(now) == k_means.half_step(states, now - 3, "k-means++")
        figure, plain = drawn(SCENE, now)[0], marks.half_step(board(X), states, now - 3)
        assert figure["data"] == plain["data"]
        assert (unpacked(figure["points"]["size"]) == SIZES).all()
