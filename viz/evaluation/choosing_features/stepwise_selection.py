"""Forward and backward moves on the lattice of all sets of columns."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
from numpy.random import Generator

from algorithms.evaluation.choosing_features.samples import LETTERS, MADE_OF
from algorithms.evaluation.choosing_features.stepwise_selection import (
    Columns,
    SelectionStep,
    flipped,
)
from viz.core import curves, naming, plane
from viz.core.graph import Look
from viz.core.lattice import Lattice
from viz.core.question import Option, Question, question
from viz.core.scene import ANSWER, Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import alike, counted, fixed, listed, number

TRIED, SELECTED = 0, 2  # groups, for colours and symbols
_LINK, _MADE = 1.5, 4.0  # pixels, of a move that was tried, and of one that was made
_LEAST, _MOST = 1.2, 2.6  # diameters of tried sets, of the usual point; on a phone rows are near
_UNTRIED, _PALE = 1.1, 0.4
_SIGNS = {
    "points": "circle: a set of columns; diamond: selected on the way",
    "size": "large: few sets have a lower error",
    "strength": "faint: not tried",
    "edges": "line: a move that was tried; thick: made",
    "path": "",
    "ringed": "the columns that are selected now",
}
_KEY = "large: low error;<br>diamond: selected"
_RAISED = 0.2  # of the errors' range: room above them for their numbers
_BEST = "the best of all sets"
_STAR = 24  # pixels
_ABOVE = 14.0  # of the lattice: the lower corners' words are above the legend's button
_LINES = (0, 1, 2, 2, 1, 1)  # of a node's name and error, by level; ten in a row need two


class Moves(Show[SelectionStep]):
    """The lattice: one column more below, one fewer above."""

    unit = "move"
    opens = 1  # the first move: all moves that were tried, and the one that was made

    def __init__(
        self, run: Run, errors: Mapping[Columns, float], direction: str, sample: str
    ) -> None:
        """Lay out the lattice. errors : of all sets, found by brute force. sample : its name."""
        super().__init__(run)
        self.errors, self.forward = errors, direction == "forward"
        verb = "adds" if self.forward else "drops"
        self.lattice = Lattice(LETTERS, _SIGNS, lines=_LINES)
        _, _, bottom, self.top = self.lattice.graph.box
        bottom += _ABOVE
        self.corners = [
            naming.words(
                np.array([1.0, self.top]), f"a move {verb} one;<br>the lowest error wins",
                "bottom left",
            ),
            naming.words(np.array([-1.0, bottom]), ";<br>".join(MADE_OF[sample]), "top right"),
            naming.words(np.array([1.0, bottom]), _KEY, "top left"),
        ]  # fmt: skip
        sets = self.lattice.subsets
        # the share of the other sets that have no lower error
        self.better = np.argsort(np.argsort([-errors[F] for F in sets])) / (len(sets) - 1)
        self.best = {
            k: min((F for F in sets if len(F) == k), key=errors.__getitem__)
            for k in range(len(LETTERS) + 1)
        }
        self.winner = min(self.best.values(), key=errors.__getitem__)

    def views(self) -> list[View]:
        """Return the lattice, the best sets of each size, and the moves tried."""
        return [
            View("All sets of columns", self.picture, board=False),
            View("Error after each move tried", self.tried, board=False),
            View("Best set of each size, by brute force", self.by_size, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the sets that were tried so far, and the way."""
        lattice, steps = self.lattice, self.steps[: now + 1]
        way = [lattice.index[step.selected] for step in steps if step.event is None]
        tried = {lattice.index[flipped(step.before, j)] for step in steps for j in step.movable}
        group = np.full(len(lattice.subsets), TRIED)
        strength = np.full(len(group), _PALE)
        seen = sorted(tried | set(way))
        group[way], strength[seen] = SELECTED, 1.0
        size = np.full(len(group), _UNTRIED)
        size[seen] = _LEAST + (_MOST - _LEAST) * self.better[seen]
        moves = {
            frozenset((lattice.index[step.before], lattice.index[flipped(step.before, j)]))
            for step in steps
            for j in step.movable
        }
        made = set(map(frozenset, pairwise(way)))
        links = [frozenset(link) for link in lattice.links.tolist()]
        width = [_MADE if S in made else _LINK if S in moves else 0.0 for S in links]
        strong = {*way, *([lattice.index[self.winner]] if self._is_over(now) else [])}
        names = [
            name if i in tried | strong else _grey(name) for i, name in enumerate(lattice.names)
        ]
        for i in strong | tried:
            error = _error(self.errors[lattice.subsets[i]])
            between = "<br>" if _LINES[len(lattice.subsets[i])] == 2 else " "
            names[i] += f"{between}{error if i in strong else _grey(error)}"
        look = Look(size, np.array(width), names, strength=strength, ringed=way[-1:])
        figure = lattice.draw(group, look)
        words = [*self.corners, *self._key(now)]
        return figure | {"data": [*figure["data"], *words, self._best(now)]}

    def _key(self, now: int) -> list[dict]:
        """Write what a node is, and on the last step what the star is."""
        corner, over = np.array([-1.0, self.top]), self._is_over(now)
        node = naming.words(
            plane.GAP if over else corner, "each node: a set of<br>columns, and its error",
            "bottom right",
        )  # fmt: skip
        star = naming.words(
            corner if over else plane.GAP, f"star: the best<br>of all {len(self.errors)}",
            "bottom right",
        )  # fmt: skip
        return [node, star | {"meta": ANSWER}]

    def _best(self, now: int) -> dict:
        """Mark the best of all sets on the last step; an open question hides the mark."""
        lattice = self.lattice
        best = lattice.graph.places[[lattice.index[self.winner]]]
        return plane.line(
            best if self._is_over(now) else plane.GAP, mode="markers", name=_BEST,
            marker={"symbol": 17, "size": _STAR}, cliponaxis=False, meta=ANSWER,
        )  # fmt: skip

    def _is_over(self, now: int) -> bool:
        return now + 1 == len(self.steps)

    def tried(self, now: int) -> Figure:
        """Draw the error of every move of the step, and the error before it.

        The axes hold this step's moves alone: the last ones are few, and their errors differ far
        less than the first.
        """
        step, columns = self.steps[now], range(len(LETTERS))
        shown_at = {j: i for i, j in enumerate(step.movable or columns)}
        end = len(shown_at) - 0.4
        before = self.errors[step.before]
        verb = "add" if self.forward else "drop"
        errors = dict(zip(step.movable, step.tried.tolist(), strict=True))
        dots = plane.line(
            np.array([[shown_at.get(j, np.nan), errors.get(j, np.nan)] for j in columns]),
            mode="markers+text", name="error after the move",
            text=[_error(errors[j]) if j in errors else "" for j in columns],
            textposition=[
                "bottom center" if errors.get(j, before) < before else "top center"
                for j in columns
            ],
            marker={
                "size": [15 if j == step.moved else 11 for j in columns],
                "symbol": [2 if j == step.moved else 0 for j in columns],
                "color": [PALETTE[SELECTED] if j == step.moved else GREY for j in columns],
            },
            textfont={"shadow": "auto"},
        )  # fmt: skip
        level = plane.line(
            np.array([[-0.6, before], [end, before]]), line={"dash": "dot"},
            mode="lines+text", text=[f" {_error(before)}", ""], textposition="top right",
            textfont={"shadow": "auto"},
            name="error before the move", showlegend=True,
        )  # fmt: skip
        shown = [before, *errors.values()]
        low, high = min(shown), max(shown)
        room = _RAISED * (high - low) or 0.1
        layout = curves.panel_layout(
            xaxis={
                "range": [-0.6, end],
                "tickvals": list(shown_at.values()),
                "ticktext": [f"{verb} {LETTERS[j]}" for j in shown_at],
            },
            yaxis={"title": {"text": "error"}, "range": [low - room, high + room], "nticks": 5},
        )
        return curves.with_legend({"data": [level, dots], "layout": layout})

    def by_size(self, now: int) -> Figure:
        """Draw the errors on the way, and the lowest of every size so far; at the end of all."""
        way = [step for step in self.steps[: now + 1] if step.event is None]
        sizes = list(self.best)
        reached = [step.error for step in self.steps if step.event is None]
        first = 0 if self.best[0] == self.winner else 1  # the error of no column is far above
        shown = [self.errors[F] for F in list(self.best.values())[first:]]
        shown += [error for error in reached if error < self.errors[()]]
        low, high = min(shown), max(shown)
        above = 0.3 * (high - low)
        corner = np.array([first - 0.25, high + above]) if not way[-1].selected else plane.GAP
        sets = [step.selected for step in way if len(step.selected) >= first]
        drawn = {k: F for k, F in self.best.items() if k >= first and self._is_told(k, now)}
        last = len(way[-1].selected)
        names = ["\u2002" * (k == last) + self.lattice.name(F) for k, F in drawn.items()]
        sides = [
            side.replace("center", "right") if k == last else side  # clear of the large dot
            for k, side in zip(drawn, _clear([self.errors[F] for F in drawn.values()]), strict=True)
        ]
        traces = [
            curves.against(
                "brute force", drawn, [self.errors[F] for F in drawn.values()],
                setting="columns", showlegend=True, mode="lines+markers+text",
                text=names, textposition=sides,
                textfont={"shadow": "auto"},
            ),
            curves.against(
                "forward" if self.forward else "backward",
                [len(F) for F in sets], [self.errors[F] for F in sets],
                setting="columns", showlegend=True, mode="lines+markers+text",
                line={"color": PALETTE[SELECTED], "dash": "dash"},
                text=["" if F in drawn.values() else self.lattice.name(F) for F in sets],
                textposition="top right", textfont={"shadow": "auto"},
            ),
            curves.marked(last, way[-1].error, name="now", cliponaxis=True),
            naming.words(corner, f"↑ no column: {_error(self.errors[()])}", "bottom right"),
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"title": {"text": "columns", "standoff": 4}, "tickvals": sizes,
                   "range": [first - 0.3, sizes[-1] + 0.6]},
            yaxis={
                "title": {"text": "error"}, "nticks": 5,
                "range": [low - above, high + above],
            },
        )  # fmt: skip
        return curves.with_legend({"data": traces, "layout": layout})

    def _is_told(self, size: int, now: int) -> bool:
        """Return whether the search is past a size, so that its best set is no hint any more."""
        reached = len(self.steps[now].selected)
        past = size <= reached if self.forward else size >= reached
        return past or self._is_over(now)

    def _name(self, F: Columns) -> str:
        return f"{{{', '.join(LETTERS[j] for j in F)}}}" if F else "no column"

    def caption(self, now: int) -> str:
        """Write the move, with the errors of all that were tried."""
        step = self.steps[now]
        if now == 0:
            start = "Forward starts with no column" if self.forward else "Backward starts with all"
            return (
                f"{start}: which move lowers the error most?\n"
                f"The error is {_error(step.error)}: the mean squared error of cross-validation."
            )
        name = self._name(step.selected)
        tried = zip(step.movable, step.tried.tolist(), strict=True)
        each = ", ".join(f"{LETTERS[j]} {_error(error)}" for j, error in tried)
        verb = "adding" if self.forward else "removing"
        listing = f"The error after {verb} a column: {each}." if each else "No move is left."
        if step.event:
            return f"{self._ending(step)}.\n{'No move helps. ' if each else ''}{listing}"
        assert step.moved is not None
        move = f"{verb} {LETTERS[step.moved]}"
        what = f"Of {len(step.movable)} moves, {move} lowers the error most"
        if len(step.movable) == 1:
            what = f"The only move, {move}, lowers the error"
        before = self.errors[step.before]
        return (
            f"{what}: from {_error(before)} to {_error(step.error)}.\n{listing} Selected: {name}."
        )

    def _kind(self) -> str:
        return "forward" if self.forward else "backward"

    def _ending(self, step: SelectionStep) -> str:
        """Write the set at which the search ends, and whether a better one is out of its reach."""
        ends = f"{self._kind().capitalize()} search ends with {self._name(step.selected)}"
        if step.selected == self.winner:
            return f"{ends}, the best of all {len(self.errors)} sets: error {_error(step.error)}"
        error, least = alike(step.error, self.errors[self.winner])
        missed = (
            f"{ends}, error {error}, and misses the best set, {self._name(self.winner)}, {least}"
        )
        end, best = set(step.selected), set(self.winner)
        columns = listed([LETTERS[j] for j in sorted(end - best if self.forward else best - end)])
        if not columns:
            return f"{missed}: no single move helps"
        return (
            f"{missed}: it never {f'drops {columns}' if self.forward else f'takes {columns} back'}"
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which move comes next."""
        step, after = self.steps[now], self.steps[now + 1]
        verb = "Add" if self.forward else "Remove"
        none = "Stop: no move helps"
        right = none if after.moved is None else f"{verb} {LETTERS[after.moved]}"
        order = [after.movable[i] for i in after.tried.argsort()]
        if not order:
            return None
        others = [*(f"{verb} {LETTERS[j]}" for j in order), none]
        low = float(after.tried.min())
        return question(
            f"{counted(len(step.selected), 'column')} selected: the error is {_error(step.error)}. "
            "Which move comes next?",
            Option(right), [Option(text) for text in others if text != right],
            f"The lowest error after a move is {_error(low)}, and before it is "
            f"{_error(step.error)}.",
        )  # fmt: skip


def _clear(heights: list[float]) -> list[str]:
    """Return on which side of each of a line's points its name is clear of the line."""
    before, after = [np.inf, *heights][:-1], [*heights, np.inf][1:]
    return [
        "bottom center" if h <= min(last, then) else "top right" if then < h else "bottom right"
        for last, h, then in zip(before, heights, after, strict=True)
    ]


def _error(value: float) -> str:
    """Write an error with three digits, zeros at its end included: 1.30 beside 1.53."""
    return fixed(value, 2) if 1 <= value < 10 else number(value)


def _grey(text: str) -> str:
    return f'<span style="color:{GREY}">{text}</span>'
