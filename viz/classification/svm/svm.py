"""Pictures for support vector machines: one pair of duals at a time, or all at once."""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from contourpy import ContourGenerator
from numpy import ndarray

from algorithms.classification.svm.kernel_machine import KernelMachine
from algorithms.classification.svm.svm import SvmStep
from algorithms.classification.svm.svm_qp import SvmQpStep
from algorithms.core.features import PolynomialFeatures
from algorithms.core.kernels import GridSum, Kernel
from viz.core import curves, plane
from viz.core.frames import thin
from viz.core.theme import PALETTE, RGB

ACCENT = "#D55E00"
REST = -1  # in place of a class: all the others together, drawn in
_GREY = (128, 134, 142)
_CELLS, _FEWER_CELLS = 100, 60  # a kernel that does not separate over the axes costs much more
_PALE, _STRONG = 34, 108  # opacity of 255 of a side inside the street and outside
_TOLERANCE, _ROUNDS = 0.005, 4  # of the lines, as a share of the picture's width
# Plotly's symbols and sizes for OUT, FREE and FULL, for the same where the condition is broken, and
# for duals of all sizes inside the box.
_LARGEST = 16
_SYMBOLS = [100, 100, 101, 134, 128, 130] + [100] * (_LARGEST + 1)
_SIZES = [0, _LARGEST, 15, 8, 16, 15, *range(_LARGEST + 1)]
_OF_ANY_SIZE = 6
_PLACES = {
    "opacity": 1,
    "size": [10, 11, 11],
    "symbol": [100, 4, 0],
    "color": ["#7A7F87", "#7A7F87", ACCENT],
    "line": {"width": 2},
}
_GAP = np.full((1, 2), np.nan)
_NOW = {"size": 13, "symbol": 100, "line": {"width": 3}, "color": ACCENT}
_RIGHT = {"xaxis": "x2", "yaxis": "y2"}
_LEGEND = {"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "top"}

BOX = "The box of the pair: ○ before, ● after, ✕ without the box"


def surface(
    kernel: Kernel, points: ndarray, features: PolynomialFeatures, bounds: plane.Bounds
) -> GridSum:
    """Prepare to sum the kernel over the cells of the picture. points : what `features` made."""
    x, y, _ = plane.grid(bounds, _CELLS if kernel.separates else _FEWER_CELLS)
    u, v = features(np.column_stack([x, y])).T  # the axes of the picture, as the kernel sees them
    return GridSum(kernel, points, np.ascontiguousarray(u), np.ascontiguousarray(v))


def picture(
    X: ndarray,
    y: ndarray,
    sides: tuple[int, int],
    grid: GridSum,
    steps: Sequence[KernelMachine],
    now: int,
    *,
    bounds: plane.Bounds,
    names: tuple[str, str] = ("x", "y"),
) -> dict:
    """Draw both sides, f = 0 and the margins f = -1 and +1, and the state of every point.

    y : class of every point. sides : how the regions of f < 0 and of f > 0 are coloured.
    """
    step = steps[now]
    x_cells, y_cells, _ = plane.grid(bounds, len(grid.x))
    f = grid(step.coefficients) + step.bias
    contours = plane.contours(x_cells, y_cells, f)
    wrong = (step.outputs > 0) != (step.signs > 0)
    traces = [
        _sides(f, sides, bounds),
        plane.points(X, y, wrong=wrong),
        level(contours, bounds, 0.0, width=3),
        level(contours, bounds, -1.0, 1.0, width=1.5, dash="dash"),
        _states(X, step),
        _pair(X[list(step.pair)] if isinstance(step, SvmStep) and step.pair else None),
    ]
    return plane.figure(traces, bounds, names)


def _sides(f: ndarray, sides: tuple[int, int], bounds: plane.Bounds) -> dict:
    """Fill both sides, paler inside the street."""
    cells = 2 * (f > 0) + (np.abs(f) >= 1)
    colors = np.repeat([_GREY if side == REST else RGB[side] for side in sides], 2, axis=0)
    opacity = np.array([_PALE, _STRONG] * 2, np.uint8)
    return plane.image(cells.astype(np.uint8), colors.astype(np.uint8), opacity, bounds)


def level(contours: ContourGenerator, bounds: plane.Bounds, *values: float, **stroke) -> dict:
    """Draw where a surface has one of the values: few points, joined by a smooth curve."""
    pieces = [part for v in values for piece in contours.lines(v) for part in (piece, _GAP)]
    path = np.concatenate([_GAP, *pieces])  # type: ignore
    tolerance = _TOLERANCE * (bounds[1] - bounds[0])
    return plane.line(_straightened(path, tolerance), line={"shape": "spline", **stroke})


def _straightened(path: ndarray, tolerance: float) -> ndarray:
    """Leave out, again and again, every second point that is near the line past it.

    Not as few points as `plane.borders` keeps, but in a tenth of its time: there are 240 lines.
    """
    z = np.ascontiguousarray(path).view(complex)[:, 0]  # a product tells how far off a point is
    for first in (1, 2) * _ROUNDS:
        before, here, after = z[first - 1 : -2 : 2], z[first:-1:2], z[first + 1 :: 2]
        along, off = after - before, here - before
        straight = np.abs(np.imag(off * along.conj())) <= tolerance * np.abs(along)  # no gap is
        keep = np.ones(len(z), bool)
        keep[first : first + 2 * len(after) : 2] = ~straight
        z = z[keep]
    return z[:, None].view(float)


def _states(X: ndarray, step: KernelMachine) -> dict:
    """Mark every point's state: a ring for 0 < alpha < C, a square for C, crossed where broken.

    All points are in the trace at every step, so that only a byte of each is sent.
    """
    kind = step.states.astype(np.uint8)
    if isinstance(step, SvmQpStep):  # inside the box all points have a dual: show how large
        kind = _OF_ANY_SIZE + np.rint(_LARGEST * np.sqrt(step.duals / step.C))
    else:
        kind[step.violators] += 3
    return plane.marks(X, kind, _SYMBOLS, _SIZES, 1.5)


def _pair(places: ndarray | None) -> dict:
    x, y = ([], []) if places is None else np.round(places.T, 4).tolist()
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": x,
        "y": y,
        "marker": {"symbol": 100, "size": 26, "color": ACCENT, "line": {"width": 4}},
        "text": ["<b>i</b>", "<b>j</b>"],
        "textposition": "top right",
        "textfont": {"size": 20, "color": ACCENT},
        "cliponaxis": False,
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _box_size(steps: Sequence[SvmStep]) -> float:
    """Choose how much of the box to show: all of it, or what the duals of this run reach."""
    C = steps[0].C
    reach = max((max(step.move.before + step.move.after) for step in steps if step.move), default=C)
    return min(C, 1.3 * reach) or C


def empty_box(steps: Sequence[SvmStep]) -> dict:
    """Draw the box of two duals, as much of it as this run reaches, and how D rises to its top."""
    C, top = steps[0].C, _box_size(steps)
    low, high = -0.15 * top, 1.15 * top
    t = np.linspace(0, 1.6, 33)
    traces = [
        plane.line(np.array([[0, 0], [C, 0], [C, C], [0, C], [0, 0]]), line={"width": 2}),
        plane.line(np.column_stack([t, 2 * t - t * t]), line={"width": 2}, **_RIGHT),
    ]
    layout = curves.panel_layout(
        xaxis={"title": {"text": "αᵢ", "standoff": 0}, "range": [low, high], "nticks": 4}
        | {"domain": [0, 0.42]},
        yaxis={"title": {"text": "αⱼ"}, "range": [low, high], "nticks": 4},
        xaxis2={"title": {"text": "λ / λ*", "standoff": 0}, "range": [-0.06, 1.66], "nticks": 4}
        | {"domain": [0.6, 1], "anchor": "y2"},
        yaxis2={"title": {"text": "rise of D"}, "range": [-0.08, 1.15], "showticklabels": False}
        | {"anchor": "x2"},
    )
    layout["margin"] = {**layout["margin"], "b": 36}
    return {"data": traces, "layout": layout}


def pair_box(empty: dict, steps: Sequence[SvmStep], now: int) -> dict:
    """Draw the move in the `empty_box` of the two duals, and how far D has risen along it."""
    step, C = steps[now], steps[0].C
    low, high = empty["layout"]["xaxis"]["range"]
    inside, places = np.full((2, 2), np.nan), np.full((3, 2), np.nan)  # before, wanted, after
    share, gain = np.nan, np.nan
    if step.move and step.pair:
        i, j = step.pair
        along = np.array([step.signs[i], -step.signs[j]])
        before, after = np.array(step.move.before), np.array(step.move.after)
        inside = _within(before, along, 0.0, C)
        start, end = (_within(before, along, low, high) - before) @ along / 2
        places = np.array([before, before + np.clip(step.move.wanted, start, end) * along, after])
    if step.move and step.move.curvature > 0:
        share = step.move.taken / step.move.wanted
        gain = step.move.gain / (step.move.slope * step.move.wanted / 2)
    stem = _few(
        [[share, share], [-1, gain]], mode="lines+markers", marker={"size": [0, 12], "opacity": 1}
    )
    moved = [
        _few(inside.T, line={"width": 1.5, "dash": "dot"}),
        _few(places[[0, 2]].T, line={"width": 4, "color": ACCENT}),
        _few(places.T, mode="markers", marker=_PLACES, cliponaxis=False),
        stem | {"line": {"width": 2, "dash": "dot", "color": ACCENT}} | _RIGHT,
    ]
    return empty | {"data": empty["data"] + moved}


def _few(rows: ndarray | list, **style) -> dict:
    """Draw a few points, x and y in two rows: as lists, which are shorter than packed for these."""
    x, y = ([float(f"{v:.5g}") if v == v else None for v in row] for row in rows)
    return plane.line(np.zeros((0, 2)), **style) | {"x": x, "y": y}


def _within(place: ndarray, along: ndarray, low: float, high: float) -> ndarray:
    """Give the two ends of the line through a place inside a square; along : -1 or +1 twice."""
    first, second = ((edge - place) * along for edge in (low, high))
    start, end = np.minimum(first, second).max(), np.maximum(first, second).min()
    return place + np.array([[start], [end]]) * along


def objective_curve(steps: Sequence[SvmStep] | Sequence[SvmQpStep]) -> ndarray:
    """Give (3, frames): the steps that are shown, their primal and their dual objective."""
    shown = thin([step.event for step in steps])
    values = [(i, steps[i].primal_objective, steps[i].dual_objective) for i in shown]
    return np.array(values, float).T


def objective_lines(curve: ndarray) -> dict:
    """Draw the primal and the dual objective closing on each other. curve : `objective_curve`."""
    shown, primal, dual = curve
    if (primal > 0).all() and dual[-1] > 0:
        # A logarithmic axis, from a tenth of the end at least: the first steps are far below.
        end = np.log10(dual[-1])
        low = max(np.log10(dual[dual > 0].min()), end - 1)
        high = min(np.log10(primal.max()), end + 2)
        leads = (1, 2, 5) if high - low < 1.5 else (1,)
        ticks = [lead * 10.0**power for power in range(-9, 10) for lead in leads]
        kind = {"type": "log", "tickvals": ticks}
        dual = np.where(dual > 0, dual, np.nan)
    else:
        low, high, kind = min(primal.min(), dual.min()), max(primal.max(), dual.max()), {}
    room = 0.08 * (high - low) + 0.02
    wide = max(shown[-1], 1.0)
    traces = [
        plane.line(np.column_stack([shown, primal]), line={"width": 2, "dash": "dash"})
        | {"name": "primal P", "showlegend": True},
        plane.line(np.column_stack([shown, dual]), line={"width": 2.5})
        | {"name": "dual D", "showlegend": True},
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-0.03 * wide, 1.03 * wide], "nticks": 8},
        yaxis={"title": {"text": "objective"}, "nticks": 5}
        | {"range": [float(low - room), float(high + room)]}
        | kind,
    )
    layout |= {"showlegend": True, "legend": _LEGEND}
    return {"data": traces, "layout": layout}


