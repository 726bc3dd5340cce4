"""The diagram of a tree: every node has a fixed place, and a step shows some of them.

The root stands at the left and the leaves in rows below each other. A test has a row of its own,
between those of its first and of its last branches: no line crosses the row to the right of it, so
what it asks can be written there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy import ndarray

from viz.core import curves, plane
from viz.core.graph import strokes, texts, without_axes
from viz.core.plane import packed
from viz.core.scene import Figure
from viz.core.theme import GREY, PALETTE, symbol
from viz.core.words import number

MOST_DRAWN = 100  # nodes: deeper levels are left out where there are more
_WIDE, _HIGH = 380, 250  # pixels, in the smallest panel that has to be readable
_LETTER, _BESIDE = 6.2, 14  # pixels: the width of a text's letters, its distance
_DIGIT, _AWAY_SIZE = 8, 18  # pixels: the width of a digit, the distance of a size
_LINE, _TEXT = 4, 14  # pixels from a text's middle to the nearest line, and to the nearest text
_LEAVES = 11, 20  # pixels: the diameters of leaves where rows are dense, and where there is room
_SMALL = 0.85  # times as large as the leaf with the most points, the leaf with the fewest
_AROUND = 12  # pixels that a leaf leaves between its row and the next
_HOLLOW = 100  # Plotly's number of a hollow symbol is larger by this
_COUNTED = 10  # leaves, at most, whose counts are written
_ROOMY = 7  # rows between which there is room for answers on the lines
_CLEAR = {"shadow": "auto"}  # what is below stays clear of it
_MARGIN = {"l": 6, "r": 6, "t": 2, "b": 2}
_AWAY = 255  # the row of what is not shown: outside the axis

ABSENT, INNER, LEAF = range(3)  # states of a node


@dataclass(frozen=True, eq=False)
class Layout:
    """The places of the nodes.

    `nodes` are the indices of the drawn nodes; `parent` is the position of a node's parent in that
    list (for the root, its own). `row` counts the leaves from the top; a test is half-way between
    two of them. `placed` says which nodes have a place, even before they appear. The others wait in
    the nearest one above and grow out of it.
    """

    nodes: ndarray
    parent: ndarray
    row: ndarray
    depth: ndarray
    placed: ndarray

    @property
    def rows(self) -> float:
        """Return the height of the diagram."""
        return float(self.row.max()) + 1


def layout(parent: ndarray, first: int | None = None) -> Layout:
    """Place the nodes of a tree, given in its largest form.

    parent : of every node, -1 for the root; children come later, in order from the top. first : how
    many of the nodes get a place; by default all.
    """
    depth = np.zeros(len(parent), int)
    for node, above in enumerate(parent[1:].tolist(), 1):
        depth[node] = depth[above] + 1
    drawn = int(depth.max())
    while np.count_nonzero(depth <= drawn) > MOST_DRAWN:
        drawn -= 1
    nodes = np.flatnonzero(depth <= drawn)
    above = np.searchsorted(nodes, np.maximum(parent[nodes], 0))
    placed = nodes < (len(parent) if first is None else first)
    children: list[list[int]] = [[] for _ in nodes]
    for i in np.flatnonzero(placed)[1:].tolist():
        children[above[i]].append(i)
    row, free, waiting = np.zeros(len(nodes)), 0, [(0, False)]
    while waiting:
        i, halfway = waiting.pop()
        if halfway:
            row[i] = free - 0.5
        elif children[i]:
            half = (len(children[i]) + 1) // 2
            branches = [(child, False) for child in children[i]]
            waiting += [*branches[:half], (i, True), *branches[half:]][::-1]
        else:
            row[i], free = free, free + 1
    depth = depth[nodes]
    for i in np.flatnonzero(~placed).tolist():
        row[i], depth[i] = row[above[i]], depth[above[i]]
    return Layout(nodes, above, row, depth, placed)


@dataclass(frozen=True, eq=False)
class Diagram:
    """What is the same at all steps: the largest tree, with one entry per node.

    counts : (m, k) points of every class; label : (m,) the predicted class. tests, answers, says :
    the texts at a node's test, on the line that leads to it, and at a leaf; the last two may be
    empty. If only the first fork has answers, there is always room for them. sizes : texts at the
    leaves, written where there is room. hollow : whether leaves with several classes are hollow.
    """

    place: Layout
    counts: ndarray
    label: ndarray
    tests: Sequence[str]
    answers: Sequence[str] = ()
    says: Sequence[str] = ()
    sizes: Sequence[str] = ()
    hollow: bool = False

    @cached_property
    def columns(self) -> float:
        """Return the width of the diagram, with room for its leaves and for all texts."""
        deepest = float(self.place.depth.max())
        if self.says:
            return deepest + 1.2
        ends = np.array([_end(text) for text in self.after_answers(self.tests)]) / _WIDE
        reach = float((self.place.depth / (1 - ends.clip(max=0.5))).max())
        if self.sizes and self.place.rows <= _COUNTED:
            widest = max(len(self.sizes[node]) for node in self.place.nodes[self.place.placed])
            reach = max(reach, (deepest + 0.2) / (1 - (_BESIDE + _DIGIT * widest) / _WIDE))
        return min(max(deepest + 0.25, reach), deepest + 1.6)

    @cached_property
    def written(self) -> list[str]:
        """Return the texts at the drawn nodes: a space where there is no room.

        (Once Plotly has drawn no text at a place, it never draws one there.)
        """
        tests = self.after_answers(self.tests)
        fits = _room(self.place, tests, self.columns)
        return [text if there else " " for text, there in zip(tests, fits, strict=True)]

    @cached_property
    def counted(self) -> list[str]:
        """Return the sizes at the drawn leaves: a space where there is no room."""
        place, tests = self.place, self.written
        if place.rows > _COUNTED:
            return [" "] * len(place.nodes)
        x, y = place.depth * _WIDE / self.columns, place.row * _HIGH / place.rows
        end = x + np.array([_end(text.strip()) for text in tests])
        written = []
        for i, node in enumerate(place.nodes.tolist()):
            near = (np.abs(y - y[i]) < _TEXT) & (x < x[i]) & (end > x[i] + _AWAY_SIZE)
            written.append(" " if near.any() else self.sizes[node])
        return written

    @property
    def crowded(self) -> bool:
        """Return whether the rows are so close that answers stand before the texts at the nodes."""
        return sum(map(bool, self.answers)) > 2 and self.place.rows > _ROOMY

    def after_answers(self, written: Sequence[str]) -> list[str]:
        """Return the texts at the drawn nodes, in a crowded diagram after the answers."""
        nodes = self.place.nodes.tolist()
        if not self.crowded:
            return [str(written[node]) for node in nodes]
        pairs = [(str(self.answers[node]), str(written[node])) for node in nodes]
        return [f"{answer}: {text}" if answer and text else text for answer, text in pairs]

    @cached_property
    def hover(self) -> list[str]:
        """Return the pointer's tips at the drawn nodes."""
        return [_hover(self.tests[int(i)], self.counts[i]) for i in self.place.nodes]


