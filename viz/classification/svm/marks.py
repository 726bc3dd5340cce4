"""Shared parts of the lab's modes: the two sides, fainter in the street, and every dual."""

import numpy as np
from numpy import ndarray

from algorithms.classification.svm.kernel_machine import KernelMachine
from algorithms.classification.svm.nu_svm import NuSvmStep
from algorithms.classification.svm.svm import SvmStep
from algorithms.classification.svm.svm_multiclass import REST
from algorithms.core.features import PolynomialFeatures
from algorithms.core.kernels import GridSum, Kernel
from viz.core import plane
from viz.core.found import Regions
from viz.core.panels import Panel
from viz.core.scene import Bounds, Plane
from viz.core.theme import GREY, color, rgb

Sides = tuple[int, int]
"""The classes where f < 0 and where f > 0; REST for all the others together, drawn in grey."""

_CELLS, _FEWER_CELLS = 100, 60  # a kernel that does not separate over the axes costs much more
_PALE, _STRONG = 34, 108  # opacity of 255 of a side inside the street and outside
BORDER, EDGES = "border, f = 0", "edges of the street, f = ±1"
TERMS = "points with the largest terms in f at the picked point, the thicker the larger"


def surface(kernel: Kernel, points: ndarray, features: PolynomialFeatures, box: Bounds) -> GridSum:
    """Prepare the sum of kernels over the cells of the picture. points : mapped by `features`."""
    x, y, _ = plane.grid(box, _CELLS if kernel.separates else _FEWER_CELLS)
    u, v = features(np.column_stack([x, y])).T  # the axes of the picture, as the kernel sees them
    return GridSum(kernel, points, np.ascontiguousarray(u), np.ascontiguousarray(v))


def filled(f: ndarray, sides: Sides, box: Bounds, level: float = 1.0) -> dict:
    """Fill both sides, fainter inside the street. level : of f at its edges."""
    cells = 2 * (f > 0) + (np.abs(f) >= level)
    colors = np.repeat([rgb(side_color(side)) for side in sides], 2, axis=0).astype(np.uint8)
    opacity = np.array([_PALE, _STRONG] * 2, np.uint8)
    name = "predicted class, fainter inside the street"
    filled = plane.image(cells.astype(np.uint8), colors, opacity, box)
    filled |= {"name": name, "meta": np.repeat(sides, 2).tolist()}
    return plane.signed(filled, np.where(f > 0, sides[1], sides[0]), box)


def regions(f: ndarray, sides: Sides) -> Regions:
    """Return the class of every cell. f : (rows, columns), row 0 at the bottom."""
    return Regions(np.where(f > 0, sides[1], sides[0]))


def side_color(side: int) -> str:
    """Return the colour of a class, or of REST."""
    return GREY if side == REST else color(side)


def side_name(side: int, data: Plane) -> str:
    """Return the name of a class, or that of REST."""
    return "the rest" if side == REST else f"class {data.classes[side]}"


def all_duals(sides: Sides, step: KernelMachine, title: str = "α / C") -> Panel:
    """Draw every dual between 0 and C, class by class, with the moves of this step."""
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
    traces.append(plane.line(ways, line={"width": 2.5}))
    return Panel(
        traces,
        x={"range": [-0.02 * n, 1.02 * n], "nticks": 5}
        | {"title": {"text": "points, class by class", "standoff": 0}},
        y={"title": {"text": title}, "range": [-0.06, 1.06], "nticks": 4},
    )


def _moved(step: KernelMachine) -> tuple[ndarray, ndarray, ndarray]:
    """Return the duals that a step of SMO has moved: their indices, old and new values."""
    if not isinstance(step, SvmStep | NuSvmStep):
        return np.array([], int), np.array([]), np.array([])
    moved = np.array(step.moved, int)
    return moved, np.abs(step.before[moved]), step.duals[moved]
