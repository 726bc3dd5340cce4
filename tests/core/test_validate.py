import numpy as np
import pytest

from algorithms.core import validate
from tests.house.check_steps import AsInTheApp


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (np.zeros(5), r"X must have shape (n, d) with n and d at least 1, got shape (5,)"),
        (np.zeros((0, 2)), r"X must have shape (n, d) with n and d at least 1, got shape (0, 2)"),
        ([[1.0, np.nan]], "X must be finite, got nan"),
        ([[1.0, -np.inf]], "X must be finite, got -inf"),
        ([[1.0, -2e200]], "X must stay within ±1e+100, got -2e+200"),
        ([["a"]], "X must hold numbers, got an array of <U1"),
        ([[1j]], "X must hold numbers, got an array of complex128"),
    ],
)
def test_points(X: object, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        validate.points(X)
    assert str(caught.value) == sentence


def test_points_become_floats() -> None:
    assert validate.points([[1, 2], [3, 4]]).dtype == float


@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        (np.array([1, 2]), "y must have shape (n,) = (3,) like X, got shape (2,)"),
        (np.array([7, 7, 7]), "y must name at least two classes, got only class 7"),
        (np.array([0.0, 1.0, 2.0]), "y must hold integers, got an array of float64"),
    ],
)
def test_labels(y: np.ndarray, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        validate.labels(y, 3)
    assert str(caught.value) == sentence


def test_two_labels() -> None:
    classes, signs = validate.two_labels(np.array([7, 2, 7]), 3)
    assert (classes.tolist(), signs.tolist()) == ([2, 7], [1.0, -1.0, 1.0])
    with pytest.raises(ValueError) as caught:
        validate.two_labels(np.array([4, 5, 6]), 3)
    assert str(caught.value) == (
        "y must name exactly two classes, got 3: erase or relabel the points of the others"
    )


@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        (np.array([1.0, 2.0]), "y must have shape (n,) = (3,) like X, got shape (2,)"),
        (np.array([1.0, 2.0, np.inf]), "y must be finite, got inf"),
        (np.array([1.0, 2.0, 1e150]), "y must stay within ±1e+100, got 1e+150"),
        (np.array(["a", "b", "c"]), "y must hold numbers, got an array of <U1"),
    ],
)
def test_targets(y: np.ndarray, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        validate.targets(y, 3)
    assert str(caught.value) == sentence


def test_targets_become_floats() -> None:
    assert validate.targets(np.array([1, 2, 3]), 3).dtype == float


def test_too_many_labels() -> None:
    with pytest.raises(ValueError, match="y must name at most 50 classes, got 200"):
        validate.labels(np.arange(200), 200)


def test_labels_are_any_integers() -> None:
    classes, codes = validate.labels(np.array([9, -4, 9], dtype=np.int16), 3)
    assert classes.tolist() == [-4, 9]
    assert codes.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (8, "k must be between 1 and n=5, got k=8"),
        (0, "k must be between 1 and n=5, got k=0"),
        (2.5, "k must be a whole number, got k=2.5"),
        (True, "k must be a whole number, got k=True"),
    ],
)
def test_integer(value: object, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        validate.integer("k", value, 1, 5, high_name="n")
    assert str(caught.value) == sentence


def test_number_and_choice() -> None:
    assert validate.number("penalty", np.float64(0)) == 0
    for bad in (-1, np.nan, np.inf, "1"):
        with pytest.raises(ValueError, match="penalty must be a number from 0"):
            validate.number("penalty", bad)
    with pytest.raises(ValueError, match="rate must be positive, got rate=0"):
        validate.number("rate", 0, positive=True)
    with pytest.raises(ValueError, match="method must be one of 'a', 'b', got method='c'"):
        validate.choice("method", "c", ("a", "b"))
