"""The wall of the trees: a small picture of the plane for each of the latest trees."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.ensembles.random_forest import RandomForestStep
from viz.core import curves, plane
from viz.core.scene import Bounds, Figure
from viz.core.theme import GREY, RGB, rgb

COLUMNS, ROWS = 4, 2  # of tiles
LATEST = COLUMNS * ROWS  # trees on the wall
_SIZE, _GAP = 48, 3  # cells of a tile, both ways, and between two tiles
_TO_COME, _CLEAR = len(RGB), len(RGB) + 1  # colours after those of the classes
_COLORS = np.array([*RGB, rgb(GREY), rgb(GREY)], np.uint8)
_OPACITY = np.array([*[130] * len(RGB), 30, 0], np.uint8)


class TreeWall:
    """The regions of every tree, computed once; a step shows those of its latest trees.

    The newest tree is the last one. Once the wall is full, the others move up.
    """

    def __init__(self, steps: Sequence[RandomForestStep], box: Bounds, query: ndarray) -> None:
        """Let every tree classify the cells of its tile. query : the picked point."""
        cells = plane.grid(box, _SIZE)[2]
        self.found = [step.tree.predict(cells).reshape(_SIZE, _SIZE) % len(RGB) for step in steps]
        left, right, bottom, top = box
        self.query = (query - [left, bottom]) / [right - left, top - bottom]

    def figure(self, now: int) -> Figure:
        """Draw the latest trees, and frame the newest."""
        pitch = _SIZE + _GAP
        dots = np.full((ROWS * pitch, COLUMNS * pitch), _CLEAR, np.uint8)
        corners = np.array([_corner(place) for place in range(LATEST)])
        places = np.arange(LATEST)
        latest = places + max(0, now + 1 - LATEST)  # the tree in each place
        grown = latest <= now
        for (x, y), tree in zip((pitch * corners).tolist(), latest.tolist(), strict=True):
            dots[y : y + _SIZE, x : x + _SIZE] = self.found[tree] if tree <= now else _TO_COME
        box = (0.0, float(COLUMNS), 0.0, float(ROWS))
        share = _SIZE / pitch
        square = share * np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]])
        ring = {"symbol": 100, "size": 8, "line": {"width": 2}}
        traces = [
            plane.image(dots, _COLORS, _OPACITY, box) | {"name": "regions of a tree"},
            plane.line(
                corners[grown] + share * self.query,
                mode="markers",
                marker=ring,
                name="the picked point",
            ),
            plane.line(
                corners[min(now, LATEST - 1)] + square,
                line={"width": 3},
                cliponaxis=False,
                name="the newest tree",
            ),
            plane.line(
                corners[grown] + share * np.array([0.04, 0.1]),
                mode="text",
                text=(latest[grown] + 1).tolist(),
                textposition="middle right",
                textfont={"size": 14, "shadow": "auto"},
                name="number of the tree",
            ),
        ]
        hidden = {"visible": False, "fixedrange": True, "constrain": "domain"}
        layout = curves.panel_layout(
            xaxis={"range": [-0.03, COLUMNS], **hidden},
            yaxis={"range": [-0.03, ROWS], "scaleanchor": "x", **hidden},
        )
        layout["margin"] = {"l": 8, "r": 4, "t": 6, "b": 6}
        return {"data": traces, "layout": layout}


def _corner(place: int) -> tuple[int, int]:
    """Return the lower left corner of a tile, in tiles."""
    return place % COLUMNS, ROWS - 1 - place // COLUMNS
