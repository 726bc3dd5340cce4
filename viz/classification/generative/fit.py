"""What the pictures of every generative classifier share: its run, its points, the picked one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy import ndarray

from algorithms.classification.generative.bayes import Generative
from viz.core import plane
from viz.core.scene import Plane

S = TypeVar("S", bound=Generative)

_PALE = 0.6, 0.45  # diameter and opacity of the points held out


@dataclass(frozen=True, eq=False)
class Fit(Generic[S]):
    """A run, the points it is about, and the one that was picked.

    held : (n,) which points of `data` are held out; the steps learned from the others. query : (2,)
    the picked point.
    """

    data: Plane
    steps: Sequence[S]
    held: ndarray
    query: ndarray

    def posterior(self, step: S) -> ndarray:
        """Give the probability of every class at the picked point, at a step."""
        return step.predict_proba(self.query[None])[0]

    def log_factors(self, step: S) -> ndarray:
        """Give ln of what the density of every class at the picked point is made of."""
        return step.log_factors(self.query[None])[0]

    def points(self, step: S) -> dict:
        """Give the points; those held out are small and pale, wrong ones have a thick outline."""
        X, y = self.data.X, self.data.labels
        return points(self.data, self.held, wrong=step.predict(X) != y)


def axes(data: Plane) -> str:
    """Say which features are called x and y, where they have names of their own."""
    x, y = data.names
    return "" if (x, y) == ("x", "y") else f"x is {x}, y is {y}. "


def points(data: Plane, pale: ndarray, **how: ndarray) -> dict:
    """Give the points, some of them small and pale."""
    size, strength = (np.where(pale, value, 1.0) for value in _PALE)
    return plane.points(data.X, data.labels, size=size, strength=strength, **how)
