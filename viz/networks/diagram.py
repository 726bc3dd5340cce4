"""The diagram of a network: its weights as strokes, and in every node the unit's activation.

A node holds a small map of the plane, 16 by 16 cells, in two colours about 0: violet where the
activation is positive, ochre where it is negative, and the stronger the farther from 0. The node of
a single output has the colours of its two classes. If the
network predicts a number from x, a node holds a small picture of the unit over x: the higher the
colour reaches, the larger the activation. All nodes are one image, because few traces are drawn
faster than many.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy import ndarray

from algorithms.networks.multilayer_perceptron.network import Layered, Network
from viz.core import graph, panels, plane
from viz.core.graph import note, outlines, strokes, without_axes
from viz.core.scene import Figure, Plane
from viz.core.theme import RGB, rgb
from viz.core.told import told
from viz.core.words import fixed, number
from viz.networks.units import unit_name, weight_name

CELLS = 16  # of a node's map, along each side
WIDE, HIGH = 380, 210  # pixels, in the smallest view that has to be readable
_LARGEST = 56  # pixels: a node's side
_SHADES = 16
_ROOMY = 4  # units of the largest layer; of more, the nodes are too small for what is in them
_FILL = 11  # the shade below a curve
_UNIT, _BELOW = rgb("#7848F0"), rgb("#9A7400")  # of units that are no class: above and below 0
_STROKES = ((0.05, 0.6), (0.5, 1.4), (1.5, 2.8), (4.0, 5.0))  # from that |w| on, pixels
_ROOM = {"l": 8, "r": 8, "t": 22, "b": 4}  # for the names of the layers
_SQUARE = CELLS / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]])
_CROSS = CELLS / 2 * np.array([[-1, -1], [1, 1], [np.nan, np.nan], [-1, 1], [1, -1]])
_OPACITY = np.linspace(0, 130, _SHADES).astype(np.uint8)
_COLORS = np.repeat(np.array([_UNIT, *RGB, _BELOW], np.uint8), _SHADES, axis=0)


@dataclass(frozen=True, eq=False)
class Diagram:
    """What is the same at all steps: the units of every layer, input, output, and names.

    cells : the network's input at all cells of a node's map, or, if it predicts a number, at the 16
    places along x. reach : the least and the largest number that the output's node has room for.
    """

    data: Plane
    widths: tuple[int, ...]
    cells: ndarray
    reach: tuple[float, float]

    @property
    def pitch(self) -> tuple[int, int]:
        """Return the distances of the columns and of the rows, in cells of a node's map."""
        wide, high = WIDE / len(self.widths), HIGH / max(self.widths)
        side = min(0.78 * high, 0.45 * wide, _LARGEST)
        return round(CELLS * wide / side), round(CELLS * high / side)

    def corner(self, layer: int, unit: int) -> tuple[int, int]:
        """Return a node's lower left cell; the first unit of a layer is at the top."""
        across, up = self.pitch
        below = (max(self.widths) + self.widths[layer]) / 2 - 1 - unit
        return (
            layer * across + (across - CELLS) // 2,
            round(below * up) + (up - CELLS) // 2,
        )

    def places(self, layer: int) -> ndarray:
        """Return the middles of the nodes of a layer."""
        corners = [self.corner(layer, unit) for unit in range(self.widths[layer])]
        return np.array(corners, float) + CELLS / 2

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Return the ranges that the diagram covers."""
        across, up = self.pitch
        return (0.0, float(across * len(self.widths)), 0.0, float(up * max(self.widths)))


def diagram(
    data: Plane, model: Layered, cells: ndarray, reach: tuple[float, float] = (0.0, 1.0)
) -> Diagram:
    """Return the layout of a network; cells and reach as in `Diagram`."""
    widths = (len(model.weights[0]), *(W.shape[1] for W in model.weights))
    return Diagram(data, widths, cells, reach)


def draw(
    shown: Diagram,
    model: Layered,
    texts: Sequence[Sequence[str]],
    framed: Sequence[ndarray],
    crossed: Sequence[ndarray] = (),
    rims: Sequence[str] = (),
) -> Figure:
    """Draw the nodes with a text in each, and the weights between them.

    texts : of every layer's units. framed : of every layer, which units have a thick outline.
    crossed : of every hidden layer, which are crossed out. rims : colours of the outlines of the
    last hidden layer's units.
    """
    where = np.concatenate([shown.places(layer) for layer in range(len(shown.widths))])
    thick = np.concatenate(framed)
    out = [shown.places(layer)[units] for layer, units in enumerate(crossed, 1)]
    traces = [
        plane.image(_maps(shown, model), _COLORS, np.tile(_OPACITY, len(RGB) + 2), shown.box),
        *_strokes(shown, model),
        outlines(_CROSS, np.concatenate([np.empty((0, 2)), *out]), line={"width": 2.5}),
        outlines(_SQUARE, where, line={"width": 1}),
        *(
            outlines(_SQUARE, place[None], line={"width": 3, "color": rim})
            for place, rim in zip(shown.places(len(shown.widths) - 2), rims, strict=False)
        ),
        outlines(_SQUARE, where[thick], line={"width": 3, "dash": "dot"}),
        _values(shown, where, texts),
    ]
    layout = without_axes(shown.box, _names(shown), room=_ROOM)
    return {"data": traces, "layout": layout} | _weights(shown, model)


def _values(shown: Diagram, where: ndarray, texts: Sequence[Sequence[str]]) -> dict:
    """Write the text of every node in it, or, if the nodes are small, on its right."""
    written, look = list(chain(*texts)), {"weight": 700, "shadow": "auto"}
    if max(shown.widths) <= _ROOMY:
        return graph.texts(where, written, textfont=look)
    beside = where + np.array([CELLS / 2, 0])
    return graph.texts(beside, written, textposition="middle right", textfont=look)


def _weights(shown: Diagram, model: Layered) -> dict:
    """Return the weights and biases for the table; the diagram shows only how large they are."""
    names, values = [], []
    for layer, (W, b) in enumerate(zip(model.weights, model.biases, strict=True)):
        for j in range(W.shape[1]):
            names += [weight_name(model, layer, i, j, shown.data) for i in range(len(W))]
            names.append(f"bias of {unit_name(model, layer, j, shown.data)}")
        values.append(np.vstack([W, b]).T.ravel())
    return told("Weights and biases", "weight", names, {"value": np.concatenate(values)})


def short(value: float) -> str:
    """Write a number that fits into a node: two decimals, or two digits if it is large."""
    return fixed(value, 2) if abs(value) < 10 else number(value, 2)


def _maps(shown: Diagram, model: Layered) -> ndarray:
    """Return one canvas with the maps of all units, of indices into the colours."""
    across, up = shown.pitch
    canvas = np.zeros((up * max(shown.widths), across * len(shown.widths)), np.uint8)
    every, last = model.activations(shown.cells), len(shown.widths) - 1
    drawn = _about_0 if isinstance(model, Network) else _over_x
    for layer, activations in enumerate(every[:-1]):
        for unit, levels in enumerate(activations.T):
            _put(canvas, shown.corner(layer, unit), drawn(levels, model, layer))
    if not isinstance(model, Network):
        low, high = shown.reach
        _put(canvas, shown.corner(last, 0), _heights((every[-1][:, 0] - low) / (high - low), 1))
        return canvas
    P = model.predict_proba(shown.cells)
    colors = [1 + int(k) % len(RGB) for k in model.classes]
    if shown.widths[-1] == 1 and len(colors) == 2:
        sure = 2 * P.max(axis=1) - 1
        winners = [_shades(sure, color) for color in colors]
        _put(canvas, shown.corner(last, 0), np.where(P[:, 0] > P[:, 1], *winners))
        return canvas
    for unit in range(shown.widths[-1]):
        k = unit + P.shape[1] - shown.widths[-1]  # of two classes, the first may have no unit
        _put(canvas, shown.corner(last, unit), _shades(P[:, k], colors[k]))
    return canvas


def _about_0(levels: ndarray, model: Layered, layer: int) -> ndarray:
    """Return activations as shades of two colours, one above 0 and one below.

    The strongest shade is the largest size that a unit can have, or has if there is no bound.
    """
    if layer == 0 or model.activation == "relu":
        levels = levels / max(float(np.abs(levels).max()), 1e-9)
    return np.where(levels < 0, _shades(-levels, len(RGB) + 1), _shades(levels))


def _over_x(levels: ndarray, model: Layered, layer: int) -> ndarray:
    """Return activations as heights between the least and the largest that a unit can have.

    Where there is no bound, these are the least and the largest that it has.
    """
    if layer == 0 or model.activation == "relu":
        low = float(levels.min()) if layer == 0 else 0.0
        high = max(float(levels.max()), low + 1e-9)
    else:
        low, high = (-1.0, 1.0) if model.activation == "tanh" else (0.0, 1.0)
    return _heights((levels - low) / (high - low))


def _shades(parts: ndarray, color: int = 0) -> ndarray:
    """Return shades of a colour for parts from 0 to 1, cell by cell."""
    shades = np.rint(parts * (_SHADES - 1)).clip(0, _SHADES - 1).astype(int)
    return color * _SHADES + shades


def _heights(parts: ndarray, color: int = 0) -> ndarray:
    """Return heights of a colour for parts from 0 to 1, one for each column of cells."""
    filled = (np.arange(CELLS)[:, None] + 0.5) / CELLS <= parts
    return color * _SHADES + _FILL * filled


def _put(canvas: ndarray, corner: tuple[int, int], shades: ndarray) -> None:
    x, y = corner
    canvas[y : y + CELLS, x : x + CELLS] = shades.reshape(CELLS, CELLS)


def _strokes(shown: Diagram, model: Layered) -> list[dict]:
    """Draw the weights: four widths by size; the negative ones are dashed."""
    starts, ends, values = [], [], []
    beside = np.array([CELLS / 2, 0])
    for layer, W in enumerate(model.weights):
        before, after = shown.places(layer), shown.places(layer + 1)
        starts.append(np.repeat(before, len(after), axis=0) + beside)
        ends.append(np.tile(after, (len(before), 1)) - beside)
        values.append(W.ravel())
    lines = np.stack([np.concatenate(starts), np.concatenate(ends)], axis=1)
    weight = np.concatenate(values)
    size = np.searchsorted([least for least, _ in _STROKES], np.abs(weight), side="right") - 1
    traces = []
    for level, (_, width) in enumerate(_STROKES):
        for sign, dash in ((1, "solid"), (-1, "dash")):
            these = lines[(size == level) & (np.sign(weight) == sign)]
            traces.append(strokes(these, line={"width": width, "dash": dash}, opacity=0.55))
    return traces


def _names(shown: Diagram) -> list[dict]:
    """Write the names of the layers above them, and names or numbers at the nodes."""
    across, _ = shown.pitch
    last = len(shown.widths) - 1
    names = ["input, scaled", *(f"layer {layer}" for layer in range(1, last)), "output"]
    notes = [
        note((layer + 0.5) * across, shown.box[3], name) | {"yanchor": "bottom"}
        for layer, name in enumerate(names)
    ]
    for (x, y), name in zip(shown.places(0), shown.data.names, strict=False):
        beside = x - CELLS / 2 - 1
        notes.append(note(beside, y, panels.label(name, 6), anchor="right"))
    if shown.widths[-1] == 1 and max(shown.widths) > 2:  # there is room below the output
        corner = note(shown.box[1], shown.box[2], "dashed: below 0", anchor="right")
        notes.append(corner | {"yanchor": "bottom"})
    numbered = _numbered if max(shown.widths) <= _ROOMY else _at_left
    notes += [
        numbered(place, j)
        for layer in range(1, last)
        for j, place in enumerate(shown.places(layer), 1)
    ]
    if shown.widths[-1] > 1:
        for (x, y), k in zip(shown.places(last), shown.data.classes, strict=False):
            beside = x + CELLS / 2 + 1
            notes.append(note(beside, y, panels.label(k, 6), anchor="left"))
    return notes


def _numbered(place: ndarray, number: int) -> dict:
    """Write the number of a unit beside the upper left corner of its node."""
    x, y = (place + np.array([-1, 1]) * CELLS / 2).tolist()
    look = {"yanchor": "top", "font": {"weight": 700, "shadow": "auto"}}
    return note(x - 0.5, y, str(number), anchor="right") | look


def _at_left(place: ndarray, number: int) -> dict:
    """Write the number of a unit beside the middle of its small node."""
    look = {"font": {"weight": 700, "shadow": "auto"}}
    return (
        note(float(place[0]) - CELLS / 2 - 2, float(place[1]), str(number), anchor="right") | look
    )
