"""Inertia, description length and silhouette against the number of clusters."""

from collections.abc import Sequence

import numpy as np

from algorithms.clustering.k_means.choose_k import ChooseKStep, mdl_cost
from viz.core import curves
from viz.core.scene import Figure


def elbow(choices: Sequence[ChooseKStep], k: int) -> Figure:
    """Draw the inertia against the number of clusters, with a mark at the number that is shown."""
    ks = [choice.k for choice in choices]
    inertia = [choice.inertia for choice in choices]
    shown = next(choice.inertia for choice in choices if choice.k == k)
    layout = curves.panel_layout(
        xaxis={"range": [0.6, ks[-1] + 0.4], "dtick": 1}
        | {"title": {"text": "clusters k", "standoff": 2}},
        yaxis={"title": {"text": "inertia"}, "range": [0, 1.06 * max(inertia) or 1.0], "nticks": 5},
    )
    return {
        "data": [
            curves.against("inertia", ks, inertia),
            curves.marked(k, shown, name="k shown"),
        ],
        "layout": layout,
    }


def choosing_k(choices: Sequence[ChooseKStep], gamma: float, k: int) -> Figure:
    """Draw inertia and description length, and the silhouette, against k; mark each one's best.

    gamma : the price of a cluster. k : the number that is shown.
    """
    ks = [choice.k for choice in choices]
    inertia = [choice.inertia for choice in choices]
    costs = [mdl_cost(choice.inertia, choice.k, gamma) for choice in choices]
    silhouette = [choice.silhouette for choice in choices]
    shortest, widest = int(np.argmin(costs)), int(np.argmax(silhouette))
    dashed = {"line": {"dash": "dash"}, "marker": {"symbol": 1}}
    dotted = {"line": {"dash": "dot"}, "marker": {"symbol": 2}}
    several = slice(1, None) if len(ks) > 1 else slice(None)  # one cluster has no silhouette
    traces = [
        curves.against("inertia", ks, inertia, yaxis="y", marker={"symbol": 0}),
        curves.against("MDL cost", ks, costs, yaxis="y", **dashed),
        curves.marked(ks[shortest], costs[shortest], showlegend=False),
        curves.against("silhouette", ks[several], silhouette[several], yaxis="y2", **dotted),
        curves.marked(ks[widest], silhouette[widest], yaxis="y2", showlegend=False),
    ]
    low = min(0.0, *silhouette) - 0.05
    top = 1.06 * max(*inertia, *costs) or 1.0  # all points in one place cost nothing
    layout = curves.panel_layout(
        xaxis={"range": [0.6, ks[-1] + 0.4], "dtick": 1, "anchor": "y2"}
        | {"title": {"text": "clusters k", "standoff": 2}},
        yaxis={"title": {"text": "cost"}, "domain": [0.58, 1], "range": [0, top], "nticks": 4},
        yaxis2={"title": {"text": "silh."}, "domain": [0, 0.42], "range": [low, 1.05], "nticks": 4},
        shapes=[curves.dotted(k)],
    )
    return curves.with_legend({"data": traces, "layout": layout})
