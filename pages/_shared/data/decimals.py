"""Which numbers the data may hold, and how they are rounded and written briefly.

Most columns are decimals: integers of so many places, negative ones for whole tens and hundreds.
"""

import numpy as np
from numpy import ndarray

MAX_VALUE = 1e12
LEAST_SPREAD = 1e-40  # of a column that is not constant: algorithms take its inverse to powers
MOST_PLACES = 60
DIGITS = 15  # of a number, which floating-point numbers tell apart
FINE = 4  # what is painted is rounded to less than a 10,000th of the picture


def is_in_range(values: ndarray) -> bool:
    """Return whether a column can be computed with."""
    if not len(values):
        return True
    spread = np.ptp(values)
    within = np.abs(values).max() <= 1.001 * MAX_VALUE  # a link may have rounded it
    return bool(within and (spread == 0 or spread >= LEAST_SPREAD))


def fine_places(spread: float) -> int:
    """Return the places to which what spreads so far is rounded when it is painted."""
    return int(np.ceil(FINE - np.log10(spread)))


def rounded(values: ndarray, places: int) -> ndarray:
    """Round to so many places, exactly as `from_integers` makes the numbers."""
    return from_integers(to_integers(values, places), places)


def places_of(values: ndarray) -> int | None:
    """Return the fewest decimal places that hold all values exactly; None if no number does."""
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
    """Return the nearest integers of so many places, as floating-point numbers."""
    return np.rint(values * 10.0**places if places >= 0 else values / 10.0**-places)


def from_integers(integers: ndarray, places: int) -> ndarray:
    """Return the numbers that integers of so many places stand for."""
    return integers / 10.0**places if places >= 0 else integers * 10.0**-places
