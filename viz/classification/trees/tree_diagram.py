"""The diagram of a tree: every node has a fixed place, and a step shows some of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from viz.core import curves
from viz.core.plane import packed
from viz.core.scene import Figure
from viz.core.theme import GREY, PALETTE, symbol

MOST_DRAWN = 100  # nodes: deeper levels are left out where there are more
LETTER = 0.0155  # width of a letter, as a share of the diagram
_AWAY = 255  # the level of what is not shown: outside the axis

ABSENT, INNER, LEAF, WAITING = range(4)  # states of a node; a waiting leaf is still to be split


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


@dataclass(frozen=True, eq=False)
class Diagram:
    """What no step changes: the tree when it is largest, everything with an entry per node.

    counts : (m, k) points of every class; label : (m,) the class that is predicted. tests,
    answers, says : what is written at a node's test, on the line that leads to it, and where it is
    a leaf; the last two may be empty.
    """

    place: Layout
    counts: ndarray
    label: ndarray
    tests: Sequence[str]
    answers: Sequence[str] = ()
    says: Sequence[str] = ()


def draw(diagram: Diagram, state: ndarray, path: Sequence[int], now: int) -> Figure:
    """Draw the nodes that are there: the inner ones with their tests, the leaves with their class.

    state : (m,) ABSENT, INNER, LEAF or WAITING, which is a leaf with a ring. path : nodes from the
    root down to draw boldly. now : the node to mark, or -1.
    """
    place = diagram.place
    state = state[place.nodes]
    shown, inner, waiting = state != ABSENT, state == INNER, state == WAITING
    leaf = shown & ~inner
    texts = [diagram.tests[int(node)] for node in place.nodes]
    counts, label = diagram.counts[place.nodes], diagram.label[place.nodes]
    hover = [_hover(test, row) for test, row in zip(texts, counts, strict=True)]
    ring = {"size": 24, "symbol": 100, "color": GREY, "line": {"width": 1.5}}
    traces = [
        _edges(place, shown),
        _way(place, path),
        _nodes(place, inner, marker={"size": 8, "color": GREY}, hovertext=hover),
        _nodes(place, leaf, marker=_leaf_marker(counts, label), hovertext=hover),
        _nodes(place, waiting, marker=ring, hoverinfo="skip"),
        *_written(diagram, shown, inner, leaf),
        _mark(place, np.flatnonzero((place.nodes == now) & shown)),
    ]
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


def _way(place: Layout, path: Sequence[int]) -> dict:
    on_it = np.flatnonzero(np.isin(place.nodes, path))  # parents have smaller numbers
    return {
        "type": "scatter",
        "mode": "lines",
        "x": place.x[on_it].tolist(),
        "y": place.depth[on_it].tolist(),
        "line": {"width": 5},
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
        "color": packed((label % len(PALETTE)).astype(np.uint8)),
        "symbol": packed(np.array([symbol(int(group)) for group in label], np.uint8)),
        "cmin": -0.5,
        "cmax": len(PALETTE) - 0.5,
        "colorscale": list(zip(steps.tolist(), np.repeat(PALETTE, 2).tolist(), strict=True)),
        "opacity": 1,
    }


def _written(diagram: Diagram, shown: ndarray, inner: ndarray, leaf: ndarray) -> list[dict]:
    """Write the tests, and where there are any the answers and what the leaves say."""
    place = diagram.place
    tests = [diagram.tests[int(node)] for node in place.nodes]
    side = np.sign(place.x - place.x[place.parent]).astype(int)  # of the parent
    # Beside the line from the parent, not on it; at the right edge there is no room for that.
    beside = np.where(place.x > 0.85 * place.x.max(), 0, side)
    sides = [("top left", "top center", "top right")[s + 1] for s in beside]
    traces = [_texts(place.x, place.depth, _roomy(place, inner, tests), tests, sides)]
    if diagram.answers:
        x, y = ((part + part[place.parent]) / 2 for part in (place.x, place.depth))
        sides = [("top left", "middle right", "top right")[s + 1] for s in side]
        answers = [diagram.answers[int(node)] for node in place.nodes]
        traces.append(_texts(x, y, shown & (place.depth > 0), answers, sides))
    if diagram.says:
        below = [diagram.says[int(node)] for node in place.nodes]
        traces.append(_texts(place.x, place.depth + 0.15, leaf, below, "bottom center"))
    return traces


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


def _mark(place: Layout, ring: ndarray) -> dict:
    if len(ring) == 0:
        return curves.marked(0.0, _AWAY)
    return curves.marked(float(place.x[ring[0]]), float(place.depth[ring[0]]))


def _hover(test: str, counts: ndarray) -> str:
    points = " + ".join(str(count) for count in counts.tolist())
    return f"{test + ': ' if test else ''}{points} points"
