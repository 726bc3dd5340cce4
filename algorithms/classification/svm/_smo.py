"""The arithmetic of sequential minimal optimisation: choose a pair, move it, keep what is needed.

Everything is in the signed duals beta_i = alpha_i y_i, between low_i and high_i, which are 0 and C
for y_i = +1, -C and 0 for y_i = -1. The error of a point, g_i = y_i - sum_j beta_j K_ij, is kept
for all points and changed by two rows of K per move.

Cost of a choice and a move: O(n), plus a row of K when a point is chosen for the first time. With
few points a pass over them costs less than calling NumPy does, so what counts are the nine calls.

The errors are kept twice, masked: `_up` is -inf where beta cannot rise and `_down` +inf where it
cannot fall, and both survive subtraction. No point is masked in both.

In a tie the later point is chosen, and of a pair the one that falls is chosen first, as in libsvm:
so a run with an indefinite kernel, whose end depends on the way there, ends where libsvm's does.
All arrays in here run backwards, since NumPy finds the first of a tie.
"""

from array import array

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.svm.kernel_machine import Problem
from algorithms.classification.svm.moves import Move
from algorithms.core.pair_ascent import CACHED
from algorithms.core.work import spend

FLATTEST = 1e-12  # of the largest |K_ii|: the curvature of a direction that has none, or bends up
FEW = 400  # points: up to so many the whole kernel matrix costs less than the rows one by one
ROUNDING = 1e-15  # of what a sum is made of
CALLS = 1e5  # operations that could be done in the time that calling NumPy takes in a move


