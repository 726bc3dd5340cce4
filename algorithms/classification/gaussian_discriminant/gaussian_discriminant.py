"""Gaussian discriminant analysis: a Gaussian for every class, and Bayes' rule.

Model, with priors pi_k, means mu_k and covariances Sigma_k:

    P(k | x) = pi_k N(x; mu_k, Sigma_k) / sum_l pi_l N(x; mu_l, Sigma_l)

Objective: the likelihood of the points and their classes. It is highest, in closed form, at

    pi_k    = n_k / n
    mu_k    = 1/n_k  sum_(i of k) x_i
    Sigma_k = 1/n_k  sum_(i of k) (x_i - mu_k)(x_i - mu_k)^T + ridge D       "separate"
    Sigma   = 1/n  sum_k sum_(i of k) (x_i - mu_k)(x_i - mu_k)^T + ridge D   "shared"

where D is diagonal and holds the variance of each column over all points: the ridge is a share of
it, and no class depends on the units of the columns.

"diagonal" keeps the diagonal of the separate ones: features independent within a class, which is
naive Bayes. With separate or diagonal covariances the classes part along quadrics, with a shared
one along planes, because x^T Sigma^-1 x is the same for every class and cancels.

A covariance is singular when the points of a class do not fill the space (too few of them, all on
a line, a column that does not vary). It has no inverse, and the class no density; a ridge raises
every eigenvalue and so repairs it. (A column that does not vary at all has a 1 in D. It is the same
for every class, so the value does not matter.)

Cost: O(n d^2 + K d^3) for the whole run; a prediction O(K d^2).

Source: CS725 11, 11.1 and 11.2 (000:1995). It writes the product in the shared covariance as
(x - mu)^T (x - mu), a number; the matrix (x - mu)(x - mu)^T is right. Its count of parameters, as
here, leaves out the K - 1 priors.
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
from algorithms.core.gaussians import inverse_roots
from algorithms.core.groups import group_sums
from algorithms.core.record import frozen
from algorithms.core.scaling import mean_and_variance, rounding

COVARIANCES = ("shared", "separate", "diagonal")

Event = Literal["means known", "covariances known", "singular covariance", "surface", "no surface"]


def gaussian_discriminant(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    covariance: str = "shared",
    ridge: float = 0.0,
    priors: Float[ndarray, " k"] | None = None,
) -> Iterator["GaussianDiscriminantStep"]:
    """Estimate priors, means and covariances, then write out the surfaces between classes.

    `covariance` is "shared" (linear discriminant analysis), "separate" (quadratic) or "diagonal"
    (naive Bayes). `ridge` times the variance of a column over all points is added to its variance
    in every class. `priors` replace the shares of the classes among the points, divided by their
    sum; nothing else changes.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two or more classes,
    ridge >= 0 and the priors are positive, one per class. A singular covariance is an event, no
    error.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    validate.choice("covariance", covariance, COVARIANCES)
    ridge = validate.number("ridge", ridge)
    first = _priors(X, classes, codes)
    if priors is not None:
        first = replace(first, priors=_as_shares(priors, len(classes)))
    return _run(X, codes, covariance, ridge, first)


def _run(
    X: Float[ndarray, "n d"],
    codes: Int[ndarray, " n"],
    covariance: str,
    ridge: float,
    step: "GaussianDiscriminantStep",
) -> Iterator["GaussianDiscriminantStep"]:
    yield step
    means = class_means(X, codes, step.counts)
    yield (step := replace(step, means=means, phase="means", event="means known"))
    sigmas = class_covariances(X - means[codes], codes, step.counts, covariance)
    sigmas += ridge * step.covariances[0]  # still the variances of all points
    for after in _covariances(step, sigmas, rounding(X), covariance):
        yield (step := after)
    yield from class_borders(step)


def class_means(
    X: Float[ndarray, "n d"], codes: Int[ndarray, " n"], counts: Int[ndarray, " k"]
) -> Float[ndarray, "k d"]:
    """Return mu_k = 1/n_k sum_(i of k) x_i, as offsets from the mean of all.

    So the means are accurate far from the origin.
    """
    center, _ = mean_and_variance(X)
    return center + group_sums(X - center, codes, len(counts)) / counts[:, None]


