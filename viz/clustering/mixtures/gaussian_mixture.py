"""Pictures for mixtures of Gaussians."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.clustering.mixtures.gaussian_mixture import GaussianMixtureStep
from algorithms.clustering.mixtures.mixture_choice import MixtureChoiceStep
from viz.core import curves, plane, soft_groups
from viz.core.scene import Figure, Plane
from viz.core.theme import PALETTE


def picture(data: Plane, steps: Sequence[GaussianMixtureStep], now: int) -> Figure:
    """Draw the points in their components' colours, the components, and where they were.

    An expectation has a ring around the point whose shares changed most; a maximization a dotted
    ellipse where every component was before.
    """
    step = steps[now]
    before, ring = [], plane.GAP
    if step.phase == "maximization":
        last = steps[now - 1]
        before = soft_groups.outlines(last.means, last.covariances, (1.0,), 11)
    else:
        ring = data.X[[example(steps, now)]]
    traces = [
        soft_groups.curve(np.concatenate(before or [plane.GAP]), width=1.5, dash="dot"),
        *soft_groups.ellipses(step.means, step.covariances),
        plane.rings(ring, size=21),
        soft_groups.centers(step.means, data.bounds),
    ]
    points = soft_groups.points(data.X, step.responsibilities)
    return plane.figure(traces, data.bounds, data.names, points=points)


def example(steps: Sequence[GaussianMixtureStep], now: int) -> int:
    """Give the point whose responsibilities changed most; at the start the least decided one."""
    shares = steps[now].responsibilities
    if now == 0:
        return int(shares.max(axis=1).argmin())
    return int(np.abs(shares - steps[now - 1].responsibilities).max(axis=1).argmax())


def choosing_k(choices: Sequence[MixtureChoiceStep], k: int) -> Figure:
    """Draw BIC and held-out log-likelihood against k; mark each one's best. k : the one shown."""
    ks = [choice.k for choice in choices]
    bic = np.array([choice.bic for choice in choices])
    held = np.array([choice.held_out for choice in choices])
    best, likeliest = int(bic.argmin()), int(held.argmax())
    green = {"line": {"color": PALETTE[2]}, "marker": {"symbol": 2}}
    traces = [
        curves.against("BIC (low is good)", ks, bic, yaxis="y", marker={"symbol": 1}),
        curves.marked(ks[best], float(bic[best]), showlegend=False),
        curves.against("held out, per point (high is good)", ks, held, yaxis="y2", **green),
        curves.marked(ks[likeliest], float(held[likeliest]), yaxis="y2", showlegend=False),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [0.6, ks[-1] + 0.4], "dtick": 1, "anchor": "y2"},
        yaxis=_axis("BIC", 0.54, _near(-bic, -1)),
        yaxis2=_axis("ln p", 0.0, _near(held, 1)),
        shapes=[curves.dotted(k)],
    )
    return curves.with_legend({"data": traces, "layout": layout})


def _axis(name: str, bottom: float, ends: list[float]) -> dict:
    domain = [bottom, bottom + 0.46]
    return {"title": {"text": name}, "domain": domain, "nticks": 4, "range": ends}


def _near(values: ndarray, sign: int) -> list[float]:
    """Give the range around the best (highest) values: a collapse can be far below all others."""
    best, first = float(values.max()), float(values[0])
    low = max(float(values.min()), best - 3 * max(best - first, 0.05 * abs(best), 1e-3))
    room = 0.15 * (best - low) or 0.1
    return sorted([sign * (low - room), sign * (best + room)])
