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

The first closes the gap, KL = 0, and leaves l alone; the second lifts B, and l with it, for KL >= 0
opens again. So l never falls, and the run ends in a local maximum that depends on the start. (The
other shapes of Sigma_k, and both formulas in few operations, are in _weighted_gaussians.py.)

The floor. l has no upper bound: a component that shrinks onto one point has a density there that
grows for ever. So a share `floor` of s^2, the mean of the columns' variances, is added to every
variance (scikit-learn's reg_covar is floor s^2); a share, so that no result depends on the unit of
the data. This maximises B - floor s^2 / 2 sum_k n_k tr(Sigma_k^-1) in place of B, so a maximisation
can lower B by as much as `largest_fall` says, which is next to nothing unless a component is as
small as the floor. With floor = 0 the run ends where a covariance becomes singular.

Start: "k-means" takes the clusters of one k-means run; "random" and given means take equal weights
and, for each component, the covariance of all points (plus the floor).

Cost of one of each: O(n k d^2).

Source: CS725 12.1-12.2 (000:2083), whose exercise divides by n where n_k belongs; CPSC340
(001:237); CS337 (003:1770); Dempster, Laird and Rubin 1977; Neal and Hinton 1998 (the bound).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.mixtures._em import Ending, ending, lower_bound, normalized
from algorithms.clustering.mixtures._mixture_task import Task, placed
from algorithms.clustering.mixtures._weighted_gaussians import SHAPES, Fit, Mishap, scores
from algorithms.core import validate
from algorithms.core.moved_points import PointsMoved, moved_points
from algorithms.core.record import Record, last

Phase = Literal["expectation", "maximization"]
Event = Mishap | Ending | Literal["moved by hand"]


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
    moved: tuple[int, Float[ndarray, "k d"]] | None = None,
    points_moved: PointsMoved | None = None,
) -> Iterator["GaussianMixtureStep"]:
    """Alternate expectation and maximization until the log-likelihood changes by less than `tol`.

    The first step is the expectation at the start; at most `max_iter` pairs of a maximization and
    an expectation follow. `tol` counts per point, as in scikit-learn. `covariance` is "full",
    "tied", "diagonal" or "spherical"; `init` is "k-means", "random" (k different points as means)
    or the (k, d) means; `floor` is a share of the mean of the columns' variances. `moved` is the
    number of a step, 1 or more, and (k, d) means: there, or after the last step if there are fewer,
    the means are put at these places by hand, weights and covariances stay as they were, and the
    run goes on from them with an expectation. `points_moved` (moved_points.py) puts points
    elsewhere in the same way, in the same step.

    Raises ValueError, at the call, unless 1 <= k <= n, tol >= 0, floor >= 0 and all is finite.
    """
    task = Task(X, k, rng, covariance, init, max_iter, tol, floor)
    steps = _half_steps(task, _em(task, task.start))
    at, means = None, None
    if moved is not None:
        at = validate.integer("moved[0]", moved[0], 1)
        means = placed("moved[1]", moved[1], task.shape)
    if points_moved is not None:
        at, X = moved_points(task.X, points_moved, step=at)
        task = task.on(X)
    return _by_hand(task, steps, at, means) if at else steps


def _by_hand(
    task: Task,
    steps: Iterator["GaussianMixtureStep"],
    at: int,
    means: Float[ndarray, "k d"] | None,
) -> Iterator["GaussianMixtureStep"]:
    """Take the steps before step `at`, then go on with the task's points, and with other means."""
    before = None
    for before in islice(steps, at):
        yield before
    assert before
    gaussians = task.gaussians
    means = (before.means if means is None else means) - gaussians.center
    start = gaussians.expectation(before.weights, means, before.covariances)
    others = _half_steps(task, _em(task, start))
    first = next(others)
    ends = first.event == "singular covariance"
    yield first if ends else replace(first, event="moved by hand")
    yield from others


def _em(task: Task, start: Fit) -> Iterator[tuple[Fit, Ending | None]]:
    """Give the start, then what every maximization and the expectation after it find."""
    gaussians, fit = task.gaussians, start
    yield fit, None
    for left in reversed(range(task.max_iter)):
        if fit.singular.any():
            return
        q, before = fit.responsibilities, fit
        pi, mu, sigma = gaussians.maximization(q, before)
        fit = gaussians.expectation(pi, mu, sigma)
        end = ending(before, fit, task.slack, left)
        yield fit, end
        if end:
            return


