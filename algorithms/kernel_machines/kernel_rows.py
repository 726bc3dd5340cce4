"""The kernel matrix of the points, row by row.

A run needs the rows of the points that it moves, which are often few. A row is computed when it is
first asked for, and kept. With few points the whole matrix costs less than its rows one by one.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core.kernels import Kernel

FEW = 400  # points: up to this many, the whole matrix is computed at once
CACHED = 4_000_000  # numbers kept at most (32 MB)
FLATTEST = 1e-12  # of the largest |K_ii|: the curvature of a direction that has none, or bends up


class KernelRows:
    """K_ij = k(x_i, x_j), where K[i] is row i, and the curvatures of D along pairs."""

    def __init__(self, kernel: Kernel, points: Float[ndarray, "n d"]) -> None:
        """Compute the diagonal and, for few points, all rows."""
        self._kernel, self._points = kernel, points
        self._scales: dict[int, ndarray] = {}
        if len(points) <= FEW:
            matrix = kernel(points, points)
            self._diagonal = matrix.diagonal().copy()
            self._rows = dict(enumerate(matrix))
        else:
            self._diagonal = kernel.diagonal(points)
            self._rows = {}
        self.diagonal: list[float] = self._diagonal.tolist()
        self.largest = float(np.abs(self._diagonal).max())
        self.flattest = FLATTEST * self.largest or FLATTEST

    def __getitem__(self, i: int) -> Float[ndarray, " n"]:
        row = self._rows.get(i)
        if row is None:
            self._make_room()
            row = self._rows[i] = self._kernel(self._points[i : i + 1], self._points)[0]
        return row

    def eta(self, i: int, j: int) -> float:
        """Return eta_ij = K_ii + K_jj - 2 K_ij: 0 for twins, negative if K is indefinite."""
        return self.diagonal[i] + self.diagonal[j] - 2 * self[i].item(j)

    def root_eta(self, j: int) -> Float[ndarray, " n"]:
        """Return the square root of eta_ij for every i, as if none were flatter than `flattest`."""
        scales = self._scales.get(j)
        if scales is None:
            self._make_room()
            eta = self._diagonal + self.diagonal[j] - 2 * self[j]
            scales = self._scales[j] = np.sqrt(np.maximum(eta, self.flattest))
        return scales

    def sums(self, beta: Float[ndarray, " n"]) -> Float[ndarray, " n"]:
        """Return sum_j K_ij beta_j for every i."""
        total = np.zeros(len(beta))
        used = np.flatnonzero(beta)
        for first in range(0, len(used), 256):
            block = used[first : first + 256]
            total += beta[block] @ self._kernel(self._points[block], self._points)
        return total

    def _make_room(self) -> None:
        if (len(self._rows) + len(self._scales) + 1) * len(self._diagonal) > CACHED:
            self._rows.clear()
            self._scales.clear()
