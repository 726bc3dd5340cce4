"""The numbers that data may hold, and how they are rounded and written briefly.

Most columns are decimals: integers divided by a power of ten. A negative number of places stands
for multiples of ten, a hundred, and so on.
"""

import numpy as np
from numpy import ndarray

MAX_VALUE = 1e12
LEAST_SPREAD = 1e-40  # of a column that is not constant, since algorithms use powers of its inverse
MOST_PLACES = 60
DIGITS = 15  # significant digits that a floating-point number can hold
FINE = 4  # painted points are rounded to less than a 10,000th of the picture


def is_in_range(values: ndarray) -> bool:
    """Return whether the algorithms can compute with a column."""
    if not len(values):
        return True
    spread = np.ptp(values)
    # with a margin, because a link may have rounded the column
    within = np.abs(values).max() <= 1.001 * MAX_VALUE
    return bool(within and (spread == 0 or spread >= LEAST_SPREAD))


def fine_places(spread: float, fine: int = FINE) -> int:
    """Return the decimal places to which painted points are rounded on an axis of this length."""
    return int(np.ceil(fine - np.log10(spread)))


def rounded(values: ndarray, places: int) -> ndarray:
    """Round to decimal places, exactly as `from_integers` computes the numbers."""
    return from_integers(to_integers(values, places), places)


def places_of(values: ndarray) -> int | None:
    """Return the fewest decimal places that hold all values exactly; None if 15 digits do not."""
    most = float(np.abs(values).max(initial=0.0))
    if most == 0:
        return 0
    first = -int(np.floor(np.log10(most)))
    if first > MOST_PLACES:
        return None
    for places in range(first, first + DIGITS):
        integers = to_integers(values, places)
        if np.array_equal(from_integers(integers, places), values):
            return places
    return None


def to_integers(values: ndarray, places: int) -> ndarray:
    """Return the values times 10 ** places, rounded to integers, as floats."""
    return np.rint(values * 10.0**places if places >= 0 else values / 10.0**-places)


def from_integers(integers: ndarray, places: int) -> ndarray:
    """Return integers / 10 ** places: the numbers that `to_integers` rounded."""
    return integers / 10.0**places if places >= 0 else integers * 10.0**-places
