import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from algorithms.data.truths import PARTS, TRUTHS, stretch, through
from tests.house.check_steps import AsInTheApp


@pytest.mark.parametrize("name", TRUTHS)
def test_a_formula_stays_on_the_board_and_keeps_the_shape(name: str) -> None:
    truth = TRUTHS[name]
    x = np.linspace(truth.low, truth.high, 300).reshape(3, 100)
    values = truth(x)
    assert values.shape == x.shape
    assert (np.abs(values) <= 3).all()
    assert np.ptp(values) > 1
    assert truth.name == name


def test_formulas_by_hand() -> None:
    at = np.array([-3.0, 0.0, 1.5])
    np.testing.assert_allclose(TRUTHS["sine"](at), [0, 0, 2], atol=1e-15)
    np.testing.assert_allclose(TRUTHS["line"](at), [-2.1, 0.3, 1.5])
    np.testing.assert_allclose(TRUTHS["cubic"](at), [-2.4, 0, -0.825])
    np.testing.assert_allclose(TRUTHS["step"](at), [-1.5, -1.5, 1.5])
    np.testing.assert_allclose(TRUTHS["bump"](at), [-1, 2, 3 * np.exp(-4.5) - 1], atol=1e-7)
    np.testing.assert_allclose(TRUTHS["kink"](at), [1.8, -1.8, 0], atol=1e-15)


@pytest.mark.parametrize("name", TRUTHS)
def test_a_formula_jumps_only_where_it_says(name: str) -> None:
    truth = TRUTHS[name]
    x = np.linspace(truth.low, truth.high, 60_001)
    steps = np.abs(np.diff(truth(x)))
    places = x[1:][steps > 0.01]
    assert places == pytest.approx(np.array(truth.jumps))
    for jump in truth.jumps:
        left, right = truth(np.array([np.nextafter(jump, -np.inf), jump]))
        assert abs(right - left) == pytest.approx(steps.max())


def test_a_drawn_truth_goes_through_points_that_lie_apart() -> None:
    X = np.array([[2.0, 1.0], [-1.0, 3.0], [0.0, -2.0], [5.0, 0.5]])
    truth = through(X)
    np.testing.assert_allclose(truth(X[:, 0]), X[:, 1], atol=1e-12)
    assert (truth.low, truth.high) == (-1, 5)
    assert truth.text == "a smooth curve through the points (4 places)"


def test_points_close_together_count_as_one_at_their_mean() -> None:
    X = np.array([[0.0, 0.0], [10.0, 1.0], [5.1, 2.0], [5.2, 4.0], [5.1, 6.0]])
    truth = through(X)
    np.testing.assert_allclose(truth(np.array([15.4 / 3])), [4.0], atol=1e-12)


def test_a_drawn_truth_ends_in_the_first_and_the_last_point() -> None:
    X = np.array([[0.0, 1.0], [0.1, 3.0], [5.0, 2.0], [9.9, 0.0], [10.0, 4.0]])
    truth = through(X)
    np.testing.assert_allclose(truth(np.array([0.0, 10.0])), [1, 4], atol=1e-12)


def test_a_dense_stroke_becomes_a_smooth_curve() -> None:
    x = np.linspace(-3, 3, 400)
    truth = through(np.column_stack([x, 2 * np.sin(x) + 0.01 * np.sin(90 * x)]))
    np.testing.assert_allclose(truth(x[10:-10]), 2 * np.sin(x[10:-10]), atol=0.05)


def test_points_at_one_x_make_a_constant_on_the_spare_stretch() -> None:
    truth = through(np.array([[1.0, 2.0], [1.0, 4.0]]), spare=(-2.0, 2.0))
    assert (truth.low, truth.high) == (-2, 2)
    np.testing.assert_array_equal(truth(np.linspace(-2, 2, 5)), np.full(5, 3.0))


def test_the_stretch_of_points() -> None:
    assert stretch(np.array([2.0, -1.0, 5.0]), spare=(0.0, 1.0)) == (-1, 5)
    assert stretch(np.array([2.0, 2.0]), spare=(0.0, 1.0)) == (0, 1)
    assert stretch(np.empty(0), spare=(0.0, 1.0)) == (0, 1)


@settings(max_examples=80, deadline=None)
@given(
    X=arrays(float, st.tuples(st.integers(1, 40), st.just(2)), elements=st.floats(-9, 9)),
    across=st.sampled_from([1e-90, 1e-9, 1.0, 1e12, 1e90]),
    up=st.sampled_from([1e-90, 1.0, 1e90]),
    away=st.sampled_from([0.0, 1e6]),
)
def test_a_drawn_truth_never_leaves_the_heights_of_its_points(
    X: np.ndarray, across: float, up: float, away: float
) -> None:
    X = (X + away) * [across, up]
    truth = through(X, spare=(-1.0, 1.0))
    assert truth.low < truth.high
    assert len(truth.formula.places) <= PARTS + 2
    values = truth(np.linspace(truth.low, truth.high, 500))
    slack = 1e-9 * max(np.abs(X[:, 1]).max(), 1e-300)
    assert (X[:, 1].min() - slack <= values).all()
    assert (values <= X[:, 1].max() + slack).all()


def test_points_that_are_none_are_refused() -> None:
    with AsInTheApp(), pytest.raises(ValueError, match="X must have 2 columns, x and y, got 3"):
        through(np.zeros((4, 3)))
    with AsInTheApp(), pytest.raises(ValueError, match="X must be finite"):
        through(np.array([[np.nan, 1.0]]))
