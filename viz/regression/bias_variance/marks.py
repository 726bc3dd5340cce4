"""How both modes draw curves over x, errors against the complexity, and their axes.

Colours: the truth is green, one set's fit and the variance are blue, the mean fit and the bias are
vermillion, the test error is purple, noise is grey.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy import ndarray

from viz.core import curves, plane
from viz.core.theme import GREY, PALETTE, rgb
from viz.core.words import decimal, fixed, number

_MOST_DECIMALS = 6
_HUGE = 10  # times the least error
_FITS = 5  # times the least error: an axis up to there still shows the parts

FIT, MEAN, TRUTH, TEST, NOISE = *PALETTE[:4], GREY


def over(x: ndarray, y: ndarray, **style) -> dict:
    """Draw a line over places that are evenly apart."""
    step = float(x[1] - x[0]) if len(x) > 1 else 1.0
    return {
        "type": "scatter",
        "mode": "lines",
        "x0": float(x[0]),
        "dx": step,
        "y": plane.packed(y),
        "hoverinfo": "skip",
        "showlegend": False,
        **style,
    }


def dots(y: ndarray, name: str, color: str | None, symbol: int, **style) -> dict:
    """Draw a curve over the indices of the complexities; the ticks of the axis have their names."""
    tone = {"color": color} if color else {}
    look = {
        "marker": {"size": 7, "symbol": symbol, **tone},
        "line": {"width": 2, **style.pop("line", {}), **tone},
        "hovertemplate": f"{name} %{{y:.4g}}<extra></extra>",
    }
    return curves.against(name, range(len(y)), y, **look | style)


def length(x: float, low: float, high: float, word: str, color: str, what: str) -> dict:
    """Draw an upright length with a word beside its middle. what : for the legend."""
    path = np.array([[x, low], [x, (low + high) / 2], [x, high]])
    return plane.line(
        path, mode="lines+markers+text", text=["", f"<b>\u2002{word}</b>", ""],
        textposition="middle right", textfont={"size": 16, "color": color, "shadow": "auto"},
        line={"width": 5, "color": color}, name=what,
        marker={"symbol": "line-ew", "size": [16, 0, 16], "line": {"width": 4, "color": color}},
    )  # fmt: skip


def coloured(text: str, color: str | None) -> str:
    """Write words in a colour, or in ink."""
    return f'<span style="color:{color}">{text}</span>' if color else text


def named(name: str) -> dict:
    """Return the attributes that name a trace in the legend."""
    return {"name": name, "showlegend": True}


def upright(x: float) -> dict:
    """Draw an upright line at the chosen complexity."""
    line = {"width": 14, "color": pale(GREY, 0.22)}
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper"} | {"line": line}


def pale(color: str, opacity: float) -> str:
    """Return a colour with an opacity."""
    return f"rgba{(*rgb(color), opacity)}"


def error_axis(found: ndarray, chosen: int) -> tuple[dict, float]:
    """Return the axis of (parts, complexities) whose last row is the sum, and the least shown.

    It is logarithmic only where the chosen complexity has a huge error, or there is no error.
    """
    total = found[-1]
    least, largest = float(total.min()), float(total.max())
    if 0 < total[chosen] < _HUGE * least:
        high = max(1.15 * float(total[chosen]), min(1.1 * largest, _FITS * least))
        return {"range": [-0.06 * high, high], "nticks": 5}, 0.0
    low, high = decades(found, chosen)
    return {"type": "log", "range": [low, high], **ticks(low, high)}, 10.0 ** (low + 0.06)


def decades(found: ndarray, chosen: int) -> tuple[float, float]:
    """Return the ends of a logarithmic axis for (parts, complexities) whose last row is the sum.

    It shows the parts that are not negligible, and the whole sum, except where a complexity that is
    not chosen has a huge error.
    """
    total = found[-1]
    least = float(total.min()) or float(total.max()) or 1.0
    high = max(min(float(total.max()), 300 * least), float(total[chosen]), least)
    seen = found[found > 0.01 * least]
    return float(np.log10(seen.min(initial=least)) - 0.2), float(np.log10(high) + 0.25)


def ticks(low: float, high: float) -> dict:
    """Label a small logarithmic axis, given its ends' logarithms: at most four round numbers."""
    decades = 10.0 ** np.arange(np.ceil(low), np.floor(high) + 1)
    if len(decades) < 2:
        decades = np.outer(10.0 ** np.arange(np.floor(low), np.ceil(high)), (1, 2, 5)).ravel()
        decades = decades[(np.log10(decades) > low) & (np.log10(decades) < high)]
    shown = decades[:: -(-len(decades) // 4)].tolist()
    return {"tickvals": shown, "ticktext": [number(value, 6) for value in shown]}


def agreeing(terms: Sequence[float], result: float, rule: Callable[..., float]) -> list[str]:
    """Write terms, and the result of a rule: with enough decimals that they agree as written."""
    if max(map(abs, (*terms, result))) >= 100:
        return [amount(value) for value in (*terms, result)]
    decimals = 2 if abs(result) >= 0.1 else 3
    while decimals < _MOST_DECIMALS:
        *short, found = (round(float(value), decimals) for value in (*terms, result))
        if abs(rule(*short) - found) < 0.5 * 10**-decimals:
            break
        decimals += 1
    return [fixed(value, decimals) for value in (*terms, result)]


def amount(value: float) -> str:
    """Write an error."""
    return number(value, 4) if abs(value) >= 100 else decimal(value)
