"""Choosing the number of components of a mixture: BIC, and the likelihood of held-out points.

The log-likelihood l of the points that were fitted rises with k, so it cannot choose alone. Two
ways to judge k components with p numbers to estimate (weights, means and covariances):

    BIC = -2 l + p ln n                        the lower the better (Schwarz 1978)
    held out = mean of ln p(x) over points that were not fitted      the higher the better

The points are dealt into folds; each fold is held out once while the others are fitted, so every
point is judged once by a mixture that has not seen it. Every fit starts from k-means, once: it ends
in a local maximum, which for some k can be a poor one that other starts would pass.

Cost: folds + 1 runs of EM for every k.

Source: CPSC340 (001:237) and CS725 12 (000:2083) for the model, which leave k open; Schwarz 1978.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.mixtures._weighted_gaussians import SHAPES
from algorithms.clustering.mixtures.gaussian_mixture import (
    GaussianMixtureStep,
    fitted_mixture,
    n_parameters,
)
from algorithms.core import validate
from algorithms.core.record import Record


@dataclass(frozen=True, eq=False)
class MixtureChoiceStep(Record):
    """The mixture of k components, fitted to all points; also a model, since `predict` works.

    `held_out` is the mean log-density of a point under a mixture fitted without it.
    """

    k: int
    mixture: GaussianMixtureStep
    log_likelihood: float
    n_parameters: int
    bic: float
    held_out: float
    event: str | None = None

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the most probable component of every row of `X`."""
        return self.mixture.predict(X)


def mixture_choice(
    X: Float[ndarray, "n d"],
    ks: Sequence[int],
    *,
    rng: Generator,
    covariance: str = "full",
    floor: float = 1e-6,
    folds: int = 5,
    max_iter: int = 60,
    tol: float = 1e-4,
) -> Iterator[MixtureChoiceStep]:
    """Fit a mixture for every k, and once more without each of the `folds` (n of them at most).

    Raises ValueError, at the call, unless every k is between 1 and the points that stay when a
    fold is held out, there is a k, and folds >= 2.
    """
    X = validate.points(X)
    folds = min(validate.integer("folds", folds, 2), len(X))
    validate.choice("covariance", covariance, SHAPES)
    how = {"covariance": covariance, "floor": validate.number("floor", floor)}
    how |= {"max_iter": max_iter, "tol": tol}
    kept = len(X) - -(-len(X) // folds)
    if kept == 0:
        raise ValueError("X must have at least 2 points, one to hold out and one to fit, got n=1")
    if len(ks) == 0:
        raise ValueError("ks must name at least one number of components, got none")
    ks = [validate.integer("k", k, 1, kept, high_name="points not held out") for k in ks]
    fold = rng.permutation(len(X)) % folds
    return _choose(X, ks, fold, rng, how)


def _choose(
    X: Float[ndarray, "n d"], ks: list[int], fold: Int[ndarray, " n"], rng: Generator, how: dict
) -> Iterator[MixtureChoiceStep]:
    for k in ks:
        mixture = fitted_mixture(X, k, rng=rng, **how)
        total = 0.0
        for number in range(fold.max() + 1):
            out = fold == number
            fitted = fitted_mixture(X[~out], k, rng=rng, **how)
            total += float(fitted.score_samples(X[out]).sum())
        count = n_parameters(how["covariance"], X.shape[1], k)
        yield MixtureChoiceStep(
            k=k,
            mixture=mixture,
            log_likelihood=mixture.log_likelihood,
            n_parameters=count,
            bic=-2 * mixture.log_likelihood + count * float(np.log(len(X))),
            held_out=total / len(X),
        )
