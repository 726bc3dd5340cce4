"""What the modes of factor analysis draw: segments, names of columns, and correlations."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.reduction.factor_analysis.factor_analysis import (
    FLOOR,
    FactorAnalysisStep,
    least_noise,
)
from viz.core import curves, plane
from viz.core.graph import texts
from viz.core.panels import label
from viz.core.scene import Figure
from viz.core.theme import PALETTE, rgb
from viz.core.told import told

_LETTERS = 34  # of all names below the bars
_MOST = 12  # columns with a name
_WRITTEN = 6  # columns: with more, no number fits into a cell
_SHADES = 24
_SIGNED = np.array([rgb(PALETTE[1])] * _SHADES + [rgb(PALETTE[0])] * _SHADES, np.uint8)
_OPACITY = np.abs(np.linspace(-200, 200, 2 * _SHADES)).astype(np.uint8)


def whole(step: FactorAnalysisStep) -> ndarray:
    """Return every column's variance; for one that does not vary, the mean of all."""
    return least_noise(step.covariance) / FLOOR


def segments(start: ndarray, end: ndarray) -> ndarray:
    """Return (m, 2) ends of segments as one path with gaps."""
    return np.stack([start, end, np.full_like(end, np.nan)], axis=1).reshape(-1, 2)


def ticks(names: Sequence[str]) -> dict:
    """Return the ticks of an axis of columns: their names, or some of them."""
    shown = range(0, len(names), -(-len(names) // _MOST))
    most = max(5, _LETTERS // len(shown))
    return {"tickvals": list(shown), "ticktext": [label(names[j], most) for j in shown]}


def correlations(step: FactorAnalysisStep, names: Sequence[str]) -> Figure:
    """Draw the sample's correlations below the diagonal, and the implied ones above it.

    Both are divided by the sample's deviations, so the diagonal has implied over sample variance.
    """
    d = len(names)
    deviations = np.sqrt(whole(step))
    sample, implied = (
        each / np.outer(deviations, deviations) for each in (step.covariance, step.implied)
    )
    shown = np.where(np.tri(d, k=-1) > 0, sample, implied)[::-1]  # the first row is at the top
    box = (-0.5, d - 0.5, -0.5, d - 0.5)
    shade = np.rint((shown.clip(-1, 1) + 1) / 2 * (2 * _SHADES - 1)).astype(np.uint8)
    cells = plane.image(shade, _SIGNED, _OPACITY, box)
    cells |= {"name": "blue: positive, orange: negative", "zsmooth": False}
    _, _, places = plane.grid(box, d)
    written = [f"{value:.2f}".replace("-", "−") for value in shown.ravel()]
    if d > _WRITTEN:
        written = [""] * d**2
    numbers = texts(places, written, textfont={"shadow": "auto"})
    back = ticks(names)
    layout = curves.panel_layout(
        xaxis={"range": [-0.5, d - 0.5], "showgrid": False} | back,
        yaxis={"range": [-0.5, d - 0.5], "showgrid": False, "scaleanchor": "x"}
        | {"tickvals": [d - 1 - j for j in back["tickvals"]], "ticktext": back["ticktext"]},
    )
    pairs = [(i, j) for i in range(d) for j in range(i)]
    rows = [f"{names[j]} and {names[i]}" for i, j in pairs]
    values = {
        name: np.array([each[i, j] for i, j in pairs])
        for name, each in (("sample", sample), ("implied", implied))
    }
    return {"data": [cells, numbers], "layout": layout} | told("Correlations", "pair", rows, values)
