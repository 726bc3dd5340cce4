"""Picture of a support vector machine for two classes, and of all of its duals."""

from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from algorithms.classification.svm.kernel_machine import KernelMachine
from algorithms.classification.svm.svm import SvmStep
from algorithms.classification.svm.svm_multiclass import REST
from algorithms.classification.svm.svm_qp import SvmQpStep
from algorithms.core.features import PolynomialFeatures
from algorithms.core.kernels import GridSum, Kernel
from viz.core import plane
from viz.core.panels import Panel
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
SHOWN_TERMS = 3  # of f at a picked place, the largest


def surface(kernel: Kernel, points: ndarray, features: PolynomialFeatures, box: Bounds) -> GridSum:
    """Prepare to sum the kernel over the cells of the picture. points : what `features` made."""
    x, y, _ = plane.grid(box, _CELLS if kernel.separates else _FEWER_CELLS)
    u, v = features(np.column_stack([x, y])).T  # the axes of the picture, as the kernel sees them
    return GridSum(kernel, points, np.ascontiguousarray(u), np.ascontiguousarray(v))


@dataclass(frozen=True, eq=False)
class Picked:
    """The place that the user has picked: on the picture, and as the kernel sees it."""

    place: ndarray
    seen: ndarray


def picked(place: ndarray, features: PolynomialFeatures) -> Picked:
    """Pick a place of the picture."""
    return Picked(place, features(place[None])[0])


def largest_terms(step: KernelMachine, spot: Picked) -> tuple[ndarray, ndarray]:
    """Give the terms of f at a picked place, and which are the largest, in falling order."""
    terms = step.terms(spot.seen)
    order = np.argsort(-np.abs(terms), kind="stable")[:SHOWN_TERMS]
    return terms, order[terms[order] != 0]


def picture(
    data: Plane, sides: Sides, grid: GridSum, step: KernelMachine, spot: Picked, crossed: bool
) -> Figure:
    """Draw both sides, f = 0 and the edges f = -1 and +1, and the state of every point.

    Lines lead from the picked place to the points with the largest terms in f there.

    grid : the `surface` of the run. crossed : whether to cross points whose condition is broken.
    """
    box = data.bounds
    x_cells, y_cells, _ = plane.grid(box, len(grid.x))
    f = grid(step.coefficients) + step.bias
    contours = plane.contours(x_cells, y_cells, f)
    pair = list(step.pair) if isinstance(step, SvmStep) and step.pair else []
    traces = [
        filled(f, sides, box),
        plane.level_lines(contours, box, 0.0, width=3),
        plane.level_lines(contours, box, -1.0, 1.0, width=1.5, dash="dash"),
        _named(data.X[pair]),
    ]
    wrong = (step.outputs > 0) != (step.signs > 0)
    terms, largest = largest_terms(step, spot)
    share = np.abs(terms[largest]) / max(np.abs(terms[largest]).max(initial=0.0), 1e-300)
    return plane.figure(
        traces,
        box,
        data.names,
        points=plane.points(data.X, data.labels, wrong),
        marks=_states(step, crossed),
        edges=plane.edges(
            np.tile(spot.place, (len(largest), 1)), data.X[largest], width=1 + 3 * share
        ),
    )


def filled(f: ndarray, sides: Sides, box: Bounds) -> dict:
    """Fill both sides, paler inside the street."""
    cells = 2 * (f > 0) + (np.abs(f) >= 1)
    colors = np.repeat([rgb(side_color(side)) for side in sides], 2, axis=0).astype(np.uint8)
    opacity = np.array([_PALE, _STRONG] * 2, np.uint8)
    return plane.image(cells.astype(np.uint8), colors, opacity, box)


def side_color(side: int) -> str:
    """Give the colour of a class, or of REST."""
    return GREY if side == REST else color(side)


def side_name(side: int, data: Plane) -> str:
    """Name a class, or REST."""
    return "the rest" if side == REST else f"class {data.classes[side]}"


def _states(step: KernelMachine, crossed: bool) -> dict:
    """Mark every point's state: a ring for 0 < alpha < C, a square for C, crossed where broken."""
    kind = step.states.astype(np.uint8)
    if isinstance(step, SvmQpStep):  # inside the box all points have a dual: show how large
        kind = _OF_ANY_SIZE + np.rint(_LARGEST * np.sqrt(step.duals / step.C))
    elif crossed:
        kind[step.violators] += 3
    return plane.marks(kind, _SYMBOLS, _SIZES, 1.5)


def _named(pair: ndarray) -> dict:
    """Ring the two points that have moved, i and j, or none."""
    return plane.rings(pair, size=26, color=NOW, line={"width": 4}) | {
        "mode": "markers+text",
        "text": ["<b>i</b>", "<b>j</b>"],
        "textposition": "top right",
        "textfont": {"size": 20, "shadow": "auto"},
        "cliponaxis": False,
    }


def all_duals(sides: Sides, step: KernelMachine) -> Panel:
    """Draw every dual between 0 and C, one class after the other, and which way some have moved."""
    n = len(step.signs)
    members = [np.flatnonzero(step.signs < 0), np.flatnonzero(step.signs > 0)]
    place = np.argsort(np.concatenate(members))
    traces = [
        plane.line(
            np.column_stack([place[rows], step.duals[rows] / step.C]),
            mode="markers",
            marker={"size": 5, "color": side_color(side), "symbol": symbol},
        )
        for rows, side, symbol in zip(members, sides, (0, 1), strict=True)
    ]
    rows, before, after = _moved(step)
    ways = np.full((3 * len(rows), 2), np.nan)
    ways[0::3] = np.column_stack([place[rows], before / step.C])
    ways[1::3] = np.column_stack([place[rows], after / step.C])
    traces.append(plane.line(ways, line={"width": 2.5, "color": NOW}))
    return Panel(
        traces,
        x={"range": [-0.02 * n, 1.02 * n], "nticks": 5}
        | {"title": {"text": "points, class by class", "standoff": 0}},
        y={"title": {"text": "α / C"}, "range": [-0.06, 1.06], "nticks": 4},
    )


def _moved(step: KernelMachine) -> tuple[ndarray, ndarray, ndarray]:
    """Give the duals that a step of SMO has moved: whose, from where and where to."""
    nobody = np.array([], int), np.array([]), np.array([])
    if not isinstance(step, SvmStep):
        return nobody
    if together := step.together:
        return together.members, np.abs(together.before), np.abs(together.after)
    if step.pair and step.move:
        return np.array(step.pair), np.array(step.move.before), np.array(step.move.after)
    return nobody
