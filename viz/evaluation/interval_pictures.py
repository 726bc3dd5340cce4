"""What pictures of confidence intervals share, of an error rate or of a mean."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray

from algorithms.evaluation.confidence_intervals import IntervalsStep
from algorithms.evaluation.mean_intervals import MeanIntervalsStep
from viz.core import panels, plane
from viz.core.scene import Figure
from viz.core.theme import GREY, NOW, color, dash

_GROUPS = (0, 2, 3)  # colours of the methods: not that of the step that is shown
_BESIDE = 0.025  # of all samples: room beside the first and the last, for the mark on it


def picture(
    steps: Sequence[IntervalsStep] | Sequence[MeanIntervalsStep],
    truth: float,
    chosen: int,
    what: str,
) -> Callable[[int], Figure]:
    """Draw the intervals so far side by side, and the line that they should cross.

    truth, what : that they should hold, and what it is.
    """
    ends = np.array([(step.low[chosen], step.high[chosen]) for step in steps])
    holds = np.array([step.holds[chosen] for step in steps])
    place = np.arange(1.0, len(steps) + 1)
    gaps = np.full(len(steps), np.nan)
    bars = np.stack([np.column_stack([place, side]) for side in (*ends.T, gaps)], axis=1)
    middles = np.column_stack([place, ends.mean(axis=1)])
    low, high = min(ends.min(), truth), max(ends.max(), truth)
    room, beside = 0.12 * (high - low) or 0.05, _BESIDE * len(steps)
    box = (-beside, len(steps) + 1.0 + beside, float(low - room), float(high + room))
    level = np.array([[box[0], truth], [box[1], truth]])
    line = plane.line(level, line={"width": 2.5, "dash": "dash"})

    def at(now: int) -> Figure:
        so_far = place <= now + 1
        held, missed = so_far & holds, so_far & ~holds
        cross = {"symbol": "x", "size": 8, "color": NOW}
        traces = [
            _bars(bars[held], {"width": 2, "color": GREY}),
            _bars(bars[missed], {"width": 3, "color": NOW}),
            plane.line(middles[missed], mode="markers", marker=cross),
            line,
            _bars(bars[now, None], {"width": 5}),
            plane.line(middles[now, None], mode="markers", marker={"symbol": 101, "size": 12}),
        ]
        return plane.figure(traces, box, ("sample", what))

    return at


def _bars(ends: ndarray, stroke: dict) -> dict:
    return plane.line(ends.reshape(-1, 2), line=stroke)


def curve_of(i: int, name: str, x: dict | list, y: dict | list, *, chosen: int) -> dict:
    """Draw a curve of method number i, thicker if it is the chosen one. x, y : as of a curve."""
    stroke = {"width": 3 if i == chosen else 1.5, "color": color(_GROUPS[i]), "dash": dash(i)}
    return panels.curve(x, y, name=name, showlegend=True, line=stroke)
