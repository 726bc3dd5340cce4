"""A class list: the lattice of all conjunctions, and what the rows leave of it."""

from dataclasses import dataclass

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.learning_theory.version_space.conjunctions import (
    ANY,
    NONE,
    ConjunctionsStep,
    conjunctions,
    held,
)
from viz.core import curves, plane
from viz.core.graph import Graph, Look, texts, without_axes
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import listed

_SIZE, _SMALL = 3.0, 1.0  # of a conjunction that is left, and of the others, in usual points
_PALE = 0.3  # opacity of a conjunction that is ruled out
_LETTERS = np.array([-0.1, 0.0])  # from a ringed conjunction to its letter
_SIGNS = {
    "size": "large: a conjunction that is left",
    "strength": "faint: ruled out",
    "edges": "line down to a conjunction that asks for one value more: bold if both are left",
    "ringed": "S, the most specific, and G, the most general ones left",
}
_WIDE, _NARROW = 1.8, 0.35  # pixels of a link: between two that are left, and of the others


@dataclass(frozen=True)
class ClassList:
    """A table: the names of its rows and attributes, the values of each attribute, and the rows.

    rows : indices of values. positive : the class of every row, C1 or C2.
    """

    names: tuple[str, ...]
    attributes: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[int, ...], ...]
    positive: tuple[bool, ...]


