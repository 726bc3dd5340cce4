"""The signs of the classes in their regions: where they are, and what they do not cover."""

import numpy as np
import pytest

from tests.core.figures import accepted_by_plotly, line
from viz.core import plane, region_signs
from viz.core.theme import symbol

BOX = (-1.0, 3.0, 10.0, 12.0)
NONE = np.empty(0)


def test_a_sign_is_in_the_middle_of_its_region_and_has_the_symbol_of_its_class() -> None:
    classes = np.repeat([[0] * 50 + [2] * 50], 100, axis=0)
    where, shown = region_signs.places(classes, BOX, plane.GAP[:0], NONE)
    assert shown.tolist() == [0, 2]
    assert (where[0, 0], where[1, 0]) == pytest.approx((0, 2), abs=0.05)
    filled = plane.regions(classes, None, BOX)
    figure = plane.figure([filled], BOX)
    accepted_by_plotly(figure)
    image, signs = figure["data"]
    assert "regions" not in image
    np.testing.assert_allclose(line(signs), where)
    assert signs["marker"]["symbol"] == [100 + symbol(0), 100 + symbol(2)]
    assert len(plane.figure([plane.regions(classes, None, BOX, signs=False)], BOX)["data"]) == 1


@pytest.mark.parametrize("seed", range(20))
def test_signs_are_in_regions_of_their_class_away_from_points_and_borders(seed: int) -> None:
    rng = np.random.default_rng([7, seed])
    centers = rng.uniform((0, 0), (100, 100), (int(rng.integers(2, 7)), 2))
    rows, columns = np.indices((100, 100)) + 0.5
    cells = np.column_stack([columns.ravel(), rows.ravel()])
    far = np.linalg.norm(cells[:, None] - centers, axis=2)
    classes = far.argmin(axis=1).reshape(100, 100) % 4 - (seed % 2)
    X = rng.uniform((0, 0), (100, 100), (60, 2))
    where, shown = region_signs.places(classes, (0.0, 100.0, 0.0, 100.0), X, np.full(60, 9))
    assert (shown >= 0).all() and len(where) == len(shown)
    for place, k in zip(where, shown, strict=True):
        near = np.linalg.norm(cells - place, axis=1) < 3
        assert (classes.ravel()[near] == k).all()
        assert np.linalg.norm(X - place, axis=1).min() > 2
        assert min(*place, *(100 - place)) > 3
    bare = region_signs.places(classes, (0.0, 100.0, 0.0, 100.0), X[:0], NONE)[1]
    large = [k for k in range(4) if (classes == k).mean() > 0.15]
    assert set(large) <= set(bare.tolist()) <= set(range(4))


def test_a_sign_keeps_clear_of_the_picked_point() -> None:
    classes = np.zeros((100, 100), int)
    (middle,), _ = region_signs.places(classes, BOX, plane.GAP[:0], NONE)
    (moved,), shown = region_signs.places(classes, BOX, plane.GAP[:0], NONE, middle)
    assert shown.tolist() == [0]
    assert (np.abs(moved - middle) / (4, 2)).max() > 0.15, "in shares of the picture"
    (far,), _ = region_signs.places(classes, BOX, plane.GAP[:0], NONE, np.array([99.0, 99.0]))
    assert np.abs(far - middle).max() < 0.1, "a picked point outside the picture is at its edge"


@pytest.mark.parametrize(("y", "signs"), [([0, 0, 1], []), ([0, 0, 0], [1]), ([1, 0, 1], [0])])
def test_a_region_has_no_sign_if_most_points_in_it_are_of_its_class(y: list, signs: list) -> None:
    """The first two are in the region of class 0, the third in that of class 1."""
    classes = np.repeat([[0] * 50 + [1] * 50], 100, axis=0)
    X = np.array([[-0.9, 10.1], [-0.9, 11.9], [2.9, 10.1]])
    assert region_signs.places(classes, BOX, X, np.array(y))[1].tolist() == signs
