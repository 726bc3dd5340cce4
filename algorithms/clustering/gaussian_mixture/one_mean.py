"""EM in a single parameter, so that the log-likelihood is a curve and the bound another one.

Model: two round Gaussians of equal weight and size in the plane (or in any space),

    p(x) = 1/2 N(x; mu_1, sigma^2 I) + 1/2 N(x; mu_2, sigma^2 I)

Everything is held but m, the first coordinate of mu_1. Objective: l(m) = sum_i ln p(x_i). For any
shares q_i of the points that component 1 takes, the lower bound of gaussian_mixture.py is a
parabola in m,

    B(m) = B(m*) - n_1 / (2 sigma^2) (m - m*)^2,      n_1 = sum_i q_i,   m* = sum_i q_i x_i1 / n_1

nowhere above the curve: l(m) = B(m) + KL. Update rule, alternately,

    expectation:   q_i <- r_i = P(1 | x_i):  the parabola now touches the curve at m, KL = 0
    maximization:  m <- m*:                  up to the summit of the parabola

The curve is above the parabola, so l rises at least as much as B does, and all the way from m to m*
it is at least as high as it was at m. The steps get small on a summit of the curve, which need not
be the highest.

Cost of one of each: O(n d).

Source: CS337 (003:1770); Neal and Hinton 1998 (the bound).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.clustering.gaussian_mixture.gaussian_mixture import expectation, lower_bound
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

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
    tol = validate.number("tol", tol)
    sigma = width * (float(np.sqrt(X.var(axis=0).mean())) or 1.0)
    if max(float(np.abs(X - mean).max()) for mean in means) > FARTHEST * sigma:
        raise ValueError(f"the means must be within {FARTHEST:.0e} sigma of the points")
    return iterate(_expected(X, means, sigma), partial(advance, X, tol=tol), most=2 * max_iter)


def advance(X: Float[ndarray, "n d"], step: "OneMeanStep", *, tol: float = 1e-6) -> "OneMeanStep":
    """Return the half-step that follows `step`."""
    if step.phase == "maximization":
        after = _expected(X, step.means, step.sigma)
        event = "converged" if abs(step.rise) < tol * len(X) else None
        return replace(after, rise=step.rise, event=event)
    q, means = step.responsibilities, step.means.copy()
    means[0, 0] = maximization(X, q[:, 0], means[0, 0])
    s = scores(X, means, step.sigma)
    likelihood = float(expectation(s)[1].sum())
    return replace(
        step,
        phase="maximization",
        means=means,
        log_likelihood=likelihood,
        lower_bound=lower_bound(q.T, s),
        rise=likelihood - step.log_likelihood,
    )


def scores(
    X: Float[ndarray, "n d"], means: Float[ndarray, "2 d"], sigma: float
) -> Float[ndarray, "2 n"]:
    """s_ik = ln( 1/2 N(x_i; mu_k, sigma^2 I) )."""
    d = X.shape[1]
    squared = np.square((X - means[:, None]) / sigma).sum(axis=2)
    return -squared / 2 - d * np.log(sigma) - d / 2 * np.log(2 * np.pi) - np.log(2)


def maximization(X: Float[ndarray, "n d"], q: Float[ndarray, " n"], m: float) -> float:
    """m* = sum_i q_i x_i1 / sum_i q_i; m where component 1 has no share of any point."""
    size = q.sum()
    return float(m + q @ (X[:, 0] - m) / size) if size > 0 else float(m)


@dataclass(frozen=True, eq=False)
class OneMeanStep(Record):
    """One half-step of EM in one parameter; also a model, since `predict` works at every step.

    `responsibilities` are q of the bound, of both components. After an expectation they belong to
    the means and `lower_bound` = `log_likelihood`; after a maximization they are still those before
    it. `sigma` is the standard deviation of both components in any direction. `rise` is by how much
    the last maximization raised l.
    """

    phase: Literal["expectation", "maximization"]
    means: Float[ndarray, "2 d"]
    sigma: float
    responsibilities: Float[ndarray, "n 2"]
    log_likelihood: float
    lower_bound: float
    rise: float = 0.0
    event: Literal["converged", "stopped at max_iter"] | None = None

    @property
    def gap(self) -> float:
        """Return KL, the gap between the log-likelihood and the bound."""
        return self.log_likelihood - self.lower_bound

    def maximum(self, X: Float[ndarray, "n d"]) -> float:
        """Return m*, where the bound is highest. `X` are the points that were fitted."""
        return maximization(X, self.responsibilities[:, 0], self.means[0, 0])

    def bound_at(self, X: Float[ndarray, "n d"], m: Float[ndarray, " g"]) -> Float[ndarray, " g"]:
        """Return B at some values of m. `X` are the points that were fitted."""
        best, steep = self.maximum(X), self.responsibilities[:, 0].sum() / (2 * self.sigma**2)
        return self.lower_bound - steep * ((m - best) ** 2 - (self.means[0, 0] - best) ** 2)

    def log_likelihood_at(
        self, X: Float[ndarray, "n d"], m: Float[ndarray, " g"]
    ) -> Float[ndarray, " g"]:
        """Return l at some values of m. `X` are the points that were fitted."""
        rest = np.arange(X.shape[1]) > 0  # the coordinates that are held
        own = scores(X * rest, self.means * rest, self.sigma)[0]
        own = own - 0.5 * np.square((X[:, 0] - m[:, None]) / self.sigma)
        return np.logaddexp(own, scores(X, self.means, self.sigma)[1]).sum(axis=1)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the more probable component, which is the nearer one, of every row of `X`."""
        return scores(X, self.means, self.sigma).argmax(axis=0)


def _expected(X: Float[ndarray, "n d"], means: Float[ndarray, "2 d"], sigma: float) -> OneMeanStep:
    r, ln_p = expectation(scores(X, means, sigma))
    likelihood = float(ln_p.sum())
    return OneMeanStep("expectation", means, sigma, r.T, likelihood, likelihood)
