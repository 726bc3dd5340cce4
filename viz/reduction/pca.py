"""Pictures for principal components: the plane, for all ways to find them, and all at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy import ndarray

from algorithms.reduction.denoising import DenoisingStep
from algorithms.reduction.pca import PcaStep
from algorithms.reduction.power_iteration import PowerStep
from algorithms.reduction.projection import Projection
from viz.core import curves, plane
from viz.core.scene import Bounds, Figure, Plane
from viz.core.theme import GREY, NOW
from viz.core.words import numbered

FAINT = 0.4  # opacity of bars that are not meant
MOST_PROJECTIONS = 350  # of points, in a picture: every frame holds them
MOST_SCORES = 1000  # points in a plane of scores
_ARROWS = 8  # columns among the scores
_NAMES = 4  # components named on the plane
_BARS = 24  # components with a number on the axis
_SMALL = 0.8  # of the diameter, and of the strength, of points


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns whose components are looked for; two of them stand on the plane.

    table : (n, d). names : of the columns. seen : the numbers of the two. standardize : whether
    every column is divided by its standard deviation.
    """

    table: ndarray
    names: tuple[str, ...]
    seen: tuple[int, int]
    standardize: bool
    plane: Plane


def shown_rows(n: int, most: int = MOST_PROJECTIONS) -> ndarray:
    """Choose the points that are drawn: all, unless they were too many to send."""
    return np.linspace(0, n - 1, min(n, most)).round().astype(int)


def picture(
    columns: Columns, steps: Sequence[Projection], now: int, *, noise: bool = False
) -> Figure:
    """Draw the points, what is left of them after the projection, and the components.

    noise : points with noise were projected in place of the table's: draw these as well. With more
    than two columns all of this is the shadow on the plane of what happens in d of them.
    """
    step, table, data = steps[now], columns.table, columns.plane
    seen = list(columns.seen)
    given = step.noisy if isinstance(step, DenoisingStep) else table
    center = step.mean[seen]
    directions = (step.components * step.scale)[:, seen]
    before, last, ends = _axes(step, center, directions, data.bounds)
    traces = [
        _lost(given[shown_rows(len(table))], step, seen),
        plane.line(before.reshape(-1, 2), line={"width": 2, "dash": "dot"}),
        plane.line(last.reshape(-1, 2), line={"width": 3}),
        _names(center, ends, data.bounds),
        plane.line(center[None], mode="markers", marker={"size": 15, "symbol": 4}),
    ]
    if noise:
        small = {"size": 5, "symbol": 104, "line": {"width": 1}}
        traces.insert(0, plane.line(given[:, seen], mode="markers", marker=small))
    points = plane.points(table[:, seen], data.labels)
    return plane.figure(traces, data.bounds, data.names, points=points)


def _axes(
    step: Projection, center: ndarray, directions: ndarray, box: Bounds
) -> tuple[ndarray, ndarray, ndarray]:
    """Give the segments of the components: the ones before, the last one; and the ends to name.

    All at once they are two standard deviations long; else they lead out of the picture.
    """
    if isinstance(step, PcaStep):
        half = directions * 2 * np.sqrt(step.variances)[:, None]
        return np.empty((0, 3, 2)), _segments(center, half), _within(center, half, box)
    half = _across(directions, box)
    through = _segments(center, half)
    ends = _within(center, half, box) if isinstance(step, PowerStep) else half[:0]
    return through[:-1], through[-1:], ends


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


def _across(directions: ndarray, box: Bounds) -> ndarray:
    """Give each direction the length that leads out of the picture."""
    left, right, bottom, top = box
    share = np.abs(directions / [right - left, top - bottom]).max(axis=1, initial=0)
    return directions / np.where(share > 0, share, 1.0)[:, None]


def _within(center: ndarray, half: ndarray, box: Bounds) -> ndarray:
    """Shorten what leads out of the picture, with room for a name."""
    left, right, bottom, top = box
    room = np.where(half > 0, [right, top] - center, center - [left, bottom])
    share = np.abs(half / np.maximum(room, 0.05 * np.array([right - left, top - bottom])))
    return 0.85 * half / np.maximum(share.max(axis=1, initial=0), 1.0)[:, None]


def _segments(center: ndarray, half: ndarray) -> ndarray:
    """Give (k, 3, 2) places: both ends of every segment through the centre, and a gap."""
    return np.stack([center - half, center + half, np.full_like(half, np.nan)], axis=1)


def _names(center: ndarray, half: ndarray, box: Bounds) -> dict:
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


def small_points(places: ndarray, group: ndarray) -> dict:
    """Give the points of a linked view, in the colours and symbols of their groups."""
    each = np.full(len(places), _SMALL)
    return plane.points(places, group, size=each, strength=each)


