from base64 import b64decode
from io import BytesIO
from itertools import pairwise

import contourpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray
from PIL import Image

from viz.core import naming, plane, theme
from viz.core.scene import Plane
from viz.core.theme import PALETTE, RGB

BOX = (-3.0, 3.0, -2.0, 4.0)


def unpacked(array: dict) -> ndarray:
    return np.frombuffer(b64decode(array["bdata"]), array["dtype"]).astype(float)


def path(trace: dict) -> ndarray:
    return np.column_stack([unpacked(trace["x"]), unpacked(trace["y"])])


def picture(trace: dict) -> Image.Image:
    kind, _, data = trace["source"].partition(",")
    assert kind == "data:image/png;base64"
    return Image.open(BytesIO(b64decode(data)))


# Bounds


@given(
    X=arrays(float, st.tuples(st.integers(1, 9), st.just(2)), elements=st.floats(-1e12, 1e12)),
)
def test_bounds_hold_all_points_with_a_margin(X: ndarray) -> None:
    left, right, bottom, top = plane.bounds(X)
    for values, low, high in ((X[:, 0], left, right), (X[:, 1], bottom, top)):
        room = 0.06 * (high - low)
        assert low + room <= values.min() <= values.max() <= high - room
        assert isinstance(low, float) and isinstance(high, float)


@pytest.mark.parametrize("unit", [1e-5, 1e-3, 1.0, 1e6, 1e12])
@pytest.mark.parametrize("ratio", [1.0, 2.0, 5.0])
def test_bounds_are_a_square_where_they_can_be(unit: float, ratio: float) -> None:
    X = np.array([[0, 0], [ratio, 1], [ratio / 2, 0.5]]) * unit
    left, right, bottom, top = plane.bounds(X)
    assert right - left == pytest.approx(top - bottom) == pytest.approx(1.16 * ratio * unit)
    assert ((left + right) / 2, (bottom + top) / 2) == pytest.approx((X[2, 0], X[2, 1]))


def test_features_on_very_different_scales_get_an_axis_each() -> None:
    left, right, bottom, top = plane.bounds(np.array([[0, 0], [1000, 1.0]]))
    assert (right - left, top - bottom) == pytest.approx((1160, 1.16))


@pytest.mark.parametrize(("ratio", "alike", "square"), [
    (5.9, True, True), (6.1, True, False), (1.9, False, True), (2.1, False, False),
])  # fmt: skip
def test_features_of_unlike_units_get_an_axis_each_sooner(ratio, alike, square) -> None:
    left, right, bottom, top = plane.bounds(np.array([[0, 0], [ratio, 1.0]]), alike=alike)
    assert (right - left == pytest.approx(top - bottom)) is square


def test_bounds_of_nothing_of_one_point_and_of_a_line() -> None:
    assert plane.bounds(np.empty((0, 2))) == (-3, 3, -3, 3)
    assert plane.bounds(np.array([[1.0, 5.0]])) == pytest.approx((-0.16, 2.16, 3.84, 6.16))
    assert plane.bounds(np.array([[1.0, 5.0]] * 3)) == plane.bounds(np.array([[1.0, 5.0]]))
    assert plane.bounds(np.array([[0.0, 5.0], [2.0, 5.0]])) == pytest.approx(
        (-0.16, 2.16, 3.84, 6.16)
    )


# Arrays


@pytest.mark.parametrize("kind", ["f4", "f8", "i4", "i8", "u1", "u2"])
def test_packed_round_trip(kind: str) -> None:
    values = np.arange(7).astype(kind)
    array = plane.packed(values)
    assert array["dtype"] in {"f4", "i4", "u1"}
    np.testing.assert_array_equal(unpacked(array), values)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([-1.0, 0.3, 2.0], "f4"),
        ([1e6, 1e6 + 1], "f8"),  # rounding would be seen
        ([5.0, 5.0], "f8"),
        ([np.nan, 0.1, 0.2], "f4"),
        ([np.nan], "f8"),
        ([0.0, 1e50], "f8"),
        ([0.0, 1e-40], "f8"),
        ([], "f8"),
    ],
)
def test_single_precision_only_where_it_moves_nothing(values: list[float], kind: str) -> None:
    array = plane.packed(np.array(values))
    assert array["dtype"] == kind
    span = np.ptp(values) if np.isfinite(values).all() and values else 1.0
    np.testing.assert_allclose(unpacked(array), values, rtol=0, atol=1e-5 * span)


