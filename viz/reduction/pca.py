"""Pictures for principal components: the plane, for all ways to find them, and all at once."""

from collections.abc import Sequence
from functools import partial
from html import escape

import numpy as np
from numpy import ndarray

from algorithms.reduction.denoising import DenoisingStep
from algorithms.reduction.pca import PcaStep, PowerStep
from algorithms.reduction.projection import Projection
from viz.core import curves, plane
from viz.core.frames import MOST_FRAMES
from viz.core.theme import PALETTE, SYMBOLS

ACCENT, GREY = "#D55E00", "#7A7F87"
FAINT = 0.4  # opacity of bars that are not meant
_FEET = 6400  # perpendiculars in all frames together: they are most of what the browser is sent
_POINT = 0.6  # of which the data themselves take so many for each point
_SCORES = 1000  # points in the plane of the scores
_ARROWS = 8  # columns in it
_NAMES = 4  # components named on the plane
_BARS = 24  # components with a number on the axis
LEGEND = {"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"}
_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def numbered(letter: str, index: int) -> str:
    """Write a letter with its index, from 1."""
    return f"{letter}{index + 1}".translate(_DIGITS)


def shown_rows(n: int, steps: Sequence) -> ndarray:
    """Choose the points whose reconstruction is drawn: all, unless that were too much to send."""
    most = int((_FEET - _POINT * n) / min(len(steps), MOST_FRAMES))
    return np.arange(n) if n <= most else np.linspace(0, n - 1, most).round().astype(int)


def left_out(n: int, steps: Sequence) -> str:
    """State it if not every point's projection is drawn."""
    drawn = len(shown_rows(n, steps))
    return "" if drawn == n else f" The projections of {drawn} of the {n} points are drawn."


def picture(
    table: ndarray,
    group: ndarray,
    columns: tuple[int, int],
    steps: Sequence[Projection],
    now: int,
    *,
    bounds: plane.Bounds,
    names: tuple[str, str] = ("x", "y"),
    noise: bool = False,
) -> dict:
    """Draw the points, what is left of them after the projection, and the components.

    columns : those of the table on the plane. noise : points with noise were projected in place of
    the table's: draw these as well. With more than two columns all of this is the shadow on the
    plane of what happens in d of them.
    """
    step = steps[now]
    seen = list(columns)
    given = step.noisy if isinstance(step, DenoisingStep) else table
    center = step.mean[seen]
    directions = (step.components * step.scale)[:, seen]
    if isinstance(step, PcaStep):
        reach = 2 * np.sqrt(step.variances)
        before, last = np.empty((0, 3, 2)), _segments(center, directions * reach[:, None])
        ends = _within(center, directions * reach[:, None], bounds)
    else:
        through = _segments(center, _across(directions, bounds))
        before, last = through[:-1], through[-1:]
        ends = _within(center, _across(directions, bounds), bounds)
    traces = [
        plane.points(table[:, seen], group),
        _lost(given[shown_rows(len(table), steps)], step, seen),
        plane.line(before.reshape(-1, 2), line={"width": 2, "dash": "dot"}),
        plane.line(last.reshape(-1, 2), line={"width": 3}),
        _names(center, ends if isinstance(step, PcaStep | PowerStep) else ends[:0], bounds),
        plane.line(center[None], mode="markers", marker={"size": 15, "symbol": 4}),
    ]
    if noise:
        small = {"size": 5, "symbol": 104, "line": {"width": 1}}
        traces.insert(1, plane.line(given[:, seen], mode="markers", marker=small))
    return plane.figure(traces, bounds, names)


def _lost(X: ndarray, step: Projection, seen: list[int]) -> dict:
    """Draw a line from every point to its reconstruction, a dot."""
    path = np.full((len(X), 3, 2), np.nan)
    path[:, 0] = X[:, seen]
    path[:, 1] = step.reconstruct(X)[:, seen]
    dots = np.tile(np.array([0, 5, 0], np.uint8), len(X))
    return plane.line(path.reshape(-1, 2)) | {
        "mode": "lines+markers",
        "line": {"width": 1, "color": GREY},
        "marker": {"size": plane.packed(dots), "opacity": 1},
    }


