"""The map of two settings: cells where the pairs are, and the nearer pair where cells overlap."""

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


def test_a_cell_between_rows_and_columns_is_around_its_place() -> None:
    places = Places(np.array([[0.5, 1.0], [1.4, 1.0], [2.4, 0.0]]), (4, 3), (0.6, 0.6), 3)
    image = places.painted(np.array([1, 2, 3]), 0)
    assert image.shape == (15, 20)
    for value, (x, y) in zip((1, 2, 3), places.at, strict=True):
        rows, columns = np.nonzero(image == value)
        assert len(rows) == 9
        middle = 0.2 * np.array([columns.mean(), rows.mean()]) - 0.4
        np.testing.assert_allclose(middle, [x, y], atol=0.11)


def test_where_cells_overlap_the_nearer_pair_has_the_place_and_both_keep_their_numbers() -> None:
    beside = Places(np.array([[0.5, 1.0], [0.9, 1.0]]), (4, 3), (0.6, 0.6), 3)
    for values in ([1, 2], [2, 1]):
        row = beside.painted(np.array(values), 0)[7]
        # The column that is as far from one as from the other is the later one's.
        assert row[row > 0].tolist() == [values[0]] * 2 + [values[1]] * 3
    assert beside.seen(2).tolist() == [True, True]
    near = Places(np.array([[0.4, 1.0], [0.6, 1.0]]), (4, 3), (0.6, 0.6), 3)
    row = near.painted(np.array([1, 2]), 0)[7]
    assert row[row > 0].tolist() == [1, 1, 2, 2]
    assert near.seen(2).tolist() == [False, True]
    assert near.seen(1).tolist() == [True, False]


def test_a_cell_at_the_edge_is_cut() -> None:
    edge = Places(np.array([[-0.4, -0.4], [3.4, 2.4]]), (4, 3), (0.6, 0.6), 3)
    image = edge.painted(np.array([1, 2]), 0)
    assert image[0, 0] == 1 and image[-1, -1] == 2
    assert 0 < (image == 1).sum() < 9 and 0 < (image == 2).sum() < 9


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
