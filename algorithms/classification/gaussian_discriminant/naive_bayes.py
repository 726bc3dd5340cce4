"""Gaussian naive Bayes: within a class every feature is an independent Gaussian.

Model, with priors pi_k and a mean mu_kj and a variance sigma_kj^2 for every class k and feature j:

    P(k | x) = pi_k prod_j N(x_j; mu_kj, sigma_kj^2) / sum_l pi_l prod_j N(x_j; mu_lj, sigma_lj^2)

Objective: the likelihood of the points and their classes. It is highest, in closed form, at

    pi_k       = n_k / n
    mu_kj      = 1/n_k  sum_(i of k) x_ij
    sigma_kj^2 = 1/n_k  sum_(i of k) (x_ij - mu_kj)^2  +  smoothing max_j Var(x_j)

The last term keeps a feature that does not vary within a class from having a density that is a
spike: with smoothing 0 its variance would be 0. It is a share of the largest variance (as in
scikit-learn), so a unit that all features share does not matter. If the units differ, the share of
a feature with large numbers can drown one with small numbers, unless they are standardised or
smoothing is 0.

Each feature brings one factor of its own, so the run takes them one after the other. The classes
part along x^T A x + b.x + c = 0 with A diagonal: quadrics along the axes, CS725 10.6. It is the
diagonal case of Gaussian discriminant analysis.

Cost: O(n d) for the whole run; a prediction O(K d^2), with the code of the general case.

Source: CS725 10.1, 10.5 and 10.6 (000:1516, 000:1728, 000:1850), which at 10.5 sums over all n
points in place of those of the class.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.classification.gaussian_discriminant._class_borders import class_borders
from algorithms.classification.gaussian_discriminant.gaussian_classes import GaussianClasses
from algorithms.core import validate
from algorithms.core.gaussians import FAR
from algorithms.core.groups import group_sums
from algorithms.core.record import frozen
from algorithms.core.scaling import mean_and_variance, rounding

Event = Literal["feature known", "zero variance", "surface", "no surface"]


def gaussian_naive_bayes(
    X: Float[ndarray, "n d"], y: Int[ndarray, " n"], *, smoothing: float = 1e-9
) -> Iterator["GaussianNaiveBayesStep"]:
    """Estimate priors, then the means and variances of one feature after the other.

    `smoothing` times the largest variance of a feature over all points is added to every variance.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes
    and smoothing >= 0. A variance of zero is an event, no error.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    smoothing = validate.number("smoothing", smoothing)
    return _run(X, classes, codes, smoothing)


def _run(
    X: Float[ndarray, "n d"],
    classes: Int[ndarray, " k"],
    codes: Int[ndarray, " n"],
    smoothing: float,
) -> Iterator["GaussianNaiveBayesStep"]:
    yield (step := _priors(X, classes, codes, smoothing))
    mu, v, zero = _estimates(X, codes, step)
    means, variances, spikes = step.means.copy(), step.variances.copy(), step.spikes.copy()
    roots = step.roots.copy()
    for j in range(X.shape[1]):
        means[:, j] = mu[:, j]
        yield (step := replace(step, means=means, phase="means", index=j, event=None))
        # What stands in for a variance of zero stays in the roots.
        roots[:, j, j] = 1 / np.sqrt(np.where(zero[:, j], variances[:, j], v[:, j]))
        variances[:, j], spikes[:, j] = v[:, j], zero[:, j]
        step = replace(
            step,
            variances=variances,
            roots=roots,
            spikes=spikes,
            phase="variances",
            event="zero variance" if zero[:, j].any() else "feature known",
        )
        yield step
    yield from class_borders(step)


def _priors(
    X: Float[ndarray, "n d"],
    classes: Int[ndarray, " k"],
    codes: Int[ndarray, " n"],
    smoothing: float,
) -> "GaussianNaiveBayesStep":
    """Return the first step: mean and variances of all points stand in for those of the classes."""
    k, counts = len(classes), np.bincount(codes)
    center, variance = mean_and_variance(X)
    return GaussianNaiveBayesStep(
        classes=frozen(classes),
        counts=frozen(counts),
        priors=frozen(counts / len(X)),
        means=frozen(np.tile(center, (k, 1))),
        roots=frozen(np.tile(np.diag(1 / np.sqrt(variance)), (k, 1, 1))),
        variances=frozen(np.tile(variance, (k, 1))),
        spikes=frozen(np.zeros((k, len(center)), bool)),
        added=smoothing * float(np.square(X - center).mean(axis=0).max()),
        phase="priors",
    )


def _estimates(
    X: Float[ndarray, "n d"], codes: Int[ndarray, " n"], priors: "GaussianNaiveBayesStep"
) -> tuple[Float[ndarray, "k d"], Float[ndarray, "k d"], Bool[ndarray, "k d"]]:
    """Return mu_kj, sigma_kj^2, and which of these are zero.

    mu_kj      = 1/n_k  sum_(i of k) x_ij
    sigma_kj^2 = 1/n_k  sum_(i of k) (x_ij - mu_kj)^2  +  smoothing max_j Var(x_j)
    """
    center, counts = priors.means[0], priors.counts
    # Means as offsets from the mean of all: accurate far from the origin.
    means = center + group_sums(X - center, codes, len(counts)) / counts[:, None]
    residuals = X - means[codes]
    squares = group_sums(residuals * residuals, codes, len(counts))
    variances = squares / counts[:, None] + priors.added
    return means, variances, np.sqrt(variances) <= rounding(X)


@dataclass(frozen=True, eq=False)
class GaussianNaiveBayesStep(GaussianClasses):
    """What is known after one more estimate; also a model, since `predict` works at every step.

    Phases: "priors"; "means" and then "variances" of every feature, its number in `index`; then
    "surface" for every two neighbouring classes, their numbers in `pair`. `added` is what the
    smoothing adds to every variance.

    What is not known yet is the mean and the variance of all points together: the same for every
    class, so a feature not seen yet changes nothing. The variance of all also stands in, in
    `roots`, for a variance of zero (`spikes`), which no density has; with one of those the run
    ends in one "surface" step without a pair.

    Events: "feature known" (its variances are), "zero variance", "surface" (the first of them),
    "no surface".
    """

    variances: Float[ndarray, "k d"]
    spikes: Bool[ndarray, "k d"]
    added: float
    phase: Literal["priors", "means", "variances", "surface"]
    index: int | None = None
    pair: tuple[int, int] | None = None
    event: Event | None = None

    @property
    def covariances(self) -> Float[ndarray, "k d d"]:
        """Return the variances as the diagonal matrices that they stand for."""
        return self.variances[:, :, None] * np.eye(self.variances.shape[1])

    @property
    def singular(self) -> Bool[ndarray, " k"]:
        """Return which classes have a variance of zero."""
        return np.logical_or.reduce(self.spikes, axis=1)

    def log_factors(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k d"]:
        """Return ln N(x_j; mu_kj, v_kj), one factor per feature."""
        roots = np.diagonal(self.roots, axis1=1, axis2=2)
        z = (X[:, None] - self.means) * roots
        return np.log(roots) - 0.5 * np.square(np.clip(z, -FAR, FAR)) - 0.5 * np.log(2 * np.pi)

    def densities(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k d"]:
        """Return N(x_j; mu_kj, v_kj), a class's factor for each feature, for every row of `X`."""
        return np.exp(self.log_factors(X))
