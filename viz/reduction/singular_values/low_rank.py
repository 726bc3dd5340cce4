"""A drawing rebuilt from one term after the other, with the term, and what is missed."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.reduction.singular_values.low_rank import LowRankStep
from viz.core import curves, plane
from viz.core.graph import texts, without_axes
from viz.core.naming import in_corner
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Bounds, Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE, rgb
from viz.core.told import told
from viz.core.words import counted, decimal, number, percent

_SHADES = 24
_OPACITY = np.linspace(0, 255, _SHADES).astype(np.uint8)
_STRONG = np.concatenate([_OPACITY[::-1], _OPACITY])
_SIGNED = np.array([rgb(PALETTE[1])] * _SHADES + [rgb(PALETTE[0])] * _SHADES, np.uint8)
_SMALL = 0.25  # diameter and strength of a point, as a part of the usual one
_KEY = "blue: above 0<br>orange: below 0"
_BETWEEN = 0.3  # of the longer side, between the sum before and the term
_RIM, _STRIP = 4, 2  # cells beside the term: for its column and its row; of it without the gap
_DIGITS = 4  # of a number in a cell
_LEAST = 0.02  # change of the picked cell that is asked about, as a share


class LowRank(Show[LowRankStep]):
    """The drawing rebuilt from 0, 1, 2, ... terms."""

    unit = "term"
    opens = 7

    def __init__(self, run: Run, data: Plane, A: ndarray, query: ndarray) -> None:
        """Find the picked cell. A : the drawing. query : a place in the cell."""
        super().__init__(run, data)
        self.A, self.query, (h, w) = A, query, A.shape
        left, right, bottom, top = data.bounds
        share = (query - [left, bottom]) / [right - left, top - bottom]
        self.column, self.row = np.clip((share * [w, h]).astype(int), 0, [w - 1, h - 1]).tolist()
        self.inked = _part(A)
        end = self.steps[-1]
        missed = [100 * step.missed for step in self.steps]
        weights = [np.nan, *end.singular_values[: end.rank].tolist()]  # no term has none
        self.timeline = curves.timeline({"error, %": missed, "σ": weights}, along="terms")
        self.note = (
            f"The drawing is a table of {h} x {w} numbers: 1 where a point is near, otherwise 0. "
            "Rebuilt numbers above 1 look like 1, those below −1 like −1. The classes of the "
            "points play no part."
        )

    def views(self) -> list[View]:
        """Return the rebuilt drawing, the sum of which it is the result, and what is missed."""
        return [
            View("The drawing, rebuilt from the terms so far", self.picture),
            View(
                "The picture is this sum",
                self.sum, height=1.15, board=False,
            ),
            View(
                "Squared error, and σ of the newest term",
                self.curves, height=0.85, ahead="by step", board=False,
            ),
        ]  # fmt: skip

    def picture(self, now: int) -> Figure:
        """Draw the rebuilt drawing in shades, under the points, and a frame around the table."""
        data, rebuilt = self.data, self.steps[now].rebuilt
        cells = plane.image(_shades(rebuilt), _SIGNED, _STRONG, data.bounds)
        cells |= {"name": "rebuilt number: blue above 0, orange below", "zsmooth": False}
        same = np.zeros(len(data.X), int)  # the classes play no part
        small = np.full(len(data.X), _SMALL)
        points = plane.points(data.X, same, size=small, strength=small) | {"fills": [GREY]}
        signs = {
            "points": "point: it fills the cells around it",
            "strength": "faint, so that the cells are seen",
        }
        h, w = self.A.shape
        traces = [
            cells,
            _frames([data.bounds], f"frame: the table of {h} x {w} numbers"),
            in_corner(_sum_of(now), data.bounds, "top left", size=17),
            in_corner(_KEY, data.bounds),
        ]
        figure = plane.figure(traces, data.bounds, data.names, points=points, signs=signs)
        for axis in ("xaxis", "yaxis"):
            figure["layout"][axis] |= {"showgrid": False, "showticklabels": False, "ticks": ""}
        return figure

    def sum(self, now: int) -> Figure:
        """Draw the sum of the terms before, plus the last one with its column and its row.

        Below the sum is a scale of the shades.
        """
        rows, columns = self.inked
        before, term = self.steps[max(now - 1, 0)].rebuilt, self.steps[now].term
        h, w = before[rows, columns].shape
        longest = max(h, w)
        left, top = w + _BETWEEN * longest, h + _RIM + 0.02 * longest
        right = left + w + _RIM
        first, second = (
            plane.image(_shades(values), _SIGNED, _STRONG, box) | {"zsmooth": False, "name": name}
            for values, box, name in (
                (before[rows, columns], (0, w, 0, h), "sum of the terms before"),
                (
                    _with_factors(term[rows, columns]),
                    (left, right, 0, h + _RIM),
                    "number of the last term, in the shades that its largest one has in full; "
                    "at its left and top, its column and its row",
                ),
            )
        )
        added = (left + _RIM, right, 0, h)
        column, row = (left, left + _STRIP, 0, h), (left + _RIM, right, h + _RIM - _STRIP, h + _RIM)
        tables = [(0, w, 0, h), *([added, column, row] if now else [])]
        words = [_sum_of(0), "", ""]
        if now:
            sigma = number(float(self.steps[now].singular_values[now - 1]))
            stronger = f"drawn {number(1 / (float(np.abs(term).max()) or 1.0), 2)} × stronger"
            words = [_sum_of(now - 1), "<b>+</b>", f"term {now}, σ = {sigma},<br>{stronger}"]
        heads = texts(
            np.array([[w / 2, top], [(w + left) / 2, h / 2], [(left + right) / 2, top]]),
            words,
            textposition=["top center", "middle center", "top center"],
            textfont={"size": [14, 24, 14]},
        )  # fmt: skip
        factors = texts(
            np.array([[left + _STRIP / 2, -0.02 * longest], [right, h + _RIM - _STRIP / 2]]),
            ["column", "\u00a0row"] if now else ["", ""],
            textposition=["bottom center", "middle right"],
        )
        names = [str(i + 1) for i in range(max(self.A.shape))]
        lines = {"in the picked column": term[:, self.column], "in the picked row": term[self.row]}
        box = (-1.0, right + 0.2 * longest, -0.22 * longest, top + 0.26 * longest)
        layout = without_axes(box, alike=True)
        traces = [
            first,
            second,
            _frames(tables, "frame: a table, a column or a row"),
            heads,
            factors,
            *_scale((0, max(w, 0.4 * longest), -0.12 * longest, -0.07 * longest)),
        ]
        figure = {"data": traces, "layout": layout}
        return figure | told("Beside the picked cell", "place", names, lines)

    def curves(self, now: int) -> Figure:
        """Draw the missed share and the singular value of the newest term over the terms."""
        return self.timeline(now)

    def caption(self, now: int) -> str:
        """Write what is missed, the rule with its numbers, and the picked cell."""
        step, (h, w) = self.steps[now], self.A.shape
        k = step.terms
        stored = f"{k} · ({h} + {w} + 1) = {k * (h + w + 1):,} numbers in place of {h * w:,}"
        if k == 0:
            said = "Start: without any term, the rebuilt drawing is empty."
            if step.event:
                said = "The drawing is empty: it needs no term."
            rule = (
                f"The drawing is a sum of {counted(step.rank, 'term')}, each a column times a row."
            )
        else:
            many = "One term, a column times a row, rebuilds"
            if k > 1:
                many = f"{k} terms, each a column times a row, rebuild"
            said = f"{many} the drawing with a squared error of {percent(step.missed)}."
            if step.event:
                many = "One term is" if k == 1 else f"{k} terms are"
                said = f"{many} the whole drawing: all further singular values are 0."
            sigma = number(float(step.singular_values[k - 1]))
            rule = (
                f"Term {k} is weighted by the singular value σ = {sigma}. A column, a row and σ "
                f"for each term: so far {stored} are stored."
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


def _frames(boxes: Sequence[Bounds], name: str) -> dict:
    """Draw frames around tables."""
    corners = [[(a, c), (b, c), (b, d), (a, d), (a, c)] for a, b, c, d in boxes]
    paths = plane.joined([np.array(each, float) for each in corners])
    return plane.line(paths, line={"width": 1, "color": GREY}, cliponaxis=False, name=name)


def _scale(box: Bounds) -> list[dict]:
    """Draw all shades from −1 to 1 in a box, with three numbers below."""
    left, right, bottom, top = box
    shades = _shades(np.linspace(-1, 1, 2 * _SHADES))[None]
    places = np.column_stack(
        [np.linspace(left, right, 3), np.full(3, bottom - 0.2 * (top - bottom))]
    )
    return [
        plane.image(shades, _SIGNED, _STRONG, box) | {"name": "shades of the numbers"},
        texts(places, ["−1", "0", "1"], textposition="bottom center"),
    ]


def _sum_of(count: int) -> str:
    """Name the sum of the first terms."""
    return f"sum of {counted(count, 'term')}" if count else "no term yet"


def _with_factors(term: ndarray) -> ndarray:
    """Put the column to the left of a term, and the row above it, all with a largest size of 1."""
    h, w = term.shape
    i, j = np.unravel_index(np.abs(term).argmax(), term.shape)
    largest = term[i, j] or 1.0
    drawn = np.zeros((h + _RIM, w + _RIM))
    drawn[:h, _RIM:] = term / abs(largest)
    drawn[:h, :_STRIP] = term[:, [j]] / abs(largest)
    drawn[-_STRIP:, _RIM:] = term[i] / largest
    return drawn


def _shades(values: ndarray) -> ndarray:
    """Return the shades of numbers from −1 to 1; those beyond have the last ones."""
    return np.rint((values.clip(-1, 1) + 1) / 2 * (2 * _SHADES - 1)).astype(np.uint8)


def _rounded(value: float) -> str:
    """Write a number of a cell; rounding errors are 0."""
    return decimal(round(value, _DIGITS))
