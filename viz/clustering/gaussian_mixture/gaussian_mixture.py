"""Mixtures of Gaussians, half-step by half-step: share the points out, fit the components."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.gaussian_mixture.gaussian_mixture import (
    GaussianMixtureStep,
    largest_fall,
)
from algorithms.clustering.gaussian_mixture.mixture_choice import n_parameters
from viz.clustering.gaussian_mixture import questions
from viz.clustering.gaussian_mixture.lower_bound import BARS, bound_view
from viz.core import plane, soft_groups, what_if
from viz.core.found import Groups
from viz.core.question import Question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.words import counted, number, rounded, vector

_ROUNDING = 1e-9  # of the largest coordinate: a mean that moves less has not moved


@dataclass(frozen=True)
class Settings:
    """The settings of a mixture that its texts mention.

    start : where it begins. floor : a share of the data's variance. tol : the change of the
    log-likelihood per point at which it ends.
    """

    start: str
    covariance: str
    floor: float
    tol: float


class Mixture(Show[GaussianMixtureStep]):
    """The half-steps of EM, and the lower bound that both of them raise."""

    def __init__(self, run: Run, data: Plane, query: ndarray, settings: Settings) -> None:
        """Write the note. query : the picked point."""
        super().__init__(run, data)
        self.query, self.settings = query, settings
        self.k = len(self.steps[0].means)
        numbers = n_parameters(settings.covariance, 2, self.k)
        self.note = (
            f"{data.names[0]} and {data.names[1]} are used as they are. "
            f"{counted(self.k, 'component')} with {settings.covariance} covariances: {numbers} "
            "numbers are estimated. EM stops when the log-likelihood changes by less than "
            f"{number(settings.tol)} per point. {BARS}"
        )

    def views(self) -> list[View]:
        """Return the picture, and the log-likelihood with its bound."""
        title = f"Points in the blend of their components, {soft_groups.deviations(self.k)}"
        return [View(title, self.picture), bound_view(self.steps)]

    def picture(self, now: int) -> Figure:
        """Draw the points in their components' colours, the components, and where they were.

        In an expectation a ring is around the point whose shares changed most. In a maximization a
        dotted ellipse is where every component was before.
        """
        step = self.steps[now]
        before, ring = [], plane.GAP
        if step.phase == "maximization":
            last = self.steps[now - 1]
            before = soft_groups.outlines(last.means, last.covariances, (1.0,), 11)
        else:
            ring = self.data.X[[example(self.steps, now)]]
        traces = [
            soft_groups.curve(np.concatenate(before or [plane.GAP]), width=1.5, dash="dot")
            | {"name": "every component before this step"},
            *soft_groups.ellipses(step.means, step.covariances),
            plane.rings(ring, size=21, name="point that the caption works out"),
            soft_groups.centers(step.means, self.data.bounds),
        ]
        points = soft_groups.points(self.data.X, step.responsibilities)
        return plane.figure(
            traces, self.data.bounds, self.data.names, points=points, signs=soft_groups.SIGNS
        )

    def caption(self, now: int) -> str:
        """Write what the half-step did, the rule for one case, and the picked point."""
        step = self.steps[now]
        if step.event == "moved by hand":
            said, rule = self._by_hand(now), self._shares(now)
        elif step.phase == "maximization":
            said = f"{_rises(self.steps[now - 1], step)}{self._mishap(now)}"
            rule = _estimates(self.steps[now - 1], step)
        else:
            said = f"{self._expectation(now)}{self._mishap(now)}"
            rule = f"{self._closed(now)} {self._shares(now)}"
        return f"{said}\n{rule}\n{picked(step, self.query)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which component has most of a point, where a mean goes, or which component gains."""
        return questions.half_step(self.data, self.steps, now, rng)

    def found(self, now: int) -> Groups:
        """Return the main component of every point."""
        return Groups(self.steps[now].responsibilities.argmax(axis=1))

    def ghost(self, since: int, now: int) -> tuple[list[dict], ...]:
        """Return the ways of the means and the components, and the log-likelihood."""
        step = self.steps[now]
        rings = soft_groups.outlines(step.means, step.covariances, (1.0,), 11)
        picture = [
            what_if.paths([each.means for each in self.steps], since),
            what_if.path(np.concatenate(rings), shape="spline"),
            what_if.numbered(step.means),
        ]
        likelihood = [each.log_likelihood for each in self.steps]
        return picture, [what_if.curve(likelihood, since)]

    def _expectation(self, now: int) -> str:
        step = self.steps[now]
        n, k = step.responsibilities.shape
        if now == 0:
            return (
                f"Start ({self.settings.start}): the {n} points are shared out among "
                f"{counted(k, 'component')}; log-likelihood {rounded(step.log_likelihood)}."
            )
        main = (each.responsibilities.argmax(axis=1) for each in (self.steps[now - 1], step))
        changed = int(np.not_equal(*main).sum())
        return (
            f"Expectation: recompute every point's shares; for {changed} of {n} the main component "
            "changes."
        )

    def _closed(self, now: int) -> str:
        """Write that the bound now equals the log-likelihood."""
        likelihood = number(self.steps[now].log_likelihood, 6)
        if now == 0:
            return f"Bound = log-likelihood = Σ ln p(x) = {likelihood}."
        gap = number(max(self.steps[now - 1].gap, 0.0))
        return f"KL {gap} → 0: bound = log-likelihood = {likelihood}."

    def _shares(self, now: int) -> str:
        """Write the largest responsibility for the ringed point with its numbers."""
        step, i = self.steps[now], example(self.steps, now)
        x = self.data.X[[i]]
        j = int(step.responsibilities[i].argmax())
        weight = step.weights[j]
        whole = float(np.exp(step.score_samples(x)[0]))
        density = float(np.exp(step.scores(x)[0, j] - np.log(weight)))
        return (
            f"Ringed point, component {j + 1}: r = π N(x; μ, Σ) / p(x) = {number(weight)} · "
            f"{number(density)} / {number(whole)} = {number(step.responsibilities[i, j])}, its "
            "largest share."
        )

    def _by_hand(self, now: int) -> str:
        """Write which means were moved by hand, and what this does to the log-likelihood."""
        before, step = self.steps[now - 1], self.steps[now]
        far = np.abs(step.means - before.means).max(axis=1)
        moved = np.flatnonzero(far > _ROUNDING * np.abs(before.means).max())
        places = [f"mean {j + 1} goes to {vector(step.means[j])}" for j in moved.tolist()]
        old, new = (number(each.log_likelihood, 6) for each in (before, step))
        what = "By hand: drag a mean or a point; nothing is moved yet. Weights and covariances"
        if places:
            what = f"By hand: {', '.join(places)}; weights and covariances"
        elif self.data.moved is not None:
            what = "Means, weights and covariances"
        return f"{what} stay. Log-likelihood {old} → {new}."

    def _mishap(self, now: int) -> str:
        """Write how the run ended, or what went wrong."""
        step = self.steps[now]
        if step.event in (None, "converged", "stopped at max_iter"):
            return {
                None: "",
                "converged": " Converged.",
                "stopped at max_iter": " Stopped: no more iterations are allowed.",
            }[step.event]
        sizes = step.weights * len(step.responsibilities)
        if step.event == "empty component":
            return f" No point is left to component {int(sizes.argmin()) + 1}: it stays put."
        known = self.steps[now - 1].collapsed if now else np.zeros(self.k, bool)
        new = np.flatnonzero(step.collapsed & ~known)
        j = int(new[0]) if len(new) else int(step.collapsed.argmax())
        who = f"component {j + 1} (Σ q = {number(sizes[j])})"
        if step.event == "collapse":
            floor = self.settings.floor
            held = f"the floor λ = {number(floor)} holds it" if floor > 0 else "no floor holds it"
            return f" Collapse: {who} shrinks onto a point or line; {held}."
        return f" Singular: {who} has no width, its density is infinite. A floor > 0 prevents it."


