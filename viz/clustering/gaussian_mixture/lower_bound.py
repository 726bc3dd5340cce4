"""A curve of any EM: the log-likelihood at every step, and the gap between it and its bound."""

from collections.abc import Sequence

from algorithms.clustering.gaussian_mixture.gaussian_mixture import GaussianMixtureStep
from algorithms.clustering.gaussian_mixture.multinomial_mixture import MultinomialMixtureStep
from algorithms.clustering.gaussian_mixture.one_mean import OneMeanStep
from viz.core import curves
from viz.core.scene import Figure, View

Step = GaussianMixtureStep | MultinomialMixtureStep | OneMeanStep


def bound_view(steps: Sequence[Step]) -> View:
    """Return the view of the log-likelihood and of the gap to its bound, at every step."""
    series = {
        "ln L": [step.log_likelihood for step in steps],
        "gap": [max(step.gap, 0.0) for step in steps],
    }
    both = curves.timeline(series)

    def draw(now: int) -> Figure:
        figure = both(now)
        few = {axis: figure["layout"][axis] | {"nticks": 3} for axis in ("yaxis", "yaxis2")}
        return {**figure, "layout": figure["layout"] | few}

    return View("ln L, gap to its bound: M opens it, E closes it", draw, ahead="by step")
