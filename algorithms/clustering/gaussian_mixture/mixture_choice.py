"""Choosing the number of components of a mixture: BIC, and the likelihood of held-out points.

The log-likelihood l of the points that were fitted rises with k, so it cannot choose alone. Two
ways to judge k components with a numbers to estimate (weights, means and covariances):

    BIC = -2 l + a ln n                        the lower the better (Schwarz 1978)
    held out = mean of ln p(x) over points that were not fitted      the higher the better

EM ends in a local maximum, and both criteria are about the highest one. So every k is tried from
several starts, k-means and random points as means in turn, and the highest l is kept. (With one
component all starts end in the same place.)

The points are dealt into folds. Each fold is held out once while the others are fitted, so every
point is judged once by a mixture that was fitted without it. These fits start at the means of the
mixture that was kept.

Cost: starts + folds runs of EM for every k.

Source: CPSC340 (001:237) and CS725 12 (000:2083) for the model, which leave k open; Schwarz 1978.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.gaussian_mixture._covariances import SHAPES, family
from algorithms.clustering.gaussian_mixture._starts import means_and_labels
from algorithms.clustering.gaussian_mixture.gaussian_mixture import (
    GaussianMixtureStep,
    evaluated,
    fitted,
    start,
)
from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.core.work import spend


@dataclass(frozen=True, eq=False)
class MixtureChoiceStep(Record):
    """The best mixture of k components, fitted to all points; also a model: `predict` works.

    `ends` are the log-likelihoods at which the starts ended; the highest one is kept. `held_out` is
    the mean log-density of a point under a mixture fitted without it.
    """

    k: int
    mixture: GaussianMixtureStep
    ends: Float[ndarray, " starts"]
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
    starts: int = 10,
    folds: int = 5,
    max_iter: int = 60,
    tol: float = 1e-4,
) -> Iterator[MixtureChoiceStep]:
    """Fit a mixture for every k, and once more without each of the `folds` (n of them at most).

    Raises ValueError, at the call, unless every k is between 1 and the points that stay when a
    fold is held out, there is a k, starts >= 1 and folds >= 2.
    """
    X = validate.points(X)
    starts = validate.integer("starts", starts, 1)
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
    return (_choice(X, k, fold, starts, {"rng": rng} | how) for k in ks)


def _choice(
    X: Float[ndarray, "n d"], k: int, fold: Int[ndarray, " n"], starts: int, how: dict
) -> MixtureChoiceStep:
    """Fit k components to all points, the best of the starts, and to all but each fold."""
    inits = [("k-means", "random")[start % 2] for start in range(starts if k > 1 else 1)]
    fits = [fitted_mixture(X, k, init=init, **how) for init in inits]
    best = max(fits, key=lambda fit: fit.log_likelihood)
    total = 0.0
    for number in range(fold.max() + 1):
        out = fold == number
        fitted = fitted_mixture(X[~out], k, init=best.means, **how)
        total += float(fitted.score_samples(X[out]).sum())
    count = n_parameters(how["covariance"], X.shape[1], k)
    return MixtureChoiceStep(
        k=k,
        mixture=best,
        ends=np.array([fit.log_likelihood for fit in fits]),
        log_likelihood=best.log_likelihood,
        n_parameters=count,
        bic=-2 * best.log_likelihood + count * float(np.log(len(X))),
        held_out=total / len(X),
    )


def n_parameters(covariance: str, d: int, k: int) -> int:
    """Return how many numbers are estimated: weights, means and covariances."""
    validate.choice("covariance", covariance, SHAPES)
    pairs = d * (d + 1) // 2
    each = {"full": k * pairs, "tied": pairs, "diagonal": k * d, "spherical": k}[covariance]
    return k - 1 + k * d + each


def fitted_mixture(
    X: Float[ndarray, "n d"],
    k: int,
    *,
    rng: Generator,
    covariance: str,
    init: str | Float[ndarray, "k d"],
    max_iter: int,
    tol: float,
    floor: float,
) -> GaussianMixtureStep:
    """Return the model that `gaussian_mixture` ends with, in half the time.

    After a maximization neither the bound nor the log-likelihood is computed.
    """
    step = start(X, *means_and_labels(X, k, init, rng), family(X, covariance, floor))
    for _ in range(max_iter):
        if step.event in step.final_events:
            break
        spend()
        before, step = step, fitted(X, step)
        step = evaluated(X, step, step.event)
        if abs(step.log_likelihood - before.log_likelihood) < tol * len(X):
            break
    return step
