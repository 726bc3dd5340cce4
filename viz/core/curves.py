"""Curves of a run, with a mark on the step that is shown now."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy import ndarray

from viz.core.plane import packed


def history(series: Mapping[str, Sequence[float]], now: int, *, log: Sequence[str] = ()) -> dict:
    """Stack one panel per named series against the step number and mark the step `now`.

    Series named in `log` have a logarithmic axis. At most two fit one above the other.
    """
    traces, axes = [], {}
    for panel, (name, values) in enumerate(series.items()):
        values = np.asarray(values, float)
        axis = f"y{panel + 1}" if panel else "y"
        traces += [
            {
                "type": "scatter",
                "mode": "lines+markers" if len(values) <= 60 else "lines",
                "x": packed(np.arange(len(values))),
                "y": packed(values),
                "yaxis": axis,
                "line": {"width": 2},
                "marker": {"size": 5},
                "hovertemplate": f"step %{{x}}: {name} %{{y:.5g}}<extra></extra>",
            },
            marked(now, float(values[now]), yaxis=axis),
        ]
        height = 1 / len(series)
        axes[axis.replace("y", "yaxis")] = {
            "title": {"text": name},
            "domain": [1 - (panel + 1) * height + 0.06 * (len(series) > 1), 1 - panel * height],
            "range": _range(values, name in log),
            "nticks": 5,
        } | (_log_ticks(values) if name in log else {})
    lowest = "y" if len(series) == 1 else f"y{len(series)}"
    steps = len(next(iter(series.values()))) - 1
    wide = max(steps, 1)
    axes["xaxis"] = {
        "range": [-0.04 * wide, 1.04 * wide],
        "anchor": lowest,
        "nticks": 8,
    }
    return {"data": traces, "layout": panel_layout(**axes)}


def marked(x: float, y: float, **style) -> dict:
    """Ring one point: the step that is shown, or the choice that is made."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [x],
        "y": [y],
        "marker": {"size": 15, "symbol": 100, "line": {"width": 3, "color": "#D55E00"}},
        "cliponaxis": False,
        "hoverinfo": "skip",
        **style,
    }


def panel_layout(**axes: dict | list) -> dict:
    """Give the layout that all linked views share."""
    return {
        **axes,
        "margin": {"l": 64, "r": 14, "t": 10, "b": 26},
        "dragmode": False,
        "showlegend": False,
    }


def _log_ticks(values: ndarray) -> dict:
    """Label a logarithmic axis: at powers of ten, or at round numbers if fewer than two fit."""
    low, high = (10.0**end for end in _range(values, log=True))
    powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)))
    if np.count_nonzero((powers >= low) & (powers <= high)) >= 2:
        ticks = powers[:: max(1, len(powers) // 4)]
    elif high > 10 * low:
        ticks = np.outer(powers, (1, 2, 5)).ravel()
    else:
        size = 10 ** np.floor(np.log10((high - low) / 2))
        size *= next(lead for lead in (1, 2, 5) if (high - low) / (lead * size) <= 8 or lead == 5)
        ticks = size * np.arange(np.ceil(low / size), np.floor(high / size) + 1)
    return {"type": "log", "exponentformat": "power", "tickvals": ticks.tolist()}


def _range(values: ndarray, log: bool) -> list[float]:
    """Fix the axis to the whole run, so that it does not move from step to step."""
    shown = values[np.isfinite(values) & ((values > 0) | (not log))]
    if len(shown) == 0:
        return [0.0, 1.0]
    low, high = shown.min(), shown.max()
    if log:
        low, high = np.log10(low), np.log10(high)
    elif low > 0 and low < 0.5 * high:
        low = 0.0
    room = 0.08 * (high - low)
    if high - low <= 1e-9 * abs(high):  # constant up to rounding
        room = 0.1 if log else 0.1 * abs(high) or 1.0
    return [float(low - room), float(high + room)]
