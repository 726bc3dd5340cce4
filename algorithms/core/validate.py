"""Checks of arguments, and the error messages about them.

Every check raises `ValueError` naming the parameter, the requirement and the value, for example
`k must be between 1 and n=5, got k=8`, and returns the value in the form the algorithms work with.
"""

from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

LIMIT = 1e100
"""The largest magnitude accepted anywhere: squares, and sums of them, cannot overflow."""

MAX_CLASSES = 50
"""More classes than this are a sign that `y` is a number to predict, not a class."""


class OneClass(ValueError):
    """Raised when `y` names one class and two or more are needed; a page replaces the message."""


class TooManyClasses(ValueError):
    """Raised when `count` classes were given and two are needed; a page replaces the message."""

    def __init__(self, count: int) -> None:
        """Write the message in terms of `y`."""
        self.count = count
        super().__init__(
            f"y must name exactly two classes, got {count}: "
            "erase or relabel the points of the others"
        )


def points(X: Any, *, name: str = "X") -> Float[ndarray, "n d"]:
    """Return `X` as an (n, d) array of finite floats with at least one row and one column.

    The array is row-major in memory. NumPy rounds sums differently in column-major order, and then
    the same numbers could give another run.
    """
    array = _array(X, name, "numbers", kinds="fiub").astype(float, order="C", copy=False)
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(
            f"{name} must have shape (n, d) with n and d at least 1, got shape {array.shape}"
        )
    within(array, name=name)
    return array


def within(array: Float[ndarray, "..."], *, name: str, limit: float = LIMIT) -> None:
    """Raise ValueError for NaN, infinity and magnitudes beyond `limit`."""
    if np.abs(array).max() <= limit:  # false for NaN too
        return
    worst = array[~(np.abs(array) <= limit)][0]
    if np.isfinite(worst):
        raise ValueError(f"{name} must stay within ±{limit:g}, got {worst:g}")
    raise ValueError(f"{name} must be finite, got {worst}")


def labels(y: Any, n: int) -> tuple[Int[ndarray, " k"], Int[ndarray, " n"]]:
    """Return the sorted classes of `y` (n integers, two classes or more) and each point's index."""
    classes, codes = categories(y, n)
    if len(classes) == 1:
        raise OneClass(f"y must name at least two classes, got only class {classes[0]}")
    return classes, codes


def categories(y: Any, n: int) -> tuple[Int[ndarray, " k"], Int[ndarray, " n"]]:
    """Return the sorted classes of `y` (n integers, one class or more) and each point's index."""
    classes, codes = np.unique(integers(y, n), return_inverse=True)
    if len(classes) > MAX_CLASSES:
        raise ValueError(f"y must name at most {MAX_CLASSES} classes, got {len(classes)}")
    return classes, codes


def two_labels(y: Any, n: int) -> tuple[Int[ndarray, " 2"], Float[ndarray, " n"]]:
    """Return the two classes of `y`, and -1 for each point of the first, +1 for the second."""
    classes, codes = labels(y, n)
    if len(classes) > 2:
        raise TooManyClasses(len(classes))
    return classes, np.where(codes == 1, 1.0, -1.0)


def targets(y: Any, n: int) -> Float[ndarray, " n"]:
    """Return the numbers to predict, `y`, as n finite floats."""
    array = _array(y, "y", "numbers", kinds="fiub").astype(float, copy=False)
    if array.shape != (n,):
        raise ValueError(f"y must have shape (n,) = ({n},) like X, got shape {array.shape}")
    within(array, name="y")
    return array


def integers(y: Any, n: int) -> Int[ndarray, " n"]:
    """Return `y` as n integers, of one class or more."""
    array = _array(y, "y", "integers", kinds="iub")
    if array.shape != (n,):
        raise ValueError(f"y must have shape (n,) = ({n},) like X, got shape {array.shape}")
    return array.astype(int, copy=False)


def integer(
    name: str, value: Any, low: int, high: int | None = None, *, high_name: str = ""
) -> int:
    """Return `value` if it is a whole number from `low` to `high`."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise ValueError(f"{name} must be a whole number, got {name}={value!r}")
    if high is None and value < low:
        raise ValueError(f"{name} must be at least {low}, got {name}={value}")
    if high is not None and not low <= value <= high:
        top = f"{high_name}={high}" if high_name else f"{high}"
        raise ValueError(f"{name} must be between {low} and {top}, got {name}={value}")
    return int(value)


def number(name: str, value: Any, *, positive: bool = False) -> float:
    """Return `value` if it is a number from 0 (excluded if `positive`) to `LIMIT`."""
    real = isinstance(value, int | float | np.integer | np.floating)
    if not real or isinstance(value, bool) or not 0 <= value <= LIMIT:
        raise ValueError(f"{name} must be a number from 0 to {LIMIT:g}, got {name}={value!r}")
    if positive and value == 0:
        raise ValueError(f"{name} must be positive, got {name}={value!r}")
    return float(value)


def choice(name: str, value: Any, options: tuple[str, ...]) -> str:
    """Return `value` if it is one of `options`."""
    if value not in options:
        listed = ", ".join(repr(option) for option in options)
        raise ValueError(f"{name} must be one of {listed}, got {name}={value!r}")
    return value


def _array(value: Any, name: str, what: str, *, kinds: str) -> ndarray:
    try:
        array = np.asarray(value)
    except ValueError as error:  # ragged lists
        raise ValueError(f"{name} must be an array of {what}: {error}") from None
    if array.dtype.kind not in kinds:
        raise ValueError(f"{name} must hold {what}, got an array of {array.dtype}")
    return array
