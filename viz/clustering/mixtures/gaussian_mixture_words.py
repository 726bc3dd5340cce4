"""Words for mixtures of Gaussians: what a half-step did, with its numbers in the rule."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from algorithms.clustering.mixtures.gaussian_mixture import (
    GaussianMixtureStep,
    largest_fall,
    n_parameters,
)
from viz.clustering.mixtures.gaussian_mixture import example
from viz.core.words import number


@dataclass(frozen=True)
class Settings:
    """How a mixture is fitted, as far as words tell of it.

    start : where it begins. tol : the change of the log-likelihood per point at which it ends.
    folds : parts of the points, each held out once to choose k.
    """

    start: str
    covariance: str
    floor: float
    tol: float
    folds: int


def caption(X: ndarray, steps: Sequence[GaussianMixtureStep], now: int, settings: Settings) -> str:
    """Say what half-step `now` did; the second line works out the rule for one case."""
    step = steps[now]
    if step.phase == "maximization":
        words = _maximization(steps[now - 1], step, settings.floor)
        rule = _estimates(steps[now - 1], step)
    else:
        words = _expectation(steps, now, settings.start)
        rule = _shares(X, step, example(steps, now))
    return f"{words}{_ending(steps, now, settings.floor)}\n{rule}"


def note(names: tuple[str, str], k: int, settings: Settings) -> str:
    """Say what is estimated from which columns."""
    numbers = n_parameters(settings.covariance, 2, k)
    return (
        f"{names[0]} and {names[1]} are used as they are. {k} components with "
        f"{settings.covariance} covariances: {numbers} numbers are estimated. EM stops when the "
        f"log-likelihood changes by less than {settings.tol:g} per point. To choose k, every fit "
        "starts once from k-means, so the run shown can end higher; each of "
        f"{settings.folds} parts of the points is held out once."
    )


def _expectation(steps: Sequence[GaussianMixtureStep], now: int, start: str) -> str:
    step = steps[now]
    likelihood = number(step.log_likelihood, 6)
    n, k = step.responsibilities.shape
    if now == 0:
        return (
            f"Start ({start}): the {n} points are shared out among {k} components. "
            f"Bound = log-likelihood = Σ ln p(x) = {likelihood}."
        )
    before = steps[now - 1]
    winners = (s.responsibilities.argmax(axis=1) for s in (before, step))
    changed = int(np.not_equal(*winners).sum())
    return (
        f"Expectation: KL {number(max(before.gap, 0.0))} → 0, so bound = log-likelihood = "
        f"{likelihood}; {changed} of {n} points change their main component."
    )


def _shares(X: ndarray, step: GaussianMixtureStep, i: int) -> str:
    """Work out the largest responsibility for a point."""
    log_joint = step.scores(X[[i]])[0]
    j = int(step.responsibilities[i].argmax())
    weight = step.weights[j]
    whole = float(np.exp(step.score_samples(X[[i]])[0]))
    density = float(np.exp(log_joint[j] - np.log(weight)))
    place = ", ".join(number(x) for x in X[i])
    return (
        f"Ringed point ({place}), component {j + 1}: r = π N(x; μ, Σ) / p(x) = "
        f"{number(weight)} · {number(density)} / {number(whole)} = "
        f"{number(step.responsibilities[i, j])}, its largest share."
    )


def _maximization(before: GaussianMixtureStep, step: GaussianMixtureStep, floor: float) -> str:
    words = (
        f"Maximization: bound {number(before.lower_bound, 6)} → {number(step.lower_bound, 6)}, "
        f"log-likelihood → {number(step.log_likelihood, 6)}; KL, the gap, is now "
        f"{number(max(step.gap, 0.0))}."
    )
    fall = before.log_likelihood - step.log_likelihood
    allowed = largest_fall(before, step, floor)
    if 0 < fall <= allowed and fall > 1e-12 * abs(step.log_likelihood):
        words += f" It falls by {number(fall)}: the floor's doing (at most {number(allowed)})."
    return words


def _estimates(before: GaussianMixtureStep, step: GaussianMixtureStep) -> str:
    """Give the new parameters of the component whose mean moved most."""
    j = int(np.square(step.means - before.means).sum(axis=1).argmax())
    n = len(step.responsibilities)
    size = n * step.weights[j]
    mean = ", ".join(number(x) for x in step.means[j])
    (a, b), (_, c) = step.covariances[j]
    return (
        f"Component {j + 1} moves most: Σr = {number(size)}, π = Σr / {n} = "
        f"{number(step.weights[j])}, μ = Σrx / Σr = ({mean}), Σ = Σr(x−μ)(x−μ)ᵀ / Σr + λI = "
        f"[{number(a)} {number(b)}; {number(b)} {number(c)}]."
    )


def _ending(steps: Sequence[GaussianMixtureStep], now: int, floor: float) -> str:
    step = steps[now]
    if step.event is None:
        return ""
    if step.event == "converged":
        return " Converged."
    if step.event == "stopped at max_iter":
        return " Stopped: no more iterations are allowed."
    known = steps[now - 1].collapsed if now else np.zeros(len(step.weights), bool)
    sizes = step.weights * len(step.responsibilities)
    if step.event == "empty component":
        return f" No point is left to component {int(sizes.argmin()) + 1}: it stays where it is."
    new = np.flatnonzero(step.collapsed & ~known)
    j = int(new[0]) if len(new) else int(step.collapsed.argmax())
    who = f"component {j + 1} (Σr = {number(sizes[j])})"
    if step.event == "collapse":
        return f" Collapse: {who} shrinks onto a point or line; the floor {floor:g} holds it."
    return f" Singular: {who} has no width, its density is infinite. A floor > 0 prevents it."
