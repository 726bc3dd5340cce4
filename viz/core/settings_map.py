"""A map of two settings: each pair tried is a cell, the stronger the more points are wrong.

The pairs stand in the rows and columns of a grid, or anywhere between them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from viz.core import curves, panels, plane
from viz.core.panels import Panel
from viz.core.scene import Figure
from viz.core.theme import RGB
from viz.core.told import told

_SHADES = 8
_LIGHTEST, _DARKEST = 20, 170  # of 255: a cell is seen, and the number on it stays readable


@dataclass(frozen=True, eq=False)
class Places:
    """Where the pairs stand: (m, 2) `at`, in rows and columns counted from 0.

    size : of the grid, its columns and rows. cell : width and height of a cell, in columns and
    rows. dots : along a cell; with 1, cells have to stand in the rows and columns.
    """

    at: ndarray
    size: tuple[int, int]
    cell: tuple[float, float] = (1.0, 1.0)
    dots: int = 1

    def painted(self, values: ndarray, clear: int) -> ndarray:
        """Return the cells of the first pairs as an image; a place is its nearest pair's."""
        size, dot = np.array(self.size), np.array(self.cell) / self.dots
        across, up = np.rint(size / dot).astype(int)
        image = np.full((up, across), clear, np.uint8)
        nearest = np.full((up, across), np.inf)
        first = np.rint((self.at + 0.5 - np.array(self.cell) / 2) / dot).astype(int)
        offsets = np.arange(self.dots) - (self.dots - 1) / 2
        away = offsets[:, None] ** 2 + offsets**2  # from the middle of a cell
        for (x, y), value in zip(first.tolist(), values.tolist(), strict=False):
            left, low = max(x, 0), max(y, 0)
            part = np.s_[low : y + self.dots, left : x + self.dots]
            here = away[low - y :, left - x :][: up - low, : across - left]
            nearer = here <= nearest[part]
            image[part][nearer] = value
            nearest[part][nearer] = here[nearer]
        return image

    def seen(self, known: int) -> ndarray:
        """Return, for all pairs, which are among the first ones and less than half covered.

        A pair is covered by a later one that is less than half a cell away, both ways.
        """
        apart = np.abs(self.at[:known, None] - self.at[:known]) >= np.array(self.cell) / 2 - 1e-9
        covered = np.triu(~apart.any(axis=2), 1).any(axis=1)
        return np.concatenate([~covered, np.zeros(len(self.at) - known, bool)])


@dataclass(frozen=True, eq=False)
class SettingsMap:
    """The map of a run: what no step changes.

    wrong : (m,) how many points each pair gets wrong. names : of the pairs, for the table. title :
    of the table. x, y : from `axis`.
    """

    places: Places
    wrong: ndarray
    names: Sequence[str]
    title: str
    x: dict
    y: dict

    def draw(self, known: int, marks: Sequence[dict]) -> Figure:
        """Draw the first `known` pairs. marks : from `mark`."""
        (columns, rows), at = self.places.size, self.places.at.astype(float)
        low, high = int(self.wrong.min()), int(self.wrong.max())
        share = (self.wrong[:known] - low) / max(high - low, 1)
        shade = (share * (_SHADES - 1)).round().astype(np.uint8)
        blue = np.tile(np.array([RGB[0]], np.uint8), (_SHADES + 1, 1))
        opacity = np.append(np.linspace(_LIGHTEST, _DARKEST, _SHADES), 0).astype(np.uint8)
        canvas = self.places.painted(shade, _SHADES)
        cells = plane.image(canvas, blue, opacity, (-0.5, columns - 0.5, -0.5, rows - 0.5))
        seen = self.places.seen(known)
        pairs = zip(self.wrong.tolist(), seen.tolist(), strict=True)
        written = [str(count) if there else "" for count, there in pairs]
        traces = [
            cells | {"zsmooth": False, "name": "points wrong, the stronger the more"},
            plane.line(at, mode="text", text=written),
            *marks,
        ]
        figure = panels.alone(Panel(traces, self.x, self.y))
        values = {"points wrong": self.wrong[:known]}
        return figure | told(self.title, "pair", self.names[:known], values)


def mark(place: Sequence[float], symbol: str, name: str) -> dict:
    """Mark a pair, by its column and row."""
    look = {"symbol": symbol, "size": 24, "line": {"width": 1.5}}
    x, y = place
    return curves.marked(x, y, marker=look, name=name)


def axis(title: str, size: int, at: Sequence[float], names: Sequence[str]) -> dict:
    """Return the axis of `size` columns or rows, with the names of some places on it."""
    return {
        "title": {"text": title, "standoff": 4},
        "range": [-0.5, size - 0.5],
        "tickvals": list(at),
        "ticktext": list(names),
        "showgrid": False,
        "scaleanchor": False,  # images make Plotly draw square cells
    }
