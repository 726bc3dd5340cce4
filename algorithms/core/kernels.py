"""Kernels: inner products k(a, b) = phi(a).phi(b) in a space of features that is never written out.

    linear               k(a, b) = a.b
    polynomial           k(a, b) = (a.b + coef0)^degree                   coef0 >= 0
    RBF                  k(a, b) = exp(-gamma ||a - b||^2)                gamma > 0
    hyperbolic tangent   k(a, b) = tanh(scale a.b + coef0)

and k1 + k2 and k1 k2 of any two, sums with weights >= 0, and a kernel of one column. A kernel is
such an inner product if and only if every kernel matrix K_ij = k(x_i, x_j) is positive
semi-definite (Mercer). This holds for the first three, and for sums and products of such kernels.
For most of its parameters it does not hold for the hyperbolic tangent: kernel_matrix.py checks it
for the given points.

Cost: O(m n d) for an (m, n) matrix.

A weighted sum of kernels over a grid is cheap where the kernel separates over the axes,

    k(a, (x, y)) = sum_r u_r(x, a) v_r(y, a),

with one term for RBF, two for linear and degree + 1 for polynomial (the binomial theorem); sums of
kernels append their terms, products multiply them pair by pair. Over q x q cells and n points with
R terms that takes R n q evaluations and one product of matrices in place of n q^2 evaluations. The
hyperbolic tangent does not separate.

All values are clipped to +-1e100, so that far away points cannot overflow.

Source: CS725 21.6 (000:3640; its RBF lacks the square of the norm), CS337 (003:1160).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.core import validate
from algorithms.core.record import Record

Terms = list[tuple[ndarray, ndarray]]
"""The u_r as (n, len(x)) and the v_r as (n, len(y)) arrays, a pair for every r."""

LARGEST = 1e90  # of k(x, x) on the points to learn from
BLOCK = 500  # points whose kernels are summed over a grid at a time


class Kernel(ABC):
    """A kernel: a function of two sets of points; `+` and `*` combine two. Equal by content."""

    @property
    def definite(self) -> bool:
        """Return whether every kernel matrix is positive semi-definite, by theory."""
        return True

    @property
    def separates(self) -> bool:
        """Return whether the kernel separates over the axes of a grid."""
        nowhere = np.zeros((1, 2))
        return self._terms(nowhere[0], nowhere[0], nowhere) is not None

    @abstractmethod
    def __call__(self, A: Float[ndarray, "m d"], B: Float[ndarray, "n d"]) -> Float[ndarray, "m n"]:
        """Return k(a, b) for every row a of `A` and b of `B`."""

    def diagonal(self, X: Float[ndarray, "n d"]) -> Float[ndarray, " n"]:
        """Return k(x, x) for every row of `X`."""
        blocks = [X[first : first + 32] for first in range(0, len(X), 32)]
        return np.concatenate([self(block, block).diagonal() for block in blocks])

    @abstractmethod
    def _terms(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"], A: Float[ndarray, "n 2"]
    ) -> Terms | None:
        """Return the kernel taken apart over the axes of a grid, or None if it cannot be."""

    def __add__(self, other: "Kernel") -> "Kernel":
        return Sum(self, other)

    def __mul__(self, other: "Kernel") -> "Kernel":
        return Product(self, other)


@dataclass(frozen=True)
class Linear(Kernel):
    """a.b."""

    def __call__(self, A: Float[ndarray, "m d"], B: Float[ndarray, "n d"]) -> Float[ndarray, "m n"]:
        """Return k(a, b) for all pairs."""
        return _clipped(A @ B.T)

    def _terms(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"], A: Float[ndarray, "n 2"]
    ) -> Terms:
        ax, ay = A.T[:, :, None]
        return [(ax * x, np.ones((len(A), len(y)))), (np.ones((len(A), len(x))), ay * y)]

    def __str__(self) -> str:
        return "a·b"


@dataclass(frozen=True)
class Polynomial(Kernel):
    """(a.b + coef0)^degree."""

    degree: int
    coef0: float

    def __call__(self, A: Float[ndarray, "m d"], B: Float[ndarray, "n d"]) -> Float[ndarray, "m n"]:
        """Return k(a, b) for all pairs."""
        base = A @ B.T
        base += self.coef0
        return _power(_clipped(base, validate.LIMIT ** (1 / self.degree)), self.degree)

    def _terms(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"], A: Float[ndarray, "n 2"]
    ) -> Terms:
        u, v = A[:, :1] * x + self.coef0, A[:, 1:] * y
        powers = range(self.degree + 1)
        return [(comb(self.degree, p) * _power(u, p), _power(v, self.degree - p)) for p in powers]

    def __str__(self) -> str:
        return f"(a·b + {self.coef0:g})^{self.degree}"


@dataclass(frozen=True)
class RBF(Kernel):
    """exp(-gamma ||a - b||^2)."""

    gamma: float

    def __call__(self, A: Float[ndarray, "m d"], B: Float[ndarray, "n d"]) -> Float[ndarray, "m n"]:
        """Return k(a, b) for all pairs."""
        # Differences, not |a|^2 - 2 a.b + |b|^2, which cancels for data far from the origin.
        distances = cdist(A, B, "sqeuclidean")
        distances *= -self.gamma
        return np.exp(distances, out=distances)

    def diagonal(self, X: Float[ndarray, "n d"]) -> Float[ndarray, " n"]:
        """Return 1 for every row of `X`."""
        return np.ones(len(X))

    def _terms(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"], A: Float[ndarray, "n 2"]
    ) -> Terms:
        u, v = x - A[:, :1], y - A[:, 1:]
        return [(np.exp(-self.gamma * u * u), np.exp(-self.gamma * v * v))]

    def __str__(self) -> str:
        return f"exp(−{self.gamma:g} ‖a − b‖²)"


@dataclass(frozen=True)
class Sigmoid(Kernel):
    """tanh(scale a.b + coef0)."""

    scale: float
    coef0: float

    @property
    def definite(self) -> bool:
        """Return False: it depends on the parameters and on the points."""
        return False

    def __call__(self, A: Float[ndarray, "m d"], B: Float[ndarray, "n d"]) -> Float[ndarray, "m n"]:
        """Return k(a, b) for all pairs."""
        slope = A @ B.T
        slope *= self.scale
        slope += self.coef0
        return np.tanh(slope, out=slope)

    def _terms(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"], A: Float[ndarray, "n 2"]
    ) -> None:
        return None  # the hyperbolic tangent of a sum does not separate

    def __str__(self) -> str:
        return f"tanh({self.scale:g} a·b {'−' if self.coef0 < 0 else '+'} {abs(self.coef0):g})"


@dataclass(frozen=True)
class Pair(Kernel):
    """A kernel made of two."""

    first: Kernel
    second: Kernel

    @property
    def definite(self) -> bool:
        """Return whether both kernels are semi-definite."""
        return self.first.definite and self.second.definite


@dataclass(frozen=True)
class Sum(Pair):
    """k1 + k2."""

    def __call__(self, A: Float[ndarray, "m d"], B: Float[ndarray, "n d"]) -> Float[ndarray, "m n"]:
        """Return k(a, b) for all pairs."""
        return _clipped(self.first(A, B) + self.second(A, B))

    def _terms(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"], A: Float[ndarray, "n 2"]
    ) -> Terms | None:
        first, second = self.first._terms(x, y, A), self.second._terms(x, y, A)
        return None if first is None or second is None else first + second

    def __str__(self) -> str:
        return f"{self.first} + {self.second}"


@dataclass(frozen=True)
class Product(Pair):
    """k1 k2."""

    def __call__(self, A: Float[ndarray, "m d"], B: Float[ndarray, "n d"]) -> Float[ndarray, "m n"]:
        """Return k(a, b) for all pairs."""
        return _clipped(self.first(A, B) * self.second(A, B))

    def _terms(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"], A: Float[ndarray, "n 2"]
    ) -> Terms | None:
        first, second = self.first._terms(x, y, A), self.second._terms(x, y, A)
        if first is None or second is None:
            return None
        return [(u1 * u2, v1 * v2) for u1, v1 in first for u2, v2 in second]

    def __str__(self) -> str:
        return f"[{self.first}] · [{self.second}]"


@dataclass(frozen=True)
class WeightedSum(Kernel):
    """sum_m c_m k_m, c_m >= 0. A kernel of weight 0 costs nothing."""

    kernels: tuple[Kernel, ...]
    factors: tuple[float, ...]

    @property
    def definite(self) -> bool:
        """Return whether all kernels are semi-definite."""
        return all(kernel.definite for kernel in self.kernels)

    def __call__(self, A: Float[ndarray, "m d"], B: Float[ndarray, "n d"]) -> Float[ndarray, "m n"]:
        """Return the weighted sum for all pairs."""
        total = np.zeros((len(A), len(B)))
        for factor, kernel in self._used():
            total += factor * kernel(A, B)
        return _clipped(total)

    def _terms(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"], A: Float[ndarray, "n 2"]
    ) -> Terms | None:
        terms: Terms = []
        for factor, kernel in self._used():
            own = kernel._terms(x, y, A)
            if own is None:
                return None
            terms += [(factor * u, v) for u, v in own]
        return terms

    def _used(self) -> list[tuple[float, Kernel]]:
        pairs = list(zip(self.factors, self.kernels, strict=True))
        return [pair for pair in pairs if pair[0]] or pairs[:1]

    def __str__(self) -> str:
        pairs = zip(self.factors, self.kernels, strict=True)
        return " + ".join(f"{factor:.3g} [{kernel}]" for factor, kernel in pairs)


@dataclass(frozen=True)
class OfColumn(Kernel):
    """A kernel that sees one column only."""

    kernel: Kernel
    column: int

    @property
    def definite(self) -> bool:
        """Return whether the kernel is semi-definite."""
        return self.kernel.definite

    def __call__(self, A: Float[ndarray, "m d"], B: Float[ndarray, "n d"]) -> Float[ndarray, "m n"]:
        """Return k for all pairs."""
        seen = slice(self.column, self.column + 1)
        return self.kernel(A[:, seen], B[:, seen])

    def _terms(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"], A: Float[ndarray, "n 2"]
    ) -> Terms | None:
        seen = np.arange(2) == self.column
        return self.kernel._terms(x * seen[0], y * seen[1], A * seen)

    def __str__(self) -> str:
        return f"{self.kernel} of column {self.column + 1}"


def linear() -> Linear:
    """Return the kernel a.b."""
    return Linear()


def polynomial(degree: int = 3, coef0: float = 1.0) -> Polynomial:
    """Return the kernel (a.b + coef0)^degree; degree from 1 to 10, coef0 >= 0."""
    return Polynomial(validate.integer("degree", degree, 1, 10), validate.number("coef0", coef0))


def rbf(gamma: float = 1.0) -> RBF:
    """Return the kernel exp(-gamma ||a - b||^2), gamma > 0."""
    return RBF(validate.number("gamma", gamma, positive=True))


def sigmoid(scale: float = 1.0, coef0: float = 0.0) -> Sigmoid:
    """Return the kernel tanh(scale a.b + coef0), scale > 0; coef0 may be negative."""
    offset = validate.number("the size of coef0", abs(coef0))
    return Sigmoid(validate.number("scale", scale, positive=True), -offset if coef0 < 0 else offset)


DEFAULT = rbf()

KERNELS: dict[str, Callable[..., Kernel]] = {
    "linear": linear,
    "polynomial": polynomial,
    "RBF": rbf,
    "hyperbolic tangent": sigmoid,
}


@dataclass(frozen=True, eq=False)
class GridSum(Record):
    """sum_i c_i k(a_i, .) over the cells of a grid, for any coefficients c."""

    kernel: Kernel
    points: Float[ndarray, "n 2"]
    x: Float[ndarray, " columns"]
    y: Float[ndarray, " rows"]

    def __call__(self, coefficients: Float[ndarray, " n"]) -> Float[ndarray, "rows columns"]:
        """Return the sum with these coefficients; row 0 belongs to y[0].

        The factors of a block of points are made and dropped: those of 5,000 points have 32 MB.
        """
        used, total = np.flatnonzero(coefficients), np.zeros((len(self.y), len(self.x)))
        for first in range(0, len(used), BLOCK):
            block = used[first : first + BLOCK]
            total += self._block(self.points[block], coefficients[block])
        return total

    def _block(
        self, points: Float[ndarray, "m 2"], c: Float[ndarray, " m"]
    ) -> Float[ndarray, "rows columns"]:
        x, y = self.x, self.y
        terms = self.kernel._terms(x, y, points)
        if terms is None:
            cells = np.column_stack([np.tile(x, len(y)), np.repeat(y, len(x))])
            return (c @ self.kernel(points, cells)).reshape(len(y), len(x))
        u = np.concatenate([u for u, _ in terms])
        v = np.concatenate([v * c[:, None] for _, v in terms])
        return v.T @ u


def kernel_points(kernel: Any, X: Any) -> Float[ndarray, "n d"]:
    """Return `X` as checked points, after a check that `kernel` is not too large on them."""
    if not isinstance(kernel, Kernel):
        raise ValueError(f"kernel must be a kernel such as rbf(1.0), got kernel={kernel!r}")
    X = validate.points(X)
    largest = float(np.abs(kernel.diagonal(X)).max())
    if largest > LARGEST:
        raise ValueError(
            f"kernel must stay below {LARGEST:g} on the points: the columns of X are too large "
            "for it, standardise them"
        )
    return X


def _clipped(values: ndarray, limit: float = validate.LIMIT) -> ndarray:
    return np.clip(values, -limit, limit, out=values)


def _power(base: ndarray, exponent: int) -> ndarray:
    """Return base^exponent by products: many times faster than `**`."""
    result = np.ones_like(base) if exponent == 0 else base.copy()
    for _ in range(exponent - 1):
        result *= base
    return result
