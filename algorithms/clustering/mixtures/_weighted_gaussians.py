"""The arithmetic of a Gaussian mixture on fixed data: densities, responsibilities, weighted fits.

With R_k the inverse of the Cholesky factor of Sigma_k, so that R_k^T R_k = Sigma_k^-1,

    s_ik = ln pi_k + ln N(x_i; mu_k, Sigma_k)
         = ln pi_k + ln |R_k| - d/2 ln 2 pi - 1/2 ||R_k (x_i - mu_k)||^2
    ln p(x_i) = ln sum_k exp s_ik,      r_ik = exp(s_ik - ln p(x_i))

A maximization takes weighted means and spreads, with n_k = sum_i r_ik:

    pi_k = n_k / n,   mu_k = sum_i r_ik x_i / n_k,
    S_k = sum_i r_ik (x_i - mu_k)(x_i - mu_k)^T / n_k = sum_i r_ik x_i x_i^T / n_k - mu_k mu_k^T

and brings S_k into the shape asked for, which maximises the likelihood within that shape:

    full       Sigma_k = S_k                        tied       Sigma_k = sum_l n_l S_l / n
    diagonal   Sigma_k = the diagonal of S_k        spherical  Sigma_k = (tr S_k / d) I

Last, the floor is added, a share of s^2, the mean of the columns' variances:
Sigma_k <- Sigma_k + floor s^2 I. So no result depends on the unit of the data. (scikit-learn's
reg_covar is floor s^2.) Where the points coincide and there is no unit, s^2 stands for 1.

One matrix product gives R_k (x_i - mu_k) for all points and components, another all the weighted
sums; both on data centred at their mean, so that the difference S_k does not cancel. A standard
deviation below 1e-7 of the largest coordinate is rounding.

Cost: O(n k d^2) for each of the two.
"""

from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from algorithms.clustering.mixtures._em import normalized
from algorithms.core.gaussians import FAR, inverse_roots
from algorithms.core.scaling import TINY, mean_and_variance, rounding

SHAPES = ("full", "tied", "diagonal", "spherical")

NOTHING = 10 * np.finfo(float).eps  # added to every n_k as scikit-learn does: none is ever 0
EMPTY = 1e-10  # a component with less than this of a point has no mean or spread of its own
ROUNDING = 1e-7  # of the largest centred coordinate: its square is the rounding of S_k
LIFT = 1e-9  # of the data's variance: what stands in for a variance of 0
COLLAPSED = 0.01  # of the data's standard deviation
BLOCK = 4096  # rows of a prediction at once: what they take stays in the processor's cache

Mishap = Literal["collapse", "singular covariance", "empty component"]


class Fit(NamedTuple):
    """The parameters at one moment, and the expectation: what they say about every point.

    The means are those of the centred data. `singular`: the covariance has no inverse, or next to
    none, and was lifted. `collapsed`: the smallest standard deviation is under about `COLLAPSED` of
    that of all points. `empty`: no share of any point is left.
    """

    weights: Float[ndarray, " k"]
    means: Float[ndarray, "k d"]
    covariances: Float[ndarray, "k d d"]
    roots: Float[ndarray, "k d d"]
    singular: Bool[ndarray, " k"]
    collapsed: Bool[ndarray, " k"]
    empty: Bool[ndarray, " k"]
    scores: Float[ndarray, "k n"]
    responsibilities: Float[ndarray, "k n"]
    log_likelihood: float

    def mishap(self, before: "Fit | None") -> Mishap | None:
        """Name what has gone wrong since the maximization before."""
        if not (self.singular | self.collapsed | self.empty).any():
            return None
        if self.singular.any():
            return "singular covariance"
        collapsed, empty = (before.collapsed, before.empty) if before else (False, False)
        if (self.collapsed > collapsed).any():
            return "collapse"
        return "empty component" if (self.empty > empty).any() else None