def example(steps: Sequence[GaussianMixtureStep], now: int) -> int:
    """Return the point whose responsibilities changed most; at the start the least decided one."""
    shares = steps[now].responsibilities
    if now == 0:
        return int(shares.max(axis=1).argmin())
    return int(np.abs(shares - steps[now - 1].responsibilities).max(axis=1).argmax())


def picked(step: GaussianMixtureStep, query: ndarray) -> str:
    """Write the shares of the picked point with their numbers."""
    shares = step.predict_proba(query[None])[0]
    order = np.argsort(-shares, kind="stable")
    j = int(order[0])
    joint = np.exp(step.scores(query[None])[0, j])
    whole = np.exp(step.score_samples(query[None])[0])
    rule = f"{number(joint)} / {number(whole)} = " if joint > 0 else ""
    others = ", ".join(f"{int(i) + 1}: {number(shares[i], 2)}" for i in order[1:4])
    rest = f"; {others}" if others else ""
    return f"Picked point: r = π N / Σ π N = {rule}{number(shares[j])} for component {j + 1}{rest}."


def _rises(before: GaussianMixtureStep, step: GaussianMixtureStep) -> str:
    rise = step.log_likelihood - before.log_likelihood
    likelihood = rounded(step.log_likelihood)
    words = "Maximization: fit every component to its shares; the log-likelihood"
    allowed = largest_fall(before, step)
    if 0 < -rise <= allowed and -rise > 1e-12 * abs(step.log_likelihood):
        return (
            f"{words} falls by {number(-rise)} to {likelihood}, because of the floor (it can cost "
            f"{number(allowed)} at most)."
        )
    return f"{words} rises by {number(max(rise, 0.0))} to {likelihood}."


def _estimates(before: GaussianMixtureStep, step: GaussianMixtureStep) -> str:
    """Write bound and gap, and the new parameters of the component whose mean moved most."""
    j = int(np.square(step.means - before.means).sum(axis=1).argmax())
    n = len(step.responsibilities)
    size = n * step.weights[j]
    mean = ", ".join(number(x) for x in step.means[j])
    (a, b), (_, c) = step.covariances[j]
    return (
        f"Bound {number(before.lower_bound, 6)} → {number(step.lower_bound, 6)}, KL 0 → "
        f"{number(max(step.gap, 0.0))}, log-likelihood {number(step.log_likelihood, 6)}. "
        f"Component {j + 1} moves most: Σ q = {number(size)}, "
        f"π = Σ q / {n} = {number(step.weights[j])}, μ = Σ q x / Σ q = ({mean}), "
        f"covariance [{number(a)} {number(b)}; {number(b)} {number(c)}]."
    )
