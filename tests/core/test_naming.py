"""Words in a picture: in a corner, and clear of what should be seen."""

import numpy as np
import pytest

from tests.core.figures import unpacked
from viz.core import naming

BOX = (-2.0, 6.0, 0.0, 4.0)
SIDES = ("top left", "bottom left", "top right", "bottom right")


def place(trace: dict) -> tuple[float, float, str]:
    (x,), (y,) = (unpacked(trace[axis]).tolist() for axis in "xy")
    return x, y, trace["textposition"]


@pytest.mark.parametrize("corner", SIDES)
def test_words_in_a_corner_are_inside_the_picture(corner: str) -> None:
    x, y, side = place(naming.in_corner("what a mark is", BOX, corner))
    up, across = corner.split()
    assert 0 < (x - BOX[0] if across == "left" else BOX[1] - x) < 0.2
    assert 0 < (y - BOX[2] if up == "bottom" else BOX[3] - y) < 0.1
    assert set(side.split()).isdisjoint(corner.split()), "towards the middle"


def test_a_name_is_at_the_first_place_where_it_covers_nothing() -> None:
    where = [(np.array([2.0, 2.0]), side) for side in SIDES]
    points = np.array([[1.9, 2.05], [1.9, 1.95], [2.3, 2.1]])  # three of the four sides
    (written,) = naming.clear_names([naming.Name("word", where, {})], BOX, points)
    assert place(written) == (2.0, 2.0, "bottom right")
    assert place(naming.clear_names([naming.Name("word", where, {})], BOX, points[1:2])[0])[2] == (
        "top left"
    )


def test_names_keep_clear_of_each_other_and_stay_inside() -> None:
    corner = np.array([6.0, 2.0])  # at the right edge
    where = [(corner, side) for side in SIDES]
    names = [naming.Name(text, where, {}) for text in ("first", "second")]
    first, second = naming.clear_names(names, BOX, np.empty((0, 2)))
    assert [place(each)[2] for each in (first, second)] == ["top left", "bottom left"]


def test_a_name_keeps_clear_of_all_of_an_earlier_one_and_of_what_is_beside_it_alone() -> None:
    box, near = (0.0, 1.0, 0.0, 1.0), [(np.array([0.5, 0.53]), side) for side in SIDES[2:]]
    long = naming.Name("a long name here", [(np.array([0.5, 0.5]), "top right")], {})
    free = np.empty((0, 2))
    _, second = naming.clear_names([long, naming.Name("ab", near, {})], box, free)
    assert place(second)[2] == "bottom right"
    alone = naming.Name("ab", near, {}, np.array([[0.52, 0.56]]))
    sides = [
        naming.clear_names([name], box, free)[0] for name in (alone, alone._replace(beside=free))
    ]
    assert [place(each)[2] for each in sides] == ["bottom right", "top right"]


def test_a_name_without_a_place_is_not_seen() -> None:
    (written,) = naming.clear_names([naming.Name("word", [], {})], BOX, np.empty((0, 2)))
    assert np.isnan(unpacked(written["x"])).all()


def test_places_along_a_line_are_on_it_and_a_gap_has_none() -> None:
    places = naming.along(np.array([[0.0, 0.0], [4.0, 2.0], [np.nan, np.nan]]))
    np.testing.assert_allclose(places[:, 1], places[:, 0] / 2)
    assert np.ptp(places[:, 0]) == 4 and len(places) > 100
    assert len(naming.along(np.full((2, 2), np.nan))) == 0
