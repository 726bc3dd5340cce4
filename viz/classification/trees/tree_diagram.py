"""The diagram of a tree: every node has a fixed place, and a step shows some of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from viz.core import curves
from viz.core.plane import packed
from viz.core.theme import PALETTE, SYMBOLS

MOST_DRAWN = 100  # nodes: deeper levels are left out where there are more
LETTER = 0.0155  # width of a letter, as a share of the diagram
GREY = "#7A7F87"  # seen on light and on dark
_AWAY = 255  # the level of what is not shown: outside the axis


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the nodes are: leaves side by side, parents centred over their children.

    `nodes` are the numbers of those that are drawn. They have a place from the start, also while
    they are still to come; `parent` is the place of a node's parent in that list (the root's own).
    """

    nodes: ndarray
    parent: ndarray
    x: ndarray
    depth: ndarray


def layout(parent: ndarray) -> Layout:
    """Place the nodes of a tree, given as it is when it is largest.

    parent : of every node, -1 for the root; children come later, in order from the left.
    """
    depth = np.zeros(len(parent), int)
    for node, above in enumerate(parent[1:].tolist(), 1):
        depth[node] = depth[above] + 1
    drawn = int(depth.max())
    while np.count_nonzero(depth <= drawn) > MOST_DRAWN:
        drawn -= 1
    nodes = np.flatnonzero(depth <= drawn)
    above = np.searchsorted(nodes, np.maximum(parent[nodes], 0))
    children: list[list[int]] = [[] for _ in nodes]
    for i, j in enumerate(above[1:].tolist(), 1):
        children[j].append(i)
    x, free, stack = np.zeros(len(nodes)), 0, [(0, False)]
    while stack:
        i, placed = stack.pop()
        if not children[i]:
            x[i], free = free, free + 1
        elif placed:
            x[i] = (x[children[i][0]] + x[children[i][-1]]) / 2
        else:
            stack += [(i, True), *((child, False) for child in reversed(children[i]))]
    return Layout(nodes, above, x, depth[nodes])


def draw(
    place: Layout,
    counts: ndarray,
    label: ndarray,
    *,
    shown: ndarray,
    inner: ndarray,
    waiting: ndarray,
    now: int,
    path: Sequence[int],
    tests: list[str],
    answers: list[str] | None = None,
    says: list[str] | None = None,
) -> dict:
    """Draw the nodes that are `shown`, the tests of the `inner` ones, and the classes of the rest.

    counts : (m, k) points of every class at each node; label : (m,) the class it predicts.
    waiting : which leaves are still to be split (a ring); now : the node to mark, or -1.
    path : nodes from the root down to draw boldly. tests, answers, says : a text for every node,
    written at its test, on the line that leads to it, and where it is a leaf.
    """
    nodes = place.nodes
    shown, inner, waiting = shown[nodes], inner[nodes] & shown[nodes], waiting[nodes]
    counts, label = counts[nodes], label[nodes]
    texts = [tests[node] for node in nodes]
    hover = [_hover(test, row) for test, row in zip(texts, counts, strict=True)]
    way = np.flatnonzero(np.isin(nodes, path))  # parents have smaller numbers
    traces = [
        _edges(place, shown),
        {
            "type": "scatter",
            "mode": "lines",
            "x": place.x[way].tolist(),
            "y": place.depth[way].tolist(),
            "line": {"width": 5},
            "hoverinfo": "skip",
        },
        _nodes(place, inner, marker={"size": 8, "color": GREY}, hovertext=hover),
        _nodes(place, shown & ~inner, marker=_leaf_marker(counts, label), hovertext=hover),
        _nodes(
            place,
            shown & waiting,
            marker={"size": 24, "symbol": 100, "color": GREY, "line": {"width": 1.5}},
            hoverinfo="skip",
        ),
    ]
    side = np.sign(place.x - place.x[place.parent]).astype(int)  # of the parent
    # Beside the line from the parent, not on it; at the right edge there is no room for that.
    beside = np.where(place.x > 0.85 * place.x.max(), 0, side)
    sides = [("top left", "top center", "top right")[s + 1] for s in beside]
    traces.append(_texts(place.x, place.depth, _roomy(place, inner, texts), texts, sides))
    if answers:
        x, y = ((part + part[place.parent]) / 2 for part in (place.x, place.depth))
        sides = [("top left", "middle right", "top right")[s + 1] for s in side]
        written = shown & (place.depth > 0)
        traces.append(_texts(x, y, written, [answers[node] for node in nodes], sides))
    if says:
        below = [says[node] for node in nodes]
        traces.append(_texts(place.x, place.depth + 0.15, shown & ~inner, below, "bottom center"))
    ring = np.flatnonzero((nodes == now) & shown)
    at = (float(place.x[ring[0]]), float(place.depth[ring[0]])) if len(ring) else (0.0, _AWAY)
    traces.append(curves.marked(*at))
    right = max(float(place.x.max()), 1.0)
    room = 0.06 * right + 0.3
    bottom = float(place.depth.max()) + 0.45
    layout = curves.panel_layout(
        xaxis={"range": [-room, right + room], "visible": False},
        yaxis={"range": [bottom, -max(0.6, 0.2 * bottom)], "visible": False},
    )
    layout["margin"] = {"l": 6, "r": 6, "t": 2, "b": 2}
    return {"data": traces, "layout": layout}