def test_contours_are_those_of_contourpy_and_go_to_the_edges() -> None:
    x, y, _ = plane.grid(BOX, 20)
    values = x**2 - y[:, None]
    inner, outer = np.array([x[0], y[0]]) - 1e-9, np.array([x[-1], y[-1]]) + 1e-9
    (line,) = plane.contours(x, y, values).lines(1.0)
    (theirs,) = contourpy.contour_generator(x, y, values).lines(1.0)
    line, theirs = np.asarray(line), np.asarray(theirs)
    inside = line[((line >= inner) & (line <= outer)).all(axis=1)]
    np.testing.assert_array_equal(inside, theirs)
    for end in (line[0], line[-1]):
        assert min(abs(end[0] + 3), abs(end[0] - 3), abs(end[1] + 2), abs(end[1] - 4)) < 1e-9


def test_cells_are_shared_and_cannot_be_written_to() -> None:
    box = (0.0, 1.0, 0.0, 1.0)
    assert plane.grid(box)[2] is plane.grid(box)[2]
    squared = plane.on_grid(np.square, box)
    assert squared is plane.on_grid(np.square, box)
    np.testing.assert_array_equal(squared, plane.grid(box)[2] ** 2)
    for array in (*plane.grid(box), squared):
        assert not array.flags.writeable


def test_grid_goes_row_by_row_from_the_bottom_left() -> None:
    x, y, cells = plane.grid((0, 4, 10, 18), 2)
    assert (x.tolist(), y.tolist()) == ([1, 3], [12, 16])
    assert cells.tolist() == [[1, 12], [3, 12], [1, 16], [3, 16]]


# Images


@settings(deadline=None)
@given(
    winner=arrays(int, (5, 7), elements=st.integers(0, 7)),
    confidence=arrays(float, (5, 7), elements=st.floats(0, 1)),
)
def test_regions_decode_to_the_same_cells(winner: ndarray, confidence: ndarray) -> None:
    trace = plane.regions(winner, confidence, BOX)
    pixels = np.asarray(picture(trace).convert("RGBA"))
    np.testing.assert_array_equal(pixels[..., :3], np.array(RGB)[winner])
    for group in np.unique(winner):
        order = confidence[winner == group].argsort()
        assert (np.diff(pixels[winner == group, 3][order].astype(int)) >= 0).all()


def test_regions_of_the_first_four_groups_differ_in_greys_on_white() -> None:
    drawn = plane.regions(np.arange(4)[None], None, BOX)
    *rgb, alpha = np.moveaxis(np.asarray(picture(drawn).convert("RGBA"))[0] / 255, -1, 0)
    mixed = [alpha * channel + (1 - alpha) for channel in rgb]
    grey = 100 * (np.array([0.299, 0.587, 0.114]) @ mixed)  # as a printer makes it
    assert np.diff(np.sort(grey)).min() > 3
    assert abs(grey[0] - grey[1]) > 12  # most pictures have two


def test_regions_are_fainter_where_less_certain_and_never_hide_points() -> None:
    confidence = np.linspace(0, 1, 8)[None]
    trace = plane.regions(np.zeros((1, 8), int), confidence, BOX)
    alpha = np.asarray(picture(trace).convert("RGBA"))[0, :, 3].astype(int)
    assert (np.diff(alpha) > 0).all()
    assert 0 < alpha[0] < alpha[-1] < 160
    even = plane.regions(np.zeros((1, 8), int), None, BOX)
    assert len(set(np.asarray(picture(even).convert("RGBA"))[0, :, 3])) == 1


def test_row_0_of_an_image_is_at_the_bottom() -> None:
    cells = np.array([[0, 1, 2], [2, 1, 0]], np.uint8)
    colors = np.array([[255, 0, 0], [0, 255, 0], [0, 0, 255]], np.uint8)
    trace = plane.image(cells, colors, np.array([9, 99, 199], np.uint8), (0, 6, 10, 14))
    pixels = np.asarray(picture(trace).convert("RGBA"))
    np.testing.assert_array_equal(pixels[..., :3], colors[cells])
    np.testing.assert_array_equal(pixels[..., 3], np.array([9, 99, 199])[cells])
    # Plotly puts the file's first row at y0 and the next one dy higher, on an upward axis.
    assert (trace["x0"], trace["dx"], trace["y0"], trace["dy"]) == (1, 2, 11, 2)


# Boundaries


