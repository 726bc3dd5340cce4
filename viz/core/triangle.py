"""A triangle whose places stand for the shares of three sides: a corner is a share of 1."""

import numpy as np
from numpy import ndarray

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])


def shares_at(places: ndarray) -> ndarray:
    """Return the shares of the three corners at places; they are negative outside."""
    ends = np.vstack([CORNERS.T, np.ones(3)])
    return np.linalg.solve(ends, np.vstack([places.T, np.ones(len(places))])).T
