"""The views beside the graph: the map, what is left of the eigenvectors, the eigenvalues."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy import ndarray

from algorithms.clustering.spectral_clustering import SpectralStep
from algorithms.core.similarity_graph import NOTHING
from viz.core import curves, plane
from viz.core.scene import Figure
from viz.core.theme import GREY
from viz.core.words import number, numbered

MOST_NAMED = 4  # groups
_WIDE = 100  # times the smallest eigenvalue above 0: the largest is drawn on a log axis
INWARDS = 0.75  # of the way from the origin to a group's middle: where its name ends
TURN = np.linspace(0, 2 * np.pi, 73)
CIRCLE = np.column_stack([np.cos(TURN), np.sin(TURN)])


def axes(k: int) -> tuple[int, int]:
    """Return the two coordinates that are drawn; with more than two, the first is left out."""
    return (0, 1) if k <= 2 else (1, 2)


def rows(step: SpectralStep, group: ndarray, point: int, names: Mapping[int, str]) -> Figure:
    """Draw two coordinates of the rows, the centres of k-means, and a ring at the picked point.

    group : (n,) of the points' colours. names : of at most `MOST_NAMED` groups.
    """
    placed = _two(step.embedding)
    centers = plane.GAP if step.half_step is None else _two(step.half_step.centers)
    first, second = (f"number {axis + 1}" for axis in axes(step.embedding.shape[1]))
    cross = {"symbol": 134, "size": 11, "line": {"width": 3}}
    traces = [
        plane.line(CIRCLE, line={"width": 1, "color": GREY, "dash": "dot"}),
        plane.rings(placed[[point]], size=22),
        plane.line(centers, mode="markers", marker=cross),
        _named(placed, group, names),
    ]
    across = {"range": [-1.1, 1.1], "title": {"text": first}, "nticks": 7}
    up = {"range": [-1.1, 1.1], "title": {"text": second}, "scaleanchor": "x", "nticks": 5}
    layout = curves.panel_layout(xaxis=across, yaxis=up)
    points = plane.points(placed, group, size=np.full(len(placed), 1.2))
    return {"data": traces, "layout": layout, "points": points}


def _named(placed: ndarray, group: ndarray, names: Mapping[int, str]) -> dict:
    """Write the names of groups beside their middles, on the side of the origin."""
    at, texts = np.full((MOST_NAMED, 2), np.nan), [""] * MOST_NAMED
    for i, (j, name) in enumerate(names.items()):
        if (group == j).any():
            at[i], texts[i] = INWARDS * placed[group == j].mean(axis=0), name
    sides = ["middle right" if x < 0 else "middle left" for x in at[:, 0]]
    font = {"shadow": "auto"}
    return plane.line(at, mode="text", text=texts, textposition=sides, textfont=font)


def left(steps: Sequence[SpectralStep]) -> Callable[[int], Figure]:
    """Draw what is left of each eigenvector; a line is after those that k-means gets."""
    r, k = len(steps[0].eigenvalues), steps[0].embedding.shape[1]
    layout = curves.panel_layout(
        xaxis={"range": [0.4, max(r, 2) + 0.6], "dtick": 1}
        | {"title": {"text": "number of the eigenvector", "standoff": 2}},
        yaxis={"range": [0, 1.1], "tickvals": [0, 0.5, 1], "title": {"text": "left"}},
        shapes=[curves.dotted(k + 0.5, 2)],
    )
    layout["margin"] = {**layout["margin"], "b": 44}

    def draw(now: int) -> Figure:
        bars = {
            "type": "bar", "x": list(range(1, r + 1)), "y": steps[now].left.tolist(),
            "marker": {"color": GREY}, "name": "left of the eigenvector",
            "hovertemplate": "u%{x}: %{y:.3g} is left<extra></extra>",
        }  # fmt: skip
        return {"data": [bars], "layout": layout}

    return draw


def eigenvalues(first: SpectralStep) -> Callable[[int], Figure]:
    """Draw the smallest eigenvalues, those of the coordinates filled; name a jump at k.

    A widest gap is named on an even axis. If the largest factor is elsewhere, among eigenvalues
    that differ much, it is named on a logarithmic one; those that count as 0 are below the others.
    """
    found, k = first.eigenvalues, first.embedding.shape[1]
    graph, r, above = first.graph, len(found), found[found > NOTHING]
    elsewhere = graph.largest_factor not in (0, graph.widest_gap)
    log = elsewhere and float(above[-1] / above[0]) > _WIDE
    at, high = np.arange(1, r + 1), max(float(found[-1]), 1e-3)
    if log:
        floor = 10.0 ** (np.floor(np.log10(above[0])) - 1)
        found = np.where(found > NOTHING, found, floor)
        span = np.log10(high / floor)
        ends = [float(np.log10(floor) - 0.1 * span), float(np.log10(high) + 0.3 * span)]
        top, scale = ends[1], _powers(floor, high)
        shows_k = graph.largest_factor == k < r
        times = number(float(found[k] / found[k - 1])) if shows_k else ""
        jump = f"{numbered('λ', k)} = {times} {numbered('λ', k - 1)}"
    else:
        top = 1.45 * high  # so that the note is above all dots
        ends, scale = [-0.06 * top, top], {"nticks": 5}
        shows_k, jump = graph.widest_gap == k, "widest gap"
    dots = {"size": 9, "symbol": [0 if j < k else 100 for j in range(r)], "line": {"width": 2}}
    dots = {"mode": "markers", "marker": dots, "hoverinfo": "all"}
    dots["hovertemplate"] = "λ%{x} = %{y:.4g}<extra></extra>"
    bar = np.column_stack([[k + 0.5] * 2, found[k - 1 : k + 1]]) if shows_k else plane.GAP
    notes = [_note(f"k used: {k}", k + 0.5, top)]
    if shows_k:
        upper = float(found[k])
        if log:  # below the dots that follow
            notes.append(_note(jump, k + 0.5, float(np.log10(upper))) | {"yshift": -7})
        else:
            notes.append(_note(jump, k + 0.5, upper, "right"))
    lines = [
        plane.line(bar, line={"width": 3, "color": GREY}),
        plane.line(np.column_stack([at, found]), **dots),
    ]
    layout = curves.panel_layout(
        xaxis={"range": [0.4, max(r, 2) + 0.6], "dtick": 1}
        | {"title": {"text": "number of the eigenvalue", "standoff": 2}},
        yaxis={"range": ends, "title": {"text": "λ, log axis" if log else "λ"}, **scale},
        shapes=[curves.dotted(k + 0.5, 2)],
        annotations=notes,
    )
    layout["margin"] = {**layout["margin"], "b": 44}

    return lambda now: {"data": lines, "layout": layout}


def _powers(floor: float, high: float) -> dict:
    """Return the ticks of a logarithmic axis, at whose floor are eigenvalues that count as 0."""
    scale = curves.powers(float(np.log10(floor)) + 1, float(np.log10(high)))
    thin = slice(1, None, 2) if len(scale["tickvals"]) > 3 else slice(None)  # the view is low
    at, names = [floor, *scale["tickvals"][thin]], ["≈ 0", *scale["ticktext"][thin]]
    return scale | {"tickvals": at, "ticktext": names}


def _note(text: str, x: float, y: float, anchor: str = "left") -> dict:
    """Write a few words beside a place of the eigenvalues."""
    look = {"showarrow": False, "xanchor": anchor, "xshift": 6 if anchor == "left" else -6}
    return {"text": text, "x": x, "y": y, "yanchor": "top", "font": {"shadow": "auto"}} | look


def _two(table: ndarray) -> ndarray:
    """Return the two columns that are drawn, zeros for one that does not exist."""
    wide = np.pad(table, ((0, 0), (0, max(0, 2 - table.shape[1]))))
    return wide[:, list(axes(table.shape[1]))]