def class_covariances(
    residuals: Float[ndarray, "n d"],
    codes: Int[ndarray, " n"],
    counts: Int[ndarray, " k"],
    covariance: str,
) -> Float[ndarray, "k d d"]:
    """Return Sigma_k = 1/n_k sum_(i of k) r_i r_i^T, of the residuals r_i = x_i - mu_k.

    Of a shared one, entry k has the classes up to k.
    """
    groups = (residuals[codes == j] for j in range(len(counts)))
    scatters = np.array([own.T @ own for own in groups])
    if covariance == "shared":
        return scatters.cumsum(axis=0) / counts.cumsum()[:, None, None]
    if covariance == "diagonal":
        scatters *= np.eye(residuals.shape[1])
    return scatters / counts[:, None, None]


def _priors(
    X: Float[ndarray, "n d"], classes: Int[ndarray, " k"], codes: Int[ndarray, " n"]
) -> "GaussianDiscriminantStep":
    """Return the first step: mean and variances of all points stand in for those of the classes."""
    k, counts = len(classes), np.bincount(codes)
    center, variance = mean_and_variance(X)
    return GaussianDiscriminantStep(
        classes=frozen(classes),
        counts=frozen(counts),
        priors=frozen(counts / len(X)),
        means=frozen(np.tile(center, (k, 1))),
        roots=frozen(np.tile(np.diag(1 / np.sqrt(variance)), (k, 1, 1))),
        covariances=frozen(np.tile(np.diag(variance), (k, 1, 1))),
        singular=frozen(np.zeros(k, bool)),
        phase="priors",
    )


def _as_shares(priors: Float[ndarray, " k"], k: int) -> Float[ndarray, " k"]:
    """Return priors divided by their sum."""
    given = np.asarray(priors, float)
    if given.shape != (k,) or not np.isfinite(given).all() or not (given > 0).all():
        raise ValueError(f"priors must hold {k} positive numbers, got {given.tolist()}")
    return given / given.sum()


def _covariances(
    step: "GaussianDiscriminantStep",
    estimates: Float[ndarray, "k d d"],
    least: Float[ndarray, " d"],
    covariance: str,
) -> Iterator["GaussianDiscriminantStep"]:
    """Yield a step for the covariance of every class; a singular one keeps its stand-in."""
    k = len(estimates)
    their_roots, have_none = inverse_roots(estimates, least)
    their_roots[have_none] = step.roots[0]
    covariances, roots, singular = step.covariances.copy(), step.roots.copy(), np.zeros(k, bool)
    for j in range(k):
        whose = slice(None) if covariance == "shared" else j
        covariances[whose], roots[whose] = estimates[j], their_roots[j]
        singular[whose] = have_none[j]
        event: Event | None = "covariances known" if j == k - 1 else None
        if have_none[j] and (covariance != "shared" or j == k - 1):
            event = "singular covariance"
        yield replace(
            step,
            covariances=covariances,
            roots=roots,
            singular=singular,
            phase="covariance",
            index=j,
            event=event,
        )


@dataclass(frozen=True, eq=False)
class GaussianDiscriminantStep(GaussianClasses):
    """What is known after one more estimate; also a model, since `predict` works at every step.

    Phases: "priors"; "means"; "covariance" for every class, its number in `index`; then "surface"
    for every two neighbouring classes, their numbers in `pair`. A shared covariance is that of the
    classes seen so far.

    For what is not known yet, the mean and the variances of all points stand in. They are the same
    for every class, so initially only the priors distinguish the classes.
    The variances also stand in, in `roots`, for a covariance that is `singular`; with such a class
    the run ends in one "surface" step without a pair.

    Events: "means known", "covariances known" (at the last one), "singular covariance", "surface"
    (at the first one), "no surface".
    """

    covariances: Float[ndarray, "k d d"]
    singular: Bool[ndarray, " k"]
    phase: Literal["priors", "means", "covariance", "surface"]
    index: int | None = None
    pair: tuple[int, int] | None = None
    event: Event | None = None

    def log_factors(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k 1"]:
        """Return ln p(x | k) as a single factor."""
        return self.log_densities(X)[:, :, None]

    def half_axes(self, k: int) -> tuple[float, float]:
        """Return the longest and the shortest half-axis of the ellipse of 1 standard deviation.

        Their squares are the largest and the smallest eigenvalue of the covariance of class k.
        """
        eigenvalues = np.maximum(np.linalg.eigvalsh(self.covariances[k]), 0.0)
        return float(np.sqrt(eigenvalues[-1])), float(np.sqrt(eigenvalues[0]))

    def correlation(self, k: int) -> float:
        """Return the correlation of the first two columns in class k; 0 if one does not vary."""
        S = self.covariances[k]
        scale = float(S[0, 0] * S[1, 1])
        return float(S[0, 1] / np.sqrt(scale)) if scale > 0 else 0.0
