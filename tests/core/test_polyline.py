from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray

from viz.core.plane import GAP
from viz.core.polyline import simplified


@settings(max_examples=300, deadline=None)
@given(
    path=arrays(float, st.tuples(st.integers(2, 15), st.just(2)), elements=st.floats(-2, 2)),
    tolerance=st.sampled_from([0.001, 0.05, 0.5]),
    closed=st.booleans(),
)
def test_simplification_stays_within_the_tolerance(
    path: ndarray, tolerance: float, closed: bool
) -> None:
    path[-1] = path[0] if closed else path[-1]
    kept = simplified(path, tolerance)
    np.testing.assert_array_equal(kept[[0, -1]], path[[0, -1]])
    rows = {tuple(row) for row in path}
    assert all(tuple(row) in rows for row in kept)
    for point in path:
        assert min(distance(point, a, b) for a, b in pairwise(kept)) <= tolerance + 1e-9


def distance(point: ndarray, a: ndarray, b: ndarray) -> float:
    """Return the distance of a point from the segment between a and b."""
    length = float((b - a) @ (b - a))
    share = min(1.0, max(0.0, float((point - a) @ (b - a)) / length)) if length > 0 else 0.0
    return float(np.hypot(*(point - a - share * (b - a))))


@pytest.mark.parametrize("tolerance", [1e-4, 1e-3, 1e-2])
def test_a_curve_needs_few_points_and_a_straight_line_two(tolerance: float) -> None:
    turn = np.linspace(0, 2 * np.pi, 4000)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    fewest = np.pi / np.arccos(1 - tolerance)  # of a polygon inside the circle
    assert fewest <= len(simplified(circle, tolerance)) <= 3 * fewest
    straight = np.outer(np.arange(1000), [1.0, 0.1])
    np.testing.assert_array_equal(simplified(straight, tolerance), straight[[0, -1]])


def test_gaps_stay_and_every_piece_has_its_ends() -> None:
    pieces = [np.outer(np.arange(m), [1.0, 2.0]) + m for m in (2, 3, 10, 1)]
    path = np.concatenate([part for piece in pieces for part in (piece, GAP)])
    ends = [piece[sorted({0, len(piece) - 1})] for piece in pieces]
    expected = np.concatenate([part for piece in ends for part in (piece, GAP)])
    np.testing.assert_array_equal(simplified(path, 0.01), expected)


@pytest.mark.parametrize("path", [np.zeros((0, 2)), GAP, np.ones((1, 2)), np.ones((2, 2))])
def test_nothing_to_leave_out(path: ndarray) -> None:
    np.testing.assert_array_equal(simplified(path, 1.0), path)
