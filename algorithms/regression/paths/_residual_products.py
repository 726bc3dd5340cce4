"""The products x_j.r of all columns with the residuals, and f, while single weights change.

With r = y - X w: a weight w_j that changes by z takes z X^T x_j off the products, and f falls by

    z x_j.r - ||x_j||^2 z^2 / 2 - penalty (|w_j + z| - |w_j|)

Cost: O(n d^2) once; O(d) a change.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.regression.paths.about_means import AboutMeans


class ResidualProducts:
    """Starts from w = 0. `columns` are those that vary, `squares` the ||x_j||^2 of all.

    `objective` is f, `violation` by how much the conditions for a minimum were broken when they
    were checked last, and `largest` the largest penalty that matters.
    """

    def __init__(self, data: AboutMeans, penalty: float) -> None:
        self.penalty = penalty
        self._gram, self._of_y = data.X.T @ data.X, data.X.T @ data.y
        self.squares: list[float] = self._gram.diagonal().tolist()
        self.columns: list[int] = np.flatnonzero(self._gram.diagonal()).tolist()
        self.largest = float(np.abs(self._of_y).max())
        self.products = self._of_y.copy()
        self.objective = float(data.y @ data.y) / 2
        self.violation = self._broken(np.zeros(len(self.products)))

    def change(self, j: int, before: float, after: float) -> float:
        """Change the weight of column j; return by how much f falls."""
        change = after - before
        fall = (
            change * float(self.products[j])
            - self.squares[j] * change * change / 2
            - self.penalty * (abs(after) - abs(before))
        )
        self.products -= change * self._gram[j]
        self.objective -= fall
        return fall

    def check(self, w: Float[ndarray, " d"]) -> float:
        """Return by how much the conditions for a minimum are broken at the worst column.

        The products are computed anew, so that rounding does not add up from sweep to sweep.
        """
        self.products = self._of_y - self._gram @ w
        self.violation = self._broken(w)
        return self.violation

    def _broken(self, w: Float[ndarray, " d"]) -> float:
        c, penalty = self.products, self.penalty
        broken = np.where(w != 0, np.abs(c - penalty * np.sign(w)), np.abs(c) - penalty)
        return max(0.0, float(broken.max()))
