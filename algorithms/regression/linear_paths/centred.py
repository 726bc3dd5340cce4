"""Columns and targets about their means: then the best intercept of a linear model is 0."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.scaling import ROUNDING


@dataclass(frozen=True)
class Centred:
    """Columns `X` and targets `y` about their means; what does not vary is exactly 0."""

    X: Float[ndarray, "n d"]
    y: Float[ndarray, " n"]
    x_mean: Float[ndarray, " d"]
    y_mean: float

    def intercept(self, weights: Float[ndarray, " d"]) -> float:
        """Return the best intercept for these weights: the fit passes through the means."""
        return float(self.y_mean - self.x_mean @ weights)


def centred(X: Any, y: Any) -> Centred:
    """Return the data about their means; raises ValueError unless they are finite and fit."""
    X = validate.points(X)
    y = validate.targets(y, len(X))
    x_mean, y_mean = X.mean(axis=0), float(y.mean())
    dx, dy = X - x_mean, y - y_mean
    dx[:, np.abs(dx).max(axis=0) <= ROUNDING * np.abs(X).max(axis=0)] = 0.0
    if np.abs(dy).max() <= ROUNDING * np.abs(y).max():
        dy[:] = 0.0
    return Centred(dx, dy, x_mean, y_mean)
