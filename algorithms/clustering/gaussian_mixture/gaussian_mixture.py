"""Mixtures of Gaussians by expectation-maximisation (EM).

Model: a point comes from component k with probability pi_k, and then from a Gaussian,

    p(x) = sum_k pi_k N(x; mu_k, Sigma_k)

Objective, the log-likelihood l = sum_i ln p(x_i). For any responsibilities q_ik, which are
non-negative and sum to 1 over k, Jensen's inequality gives a lower bound B on it:

    l = B + KL,     B  = sum_ik q_ik ln( pi_k N(x_i; mu_k, Sigma_k) / q_ik )
                    KL = sum_ik q_ik ln( q_ik / r_ik ) >= 0,     r_ik = P(k | x_i)

Update rule: raise B over one argument while the other is held, alternately,

    expectation:   q_ik <- r_ik = pi_k N(x_i; mu_k, Sigma_k) / sum_l pi_l N(x_i; mu_l, Sigma_l)
    maximization:  with n_k = sum_i q_ik,  pi_k <- n_k / n,  mu_k <- sum_i q_ik x_i / n_k,
                   Sigma_k <- sum_i q_ik (x_i - mu_k)(x_i - mu_k)^T / n_k  + floor s^2 I

The expectation closes the gap, KL = 0, and leaves l alone. The maximization lifts B, and l with it,
because KL >= 0 opens again. So l never falls, and the run ends in a local maximum that depends on
the start.

The floor. l has no upper bound: a component that shrinks onto one point has a density there that
grows for ever. So a share `floor` of s^2, the mean of the columns' variances, is added to every
variance. This maximises B - floor s^2 / 2 sum_k n_k tr(Sigma_k^-1) in place of B, so a maximization
can lower B by as much as `largest_fall` says, which is next to nothing unless a component is as
small as the floor. With floor = 0 the run ends where a covariance becomes singular.

Cost of one of each: O(n k d^2).

The other shapes of Sigma_k: _covariances.py. Where a run starts: _starts.py. Choosing k:
mixture_choice.py, which leaves out what a run of these steps computes for the pictures alone.

Source: CS725 12.1-12.2 (000:2083), whose exercise divides by n where n_k belongs; CPSC340
(001:237); CS337 (003:1770); Dempster, Laird and Rubin 1977; Neal and Hinton 1998 (the bound).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal, TypeVar

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.gaussian_mixture._covariances import SHAPES, Family, family
from algorithms.clustering.gaussian_mixture._starts import means_and_labels, placed
from algorithms.core import validate
from algorithms.core.gaussians import FAR
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

TINY = np.finfo(float).tiny
NOTHING = 10 * np.finfo(float).eps  # added to every n_k, as in scikit-learn, so that none is ever 0
EMPTY = 1e-10  # a component with less than this share of a point gets no mean or spread of its own

Mishap = Literal["collapse", "singular covariance", "empty component"]
Event = Mishap | Literal["moved by hand", "converged", "stopped at max_iter"]

S = TypeVar("S", bound="GaussianMixtureStep")


def gaussian_mixture(
    X: Float[ndarray, "n d"],
    k: int,
    *,
    rng: Generator,
    covariance: str = "full",
    init: str | Float[ndarray, "k d"] = "k-means",
    max_iter: int = 200,
    tol: float = 1e-6,
    floor: float = 1e-6,
) -> Iterator["GaussianMixtureStep"]:
    """Alternate expectation and maximization until the log-likelihood changes by less than `tol`.

    The first step is the expectation at the start; at most `max_iter` pairs of a maximization and
    an expectation follow. `tol` counts per point, as in scikit-learn. `covariance` is "full",
    "tied", "diagonal" or "spherical"; `init` is "k-means", "random" (k different points as means)
    or the (k, d) means; `floor` is a share of the mean of the columns' variances.

    Raises ValueError, at the call, unless 1 <= k <= n, tol >= 0, floor >= 0 and all is finite.
    """
    X = validate.points(X)
    k = validate.integer("k", k, 1, len(X), high_name="n")
    validate.choice("covariance", covariance, SHAPES)
    max_iter = validate.integer("max_iter", max_iter, 1)
    tol, floor = validate.number("tol", tol), validate.number("floor", floor)
    first = start(X, *means_and_labels(X, k, init, rng), family(X, covariance, floor))
    return iterate(first, partial(advance, X, tol=tol), most=2 * max_iter)


def advance(
    X: Float[ndarray, "n d"], step: "GaussianMixtureStep", *, tol: float = 1e-6
) -> "GaussianMixtureStep":
    """Return the half-step that follows `step`."""
    if step.phase == "expectation":
        return _maximized(X, step)
    return evaluated(X, step, "converged" if abs(step.rise) < tol * len(X) else None)


def expectation(
    s: Float[ndarray, "k n"],
) -> tuple[Float[ndarray, "k n"], Float[ndarray, " n"]]:
    """r_ik <- exp s_ik / sum_l exp s_il. Return r, and ln p(x_i) = ln sum_k exp s_ik."""
    top = s.max(axis=0)  # subtracted so that no exponential overflows
    p = np.exp(s - top)
    total = p.sum(axis=0)
    return p / total, top + np.log(total)


def scores(
    X: Float[ndarray, "n d"],
    pi: Float[ndarray, " k"],
    mu: Float[ndarray, "k d"],
    R: Float[ndarray, "k d d"],
) -> Float[ndarray, "k n"]:
    """s_ik = ln( pi_k N(x_i; mu_k, Sigma_k) ), with R_k^T R_k = Sigma_k^-1."""
    z = R @ (X.T.copy() - mu[:, :, None])  # (k, d, n): the points are columns
    ln_det = np.log(R.diagonal(0, 1, 2)).sum(axis=1)
    constant = np.log(pi) + ln_det - X.shape[1] / 2 * np.log(2 * np.pi)
    return constant[:, None] - np.einsum("kdn,kdn->kn", z, z) / 2


def maximization(
    X: Float[ndarray, "n d"], q: Float[ndarray, "k n"]
) -> tuple[Float[ndarray, " k"], Float[ndarray, "k d"], Float[ndarray, "k d d"]]:
    """pi_k <- n_k / n, mu_k <- sum_i q_ik x_i / n_k; and S_k, the weighted scatter around mu_k."""
    o = X[0]  # sums of offsets from a point do not cancel far from the origin
    x = (X - o).T.copy()
    n_k = q.sum(axis=1) + NOTHING
    m = q @ x.T / n_k[:, None]
    gaps = x - m[:, :, None]  # (k, d, n)
    S = (q[:, None] * gaps) @ gaps.swapaxes(1, 2) / n_k[:, None, None]
    return n_k / n_k.sum(), o + m, S


def lower_bound(q: Float[ndarray, "k n"], s: Float[ndarray, "k n"]) -> float:
    """Return B = sum_ik q_ik (s_ik - ln q_ik), where 0 ln 0 = 0."""
    return float((q * (s - np.log(np.maximum(q, TINY)))).sum())


def by_hand(X: Float[ndarray, "n d"], means: Float[ndarray, "k d"], step: S) -> S:
    """Return the step after `step` when the means are moved by hand: an expectation.

    Weights and covariances stay. Raises ValueError unless there are k finite places.
    """
    means = placed("means", means, step.means.shape)
    here = family(X, step.family.shape, step.family.share)
    Sigma, R, singular = here.with_inverse_roots(step.covariances)
    there = replace(step, means=means, covariances=Sigma, roots=R, family=here)
    event = "singular covariance" if singular.any() else "moved by hand"
    return evaluated(X, replace(there, collapsed=here.collapsed(R)), event)


@dataclass(frozen=True, eq=False)
class GaussianMixtureStep(Record):
    """One half-step of EM; also a model, since `predict` works at every step.

    `responsibilities` are q of the bound. After an expectation they belong to the parameters and
    `lower_bound` = `log_likelihood`; after a maximization they are still those before it.
    `covariances` and `roots` are (k, d, d) for every shape; the roots are the inverses of the
    Cholesky factors. `rise` is by how much the last maximization raised l. `collapsed` are the
    components whose smallest standard deviation is under about 1 % of that of all points. `family`
    is what the covariances may be.

    Events: "collapse" (of one more component), "empty component" (nearly no points are left to
    it: it keeps its place), "singular covariance" (a variance is 0 and so the likelihood infinite:
    the run ends, a tiny variance standing in), "moved by hand", "converged", "stopped at max_iter".
    """

    final_events: ClassVar = (*Record.final_events, "singular covariance")

    phase: Literal["expectation", "maximization"]
    weights: Float[ndarray, " k"]
    means: Float[ndarray, "k d"]
    covariances: Float[ndarray, "k d d"]
    roots: Float[ndarray, "k d d"]
    responsibilities: Float[ndarray, "n k"]
    log_likelihood: float
    lower_bound: float
    rise: float
    collapsed: Bool[ndarray, " k"]
    family: Family
    event: Event | None = None

    @property
    def floor(self) -> float:
        """Return the variance that the last maximization added, in squared units of the data."""
        return self.family.floor

    @property
    def gap(self) -> float:
        """Return KL, the gap between the log-likelihood and the bound."""
        return self.log_likelihood - self.lower_bound

    @property
    def classes(self) -> Int[ndarray, " k"]:
        """Return the numbers of the components, the columns of `predict_proba`."""
        return np.arange(len(self.weights))

    def scores(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return ln pi_k + ln N(x; mu_k, Sigma_k) for every row of `X`."""
        return np.maximum(scores(X, self.weights, self.means, self.roots).T, -(FAR**2))

    def score_samples(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return ln p(x) for every row of `X`."""
        return expectation(self.scores(X).T)[1]

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the responsibility of every component for every row of `X`."""
        return expectation(self.scores(X).T)[0].T

    @property
    def labels(self) -> Int[ndarray, " n"]:
        """Return the component that takes the most of every point."""
        return self.responsibilities.argmax(axis=1)

    def renumbered(self: S, order: Int[ndarray, " k"]) -> S:
        """Return the same step, with cluster `order[j]` as number j."""
        return replace(
            self,
            weights=self.weights[order],
            means=self.means[order],
            covariances=self.covariances[order],
            roots=self.roots[order],
            responsibilities=self.responsibilities[:, order],
            collapsed=self.collapsed[order],
        )

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the component with the highest responsibility for every row of `X`."""
        return self.scores(X).argmax(axis=1)


def start(
    X: Float[ndarray, "n d"],
    means: Float[ndarray, "k d"],
    labels: Int[ndarray, " n"] | None,
    family: Family,
) -> GaussianMixtureStep:
    """Return the first expectation: of clusters, or of equal weights and one spread for all."""
    k, d = means.shape
    every, none = np.full((len(X), k), 1 / k), np.zeros(k, bool)
    eyes = np.tile(np.eye(d), (k, 1, 1))
    step = GaussianMixtureStep(
        "expectation", every[0], means, eyes, eyes, every, 0.0, 0.0, 0.0, none, family
    )
    step = replace(fitted(X, step), weights=every[0], means=means)
    if labels is not None:
        members = (labels[:, None] == np.arange(k)).astype(float)
        step = fitted(X, replace(step, responsibilities=members, collapsed=none))
    return evaluated(X, step, step.event)


def evaluated(X: Float[ndarray, "n d"], step: S, event: Event | None) -> S:
    """Return the expectation for the parameters of `step`."""
    return expected(scores(X, step.weights, step.means, step.roots), step, event)


def expected(s: Float[ndarray, "k n"], step: S, event: Event | None) -> S:
    """Return the expectation for the scores of all points."""
    r, ln_p = expectation(s)
    likelihood = float(ln_p.sum())
    return replace(
        step,
        phase="expectation",
        responsibilities=r.T,
        log_likelihood=likelihood,
        lower_bound=likelihood,
        event=event,
    )


def fitted(X: Float[ndarray, "n d"], step: S) -> S:
    """Return `step` with the parameters that the maximization finds, and what has gone wrong."""
    family = step.family
    pi, mu, S = maximization(X, step.responsibilities.T.copy())
    if (empty := pi * len(X) < EMPTY).any():  # such a component stays as it was
        mu[empty], S[empty] = step.means[empty], step.covariances[empty]
        S[empty] -= family.floor * np.eye(X.shape[1])
    Sigma, R, singular = family.with_inverse_roots(family.nearest(S, pi))
    collapsed, event = family.collapsed(R), None
    if singular.any():
        event = "singular covariance"
    elif (collapsed > step.collapsed).any():
        event = "collapse"
    elif (empty & (step.weights * len(X) >= EMPTY)).any():
        event = "empty component"
    return replace(
        step, weights=pi, means=mu, covariances=Sigma, roots=R, collapsed=collapsed, event=event
    )


def _maximized(X: Float[ndarray, "n d"], step: GaussianMixtureStep) -> GaussianMixtureStep:
    after = fitted(X, step)
    s = scores(X, after.weights, after.means, after.roots)
    likelihood = float(expectation(s)[1].sum())
    return replace(
        after,
        phase="maximization",
        log_likelihood=likelihood,
        lower_bound=lower_bound(step.responsibilities.T, s),
        rise=likelihood - step.log_likelihood,
    )


def largest_fall(before: GaussianMixtureStep, after: GaussianMixtureStep) -> float:
    """Return the most by which the floor can have lowered the bound in one maximization.

    That is floor s^2 / 2 sum_k n_k (tr of Sigma_k^-1 before - the same after), or 0 if negative.
    """
    n = len(after.responsibilities)
    before_, after_ = ((step.roots**2).sum(axis=(1, 2)) for step in (before, after))
    return max(0.0, float(after.floor / 2 * n * after.weights @ (before_ - after_)))