def test_the_border_of_a_linear_score_is_its_line() -> None:
    x, y, cells = plane.grid(BOX)
    score = (2 * cells[:, 0] - cells[:, 1] + 0.3).reshape(len(y), len(x))
    border = path(plane.borders(x, y, np.stack([score, -score])))[:-1]
    assert len(border) == 2, "a straight line needs its two ends"
    np.testing.assert_allclose(2 * border[:, 0] - border[:, 1] + 0.3, 0, atol=1e-5)


@pytest.mark.parametrize("classes", [2, 3])
def test_stairs_follow_the_edges_of_cells_of_different_classes(classes: int) -> None:
    cells = np.random.default_rng(0).integers(classes, size=(6, 8))
    left, right, bottom, top = BOX
    corners = path(plane.stairs(cells, np.arange(classes), BOX))
    for start, end in pairwise(corners):
        if np.isnan([start, end]).any():
            continue
        (x, y), (dx, dy) = (start + end) / 2, np.abs(end - start)
        column, row = 8 * (x - left) / (right - left), 6 * (y - bottom) / (top - bottom)
        if max(dx / (right - left), dy / (top - bottom)) < 0.01:
            continue  # it rounds a corner
        if not (0.01 < column < 7.99 and 0.01 < row < 5.99):
            continue  # it leaves the picture
        across, up = (round(column), int(row)) if dx < dy else (int(column), round(row))
        assert min(abs(column - round(column)), abs(row - round(row))) < 0.01
        pair = cells[up, across - 1 : across + 1] if dx < dy else cells[up - 1 : up + 1, across]
        assert pair[0] != pair[1]


@pytest.mark.parametrize("unit", [1e-4, 1.0, 1e6])
def test_the_border_of_a_circle_is_the_circle(unit: float) -> None:
    box = tuple(unit * side for side in BOX)
    x, y, cells = plane.grid(box)
    score = (1.7 * unit - np.hypot(*cells.T)).reshape(len(y), len(x))
    border = path(plane.borders(x, y, np.stack([score, -score])))[:-1] / unit
    radius = np.hypot(*border.T)
    np.testing.assert_allclose(radius, 1.7, atol=0.01)
    middles = (border[1:] + border[:-1]) / 2
    np.testing.assert_allclose(np.hypot(*middles.T), 1.7, atol=0.01)
    np.testing.assert_allclose(border[0], border[-1], atol=1e-5)
    assert len(border) < 0.5 * 340, "a curve needs few of its 340 points"


def test_borders_keep_their_shape_on_axes_of_very_different_scales() -> None:
    x, y, cells = plane.grid((0, 1000, 0, 1))
    u, v = cells[:, 0] / 500 - 1, cells[:, 1] * 2 - 1
    score = (0.7 - np.hypot(u, v)).reshape(len(y), len(x))
    border = path(plane.borders(x, y, np.stack([score, -score])))[:-1]
    radius = np.hypot(border[:, 0] / 500 - 1, border[:, 1] * 2 - 1)
    np.testing.assert_allclose(radius, 0.7, atol=0.01)
    assert len(border) > 12


def test_borders_of_three_classes_are_where_the_winner_changes() -> None:
    x, y, cells = plane.grid(BOX)
    anchors = np.array([[-1, 0], [1.5, 0], [0, 2]])
    distances = np.hypot(*(cells - anchors[:, None]).transpose(2, 0, 1))
    border = path(plane.borders(x, y, -distances.reshape(3, len(y), len(x))))
    border = border[~np.isnan(border[:, 0])]
    two_nearest = np.sort(np.hypot(*(border - anchors[:, None]).transpose(2, 0, 1)), axis=0)[:2]
    np.testing.assert_allclose(two_nearest[0], two_nearest[1], atol=0.05)


def test_borders_of_three_classes_end_where_they_meet() -> None:
    x, y, cells = plane.grid(BOX)
    anchors = np.array([[-1, 0], [1.5, 0], [0, 2]])
    distances = np.square(cells - anchors[:, None]).sum(axis=2)
    border = path(plane.borders(x, y, -distances.reshape(3, len(y), len(x))))
    pieces = np.split(border, np.flatnonzero(np.isnan(border[:, 0])) + 1)[:-1]
    assert [len(piece) - 1 for piece in pieces] == [2, 2, 2], "one straight line for each pair"
    A = 2 * (anchors[1:] - anchors[0])
    middle = np.linalg.solve(A, np.square(anchors[1:]).sum(axis=1) - np.square(anchors[0]).sum())
    for piece in pieces:
        inner = np.hypot(*(piece[:-1] - middle).T).min()
        assert inner < 1e-4, "it ends where all three are equally far"
        to_anchors = np.hypot(*(piece[:-1] - anchors[:, None]).transpose(2, 0, 1))
        two_nearest = np.sort(to_anchors, axis=0)[:2]
        np.testing.assert_allclose(two_nearest[0], two_nearest[1], atol=1e-4)


