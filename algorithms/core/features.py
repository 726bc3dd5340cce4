"""Polynomial features: a curved boundary as a linear one in more dimensions.

All products of the columns of total degree 1 to `degree`, in graded order; for two columns

    x, y, x², xy, y², x³, x²y, ...                  C(d + degree, degree) - 1 of them, no constant

Preprocessing (with `standardize`), on whose scale the weights are:

1. u = (x - center) / spread, column by column, so that the powers of data far from the origin, or
   in large units, differ enough;
2. the products of the u;
3. (product - mean) / scale, so that one penalty and one learning rate fit all features.

center and mean, spread and scale are the mean and the standard deviation (dividing by n) over the
points given (scaling.py). A column without spread is only shifted. None of this changes what a
linear model with an intercept can express.

Cost: one multiplication for every point and feature.

Source: CS337 (003:150), CS725 (000:2924), polynomial regression.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.core.scaling import Scaling, standard, unscaled

MAX_FEATURES = 1000
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
DIGITS = "₀₁₂₃₄₅₆₇₈₉"
SUBSCRIPTS = str.maketrans("0123456789", DIGITS)


@dataclass(frozen=True, eq=False)
class PolynomialFeatures(Record):
    """The map from points to their `names` features. Call it on any (m, d) points.

    `powers` holds the exponent of every column in every feature. `columns` scales the columns
    before they are multiplied, `products` the products; without standardising, neither changes
    anything.
    """

    names: tuple[str, ...]
    powers: Int[ndarray, "p d"]
    columns: Scaling
    products: Scaling

    @property
    def center(self) -> Float[ndarray, " d"]:
        """Return the means of the columns."""
        return self.columns.center

    @property
    def spread(self) -> Float[ndarray, " d"]:
        """Return the standard deviations of the columns."""
        return self.columns.spread

    @property
    def mean(self) -> Float[ndarray, " p"]:
        """Return the means of the products."""
        return self.products.center

    @property
    def scale(self) -> Float[ndarray, " p"]:
        """Return the standard deviations of the products."""
        return self.products.spread

    def __call__(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m p"]:
        """Return the features of the rows of `X`."""
        products = _products(X, self.columns, self.powers)
        products -= self.products.center  # as `transform` does, in place: grids are large
        products /= self.products.spread
        return products


def polynomial_features(
    X: Float[ndarray, "n d"],
    degree: int,
    *,
    standardize: bool = True,
    columns: Sequence[str] | None = None,
) -> PolynomialFeatures:
    """Return the map to all products of the columns of total degree 1 to `degree`.

    `columns` names the columns of `X`; without it they are x, y for up to two and x₁, x₂, ... for
    more. Raises ValueError unless degree is between 1 and 10 and X is finite.
    """
    X = validate.points(X)
    degree = validate.integer("degree", degree, 1, 10)
    d = X.shape[1]
    if columns is None:
        numbered = [f"x{j}".translate(SUBSCRIPTS) for j in range(1, d + 1)]
        columns = ("x", "y")[:d] if d <= 2 else numbered
    if len(columns) != d:
        raise ValueError(f"columns must hold d={d} names, got {len(columns)}")
    if (count := comb(d + degree, degree) - 1) > MAX_FEATURES:
        raise ValueError(
            f"degree={degree} on d={d} columns makes {count} features, more than {MAX_FEATURES}"
        )
    powers = _powers(d, degree)
    names = tuple(_name(row, columns) for row in powers)
    if not standardize:
        validate.within(X, name="X", limit=validate.LIMIT ** (1 / degree))
        return PolynomialFeatures(names, powers, unscaled(d), unscaled(len(powers)))
    scaling = standard(X)
    # Rounding of x is rounding of u magnified so much; a product that varies by it is a constant.
    magnified = powers @ (np.abs(X).max(axis=0) / scaling.spread)
    products = standard(_products(X, scaling, powers), magnified=magnified)
    return PolynomialFeatures(names, powers, scaling, products)


def with_ones(X: Float[ndarray, "n d"]) -> Float[ndarray, "n p"]:
    """Return `X` with a column of ones appended, which the intercept multiplies."""
    return np.concatenate([X, np.ones((len(X), 1))], axis=1)


def _powers(d: int, degree: int) -> Int[ndarray, "p d"]:
    chosen = (
        np.bincount(columns, minlength=d)
        for total in range(1, degree + 1)
        for columns in combinations_with_replacement(range(d), total)
    )
    return np.array(list(chosen))


def _name(powers: Int[ndarray, " d"], columns: Sequence[str]) -> str:
    letters = all(len(column.rstrip(DIGITS)) == 1 for column in columns)
    factors = (
        column + (str(power).translate(SUPERSCRIPTS) if power > 1 else "")
        for column, power in zip(columns, powers, strict=True)
        if power > 0
    )
    return ("" if letters else "·").join(factors)


def _products(
    X: Float[ndarray, "m d"], scaling: Scaling, powers: Int[ndarray, "p d"]
) -> Float[ndarray, "m p"]:
    """Return the products, laid out one after the other: they are multiplied up one by one."""
    degree = int(powers.max())
    far = validate.LIMIT ** (1 / degree)  # where products would leave the numbers we work with
    with np.errstate(over="ignore"):
        columns = np.clip(scaling.transform(X), -far, far).T
    table = [columns]
    for _ in range(1, degree):
        table.append(table[-1] * columns)
    products = np.ones((len(powers), len(X)))
    for product, exponents in zip(products, powers, strict=True):
        for j in np.flatnonzero(exponents):
            product *= table[exponents[j] - 1][j]
    return products.T
