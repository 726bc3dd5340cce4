"""Mean and variance of arrays that come one at a time (Welford 1962)."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray


class Running:
    """The mean and the variance, dividing by the count, of the values added so far: 0 before any.

    Values may be added to some of the places only; `count` says how many each place has had.
    """

    def __init__(self, *shape: int) -> None:
        self.count = np.zeros(shape[-1])
        self.mean = np.zeros(shape)
        self._squares = np.zeros(shape)

    def add(self, values: Float[ndarray, "..."], which: ndarray | bool = True) -> None:
        """Add an array of values, at those places of the last axis where `which` is true."""
        self.count += which
        before = (values - self.mean) * which
        self.mean += before / np.maximum(self.count, 1)
        self._squares += before * (values - self.mean)

    @property
    def variance(self) -> Float[ndarray, "..."]:
        """Return the mean of the squared deviations from the mean."""
        return self._squares / np.maximum(self.count, 1)
