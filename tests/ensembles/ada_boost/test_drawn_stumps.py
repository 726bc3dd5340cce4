"""Stumps of a class: as places on a phone, as letters in a link, and judged."""

import numpy as np
import pytest

from algorithms.ensembles.ada_boost.stumps import stumps
from algorithms.ensembles.ada_boost.stumps_as_text import (
    MOST_STUMPS,
    check_text,
    read_stumps,
    written,
)
from tests.ensembles.ada_boost.stumps_at_random import all_of, at_random
from tests.house.check_steps import same
from viz.core import plane
from viz.core.scene import Plane
from viz.ensembles.ada_boost.drawn_stumps import by_hand, of_places, places_of

BOX = (-3.0, 5.0, 100.0, 140.0)
RNG = np.random.default_rng(0)


def test_stumps_come_back_from_a_link_within_half_a_thousandth_of_the_picture() -> None:
    corners = np.array([BOX[0::2], BOX[1::2]])
    placed = at_random(corners, 300, RNG)
    text = written(placed, BOX)
    assert len(text) == 600
    back = read_stumps(check_text(text), BOX)
    np.testing.assert_array_equal(back.feature, placed.feature)
    np.testing.assert_array_equal(back.side, placed.side)
    off = np.abs(back.threshold - placed.threshold) / np.array([8.0, 40.0])[placed.feature]
    assert off.max() <= 0.001 + 1e-9  # at the upper edge; elsewhere half of it
    assert written(back, BOX) == text
    assert len(read_stumps("", BOX)) == 0


def test_a_stump_beyond_the_picture_moves_to_its_edge() -> None:
    back = read_stumps(written(stumps([0, 1], [-99, 999], [1, -1]), BOX), BOX)
    assert back.threshold[0] == -3 and back.threshold[1] == pytest.approx(139.96)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A", "two of the characters"),
        ("A!", "two of the characters"),
        ("Äa", "two of the characters"),
        ("__", "“__” stands for no stump"),
        ("AA" * (MOST_STUMPS + 1), "at most 1000 stumps, got 1001"),
    ],
)
def test_a_link_that_cannot_be_read_says_why(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        check_text(text)


@pytest.mark.parametrize(
    ("second", "feature", "side"),
    [((2, 121), 0, 1), ((0, 121), 0, -1), ((1.1, 139), 1, 1), ((1, 101), 1, -1)],
)
def test_the_second_place_turns_the_cut_and_is_on_the_side_of_the_second_class(
    second: tuple[float, float], feature: int, side: int
) -> None:
    found = of_places(np.array([[[1.0, 120.0], second]]), BOX)
    assert (found.feature[0], found.side[0]) == (feature, side)
    assert found.threshold[0] == (1.0, 120.0)[feature]
    again = of_places(places_of(found, BOX), BOX)
    assert same(found, again)


def test_two_places_on_one_spot_are_no_stump() -> None:
    with pytest.raises(ValueError, match="beside its cut"):
        of_places(np.ones((1, 2, 2)), BOX)


def test_a_drawing_is_judged_by_the_points_it_gets_wrong_and_the_best_is_the_best_of_all() -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(40, 2))
        signs = np.where(X[:, seed % 2] + rng.normal(size=40) > 0, 1.0, -1.0)
        board = Plane(X, (signs > 0).astype(int), ("no", "yes"), ("x", "y"), plane.bounds(X))
        drawing = by_hand(board, X, signs, "yes")
        every = all_of(X)
        least = min(np.count_nonzero(said != signs) for said in every.predict(X))
        assert drawing.judge(drawing.best) == least
        left, right = board.bounds[:2]
        middle = (left + right) / 2
        says_yes = X[:, 0] > middle
        assert drawing.judge(drawing.start) == np.count_nonzero(says_yes != (signs > 0))
        assert drawing.judge(np.ones((2, 2))) is None
        # The lab runs on the drawings of all phones.
        assert drawing.run
        link = drawing.run(np.array([drawing.best, drawing.start, drawing.start]))
        voters = read_stumps(link["stumps"], board.bounds)
        assert len(voters) == 3 and link["simulated"] == "0"
        assert np.count_nonzero(voters.predict(X)[1] != signs) == drawing.judge(drawing.start)
