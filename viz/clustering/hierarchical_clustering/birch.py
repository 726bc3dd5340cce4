"""BIRCH: points arrive, and a tree of summaries grows.

An entry in a leaf is a circle of its own radius around its centre. Its points have the colour of
its number, and at the end that of its cluster. A point that has not arrived yet is small and grey.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.hierarchical_clustering.birch import (
    BirchStep,
    Entry,
    Node,
    leaf_of,
    together,
)
from viz.core import curves, naming, plane
from viz.core.found import Groups
from viz.core.graph import Graph, Look, strokes
from viz.core.question import Option, Question, question
from viz.core.scene import Bounds, Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE, color, symbol
from viz.core.words import counted, number, place

MOST_DRAWN = 60  # entries of a level of the tree; a level with more is left out
MOST_WRITTEN = 14  # entries of a level whose counts fit

_LOOKS = len(PALETTE) ** 2  # pairs of colour and symbol; then they come again
_FILLS = [*map(color, range(_LOOKS)), GREY]
_SYMBOLS = [*map(symbol, range(_LOOKS)), 0]
_TURN = np.linspace(0, 2 * np.pi, 49)
_CIRCLE = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
_SIGNS = {
    "points": "point, in the colour of its entry; at the end, of its cluster",
    "size": "small and grey: has not arrived yet",
}
_TREE_SIGNS = {
    "points": "entry of a leaf, in its colour; grey: an entry that summarises the node below",
    "path": "way to the entry that has the newest point",
    "edges": "from an entry to the entries below it",
}
_KEY = "thick circle: the entry of the newest point"
_KEY_AT_THE_END = "circle: an entry; colours: clusters"
_DASHED = "<br>dashed: what the entries above it hold together"
_CLEAR = 0.02  # of T: a radius nearer to it is not asked about
_FRAME = np.array([0.55, 0.28])  # from the entries of a node to its frame


class Summaries(Show[BirchStep]):
    """The circles of the entries, their tree, and how many there are."""

    opens = 30

    def __init__(self, run: Run, data: Plane, threshold: float, branching_factor: int) -> None:
        """Find the entry of every point, and the end's clusters. threshold : T. The other is B."""
        super().__init__(run, data)
        self.T, self.B = threshold, branching_factor
        n = len(data.X)
        self.arrives, self.entry = np.zeros(n, int), np.zeros(n, int)
        for now, step in enumerate(self.steps[:-1]):
            self.arrives[step.row], self.entry[step.row] = now, step.entry
        self.ends = self.steps[-1].predict(data.X)
        self.new = sum(step.event is not None for step in self.steps[1:-1])
        self.counts = [step.entries for step in self.steps]
        self.tree_of = lru_cache(maxsize=4)(lambda now: _tree(self.steps[now].root))
        said = [
            "A circle is an entry: its centre, and the root mean squared distance of its points. "
            "Dashed: the entries above the one that has the newest point, higher in the tree.",
        ]
        if max(self.counts) > MOST_DRAWN:
            said.append(f"A level of more than {MOST_DRAWN} entries is left out of the tree.")
        self.note = " ".join(said)

    def views(self) -> list[View]:
        """Return the picture, the tree, and the number of entries."""
        entries = curves.timeline({"entries": self.counts})
        return [
            View("Points that have arrived, and their entries", self.picture),
            View("Tree of entries, with the points of each", self.tree, 1.3, board=False),
            View("Entries in the leaves", entries, ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the points, the circles, and the way of the newest point."""
        step, X = self.steps[now], self.data.X
        finished = step.groups is not None
        there = self.arrives <= now
        look = np.where(there, (self.ends if finished else self.entry) % _LOOKS, _LOOKS)
        points = plane.points(X, look, size=np.where(there, 1.0, 0.5))
        leaves = step.leaf_entries
        newest, many = leaves[step.entry], np.array([entry.n > 1 for entry in leaves])
        tree = self.tree_of(now)
        over = [tree.entries[i] for i in tree.way(step.entry)[:-1]]
        rings = plane.GAP if finished else X[[step.row]]
        key = _KEY_AT_THE_END if finished else _KEY + _DASHED * bool(over)
        traces = [
            self._circles(
                step, leaves, line={"width": 1.75, "color": GREY}, name="entry: its radius"
            ),
            self._circles(
                step, [] if finished else over, line={"width": 2, "dash": "dash"},
                name="entry of a higher level, on the way to the newest point",
            ),
            self._circles(
                step, [] if finished else [newest], line={"width": 3.5},
                name="entry that has the newest point",
            ),
            plane.line(
                step.centers[many] if many.any() else plane.GAP,
                mode="markers", name="centre of an entry of several points",
                marker={"symbol": 3, "size": 9, "line": {"width": 1}},
            ),
            plane.rings(rings, name="newest point"),
            naming.in_corner(key, self.data.bounds),
        ]  # fmt: skip
        drawn = points | {"fills": _FILLS, "symbols": _SYMBOLS}
        return plane.figure(traces, self.data.bounds, self.data.names, points=drawn, signs=_SIGNS)

    def _circles(self, step: BirchStep, entries: list[Entry], **style: object) -> dict:
        circles = [step.origin + entry.center + entry.radius * _CIRCLE for entry in entries]
        return strokes(np.reshape(circles, (-1, len(_CIRCLE), 2)), **style)

    def tree(self, now: int) -> Figure:
        """Draw the tree, the root at the top."""
        step, tree = self.steps[now], self.tree_of(now)
        entries = tree.entries[: len(tree.places)]
        numbers = np.array([entry.number for entry in entries])
        group = numbers if step.groups is None else step.groups[numbers]
        group = np.where(numbers < 0, _LOOKS, group % _LOOKS)
        level = tree.level[: len(entries)]
        wide = np.bincount(level)[level]
        size = np.minimum(3.0, 26 / wide)
        few = wide <= MOST_WRITTEN
        texts = [str(e.n) if fits else "" for e, fits in zip(entries, few, strict=True)]
        way = [] if step.groups is not None else tree.way(step.entry)
        way = [i for i in way if i < len(entries)]
        links = np.array([(a, i) for i, a in enumerate(tree.parent[: len(entries)]) if a >= 0], int)
        names = [f"entry of {counted(entry.n, 'point')}" for entry in entries]
        graph = Graph(tree.places, group, links.reshape(-1, 2), tree.box, names, signs=_TREE_SIGNS)
        look = Look(size, np.full(len(links), 1.25), texts, path=way)
        drawn = graph.draw(look)
        drawn["points"] |= {"fills": _FILLS, "symbols": _SYMBOLS}
        newest = way[-1:] if len(way) == 1 + tree.level.max() else []
        ring = plane.rings(
            tree.places[newest] if newest else plane.GAP,
            size=9 * float(size[newest[0]]) + 10 if newest else 17,
            name="entry that has the newest point",
        )  # fmt: skip
        frames = strokes(tree.frames, line={"width": 1.25, "color": GREY}, name="frame: a node")
        return drawn | {"data": [frames, ring, *drawn["data"]]}

    def caption(self, now: int) -> str:
        """Write what became of the point; below, the radius with its numbers, and what is kept."""
        step = self.steps[now]
        d = self.data.X.shape[1]
        kept = (
            f"{_entries(step.entries)} of {d + 2} numbers each: the tree keeps "
            f"{(d + 2) * step.entries} numbers; the {counted(step.arrived, 'point')} had "
            f"{d * step.arrived}."
        )
        if now == 0:
            return (
                "The first point makes the first entry; all sums are taken about this point.\n"
                "An entry keeps n, LS = Σ x and SS = Σ ‖x‖², and not its points: c = LS / n, "
                f"R = √(SS / n − ‖LS / n‖²) = 0.\n{kept}"
            )
        if step.groups is not None:
            k = int(step.groups.max()) + 1
            return (
                f"All points have arrived: Ward's linkage merges {_entries(step.entries)} into "
                f"{counted(k, 'cluster')}.\nOnly the {step.entries} centres are compared, not the "
                f"{step.arrived} points; a point belongs to the cluster of the nearest centre.\n"
                f"{kept}"
            )
        near = self._near(now)
        both = together(near, self._alone(now))
        sign = "≤" if step.event is None else ">"
        rule = (
            "With the point, the radius is the root of the mean squared distance to the centre: "
            f"√({number(both.n * step.tried**2, 4)} / {both.n}) = {number(step.tried)} {sign} "
            f"T = {number(self.T)}"
        )
        if step.event is None:
            where = place(both.center + step.origin)
            return (
                f"Point {step.arrived} is absorbed: the entry, now at {where}, has {both.n} "
                f"points.\n{rule}.\n{kept}"
            )
        where = place(near.center + step.origin)
        said = f"Point {step.arrived} begins an entry: the one at {where} would get too wide."
        return f"{said}\n{rule}.{self._splits(step)}\n{kept}"

    def _splits(self, step: BirchStep) -> str:
        """Write what a new entry made of a full leaf."""
        if step.event == "new entry":
            return ""
        said = f" Its leaf was full, with B = {self.B} entries: it splits"
        if step.event == "split":
            return f"{said}."
        levels = 1 + int(self.tree_of(step.arrived - 1).level.max())
        return f"{said}, and so does the root: {levels} levels now."

    def _near(self, now: int) -> Entry:
        """Return the entry to which the newest point was led, as it was before."""
        path = self.steps[now].path
        return leaf_of(self.steps[now - 1].root, path)[path[-1]]

    def _alone(self, now: int) -> Entry:
        """Return the newest point as an entry."""
        step = self.steps[now]
        x = self.data.X[step.row] - step.origin
        return Entry(1, x, float(x @ x), ())

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask what becomes of the next point; of all three answers about equally often."""
        before, after = self.steps[now], self.steps[now + 1]
        if after.groups is not None or abs(after.tried - self.T) < _CLEAR * self.T:
            return None
        absorbed = len(self.steps) - 2 - self.new
        if after.event is None and rng.random() > (self.new or 1) / max(absorbed, 1):
            return None
        ways = ["it is absorbed", "a new entry", "a new entry, and a node splits"]
        right = {None: 0, "new entry": 1}.get(after.event, 2)
        near = self._near(now + 1)
        where = place(near.center + before.origin)
        reason = (
            f"The entry of {counted(near.n, 'point')} at {where} would have a radius of "
            f"{number(after.tried)}, and T is {number(self.T)}."
        )
        if right:
            held = len(leaf_of(before.root, after.path))
            reason += f" Its leaf had {held} entries of at most {self.B}."
        x, y = self.data.X[after.row].tolist()
        options = [Option(text) for text in ways]
        others = [option for i, option in enumerate(options) if i != right]
        text = f"The point ? arrives, with T = {number(self.T)}. What becomes of it?"
        return question(text, options[right], others, reason, (0, x, y))

    def found(self, now: int) -> Groups:
        """Return the entries, and at the end the clusters; what has not arrived is a group."""
        if self.steps[now].groups is not None:
            return Groups(self.ends)
        return Groups(np.where(self.arrives <= now, self.entry, -1))


@dataclass(frozen=True, eq=False)
class _Tree:
    """A tree as it is drawn: its entries level by level, and for each the one above it, or -1.

    places : of the first entries, as many as are drawn. frames : (nodes, 5, 2) around the entries
    of each drawn node.
    """

    entries: list[Entry]
    parent: list[int]
    level: ndarray
    places: ndarray
    frames: ndarray
    box: Bounds

    def way(self, leaf: int) -> list[int]:
        """Return the entries from the root down to an entry of a leaf."""
        found = [next(i for i, entry in enumerate(self.entries) if entry.number == leaf)]
        while self.parent[found[-1]] >= 0:
            found.append(self.parent[found[-1]])
        return found[::-1]


def _tree(root: Node) -> _Tree:
    """Place the entries: those of the lowest drawn level side by side, the others above them."""
    entries, parent, levels = list(root), [-1] * len(root), [0] * len(root)
    for i, entry in enumerate(entries):
        entries.extend(entry.child)
        parent.extend([i] * len(entry.child))
        levels.extend([levels[i] + 1] * len(entry.child))
    level = np.array(levels)
    lowest = int(np.flatnonzero(np.bincount(level) <= MOST_DRAWN).max(initial=0))
    drawn = np.flatnonzero(level <= lowest).tolist()
    x, right = np.zeros(len(drawn)), 0.0
    for i in drawn:
        if level[i] == lowest:
            right += 1.0 if i and parent[i] == parent[i - 1] else 1.5
            x[i] = right
    for i in reversed(drawn):
        if level[i] < lowest:
            x[i] = np.mean([x[j] for j in drawn if parent[j] == i])
    places = np.column_stack([x, -level[drawn].astype(float)])
    frames = []
    for above in sorted({parent[i] for i in drawn}):
        inside = places[[i for i in drawn if parent[i] == above]]
        (left, low), (end, high) = inside.min(axis=0) - _FRAME, inside.max(axis=0) + _FRAME
        frames.append([[left, low], [left, high], [end, high], [end, low], [left, low]])
    box = (0.5, right + 1.0, -lowest - 0.6, 0.6)
    return _Tree(entries, parent, level, places, np.array(frames), box)


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"
