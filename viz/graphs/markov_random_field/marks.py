"""What all modes draw: a picture of black and white cells, with marks on some of them."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.graphs.markov_random_field.picture import Field, neighbour_sums
from viz.core import curves, plane
from viz.core.graph import outlines, texts, without_axes
from viz.core.scene import ANSWER, Figure, Layer, Plane
from viz.core.theme import GREY, PALETTE, SYMBOLS
from viz.core.words import added, enclosed, number

BLACK, WHITE = (36, 40, 46), (228, 231, 235)  # a picture has its own paper, on either theme
_SHADES = 32
_SOLID = np.full(4, 255, np.uint8)
_UNNAMED = ("x", "y")  # axes of a drawing
_TICKS = 5  # cells from one number of a row or column to the next
_PICTURE, _LINKED = 480, 210  # pixels of a side
_SMALL, _FAINT = 0.3, 0.75  # diameter and strength of a point, as parts of the usual ones
_INK = f"#{bytes((124, 132, 142)).hex()}"  # of a point, seen on black and on white
_GREYS = np.linspace(WHITE, BLACK, _SHADES + 1).round().astype(np.uint8)
_COLORS = np.array([WHITE, BLACK, (160, 166, 174), (112, 119, 128)], np.uint8)
_SIGNS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]])
PAIR = "As it was drawn, and as it was observed"
_CELL = "cell: black or white"
_PALE = f"{_CELL}, grey as long as it is only observed"
_THIS, _LIKE, _UNLIKE = "flipped cell", "same colour", "other colour"  # one row holds them
_FLIPPED, _WRONG = "differs from what was observed", "not as drawn"
_POINTS = "point of the drawing: it makes the cells around it black"
LAYERS = (
    Layer("wrong cells", (_WRONG,), on=True),
    Layer("differs from observed", (_FLIPPED,)),
)
COLOURS = {1: "black", -1: "white"}


class Paper:
    """The observed picture and the original, and how a picture of their size is drawn."""

    def __init__(self, data: Plane, original: ndarray, field: Field, query: ndarray) -> None:
        """Find the picked cell. query : a place in it."""
        self.data, self.original, self.field = data, original, field
        h, w = self.shape = original.shape
        left, right, bottom, top = data.bounds
        self.size = np.array([(right - left) / w, (top - bottom) / h])
        across, down = (query - [left, top]) / (self.size * [1, -1])
        self.picked = (int(np.clip(down, 0, h - 1)), int(np.clip(across, 0, w - 1)))

    def middles(self, cells: ndarray) -> ndarray:
        """Return the middles of (m, 2) cells, each a row and a column."""
        left, _, _, top = self.data.bounds
        return [left, top] + (cells[:, ::-1] + 0.5) * self.size * [1, -1]

    def cell(self, index: int | None) -> tuple[int, int]:
        """Return row and column of a cell, by its index row by row; without one, the picked one."""
        return self.picked if index is None else divmod(index, self.shape[1])

    def picture(self, x: ndarray, at: tuple[int, int], *, framed: bool = False) -> Figure:
        """Draw the picture, with frames around the neighbours of a cell.

        framed : whether the cell has a frame, too; the ring marks the picked one.
        """
        return self._drawn(x, at, neighbours(at, x.shape), _CELL, framed=framed)

    def part(self, x: ndarray) -> Figure:
        """Draw a picture of which at some steps only a part is found, without frames."""
        figure = self._drawn(x, self.picked, np.empty((0, 2), int), _PALE, framed=False)
        look = {"symbol": 1, "size": 14, "color": GREY}
        key = plane.line(
            plane.GAP, mode="markers", marker=look, name="grey: only observed", showlegend=True
        )
        return {**figure, "data": [*figure["data"], key]}

    def _drawn(
        self, x: ndarray, at: tuple[int, int], near: ndarray, name: str, *, framed: bool
    ) -> Figure:
        data, own = self.data, np.array([at][:framed], int).reshape(-1, 2)
        seen = np.where(x == 0, self.field.observed, x)
        alike = np.array([seen[*cell] == seen[at] for cell in near], bool)
        wide = _PICTURE / len(x)
        traces = [
            self.cells(x, name),
            self._marks(x, self.field.observed, _FLIPPED, size=0.3 * wide, color=PALETTE[0]),
            self._marks(x, self.original, _WRONG, **_cross(0.3 * wide, PALETTE[1]))
            | {"showlegend": True},
            self._frames(near[alike], 0.42, _LIKE, width=4, color=PALETTE[0])
            | {"showlegend": len(near) > 0},
            self._frames(near[~alike], 0.42, _UNLIKE, width=4, color=PALETTE[4], dash="dot")
            | {"showlegend": len(near) > 0},
            self._frames(own, 0.5, _THIS, width=6, color=PALETTE[6]) | {"showlegend": framed},
            plane.line(
                plane.GAP,
                mode="markers",
                marker={"size": 6, "color": _INK},
                name="drawn point",
                showlegend=len(data.X) > 0,
            ),
        ]
        same = np.zeros(len(data.X), int)  # the classes play no part
        every = np.ones(len(data.X))
        points = plane.points(data.X, same, size=_SMALL * every, strength=_FAINT * every)
        points |= {"fills": [_INK], "symbols": [SYMBOLS[0]]}
        signs = {"points": _POINTS}
        figure = plane.figure(traces, data.bounds, data.names, points=points, signs=signs)
        if data.names == _UNNAMED:  # what was measured keeps its own numbers
            figure["layout"]["xaxis"] |= self._counted("column", 1)
            figure["layout"]["yaxis"] |= self._counted("row", 0)
        return curves.with_legend(figure, x=0, xanchor="left")

    def _counted(self, name: str, along: int) -> dict:
        """Return an axis that counts cells from 1. along : 0 for rows, 1 for columns."""
        count = self.shape[along]
        numbers = np.unique([1, *range(_TICKS, count + 1, _TICKS), count])
        cells = np.zeros((len(numbers), 2), int)
        cells[:, along] = numbers - 1
        return {
            "title": {"text": name}, "showgrid": False,
            "tickvals": self.middles(cells)[:, 1 - along].tolist(),
            "ticktext": numbers.astype(str).tolist(),
        }  # fmt: skip

    def cells(self, x: ndarray, name: str = _CELL) -> dict:
        """Draw black and white cells; where the picture is 0, those observed, in greys."""
        observed = (self.field.observed + 1) // 2
        index = np.where(x == 0, 2 + observed, (x + 1) // 2)
        trace = plane.image(index[::-1].astype(np.uint8), _COLORS, _SOLID, self.data.bounds)
        return trace | {"name": name, "zsmooth": False}

    def pair(self, _: int) -> Figure:
        """Draw the original beside the observed picture."""
        left, right, bottom, top = self.data.bounds
        away, high = 1.08 * (right - left), top - bottom
        observed = self.cells(self.field.observed, "observed: black or white")
        observed["x0"] += away
        middles = (left + right) / 2 + np.array([0, away])
        names = texts(
            np.column_stack([middles, np.full(2, top + 0.08 * high)]), ["as drawn", "as observed"],
            textfont={"size": 16, "weight": 700},
        )  # fmt: skip
        drawn = self.cells(self.original, "as drawn: black or white")
        box = (left, right + away, bottom, top + 0.16 * high)
        return {"data": [drawn, observed, names], "layout": without_axes(box, alike=True)}

    def alone(self, x: ndarray, unlike: ndarray, name: str) -> Figure:
        """Draw a picture in a linked view, with dots where it differs from another one."""
        dot = {"size": 0.45 * _LINKED / len(x), "color": PALETTE[0]}
        dots = self._marks(x, unlike, name, **dot) | {"meta": ANSWER}
        traces = [self.cells(x), dots]
        return {"data": traces, "layout": without_axes(self.data.bounds, alike=True)}

    def shares(self, share: ndarray) -> Figure:
        """Draw shares from 0, white, to 1, black, with a ring around the picked cell."""
        shade = np.rint(share[::-1] * _SHADES).astype(np.uint8)
        cells = plane.image(shade, _GREYS, np.full(_SHADES + 1, 255, np.uint8), self.data.bounds)
        cells |= {"name": "share of black", "zsmooth": False}
        ring = self._frames(np.array([self.picked]), 0.5, "picked cell", width=4, color=PALETTE[6])
        layout = without_axes(self.data.bounds, alike=True)
        return {"data": [cells, ring], "layout": layout}

    def _marks(self, x: ndarray, unlike: ndarray, name: str, **marker: object) -> dict:
        """Mark the cells at which two pictures differ."""
        cells = np.argwhere((x != unlike) & (x != 0))
        where = self.middles(cells) if len(cells) else plane.GAP
        look = {"mode": "markers", "marker": marker, "name": name}
        return plane.line(where, ids=[*map(str, cells.tolist())], **look)  # they do not travel

    def _frames(self, cells: ndarray, reach: float, name: str, **look: object) -> dict:
        """Draw frames around cells. reach : from the middle, as a part of a cell."""
        return outlines(_SIGNS * reach * self.size, self.middles(cells), line=look, name=name)

    def wrong(self, x: ndarray) -> int:
        """Return how many cells differ from the original, among those that are found."""
        return int(np.count_nonzero((x != self.original) & (x != 0)))

    def wrong_said(self, x: ndarray) -> str:
        """Write how many cells are wrong."""
        return f"{self.wrong(x)} of {np.count_nonzero(x)} cells are wrong"

    def sum_of_energy(self, x: ndarray) -> str:
        """Write E with its numbers, and what each of them counts."""
        field = self.field
        agreement, pairs = field.agreement(x), field.pairs(x)
        changed, unlike = field.changed(x), field.unlike(x)
        cells = "cells, all as observed"
        if changed:
            cells = f"cells: {agreement + changed} as observed − {changed} not"
        return (
            f"Agreement lowers the energy: −{number(field.data_weight)} · "
            f"{enclosed(agreement, 4)} ({cells}) − {number(field.coupling)} · "
            f"{enclosed(pairs, 4)} (neighbours: {pairs + unlike} pairs alike − {unlike} unlike) = "
            f"{number(field.energy(x), 4)}"
        )

    def sum_of_field(self, x: ndarray, at: tuple[int, int]) -> str:
        """Write f = h y + β Σ x with the numbers of a cell."""
        field, total = self.field, int(neighbour_sums(x)[at])
        observed = enclosed(float(field.observed[at]))
        return (
            f"f = h y + β Σ x = {number(field.data_weight)} · {observed} + "
            f"{number(field.coupling)} · {enclosed(total)} = {number(float(field.fields(x)[at]))}"
        )

    def pull(self, x: ndarray, at: tuple[int, int], to: int) -> str:
        """Write the sum of what pulls a cell to a colour, with words for its parts."""
        field, near = self.field, neighbours(at, x.shape)
        counts = {colour: sum(int(x[*cell] == colour) for cell in near) for colour in COLOURS}
        who = " and ".join(f"{n} {COLOURS[each]}" for each, n in counts.items() if n)
        neighbourly = to * field.coupling * float(neighbour_sums(x)[at])
        observed = int(field.observed[at])
        return (
            f"{number(neighbourly)} (neighbours: {who}, {number(field.coupling)} each) "
            f"{added(to * field.data_weight * observed)} (observed {COLOURS[observed]}) = "
            f"{number(to * float(field.fields(x)[at]))}"
        )

    def said(self, x: ndarray, at: tuple[int, int]) -> str:
        """Write what is known of a cell: its colours and those of its neighbours."""
        near = neighbours(at, x.shape)
        black = sum(int(x[*cell] == 1) for cell in near)
        return (
            f"row {at[0] + 1}, column {at[1] + 1} is {COLOURS[x[at]]}, observed as "
            f"{COLOURS[self.field.observed[at]]}, and {black} of its {len(near)} neighbours "
            f"{'is' if black == 1 else 'are'} black"
        )

    def place(self, at: tuple[int, int]) -> tuple[int, float, float]:
        """Return the place of a cell in the first view."""
        x, y = self.middles(np.array([at]))[0].tolist()
        return (0, x, y)


def neighbours(at: tuple[int, int], shape: Sequence[int]) -> ndarray:
    """Return the cells that share a side with a cell, each a row and a column."""
    near = np.add(at, [[-1, 0], [0, 1], [1, 0], [0, -1]])
    return near[((near >= 0) & (near < shape)).all(axis=1)]


def _cross(size: float, color: str) -> dict:
    """Return the look of a cross."""
    look = {"width": 1.5, "color": color}
    return {"symbol": 134, "size": size, "color": color, "line": look}
