"""The map of two settings: cells where the pairs are, later ones over earlier ones."""

from base64 import b64decode

import numpy as np

from tests.core.figures import read_png, unpacked
from viz.core.settings_map import Places, SettingsMap, axis, mark

GRID = Places(np.array([[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]]), (3, 2))
WRONG = np.array([7, 3, 5, 3, 9, 4])


def drawn(places: Places, wrong: np.ndarray, known: int) -> dict:
    names = [f"pair {i}" for i in range(len(wrong))]
    x, y = (axis(title, size, [0], ["low"]) for title, size in zip("xy", places.size, strict=True))
    marks = [mark(places.at[known - 1].tolist(), "circle-open", "newest")]
    return SettingsMap(places, wrong, names, "Errors", x, y).draw(known, marks)


def test_a_pair_of_a_grid_is_its_cell_and_one_that_was_not_tried_is_empty() -> None:
    np.testing.assert_array_equal(GRID.painted(WRONG[:4], 99), [[7, 3, 5], [3, 99, 99]])
    np.testing.assert_array_equal(GRID.painted(WRONG, 99), [[7, 3, 5], [3, 9, 4]])
    assert GRID.seen(4).tolist() == [True] * 4 + [False] * 2


def test_a_cell_between_rows_and_columns_is_around_its_place_and_covers_earlier_ones() -> None:
    places = Places(np.array([[0.5, 1.0], [1.0, 1.0], [2.4, 0.0]]), (4, 3), (0.6, 0.6), 3)
    image = places.painted(np.array([1, 2, 3]), 0)
    assert image.shape == (15, 20)
    for value, (x, y) in zip((1, 2, 3), places.at, strict=True):
        rows, columns = np.nonzero(image == value)
        middle = 0.2 * np.array([columns.mean(), rows.mean()]) - 0.4
        if value > 1:  # the first one is covered in part
            assert len(rows) == 9
            np.testing.assert_allclose(middle, [x, y], atol=0.11)
    assert (image == 1).sum() == 6
    assert places.seen(3).tolist() == [False, True, True]
    assert places.seen(1).tolist() == [True, False, False]


def test_the_darker_the_more_and_every_number_is_written_and_told() -> None:
    figure = drawn(GRID, WRONG, 6)
    cells, numbers, newest = figure["data"]
    assert numbers["text"] == [str(count) for count in WRONG]
    assert unpacked(figure["told"]["values"]).tolist() == WRONG.tolist()
    image, _ = read_png(b64decode(cells["source"].partition(",")[2]))
    shade = image.astype(int).ravel()
    assert (
        np.sign(np.subtract.outer(shade, shade)) == np.sign(np.subtract.outer(WRONG, WRONG))
    ).all()
    assert (newest["x"], newest["y"]) == ([2], [1])


def test_before_the_end_only_what_was_tried_is_told() -> None:
    figure = drawn(GRID, WRONG, 2)
    assert figure["data"][1]["text"] == ["7", "3", "", "", "", ""]
    assert figure["told"]["names"] == ["pair 0", "pair 1"]
    assert unpacked(figure["told"]["values"]).tolist() == [7, 3]
