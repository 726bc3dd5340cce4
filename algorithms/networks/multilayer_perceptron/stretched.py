"""Points in standard units, with a first column that is larger or smaller than the others.

    u = (x - mean) / standard deviation,     then u_1 <- factor u_1

A network sees such columns when they were not scaled.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.features import PolynomialFeatures, polynomial_features
from algorithms.core.scaling import Scaling

R = TypeVar("R")


def stretched(
    X: Float[ndarray, "n d"], factor: float, *, columns: Sequence[str] | None = None
) -> PolynomialFeatures:
    """Return the map to standard units of the rows of `X`, with the first column times `factor`.

    Raises ValueError unless X is finite and the factor is positive.
    """
    factor = validate.number("factor", factor, positive=True)
    features = polynomial_features(X, 1, columns=columns)
    spread = features.products.spread.copy()
    spread[0] /= factor
    return replace(features, products=Scaling(features.products.center, spread))


def on_stretched(
    algorithm: Callable[..., R], X: Float[ndarray, "n d"], *given: Any, factor: float, **how: Any
) -> R:
    """Run `algorithm` on the points in these units, and return its steps.

    Raises ValueError, at the call, as `stretched` does; and what the algorithm raises.
    """
    X = np.asarray(X, float)
    return algorithm(stretched(X, factor)(X), *given, **how)
