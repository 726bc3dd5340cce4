"""Pictures of the absolute loss beside least squares."""

from collections.abc import Sequence

import numpy as np

from algorithms.regression.least_squares.absolute_loss import AbsoluteLossStep
from viz.core import curves, plane
from viz.core.scene import Figure, Plane
from viz.core.theme import PALETTE
from viz.regression.least_squares.regression_lines import (
    BEST,
    RESIDUALS,
    fit_line,
    parameters,
    reading,
    spread,
    sticks,
    text,
)

_DOTS = 400  # pulls drawn at most
_EXACT = {"width": 2, "dash": "dot", "color": PALETTE[2]}


def picture(data: Plane, query: float, steps: Sequence[AbsoluteLossStep], now: int) -> Figure:
    """Draw the line now with its residuals, and those of both losses, and what is read off.

    The residuals are of 200 points at most.
    """
    squares, exact = parameters(steps[0]), parameters(steps[-1])
    here = parameters(steps[now])
    traces = [
        sticks(data.X[spread(data.X[:, 0], RESIDUALS)], here, data.bounds),
        fit_line(squares, data.bounds, line=BEST),
        fit_line(exact, data.bounds, line=_EXACT),
        plane.found(plane.CURVE, fit_line(here, data.bounds, line={"width": 3})),
        reading(query, here, data.bounds),
    ]
    left, right, bottom, top = data.bounds
    rising = squares[0] >= 0  # then the upper left corner is empty
    x, side = (left, "right") if rising else (right, "left")
    for k, (words, color) in enumerate(
        {"– – least squares": PALETTE[0], "··· absolute loss": PALETTE[2]}.items()
    ):
        place = np.array([x, top - (0.04 + 0.06 * k) * (top - bottom)])
        traces.append(text(place, f" {words} ", f"middle {side}", color))
    points = plane.points(data.X, data.labels)
    return plane.figure(traces, data.bounds, data.names, points=points)


def largest_residual(steps: Sequence[AbsoluteLossStep]) -> float:
    """Give the largest residual of all steps."""
    return max(float(np.abs(step.residuals).max()) for step in steps)


def forces(steps: Sequence[AbsoluteLossStep], largest: float, now: int) -> Figure:
    """Draw how hard each point pulls against its residual, of 400 points at most.

    Dashed: in proportion, as for least squares. Dotted: the same for all on one side, as for the
    absolute loss. largest : residual of all steps.
    """
    step = steps[now]
    every = spread(step.residuals, _DOTS)
    wide = 1.1 * largest or 1.0
    share = wide / (float(np.abs(steps[0].residuals).max()) or wide)
    sign = np.array([[-wide, -1], [0, -1], [0, 1], [wide, 1]])
    traces = [
        plane.line(np.array([[-wide, -share], [wide, share]]), line=BEST),
        plane.line(sign, line=_EXACT),
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
