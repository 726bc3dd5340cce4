import numpy as np
import pytest

from tests.core.figures import accepted_by_plotly, unpacked
from viz.core import plane
from viz.core.differences import way_to_compare
from viz.core.scene import Figure, Plane

BOX = (-3.0, 3.0, -5.0, 5.0)
X = np.random.default_rng(0).uniform(-3, 3, (20, 2))
DATA = Plane(X, np.zeros(20, int), ("a",), ("x", "y"), BOX)


def picture(
    what: str, *path: tuple[float, float], group: np.ndarray | None = None, **line
) -> Figure:
    """A picture with a path that shows what is found."""
    trace = plane.found(what, plane.line(np.array(path), line={"width": 3, **line}))
    points = plane.points(X, DATA.labels if group is None else group)
    return plane.figure([trace], BOX, points=points)


def compared(left: Figure, right: Figure, gives: str = "numbers") -> tuple[list[np.ndarray], str]:
    """What is drawn in both pictures, as paths, and the words."""
    compare = way_to_compare([left, right], DATA, gives)
    assert compare
    traces, words = compare([left, right], DATA)
    for figure in (left, right):
        accepted_by_plotly(figure | {"data": [*figure["data"], *traces]})
    return [np.stack([unpacked(each["x"]), unpacked(each["y"])], axis=1) for each in traces], words


def area(path: np.ndarray) -> float:
    """What a closed path goes around (of a bow tie, the difference of its two halves)."""
    x, y = path.T
    return abs(float(x[:-1] @ y[1:] - y[:-1] @ x[1:])) / 2


def test_what_lies_between_two_curves_is_filled_and_measured() -> None:
    level = picture(plane.CURVE, (-3, 1), (3, 1))
    bent = picture(plane.CURVE, (-3, 1), (1, 3), (3, 1))
    (between, bar), words = compared(level, bent)
    assert words == "Grey: between the two curves, 1 on average and 2 at most, at x = 1 (bar)."
    np.testing.assert_allclose(bar, [[1, 1], [1, 3]])
    assert area(between) == pytest.approx(6)
    short = picture(plane.CURVE, (-1, 2), (2, 2))  # only where both are there
    (between, _), words = compared(level, short)
    assert area(between) == pytest.approx(3) and "1 on average and 1 at most" in words


def test_steps_are_compared_as_steps() -> None:
    level = picture(plane.CURVE, (-3, 0), (3, 0))
    steps = picture(plane.CURVE, (-3, 1), (0, 4), (1, 0), (3, 0), shape="hv")
    (between, bar), words = compared(level, steps)
    assert area(between) == pytest.approx(3 * 1 + 1 * 4, rel=1e-4)
    assert "1.17 on average and 4 at most" in words and bar[:, 1].tolist() == [0, 4]


def test_curves_that_are_one_are_said_to_be() -> None:
    left, right = picture(plane.CURVE, (-3, 1), (3, 1)), picture(plane.CURVE, (-3, 1.001), (3, 1))
    drawn, words = compared(left, right)
    assert words == "Their curves are nowhere farther apart than 0.001."
    assert all(np.isnan(path).all() for path in drawn)


@pytest.mark.parametrize("turned", [1, -1])
def test_the_angle_between_two_axes_is_that_on_the_picture(turned: int) -> None:
    level = picture(plane.AXIS, (-3, 1), (3, 1))
    # The picture is 6 wide and 10 high, and as large both ways.
    tilted = picture(plane.AXIS, (-3, 1 - 5 * turned), (3, 1 + 5 * turned))
    (tie,), words = compared(level, tilted, "places")
    assert words == "Grey: between the two axes, 45.0° apart as they are drawn."
    np.testing.assert_allclose(tie[:2], [[-3, 1], [3, 1]])
    np.testing.assert_allclose(
        sorted(tie[2:4].tolist()), [[-3, 1 - 5 * turned], [3, 1 + 5 * turned]]
    )
    assert "0.0° apart" in compared(level, level, "places")[1]
    none = picture(plane.AXIS, (np.nan, np.nan))
    assert compared(level, none, "places")[1] == "One of them has no axis yet."
    upright = picture(plane.AXIS, (0, 1), (0, 1))
    (tie,), words = compared(level, upright, "places")
    assert words.startswith("One of the axes is seen as a point") and np.isnan(tie).all()


def test_inside_is_inside_in_both_regions() -> None:
    some, others = np.arange(20) < 15, np.arange(20) < 3
    left, right = (picture(plane.REGION, (0, 0), (1, 1), group=out) for out in (some, others))
    (rings,), words = compared(left, right, "groups")
    assert words == "Ringed: the 12 of 20 points that only one of them has outside."
    np.testing.assert_allclose(rings, X[3:15], atol=1e-6)
    assert compared(left, left, "groups")[1] == "They have the same points outside."


def test_what_differs_in_kind_is_not_compared() -> None:
    region, curve = (picture(what, (0, 0), (1, 1)) for what in (plane.REGION, plane.CURVE))
    groups = plane.figure([], BOX, points=plane.points(X, DATA.labels))
    assert way_to_compare([groups, groups], DATA, "groups")
    assert way_to_compare([groups, groups], DATA, "something else") is None
    assert way_to_compare([region, groups], DATA, "groups") is None
    assert way_to_compare([region, curve], DATA, "something else") is None
