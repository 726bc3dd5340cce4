import numpy as np
import pytest

from tests.core.figures import accepted_by_plotly, unpacked
from viz.core import plane
from viz.core.differences import differences
from viz.core.found import Axis, Curve, Found, Groups, Inside, Regions
from viz.core.scene import Plane

BOX = (-3.0, 3.0, -5.0, 5.0)
X = np.random.default_rng(0).uniform(-3, 3, (20, 2))
DATA = Plane(X, np.zeros(20, int), ("a",), ("x", "y"), BOX)


def curve(*path: tuple[float, float], steps: bool = False) -> Curve:
    return Curve(np.array(path, float), steps)


def axis(*ends: tuple[float, float]) -> Axis:
    return Axis(np.array(ends, float))


def compared(left: Found, right: Found) -> tuple[list[np.ndarray], str]:
    """Return the marks that are drawn in both pictures, as paths, and the words."""
    mark = differences(left, right, DATA)
    assert mark
    traces, words = mark
    accepted_by_plotly(plane.figure(traces, BOX))
    return [np.stack([unpacked(each["x"]), unpacked(each["y"])], axis=1) for each in traces], words


def area(path: np.ndarray) -> float:
    """Return the area inside a closed path (of a bow tie, the difference of its two halves)."""
    x, y = path.T
    return abs(float(x[:-1] @ y[1:] - y[:-1] @ x[1:])) / 2


def test_what_lies_between_two_curves_is_filled_and_measured() -> None:
    level = curve((-3, 1), (3, 1))
    bent = curve((-3, 1), (1, 3), (3, 1))
    (between, bar), words = compared(level, bent)
    assert words == "Grey: between the two curves, 1 on average and 2 at most, at x = 1 (bar)."
    np.testing.assert_allclose(bar, [[1, 1], [1, 3]])
    assert area(between) == pytest.approx(6)
    short = curve((-1, 2), (2, 2))  # only where both are there
    (between, _), words = compared(level, short)
    assert area(between) == pytest.approx(3) and "1 on average and 1 at most" in words


def test_steps_are_compared_as_steps() -> None:
    level = curve((-3, 0), (3, 0))
    steps = curve((-3, 1), (0, 4), (1, 0), (3, 0), steps=True)
    (between, bar), words = compared(level, steps)
    assert area(between) == pytest.approx(3 * 1 + 1 * 4, rel=1e-4)
    assert "1.17 on average and 4 at most" in words and bar[:, 1].tolist() == [0, 4]


def test_curves_that_are_one_are_said_to_be() -> None:
    left, right = curve((-3, 1), (3, 1)), curve((-3, 1.001), (3, 1))
    drawn, words = compared(left, right)
    assert words == "Their curves are nowhere farther apart than 0.001."
    assert all(np.isnan(path).all() for path in drawn)


@pytest.mark.parametrize("turned", [1, -1])
def test_the_angle_between_two_axes_is_that_on_the_picture(turned: int) -> None:
    level = axis((-3, 1), (3, 1))
    # The picture is 6 wide and 10 high, and as large both ways.
    tilted = axis((-3, 1 - 5 * turned), (3, 1 + 5 * turned))
    (tie,), words = compared(level, tilted)
    assert words == "Grey: between the two axes, 45.0° apart as they are drawn."
    np.testing.assert_allclose(tie[:2], [[-3, 1], [3, 1]])
    np.testing.assert_allclose(
        sorted(tie[2:4].tolist()), [[-3, 1 - 5 * turned], [3, 1 + 5 * turned]]
    )
    assert "0.0° apart" in compared(level, level)[1]
    none = Axis(None)
    assert compared(level, none)[1] == "One of them has no axis yet."
    upright = axis((0, 1), (0, 1))
    (tie,), words = compared(level, upright)
    assert words.startswith("One of the axes is seen as a point") and np.isnan(tie).all()


def test_inside_is_inside_in_both_regions() -> None:
    left, right = (Inside(np.arange(20) >= first) for first in (15, 3))
    (rings,), words = compared(left, right)
    assert words == "Ringed: the 12 of 20 points that only one of them has outside."
    np.testing.assert_allclose(rings, X[3:15], atol=1e-6)
    assert compared(left, left)[1] == "They have the same points outside."


def test_regions_of_other_fineness_are_compared_cell_by_cell() -> None:
    fine, coarse = np.zeros((100, 100), int), np.zeros((50, 50), int)
    fine[:, 90:] = 1
    mark = differences(Regions(fine), Regions(coarse), DATA)
    assert (
        mark and mark[1] == "Hatched: here they predict different classes, on 10 % of the picture."
    )
    same = differences(Regions(coarse), Regions(np.zeros((100, 100), int)), DATA)
    assert same and same[1] == "They predict the same class everywhere."


def test_what_differs_in_kind_is_not_compared() -> None:
    groups, level = Groups(DATA.labels), curve((0, 0), (1, 1))
    assert differences(groups, groups, DATA)
    assert differences(level, groups, DATA) is None
    assert differences(None, None, DATA) is None
