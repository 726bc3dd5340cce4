"""What both modes of multidimensional scaling draw: what is given, the map, the Shepard diagram."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy import ndarray
from scipy.linalg import orthogonal_procrustes
from scipy.spatial.distance import pdist, squareform

from viz.core import curves, panels, plane
from viz.core.arrows import arrow
from viz.core.graph import note, without_axes
from viz.core.naming import Name, clear_names, corner, words
from viz.core.scene import Bounds, Figure, Plane, View
from viz.core.theme import GREY, PALETTE, rgb
from viz.core.words import counted, number

NOTE = "The map may be turned or mirrored, and its axes mean nothing."
MOST_PAIRS = 2_000  # of the Shepard diagram
_ROOM = 0.09  # of the map, around it
_SIDES = {  # of a dot, where its name may be
    "top center": (0, 1),
    "bottom center": (0, -1),
    "middle right": (1, 0),
    "middle left": (-1, 0),
}
_NEEDLE, _BELOW = 0.06, 0.14  # of the map's side: half the arrow to the north; to the corner
_TIP = 0.55  # of half the arrow: from its tip to its name
_NORTH = "north"
_ALONG = 60  # places along a line that names keep clear of
_CUT = 1_000  # of these places are as bad as a name that the edge of the map may cut
_LETTER, _LINE = 0.017, 0.042  # how wide and high a letter is, as parts of the map's side
_DOT, _HANDLE = 13, 26  # pixels across a thing on the map, and across one that can be dragged
_HOLD = 0.075  # how wide and high a handle is, as a part of the map's side
_SHORT, _HEAD = 4, 3  # letters: if no name is longer, it is whole above its column; else its start
_PALE = f"rgba{(*rgb(GREY), 0.6)}"
_BLUES = [
    [0, f"rgba{(*rgb(PALETTE[5]), 0.6)}"],
    [1, f"rgba{(*rgb(PALETTE[5]), 0.03)}"],
]  # near: strong


@dataclass(frozen=True, eq=False)
class Given:
    """The distances, with what they are between.

    names : of things that are not points of the board; then `data` is None. unit : of the
    distances. what : a single thing is called. data : the board. rows : the indices of its points
    that are used. places : (n, 2) where the things are, if that is known, with north up.
    """

    distances: ndarray
    names: tuple[str, ...] = ()
    unit: str = ""
    what: str = "point"
    data: Plane | None = None
    rows: ndarray | None = None
    places: ndarray | None = None

    @property
    def groups(self) -> ndarray:
        """Return the class of every thing; 0 for things that are not points of the board."""
        return self.data.labels[self.rows] if self.data else np.zeros(len(self.distances), int)

    def name(self, i: int) -> str:
        """Return the name of a thing."""
        return self.names[i] if self.rows is None else f"point {self.rows[i] + 1}"

    def pair(self, i: int, j: int) -> str:
        """Return the names of two things."""
        return f"{self.name(i)} and {self.name(j)}"


def first_views(
    things: Given, title: str, picture: Callable[[int], Figure], maps: Sequence[ndarray]
) -> list[View]:
    """Return what is given and the map, the one with the points of the board first.

    maps : the places at every step; the worst pair of each is marked in the table.
    """
    still = given(things)
    the_map = View(title, picture, height=1.6, board=False)
    if things.data:
        return [View("The points on the board", lambda _: still), the_map]

    def table(now: int) -> Figure:
        return {**still, "data": [*still["data"], _marked(things, worst(things, maps[now]))]}

    title = "The distances that are given (□: the worst pair)"
    return [the_map, View(title, table, height=1.5, board=False)]


def _marked(things: Given, pair: tuple[int, int]) -> dict:
    """Draw squares around the two cells of a pair in the table; none where every pair fits."""
    i, j = (escape(things.names[k]) if pair[0] != pair[1] else None for k in pair)
    return {
        "type": "scatter", "mode": "markers", "x": [i, j], "y": [j, i], "hoverinfo": "skip",
        "name": "worst pair on the map",
        "marker": {"symbol": 101, "size": 18, "line": {"width": 2.5}},
    }  # fmt: skip


def given(things: Given) -> Figure:
    """Draw the board's points, or the table of distances to two digits: the nearer the stronger."""
    if things.data:
        data = things.data
        return plane.figure([], data.bounds, data.names, points=plane.points(data.X, data.labels))
    names = [escape(name) for name in things.names]
    size = 10.0 ** (np.floor(np.log10(things.distances.max() or 1.0)) - 1)
    if size < 1 and not (things.distances % 1).any():
        size = 1.0
    digits = np.rint(things.distances / size)
    cells = {
        "type": "heatmap", "x": names, "y": names, "z": things.distances.tolist(),
        "colorscale": _BLUES, "showscale": False, "hoverinfo": "skip",
    }  # fmt: skip
    across, down = np.meshgrid(names, names)
    written = {
        "type": "scatter", "mode": "text", "x": across.ravel().tolist(), "y": down.ravel().tolist(),
        "text": [f"{d:.0f}" for d in digits.ravel()], "hoverinfo": "skip",
    }  # fmt: skip
    unit = things.unit if size == 1 else f"units of {size:,.10g} {things.unit}".rstrip()
    whole = max(map(len, things.names)) <= _SHORT
    heads = [escape(name if whole else name[:_HEAD]) for name in things.names]
    layout = curves.panel_layout(
        xaxis={
            "tickvals": names, "ticktext": heads, "tickangle": -90 if whole else 0,
            "showgrid": False, "ticks": "", "side": "top",
            "title": {"text": f"in {unit}: the nearer, the bluer", "standoff": 4 if whole else 0},
        },
        yaxis={"autorange": "reversed", "showgrid": False, "ticks": "", "tickvals": names},
    )  # fmt: skip
    layout["margin"] = {"l": 70, "r": 8, "t": 66 if whole else 42, "b": 2}
    return {"data": [cells, written], "layout": layout}


