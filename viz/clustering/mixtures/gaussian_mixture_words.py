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
from viz.clustering.mixtures.lower_bound import BARS
from viz.core.words import counted, number, vector


@dataclass(frozen=True)
class Settings:
    """How a mixture is fitted, as far as words tell of it.

    start : where it begins. floor : a share of the data's variance. tol : the change of the
    log-likelihood per point at which it ends.
    """

    start: str
    covariance: str
    floor: float
    tol: float


def caption(
    X: ndarray,
    steps: Sequence[GaussianMixtureStep],
    now: int,
    settings: Settings,
    *,
    other_points: bool = False,
) -> str:
    """Say what half-step `now` did; the second line works out the rule for one case.

    other_points : in the step by hand points were moved, too.
    """
    step = steps[now]
    if step.event == "moved by hand":
        said = _by_hand(steps[now - 1], step, other_points=other_points)
        return f"{said}\n{_shares(X, step, example(steps, now))}"
    if step.phase == "maximization":
        words = _maximization(steps[now - 1], step)
        rule = _estimates(steps[now - 1], step)
    else:
        words = _expectation(steps, now, settings.start)
        rule = f"{_closed(steps, now)} {_shares(X, step, example(steps, now))}"
    return f"{words}{_ending(steps, now, settings.floor)}\n{rule}"


def note(names: tuple[str, str], k: int, settings: Settings) -> str:
    """Say what is estimated from which columns."""
    numbers = n_parameters(settings.covariance, 2, k)
    return (
        f"{names[0]} and {names[1]} are used as they are. {counted(k, 'component')} with "
        f"{settings.covariance} covariances: {numbers} numbers are estimated. EM stops when the "
        f"log-likelihood changes by less than {number(settings.tol)} per point. {BARS}"
    )


def picked(step: GaussianMixtureStep, query: ndarray) -> str:
    """Work out how the picked point is shared out."""
    shares = step.predict_proba(query[None])[0]
    order = np.argsort(-shares, kind="stable")
    j = int(order[0])
    joint, whole = (
        np.exp(step.scores(query[None])[0, j]),
        np.exp(step.score_samples(query[None])[0]),
    )
    rule = f"{number(joint)} / {number(whole)} = " if joint > 0 else ""
    others = ", ".join(f"{int(i) + 1}: {number(shares[i], 2)}" for i in order[1:4])
    rest = f"; {others}" if others else ""
    return f"Picked point: r = π N / Σ π N = {rule}{number(shares[j])} for component {j + 1}{rest}."


def _expectation(steps: Sequence[GaussianMixtureStep], now: int, start: str) -> str:
    step = steps[now]
    n, k = step.responsibilities.shape
    if now == 0:
        return (
            f"Start ({start}): the {n} points are shared out among {counted(k, 'component')}; "
            f"log-likelihood {number(step.log_likelihood, 6)}."
        )
    winners = (s.responsibilities.argmax(axis=1) for s in (steps[now - 1], step))
    changed = int(np.not_equal(*winners).sum())
    return (
        f"Expectation: the points are shared out anew; for {changed} of {n} the main component "
        "changes."
    )


def _by_hand(before: GaussianMixtureStep, step: GaussianMixtureStep, *, other_points: bool) -> str:
    """Say which means were moved by hand, and what becomes of the log-likelihood."""
    far = np.abs(step.means - before.means).max(axis=1)
    moved = np.flatnonzero(far > 1e-9 * np.abs(before.means).max())  # more than rounding
    places = [f"mean {j + 1} goes to {vector(step.means[j])}" for j in moved.tolist()]
    old, new = (number(each.log_likelihood, 6) for each in (before, step))
    what = "By hand: drag a mean or a point; now all are where they were; weights and covariances"
    if places:
        what = f"By hand: {', '.join(places)}; weights and covariances"
    elif other_points:
        what = "Means, weights and covariances"
    return f"{what} stay. Log-likelihood {old} → {new}."


def _closed(steps: Sequence[GaussianMixtureStep], now: int) -> str:
    """Say that the bound is now the log-likelihood."""
    likelihood = number(steps[now].log_likelihood, 6)
    if now == 0:
        return f"Bound = log-likelihood = Σ ln p(x) = {likelihood}."
    gap = number(max(steps[now - 1].gap, 0.0))
    return f"KL {gap} → 0: bound = log-likelihood = {likelihood}."


def _shares(X: ndarray, step: GaussianMixtureStep, i: int) -> str:
    """Work out the largest responsibility for a point."""
    log_joint = step.scores(X[[i]])[0]
    j = int(step.responsibilities[i].argmax())
    weight = step.weights[j]
    whole = float(np.exp(step.score_samples(X[[i]])[0]))
    density = float(np.exp(log_joint[j] - np.log(weight)))
    return (
        f"Ringed point, component {j + 1}: r = π N(x; μ, Σ) / p(x) = {number(weight)} · "
        f"{number(density)} / {number(whole)} = {number(step.responsibilities[i, j])}, its largest "
        "share."
    )


def _maximization(before: GaussianMixtureStep, step: GaussianMixtureStep) -> str:
    rise = step.log_likelihood - before.log_likelihood
    likelihood = number(step.log_likelihood, 6)
    words = "Maximization: the components are fitted to their shares; the log-likelihood"
    allowed = largest_fall(before, step)
    if 0 < -rise <= allowed and -rise > 1e-12 * abs(step.log_likelihood):
        return (
            f"{words} falls by {number(-rise)} to {likelihood}: the floor's doing (at most "
            f"{number(allowed)})."
        )
    return f"{words} rises by {number(max(rise, 0.0))} to {likelihood}."


def _estimates(before: GaussianMixtureStep, step: GaussianMixtureStep) -> str:
    """Give bound and gap, and the new parameters of the component whose mean moved most."""
    j = int(np.square(step.means - before.means).sum(axis=1).argmax())
    n = len(step.responsibilities)
    size = n * step.weights[j]
    mean = ", ".join(number(x) for x in step.means[j])
    (a, b), (_, c) = step.covariances[j]
    return (
        f"Bound {number(before.lower_bound, 6)} → {number(step.lower_bound, 6)}, KL 0 → "
        f"{number(max(step.gap, 0.0))}. Component {j + 1} moves most: Σ q = {number(size)}, "
        f"π = Σ q / {n} = {number(step.weights[j])}, μ = Σ q x / Σ q = ({mean}), "
        f"covariance [{number(a)} {number(b)}; {number(b)} {number(c)}]."
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
    who = f"component {j + 1} (Σ q = {number(sizes[j])})"
    if step.event == "collapse":
        held = f"the floor λ = {number(floor)} holds it" if floor > 0 else "no floor holds it"
        return f" Collapse: {who} shrinks onto a point or line; {held}."
    return f" Singular: {who} has no width, its density is infinite. A floor > 0 prevents it."
