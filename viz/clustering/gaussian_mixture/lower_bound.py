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
from viz.core.words import number

Step = GaussianMixtureStep | MultinomialMixtureStep | OneMeanStep

_PAIR = ["before", "now"]
BOUND, KL = PALETTE[0], PALETTE[4]
BARS = "In the bars, 0 is the bound of the half-step before."


def bound_views(steps: Sequence[Step]) -> list[View]:
    """Return the views of log-likelihood and bound: at every half-step, and at this one."""
    return [
        View("Log-likelihood and its bound", bound(steps), ahead="by step"),
        View("This half-step: log-likelihood = bound + KL", halves(steps)),
    ]


def bound(steps: Sequence[Step]) -> Callable[[int], Figure]:
    """Draw log-likelihood and bound at every half-step."""
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
        return curves.with_legend(panels.alone(Panel([*lines, *marks], x, y)))

    return draw


def halves(steps: Sequence[Step]) -> Callable[[int], Figure]:
    """Stack the bound and KL, one half-step before and now; 0 is the bound before."""

    def draw(now: int) -> Figure:
        pair = [steps[max(now - 1, 0)], steps[now]]
        bounds = np.array([step.lower_bound for step in pair]) - pair[0].lower_bound
        gaps = np.array([max(step.gap, 0.0) for step in pair])
        tops = bounds + gaps
        low, high = float(bounds.min()), float(tops.max())
        room = 0.25 * (high - low) or 1.0
        base = low - 2 * room
        names = [f"{name}: KL {number(gap)}" for name, gap in zip(_PAIR, gaps, strict=True)]
        if now == 0:  # there is no half-step before
            bounds[0] = tops[0] = base
            names[0] = ""
        bars = [
            _bar("bound", np.full(2, base), bounds, BOUND),
            _bar("KL", bounds, tops, KL),
        ]
        x = {"range": [-0.6, 1.6], "tickvals": [0, 1], "ticktext": names}
        y = {
            "range": [base, high + room],
            "title": {"text": "gain", "standoff": 2},
            "nticks": 4,
            "exponentformat": "power",
            "showticklabels": now > 0,
        }
        figure = curves.with_legend(panels.alone(Panel(bars, x, y)))
        return figure | {"layout": figure["layout"] | {"barmode": "overlay"}}

    return draw


def _bar(name: str, foot: ndarray, top: ndarray, color: str) -> dict:
    """Draw a part of both bars, from `foot` to `top`."""
    return {
        "type": "bar",
        "name": name,
        "x": [0, 1],
        "y": (top - foot).tolist(),
        "base": foot.tolist(),
        "width": 0.6,
        "marker": {"color": color},
        "showlegend": True,
        "customdata": _PAIR,
        "hovertemplate": f"%{{customdata}}: {name} %{{y:.5g}}<extra></extra>",
    }