def map_box(maps: Sequence[ndarray]) -> Bounds:
    """Return the square that holds all of the maps, so that a length looks alike in each."""
    low = np.min([Z.min(axis=0) for Z in maps], axis=0)
    high = np.max([Z.max(axis=0) for Z in maps], axis=0)
    half = (0.5 + _ROOM) * (float((high - low).max()) or 1.0)
    x, y = (low + high) / 2
    return (float(x - half), float(x + half), float(y - half), float(y + half))


@dataclass(frozen=True)
class Ways:
    """The ways of the things, and which of them is strong.

    places : (n, m, 2) of the things in earlier steps. farthest : a thing, or None.
    """

    places: ndarray
    farthest: int | None


def the_map(
    things: Given,
    Z: ndarray,
    box: Bounds,
    ways: Ways | None = None,
    lines: Sequence[dict] = (),
    handles: bool = False,
) -> Figure:
    """Draw the things on the map, without the axes, which mean nothing.

    lines : traces that will be on it, from which the names keep clear. handles : the things can be
    dragged, so that rings with their numbers are on them.
    """
    names = things.names
    if names and not np.ptp(Z, axis=0).any():
        names = (f"all {counted(len(names), things.what)}", *[""] * (len(names) - 1))
    texts, sides = placed(
        names, Z, box, _along([*lines, _ways(ways)[1]]), _HOLD if handles else _LINE
    )
    # The dot or the handle, from which Plotly keeps the name away.
    room = {"size": _HANDLE if handles else _DOT, "opacity": 0}
    style = {"textposition": sides, "textfont": {"shadow": "auto"}, "marker": room}
    traces = [
        *_ways(ways),
        plane.line(Z, mode="markers+text", text=texts, cliponaxis=False, **style),
    ]
    points = plane.points(Z, things.groups)
    figure = plane.figure(traces, box, points=points, signs={"points": things.what})
    scale = _scale(box, things.unit)
    return figure | {
        "layout": without_axes(box, scale["notes"], alike=True) | {"shapes": scale["shapes"]}
    }


def _ways(ways: Ways | None) -> list[dict]:
    """Draw the latest ways: faint, but for that of the thing that goes farthest."""
    every = [] if ways is None or ways.places.shape[1] < 2 else list(ways.places)
    strong = plane.GAP
    if ways and ways.farthest is not None:
        strong = ways.places[ways.farthest]
    line = {"width": 1.5, "dash": "dot", "color": _PALE}
    ink = {"width": 2, "dash": "dot"}
    return [
        plane.line(plane.joined(every), line=line, name="last steps", showlegend=bool(every)),
        plane.line(strong, line=ink, name="goes farthest", showlegend=strong is not plane.GAP),
    ]


def _along(lines: Sequence[dict]) -> ndarray:
    """Return many places along straight lines, which have gaps between them."""
    places = [plane.GAP]
    for line in lines:
        path = np.column_stack([plane.unpacked(line[axis]) for axis in "xy"])
        shares = np.linspace(0, 1, _ALONG)[:, None, None]
        places.append((path[:-1] + shares * (path[1:] - path[:-1])).reshape(-1, 2))
    every = np.concatenate(places)
    return every[np.isfinite(every).all(axis=1)]


def placed(
    names: Sequence[str],
    Z: ndarray,
    box: Bounds,
    lines: ndarray = plane.GAP,
    dot: float = _LINE,
) -> tuple[list[str], list[str]]:
    """Return the names, and the side of its dot on which each is; one without room is empty.

    lines : (m, 2) places along lines, of which a name covers as few as it can. dot : the room that
    a name leaves to its dot, as a part of the map's side.
    """
    side_of_map = box[1] - box[0]
    low, high = np.reshape(box, (2, 2)).T / side_of_map
    taken = [(z, np.full(2, dot - _LINE / 2)) for z in Z / side_of_map]  # middles, sizes
    texts, sides = [], []
    for i, name in enumerate(names):
        size = np.array([_LETTER * len(name), _LINE])
        best, least, mine = "", np.inf, taken[i]
        for side, way in _SIDES.items():
            place = (taken[i][0] + way * (size + dot) / 2, size)
            if any(_overlap(place, other) for other in taken):
                continue
            covered = (np.abs(lines / side_of_map - place[0]) < size / 2).all(axis=1).sum()
            outside = (place[0] - size / 2 < low) | (place[0] + size / 2 > high)
            covered += _CUT * outside.any()
            if covered < least:
                best, least, mine = side, covered, place
        if best:
            taken.append(mine)
        texts.append(escape(name) if best else "")
        sides.append(best or "top center")
    return texts, sides


