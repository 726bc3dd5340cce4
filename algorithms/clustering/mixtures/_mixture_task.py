"""The arguments of a Gaussian mixture, checked, and where EM starts."""

from copy import copy

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.mixtures._weighted_gaussians import SHAPES, Fit, WeightedGaussians
from algorithms.clustering.restarts import lowest_inertia
from algorithms.core import validate


class Task:
    """What to fit (`gaussians`), from where, and until when."""

    def __init__(
        self,
        X: Float[ndarray, "n d"],
        k: int,
        rng: Generator,
        covariance: str,
        init: str | ndarray,
        max_iter: int,
        tol: float,
        floor: float,
    ) -> None:
        X = validate.points(X)
        k = validate.integer("k", k, 1, len(X), high_name="n")
        validate.choice("covariance", covariance, SHAPES)
        self.max_iter = validate.integer("max_iter", max_iter, 1)
        self.slack = validate.number("tol", tol) * len(X)
        floor = validate.number("floor", floor)
        self.shape = (k, X.shape[1])
        self._gaussians = k, covariance, floor
        self.X, self.gaussians = X, WeightedGaussians(X, *self._gaussians)
        self.start = _start(X, k, self.gaussians, init, rng)

    def on(self, X: Float[ndarray, "n d"]) -> "Task":
        """Give the same task on other points; it has no start of its own."""
        other = copy(self)
        other.X, other.gaussians = X, WeightedGaussians(X, *self._gaussians)
        return other


def placed(name: str, places: ndarray, shape: tuple[int, int]) -> Float[ndarray, "k d"]:
    """Check that these can be the means, which have the shape (k, d)."""
    means = validate.points(places, name=name)
    if means.shape != shape:
        raise ValueError(f"{name} must have shape (k, d) = {shape}, got shape {means.shape}")
    return means


def _start(
    X: Float[ndarray, "n d"],
    k: int,
    gaussians: WeightedGaussians,
    init: str | ndarray,
    rng: Generator,
) -> Fit:
    members = None
    if not isinstance(init, str):
        means = placed("init", init, (k, X.shape[1]))
    elif validate.choice("init", init, ("k-means", "random")) == "random":
        means = rng.choice(X, size=k, replace=False)
    else:
        means, labels, _ = lowest_inertia(X, k, rng=rng, restarts=1)
        members = labels == np.arange(k)[:, None]
    fit = gaussians.expectation(np.full(k, 1 / k), means - gaussians.center, gaussians.everything())
    if members is None:
        return fit
    return gaussians.expectation(*gaussians.maximization(members.astype(float), fit))
