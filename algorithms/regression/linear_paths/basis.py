"""Basis functions of one column: a curve as a linear model of bumps or of waves.

y = w_1 phi_1(x) + ... + w_d phi_d(x) + b is linear in the weights, whatever the phi are:

    Gaussian:  phi_j(x) = exp(-(x - m_j)^2 / (2 h^2))       m_1..m_d evenly over the data
    Fourier:   cos(a), sin(a), cos(2a), sin(2a), ...        a = 2 pi (x - middle) / period

The period is the width of the data. The bumps are h apart; for one or two bumps, h is half the
width of the data. Powers of x are in `features`. With `standardize` every phi is moved to mean 0
and scaled to standard deviation 1 over the points given, so that one penalty fits all.

Source: CS337 (003:246), the choices of basis; the Fourier terms there have free frequencies.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.features import SUBSCRIPTS, PolynomialFeatures, polynomial_features
from algorithms.core.record import Record

FAR = 1e3  # widths from a bump: farther out it is 0 as well


@dataclass(frozen=True, eq=False)
class Basis(Record):
    """The map from one column to its `names` features. Call it on any (m, 1) points.

    `places` are the m_j of the bumps, or the multiples of a; `middle` and `width` belong to the
    data: the width is h for bumps and the period for waves.
    """

    kind: Literal["Gaussian", "Fourier"]
    names: tuple[str, ...]
    places: Float[ndarray, " p"]
    middle: float
    width: float
    scaling: PolynomialFeatures | None = None

    def __call__(self, X: Float[ndarray, "m 1"]) -> Float[ndarray, "m p"]:
        """Return the features of the rows of `X`."""
        if self.kind == "Gaussian":
            features = np.exp(-(((X - self.places) / self.width).clip(-FAR, FAR) ** 2) / 2)
        else:
            angles = 2 * np.pi * self.places * ((X - self.middle) / self.width)
            features = np.where(np.arange(len(self.places)) % 2, np.sin(angles), np.cos(angles))
        return features if self.scaling is None else self.scaling(features)


def gaussian_features(X: Float[ndarray, "n 1"], count: int, *, standardize: bool = True) -> Basis:
    """Return the map to `count` bumps over the data. Raises ValueError unless 1 <= count <= 50."""
    low, high, count = _checked(X, count)
    places = np.linspace(low, high, count) if count > 1 else np.array([(low + high) / 2])
    names = tuple(f"g{j}".translate(SUBSCRIPTS) for j in range(1, count + 1))
    width = (high - low) / max(count - 1, 2)
    return _scaled(Basis("Gaussian", names, places, (low + high) / 2, width), X, standardize)


def fourier_features(X: Float[ndarray, "n 1"], count: int, *, standardize: bool = True) -> Basis:
    """Return the map to the first `count` waves. Raises ValueError unless 1 <= count <= 50."""
    low, high, count = _checked(X, count)
    multiples = np.arange(count) // 2 + 1.0
    waves = ("cos", "sin")
    names = tuple(f"{waves[j % 2]}{j // 2 + 1}".translate(SUBSCRIPTS) for j in range(count))
    return _scaled(Basis("Fourier", names, multiples, (low + high) / 2, high - low), X, standardize)


def _checked(X: Float[ndarray, "n 1"], count: int) -> tuple[float, float, int]:
    """Return the ends of the data, moved apart if they coincide, and the count."""
    X = validate.points(X)
    if X.shape[1] != 1:
        raise ValueError(f"X must have one column, got {X.shape[1]}")
    low, high = float(X.min()), float(X.max())
    apart = 1e-9 * (1 + abs(low)) if high <= low else 0.0
    return low - apart, high + apart, validate.integer("count", count, 1, 50)


def _scaled(basis: Basis, X: Float[ndarray, "n 1"], standardize: bool) -> Basis:
    if not standardize:
        return basis
    scaling = polynomial_features(basis(X), 1, columns=basis.names)
    return Basis(basis.kind, basis.names, basis.places, basis.middle, basis.width, scaling)
