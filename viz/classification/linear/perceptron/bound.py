"""The proof of the mistake bound, shown for a run."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray

from algorithms.classification.linear.perceptron.perceptron import PerceptronStep
from algorithms.classification.linear.perceptron.perceptron_bound import Proof
from algorithms.classification.linear.perceptron.perceptron_summary import MOST
from viz.core import curves, plane
from viz.core.scene import Figure
from viz.core.theme import GREY
from viz.core.words import number

_BOUNDS = "ceiling", "floor"
_LENGTH = curves.HOLLOW | {"size": 15}  # of ‖(w, b)‖: it leaves a dot at the same place visible
_PART = {"size": 9, "color": GREY}  # of the part along u
_LOG = {"type": "log", "dtick": 1, "exponentformat": "power"}


def whole(bound: float) -> str:
    """Write the largest whole number up to the bound, in short form if it is huge."""
    return number(int(bound * (1 + 1e-9)), 2)  # rounding may leave an integer a little too small


def bound(found: Proof, steps: Sequence[PerceptronStep]) -> Callable[[int], Figure]:
    """Draw the length of (w, b) and its part along u between their bounds, against the mistakes.

    If there are more than 1,000 mistakes, the curves show 1,000 of them, evenly spaced along the
    logarithmic axis. The mark is always exactly at its mistake.
    """
    curve, words = _curves(found), _words(found)

    def at(now: int) -> Figure:
        made = steps[now].mistakes
        marks = []
        for values, dot in ((found.length, _LENGTH), (found.progress, _PART)):
            seen = made > 0 and values[made] > 0
            place = [float(made), float(values[made])] if seen else [None, None]
            mark = curves.marked(0, 0, showlegend=False, marker=dot)
            marks.append(mark | {"x": place[:1], "y": place[1:]})
        return curve | {"data": [*curve["data"], words, *marks]}

    return at


def _mistakes(found: Proof) -> ndarray:
    """Return numbers of mistakes along the whole axis."""
    return np.geomspace(1, 1.5 * max(float(found.mistakes[-1]), found.bound, 2.0), 60)


def _words(found: Proof) -> dict:
    """Write the names of both bounds beside their lines."""
    k = _mistakes(found)[[42, 20]]
    (first, rise), (start, growth) = found.floor, found.ceiling
    heights = [np.sqrt(start + growth * k[0]), first + rise * k[1]]
    return plane.line(
        np.column_stack([k, np.where(np.array(heights) > 0, heights, np.nan)]), mode="text",
        text=["ceiling: length of (w, b)", "floor: part along u"],
        textposition=["top left", "bottom right"],
        textfont={"size": 15, "shadow": "auto"},
    )  # fmt: skip


def _curves(found: Proof) -> Figure:
    k = _mistakes(found)
    (first, rise), (start, growth) = found.floor, found.ceiling
    shown = np.unique(np.geomspace(1, len(found.mistakes), MOST).astype(int))
    shown = shown[shown < len(found.mistakes)]
    ink, grey = {}, {"color": GREY}
    lines = {
        _BOUNDS[0]: (k, np.sqrt(start + growth * k), ink, "dash"),
        "‖(w, b)‖": (found.mistakes[shown], found.length[shown], ink, "solid"),
        "(w, b)·u": (found.mistakes[shown], found.progress[shown], grey, "solid"),
        _BOUNDS[1]: (k, first + rise * k, grey, "dash"),
    }
    traces = [
        plane.line(
            np.column_stack([x, np.where(values > 0, values, np.nan)]),
            **{"mode": "lines+markers", "marker": {"size": 4}} if dash == "solid" else {},
            name=name,
            line={"width": 2, "dash": dash, **shade},
        )
        for name, (x, values, shade, dash) in lines.items()
    ]
    drawn = np.concatenate([values for _, values, _, _ in lines.values()])
    low, high = np.log10(drawn[drawn > 0].min()), np.log10(drawn.max())
    room = 0.08 * (high - low)
    layout = curves.panel_layout(
        xaxis=_LOG
        | {
            "range": [-0.05, np.log10(k[-1])],
            "title": {"text": "mistakes k (log axes); u: best separator", "standoff": 2},
        },
        yaxis=_LOG | {"range": [low - room, high + room], "title": {"text": "length"}},
        shapes=[curves.dotted(found.bound, width=2)],
    )
    return {"data": traces, "layout": layout}