def _overlap(a: tuple[ndarray, ndarray], b: tuple[ndarray, ndarray]) -> bool:
    """Return whether two boxes overlap, each with its middle and its size."""
    return bool(np.all(np.abs(a[0] - b[0]) < (a[1] + b[1]) / 2 - 1e-9))


def _scale(box: Bounds, unit: str) -> dict:
    """Return a bar that shows how long a round number is on the map."""
    left, right, bottom, top = box
    wide = 0.22 * (right - left)
    size = 10.0 ** np.floor(np.log10(wide))
    long = float(max(m for m in (1, 2, 5) if m * size <= wide) * size)
    x, y = right - 0.04 * (right - left) - long, bottom + 0.04 * (top - bottom)
    bar = {
        "type": "line", "x0": x, "x1": x + long, "y0": y, "y1": y,
        "line": {"width": 3, "color": GREY},
    }  # fmt: skip
    text = length(long, unit) if unit else f"length {number(long)}"
    words = note(x + long / 2, y, text) | {"yanchor": "bottom", "yshift": 3}
    return {"notes": [words], "shapes": [bar]}


def length(value: float, unit: str, digits: int = 3) -> str:
    """Write a length with its unit, if it has one; of one there is no plural."""
    text = number(value, digits)
    return f"{text} {unit.removesuffix('s') if text == '1' else unit}".rstrip()


def shepard(things: Given, Z: ndarray) -> Figure:
    """Draw every distance on the map over the given one; on the dashed line both are equal."""
    wanted, found = squareform(things.distances, checks=False), pdist(Z)
    top = 1.05 * (float(max(wanted.max(initial=0.0), found.max(initial=0.0))) or 1.0)
    some = np.linspace(0, len(wanted) - 1, min(len(wanted), MOST_PAIRS)).round().astype(int)
    dots = np.column_stack([wanted[some], found[some]]) if len(wanted) else plane.GAP
    marker = {"size": 5, "opacity": 0.6}
    panel = panels.Panel(
        [
            panels.curve([0, top], [0, top], line={"width": 1.5, "dash": "dash", "color": GREY}),
            plane.line(dots, mode="markers", marker=marker),
        ],
        x=panels.axis(f"given{_in(things)}", 0, top),
        y=panels.axis("on the map", 0, top),
    )
    return panels.alone(panel)


def _in(things: Given) -> str:
    return f", {things.unit}" if things.unit else ""


def to_the_places(things: Given, Z: ndarray) -> ndarray:
    """Return the (2, 2) turn of a map after which it lies most like the places, if known."""
    if things.places is None:
        return np.eye(2)
    around = things.places - things.places.mean(axis=0)
    return orthogonal_procrustes(Z - Z.mean(axis=0), around)[0]


def where_north_is(things: Given, Z: ndarray) -> str:
    """Write the name of the arrow to the north, if the places of the things are known."""
    if things.places is None:
        return ""
    mirrored = np.linalg.det(to_the_places(things, Z)) < 0
    return f"{_NORTH}; the map is mirrored" if mirrored else _NORTH


def compass(things: Given, Z: ndarray, said: str, box: Bounds) -> list[dict]:
    """Draw an arrow to the north, with its name at its tip, in the corner where it covers least.

    Whether the map is mirrored is written above it.
    said : from `where_north_is`; without it, nothing is drawn.
    """
    side = box[1] - box[0]
    names = Z + np.array([0.0, _LINE * side])
    where = [corner(box, name) for name in ("top right", "top left")]
    (trace,) = clear_names([Name(said, where, {})], box, np.concatenate([Z, names]))
    half = _NEEDLE * side * to_the_places(things, Z)[:, 1]
    left = "right" in trace["textposition"]
    inwards = np.array([_BELOW if left else -_BELOW, -_BELOW]) * side
    middle = np.concatenate([plane.unpacked(trace[axis]) for axis in "xy"]) + inwards
    tip = middle + (1 + _TIP) * half
    return [
        trace | {"text": [said.removeprefix(_NORTH).removeprefix("; ")]},
        arrow(middle - half, middle + half, None) | {"name": "to the north"},
        words(tip, _NORTH * bool(said), "middle center"),
    ]


def worst(things: Given, Z: ndarray) -> tuple[int, int]:
    """Return the two things whose distance on the map differs most from the given one."""
    gap = np.abs(squareform(pdist(Z)) - things.distances)
    i, j = np.unravel_index(gap.argmax(), gap.shape)
    return int(i), int(j)