def test_a_class_that_is_impossible_in_places_has_a_border_there() -> None:
    x, y, _cells = plane.grid(BOX)
    scores = np.zeros((3, len(y), len(x)))
    scores[1] = np.where(x > 0.5, 1.0, -np.inf)
    scores[2] = -np.inf
    border = path(plane.borders(x, y, scores))[:-1]
    assert np.abs(border[:, 0] - 0.5).max() < (x[1] - x[0]), "between two cells"


@pytest.mark.parametrize("box", [BOX, (0.0, 1e6, 0.0, 1e-3)])
def test_level_lines_are_where_the_surface_has_the_value(box: tuple) -> None:
    x, y, cells = plane.grid(box)
    corner, size = np.array([box[0], box[2]]), np.array([box[1] - box[0], box[3] - box[2]])
    radius = np.hypot(*(2 * (cells - corner) / size - 1).T)  # in shares of half the picture
    surface = plane.contours(x, y, radius.reshape(len(y), len(x)))
    drawn = plane.level_lines(surface, box, 0.5, 0.8, width=2, dash="dot")
    assert drawn["line"] == {"shape": "spline", "width": 2, "dash": "dot"}
    found = np.hypot(*(2 * (path(drawn) - corner) / size - 1).T)
    first, second, *rest = np.split(found, np.flatnonzero(np.isnan(found)) + 1)
    for one, value in ((first, 0.5), (second, 0.8)):
        np.testing.assert_allclose(one[:-1], value, atol=1e-3)
        assert 12 < len(one) < 60
    assert not np.concatenate(rest).size
    assert np.isnan(path(plane.level_lines(surface, box, 9.0))).all()


def test_without_a_border_there_is_a_gap_only() -> None:
    x, y, _ = plane.grid(BOX, 5)
    trace = plane.borders(x, y, np.stack([np.ones((5, 5)), np.zeros((5, 5))]))
    assert np.isnan(path(trace)).all()


# Traces


def test_points_tell_their_group() -> None:
    X = np.array([[0.5, 1.5], [2.5, -1.0], [0.0, 0.0]])
    group, wrong = np.array([0, 7, 3]), np.array([False, True, False])
    points = plane.points(X, group, wrong)
    np.testing.assert_array_equal(path(points), X)
    assert unpacked(points["group"]).tolist() == [0, 7, 3]
    assert unpacked(points["wrong"]).astype(bool).tolist() == wrong.tolist()
    assert not unpacked(plane.points(X, group)["wrong"]).any()


@pytest.mark.parametrize("groups", [9, 64, 300, 70_000])
def test_there_may_be_any_number_of_groups(groups: int) -> None:
    group = np.arange(groups)
    points = plane.points(np.zeros((groups, 2)), group)
    assert unpacked(points["group"]).tolist() == group.tolist()
    cells = np.asarray(picture(plane.regions(group[:100][None], None, BOX)).convert("RGBA"))
    np.testing.assert_array_equal(cells[0, :, :3], np.array(RGB)[group[:100] % len(RGB)])
    assert plane.centers(np.zeros((min(groups, 99), 2)))["marker"]["color"][8] == PALETTE[0]


def test_no_two_of_the_first_64_groups_look_alike() -> None:
    assert len({(theme.color(j), theme.symbol(j)) for j in range(64)}) == 64


def test_points_may_have_sizes_and_strengths() -> None:
    X, size, strength = np.zeros((3, 2)), np.array([0.5, 1, 2]), np.array([0, 0.5, 1])
    points = plane.points(X, np.zeros(3, int), size=size, strength=strength)
    np.testing.assert_allclose(unpacked(points["size"]) / plane.SIZES, size)
    np.testing.assert_allclose(unpacked(points["strength"]) / 255, strength, atol=0.002)
    assert {"size", "strength"}.isdisjoint(plane.points(X, np.zeros(3, int)))


