"""Mixtures of Gaussians, half-step by half-step: share the points out, fit the components."""

from dataclasses import dataclass

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.gaussian_mixture.gaussian_mixture import GaussianMixtureStep
from algorithms.clustering.gaussian_mixture.mixture_choice import n_parameters
from viz.clustering.gaussian_mixture import marks, questions
from viz.clustering.gaussian_mixture.lower_bound import BARS, bound_views
from viz.core import soft_groups, what_if
from viz.core.found import Groups
from viz.core.question import Question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.words import counted, number


@dataclass(frozen=True)
class Settings:
    """The settings of a mixture that its texts mention.

    start : where it begins. tol : the change of the log-likelihood per point at which it ends.
    """

    start: str
    covariance: str
    tol: float


class Mixture(Show[GaussianMixtureStep]):
    """The half-steps of EM, and the lower bound that both of them raise."""

    def __init__(self, run: Run, data: Plane, query: ndarray, settings: Settings) -> None:
        """Write the note. query : the picked point."""
        super().__init__(run, data)
        self.query, self.settings = query, settings
        self.k = len(self.steps[0].means)
        self.opens = marks.nearly_there(self.steps)
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
        return [View(title, self.picture), *bound_views(self.steps)]

    def picture(self, now: int) -> Figure:
        """Draw the points in their components' colours, the components, and where they were."""
        points = soft_groups.points(self.data.X, self.steps[now].responsibilities)
        return marks.picture(self.steps, now, self.data, points, soft_groups.SIGNS)

    def caption(self, now: int) -> str:
        """Write what the half-step did, the rule for one case, and the picked point."""
        step = self.steps[now]
        if step.event == "moved by hand":
            said, rule = marks.by_hand(self.steps, now, self.data), self._shares(now)
        elif step.phase == "maximization":
            said = marks.rises(self.steps, now)
            rule = _estimates(self.steps[now - 1], step)
        else:
            said = marks.shared_out(self.steps, now, self.settings.start)
            rule = f"{marks.closed(self.steps, now)} {self._shares(now)}"
        return f"{said}\n{rule}\n{picked(step, self.query)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which component has most of a point, where a mean goes, or which component gains."""
        return questions.half_step(self.data, self.steps, now, rng)

    def found(self, now: int) -> Groups:
        """Return the main component of every point."""
        return Groups(self.steps[now].responsibilities.argmax(axis=1))

    def ghost(self, since: int, now: int) -> tuple[list[dict], ...]:
        """Return the ways of the means and the components, and the log-likelihood."""
        likelihood = [each.log_likelihood for each in self.steps]
        return marks.ghost(self.steps, since, now), [what_if.curve(likelihood, since)]

    def _shares(self, now: int) -> str:
        """Write the largest responsibility for the ringed point with its numbers."""
        step, i = self.steps[now], marks.example(self.steps, now)
        x = self.data.X[[i]]
        j = int(step.responsibilities[i].argmax())
        weight = step.weights[j]
        whole = float(np.exp(step.score_samples(x)[0]))
        density = float(np.exp(step.scores(x)[0, j] - np.log(weight)))
        return (
            f"Ringed point: r = π N / p = {number(weight)} · {number(density)} / {number(whole)} = "
            f"{number(step.responsibilities[i, j])} for component {j + 1}."
        )


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
    return f"Picked point: r = {rule}{number(shares[j])} for component {j + 1}{rest}."


def _estimates(before: GaussianMixtureStep, step: GaussianMixtureStep) -> str:
    """Write bound and gap, and the new weight and mean of the component that moved most."""
    j = int(np.square(step.means - before.means).sum(axis=1).argmax())
    n = len(step.responsibilities)
    size = n * step.weights[j]
    mean = ", ".join(number(x) for x in step.means[j])
    return (
        f"Bound {number(before.lower_bound, 6)} → {number(step.lower_bound, 6)}, KL 0 → "
        f"{number(max(step.gap, 0.0))}, log-likelihood {number(step.log_likelihood, 6)}. "
        f"Component {j + 1} moves most: π = Σ q / n = {number(size)} / {n} = "
        f"{number(step.weights[j])}, μ = Σ q x / Σ q = ({mean})."
    )
