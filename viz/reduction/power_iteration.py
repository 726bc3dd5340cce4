"""Pictures for power iteration."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy import ndarray

from algorithms.reduction.pca import PowerStep
from viz.core import curves
from viz.reduction.pca import FAINT, GREY, numbered, picture

FLOOR = 1e-12  # smaller shares are drawn as this


def views(
    table: ndarray,
    group: ndarray,
    columns: tuple[int, int],
    steps: Sequence[PowerStep],
    place: dict,
) -> dict:
    """Give all views. columns : those of the table on the plane; place : its bounds and names."""
    return {
        "The vector u, the points, and their projections on it": partial(
            picture, table, group, columns, steps, **place
        ),
        "Rayleigh quotient, and angle to the answer": partial(convergence, steps),
        "Share of u along each eigenvector (logarithmic)": partial(shares, steps),
    }


def convergence(steps: Sequence[PowerStep], now: int) -> dict:
    """Draw the Rayleigh quotient and the angle to the answer at every step."""
    angles = [max(step.angle, 1e-6) for step in steps]
    series = {"uᵀSu": [step.rayleigh for step in steps], "angle °": angles}
    return curves.history(series, now, log=["angle °"])


def shares(steps: Sequence[PowerStep], now: int) -> dict:
    """Draw the share of the vector along each exact eigenvector."""
    step = steps[now]
    d = len(step.shares)
    bars = {
        "type": "bar",
        "x": list(range(1, d + 1)),
        "y": [max(float(share), FLOOR) for share in step.shares],
        "marker": {"color": GREY, "opacity": [1.0 if i == step.index else FAINT for i in range(d)]},
        "hovertemplate": "v%{x}: %{y:.3g}<extra></extra>",
    }
    few = range(0, d, -(-d // 6))
    layout = curves.panel_layout(
        xaxis={
            "range": [0.4, d + 0.6],
            "tickvals": [i + 1 for i in few],
            "ticktext": [f"{numbered('v', i)}: λ = {step.eigenvalues[i]:.3g}" for i in few],
        },
        yaxis={"type": "log", "range": [np.log10(FLOOR), 0.3], "exponentformat": "power"}
        | {"nticks": 5, "title": {"text": "share of u"}},
    )
    return {"data": [bars], "layout": layout}