def test_edges_go_from_place_to_place() -> None:
    start, end = np.array([[0.0, 1.0], [2.0, 3.0]]), np.array([[4.0, 5.0], [6.0, 7.0]])
    edges = plane.edges(start, end, width=np.array([1.0, 3.0]), arrow=True)
    assert unpacked(edges["places"]).reshape(2, 4).tolist() == [[0, 1, 4, 5], [2, 3, 6, 7]]
    assert (unpacked(edges["width"]).tolist(), edges["arrow"]) == ([1, 3], True)
    assert len(unpacked(plane.edges(start[:0], end[:0])["places"])) == 0


def test_marks_tell_a_state_of_some_points() -> None:
    marks = plane.marks(np.array([1, 0]), (100, 134), (17, 9), 2.0)
    assert unpacked(marks["kind"]).tolist() == [1, 0]
    assert (marks["symbols"], marks["sizes"], marks["width"]) == ([100, 134], [17, 9], 2.0)


def test_a_figure_holds_what_the_stage_draws_only_where_it_is_given() -> None:
    assert set(plane.figure([], BOX)) == {"data", "layout"}
    points = plane.points(np.zeros((1, 2)), np.zeros(1, int))
    assert plane.figure([], BOX, points=points)["points"] is points


def test_points_far_from_the_origin_are_drawn_where_they_are() -> None:
    X = np.array([[1_700_000_000.0, 0.0], [1_700_000_060.0, 60.0]])  # seconds, say
    np.testing.assert_allclose(path(plane.points(X, np.zeros(2, int))), X, rtol=0, atol=0.1)


def test_centers_are_numbered_and_coloured_by_group() -> None:
    trace = plane.centers(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert (trace["x"], trace["y"], trace["text"]) == ([1, 3], [2, 4], ["1", "2"])
    assert trace["marker"]["color"] == list(PALETTE[:2])


def test_a_figure_is_on_the_axes_of_the_data() -> None:
    labels = np.zeros(3, int)
    figure = plane.data_only(Plane(np.zeros((3, 2)), labels, ("a",), ("width", "height"), BOX))
    layout = figure["layout"]
    assert (layout["xaxis"]["range"], layout["yaxis"]["range"]) == ([-3, 3], [-2, 4])
    assert layout["xaxis"]["title"]["text"] == "width"
    assert layout["yaxis"]["title"]["text"] == "height"


def test_a_straight_border_runs_from_edge_to_edge() -> None:
    corners = plane.on_corners(np.asarray, BOX)
    assert not corners.flags.writeable
    w, b = np.array([1.0, -2.0]), 0.5
    ends = path(plane.straight_border(corners @ w + b, BOX))[:-1]
    assert ends.shape == (2, 2)
    np.testing.assert_allclose(ends @ w + b, 0, atol=1e-6)
    np.testing.assert_allclose(np.sort(ends[:, 0]), [-3, 3])
    assert np.isnan(path(plane.straight_border(corners @ w + 50, BOX))).all()


@pytest.mark.parametrize("w", [[1.0, 5.0], [1.0, -5.0], [5.0, 1.0], [5.0, -1.0]])
def test_a_word_is_at_the_right_end_of_a_flat_line_and_at_the_upper_of_a_steep_one(w) -> None:
    left, right, bottom, top = BOX
    size = np.array([right - left, top - bottom])
    corners = np.array([[left, bottom], [right, bottom], [left, top], [right, top]])
    scores = (corners - corners.mean(axis=0)) / size @ np.array(w)
    border = plane.straight_border(scores, BOX)
    word = naming.word_at_end(border, BOX, "line")
    ends, (place,) = path(border)[:-1], path(word)
    (first, last) = ends[ends[:, int(abs(w[0]) > abs(w[1]))].argsort()]
    inwards = (place - last) @ (first - last) / ((first - last) @ (first - last))
    np.testing.assert_allclose(place, last + inwards * (first - last), atol=1e-5)
    at_end, has_room = np.isclose(inwards, 0.02), np.isclose(top - place[1], 0.07 * size[1])
    assert at_end or (inwards > 0.02 and has_room), (
        "at the end, or as far below the top as it needs"
    )
    assert word["text"] == ["line"]


def test_chance_is_no_certainty() -> None:
    np.testing.assert_allclose(plane.certainty(np.array([0.25, 1.0]), 4), [0, 1])
    assert plane.certainty(np.array([0.75]), 2) == 0.5