def _edges(place: Layout, shown: ndarray) -> dict:
    """Draw the lines to the parents. Only the levels change: those of hidden ones are away."""
    above = place.parent
    gap = np.full(len(above), np.nan)
    levels = np.stack([place.depth[above], place.depth, place.depth], axis=1)
    return {
        "type": "scatter",
        "mode": "lines",
        "x": packed(np.stack([place.x[above], place.x, gap], axis=1).astype(np.float32).ravel()),
        "y": packed(np.where(shown[:, None], levels, _AWAY).astype(np.uint8).ravel()),
        "line": {"width": 1.5, "color": GREY},
        "hoverinfo": "skip",
    }


def _nodes(place: Layout, there: ndarray, **style: object) -> dict:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": packed(place.x.astype(np.float32)),
        "y": packed(np.where(there, place.depth, _AWAY).astype(np.uint8)),
        "hovertemplate": "%{hovertext}<extra></extra>",
        **style,
    }


def _leaf_marker(counts: ndarray, label: ndarray) -> dict:
    """Colour and symbol say what a leaf predicts, its size how many points it holds."""
    sizes = counts.sum(axis=1)
    steps = np.repeat(np.arange(len(PALETTE) + 1) / len(PALETTE), 2)[1:-1]
    return {
        "size": packed((9 + 9 * np.sqrt(sizes / max(sizes.max(), 1))).astype(np.uint8)),
        "color": packed(label.astype(np.uint8)),
        "symbol": packed(np.array(SYMBOLS, np.uint8)[label]),
        "cmin": -0.5,
        "cmax": len(PALETTE) - 0.5,
        "colorscale": list(zip(steps.tolist(), np.repeat(PALETTE, 2).tolist(), strict=True)),
        "opacity": 1,
    }


def _roomy(place: Layout, there: ndarray, texts: Sequence[str]) -> ndarray:
    """Tell at which nodes there is room for a text: no neighbour on the same level is too near."""
    order = np.flatnonzero(there)
    order = order[np.lexsort((place.x[order], place.depth[order]))]
    needed = LETTER * max(map(len, texts)) * place.x.max()
    level, gap = np.diff(place.depth[order]), np.diff(place.x[order])
    tight = (level == 0) & (gap < needed)
    roomy = there.copy()
    roomy[order[1:][tight]] = roomy[order[:-1][tight]] = False
    return roomy


def _texts(
    x: ndarray, y: ndarray, there: ndarray, texts: list[str], position: str | list[str]
) -> dict:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": packed(x.astype(np.float32)),
        "y": packed(np.where(there, y, _AWAY).astype(np.uint8 if y.dtype == int else np.float32)),
        "text": texts,
        "textposition": position,
        "marker": {"size": 14, "opacity": 0},  # keeps the text off the node
        "textfont": {"size": 13},
        "hoverinfo": "skip",
    }


def _hover(test: str, counts: ndarray) -> str:
    points = " + ".join(str(count) for count in counts.tolist())
    return f"{test + ': ' if test else ''}{points} points"
