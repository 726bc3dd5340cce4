"""Standard errors of bias^2 and variance, which are means over the pairs of training sets.

With d_s = h_s - f, the error of set s, and averages over x written <..>, over the b sets so far

    bias^2 = mean of <d_s d_u>                  over the pairs s != u
    variance = mean of <(d_s - d_u)^2> / 2      over the same pairs

A mean over pairs is a U-statistic. Leaving set s out removes the 2 (b - 1) ordered pairs that
contain it. Their terms add up to 2 r_s, and the jackknife's variance of the mean is

    4 / (b (b - 1) (b - 2)^2)  sum_s (r_s - mean of r)^2

On average it is not too small (Efron and Stein 1981); where the bias is 0, it is twice too large.

Cost: O(b c g) for the b-th set, c complexities and g places.

Source: Arvesen 1969 (jackknifing U-statistics).
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray


class Pairs:
    """The sums over the pairs that each set is in, while sets come one at a time."""

    def __init__(self, n_sets: int, complexities: int, places: int) -> None:
        """Make room for the errors of `n_sets` sets."""
        self.count = 0
        self._errors = np.empty((complexities, n_sets, places))
        self._squares = np.zeros((complexities, n_sets))  # <d_s^2>
        self._products = np.zeros((complexities, n_sets))  # sum over u of <d_s d_u>

    def add(self, errors: Float[ndarray, "c g"]) -> None:
        """Add a set by its errors h - f."""
        b, places = self.count, errors.shape[1]
        products = (self._errors[:, :b] @ errors[:, :, None])[:, :, 0] / places
        self._products[:, :b] += products
        self._products[:, b] = products.sum(axis=1)
        self._squares[:, b] = np.square(errors).mean(axis=1)
        self._errors[:, b] = errors
        self.count += 1

    @property
    def bias_error(self) -> Float[ndarray, " c"]:
        """Return the standard error of bias^2, the average over x; 0 before three sets."""
        return self._jackknife(self._products[:, : self.count])

    @property
    def variance_error(self) -> Float[ndarray, " c"]:
        """Return the standard error of the variance, the average over x; 0 before three sets."""
        b, squares = self.count, self._squares[:, : self.count]
        both = (b - 2) * squares + squares.sum(axis=1, keepdims=True)
        return self._jackknife(both / 2 - self._products[:, :b])

    def _jackknife(self, sums: Float[ndarray, "c b"]) -> Float[ndarray, " c"]:
        b = self.count
        if b < 3:
            return np.zeros(len(sums))
        return np.sqrt(4 * sums.var(axis=1) / (b - 1)) / (b - 2)