class DualAscent:
    """The state of a run, which starts from beta = 0."""

    def __init__(self, problem: Problem) -> None:
        """Prepare to choose and move."""
        kernel, C = problem.kernel, problem.C
        X, signs = problem.points[::-1].copy(), problem.signs[::-1]
        self._kernel, self._points, self._last = kernel, X, len(X) - 1
        self._low, self._high = np.minimum(signs * C, 0).tolist(), np.maximum(signs * C, 0).tolist()
        self._beta = array("d", [0.0]) * len(X)
        self._up = np.where(signs > 0, signs, -np.inf)
        self._down = np.where(signs < 0, signs, np.inf)
        self._scratch = np.empty(len(X))
        self._rows: dict[int, ndarray] = {}
        self._weights: dict[int, ndarray] = {}
        self._matrix = kernel(X, X) if len(X) <= FEW else None
        if self._matrix is None:
            diagonal = kernel.diagonal(X)
        else:
            diagonal = self._matrix.diagonal()
            self._rows = dict(enumerate(self._matrix))
        self._diagonal, self._half_diagonal = diagonal.tolist(), diagonal / 2
        self._flattest = FLATTEST * float(np.abs(diagonal).max()) or FLATTEST

    @property
    def beta(self) -> Float[ndarray, " n"]:
        """Return alpha_i y_i for every point."""
        return np.array(self._beta)[::-1]

    @property
    def errors(self) -> Float[ndarray, " n"]:
        """Return g for every point."""
        return np.where(self._up > -np.inf, self._up, self._down)[::-1]

    def choose(self) -> tuple[int, int, float, float]:
        """Return i and j, the pair that breaks the conditions most, and the extremes of g.

        j has the smallest g of all that can fall, and i the largest rise of the dual in one free
        step, (g_i - g_j)^2 / (2 curvature): the second-order rule of Fan, Chen and Lin 2005. The
        extremes are the largest g of all that can rise and the smallest of all that can fall; at
        the optimum the first is not above the second.
        """
        up, down, rise = self._up, self._down, self._scratch
        j = int(down.argmin())
        bottom, top = down.item(j), up.item(up.argmax())
        np.subtract(up, bottom, out=rise)
        np.multiply(rise, self._weights_with(j), out=rise)
        return self._last - int(rise.argmax()), self._last - j, top, bottom

    def move(self, i: int, j: int) -> Move:
        """Move the pair to the best place its box allows."""
        spend(CALLS + 20.0 * len(self._beta))
        i, j = self._last - i, self._last - j
        up, down, beta, change = self._up, self._down, self._beta, self._scratch
        row_i, row_j = self._row(i), self._row(j)
        old_i, old_j, high, low = beta[i], beta[j], self._high[i], self._low[j]
        slope = up.item(i) - down.item(j)
        curvature = self._diagonal[i] + self._diagonal[j] - 2 * row_i.item(j)
        wanted = slope / max(curvature, self._flattest)
        taken = min(wanted, high - old_i, old_j - low)
        # A dual that reaches its bound is set to it exactly, whatever the rounding.
        new_i = high if taken >= high - old_i else min(old_i + taken, high)
        new_j = low if taken >= old_j - low else max(old_j - taken, low)
        beta[i], beta[j] = new_i, new_j
        np.subtract(row_i, row_j, out=change)
        np.multiply(change, taken, out=change)
        np.subtract(up, change, out=up)
        np.subtract(down, change, out=down)
        if new_i > self._low[i]:
            down[i] = up.item(i)
        if new_j < self._high[j]:
            up[j] = down.item(j)
        if new_i == high:
            up[i] = -np.inf
        if new_j == low:
            down[j] = np.inf
        before, after = (abs(old_i), abs(old_j)), (abs(new_i), abs(new_j))
        gain = taken * (slope - 0.5 * taken * curvature)
        return Move(before, after, slope, curvature, wanted, taken, gain)

    @property
    def free(self) -> Int[ndarray, " f"]:
        """Return the points whose dual is neither 0 nor C."""
        inside = (self._up > -np.inf) & (self._down < np.inf)
        return self._last - np.flatnonzero(inside)[::-1]

    @property
    def rounding(self) -> float:
        """Return about how far rounding may have changed the errors."""
        return ROUNDING * float(np.abs(self._beta).sum() * np.abs(self._diagonal).max())

    def box(self, members: Int[ndarray, " f"]) -> tuple[Float[ndarray, " f"], Float[ndarray, " f"]]:
        """Return the lowest and the highest beta of some points."""
        chosen = self._last - members
        return np.array(self._low)[chosen], np.array(self._high)[chosen]

    def rows(self, members: Int[ndarray, " f"]) -> Float[ndarray, "f n"]:
        """Return the rows of K of some points."""
        chosen = self._last - members
        if self._matrix is not None:
            return self._matrix[chosen, ::-1]
        return np.stack([self._row(i)[::-1] for i in chosen.tolist()])

    def move_all(
        self, members: Int[ndarray, " f"], beta: Float[ndarray, " f"], rise: Float[ndarray, " n"]
    ) -> None:
        """Move some free duals at once, by which the outputs of all points rise so much."""
        rise = rise[::-1]
        np.subtract(self._up, rise, out=self._up)
        np.subtract(self._down, rise, out=self._down)
        for i, new in zip((self._last - members).tolist(), beta.tolist(), strict=True):
            self._beta[i] = new
            if new >= self._high[i]:
                self._up[i] = -np.inf
            elif new <= self._low[i]:
                self._down[i] = np.inf

    def _row(self, i: int) -> ndarray:
        """Return row i of K."""
        row = self._rows.get(i)
        if row is None:
            self._make_room()
            row = self._rows[i] = self._kernel(self._points[i : i + 1], self._points)[0]
        return row

    def _weights_with(self, j: int) -> ndarray:
        """Return 1 / sqrt(curvature / 2) of every pair with j."""
        weights = self._weights.get(j)
        if weights is None:
            curvature = self._half_diagonal - self._row(j)
            curvature += self._half_diagonal[j]
            np.maximum(curvature, self._flattest / 2, out=curvature)
            np.sqrt(curvature, out=curvature)
            self._make_room()
            weights = self._weights[j] = np.divide(1.0, curvature, out=curvature)
        return weights

    def _make_room(self) -> None:
        if (len(self._rows) + len(self._weights) + 1) * len(self._beta) > CACHED:
            self._rows.clear()
            self._weights.clear()
