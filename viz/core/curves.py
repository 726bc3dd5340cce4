"""Curves of a run, with a mark on the step that is shown now."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy import ndarray

from viz.core.plane import packed
from viz.core.scene import Figure
from viz.core.theme import GREY
from viz.core.words import power_of_ten

DOT = {"size": 12}  # the mark of the shown step
HOLLOW = {"size": 11, "symbol": 100, "line": {"width": 3}}  # the same, on a dashed curve
RING = {"size": 16, "symbol": 100, "line": {"width": 3}}  # the same, around what is below it

_APART = 0.1  # of a logarithmic axis, from tick to tick
_MOST = 1000  # places along a curve


def history(series: Mapping[str, Sequence[float]], now: int, *, log: Sequence[str] = ()) -> Figure:
    """Draw one step of a `timeline`."""
    return timeline(series, log=log)(now)


def timeline(
    series: Mapping[str, Sequence[float]],
    *,
    log: Sequence[str] = (),
    along: str = "step",
    first: int = 0,
    starts: Sequence[int] = (),
) -> Callable[[int], Figure]:
    """Return a function that draws one panel per named series, with a mark on the given step.

    Series named in `log` have a logarithmic axis. along : what a step is called below it. first :
    its number at the beginning. starts : steps before which a curve has a gap. At most two panels
    fit above each other. The curves are made once for all steps. A run of more than 1,000 steps is
    cut into 500 stretches, and the curve has the lowest and the highest value of each, so that no
    peak is lost.
    """
    lines, axes = [], {}
    every = {name: np.asarray(values, float) for name, values in series.items()}
    for panel, (name, values) in enumerate(every.items()):
        axis = f"y{panel + 1}" if panel else "y"
        shown = _telling(values)
        gaps = np.searchsorted(shown, starts)
        lines.append(
            {
                "type": "scatter",
                "mode": "lines+markers" if len(values) <= 60 else "lines",
                "x": packed(np.insert(shown, gaps, shown[gaps]) + first),
                "y": packed(np.insert(values[shown], gaps, np.nan)),
                "yaxis": axis,
                "line": {"width": 2},
                "marker": {"size": 5},
                "hovertemplate": f"{along} %{{x}}: {name} %{{y:.5g}}<extra></extra>",
            }
        )
        height = 1 / len(every)
        axes[axis.replace("y", "yaxis")] = {
            "title": {"text": name},
            "domain": [1 - (panel + 1) * height + 0.06 * (len(every) > 1), 1 - panel * height],
            "range": _range(values, name in log),
            "nticks": 5,
        } | (log_ticks(values) if name in log else {})
    wide = max(len(next(iter(every.values()))) - 1, 1)
    axes["xaxis"] = {
        "range": [first - 0.04 * wide, first + 1.04 * wide],
        "anchor": lines[-1]["yaxis"],
        "nticks": 8,
        "title": {"text": along, "standoff": 4},
    }
    layout = panel_layout(**axes)

    def at(now: int) -> Figure:
        traces = []
        for curve, values in zip(lines, every.values(), strict=True):
            traces += [curve, marked(now + first, float(values[now]), yaxis=curve["yaxis"])]
        return {"data": traces, "layout": layout}

    return at


def _telling(values: ndarray) -> ndarray:
    """Return the steps of a curve that are drawn: all, or the extremes of many stretches."""
    n = len(values)
    if n <= _MOST:
        return np.arange(n)
    cuts = np.linspace(0, n, _MOST // 2 + 1).astype(int).tolist()
    extremes = [
        start + int(pick(values[start:end]))
        for start, end in pairwise(cuts)
        for pick in (np.argmin, np.argmax)
    ]
    return np.unique([0, *extremes, n - 1])


def marked(x: float, y: float, **style) -> dict:
    """Draw a large dot on a curve: the shown step, or a chosen setting. At NaN there is none."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [x],
        "y": [None if np.isnan(y) else y],
        "marker": DOT,
        "cliponaxis": False,
        "hoverinfo": "skip",
        **style,
    }


def against(
    name: str, x: Iterable[float], values: Iterable[float], *, setting: str = "k", **style
) -> dict:
    """Draw a named curve against a few values of a setting, such as k, with a mark at each."""
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "x": [float(place) for place in x],
        "y": [float(value) for value in values],
        "hovertemplate": f"{setting} = %{{x}}: {name} %{{y:.5g}}<extra></extra>",
        **style,
    }


def dotted(x: float, width: float = 1) -> dict:
    """Return the shape of a dotted upright line, at a chosen setting or a limit."""
    look = {"width": width, "dash": "dot", "color": GREY}
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper", "line": look}


def with_legend(figure: dict, **how: object) -> dict:
    """Return a panel with a legend in a row above it, at its right end. `how` changes the place."""
    legend = {"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"}
    layout = figure["layout"]
    margin = {**layout["margin"], "t": max(26, layout["margin"]["t"])}
    named = {"showlegend": True, "legend": legend | how, "margin": margin}
    return {**figure, "layout": layout | named}


def panel_layout(**axes: dict | list | str) -> dict:
    """Return the layout that all linked views share, with room for the name of the axis below."""
    below = axes.get("xaxis")
    named = isinstance(below, dict) and "title" in below
    return {
        **axes,
        "margin": {"l": 64, "r": 14, "t": 10, "b": 44 if named else 26},
        "dragmode": False,
        "showlegend": False,
    }


def powers(low: float, high: float) -> dict:
    """Return the type of a logarithmic axis and at most five ticks, at powers of ten.

    Plotly's own ticks are larger than on other axes, or mix 1×10⁻⁵ with 0.01.
    """
    shown = np.arange(np.ceil(low), np.floor(high) + 1)
    shown = shown[:: -(-len(shown) // 5) or 1]
    names = [power_of_ten(int(power)) for power in shown]
    return {"type": "log", "tickvals": (10.0**shown).tolist(), "ticktext": names}


def log_ticks(values: ndarray) -> dict:
    """Return the ticks of a logarithmic axis: powers of ten, or round numbers if only one fits."""
    ends = _range(values, log=True)
    if np.floor(ends[1]) > np.ceil(ends[0]):
        return powers(*ends)
    low, high = (10.0**end for end in ends)
    if high > 10 * low:
        ticks = np.outer(10.0 ** np.arange(np.floor(ends[0]), np.ceil(ends[1])), (1, 2, 5)).ravel()
    else:
        size = 10 ** np.floor(np.log10((high - low) / 2))
        size *= next(lead for lead in (1, 2, 5) if (high - low) / (lead * size) <= 8 or lead == 5)
        ticks = size * np.arange(np.ceil(low / size), np.floor(high / size) + 1)
    kept = ticks[:1].tolist()
    for tick in ticks[1:].tolist():  # towards the upper end they come nearer to each other
        if np.log10(tick / kept[-1]) >= _APART * (ends[1] - ends[0]):
            kept.append(tick)
    return {"type": "log", "exponentformat": "power", "tickvals": kept}


def _range(values: ndarray, log: bool) -> list[float]:
    """Return the range of an axis for the whole run, so that it does not move between steps."""
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
