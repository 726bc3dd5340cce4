"""The box of the two duals of a pair with the move in it, and all duals beside it."""

import numpy as np
from numpy import ndarray

from algorithms.classification.svm.nu_svm import NuSvmStep
from algorithms.classification.svm.svm import SvmStep
from algorithms.kernel_machines.moves import PairMove
from viz.classification.svm.marks import Sides, all_duals
from viz.core import panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure

_PLACES = {  # before, wanted, after
    "opacity": 1,
    "size": [10, 11, 11],
    "symbol": [100, 4, 0],
    "line": {"width": 2},
}

_NEAR = 0.1  # of the box: nearer places have no room for two names
_NO_NAME = "\u00a0"  # Plotly forgets the place of an empty text


def pair_box(sides: Sides, step: SvmStep | NuSvmStep, top: float, title: str = "α / C") -> Figure:
    """Draw the move in the box, and all duals, whose axis has the title.

    top : the largest dual that the box shows.
    """
    low, high = -0.25 * top, 1.25 * top
    aim = "aim"
    inside, places = np.full((2, 2), np.nan), np.full((3, 2), np.nan)
    if isinstance(step.move, PairMove):
        along = step.signs[step.moved] * [1, -1]
        before, after = np.abs(step.before[step.moved]), step.duals[step.moved]
        inside = _within(before, along, 0.0, step.C)
        start, end = (_within(before, along, 0.4 * low, high - 0.15 * top) - before) @ along / 2
        wanted = float(np.clip(step.move.wanted, start, end))
        places = np.array([before, before + wanted * along, after])
        aim = "aim" if wanted == step.move.wanted else "aim, far off"
    C = step.C
    box = Panel(
        [
            plane.line(np.array([[0, 0], [C, 0], [C, C], [0, C], [0, 0]]), line={"width": 2}),
            plane.line(inside, line={"width": 1.5, "dash": "dot"}),
            plane.line(places[[0, 2]], line={"width": 4}),
            plane.line(
                places,
                mode="markers+text",
                marker=_PLACES,
                text=_words(places / top, aim),
                textposition=[_side(x, y) for x, y in places / top],
                textfont={"shadow": "auto"},
                cliponaxis=False,
            ),
        ],
        x={"title": {"text": "αᵢ", "standoff": 0}, "range": [low, high], "nticks": 4},
        y={"title": {"text": "αⱼ"}, "range": [low, high], "nticks": 4},
    )
    return panels.side_by_side(box, all_duals(sides, step, title), split=0.36, room=0.2)


def _side(x: float, y: float) -> str:
    """Return the side for words at a place that has this share of the box: towards its middle."""
    up = "bottom" if y > 1 - _NEAR else "top" if y < _NEAR else "middle"
    if y > 1 or y < 0:  # outside the box, where the aim may be
        up = "top" if y > 1 else "bottom"
    return f"{up} {'right' if x < 0.5 else 'left'}"


def _words(places: ndarray, aim: str) -> list[str]:
    """Name the places before, wanted and after, as shares of the box, unless they coincide."""
    before, wanted, after = places
    if np.hypot(*(after - before)) < _NEAR:
        return [_NO_NAME, _NO_NAME, "tiny move"]
    return ["from", aim if np.hypot(*(wanted - after)) > _NEAR else _NO_NAME, "to"]


def _within(place: ndarray, along: ndarray, low: float, high: float) -> ndarray:
    """Return the ends of a line through a place, in a square. along : its direction, (±1, ±1)."""
    first, second = ((edge - place) * along for edge in (low, high))
    start, end = np.minimum(first, second).max(), np.maximum(first, second).min()
    return place + np.array([[start], [end]]) * along