def _across(directions: ndarray, box: plane.Bounds) -> ndarray:
    """Give each direction the length that leads out of the picture."""
    left, right, bottom, top = box
    share = np.abs(directions / [right - left, top - bottom]).max(axis=1, initial=0)
    return directions / np.where(share > 0, share, 1.0)[:, None]


def _within(center: ndarray, half: ndarray, box: plane.Bounds) -> ndarray:
    """Shorten what leads out of the picture, with room for a name."""
    left, right, bottom, top = box
    room = np.where(half > 0, [right, top] - center, center - [left, bottom])
    share = np.abs(half / np.maximum(room, 0.05 * np.array([right - left, top - bottom])))
    return 0.85 * half / np.maximum(share.max(axis=1, initial=0), 1.0)[:, None]


def _segments(center: ndarray, half: ndarray) -> ndarray:
    """Give (k, 3, 2) places: both ends of every segment through the centre, and a gap."""
    return np.stack([center - half, center + half, np.full_like(half, np.nan)], axis=1)


def _names(center: ndarray, half: ndarray, box: plane.Bounds) -> dict:
    """Name the first components at their ends, above the line; not those hardly to be seen."""
    left, right, bottom, top = box
    long = np.abs(half / [right - left, top - bottom]).max(axis=1, initial=0) > 0.04
    shown = np.flatnonzero(long)[:_NAMES]
    places = (center + half)[shown]
    return plane.line(np.zeros((0, 2)), mode="text") | {
        "x": places[:, 0].tolist(),
        "y": places[:, 1].tolist(),
        "text": [f"<b>{numbered('u', i)}</b>" for i in shown],
        "textposition": ["top left" if x * y > 0 else "top right" for x, y in half[shown]],
        "textfont": {"size": 19},
    }


def looks(group: ndarray) -> dict:
    """Give every point the colour and the symbol of its group."""
    colors, symbols = np.array(PALETTE), np.array(SYMBOLS)
    return {
        "size": 7,
        "color": colors[group].tolist(),
        "symbol": symbols[group].tolist(),
        "opacity": 0.8,
    }


def views(
    table: ndarray,
    group: ndarray,
    columns: tuple[int, int],
    steps: Sequence[DenoisingStep],
    names: Sequence[str],
    keep: float,
    noise: bool,
    place: dict,
) -> dict:
    """Give all views of the components at once. place : bounds and names of the plane."""
    given = "The points, with noise (✕)," if noise else "The points"
    shown = {
        f"{given} and their reconstructions from k components": partial(
            picture, table, group, columns, steps, noise=noise, **place
        ),
        f"Variance of each component; share of the first k (dashed: {keep:g} %)": partial(
            scree, steps, keep
        ),
    }
    if noise:
        shown["Error of the reconstruction against k"] = partial(reconstruction_errors, steps)
    else:
        shown["Scores on the first two components, columns as arrows"] = partial(
            biplot, table, group, steps[-1], names
        )
    return shown


def scree(steps: Sequence[PcaStep], keep: float, now: int) -> dict:
    """Draw the variance along every component, and the share that the first k keep."""
    variances, k = steps[-1].variances, steps[now].index
    d = len(variances)
    kept = np.concatenate([[0.0], np.cumsum(steps[-1].explained)])
    level = [keep, keep]
    traces = [
        {
            "type": "bar",
            "x": list(range(1, d + 1)),
            "y": variances.tolist(),
            "marker": {"color": GREY, "opacity": [1.0 if j < k else FAINT for j in range(d)]},
            "hovertemplate": "component %{x}: variance %{y:.4g}<extra></extra>",
        },
        plane.line(np.zeros((0, 2)), mode="lines+markers" if d <= _BARS else "lines")
        | {"x": list(range(d + 1)), "y": (100 * kept).tolist(), "yaxis": "y2"}
        | {"line": {"width": 2}, "marker": {"size": 6}},
        plane.line(np.zeros((0, 2)), line={"width": 1.5, "dash": "dash"})
        | {"x": [-1, d + 1], "y": level, "yaxis": "y2"},
        curves.marked(k, 100 * float(kept[k]), yaxis="y2"),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-0.4, d + 0.6]} | _whole(d),
        yaxis={"range": [0, 1.1 * float(variances.max())], "nticks": 4}
        | {"title": {"text": "variance"}},
        yaxis2={"range": [0, 110], "tickvals": [0, 50, 100], "ticktext": ["0 %", "50 %", "100 %"]}
        | {"showgrid": False}
        | {"overlaying": "y", "side": "right"},
    )
    layout["margin"] = {**layout["margin"], "r": 58}
    return {"data": traces, "layout": layout}


