"""Are the probabilities true? The predicted probabilities of held-out points, and the outcome."""

from collections.abc import Callable, Sequence

import numpy as np

from algorithms.classification.linear.logistic_regression.calibration import BINS, Calibration
from viz.core import curves
from viz.core.scene import Figure
from viz.core.theme import GREY, NOW

TITLE = "Are the probabilities true? Held-out points"


def reliability(found: Sequence[Calibration], k: int) -> Callable[[int], Figure]:
    """Draw, by probability, the share of points that are right, and the predicted share.

    found : at every step. k : classes; the highest of k probabilities is at least 1 / k.
    """
    first = BINS // k
    middles = ((np.arange(first, BINS) + 0.5) * 100 / BINS).tolist()
    layout = curves.panel_layout(
        xaxis={
            "title": {"text": "probability of the prediction, %", "standoff": 2},
            "range": [100 * first / BINS, 100],
            "dtick": 10,
        },
        yaxis={"title": {"text": "% right"}, "range": [0, 119], "tickvals": [0, 50, 100]},
    )

    def at(now: int) -> Figure:
        step = found[now]
        count, right = step.count[first:], step.right[first:]
        shares = [100 * a / n if n else None for a, n in zip(right, count, strict=True)]
        promised = [
            100 * a / n if n else None for a, n in zip(step.promised[first:], count, strict=True)
        ]
        bars = {
            "type": "bar",
            "x": middles,
            "y": shares,
            "name": "right",
            "text": [f"{a}/{n}" if n else "" for a, n in zip(right, count, strict=True)],
            "textposition": "outside",
            "cliponaxis": False,
            "marker": {"color": GREY},
            "hovertemplate": "%{text} right: %{y:.3g} %<extra></extra>",
        }
        marks = {
            "type": "scatter",
            "x": middles,
            "y": promised,
            "name": "promised",
            "mode": "markers",
            "marker": {"symbol": "line-ew", "size": 28, "line": {"width": 3, "color": NOW}},
            "hovertemplate": "promised: %{y:.3g} %<extra></extra>",
        }
        return curves.with_legend({"data": [bars, marks], "layout": layout})

    return at