def objectives(lines: dict, curve: ndarray, now: int) -> dict:
    """Mark step `now` on the `objective_lines`. curve : `objective_curve`."""
    shown, primal, dual = curve
    place = int(np.searchsorted(shown, now))
    mark = _few([[now, now], [primal[place], dual[place]]], mode="markers", marker=_NOW)
    return lines | {"data": [*lines["data"], mark]}


def all_duals(steps: Sequence[SvmQpStep], sides: tuple[int, int], now: int) -> dict:
    """Draw every dual between 0 and C, one class after the other."""
    step = steps[now]
    colors = [f"rgb{_GREY}" if side == REST else PALETTE[side] for side in sides]
    traces = [
        plane.line(
            np.column_stack([place, step.duals[step.signs == sign] / step.C]),
            mode="markers",
            marker={"size": 5, "color": color, "symbol": symbol},
        )
        for sign, color, symbol, place in zip(
            (-1, 1), colors, (0, 1), _one_after_the_other(step.signs), strict=True
        )
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-0.02 * len(step.signs), 1.02 * len(step.signs)], "nticks": 8},
        yaxis={"title": {"text": "α / C"}, "range": [-0.06, 1.06], "nticks": 4},
    )
    return {"data": traces, "layout": layout}


def _one_after_the_other(signs: ndarray) -> list[ndarray]:
    sizes = [int((signs < 0).sum()), int((signs > 0).sum())]
    ends = list(accumulate(sizes))
    return [np.arange(end - size, end) for size, end in zip(sizes, ends, strict=True)]
