"""Mixtures of Gaussians, half-step by half-step: share the points out, fit the components."""

from dataclasses import dataclass

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.gaussian_mixture.gaussian_mixture import GaussianMixtureStep
from algorithms.clustering.gaussian_mixture.mixture_choice import n_parameters
from viz.clustering.gaussian_mixture import marks, questions
from viz.clustering.gaussian_mixture.lower_bound import bound_view
from viz.core import panels, soft_groups, what_if
from viz.core.found import Groups
from viz.core.naming import in_corner
from viz.core.panels import Panel
from viz.core.question import Question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import color
from viz.core.words import counted, number

_ROUNDING = 1e-9  # a share that is nearer to 1 than this is 1


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
        self.opens = marks.still_shared(self.steps)
        numbers = n_parameters(settings.covariance, 2, self.k)
        self.note = (
            f"{data.names[0]} and {data.names[1]} are used as they are. "
            f"{counted(self.k, 'component')} with {settings.covariance} covariances: {numbers} "
            "numbers are estimated. EM stops when the log-likelihood changes by less than "
            f"{number(settings.tol)} per point."
        )

    def views(self) -> list[View]:
        """Return the picture, the log-likelihood with its bound, and the picked point's shares."""
        title = f"Points in the blend of their components, {soft_groups.deviations(self.k)}"
        return [
            View(title, self.picture),
            bound_view(self.steps),
            View("Shares of the picked point, by these ellipses", self.shares),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the points in their components' colours, the components, and where they were."""
        points = soft_groups.points(self.data.X, self.steps[now].responsibilities)
        figure = marks.picture(self.steps, now, self.data, points, soft_groups.SIGNS)
        key = [f"ellipses: {soft_groups.deviations(self.k)}"]
        fitted = self.steps[now].phase == "maximization"
        if len(self.data.X) <= soft_groups.PIES:
            whose = "from the step before" if fitted else "of an undecided point"
            key.insert(0, f"pie: shares {whose}")
        if fitted:
            key.append("dotted: before the step")
        figure["data"].insert(0, in_corner("<br>".join(key), self.data.bounds))
        return figure

    def shares(self, now: int) -> Figure:
        """Draw every component's share of the picked point."""
        shares = self.steps[now].predict_proba(self.query[None])[0]
        at = np.arange(1, self.k + 1).tolist()
        bars = {
            "type": "bar", "name": "share", "x": at, "y": np.round(shares, 4).tolist(),
            "text": [f"{share:.2f}" for share in shares.tolist()], "textposition": "outside",
            "cliponaxis": False, "marker": {"color": [color(j) for j in range(self.k)]},
            "hovertemplate": "component %{x}: %{y:.3g}<extra></extra>",
        }  # fmt: skip
        x = {"tickvals": at, "showgrid": False, "range": [0.4, self.k + 0.6]}
        x |= {"title": {"text": "component", "standoff": 2}}
        y = {"range": [0, 1.15], "tickvals": [0, 0.5, 1], "title": {"text": "share"}}
        return panels.alone(Panel([bars], x, y))

    def caption(self, now: int) -> str:
        """Write what the half-step did, what this does to the bound, and the picked point."""
        step = self.steps[now]
        if step.event == "moved by hand":
            said, rule = marks.by_hand(self.steps, now, self.data), ""
        elif step.phase == "maximization":
            said = marks.rises(self.steps, now)
            rule = _estimates(self.steps[now - 1], step)
        else:
            said = marks.shared_out(self.steps, now, self.settings.start)
            rule = marks.closed(self.steps, now)
        return "\n".join(line for line in (said, rule, picked(step, self.query)) if line)

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


def picked(step: GaussianMixtureStep, query: ndarray) -> str:
    """Write the largest share of the picked point with its numbers."""
    share = step.predict_proba(query[None])[0]
    j = int(share.argmax())
    joint = np.exp(step.scores(query[None])[0, j])
    whole = np.exp(step.score_samples(query[None])[0])
    nearly = 1 - share[j]
    digits = 3 if nearly < _ROUNDING else max(3, int(np.ceil(-np.log10(nearly))) + 1)
    rule = f"{number(joint, digits + 1)} / {number(whole, digits + 1)} = " if joint > 0 else ""
    return (
        f"Picked point: component {j + 1} has the largest share of the density there, "
        f"{rule}{number(share[j], digits)}."
    )


def _estimates(before: GaussianMixtureStep, step: GaussianMixtureStep) -> str:
    """Write the new weight and mean of the component that moved most."""
    j = int(np.square(step.means - before.means).sum(axis=1).argmax())
    n = len(step.responsibilities)
    size = n * step.weights[j]
    mean = ", ".join(number(x) for x in step.means[j])
    return (
        f"Component {j + 1} moves most, to the mean of its shares, ({mean}). Its weight is "
        f"π = Σ q / n = {number(size)} / {n} = {number(size / n)}."
    )
