"""Pictures for kernel principal components."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.core.kernels import GridSum
from algorithms.reduction.kernel_pca import KernelPcaStep
from viz.core import curves, plane
from viz.core.scene import Bounds, Figure, Plane
from viz.core.theme import GREY, rgb
from viz.core.words import numbered
from viz.reduction.pca import FAINT, MOST_SCORES, shown_rows, small_points

_CELLS, _FEWER_CELLS = 100, 60  # a kernel that does not separate over the axes costs much more
_SHADES = 10
_GREYS = np.array([rgb(GREY)] * _SHADES, np.uint8)
_OPACITY = np.linspace(0, 150, _SHADES).astype(np.uint8)


def scores_on(last: KernelPcaStep, bounds: Bounds) -> ndarray:
    """Give (k, rows, columns): the score of every cell of the picture on every component."""
    if not last.kernel.separates:
        x, y, cells = plane.grid(bounds, _FEWER_CELLS)
        blocks = [last.transform(row) for row in np.split(cells, len(y))]
        return np.stack(blocks).transpose(2, 0, 1)
    x, y, _ = plane.grid(bounds, _CELLS)
    u, v = ((np.stack([x, y], axis=1) - last.mean) / last.scale).T
    grid = GridSum(last.kernel, last.points, np.ascontiguousarray(u), np.ascontiguousarray(v))
    return np.stack([grid(c) - b for c, b in zip(last.coefficients, last.offsets, strict=True)])


def picture(data: Plane, z: ndarray, surface: ndarray, now: int) -> Figure:
    """Draw the score on component `now` over the plane: shaded, with lines where it is equal.

    z : (n, k) scores of the points. surface : see `scores_on`.
    """
    values = surface[now]
    x, y, _ = plane.grid(data.bounds, len(values))
    contours = plane.contours(x, y, values)
    low, high = float(z[:, now].min()), float(z[:, now].max())
    share = (values - low) / ((high - low) or 1.0)
    shade = (share.clip(0, 1) * (_SHADES - 1)).round().astype(np.uint8)
    levels = np.linspace(low, high, _SHADES + 1)[1:-1]
    traces = [
        plane.image(shade, _GREYS, _OPACITY, data.bounds),
        plane.level_lines(contours, data.bounds, *levels, width=1),
        plane.level_lines(contours, data.bounds, 0.0, width=3.5),
    ]
    points = plane.points(data.X, data.labels)
    return plane.figure(traces, data.bounds, data.names, points=points)


def scores(z: ndarray, group: ndarray, now: int) -> Figure:
    """Draw the points in the plane of the first component and component `now`."""
    rows = shown_rows(len(z), MOST_SCORES)
    second = min(max(now, 1), z.shape[1] - 1)
    reach = 1.12 * np.abs(z[:, 0]).max(), 1.15 * np.abs(z).max()
    layout = curves.panel_layout(
        xaxis={"range": [-reach[0], reach[0]], "title": {"text": "z₁"}, "nticks": 7},
        yaxis={"range": [-reach[1], reach[1]], "title": {"text": numbered("z", second)}}
        | {"nticks": 5},
    )
    layout["margin"] = {**layout["margin"], "b": 40}
    points = small_points(z[rows][:, [0, second]], group[rows])
    return {"data": [], "layout": layout, "points": points}


def spectrum(steps: Sequence[KernelPcaStep], now: int) -> Figure:
    """Draw the share of the variance in the space of features along every component."""
    explained = steps[-1].explained
    k = len(explained)
    bars = {
        "type": "bar",
        "x": list(range(1, k + 1)),
        "y": (100 * explained).tolist(),
        "marker": {"color": GREY, "opacity": [1.0 if j == now else FAINT for j in range(k)]},
        "hovertemplate": "component %{x}: %{y:.3g} %<extra></extra>",
    }
    layout = curves.panel_layout(
        xaxis={"range": [0.4, max(k, 2) + 0.6], "dtick": 1},
        yaxis={"range": [0, 110 * float(explained.max())], "nticks": 5, "ticksuffix": " %"},
    )
    return {"data": [bars], "layout": layout}
