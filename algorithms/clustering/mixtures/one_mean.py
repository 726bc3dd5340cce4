"""EM in a single parameter, so that the log-likelihood is a curve and the bound another one.

Model: two round Gaussians of equal weight and size in the plane (or in any space),

    p(x) = 1/2 N(x; mu_1, sigma^2 I) + 1/2 N(x; mu_2, sigma^2 I)

All is held but m, the first coordinate of mu_1. Objective: l(m) = sum_i ln p(x_i). For any shares
q_i of the points that component 1 takes, the lower bound of gaussian_mixture.py is a parabola in m,

    B(m) = B(m*) - n_1 / (2 sigma^2) (m - m*)^2,      n_1 = sum_i q_i,   m* = sum_i q_i x_i1 / n_1

nowhere above the curve: l(m) = B(m) + KL. Update rule, alternately,

    expectation:   q_i <- r_i = P(1 | x_i):  the parabola now touches the curve at m, KL = 0
    maximization:  m <- m*:                  up to the summit of the parabola

As the curve is above the parabola, l rises at least as much as B does, and all the way from m to m*
it is at least where it was. The steps get small on a summit of the curve, which need not be the
highest.

Cost of one of each: O(n d).

Source: CS337 (003:1770); Neal and Hinton 1998 (the bound).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.clustering.mixtures._em import Ending, ending, lower_bound, normalized
from algorithms.core import validate
from algorithms.core.record import Record, frozen

Phase = Literal["expectation", "maximization"]
FARTHEST = 1e150  # standard deviations: the square of more is no number


def one_mean(
    X: Float[ndarray, "n d"],
    *,
    means: Float[ndarray, "2 d"],
    width: float = 0.5,
    max_iter: int = 200,
    tol: float = 1e-6,
) -> Iterator["OneMeanStep"]:
    """Alternate expectation and maximization until the log-likelihood changes by less than `tol`.

    The first step is the expectation at the start; at most `max_iter` pairs of a maximization and
    an expectation follow. `means` are mu_1 at the start, and mu_2. `width` is sigma as a share of
    s, the root of the mean of the columns' variances (of 1 if the points coincide). `tol` counts
    per point.

    Raises ValueError, at the call, unless means has two rows, width > 0, and all is finite, or if a
    mean is so many sigmas from a point that the square overflows.
    """
    X = validate.points(X)
    means = validate.points(means, name="means")
    if means.shape != (2, X.shape[1]):
        raise ValueError(f"means must have shape (2, {X.shape[1]}), got shape {means.shape}")
    width = validate.number("width", width, positive=True)
    max_iter = validate.integer("max_iter", max_iter, 1)
    slack = validate.number("tol", tol) * len(X)
    sigma = width * (float(np.sqrt(X.var(axis=0).mean())) or 1.0)
    if max(float(np.abs(X - mean).max()) for mean in means) > FARTHEST * sigma:
        raise ValueError(f"the means must be within {FARTHEST:.0e} sigma of the points")
    return _em(X, means, sigma, max_iter, slack)


def _em(
    X: Float[ndarray, "n d"],
    means: Float[ndarray, "2 d"],
    sigma: float,
    max_iter: int,
    slack: float,
) -> Iterator["OneMeanStep"]:
    fit = _expectation(X, means, sigma)
    q = frozen(fit.responsibilities.T)
    yield _step("expectation", fit, sigma, q, fit.log_likelihood)
    for left in reversed(range(max_iter)):
        before = fit
        m = _maximum(X, q[:, 0], before.means[0, 0])
        fit = _expectation(X, _moved(before.means, m), sigma)
        yield (step := _step("maximization", fit, sigma, q, lower_bound(before, fit)))
        q, bound = frozen(fit.responsibilities.T), fit.log_likelihood
        end = ending(before, fit, slack, left)
        yield replace(step, phase="expectation", responsibilities=q, lower_bound=bound, event=end)
        if end:
            return


class Fit(NamedTuple):
    """The means at one moment, and the expectation; a row a component."""

    means: Float[ndarray, "2 d"]
    scores: Float[ndarray, "2 n"]
    responsibilities: Float[ndarray, "2 n"]
    log_likelihood: float


def _expectation(X: Float[ndarray, "n d"], means: Float[ndarray, "2 d"], sigma: float) -> Fit:
    scores = np.stack([_score(X, mean, sigma) for mean in means])
    r, log_densities = normalized(scores)
    return Fit(means, scores, r, float(log_densities.sum()))


def _score(X: Float[ndarray, "n d"], mean: Float[ndarray, " d"], sigma: float) -> ndarray:
    """Return ln 1/2 N(x; mean, sigma^2 I) for every row of `X`."""
    d = X.shape[1]
    squared = np.square((X - mean) / sigma).sum(axis=1)
    return -0.5 * squared - d * np.log(sigma) - d / 2 * np.log(2 * np.pi) - np.log(2)


def _maximum(X: Float[ndarray, "n d"], q: Float[ndarray, " n"], m: float) -> float:
    """Return m*, or m where component 1 has no share of any point."""
    size = q.sum()
    return float(m + q @ (X[:, 0] - m) / size) if size > 0 else float(m)


def _moved(means: Float[ndarray, "2 d"], m: float) -> Float[ndarray, "2 d"]:
    means = means.copy()
    means[0, 0] = m
    return means


@dataclass(frozen=True, eq=False)
class OneMeanStep(Record):
    """One half-step of EM in one parameter; also a model, since `predict` works at every step.

    `responsibilities` are q of the bound, of both components. After an expectation they belong to
    the means and `lower_bound` = `log_likelihood`; after a maximization they are still those before
    it. `sigma` is the standard deviation of both components in any direction.
    """

    phase: Phase
    means: Float[ndarray, "2 d"]
    sigma: float
    responsibilities: Float[ndarray, "n 2"]
    log_likelihood: float
    lower_bound: float
    event: Ending | None = None

    @property
    def gap(self) -> float:
        """KL: by how much the bound is below the log-likelihood."""
        return self.log_likelihood - self.lower_bound

    def maximum(self, X: Float[ndarray, "n d"]) -> float:
        """Return m*, where the bound is highest. `X` are the points that were fitted."""
        return _maximum(X, self.responsibilities[:, 0], self.means[0, 0])

    def bound_at(self, X: Float[ndarray, "n d"], m: Float[ndarray, " g"]) -> Float[ndarray, " g"]:
        """Return B at some values of m. `X` are the points that were fitted."""
        best, steep = self.maximum(X), self.responsibilities[:, 0].sum() / (2 * self.sigma**2)
        return self.lower_bound - steep * ((m - best) ** 2 - (self.means[0, 0] - best) ** 2)

    def log_likelihood_at(
        self, X: Float[ndarray, "n d"], m: Float[ndarray, " g"]
    ) -> Float[ndarray, " g"]:
        """Return l at some values of m. `X` are the points that were fitted."""
        mean, other = self.means
        rest = np.arange(len(mean)) > 0  # the coordinates that are held
        own = _score(X * rest, mean * rest, self.sigma)
        own = own - 0.5 * np.square((X[:, 0] - m[:, None]) / self.sigma)
        return np.logaddexp(own, _score(X, other, self.sigma)).sum(axis=1)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the more probable component, which is the nearer one, of every row of `X`."""
        return np.stack([_score(X, mean, self.sigma) for mean in self.means]).argmax(axis=0)


def _step(
    phase: Phase, fit: Fit, sigma: float, q: Float[ndarray, "n 2"], bound: float
) -> OneMeanStep:
    return OneMeanStep(phase, fit.means, sigma, q, fit.log_likelihood, bound)
