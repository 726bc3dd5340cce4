"""A picture of any EM: the log-likelihood as a lower bound and the gap above it."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray

from algorithms.clustering.gaussian_mixture.gaussian_mixture import GaussianMixtureStep
from algorithms.clustering.gaussian_mixture.multinomial_mixture import MultinomialMixtureStep
from algorithms.clustering.gaussian_mixture.one_mean import OneMeanStep
from viz.core import curves, panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure, View
from viz.core.theme import PALETTE

Step = GaussianMixtureStep | MultinomialMixtureStep | OneMeanStep

BOUND, KL = PALETTE[0], PALETTE[4]
BARS = "In the bars, 0 is the bound of the half-step before."


def bound_view(steps: Sequence[Step]) -> View:
    """Return the view of log-likelihood, bound and gap."""
    return View("Log-likelihood = bound + KL; bars: this half-step", bound(steps), ahead="by step")


def bound(steps: Sequence[Step]) -> Callable[[int], Figure]:
    """Draw log-likelihood and bound at every half-step; beside it both halves of this pair."""
    likelihood = np.array([step.log_likelihood for step in steps])
    lower = np.array([step.lower_bound for step in steps])
    at = np.arange(len(steps), dtype=float)
    low, high = float(lower.min()), float(likelihood.max())
    room = 0.08 * (high - low) or 0.01 * abs(high) or 1.0
    mode = "lines+markers" if len(steps) <= 60 else "lines"
    look = {"mode": mode, "marker": {"size": 5}, "showlegend": True}
    dashed = {"color": BOUND, "width": 2, "dash": "dash"}
    lines = [
        plane.line(np.column_stack([at, lower]), name="bound", **look, line=dashed),
        plane.line(np.column_stack([at, likelihood]), name="log-likelihood", **look)
        | {"line": {"width": 2}},
    ]
    wide = max(len(steps) - 1, 1)
    x = {"range": [-0.04 * wide, 1.04 * wide], "nticks": 6}
    x |= {"title": {"text": "half-step", "standoff": 2}}
    y = {"range": [low - room, high + room], "nticks": 5}

    def draw(now: int) -> Figure:
        marks = [
            curves.marked(now, float(values[now]), showlegend=False)
            for values in (lower, likelihood)
        ]
        pair = [max(now - 1, 0), now]
        left, right = Panel([*lines, *marks], x, y), _bars(lower[pair], likelihood[pair])
        figure = curves.with_legend(panels.side_by_side(left, right, split=0.52, room=0.17))
        return figure | {"layout": figure["layout"] | {"barmode": "overlay"}}

    return draw


def _bars(bounds: ndarray, tops: ndarray) -> Panel:
    """Stack the bound and KL, one half-step before and now; 0 is the bound before."""
    bounds, tops = bounds - bounds[0], tops - bounds[0]
    low, high = float(bounds.min()), float(tops.max())
    room = 0.25 * (high - low) or 1.0
    base = low - 2 * room

    def bar(name: str, foot: ndarray, top: ndarray, color: str) -> dict:
        return {
            "type": "bar",
            "name": name,
            "x": ["before", "now"],
            "y": (top - foot).tolist(),
            "base": foot.tolist(),
            "width": 0.7,
            "marker": {"color": color},
            "showlegend": name == "KL",
            "hovertemplate": f"%{{x}}: {name} %{{y:.5g}}<extra></extra>",
        }

    bars = [bar("bound", np.full(2, base), bounds, BOUND), bar("KL", bounds, tops, KL)]
    y = {
        "range": [base, high + room],
        "title": {"text": "gain", "standoff": 2},
        "nticks": 4,
        "exponentformat": "power",
    }
    return Panel(bars, {"range": [-0.6, 1.6], "tickangle": 0}, y)