class WeightedGaussians:
    """Fits a mixture of k Gaussians of one shape to fixed data."""

    def __init__(self, X: Float[ndarray, "n d"], k: int, shape: str, floor: float) -> None:
        self.k, self.shape = k, shape
        self.n, d = X.shape
        self.center, variance = mean_and_variance(X)
        C = X - self.center
        squares = (C[:, :, None] * C[:, None, :]).reshape(self.n, d * d)
        self.sums = np.concatenate([C, np.ones((self.n, 1)), squares], axis=1)
        self.with_ones = np.ascontiguousarray(self.sums[:, : d + 1].T)
        self.eye = np.eye(d)
        self.diagonal = self.eye > 0
        self.none = np.zeros(k, bool)
        self.floor = floor * _mean_variance(X, C)
        self.least = ROUNDING * np.abs(C).max(axis=0) + TINY
        self.spread = np.sqrt(variance)
        self.lift = np.diag(LIFT * variance + (10 * self.least) ** 2)

    def everything(self) -> Float[ndarray, "k d d"]:
        """Return the covariance of all points together, in shape, for each component."""
        d = len(self.eye)
        scatter = self.sums[:, d + 1 :].mean(axis=0).reshape(1, d, d)
        return self._shaped(np.repeat(scatter, self.k, axis=0), np.ones(self.k))

    def expectation(
        self,
        weights: Float[ndarray, " k"],
        means: Float[ndarray, "k d"],
        covariances: Float[ndarray, "k d d"],
    ) -> Fit:
        """Evaluate parameters. A singular covariance is lifted a little above 0, and named."""
        roots, singular = self._roots(covariances)
        if singular is not self.none and singular.any():
            covariances = covariances + singular[:, None, None] * self.lift
            roots, _ = self._roots(covariances)
        scores = _scores(self.with_ones, weights, means, roots)
        responsibilities, log_densities = normalized(scores)
        scaled = roots * self.spread
        return Fit(
            weights=weights,
            means=means,
            covariances=covariances,
            roots=roots,
            singular=singular,
            # The trace of the inverse covariance is its largest eigenvalue at least.
            collapsed=np.einsum("kij,kij->k", scaled, scaled) > COLLAPSED**-2,
            empty=weights * self.n < 2 * EMPTY,
            scores=scores,
            responsibilities=responsibilities,
            log_likelihood=float(np.add.reduce(log_densities)),
        )

    def maximization(
        self, q: Float[ndarray, "k n"], before: Fit
    ) -> tuple[Float[ndarray, " k"], Float[ndarray, "k d"], Float[ndarray, "k d d"]]:
        """Return weights, means and covariances; an empty component stays as it was before."""
        k, d = before.means.shape
        sums = q @ self.sums
        sizes = sums[:, d] + NOTHING
        moments = sums / sizes[:, None]
        means = moments[:, :d]
        scatter = moments[:, d + 1 :].reshape(k, d, d) - means[:, :, None] * means[:, None, :]
        if (empty := sums[:, d] < EMPTY).any():
            means = np.where(empty[:, None], before.means, means)
            scatter[empty] = before.covariances[empty] - self.floor * self.eye
        return sizes / np.add.reduce(sizes), means, self._shaped(scatter, sizes)

    def _shaped(
        self, scatter: Float[ndarray, "k d d"], sizes: Float[ndarray, " k"]
    ) -> Float[ndarray, "k d d"]:
        if self.shape == "tied":
            tied = np.tensordot(sizes / sizes.sum(), scatter, 1)
            scatter = np.repeat(tied[None], len(sizes), axis=0)
        elif self.shape == "diagonal":
            scatter = scatter * self.eye
        elif self.shape == "spherical":
            scatter = np.einsum("kii->k", scatter)[:, None, None] / len(self.eye) * self.eye
        return scatter + self.floor * self.eye

    def _roots(
        self, covariances: Float[ndarray, "k d d"]
    ) -> tuple[Float[ndarray, "k d d"], Bool[ndarray, " k"]]:
        """Return the inverses of the Cholesky factors, and which covariances are singular."""
        variances = covariances.diagonal(0, 1, 2)
        try:
            factors = np.linalg.cholesky(covariances)
        except np.linalg.LinAlgError:
            factors = np.zeros_like(covariances)
        pivots = factors.diagonal(0, 1, 2)  # the spread that the coordinates before leave
        if (pivots > np.maximum(self.least, 10 * ROUNDING * np.sqrt(np.abs(variances)))).all():
            return np.linalg.inv(factors), self.none
        # Slower, but it tells which are singular. Rounding can make a variance negative.
        variances = np.maximum(variances, 0.0)
        return inverse_roots(np.where(self.diagonal, variances[:, None], covariances), self.least)


def _mean_variance(X: Float[ndarray, "n d"], C: Float[ndarray, "n d"]) -> float:
    """Return s^2 of data, also given centred; 1 if they do not vary beyond their rounding."""
    variances = (C * C).mean(axis=0)
    return float(variances.mean()) if (np.sqrt(variances) > rounding(X)).any() else 1.0


def scores(
    X: Float[ndarray, "m d"],
    weights: Float[ndarray, " k"],
    means: Float[ndarray, "k d"],
    roots: Float[ndarray, "k d d"],
) -> Float[ndarray, "k m"]:
    """Return s_ik of any points, however far, a row a component."""
    middle = weights @ means
    result = np.empty((len(means), len(X)))
    for start in range(0, len(X), BLOCK):
        C = X[start : start + BLOCK] - middle
        with_ones = np.concatenate([C.T, np.ones((1, len(C)))])
        with np.errstate(over="ignore"):
            block = _scores(with_ones, weights, means - middle, roots)
        result[:, start : start + BLOCK] = np.maximum(block, -(FAR**2))
    return result


def _scores(
    with_ones: Float[ndarray, "rows n"],
    weights: Float[ndarray, " k"],
    means: Float[ndarray, "k d"],
    roots: Float[ndarray, "k d d"],
) -> Float[ndarray, "k n"]:
    """Return the scores of points that are columns (x, 1)."""
    k, d = means.shape
    shift = roots @ means[:, :, None]
    z = np.concatenate([roots, -shift], axis=2).reshape(k * d, d + 1) @ with_ones
    z *= z
    scores = np.add.reduce(z.reshape(k, d, -1), axis=1)
    volumes = np.add.reduce(np.log(roots.diagonal(0, 1, 2)), axis=1)
    scores *= -0.5
    scores += (np.log(weights) + (volumes - d / 2 * np.log(2 * np.pi)))[:, None]
    return scores
