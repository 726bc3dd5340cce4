"""Map the points to features, then run an algorithm on them; all algorithms use this composition.

    steps = on_features(svm, X, y, standardize=True, C=1.0)         # the steps of svm itself
    features = polynomial_features(X, 1, standardize=True)          # the map they were made with
    model = Mapped(features, last(steps))                           # a model of the points
    model.predict(X_new)

The steps are those of the algorithm: their weights, points and distances are on the scale of the
features, and `features` maps any point to them. The map is described in features.py.

Cost: one multiplication for every point and feature, once.

Source: scikit-learn's Pipeline.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.features import PolynomialFeatures, polynomial_features
from algorithms.core.record import Record

R = TypeVar("R")


def on_features(
    algorithm: Callable[..., R],
    X: Float[ndarray, "n d"],
    *given: Any,
    degree: int = 1,
    standardize: bool = True,
    **how: Any,
) -> R:
    """Run `algorithm` on the polynomial features of `X`, and return its steps.

    `given` (such as `y`) and `how` go to the algorithm as they are. With degree 1 the features are
    the columns themselves, standardised or not.

    Raises ValueError, at the call, unless degree is between 1 and 10 and X is finite; and what
    the algorithm raises.
    """
    features = polynomial_features(X, degree, standardize=standardize)
    return algorithm(features(X), *given, **how)


@dataclass(frozen=True, eq=False)
class Mapped(Record):
    """A model that maps points to features, and then predicts from the features."""

    features: PolynomialFeatures
    model: Any

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class of every row of `X`."""
        return self.model.predict(self.features(X))

    def scores(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return a score of every class for every row of `X`; the first of the largest wins.

        They are the model's own; 0 and 1 if it has none.
        """
        F = self.features(X)
        if isinstance(self.model, Mapped):
            return self.model.scores(F)
        if not hasattr(self.model, "decision_function"):
            return (self.model.predict(F)[:, None] == self.model.classes).astype(float)
        scores = self.model.decision_function(F)
        return np.stack([-scores, scores], axis=1) if scores.ndim == 1 else scores

    @property
    def event(self) -> str | None:
        """Return how the fit ended."""
        return self.model.event


def on_plane(
    algorithm: Callable[..., R],
    plane: Float[ndarray, "n 2"],
    *given: Any,
    standardize: bool = True,
    **how: Any,
) -> R:
    """Run a regression of the second column of `plane` on the first, in standard units if wanted.

    `given` and `how` go to the algorithm as they are. Return the algorithm's steps, which predict v
    from u, see `plane_units`.

    Raises ValueError, at the call, unless the plane is finite; and what the algorithm raises.
    """
    u, v = plane_units(plane, standardize=standardize)(np.asarray(plane, float)).T
    return algorithm(u[:, None], v, *given, **how)


def plane_units(plane: Float[ndarray, "n 2"], *, standardize: bool = True) -> PolynomialFeatures:
    """Return the map to the units of a regression: standard ones, or those of the data.

    In standard units, u = (x - mean x) / standard deviation of x and v likewise of y, one learning
    rate, one penalty, one start suit any data, and a mean squared error of 1 is that of the mean.

    Raises ValueError unless the plane is finite.
    """
    plane = validate.points(plane, name="plane")
    return polynomial_features(plane, 1, standardize=standardize)