def _half_steps(
    task: Task, fits: Iterator[tuple[Fit, Ending | None]]
) -> Iterator["GaussianMixtureStep"]:
    """Show the maximization and the expectation of every round one after the other."""
    before, _ = next(fits)
    q = _columns(before.responsibilities)
    yield _step(task, before, "expectation", q, before.log_likelihood, before.mishap(None))
    for fit, end in fits:
        bound, mishap = lower_bound(before, fit), fit.mishap(before)
        yield (step := _step(task, fit, "maximization", q, bound, mishap))
        if mishap == "singular covariance":
            return
        q, bound = _columns(fit.responsibilities), fit.log_likelihood
        yield replace(step, phase="expectation", responsibilities=q, lower_bound=bound, event=end)
        before = fit


@dataclass(frozen=True, eq=False)
class GaussianMixtureStep(Record):
    """One half-step of EM; also a model, since `predict` works at every step.

    `responsibilities` are q of the bound. After an expectation they belong to the parameters and
    `lower_bound` = `log_likelihood`; after a maximization they are still those before it.
    `covariances` and `roots` are (k, d, d) for every shape; the roots are the inverses of the
    Cholesky factors. `collapsed` are the components whose smallest standard deviation is under
    about 1 % of that of all points. `floor` is what was added to every variance, in squared units
    of the data.

    Events: "collapse" (of one more component), "empty component" (nearly no points are left to
    it: it keeps its place), "singular covariance" (a variance is 0 and so the likelihood infinite:
    the run ends, a tiny variance standing in), "moved by hand", "converged", "stopped at max_iter".
    """

    phase: Phase
    weights: Float[ndarray, " k"]
    means: Float[ndarray, "k d"]
    covariances: Float[ndarray, "k d d"]
    roots: Float[ndarray, "k d d"]
    responsibilities: Float[ndarray, "n k"]
    log_likelihood: float
    lower_bound: float
    collapsed: Bool[ndarray, " k"]
    floor: float
    event: Event | None = None

    @property
    def gap(self) -> float:
        """KL: by how much the bound is below the log-likelihood."""
        return self.log_likelihood - self.lower_bound

    @property
    def classes(self) -> Int[ndarray, " k"]:
        """The numbers of the components, the columns of `predict_proba`."""
        return np.arange(len(self.weights))

    def scores(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return ln pi_k + ln N(x; mu_k, Sigma_k) for every row of `X`."""
        return scores(X, self.weights, self.means, self.roots).T

    def score_samples(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return ln p(x) for every row of `X`."""
        return normalized(scores(X, self.weights, self.means, self.roots))[1]

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the responsibility of every component for every row of `X`."""
        return normalized(scores(X, self.weights, self.means, self.roots))[0].T

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the component with the highest responsibility for every row of `X`."""
        return scores(X, self.weights, self.means, self.roots).argmax(axis=0)


def _step(
    task: Task,
    fit: Fit,
    phase: Phase,
    responsibilities: Float[ndarray, "n k"],
    lower_bound: float,
    event: Event | None,
) -> "GaussianMixtureStep":
    return GaussianMixtureStep(
        phase=phase,
        weights=fit.weights,
        means=fit.means + task.gaussians.center,
        covariances=fit.covariances,
        roots=fit.roots,
        responsibilities=responsibilities,
        log_likelihood=fit.log_likelihood,
        lower_bound=lower_bound,
        collapsed=fit.collapsed,
        floor=task.gaussians.floor,
        event=event,
    )


def _columns(rows: Float[ndarray, "k n"]) -> Float[ndarray, "n k"]:
    """Return a read-only transposed copy, laid out as it is: copying in order is slower."""
    columns = rows.T.copy(order="K")
    columns.flags.writeable = False
    return columns


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
) -> "GaussianMixtureStep":
    """Return the model that `gaussian_mixture` ends with.

    Parameters and errors are those of `gaussian_mixture`. The steps on the way are not made.
    """
    task = Task(X, k, rng, covariance, init, max_iter, tol, floor)
    fit, _ = last(_em(task, task.start))
    q = _columns(fit.responsibilities)
    return _step(task, fit, "expectation", q, fit.log_likelihood, None)


def n_parameters(covariance: str, d: int, k: int) -> int:
    """Return how many numbers are estimated: weights, means and covariances."""
    validate.choice("covariance", covariance, SHAPES)
    pairs = d * (d + 1) // 2
    each = {"full": k * pairs, "tied": pairs, "diagonal": k * d, "spherical": k}[covariance]
    return k - 1 + k * d + each


def largest_fall(before: GaussianMixtureStep, after: GaussianMixtureStep) -> float:
    """Return the most by which the floor can have lowered the bound in one maximization.

    That is floor s^2 / 2 sum_k n_k (tr of Sigma_k^-1 before - the same after), or 0 if negative.
    """
    n = len(after.responsibilities)
    before_, after_ = ((step.roots**2).sum(axis=(1, 2)) for step in (before, after))
    return max(0.0, float(after.floor / 2 * n * after.weights @ (before_ - after_)))
