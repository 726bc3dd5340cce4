"""What both modes draw: inputs and states over time, and gradients against the way back."""

from collections.abc import Mapping

import numpy as np
from numpy import ndarray

from algorithms.sequences.recurrent_unit.lstm_cell import CellStep
from algorithms.sequences.recurrent_unit.recurrent_unit import UnitStep
from viz.core import curves, naming, plane
from viz.core.scene import Figure
from viz.core.theme import GREY

INPUTS = (-1.12, 1.12)  # the range of their axis
LEAST = 1e-30  # a smaller gradient is not drawn
_PALE = 0.5
_NAMES = 82  # pixels, for the names at the ends of the gradients


def times(T: int) -> dict:
    """Return the axis of times, with the first state at 0."""
    return {"title": {"text": "time t", "standoff": 4}, "range": [-0.5, T + 0.5], "nticks": 12}


def stems(x: ndarray) -> dict:
    """Draw the inputs as upright lines from 0."""
    t = np.arange(1, len(x) + 1.0)
    ends = np.stack([np.column_stack([t, 0 * t]), np.column_stack([t, x])], axis=1)
    return plane.line(plane.joined(list(ends)), line={"width": 4, "color": GREY}, name="input x")


def over_time(values: ndarray, step: UnitStep | CellStep, name: str, **look) -> dict:
    """Draw values from time 0 on, as far as a step knows them."""
    path = np.column_stack([np.arange(len(values)), values]).astype(float)
    if step.phase == "forward":
        path[step.t + 1 :] = np.nan
    return plane.line(path, mode="lines+markers", marker={"size": 6}, name=name, **look)


def inputs(x: ndarray) -> Figure:
    """Draw the inputs alone."""
    layout = curves.panel_layout(
        xaxis=times(len(x)),
        yaxis={"title": {"text": "input"}, "range": list(INPUTS), "nticks": 5},
    )
    return {"data": [stems(x)], "layout": layout}


def gradients(whole: Mapping[str, ndarray], back: int, looks: list) -> Figure:
    """Draw gradients on a logarithmic axis: bold up to `back` times back, with a dot, then faint.

    Several lines have their names at their ends.

    whole : the derivatives of h_T by the states at the times 0..T, of each unit. looks : their
    lines' looks.
    """
    sizes = [np.where(np.abs(g) > LEAST, np.abs(g), np.nan)[::-1] for g in whole.values()]
    negative = any((g < 0).any() for g in whole.values())  # a logarithmic axis has no sign
    T, traces = len(sizes[0]) - 1, []
    for size, name, look in zip(sizes, whole, looks, strict=True):
        way = np.column_stack([np.arange(T + 1), size])
        bold = {"mode": "lines+markers", "marker": {"size": 7}}
        pale = {"mode": "lines+markers", "marker": {"size": 5}}
        known = way[: back + 1] if back >= 0 else plane.GAP
        traces += [
            plane.line(
                way,
                line=look | {"width": 2},
                opacity=_PALE,
                name=f"{name}: still to come",
                **pale,
            ),
            plane.line(known, line=look | {"width": 3}, name=name, **bold),
        ]
    for size, dot in zip(sizes, (curves.DOT, curves.HOLLOW), strict=False):
        here = float(size[back]) if back >= 0 and np.isfinite(size[back]) else None
        traces.append(
            curves.marked(back, 0.0, name="now", marker=dot, showlegend=False) | {"y": [here]}
        )
    ends = np.log10([size for each in sizes for size in (*each[np.isfinite(each)], 0.5, 2.0)])
    low, high = float(ends.min()), float(ends.max())
    room = 0.06 * (high - low)
    layout = curves.panel_layout(
        xaxis={
            "title": {"text": "times back from the last", "standoff": 4},
            "range": [-0.03 * T, 1.03 * T], "nticks": 8,
        },
        yaxis={
            "title": {"text": "size of the gradient" if negative else "gradient"},
            "range": [low - room, high + room],
            **curves.powers(low - room, high + room),
        },
    )  # fmt: skip
    figure = {"data": traces, "layout": layout}
    if len(whole) == 1:
        return figure
    last = {name: float(np.nan_to_num(size[-1])) for name, size in zip(whole, sizes, strict=True)}
    return naming.named_at_ends(figure, 1.03 * T, last, margin=_NAMES)
