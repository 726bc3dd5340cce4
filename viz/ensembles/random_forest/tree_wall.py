"""The wall of the trees: a small picture of the plane for every tree grown so far."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.ensembles.random_forest import RandomForestStep
from viz.core import curves, plane
from viz.core.scene import Bounds, Figure
from viz.core.theme import GREY, RGB, rgb

_FINE, _COARSE, _GAP = 36, 15, 2  # cells of a tile, both ways, and between two tiles
_FEW = 40  # trees: the tiles of more are coarser
_WIDE = 1.9  # a view is about this many times as wide as high
_TO_COME, _CLEAR = len(RGB), len(RGB) + 1  # colours after those of the classes
_COLORS = np.array([*RGB, rgb(GREY), rgb(GREY)], np.uint8)
_OPACITY = np.array([*[130] * len(RGB), 30, 0], np.uint8)


class TreeWall:
    """The regions of every tree, computed once; a step shows those of its trees."""

    def __init__(self, steps: Sequence[RandomForestStep], box: Bounds, query: ndarray) -> None:
        """Let every tree classify the cells of its tile. query : the picked point."""
        self.size = _FINE if len(steps) <= _FEW else _COARSE
        cells = plane.grid(box, self.size)[2]
        self.found = [
            step.tree.predict(cells).reshape(self.size, self.size) % len(RGB) for step in steps
        ]
        left, right, bottom, top = box
        self.query = (query - [left, bottom]) / [right - left, top - bottom]
        self.columns = int(np.ceil(np.sqrt(_WIDE * len(steps))))
        self.rows = -(-len(steps) // self.columns)

    def figure(self, now: int) -> Figure:
        """Draw the trees up to this step's, which is framed, with the picked point on each."""
        size, pitch = self.size, self.size + _GAP
        shape = (self.rows * pitch, self.columns * pitch)
        dots = np.full(shape, _CLEAR, np.uint8)
        corners = np.array([self._corner(i) for i in range(len(self.found))])
        for i, (x, y) in enumerate((pitch * corners).astype(int).tolist()):
            tile = self.found[i] if i <= now else _TO_COME
            dots[y : y + size, x : x + size] = tile
        box = (0.0, float(self.columns), 0.0, float(self.rows))
        share = size / pitch
        square = share * np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]])
        picked = corners[: now + 1] + share * self.query
        ring = {"symbol": 100, "size": 5, "line": {"width": 1.5}}
        traces = [
            plane.image(dots, _COLORS, _OPACITY, box) | {"name": "regions of a tree"},
            plane.line(picked, mode="markers", marker=ring, name="the picked point"),
            plane.line(
                corners[now] + square,
                line={"width": 3},
                cliponaxis=False,
                name="the newest tree",
            ),
        ]
        hidden = {"visible": False, "fixedrange": True, "constrain": "domain"}
        layout = curves.panel_layout(
            xaxis={"range": [-0.05, self.columns], **hidden},
            yaxis={"range": [-0.05, self.rows], "scaleanchor": "x", **hidden},
        )
        layout["margin"] = {"l": 8, "r": 4, "t": 6, "b": 6}
        return {"data": traces, "layout": layout}

    def _corner(self, i: int) -> tuple[int, int]:
        """Return the lower left corner of a tile, in tiles."""
        return i % self.columns, self.rows - 1 - i // self.columns
