"""A drawing rebuilt from one term after the other, with the term, and what is missed."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.reduction.singular_values.low_rank import LowRankStep
from viz.core import curves, plane
from viz.core.graph import texts, without_axes
from viz.core.naming import in_corner
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE, rgb
from viz.core.told import told
from viz.core.words import counted, decimal, number, percent

_SHADES = 24
_OPACITY = np.linspace(0, 230, _SHADES).astype(np.uint8)
_STRONG = np.concatenate([_OPACITY[::-1], _OPACITY])
_SIGNED, _GREYS = (
    np.array([rgb(PALETTE[1])] * _SHADES + [rgb(above)] * _SHADES, np.uint8)
    for above in (PALETTE[0], GREY)
)
_PLUS, _MINUS = (
    f'<span style="color:{color}">{sign}</span>'
    for color, sign in ((PALETTE[0], "+"), (PALETTE[1], "−"))
)
_SMALL = 0.25  # diameter and strength of a point, as a part of the usual one
_BETWEEN = 0.2  # of the height, between the drawing and the term
_RIM, _STRIP = 4, 2  # cells beside the term: for its column and its row; of it without the gap
_DIGITS = 4  # of a number in a cell
_LEAST = 0.02  # change of the picked cell that is asked about, as a share


class LowRank(Show[LowRankStep]):
    """The drawing rebuilt from 0, 1, 2, ... terms."""

    unit = "term"
    opens = 5

    def __init__(self, run: Run, data: Plane, A: ndarray, query: ndarray) -> None:
        """Find the picked cell. A : the drawing. query : a place in the cell."""
        super().__init__(run, data)
        self.A, self.query, (h, w) = A, query, A.shape
        left, right, bottom, top = data.bounds
        share = (query - [left, bottom]) / [right - left, top - bottom]
        self.column, self.row = np.clip((share * [w, h]).astype(int), 0, [w - 1, h - 1]).tolist()
        self.inked = _part(A)
        end = self.steps[-1]
        missed = [step.missed for step in self.steps]
        following = [*end.singular_values[: end.rank].tolist(), 0.0]
        self.timeline = curves.timeline({"error": missed, "next σ": following}, along="terms")
        self.note = (
            f"The drawing is a table of {h} x {w} numbers: 1 where a point is near, otherwise 0. "
            "Rebuilt numbers above 1 look like 1, those below −1 like −1. The classes of the "
            "points play no part."
        )

    def views(self) -> list[View]:
        """Return the drawing, the last term, and what is missed."""
        return [
            View("The drawing, rebuilt from the terms so far", self.picture),
            View(
                "The drawing, and the newest term",
                self.term, height=1.1, board=False,
            ),
            View(
                "Squared error, and the next singular value",
                self.curves, ahead="by step", board=False,
            ),
        ]  # fmt: skip

    def picture(self, now: int) -> Figure:
        """Draw the rebuilt drawing in greys, under the points."""
        data, rebuilt = self.data, self.steps[now].rebuilt
        cells = plane.image(_shades(rebuilt), _GREYS, _STRONG, data.bounds)
        cells |= {"name": "rebuilt number: grey above 0, orange below", "zsmooth": False}
        same = np.zeros(len(data.X), int)  # the classes play no part
        small = np.full(len(data.X), _SMALL)
        points = plane.points(data.X, same, size=small, strength=small)
        signs = {"points": "point: it fills the cells around it", "strength": "all alike"}
        said = f"sum of {counted(now, 'term')}" if now else "no term yet"
        name = in_corner(said, data.bounds, "top left", size=17)
        key = in_corner("faint: near 0, strong: near 1", data.bounds, "bottom right")
        below = f'<span style="color:{PALETTE[1]}">orange</span>: below 0'
        negative = in_corner(below, data.bounds, "bottom left")
        traces = [cells, name, key, negative]
        return plane.figure(traces, data.bounds, data.names, points=points, signs=signs)

    def term(self, now: int) -> Figure:
        """Draw the drawing, and beside it the last term with its column and its row."""
        rows, columns = self.inked
        term = self.steps[now].term
        share = term[rows, columns] / (float(np.abs(term).max()) or 1.0)
        h, w = share.shape
        left, top = w + _BETWEEN * h, h + _RIM + 0.02 * h
        right = left + w + _RIM
        first = plane.image(_shades(self.A[rows, columns]), _GREYS, _STRONG, (0, w, 0, h))
        factors = _shades(_with_factors(share))
        second = plane.image(factors, _SIGNED, _STRONG, (left, right, 0, h + _RIM))
        first |= {"name": "the drawing", "zsmooth": False}
        second |= {"name": "number of the last term, as a share of its largest", "zsmooth": False}
        said = "no term yet"
        if now:
            said = f"term {now}, column × row: <b>{_PLUS}</b>, <b>{_MINUS}</b>"
            second["name"] += "; at its left and top: its column u and its row v"
        heads = texts(
            np.array([[w / 2, top], [(left + right) / 2, top]]),
            ["drawing", said],
            textposition="top center",
        )  # fmt: skip
        names = [str(i + 1) for i in range(max(self.A.shape))]
        lines = {"in the picked column": term[:, self.column], "in the picked row": term[self.row]}
        box = (-1.0, right + 1.0, -0.02 * h, top + 0.14 * h)
        figure = {"data": [first, second, heads], "layout": without_axes(box, alike=True)}
        return figure | told("Beside the picked cell", "place", names, lines)

    def curves(self, now: int) -> Figure:
        """Draw the missed share and the next singular value over the terms."""
        return self.timeline(now)

    def caption(self, now: int) -> str:
        """Write what is missed, the rule with its numbers, and the picked cell."""
        step, (h, w) = self.steps[now], self.A.shape
        k = step.terms
        stored = f"{k * (h + w + 1):,} numbers in place of {h * w:,}"
        if k == 0:
            said = "Start: without any term, the rebuilt drawing is empty."
            if step.event:
                said = "The drawing is empty: it needs no term."
            rule = (
                f"The drawing is a sum of {counted(step.rank, 'term')}, each a column times a row."
            )
        else:
            many = "The first term brings" if k == 1 else f"{k} terms bring"
            said = f"{many} the squared error down to {percent(step.missed)}."
            if step.event:
                many = "One term is" if k == 1 else f"{k} terms are"
                said = f"{many} the whole drawing: all further singular values are 0."
            sigma = number(float(step.singular_values[k - 1]))
            rule = (
                f"Term {k} is a column times a row, weighted by the singular value {sigma}; so far "
                f"{stored} are stored."
            )
        return f"{said}\n{rule}\n{self._picked(now)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the picked cell rises or falls with the next term."""
        before, after = (float(self.steps[at].rebuilt[self._cell]) for at in (now, now + 1))
        if abs(after - before) < _LEAST:
            return None
        text = (
            f"The picked cell, row {self.row + 1} from below and column {self.column + 1}, is "
            f"rebuilt as {decimal(before)}. Does the next term make this number rise or fall?"
        )
        reason = f"The next term adds {decimal(after - before)} to it."
        return rises_or_falls(text, before, after, reason)

    @property
    def _cell(self) -> tuple[int, int]:
        """Return row and column of the picked cell."""
        return self.row, self.column

    def _picked(self, now: int) -> str:
        """Write the number in the picked cell, and what the last term adds to it."""
        step, wanted = self.steps[now], float(self.A[self._cell])
        if now == 0:
            return f"The picked cell should be {wanted:g}."
        before, term = (
            float(table[self._cell]) for table in (self.steps[now - 1].rebuilt, step.term)
        )
        sign = "−" if term < 0 else "+"
        sum_ = f"{_rounded(before)} {sign} {_rounded(abs(term))} = {_rounded(before + term)}"
        return f"The picked cell with the newest term is {sum_}; it should be {wanted:g}."


def _part(A: ndarray) -> tuple[slice, slice]:
    """Return the rows and the columns between the first and the last with ink; all of no ink."""
    found = []
    for inked in (A.any(axis=1), A.any(axis=0)):
        places = np.flatnonzero(inked)
        found.append(slice(places[0], places[-1] + 1) if len(places) else slice(None))
    return found[0], found[1]


def _with_factors(share: ndarray) -> ndarray:
    """Put the column to the left of a term, from −1 to 1, and the row above it."""
    h, w = share.shape
    i, j = np.unravel_index(np.abs(share).argmax(), share.shape)
    drawn = np.zeros((h + _RIM, w + _RIM))
    drawn[:h, _RIM:] = share
    drawn[:h, :_STRIP] = share[:, [j]]
    drawn[-_STRIP:, _RIM:] = share[i] / (share[i, j] or 1.0)
    return drawn


def _shades(values: ndarray) -> ndarray:
    """Return the shades of numbers from −1 to 1; those beyond have the last ones."""
    return np.rint((values.clip(-1, 1) + 1) / 2 * (2 * _SHADES - 1)).astype(np.uint8)


def _rounded(value: float) -> str:
    """Write a number of a cell; rounding errors are 0."""
    return decimal(round(value, _DIGITS))
