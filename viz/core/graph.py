"""Graphs as pictures: nodes, links and labels.

Trellises, networks, trees and dendrograms are drawn from the same parts. If nodes are points and
links are straight, a `Graph` draws all of it: a node has a place, a size, and a group that gives it
colour and symbol, and the width of a link shows what it carries. Bent links and nodes with other
shapes are drawn with `strokes`. Axes are hidden.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy import ndarray

from viz.core import plane
from viz.core.scene import Bounds, Figure

WIDEST = 9.0  # pixels: the width of the widest link
LEAST = 0.01  # a link with a smaller share is not drawn
_ROOM = {"l": 8, "r": 8, "t": 8, "b": 8}


@dataclass(frozen=True, eq=False)
class Look:
    """What a step draws of a graph of m nodes and e links.

    size : (m,) diameters, 1 for the usual point. width : (e,) pixels, 0 for no line. texts : of the
    nodes. strength : (m,) opacities. path : nodes that a bold dashed line joins,
    in this order. ringed : nodes with a ring. notes : annotations; all steps have the same number
    of them.
    """

    size: ndarray
    width: ndarray
    texts: Sequence[str]
    strength: ndarray | None = None
    path: Sequence[int] = ()
    ringed: Sequence[int] = ()
    notes: Sequence[dict] = ()


@dataclass(frozen=True, eq=False)
class Graph:
    """The parts of a graph's picture that are the same at all steps.

    places : (m, 2) of the nodes. group : (m,) their colours and symbols. links : (e, 2) the nodes
    that each link joins. box : left, right, bottom, top. names : (m,) of the nodes, for the table
    of the view. notes : Plotly annotations that stay, see `note`. signs : what path and rings mean
    ("path", "ringed"), and nodes and links (as `plane.figure` has them). sides : (m,) on which side
    of its node each text is, "top" or "bottom", or as Plotly has it; without them, texts are on the
    nodes. rim : how far from the middle of the largest node its links end, across and up; by
    default they go to the middle. A link ends nearer to a smaller node. below : (m,) how far below
    the middle of its first node a link begins, under the words there. above : how far above the
    middle of its second node such a link ends.
    """

    places: ndarray
    group: ndarray
    links: ndarray
    box: Bounds
    names: Sequence[str]
    notes: Sequence[dict] = ()
    signs: Mapping[str, str] = field(default_factory=dict)
    sides: Sequence[str] = ()
    rim: tuple[float, float] = (0.0, 0.0)
    below: ndarray | None = None
    above: float = 0.0

    def draw(self, look: Look) -> Figure:
        """Draw a step."""
        start, end = self._ends(look.size)
        way = self.places[list(look.path)] if len(look.path) > 1 else plane.GAP
        rings = self.places[list(look.ringed)] if len(look.ringed) else plane.GAP
        traces = [
            plane.line(
                way,
                line={"width": 4, "dash": "dash"},
                cliponaxis=False,
                name=self.signs.get("path", ""),
            ),
            plane.line(
                rings,
                mode="markers",
                marker=_RING | {"size": self._rings(look)},
                cliponaxis=False,
                name=self.signs.get("ringed", ""),
            ),
            texts(self.places, look.texts, textfont=_BOLD, **self._beside(look)),
        ]
        points = plane.points(self.places, self.group, size=look.size, strength=look.strength)
        points |= {"names": list(self.names)}
        edges = plane.edges(start, end, width=look.width)
        own = {name: text for name, text in self.signs.items() if name not in ("path", "ringed")}
        figure = plane.figure(traces, self.box, points=points, edges=edges, signs=own or None)
        return figure | {"layout": without_axes(self.box, [*self.notes, *look.notes])}

    def _ends(self, size: ndarray) -> tuple[ndarray, ndarray]:
        """Return where the links start and end: at the rims of their nodes."""
        start, end = self.places[self.links.T]
        if self.below is not None:
            start = start - np.column_stack([0 * self.below, self.below])[self.links[:, 0]]
            return start, end + np.array([0.0, self.above])
        way = end - start
        if not all(self.rim):
            return start, end
        inside = 1 / np.maximum(np.hypot(*(way / self.rim).T), 2.0)[:, None]
        small = (size / size.max())[self.links[:, 1], None]
        return start + inside * way, end - small * inside * way

    def _beside(self, look: Look) -> dict:
        """Return the style that keeps texts clear of their nodes, and of the rings around them."""
        if not self.sides:
            return {}
        _, row = np.unique(self.places[:, 1], return_inverse=True)
        largest = np.zeros(row.max(initial=0) + 1)
        np.maximum.at(largest, row, look.size)
        room = plane.DIAMETER * largest[row] + _CLEAR  # all names of a row are at one height
        return {
            "mode": "markers+text",
            "marker": {"size": room.tolist(), "opacity": 0},
            "textposition": [side if " " in side else f"{side} center" for side in self.sides],
        }

    def _rings(self, look: Look) -> list[float]:
        """Return the diameters of the rings, which are clear of their nodes."""
        size = plane.DIAMETER * look.size[list(look.ringed)] + _CLEAR
        return np.maximum(size, _LEAST_RING).tolist()


_CLEAR = 11.0  # pixels: how much wider than its node a ring is
_LEAST_RING = 26.0
_RING = {"symbol": 100, "opacity": 1, "line": {"width": 3}}
_BOLD = {"weight": 700, "shadow": "auto"}


def strokes(lines: ndarray, **style) -> dict:
    """Draw (m, c, 2) lines of c points as one trace; a row of NaN within one is a gap."""
    gaps = np.full((len(lines), 1, 2), np.nan)
    path = np.concatenate([lines, gaps], axis=1).reshape(-1, 2)
    return plane.line(path if len(path) else plane.GAP, **style)


def outlines(shape: ndarray, places: ndarray, **style) -> dict:
    """Draw a shape, (c, 2) corners around its middle, at (m, 2) places."""
    return strokes(places[:, None] + shape, **style)


def texts(places: ndarray, written: Sequence[str], **style) -> dict:
    """Write on (m, 2) places, or beside them with a `textposition`."""
    usual = {"mode": "text", "cliponaxis": False}
    return plane.line(places, text=list(written), **usual | style)


def widths(shares: ndarray) -> ndarray:
    """Return the widths of links in pixels: their shares of the widest, 0 for almost nothing."""
    return WIDEST * np.where(shares < LEAST, 0.0, shares)


def without_axes(
    box: Bounds,
    notes: Sequence[dict] = (),
    *,
    alike: bool = False,
    room: dict[str, int] | None = None,
) -> dict:
    """Return the layout of a picture with hidden axes.

    alike : both axes have the same scale. room : the margins, by default equal on all sides.
    """
    left, right, bottom, top = box
    return {
        "xaxis": {"range": [left, right], "visible": False},
        "yaxis": {
            "range": [bottom, top],
            "visible": False,
            "scaleanchor": "x" if alike else False,
        },
        "annotations": list(notes),
        "margin": room or _ROOM,
        "dragmode": False,
        "hovermode": False,
        "showlegend": False,
    }


def note(x: float, y: float, text: str, *, anchor: str = "center") -> dict:
    """Return an annotation at a place. anchor : the side of the text that is at x."""
    return {
        "x": x, "y": y, "xref": "x", "yref": "y", "xanchor": anchor, "yanchor": "middle",
        "text": text, "showarrow": False,
    }  # fmt: skip
