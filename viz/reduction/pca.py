"""Pictures for principal components: the plane, for all ways to find them, and all at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from algorithms.reduction.denoising import DenoisingStep
from algorithms.reduction.pca import PcaStep
from algorithms.reduction.power_iteration import PowerStep
from algorithms.reduction.projection import Projection
from viz.core import curves, panels, plane
from viz.core.scene import Bounds, Figure, Plane
from viz.core.theme import GREY, NOW, PALETTE
from viz.core.turning import across_the_picture
from viz.core.words import numbered

FAINT = 0.4  # opacity of bars that are not meant
MOST_PROJECTIONS = 350  # of points, in a picture: every frame holds them
MOST_SCORES = 1000  # points in a plane of scores
_ARROWS = 8  # columns among the scores
_LETTERS = 14  # of their names
_NAMES = 4  # components named on the plane
_BARS = 24  # components with a number on the axis
_SMALL = 0.8  # of the diameter, and of the strength, of points
_FAINT_POINTS = 0.35  # their strength where names have to be read among them
_NAME_GAP = 0.07  # of the picture's height, from name to name
BETWEEN = PALETTE[6]  # the part of a variance that lies between the classes


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
        plane.found(plane.AXIS, plane.line(last.reshape(-1, 2), line={"width": 3})),
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
        return np.empty((0, 3, 2)), _segments(center, half), within_the_picture(center, half, box)
    half = across_the_picture(directions, box)
    through = _segments(center, half)
    ends = within_the_picture(center, half, box) if isinstance(step, PowerStep) else half[:0]
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


def within_the_picture(center: ndarray, half: ndarray, box: Bounds) -> ndarray:
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
    ends = (center + half)[shown]
    beside = ["top left" if x * y > 0 else "top right" for x, y in half[shown]]
    size = _NAME_GAP * np.array([right - left, top - bottom])
    for i in range(
        1, len(ends)
    ):  # the name of an axis that all but covers another: at its other end
        if (np.abs(ends[:i] - ends[i]) < size).all(axis=1).any():
            ends[i] = center - 0.8 * (ends[i] - center)
            beside[i] = "bottom right" if beside[i] == "top left" else "bottom left"
    room = 0.05 * (top - bottom)
    heights = panels.spread_out(ends[:, 1], _NAME_GAP * (top - bottom), bottom + room, top - room)
    return plane.line(np.zeros((0, 2)), mode="text") | {
        "x": ends[:, 0].tolist(),
        "y": heights.tolist(),
        "text": [f"<b>{numbered('u', i)}</b>" for i in shown],
        "textposition": beside,
        "textfont": {"size": 19},
    }


def small_points(places: ndarray, group: ndarray, strength: float = _SMALL) -> dict:
    """Give the points of a linked view, in the colours and symbols of their groups."""
    size, strengths = np.full(len(places), _SMALL), np.full(len(places), strength)
    return plane.points(places, group, size=size, strength=strengths)


def scree(steps: Sequence[PcaStep], keep: float, shares: ndarray, now: int) -> Figure:
    """Draw the variance along every component, and the share that the first q keep.

    shares : the part of each variance that lies between the classes; 0 where there is one class.
    """
    variances, q = steps[-1].variances, steps[now].index
    d = len(variances)
    kept = 100 * np.concatenate([[0.0], np.cumsum(steps[-1].explained)])
    share = np.column_stack([np.arange(d + 1), kept])
    level = np.array([[-1, keep], [d + 1, keep]])
    traces = [
        _bars(variances * shares, q, BETWEEN, "between the classes"),
        _bars(variances * (1 - shares), q, GREY, "within them"),
        plane.line(
            share, yaxis="y2", mode="lines+markers" if d <= _BARS else "lines",
            line={"width": 2}, marker={"size": 6},
        ),
        plane.line(level, yaxis="y2", line={"width": 1.5, "dash": "dash"}),
        curves.marked(q, float(kept[q]), yaxis="y2"),
    ]  # fmt: skip
    percent = {"range": [0, 110], "tickvals": [0, 50, 100], "ticktext": ["0 %", "50 %", "100 %"]}
    layout = curves.panel_layout(
        barmode="stack",
        xaxis={"range": [-0.4, d + 0.6]} | _whole(d),
        yaxis={"range": [0, 1.1 * float(variances.max())], "nticks": 4}
        | {"title": {"text": "variance"}},
        yaxis2=percent | {"showgrid": False, "overlaying": "y", "side": "right"},
    )
    layout["margin"] = {**layout["margin"], "r": 58}
    return {"data": traces, "layout": layout}


def _bars(values: ndarray, q: int, color: str, what: str) -> dict:
    """Draw a part of the variance along every component; those beyond the first q are faint."""
    d = len(values)
    return {
        "type": "bar",
        "x": list(range(1, d + 1)),
        "y": values.tolist(),
        "marker": {"color": color, "opacity": [1.0 if j < q else FAINT for j in range(d)]},
        "hovertemplate": f"component %{{x}}, {what}: %{{y:.4g}}<extra></extra>",
    }


def reconstruction_errors(steps: Sequence[DenoisingStep], now: int) -> Figure:
    """Draw the distances of the reconstructions to the points against the number of components.

    A star marks the least of those to the clean points.
    """
    kept = range(len(steps))
    noisy, clean = [step.error for step in steps], [step.clean_error for step in steps]
    best, top = int(np.argmin(clean)), 1.1 * max(*noisy, *clean)
    star = {"size": 15, "symbol": 17, "color": NOW}
    line, marker = {"width": 2}, {"size": 6}
    traces = [
        curves.against(
            "to the noisy points",
            kept,
            noisy,
            setting="q",
            line=line | {"dash": "dash"},
            marker=marker,
        ),
        curves.against("to the clean points", kept, clean, setting="q", line=line, marker=marker),
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
    """Draw the scores on the first two components, and the columns as arrows among them.

    Their names stand at the sides, joined to the tips, and the points are faint.
    """
    rows = shown_rows(len(columns.table), MOST_SCORES)
    z = last.transform(columns.table[rows])[:, :2]
    loadings = last.components[:2].T
    longest = np.argsort(-np.hypot(*loadings.T), kind="stable")[:_ARROWS]
    reach = np.abs(z).max(axis=0)
    reach = np.maximum(reach, 0.02 * reach.max())
    tips = loadings[longest] * reach.max() * 0.9
    tips *= min(1.0, *(reach / np.maximum(np.abs(tips).max(axis=0), 1e-300)))
    right = tips[:, 0] >= 0
    names = np.column_stack([np.where(right, 1.08, -1.08) * reach[0], tips[:, 1]])
    for side in (right, ~right):
        names[side, 1] = panels.spread_out(tips[side, 1], 0.3 * reach[1], -reach[1], reach[1])
    bare = [columns.names[j].partition(" (")[0] for j in longest]  # without the unit
    heads = {"symbol": "arrow", "angleref": "previous", "size": [0, 11, 0] * len(tips)}
    traces = [
        plane.line(
            plane.joined([np.array(pair) for pair in zip(tips, names, strict=True)]),
            line={"width": 1, "color": GREY},
        ),
        plane.line(
            plane.joined([np.array([[0.0, 0.0], tip]) for tip in tips]),
            mode="lines+markers",
            line={"width": 2.5},
            marker={**heads, "opacity": 1},
        ),
        plane.line(
            names,
            mode="text",
            text=[f"<b>{panels.label(name, _LETTERS)}</b>" for name in bare],
            textfont={"size": 12},
            textposition=["middle right" if side else "middle left" for side in right],
        ),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [-2.1 * reach[0], 2.1 * reach[0]], "title": {"text": "z₁"}, "nticks": 7},
        yaxis={"range": [-1.2 * reach[1], 1.2 * reach[1]], "title": {"text": "z₂"}, "nticks": 5},
    )
    layout["margin"] = {**layout["margin"], "b": 40}
    points = small_points(z, columns.plane.labels[rows], _FAINT_POINTS)
    return {"data": traces, "layout": layout, "points": points}
