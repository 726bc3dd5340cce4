"""One straight piece of the lasso path, between two knots.

On the piece w = base - penalty slope and c = rest + penalty pull, with g the signs of the active
variables A:

    base_A = (X_A^T X_A)^-1 X_A^T y      slope_A = delta = (X_A^T X_A)^-1 g
    rest = X^T (y - X_A base_A)          pull = gamma = X^T X_A delta

all from a QR factorisation of X_A, so that errors do not add up from knot to knot. What happens at
the ends: lasso_path.py.
"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.linalg import get_lapack_funcs

from algorithms.regression.linear_paths.centred import Centred

DEPENDENT = 1e-8  # share of a column's length that the active ones leave unexplained

# The same as NumPy's qr and SciPy's solve_triangular, at a tenth of their cost for small matrices.
_geqrf, _orgqr, _trtrs = get_lapack_funcs(("geqrf", "orgqr", "trtrs"), dtype=float)


@dataclass(frozen=True)
class Piece:
    """The path from one knot to the next: w = base - penalty slope, c = rest + penalty pull."""

    active: tuple[int, ...]
    signs: Float[ndarray, " d"]  # 0 where not active
    base: Float[ndarray, " d"]
    slope: Float[ndarray, " d"]
    rest: Float[ndarray, " d"]
    pull: Float[ndarray, " d"]

    def weights(self, penalty: float) -> Float[ndarray, " d"]:
        return self.base - penalty * self.slope

    def correlations(self, penalty: float) -> Float[ndarray, " d"]:
        return self.rest + penalty * self.pull


def turned(data: Centred, piece: Piece, variable: int, penalty: float) -> Piece | None:
    """Return the piece after the variable has entered or left; None if it may not enter."""
    signs = piece.signs.copy()
    if signs[variable]:
        signs[variable] = 0.0
        return straight_piece(data, tuple(j for j in piece.active if j != variable), signs)
    signs[variable] = np.sign(piece.correlations(penalty)[variable])
    return straight_piece(data, (*piece.active, variable), signs)


def straight_piece(
    data: Centred, active: tuple[int, ...], signs: Float[ndarray, " d"]
) -> Piece | None:
    """Return the piece of an active set; None if its last column depends on the others."""
    members = list(active)
    base, slope = np.zeros((2, len(signs)))
    if not active:
        return Piece(active, signs, base, slope, data.X.T @ data.y, np.zeros(len(signs)))
    columns = data.X[:, members]
    if len(columns) < len(members):
        return None
    packed, tau, *_ = _geqrf(columns)
    Q, T = _orgqr(packed, tau)[0], packed[: len(members)]  # only T's upper triangle is read
    if abs(T[-1, -1]) <= DEPENDENT * math.sqrt(columns[:, -1] @ columns[:, -1]):
        return None
    fit, half = data.y @ Q, _trtrs(T, signs[members], trans=1)[0]
    base[members], slope[members] = _trtrs(T, np.array([fit, half]).T)[0].T
    rest, pull = data.X.T @ (data.y - Q @ fit), data.X.T @ (Q @ half)
    rest[members], pull[members] = 0.0, signs[members]  # as they are without rounding
    return Piece(active, signs, base, slope, rest, pull)


def compressed(data: Centred) -> Centred:
    """Return d + 1 rows with the same ||y - X w|| for every w, if there are more."""
    n, d = data.X.shape
    if n <= d + 1:
        return data
    packed, *_ = _geqrf(np.column_stack([data.X, data.y]))
    rows = np.triu(packed[: d + 1])
    return Centred(rows[:, :-1], rows[:, -1], data.x_mean, data.y_mean)
