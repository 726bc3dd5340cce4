"""Picture of a support vector machine for two classes, and of all of its duals."""

from itertools import accumulate

import numpy as np
from numpy import ndarray

from algorithms.classification.svm.kernel_machine import KernelMachine
from algorithms.classification.svm.svm import SvmStep
from algorithms.classification.svm.svm_multiclass import REST
from algorithms.classification.svm.svm_qp import SvmQpStep
from algorithms.core.features import PolynomialFeatures
from algorithms.core.kernels import GridSum, Kernel
from viz.core import curves, plane
from viz.core.scene import Bounds, Figure, Plane
from viz.core.theme import GREY, NOW, color, rgb

Sides = tuple[int, int]
"""The classes where f < 0 and where f > 0; REST for all the others together, drawn in grey."""

_CELLS, _FEWER_CELLS = 100, 60  # a kernel that does not separate over the axes costs much more
_PALE, _STRONG = 34, 108  # opacity of 255 of a side inside the street and outside
# Plotly's symbols and sizes for OUT, FREE and FULL, for the same where the condition is broken, and
# for duals of all sizes inside the box.
_LARGEST = 16
_SYMBOLS = [100, 100, 101, 134, 128, 130] + [100] * (_LARGEST + 1)
_SIZES = [0, _LARGEST, 15, 8, 16, 15, *range(_LARGEST + 1)]
_OF_ANY_SIZE = 6


def surface(kernel: Kernel, points: ndarray, features: PolynomialFeatures, box: Bounds) -> GridSum:
    """Prepare to sum the kernel over the cells of the picture. points : what `features` made."""
    x, y, _ = plane.grid(box, _CELLS if kernel.separates else _FEWER_CELLS)
    u, v = features(np.column_stack([x, y])).T  # the axes of the picture, as the kernel sees them
    return GridSum(kernel, points, np.ascontiguousarray(u), np.ascontiguousarray(v))


def picture(data: Plane, sides: Sides, grid: GridSum, step: KernelMachine) -> Figure:
    """Draw both sides, f = 0 and the margins f = -1 and +1, and the state of every point.

    grid : the `surface` of the run.
    """
    box = data.bounds
    x_cells, y_cells, _ = plane.grid(box, len(grid.x))
    f = grid(step.coefficients) + step.bias
    contours = plane.contours(x_cells, y_cells, f)
    pair = list(step.pair) if isinstance(step, SvmStep) and step.pair else []
    traces = [
        _filled(f, sides, box),
        plane.level_lines(contours, box, 0.0, width=3),
        plane.level_lines(contours, box, -1.0, 1.0, width=1.5, dash="dash"),
        _named(data.X[pair]),
    ]
    wrong = (step.outputs > 0) != (step.signs > 0)
    points = plane.points(data.X, data.labels, wrong)
    return plane.figure(traces, box, data.names, points=points, marks=_states(data.X, step))


def _filled(f: ndarray, sides: Sides, box: Bounds) -> dict:
    """Fill both sides, paler inside the street."""
    cells = 2 * (f > 0) + (np.abs(f) >= 1)
    colors = np.repeat([rgb(side_color(side)) for side in sides], 2, axis=0).astype(np.uint8)
    opacity = np.array([_PALE, _STRONG] * 2, np.uint8)
    return plane.image(cells.astype(np.uint8), colors, opacity, box)


def side_color(side: int) -> str:
    """Give the colour of a class, or of REST."""
    return GREY if side == REST else color(side)


def _states(X: ndarray, step: KernelMachine) -> dict:
    """Mark every point's state: a ring for 0 < alpha < C, a square for C, crossed where broken."""
    kind = step.states.astype(np.uint8)
    if isinstance(step, SvmQpStep):  # inside the box all points have a dual: show how large
        kind = _OF_ANY_SIZE + np.rint(_LARGEST * np.sqrt(step.duals / step.C))
    else:
        kind[step.violators] += 3
    return plane.marks(X, kind, _SYMBOLS, _SIZES, 1.5)


def _named(pair: ndarray) -> dict:
    """Ring the two points that have moved, i and j, or none."""
    return plane.rings(pair, size=26, color=NOW, line={"width": 4}) | {
        "mode": "markers+text",
        "text": ["<b>i</b>", "<b>j</b>"],
        "textposition": "top right",
        "textfont": {"size": 20, "color": NOW},
        "cliponaxis": False,
    }


def all_duals(sides: Sides, step: SvmQpStep) -> Figure:
    """Draw every dual between 0 and C, one class after the other."""
    n = len(step.signs)
    members = [np.flatnonzero(step.signs < 0), np.flatnonzero(step.signs > 0)]
    ends = accumulate(map(len, members))
    traces = [
        plane.line(
            np.column_stack([np.arange(end - len(rows), end), step.duals[rows] / step.C]),
            mode="markers",
            marker={"size": 5, "color": side_color(side), "symbol": symbol},
        )
        for rows, end, side, symbol in zip(members, ends, sides, (0, 1), strict=True)
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-0.02 * n, 1.02 * n], "nticks": 8},
        yaxis={"title": {"text": "α / C"}, "range": [-0.06, 1.06], "nticks": 4},
    )
    return {"data": traces, "layout": layout}
