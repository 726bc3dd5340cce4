"""Names on a map: beside their dots, on no other dot and on no other name."""

import numpy as np
from numpy import ndarray

from algorithms.data.places import EUROPE
from algorithms.reduction.multidimensional_scaling.classical_scaling import classical_scaling
from algorithms.reduction.multidimensional_scaling.distances import on_the_globe
from tests.core.figures import unpacked
from viz.core.scene import Bounds
from viz.reduction.multidimensional_scaling.marks import Given, map_box, placed, the_map

BOX = (-1.0, 1.0, -1.0, 1.0)
ABOVE, BELOW = "top center", "bottom center"
RIGHT, LEFT = "middle right", "middle left"


def names_at(*places: tuple[float, float], box: Bounds = BOX) -> tuple[list[str], list[str]]:
    return placed([f"name {i}" for i in range(len(places))], np.array(places), box)


def test_a_name_with_room_is_above_its_dot() -> None:
    assert names_at((-0.5, 0), (0.5, 0)) == (["name 0", "name 1"], [ABOVE, ABOVE])


def test_a_name_is_below_where_a_dot_is_above() -> None:
    texts, sides = names_at((0, 0), (0, 0.06))
    assert texts == ["name 0", "name 1"] and sides == [BELOW, ABOVE]


def test_a_name_is_below_where_another_name_is() -> None:
    texts, sides = names_at((0, 0), (0.1, 0))
    assert texts == ["name 0", "name 1"] and sides == [ABOVE, BELOW]


def test_a_name_is_beside_where_dots_are_above_and_below() -> None:
    texts, sides = names_at((0, 0), (0, 0.06), (0, -0.06))
    assert texts == ["name 0", "name 1", "name 2"] and sides == [RIGHT, ABOVE, BELOW]
    texts, sides = names_at((0, 0), (0, 0.06), (0, -0.06), (0.06, 0))
    assert texts == ["name 0", "name 1", "name 2", "name 3"]
    assert sides == [LEFT, ABOVE, BELOW, RIGHT]


def test_a_name_without_room_is_left_out() -> None:
    texts, _ = names_at((0, 0), (0, 0.06), (0, -0.06), (0.06, 0), (-0.06, 0))
    assert texts == ["", "name 1", "name 2", "name 3", "name 4"]
    crowd = [(0.01 * i, 0.0) for i in range(6)]
    texts, sides = names_at(*crowd)
    assert texts == ["name 0", "name 1", "name 2", "name 3", "", ""]
    assert sides[:4] == [ABOVE, BELOW, LEFT, RIGHT]


def test_the_same_map_on_another_scale_has_the_same_names() -> None:
    crowd = np.random.default_rng(0).uniform(-1, 1, size=(40, 2))
    small = names_at(*crowd)
    assert 0 < sum(map(bool, small[0])) < 40, "not all have room"
    assert names_at(*(1e9 * crowd), box=(-1e9, 1e9, -1e9, 1e9)) == small


def test_signs_of_a_name_are_no_markup() -> None:
    assert placed(["<b>"], np.zeros((1, 2)), BOX)[0] == ["&lt;b&gt;"]


def test_the_map_of_europe_has_names_that_do_not_meet() -> None:
    things = Given(on_the_globe(EUROPE.degrees), EUROPE.names, "km")
    (*_, last) = classical_scaling(things.distances)
    box = map_box([last.embedding])
    (*_, written) = the_map(things, last.embedding, box)["data"]
    at = np.column_stack([unpacked(written["x"]), unpacked(written["y"])])
    np.testing.assert_allclose(at, last.embedding, rtol=1e-5)
    named = [i for i, text in enumerate(written["text"]) if text]
    assert len(named) >= 0.75 * len(EUROPE.names)
    assert {written["text"][i] for i in named} <= set(EUROPE.names)
    boxes = np.array([extent(written["text"][i], at[i], written["textposition"][i], box)
                      for i in named])  # fmt: skip
    for i, mine in enumerate(boxes):
        others = np.delete(boxes, i, axis=0)
        apart = np.abs(others[:, 0] - mine[0]) >= (others[:, 1] + mine[1]) / 2
        assert apart.any(axis=1).all(), written["text"][named[i]]


def extent(text: str, at: ndarray, side: str, box: Bounds) -> tuple[ndarray, ndarray]:
    """Return the middle and the size of a name of 13 pixels on a map of 600 pixels."""
    pixel, width = (box[1] - box[0]) / 600, 7 * len(text)
    aside = 9 + width / 2
    moved = {ABOVE: (0, 16), BELOW: (0, -16), RIGHT: (aside, 0), LEFT: (-aside, 0)}[side]
    return at + pixel * np.array(moved), np.array([width, 13]) * pixel
