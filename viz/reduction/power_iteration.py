"""Pictures for power iteration."""

from collections.abc import Callable, Sequence

import numpy as np

from algorithms.reduction.power_iteration import PowerStep
from viz.core import curves
from viz.core.scene import Figure
from viz.core.theme import GREY
from viz.core.words import numbered
from viz.reduction.pca import FAINT

FLOOR = 1e-12  # smaller shares are drawn as this


def convergence(steps: Sequence[PowerStep]) -> Callable[[int], Figure]:
    """Draw the Rayleigh quotient and the angle to the answer at every step; one is marked."""
    angles = [max(step.angle, 1e-6) for step in steps]
    series = {"uᵀSu": [step.rayleigh for step in steps], "angle °": angles}
    return curves.timeline(series, log=["angle °"])


def shares(steps: Sequence[PowerStep], now: int) -> Figure:
    """Draw the share of the vector along each exact eigenvector."""
    step = steps[now]
    d = len(step.shares)
    bars = {
        "type": "bar",
        "x": list(range(1, d + 1)),
        "y": [max(float(share), FLOOR) for share in step.shares],
        "marker": {"color": GREY, "opacity": [1.0 if i == step.index else FAINT for i in range(d)]},
        "customdata": step.eigenvalues.tolist(),
        "hovertemplate": "v%{x}, λ = %{customdata:.3g}: %{y:.3g}<extra></extra>",
    }
    few = range(0, d, -(-d // 6))
    layout = curves.panel_layout(
        xaxis={
            "range": [0.4, d + 0.6],
            "tickvals": [i + 1 for i in few],
            "ticktext": [numbered("v", i) for i in few],
        },
        yaxis={"range": [np.log10(FLOOR), 0.3], "title": {"text": "share of u"}}
        | curves.powers(np.log10(FLOOR), 0.3),
    )
    return {"data": [bars], "layout": layout}
