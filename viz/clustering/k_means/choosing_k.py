"""Inertia, description length and silhouette against the number of clusters."""

from collections.abc import Sequence

import numpy as np

from algorithms.clustering.k_means.choose_k import ChooseKStep, mdl_cost
from viz.core import curves
from viz.core.scene import Figure


def elbow(choices: Sequence[ChooseKStep], gamma: float, k: int) -> Figure:
    """Draw inertia and description length against k; a dot at the least description length.

    gamma : the price of a cluster. k : the number that is shown.
    """
    ks = [choice.k for choice in choices]
    inertia = [choice.inertia for choice in choices]
    costs = [mdl_cost(choice.inertia, choice.k, gamma) for choice in choices]
    shortest = int(np.argmin(costs))
    dashed = {"line": {"dash": "dash"}, "marker": {"symbol": 1}}
    traces = [
        curves.against("inertia", ks, inertia),
        curves.against("inertia + γ·k (ring: least)", ks, costs, **dashed),
        curves.marked(ks[shortest], costs[shortest], marker=curves.HOLLOW, showlegend=False),
    ]
    top = 1.06 * max(*inertia, *costs) or 1.0  # all points in one place cost nothing
    y = {"title": {"text": "cost"}, "range": [0, top], "nticks": 5}
    return curves.with_legend({"data": traces, "layout": _layout(ks, k, y)})


def silhouettes(choices: Sequence[ChooseKStep], k: int) -> Figure:
    """Draw the silhouette against k, with a dot at the widest. k : the number that is shown."""
    several = choices[1:] or choices  # one cluster has no silhouette
    ks, widths = [choice.k for choice in several], [choice.silhouette for choice in several]
    widest = int(np.argmax(widths))
    traces = [
        curves.against("silhouette", ks, widths),
        curves.marked(ks[widest], widths[widest]),
    ]
    y = {"title": {"text": "silhouette"}, "range": [min(0.0, *widths) - 0.05, 1.05], "nticks": 5}
    return {"data": traces, "layout": _layout([choice.k for choice in choices], k, y)}


def _layout(ks: Sequence[int], k: int, y: dict) -> dict:
    """Return the layout of a panel against the number of clusters, dotted where k is shown."""
    x = {"range": [0.6, ks[-1] + 0.4], "dtick": 1}
    x |= {"title": {"text": "clusters k (dotted: shown)", "standoff": 2}}
    return curves.panel_layout(xaxis=x, yaxis=y, shapes=[curves.dotted(k)])