def reconstruction_errors(steps: Sequence[DenoisingStep], now: int) -> dict:
    """Draw the distances of the reconstructions to the points against the number of components.

    A star marks the least of those to the clean points.
    """
    noisy = np.array([step.error for step in steps])
    clean = np.array([step.clean_error for step in steps])
    best, top = int(clean.argmin()), 1.1 * float(max(noisy.max(), clean.max()))

    def against_k(name: str, values: ndarray, dash: str) -> dict:
        path = np.column_stack([np.arange(len(values)), values])
        return plane.line(path, mode="lines+markers") | {
            "name": name, "showlegend": True, "line": {"width": 2, "dash": dash},
            "marker": {"size": 6},
        }  # fmt: skip

    star = {"size": 15, "symbol": 17, "color": ACCENT}
    traces = [
        against_k("to the noisy points", noisy, "dash"),
        against_k("to the clean points", clean, "solid"),
        plane.line(np.array([[best, clean[best]]]), mode="markers", marker=star),
        curves.marked(now, float(clean[now]), showlegend=False),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-0.4, len(steps) - 0.4]} | _whole(len(steps)),
        yaxis={"range": [-0.05 * top, top], "nticks": 5, "title": {"text": "error"}},
    )
    layout |= {"showlegend": True, "legend": LEGEND}
    layout["margin"] = {**layout["margin"], "t": 26}
    return {"data": traces, "layout": layout}


def _whole(d: int) -> dict:
    """Give an axis that counts components whole numbers, or few of them."""
    return {"dtick": 1} if d <= _BARS else {"nticks": 10}


def biplot(table: ndarray, group: ndarray, last: PcaStep, names: Sequence[str], _now: int) -> dict:
    """Draw the scores on the first two components, and the columns as arrows among them."""
    rows = np.linspace(0, len(table) - 1, min(len(table), _SCORES)).round().astype(int)
    z = last.transform(table[rows])[:, :2]
    loadings = last.components[:2].T
    longest = np.argsort(-np.hypot(*loadings.T), kind="stable")[:_ARROWS]
    reach = np.abs(z).max(axis=0)
    reach = np.maximum(reach, 0.02 * reach.max())
    tips = loadings[longest] * reach.max() * 0.9
    tips *= min(1.0, *(reach / np.maximum(np.abs(tips).max(axis=0), 1e-300)))
    arrows = np.stack([np.zeros_like(tips), tips, np.full_like(tips, np.nan)], axis=1)
    traces = [
        plane.line(z, mode="markers", marker=looks(group[rows])),
        plane.line(arrows.reshape(-1, 2), line={"width": 2}),
        plane.line(np.zeros((0, 2)), mode="text")
        | {"x": tips[:, 0].tolist(), "y": _apart(tips[:, 1], 0.3 * reach[1]).tolist()}
        | {"text": [f"<b>{escape(str(names[j]), quote=False)}</b>" for j in longest]}
        | {"textposition": ["middle right" if x >= 0 else "middle left" for x, _ in tips]},
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-1.25 * reach[0], 1.25 * reach[0]], "title": {"text": "z₁"}, "nticks": 7},
        yaxis={"range": [-1.4 * reach[1], 1.4 * reach[1]], "title": {"text": "z₂"}, "nticks": 5},
    )
    layout["margin"] = {**layout["margin"], "b": 40}
    return {"data": traces, "layout": layout}


def _apart(values: ndarray, gap: float) -> ndarray:
    """Move values away from each other, as little as leaves a gap between them."""
    order = np.argsort(values, kind="stable")
    moved = values[order]
    for i in range(1, len(moved)):
        moved[i] = max(moved[i], moved[i - 1] + gap)
    moved -= (moved - values[order]).mean()
    return moved[np.argsort(order)]
