"""A curve of any EM: the log-likelihood at every step, and the bound below it."""

from collections.abc import Callable, Sequence

import numpy as np

from algorithms.clustering.gaussian_mixture.gaussian_mixture import GaussianMixtureStep
from algorithms.clustering.gaussian_mixture.multinomial_mixture import MultinomialMixtureStep
from algorithms.clustering.gaussian_mixture.one_mean import OneMeanStep
from viz.core import curves, panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure, View
from viz.core.theme import PALETTE, rgb

Step = GaussianMixtureStep | MultinomialMixtureStep | OneMeanStep

BOUND, KL = PALETTE[0], PALETTE[4]


def bound_view(steps: Sequence[Step]) -> View:
    """Return the view of log-likelihood and bound at every step."""
    return View("Log-likelihood and its bound", bound(steps), ahead="by step")


def bound(steps: Sequence[Step]) -> Callable[[int], Figure]:
    """Draw log-likelihood and bound at every step, and the gap KL between them."""
    likelihood = np.array([step.log_likelihood for step in steps])
    lower = np.array([step.lower_bound for step in steps])
    at = np.arange(len(steps), dtype=float)
    low, high = float(lower.min()), float(likelihood.max())
    room = 0.08 * (high - low) or 0.01 * abs(high) or 1.0
    mode = "lines+markers" if len(steps) <= 30 else "lines"
    look = {"mode": mode, "marker": {"size": 5}, "showlegend": True}
    dashed = {"color": BOUND, "width": 2, "dash": "dash"}
    lines = [
        plane.line(np.column_stack([at, lower]), name="bound", **look, line=dashed),
        plane.line(np.column_stack([at, likelihood]), name="log-likelihood", **look)
        | {"line": {"width": 2}, "fill": "tonexty", "fillcolor": f"rgba{(*rgb(KL), 0.5)}"},
    ]
    wide = max(len(steps) - 1, 1)
    x = {"range": [-0.04 * wide, 1.04 * wide], "nticks": 6}
    x |= {"title": {"text": "step", "standoff": 2}}
    y = {"range": [low - room, high + room], "nticks": 5}

    def draw(now: int) -> Figure:
        marks = [
            curves.marked(now, float(lower[now]), showlegend=False, marker=curves.HOLLOW),
            curves.marked(now, float(likelihood[now]), showlegend=False),
        ]
        return curves.with_legend(panels.alone(Panel([*lines, *marks], x, y)))

    return draw