def draw(
    diagram: Diagram,
    state: ndarray,
    path: Sequence[int],
    now: int,
    more: Sequence[Sequence[int]] = (),
    *,
    cut_off: bool = False,
) -> Figure:
    """Draw the nodes of this step: inner ones with their tests, leaves with their class.

    state : (m,) ABSENT, INNER or LEAF. path : nodes from the root down to draw boldly; more :
    further such paths. now : the node to mark, or -1. cut_off : whether to draw faint, dotted lines
    to the absent nodes.
    """
    place = diagram.place
    state = state[place.nodes]
    shown, inner, leaf = state != ABSENT, state == INNER, state == LEAF
    counts, label = diagram.counts[place.nodes], diagram.label[place.nodes]
    size, mixed = _sizes(place, counts), diagram.hollow & (np.count_nonzero(counts, axis=1) > 1)
    told = {"hoverinfo": "text", "hovertext": diagram.hover}
    way = _way(place, path)
    if more:
        way = plane.joined([way, *(_way(place, each) for each in more)])
    traces = [
        strokes(_bent(place, shown | ~place.placed), line={"width": 1.5, "color": GREY}),
        plane.line(way, line={"width": 5}),
        _texts(_at(place.depth, place.row, inner), diagram.written),  # leaves cover their halos
        _nodes(place, inner, marker={"size": 7, "color": GREY}, **told),
        _nodes(place, leaf, marker=_leaf_marker(size, label, mixed), **told),
    ]
    if cut_off:
        gone = {"width": 1.5, "color": GREY, "dash": "dot"}
        traces.insert(0, strokes(_bent(place, ~shown), line=gone, opacity=0.7))
    if diagram.answers:
        traces.append(_answers(diagram, shown))
    if diagram.says:
        says = diagram.after_answers(diagram.says)
        traces.append(_texts(_at(place.depth, place.row, leaf), says))
    if diagram.sizes:
        alone = np.count_nonzero(shown) == 1
        sizes = [" "] * len(shown) if alone else diagram.counted
        traces.append(_texts(_at(place.depth, place.row, leaf), sizes, away=2 * _AWAY_SIZE))
    lone = place.row[0] if np.count_nonzero(shown) == 1 and not diagram.says else _AWAY
    traces.append(_texts(np.array([[0.0, lone]]), ["one leaf, for all points"], away=24))
    traces.append(_mark(place, np.flatnonzero((place.nodes == now) & shown)))
    right = diagram.columns - 0.1 + 0.4 * diagram.crowded  # for the longer texts
    beyond = 0.7 + 0.03 * place.rows  # for an answer at the first or last line
    box = (-0.1, right, place.rows - 1 + beyond, -beyond)
    layout = without_axes(box, room=_MARGIN) | {"hovermode": "closest"}
    return {"data": traces, "layout": layout}


