"""Basis functions of one column: a curve as a linear model of powers, bumps, steps or waves.

y = w_0 + w_1 phi_1(x) + ... + w_d phi_d(x) is linear in the weights, whatever the phi are:

    polynomial:  phi_j(x) = u^j                                 u from -1 to 1 over the data
    Gaussian:    phi_j(x) = exp(-(x - m_j)^2 / (2 h^2))
    sigmoid:     phi_j(x) = 1 / (1 + exp(-(x - m_j) / h))
    Fourier:     cos(a), sin(a), cos(2a), sin(2a), ...          a = 2 pi (x - middle) / period

The period is the width of the data. Two ways to place and scale them:

- `gaussian_features`, `fourier_features` take all d at once. The m_j are evenly over the data, h
  apart; for one or two bumps, h is half the width of the data. Powers are in `features`. With
  `standardize` every phi is moved to mean 0 and scaled to standard deviation 1 over the points
  given, so that one penalty fits all.
- `nested_basis` is for adding one phi after the other: the first ones do not depend on how many
  follow. Every new m_j halves a gap, at 1/2, 1/4, 3/4, 1/8, 5/8, 3/8, 7/8, ... of the data's width
  (van der Corput 1935), and h is given.

Source: CS337 (003:246), the choices of basis; the Fourier terms there have free frequencies. CS725
19.1-19.2 (000:2939-2990), polynomials and bases in general.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.special import expit

from algorithms.core import validate
from algorithms.core.features import (
    SUBSCRIPTS,
    SUPERSCRIPTS,
    PolynomialFeatures,
    polynomial_features,
)
from algorithms.core.record import Record

FAR = 1e3  # widths from a bump or a step: farther out it is as good as level
NESTED = ("polynomial", "Gaussian", "sigmoid", "Fourier")
MOST_NESTED = 15


@dataclass(frozen=True, eq=False)
class Basis(Record):
    """The map from one column to its `names` features. Call it on any (m, 1) points.

    `places` are the m_j of bumps and steps, the exponents, or the multiples of a; `middle` belongs
    to the data. `width` is h for bumps and steps, the period for waves, and half the data's width
    for powers.
    """

    kind: Literal["polynomial", "Gaussian", "sigmoid", "Fourier"]
    names: tuple[str, ...]
    places: Float[ndarray, " p"]
    middle: float
    width: float
    scaling: PolynomialFeatures | None = None

    def __call__(self, X: Float[ndarray, "m 1"]) -> Float[ndarray, "m p"]:
        """Return the features of the rows of `X`."""
        features = self._raw(X)
        return features if self.scaling is None else self.scaling(features)

    def _raw(self, X: Float[ndarray, "m 1"]) -> Float[ndarray, "m p"]:
        start = self.middle if self.kind in ("polynomial", "Fourier") else self.places
        u = ((X - start) / self.width).clip(-FAR, FAR)
        match self.kind:
            case "polynomial":
                return u**self.places
            case "Gaussian":
                return np.exp(-(u**2) / 2)
            case "sigmoid":
                return expit(u)
            case "Fourier":
                angles = 2 * np.pi * self.places * u
                return np.where(np.arange(len(self.places)) % 2, np.sin(angles), np.cos(angles))


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


def nested_basis(X: Float[ndarray, "n 1"], kind: str, count: int, *, width: float = 0.1) -> Basis:
    """Return the map to `count` functions, the first of which are those of a smaller count.

    width : h of bumps and steps, as a share of the data's width. Raises ValueError unless the kind
    is one of `NESTED`, 1 <= count <= 15 and width is positive.
    """
    kind = validate.choice("basis", kind, NESTED)
    width = validate.number("width", width, positive=True)
    low, high, count = _checked(X, count, most=MOST_NESTED)
    middle, numbers = (low + high) / 2, np.arange(1, count + 1)
    if kind == "Fourier":
        return fourier_features(X, count, standardize=False)
    if kind == "polynomial":
        names = tuple("u" + (str(j).translate(SUPERSCRIPTS) if j > 1 else "") for j in numbers)
        return Basis(kind, names, numbers.astype(float), middle, (high - low) / 2)
    places = low + (high - low) * np.array([_halving(int(j)) for j in numbers])
    names = tuple(f"{kind[0].lower()}{j}".translate(SUBSCRIPTS) for j in numbers)
    h = width * (high - low)
    return Basis("Gaussian" if kind == "Gaussian" else "sigmoid", names, places, middle, h)


def _halving(j: int) -> float:
    """Return the j-th of 1/2, 1/4, 3/4, 1/8, ...: the binary digits of j behind the point."""
    digits = f"{j:b}"
    return int(digits[::-1], 2) / 2 ** len(digits)


def _checked(X: Float[ndarray, "n 1"], count: int, *, most: int = 50) -> tuple[float, float, int]:
    """Return the ends of the data, moved apart if they coincide, and the count."""
    X = validate.points(X)
    if X.shape[1] != 1:
        raise ValueError(f"X must have one column, got {X.shape[1]}")
    low, high = float(X.min()), float(X.max())
    apart = 1e-9 * (1 + abs(low)) if high <= low else 0.0
    return low - apart, high + apart, validate.integer("count", count, 1, most)


def _scaled(basis: Basis, X: Float[ndarray, "n 1"], standardize: bool) -> Basis:
    if not standardize:
        return basis
    scaling = polynomial_features(basis(X), 1, columns=basis.names)
    return Basis(basis.kind, basis.names, basis.places, basis.middle, basis.width, scaling)
