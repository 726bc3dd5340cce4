"""The path of the two weights over the loss."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray

from algorithms.classification.linear.logistic_regression.logistic_regression import (
    LogisticRegressionStep,
)
from algorithms.classification.linear.logistic_regression.logistic_summary import Valley
from viz.core import curves, plane, surface
from viz.core.scene import Figure


def weight_space(
    steps: Sequence[LogisticRegressionStep], valley: Valley
) -> Callable[[int], Figure]:
    """Draw the path so far, and the weights now, over the bands of the loss."""
    bands, box = surface.bands(valley.first, valley.second, _stretched(valley.losses))
    path = np.stack([step.weights[0] for step in steps])
    apart = _apart(path, 0.002 * (box[1] - box[0]))
    layout = curves.panel_layout(
        xaxis={"title": {"text": "w₁", "standoff": 2}, "range": list(box[:2]), "nticks": 6},
        yaxis={"title": {"text": "w₂"}, "range": list(box[2:]), "nticks": 6},
    )

    def at(now: int) -> Figure:
        way = path[[*apart[apart < now], now]]
        traces = [
            bands,
            plane.line(way, mode="lines+markers", line={"width": 2}, marker={"size": 4}),
            curves.marked(*way[-1].tolist()),
        ]
        return {"data": traces, "layout": layout}

    return at


def _stretched(losses: ndarray) -> ndarray:
    """Return the losses with the lowest ones stretched, so that the bands show the valley."""
    return np.log(losses - losses.min() + 0.02 * np.ptp(losses) + 1e-12)


def _apart(path: ndarray, least: float) -> ndarray:
    """Return the steps of an (m, 2) path that can be distinguished from those before them."""
    chosen, last = [0], path[0]
    for i, place in enumerate(path):
        if np.abs(place - last).max() >= least:
            chosen.append(i)
            last = place
    return np.array(chosen)
