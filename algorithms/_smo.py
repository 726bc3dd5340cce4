"""The arithmetic of sequential minimal optimisation: choose a pair, move it, keep what is needed.

Everything is in the signed duals beta_i = alpha_i y_i, between low_i and high_i, which are 0 and C
for y_i = +1, -C and 0 for y_i = -1. The error of a point, g_i = y_i - sum_j beta_j K_ij, is kept
for all points and changed by two rows of K per move.

Cost of a choice and a move: O(n), plus a row of K when a point is chosen for the first time.

The masked copies of g make a choice two passes over the points (perf.md section 5): `_up` is -inf
where beta cannot rise and `_down` +inf where it cannot fall, and both survive subtraction.

In a tie the later point is chosen, and of a pair the one that falls is chosen first, as in libsvm:
so a run with an indefinite kernel, whose end depends on the way there, ends where libsvm's does.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

FLATTEST = 1e-12  # of the largest |K_ii|: the curvature of a direction that has none, or bends up
CACHED = 8_000_000  # numbers of K kept at most (64 MB)


class Choice(NamedTuple):
    """The pair that breaks the conditions most: beta_i rises, beta_j falls."""

    i: int
    j: int
    top: float  # the largest g of all that can rise, and
    bottom: float  # the smallest g of all that can fall: the optimum has top <= bottom


class Move(NamedTuple):
    """A step along (+1, -1) in (beta_i, beta_j): `wanted` is best, `taken` stays in the box."""

    before: tuple[float, float]  # alpha_i, alpha_j
    after: tuple[float, float]
    slope: float  # g_i - g_j
    curvature: float  # K_ii + K_jj - 2 K_ij: 0 for duplicates, negative if K is indefinite
    wanted: float  # slope / curvature, or as good as infinite where D does not bend down
    taken: float
    gain: float  # by how much the dual objective rises


class DualAscent:
    """The state of a run; `beta` and `errors` belong to the caller to read, not to write."""

    def __init__(
        self,
        row: Callable[[int], Float[ndarray, " n"]],
        diagonal: Float[ndarray, " n"],
        signs: Float[ndarray, " n"],
        C: float,
    ) -> None:
        """Start from beta = 0. `row` gives a row of the kernel matrix."""
        self.beta = np.zeros(len(signs))
        self._last = len(signs) - 1
        self._low, self._high = np.minimum(signs * C, 0).tolist(), np.maximum(signs * C, 0).tolist()
        self._three = np.stack(
            [signs, np.where(signs > 0, signs, -np.inf), np.where(signs < 0, signs, np.inf)]
        )
        self.errors, self._up, self._down = self._three
        self._row, self._diagonal = row, diagonal
        self._flattest = FLATTEST * float(np.abs(diagonal).max()) or FLATTEST
        self._rows: dict[int, tuple[ndarray, ndarray]] = {}
        self._slopes, self._scratch = np.empty(len(signs)), np.empty(len(signs))

    def choose(self) -> Choice:
        """Return j with the smallest g, and i with the largest rise of the dual in one free step.

        That rise is (g_i - g_j)^2 / (2 curvature): the second-order rule of Fan, Chen and Lin 2005.
        """
        j = self._last - int(self._down[::-1].argmin())
        bottom = self._down.item(j)
        np.subtract(self._up, bottom, out=self._slopes)
        top = bottom + float(self._slopes.max())
        np.multiply(self._slopes, self._kernel_row(j)[1], out=self._scratch)
        return Choice(self._last - int(self._scratch[::-1].argmax()), j, top, bottom)

    def move(self, i: int, j: int) -> Move:
        """Move the pair to the best place its box allows."""
        row_i, row_j = self._kernel_row(i)[0], self._kernel_row(j)[0]
        old_i, old_j = self.beta.item(i), self.beta.item(j)
        high, low = self._high[i], self._low[j]
        slope = self.errors.item(i) - self.errors.item(j)
        bend = self._diagonal.item(i) + self._diagonal.item(j) - 2 * row_i.item(j)
        wanted = slope / max(bend, self._flattest)
        taken = min(wanted, high - old_i, old_j - low)
        # A dual that reaches its bound is set to it exactly, whatever the rounding.
        new_i = high if taken >= high - old_i else min(old_i + taken, high)
        new_j = low if taken >= old_j - low else max(old_j - taken, low)
        self.beta[i], self.beta[j] = new_i, new_j
        np.subtract(row_i, row_j, out=self._scratch)
        self._scratch *= taken
        self._three -= self._scratch
        self._mask(i)
        self._mask(j)
        return Move(
            before=(abs(old_i), abs(old_j)),
            after=(abs(new_i), abs(new_j)),
            slope=slope,
            curvature=bend,
            wanted=wanted,
            taken=taken,
            gain=taken * (slope - 0.5 * taken * bend),
        )

    def _mask(self, k: int) -> None:
        beta, error = self.beta.item(k), self.errors.item(k)
        self._up[k] = error if beta < self._high[k] else -np.inf
        self._down[k] = error if beta > self._low[k] else np.inf

    def _kernel_row(self, i: int) -> tuple[ndarray, ndarray]:
        """Return row i of K and 1 / sqrt(curvature) of every pair with i."""
        if i not in self._rows:
            if (len(self._rows) + 1) * 2 * len(self.beta) > CACHED:
                self._rows.clear()
            row = self._row(i)
            curvature = self._diagonal - 2 * row
            curvature += self._diagonal[i]
            np.maximum(curvature, self._flattest, out=curvature)
            np.sqrt(curvature, out=curvature)
            self._rows[i] = row, np.divide(1.0, curvature, out=curvature)
        return self._rows[i]