class Conjunctions(Show[ConjunctionsStep]):
    """The lattice, general above and specific below."""

    unit = "row"
    opens = 1

    note = (
        "Above a conjunction are those that ask for less. Faint: ruled out. Ringed: S, the most "
        "specific, and G, the most general ones that are left."
    )

    def __init__(self, run: Run, table: ClassList) -> None:
        """Lay out the lattice in levels, by how many attributes are asked for."""
        super().__init__(run)
        self.table, self.H = table, conjunctions([len(each) for each in table.values])
        self.names = [self._name(h) for h in self.H]
        asked = np.where((self.H == NONE).all(axis=1), len(table.values) + 1,
                         (self.H != ANY).sum(axis=1))  # fmt: skip
        places = np.empty((len(self.H), 2))
        for level in np.unique(asked):
            (members,) = np.nonzero(asked == level)
            across = np.linspace(-1, 1, 2 * len(members) + 1)[1::2]
            places[members] = np.column_stack([across, np.full(len(members), -float(level))])
        self.links = np.array(
            [
                (i, j)
                for i in range(len(self.H))
                for j in range(i + 1, len(self.H))
                if asked[j] == asked[i] + 1 and self._below(self.H[j], self.H[i])
            ]
        )
        box = (-1.05, 1.05, -float(asked.max()) - 0.4, 0.4)
        group = np.zeros(len(self.H), int)
        sides = ["bottom" if level else "top" for level in asked]
        self.graph = Graph(places, group, self.links, box, self.names, signs=_SIGNS, sides=sides)

    def _name(self, h: ndarray) -> str:
        """Write a conjunction: Y?N, or ∅ for the empty one."""
        if (h == NONE).all():
            return "∅"
        pairs = zip(h.tolist(), self.table.values, strict=True)
        return "".join("?" if value == ANY else names[value] for value, names in pairs)

    @staticmethod
    def _below(h: ndarray, other: ndarray) -> bool:
        return bool(((other == ANY) | (other == h)).all() or (h == NONE).all())

    def views(self) -> list[View]:
        """Return the lattice, the table, and how many are left."""
        counts = [int(step.left.sum()) for step in self.steps]
        return [
            View("All conjunctions, general above", self.picture, board=False),
            View("The class list", self.rows, board=False),
            View(
                "Conjunctions left after every row",
                curves.timeline({"left": counts}, along=self.unit),
                ahead="by step",
            ),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the lattice; what is ruled out is faint, and its name is grey."""
        step = self.steps[now]
        both = step.left[self.links].all(axis=1)
        written = [n if left else _grey(n) for n, left in zip(self.names, step.left, strict=True)]
        look = Look(
            np.where(step.left, _SIZE, _SMALL), np.where(both, _WIDE, _NARROW), written,
            strength=np.where(step.left, 1.0, _PALE),
            ringed=np.flatnonzero(step.specific | step.general).tolist(),
        )  # fmt: skip
        figure = self.graph.draw(look)
        return figure | {"data": [*figure["data"], self._letters(step)]}

    def _letters(self, step: ConjunctionsStep) -> dict:
        """Write S and G beside the ringed conjunctions."""
        borders = np.flatnonzero(step.specific | step.general)
        names = {(True, False): "S", (False, True): "G", (True, True): "S = G"}
        pairs = zip(step.specific[borders].tolist(), step.general[borders].tolist(), strict=True)
        places = self.graph.places[borders] + _LETTERS if len(borders) else plane.GAP
        style = {
            "textposition": "middle left",
            "textfont": {"size": 20, "weight": 700, "shadow": "auto"},
        }
        return texts(places, [names[pair] for pair in pairs] or [""], **style)

    def rows(self, now: int) -> Figure:
        """Draw the table; the rows to come are grey, the newest has a mark."""
        table, seen = self.table, self.steps[now].seen
        head = ["", *table.attributes, "class"]
        lines = [head]
        for name, row, positive in zip(table.names, table.rows, table.positive, strict=True):
            cells = [table.values[j][value] for j, value in enumerate(row)]
            lines.append([name, *cells, "C1" if positive else "C2"])
        places = np.array([(j, -i) for i in range(len(lines)) for j in range(len(head))], float)
        written = [
            f"<b>{text}</b>" if i == 0 else text for i, line in enumerate(lines) for text in line
        ]
        newest = np.array([[-0.5, -float(seen)]]) if seen else plane.GAP
        arrow = {"symbol": 8, "size": 14}  # a triangle that points to the row
        traces = [
            texts(places, written, textfont={"size": 17}),
            plane.line(newest, mode="markers", marker=arrow, cliponaxis=False),
        ]
        box = (-0.8, len(head) - 0.5, -len(lines) + 0.4, 0.6)
        return {"data": traces, "layout": without_axes(box)}

    def _row(self, i: int) -> str:
        row = self.table.rows[i]
        values = ", ".join(self.table.values[j][value] for j, value in enumerate(row))
        return f"{self.table.names[i]} = ({values})"

    def caption(self, now: int) -> str:
        """Write what the row leaves, with both borders."""
        step, total = self.steps[now], len(self.H)
        left = int(step.left.sum())
        if now == 0:
            return f"No row yet: all {total} conjunctions are possible.\n{self._borders(step)}"
        i = step.seen - 1
        label = "C1" if self.table.positive[i] else "C2"
        before = int(self.steps[now - 1].left.sum())
        row = f"{self._row(i)} is {label}"
        if left == 0:
            said = "No conjunction holds all rows of C1 and none of C2."
            return f"{row}: no conjunction is left.\n{said}"
        verb = "is" if left == 1 else "are"
        return f"{row}: {left} of {before} conjunctions {verb} left.\n{self._borders(step)}"

    def _borders(self, step: ConjunctionsStep) -> str:
        specific, general = (
            listed([self.names[i] for i in np.flatnonzero(border)])
            for border in (step.specific, step.general)
        )
        return (
            f"S, the most specific: {specific}. G, the most general: {general}. A “?” stands for "
            "any value."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask how many conjunctions the next row leaves."""
        before, after = self.steps[now], self.steps[now + 1]
        row = np.array(self.table.rows[before.seen])
        holds = int((held(self.H, row) & before.left).sum())
        label = "C1" if self.table.positive[before.seen] else "C2"
        all_left, right = int(before.left.sum()), int(after.left.sum())
        tempting = [holds, all_left - holds, all_left, right + 1, max(right - 1, 0)]
        verb = "hold it" if label == "C1" else "do not hold it"
        return question(
            f"Next is {self._row(before.seen)}, which is {label}. How many are left then?",
            Option(str(right)), [Option(str(count)) for count in tempting if count != right],
            f"{right} of the {all_left} that were left {verb}.",
        )  # fmt: skip


def _grey(name: str) -> str:
    """Write the name of a conjunction that is ruled out."""
    return f'<span style="color:{GREY};font-weight:400">{name}</span>'