def _answers(diagram: Diagram, shown: ndarray) -> dict:
    """Write the answers on the far side of their lines, seen from the question in the middle."""
    place = diagram.place
    answers = [" " if diagram.crowded else diagram.answers[int(node)] for node in place.nodes]
    upper = place.row < place.row[place.parent]
    sides = ["top right" if above else "bottom right" for above in upper]
    start = _at(np.maximum(place.depth - 1, 0), place.row, shown & (place.depth > 0))
    return _texts(start, answers, sides, away=8)


def _at(x: ndarray, y: ndarray, there: ndarray) -> ndarray:
    """Return (m, 2) places; hidden nodes get a row outside the axis."""
    return np.column_stack([x, np.where(there, y, _AWAY)])


def _bent(place: Layout, shown: ndarray) -> ndarray:
    """Return the lines from the parents, (m, 3, 2): first along the column, then along the row."""
    above = place.parent
    corners = (above, above), (above, slice(None)), (slice(None), slice(None))
    return np.stack([_at(place.depth[i], place.row[j], shown) for i, j in corners], axis=1)


def _way(place: Layout, path: Sequence[int]) -> ndarray:
    """Return the corners of the lines along a path from the root."""
    on_it = np.flatnonzero(np.isin(place.nodes, path))  # parents have smaller numbers
    depth, row = np.repeat(place.depth[on_it], 2), np.repeat(place.row[on_it], 2)
    return np.column_stack([depth[:-1], row[1:]]) if len(on_it) else plane.GAP


def _nodes(place: Layout, there: ndarray, **style: object) -> dict:
    return plane.line(_at(place.depth, place.row, there), mode="markers", **style)


def _sizes(place: Layout, counts: ndarray) -> ndarray:
    """Return the diameters of leaves: they grow with the points, and are clear of the texts."""
    share = counts.sum(axis=1) / max(counts.sum(axis=1).max(), 1)
    most = np.clip(_HIGH / place.rows - _AROUND, *_LEAVES)
    return (most * (_SMALL + (1 - _SMALL) * np.sqrt(share))).round().astype(np.uint8)


def _leaf_marker(size: ndarray, label: ndarray, mixed: ndarray) -> dict:
    """Return markers whose colour and symbol show what a leaf predicts, hollow where mixed."""
    steps = np.repeat(np.arange(len(PALETTE) + 1) / len(PALETTE), 2)[1:-1]
    return {
        "size": packed(size),
        "color": packed((label % len(PALETTE)).astype(np.uint8)),
        "symbol": packed(
            (np.array([symbol(int(group)) for group in label]) + _HOLLOW * mixed).astype(np.uint8)
        ),
        "line": {"width": packed((3 * mixed).astype(np.uint8))},
        "cmin": -0.5,
        "cmax": len(PALETTE) - 0.5,
        "colorscale": list(zip(steps.tolist(), np.repeat(PALETTE, 2).tolist(), strict=True)),
        "opacity": 1,
    }


def _end(text: str) -> float:
    """Return where a text ends, to the right of its node, in pixels."""
    return _BESIDE + _LETTER * len(text) if text else 0.0


def _room(place: Layout, written: Sequence[str], columns: float) -> ndarray:
    """Return which texts fit beside their nodes in the smallest panel; upper ones come first.

    A text must not cover another one, nor a line or a node of another row.
    """
    x, y = place.depth * _WIDE / columns, place.row * _HIGH / place.rows
    end = x + np.array([_end(text) for text in written])
    room = np.array([text != "" for text in written])
    start = x[place.parent]  # of the line along a node's row
    for i in place.depth.argsort(kind="stable"):
        near = place.placed & (np.abs(y - y[i]) < _LINE)
        near[i] = False
        crossed = near & (start < end[i]) & (x + 6 > x[i])
        beside = (np.abs(y - y[i]) < _TEXT) & (x < end[i]) & (end > x[i])
        beside &= room & (place.depth <= place.depth[i])
        beside[i] = False
        room[i] &= not (crossed | beside).any()
    return room


def _texts(
    places: ndarray,
    written: list[str],
    position: str | list[str] = "middle right",
    away: int = 2 * _BESIDE - 8,
) -> dict:
    """Write beside the places. away : twice the distance from their middle, in pixels."""
    return texts(
        places, written, mode="markers+text", textposition=position, textfont=_CLEAR,
        marker={"size": away, "opacity": 0}, cliponaxis=True,
    )  # fmt: skip


def _mark(place: Layout, ring: ndarray) -> dict:
    at = (place.depth[ring[0]], place.row[ring[0]]) if len(ring) else (0.0, _AWAY)
    return curves.marked(float(at[0]), float(at[1]), marker=curves.RING)  # it shows a leaf's class


def _hover(test: str, counts: ndarray) -> str:
    points = " + ".join(number(count) for count in counts.tolist())
    return f"{test + ': ' if test else ''}{points} points"
