"""Families of fits of a curve to points (t, y): every member, on many training sets at once.

A family is a record of its members' complexities. Called with the sets' points, t from -1 to 1,
and query points, it returns every member's prediction for every set.

Polynomials of degree p, for all p up to D together. Least squares with a ridge penalty that spares
the intercept,

    minimise  sum_i (y_i - h(t_i))^2 + penalty sum_(j>0) w_j^2,    h(t) = sum_(j<=p) w_j phi_j(t)

is the ordinary least squares of A = [Phi; sqrt(penalty) I] to (y; 0). Its columns are nested, so
one factorisation A = Q R serves every degree: with z = Q^T (y; 0) and Z = R^-T phi(t)

    h_p(t) = z_0 Z_0 + ... + z_p Z_p                                  O(n D^2) a set, all degrees

Without a penalty only the span of the phi_j matters. They are the Chebyshev polynomials, so that
degree 15 is as exact as degree 1. With a penalty, phi_j = t^j. Where a set has too few different t
to determine a coefficient, that one and those of higher degree are 0.

Ridge with many penalties at one degree: with the centred powers Phi = U S V^T,

    h(t) = mean(y) + sum_k  S_k / (S_k^2 + penalty)  (u_k . y) (v_k . phi(t))    O(n D^2) a set

k nearest neighbours, h(t) = mean of the k nearest y. In one dimension they are neighbours in the
order of t: the k from the a-th on, where a counts the middles (t_a + t_(a+k)) / 2 below t. So a
tie goes to the smaller t, and among points of one t the order of the set decides.
                                                      O(n log n + m log n) a set for each k

Source: CS337 (003:150, 003:300), CS725 (000:2924, 000:2621); the sign of 000:3070 is a slip.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.polynomial.chebyshev import chebvander
from numpy.polynomial.polynomial import polyvander

from algorithms.core import validate

MAX_DEGREE = 15
DETERMINED = 1e-10  # of its length, at least, must be orthogonal to the columns before


@dataclass(frozen=True)
class Polynomials:
    """Least squares by polynomials of several degrees, with one penalty on the weights."""

    degrees: tuple[int, ...]
    penalty: float = 0.0

    def __post_init__(self) -> None:
        """Refuse degrees beyond 0 to 15, or no degree."""
        _check_all("degrees", self.degrees, 0, MAX_DEGREE)
        validate.number("penalty", self.penalty)

    def check(self, n: int) -> None:
        """Accept sets of any size."""

    @property
    def complexities(self) -> tuple[float, ...]:
        """Return the degrees."""
        return tuple(map(float, self.degrees))

    def __call__(
        self, t: Float[ndarray, "s n"], y: Float[ndarray, "s n"], at: Float[ndarray, "s m"]
    ) -> Float[ndarray, "s c m"]:
        """Return what each degree, fitted to each set, predicts at that set's query points."""
        top = max(self.degrees)
        basis = polyvander if self.penalty > 0 else chebvander
        A = basis(t, top)
        if self.penalty > 0 or t.shape[1] <= top:  # at least a row for every column
            rows = np.sqrt(self.penalty) * np.eye(top + 1)
            rows[0] = 0.0
            A = np.concatenate([A, np.broadcast_to(rows, (len(t), *rows.shape))], axis=1)
            y = np.concatenate([y, np.zeros((len(t), top + 1))], axis=1)
        Q, R = np.linalg.qr(A)
        diagonal = np.einsum("sjj->sj", R)  # a view
        length = np.sqrt(np.einsum("sij,sij->sj", R, R))
        determined = np.logical_and.accumulate(np.abs(diagonal) > DETERMINED * length, axis=1)
        np.copyto(diagonal, 1.0, where=~determined)
        z = np.where(determined, np.einsum("snj,sn->sj", Q, y), 0.0)
        Z = np.linalg.solve(R.transpose(0, 2, 1), basis(at, top).transpose(0, 2, 1))
        Z *= z[:, :, None]
        return np.cumsum(Z, axis=1)[:, list(self.degrees)]


@dataclass(frozen=True)
class RidgePolynomials:
    """Polynomials of one degree with several penalties."""

    penalties: tuple[float, ...]
    degree: int

    def __post_init__(self) -> None:
        """Refuse negative penalties, or none, and a degree beyond 1 to 15."""
        if not self.penalties:
            raise ValueError("penalties must hold at least one number, got none")
        for penalty in self.penalties:
            validate.number("penalty", penalty)
        validate.integer("degree", self.degree, 1, MAX_DEGREE)

    def check(self, n: int) -> None:
        """Accept sets of any size."""

    @property
    def complexities(self) -> tuple[float, ...]:
        """Return the penalties."""
        return self.penalties

    def __call__(
        self, t: Float[ndarray, "s n"], y: Float[ndarray, "s n"], at: Float[ndarray, "s m"]
    ) -> Float[ndarray, "s c m"]:
        """Return what each penalty, fitted to each set, predicts at that set's query points."""
        powers, asked = polyvander(t, self.degree)[..., 1:], polyvander(at, self.degree)[..., 1:]
        center, middle = powers.mean(axis=1, keepdims=True), y.mean(axis=1, keepdims=True)
        Q, R = np.linalg.qr(powers - center)
        U, S, Vt = np.linalg.svd(R, full_matrices=False)
        projected = np.einsum("skj,snk,sn->sj", U, Q, y - middle, optimize=True)
        S2 = (S * S)[:, None]
        divisor = S2 + np.array(self.penalties)[:, None]
        least = DETERMINED * S.max(axis=1, keepdims=True, initial=0.0)
        determined = ((S > 0) & (least <= S))[:, None]
        shrunk = np.where(determined, S[:, None] / np.where(determined, divisor, 1.0), 0.0)
        weights = (shrunk * projected[:, None]) @ Vt  # (sets, penalties, powers)
        return middle[:, None] + weights @ (asked - center).transpose(0, 2, 1)


@dataclass(frozen=True)
class NearestNeighbors:
    """The mean of the k nearest points, for several k."""

    ks: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse k below 1, or no k."""
        _check_all("ks", self.ks, 1, None)

    def check(self, n: int) -> None:
        """Refuse sets of fewer points than the largest k."""
        validate.integer("k", max(self.ks), 1, n, high_name="n")

    @property
    def complexities(self) -> tuple[float, ...]:
        """Return the numbers of neighbours."""
        return tuple(map(float, self.ks))

    def __call__(
        self, t: Float[ndarray, "s n"], y: Float[ndarray, "s n"], at: Float[ndarray, "s m"]
    ) -> Float[ndarray, "s c m"]:
        """Return what each k, on each set, predicts at that set's query points."""
        order = t.argsort(axis=1, kind="stable")
        t, y = (np.take_along_axis(a, order, axis=1) for a in (t, y))
        sums = np.concatenate([np.zeros((len(y), 1)), y.cumsum(axis=1)], axis=1)
        fits = np.empty((len(t), len(self.ks), at.shape[1]))
        for s, (places, total, asked) in enumerate(zip(t, sums, at, strict=True)):
            for j, k in enumerate(self.ks):
                start = np.searchsorted((places[:-k] + places[k:]) / 2, asked)
                fits[s, j] = (total[start + k] - total[start]) / k
        return fits


Models = Polynomials | RidgePolynomials | NearestNeighbors


def _check_all(name: str, values: tuple[int, ...], low: int, high: int | None) -> None:
    if not values:
        raise ValueError(f"{name} must hold at least one whole number, got none")
    for value in values:
        validate.integer(name, value, low, high)