def scree(steps: Sequence[PcaStep], keep: float, now: int) -> Figure:
    """Draw the variance along every component, and the share that the first k keep."""
    variances, k = steps[-1].variances, steps[now].index
    d = len(variances)
    kept = 100 * np.concatenate([[0.0], np.cumsum(steps[-1].explained)])
    share = np.column_stack([np.arange(d + 1), kept])
    level = np.array([[-1, keep], [d + 1, keep]])
    traces = [
        {
            "type": "bar",
            "x": list(range(1, d + 1)),
            "y": variances.tolist(),
            "marker": {"color": GREY, "opacity": [1.0 if j < k else FAINT for j in range(d)]},
            "hovertemplate": "component %{x}: variance %{y:.4g}<extra></extra>",
        },
        plane.line(
            share, yaxis="y2", mode="lines+markers" if d <= _BARS else "lines",
            line={"width": 2}, marker={"size": 6},
        ),
        plane.line(level, yaxis="y2", line={"width": 1.5, "dash": "dash"}),
        curves.marked(k, float(kept[k]), yaxis="y2"),
    ]  # fmt: skip
    percent = {"range": [0, 110], "tickvals": [0, 50, 100], "ticktext": ["0 %", "50 %", "100 %"]}
    layout = curves.panel_layout(
        xaxis={"range": [-0.4, d + 0.6]} | _whole(d),
        yaxis={"range": [0, 1.1 * float(variances.max())], "nticks": 4}
        | {"title": {"text": "variance"}},
        yaxis2=percent | {"showgrid": False, "overlaying": "y", "side": "right"},
    )
    layout["margin"] = {**layout["margin"], "r": 58}
    return {"data": traces, "layout": layout}


def reconstruction_errors(steps: Sequence[DenoisingStep], now: int) -> Figure:
    """Draw the distances of the reconstructions to the points against the number of components.

    A star marks the least of those to the clean points.
    """
    k = range(len(steps))
    noisy, clean = [step.error for step in steps], [step.clean_error for step in steps]
    best, top = int(np.argmin(clean)), 1.1 * max(*noisy, *clean)
    star = {"size": 15, "symbol": 17, "color": NOW}
    line, marker = {"width": 2}, {"size": 6}
    traces = [
        curves.against(
            "to the noisy points", k, noisy, line=line | {"dash": "dash"}, marker=marker
        ),
        curves.against("to the clean points", k, clean, line=line, marker=marker),
        plane.line(np.array([[best, clean[best]]]), mode="markers", marker=star),
        curves.marked(now, clean[now], showlegend=False),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-0.4, len(steps) - 0.4]} | _whole(len(steps)),
        yaxis={"range": [-0.05 * top, top], "nticks": 5, "title": {"text": "error"}},
    )
    return curves.with_legend({"data": traces, "layout": layout})


def _whole(d: int) -> dict:
    """Give an axis that counts components whole numbers, or few of them."""
    return {"dtick": 1} if d <= _BARS else {"nticks": 10}


def biplot(columns: Columns, last: PcaStep) -> Figure:
    """Draw the scores on the first two components, and the columns as arrows among them."""
    rows = shown_rows(len(columns.table), MOST_SCORES)
    z = last.transform(columns.table[rows])[:, :2]
    loadings = last.components[:2].T
    longest = np.argsort(-np.hypot(*loadings.T), kind="stable")[:_ARROWS]
    reach = np.abs(z).max(axis=0)
    reach = np.maximum(reach, 0.02 * reach.max())
    tips = loadings[longest] * reach.max() * 0.9
    tips *= min(1.0, *(reach / np.maximum(np.abs(tips).max(axis=0), 1e-300)))
    arrows = plane.joined([np.array([[0.0, 0.0], tip]) for tip in tips])
    beside = np.column_stack([tips[:, 0], _apart(tips[:, 1], 0.3 * reach[1])])
    names = [f"<b>{escape(columns.names[j], quote=False)}</b>" for j in longest]
    sides = ["middle right" if x >= 0 else "middle left" for x, _ in tips]
    traces = [
        plane.line(arrows, line={"width": 2}),
        plane.line(beside, mode="text", text=names, textposition=sides),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-1.25 * reach[0], 1.25 * reach[0]], "title": {"text": "z₁"}, "nticks": 7},
        yaxis={"range": [-1.4 * reach[1], 1.4 * reach[1]], "title": {"text": "z₂"}, "nticks": 5},
    )
    layout["margin"] = {**layout["margin"], "b": 40}
    points = small_points(z, columns.plane.labels[rows])
    return {"data": traces, "layout": layout, "points": points}


def _apart(values: ndarray, gap: float) -> ndarray:
    """Move values away from each other, as little as leaves a gap between them."""
    order = np.argsort(values, kind="stable")
    moved = values[order]
    for i in range(1, len(moved)):
        moved[i] = max(moved[i], moved[i - 1] + gap)
    moved -= (moved - values[order]).mean()
    return moved[np.argsort(order)]
