import numpy as np
import pytest

from viz.core.box_borders import box_borders

BOX = (0.0, 4.0, 0.0, 3.0)


def test_pieces_in_one_line_are_put_together_while_the_values_stay() -> None:
    # Left of x = 1 is 0; right of it 1, but 2 above y = 2; the cut y = 1 changes nothing.
    def predict(X: np.ndarray) -> np.ndarray:
        return np.where(X[:, 0] <= 1, 0, np.where(X[:, 1] <= 2, 1, 2))

    lines, before, after = box_borders(predict, [(0, 1.0), (1, 1.0), (1, 2.0)], BOX)
    found = {
        (tuple(map(tuple, ends)), a, b)
        for ends, a, b in zip(lines.tolist(), before.tolist(), after.tolist(), strict=True)
    }
    assert found == {
        (((1.0, 0.0), (1.0, 2.0)), 0, 1),
        (((1.0, 2.0), (1.0, 3.0)), 0, 2),
        (((1.0, 2.0), (4.0, 2.0)), 1, 2),
    }


@pytest.mark.parametrize("cuts", [[], [(0, 1.0), (1, 2.0)], [(0, -5.0), (1, 99.0)]])
def test_nothing_changes(cuts: list) -> None:
    lines, before, after = box_borders(lambda X: np.ones(len(X), int), cuts, BOX)
    assert (lines.shape, len(before), len(after)) == ((0, 2, 2), 0, 0)


def test_any_boxes() -> None:
    rng = np.random.default_rng(0)
    stops = [np.sort(rng.uniform(0, size, 6)) for size in (4, 3)]
    values = rng.integers(3, size=(7, 7))

    def predict(X: np.ndarray) -> np.ndarray:
        return values[stops[0].searchsorted(X[:, 0]), stops[1].searchsorted(X[:, 1])]

    cuts = [(j, float(t)) for j in (0, 1) for t in stops[j]]
    lines, before, after = box_borders(predict, cuts, BOX)
    upright = lines[:, 0, :1] == lines[:, 1, :1]
    across = np.where(upright, [1e-6, 0], [0, 1e-6])
    for share in (0.01, 0.4, 0.99):
        middle = lines[:, 0] + share * (lines[:, 1] - lines[:, 0])
        np.testing.assert_array_equal(predict(middle - across), before)
        np.testing.assert_array_equal(predict(middle + across), after)
    assert (before != after).all()
    length = np.abs(lines[:, 1] - lines[:, 0]).sum()
    x, y = ([0, *stops[0], 4], [0, *stops[1], 3])
    by_hand = np.sum((values[1:] != values[:-1]) * np.diff(y))
    by_hand += np.sum((values[:, 1:] != values[:, :-1]).T * np.diff(x))
    assert length == pytest.approx(by_hand)
