"""Pictures of the absolute loss beside least squares."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy import ndarray

from algorithms.regression.least_squares.absolute_loss import AbsoluteLossStep
from viz.core import curves, plane
from viz.core.theme import PALETTE
from viz.regression.least_squares.regression_lines import (
    BEST,
    Views,
    fit_line,
    most_points,
    parameters,
    spread,
    sticks,
    text,
)


def views(
    X: ndarray,
    labels: ndarray,
    steps: Sequence[AbsoluteLossStep],
    bounds: plane.Bounds,
    names: tuple[str, str],
) -> Views:
    """Give the views of the absolute loss beside least squares."""
    return {
        "From least squares to the absolute loss": partial(
            picture, X, labels, steps, bounds=bounds, names=names
        ),
        "How hard each point pulls at the line": partial(forces, steps),
        "Both losses at every step": partial(both_losses, steps),
    }


def picture(
    X: ndarray,
    labels: ndarray,
    steps: Sequence[AbsoluteLossStep],
    now: int,
    *,
    bounds: plane.Bounds,
    names: tuple[str, str] = ("x", "y"),
) -> dict:
    """Draw the line now with its residuals, and those of both losses, dashed and dotted."""
    squares, exact = parameters(steps[0]), parameters(steps[-1])
    traces = [
        sticks(X[spread(X, most_points(steps, 3))], parameters(steps[now]), bounds),
        plane.points(X, labels),
        fit_line(squares, bounds, line=BEST),
        fit_line(exact, bounds, line={"width": 2, "dash": "dot", "color": PALETTE[2]}),
        fit_line(parameters(steps[now]), bounds, line={"width": 3}),
    ]
    left, right, bottom, top = bounds
    rising = squares[0] >= 0  # then the upper left corner is empty
    x, side = (left, "right") if rising else (right, "left")
    for k, (words, color) in enumerate(
        {"– – least squares": PALETTE[0], "··· absolute loss": PALETTE[2]}.items()
    ):
        place = np.array([x, top - (0.04 + 0.06 * k) * (top - bottom)])
        traces.append(text(place, f" {words} ", f"middle {side}", color))
    return plane.figure(traces, bounds, names)


def forces(steps: Sequence[AbsoluteLossStep], now: int) -> dict:
    """Draw how hard each point pulls against its residual.

    Dashed: in proportion, as for least squares. Dotted: the same for all on one side, as for the
    absolute loss.
    """
    step = steps[now]
    every = spread(step.residuals[:, None], most_points(steps, 2))
    wide = 1.1 * max(float(np.abs(s.residuals).max()) for s in steps) or 1.0
    first = float(np.abs(steps[0].residuals).max()) or wide
    share = wide / first
    sign = np.array([[-wide, -1], [0, -1], [0, 1], [wide, 1]])
    traces = [
        plane.line(np.array([[-wide, -share], [wide, share]]), line=BEST),
        plane.line(sign, line={"width": 2, "dash": "dot", "color": PALETTE[2]}),
        plane.line(
            np.stack([step.residuals[every], step.forces[every]], axis=1),
            mode="markers",
            marker={"size": 7, "color": PALETTE[1]},
        ),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-wide, wide], "title": {"text": "residual r", "standoff": 2}},
        yaxis={"range": [-1.25, 1.25], "title": {"text": "pull"}, "nticks": 5},
    )
    layout["margin"] = {**layout["margin"], "b": 40}
    return {"data": traces, "layout": layout}


def both_losses(steps: Sequence[AbsoluteLossStep], now: int) -> dict:
    """Draw the mean of |r| and of r² at every step: one falls, the other rises."""
    series = {"mean |r|": [s.absolute for s in steps], "mean r²": [s.squared for s in steps]}
    return curves.history(series, now)
